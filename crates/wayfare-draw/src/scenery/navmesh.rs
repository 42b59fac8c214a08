//! Navigation meshes from above.

use glam::{Vec2, Vec3};

use super::{Ground, LinkArc, Scenery, Viewport};
use crate::{Area, Colour, DrawError, Paint, Picture, Shape, Stroke, Theme};

/// The look of a polygon of a navigation mesh.
///
/// ```
/// use wayfare_draw::{PolygonArt, Theme};
///
/// let outline = [[0.0, 0.0], [0.0, 2.0], [2.0, 0.0]].map(Into::into).to_vec();
/// let art = PolygonArt { outline, colour: Theme::DARK.floor };
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct PolygonArt {
    /// Its corners in order, x and z.
    pub outline: Vec<Vec2>,
    /// Its colour.
    pub colour: Colour,
}

/// A drawable navigation mesh. The states of searches are its polygons, and after them further
/// points: ends and turning points of paths.
///
/// Polygons are drawn in order: the lowest floor first.
///
/// ```
/// use wayfare_draw::{MeshScenery, Panel, PolygonArt, Theme};
///
/// let outline = [[0.0, 0.0], [0.0, 2.0], [2.0, 0.0]].map(Into::into).to_vec();
/// let art = PolygonArt { outline, colour: Theme::DARK.floor };
/// let points = vec![[0.5, 0.5].into(), [1.0, 0.5].into()];
/// let scenery = MeshScenery::new(vec![art], points)?;
/// assert!(Panel::new(&scenery).path_states([1, 2]).draw().is_ok());
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct MeshScenery {
    polygons: Vec<PolygonArt>,
    points: Vec<Vec2>,
    /// The indices of the polygons in drawing order.
    order: Vec<u32>,
    borders: Vec<[Vec2; 2]>,
    links: Vec<LinkArc>,
    legend: Vec<(String, Colour)>,
    bounds: Area,
}

impl MeshScenery {
    /// Returns a scenery of polygons, and points beside them.
    ///
    /// # Errors
    /// [`DrawError::NotFinite`].
    pub fn new(polygons: Vec<PolygonArt>, points: Vec<Vec2>) -> Result<Self, DrawError> {
        let is_broken = |art: &PolygonArt| art.outline.iter().any(|corner| !corner.is_finite());
        if let Some(index) = polygons.iter().position(is_broken) {
            return Err(DrawError::NotFinite { what: "polygon", index });
        }
        if let Some(index) = points.iter().position(|point| !point.is_finite()) {
            return Err(DrawError::NotFinite { what: "point", index });
        }
        let corners = polygons.iter().flat_map(|art| art.outline.iter().copied());
        let area = Area::around(corners).unwrap_or(Area { min: Vec2::ZERO, max: Vec2::ONE });
        let margin = (area.size().max_element() * 0.02).max(0.01);
        let order = (0..polygons.len() as u32).collect();
        let (borders, links, legend) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { polygons, points, order, borders, links, legend, bounds: area.grown(margin) })
    }

    /// Draws polygons in another order. Unknown indices are skipped.
    #[must_use]
    pub fn in_order(mut self, order: Vec<u32>) -> Self {
        self.order = order;
        self.order.retain(|&polygon| (polygon as usize) < self.polygons.len());
        self
    }

    /// Shows the edges where the mesh ends.
    #[must_use]
    pub fn with_borders(mut self, borders: Vec<[Vec2; 2]>) -> Self {
        self.borders = borders;
        self
    }

    /// Shows links.
    ///
    /// # Errors
    /// [`DrawError::NotFinite`].
    pub fn with_links(mut self, links: Vec<LinkArc>) -> Result<Self, DrawError> {
        if let Some(index) = links.iter().position(|link| !link.is_finite()) {
            return Err(DrawError::NotFinite { what: "link", index });
        }
        self.links = links;
        Ok(self)
    }

    /// Names colours in the legend.
    #[must_use]
    pub fn with_legend(mut self, legend: Vec<(String, Colour)>) -> Self {
        self.legend = legend;
        self
    }

    /// Returns the width of lines, in pixels: hair lines where polygons are small.
    fn line_width(&self, viewport: &Viewport) -> f32 {
        let size = viewport.area().size();
        let each = size.x * size.y / self.polygons.len().max(1) as f32;
        (each.sqrt() * 0.03).clamp(0.25, 1.2)
    }
}

impl Scenery for MeshScenery {
    fn bounds(&self) -> Area {
        self.bounds
    }

    fn places(&self) -> usize {
        self.polygons.len() + self.points.len()
    }

    fn place_of(&self, state: u32) -> Option<usize> {
        Some(state as usize).filter(|place| *place < self.places())
    }

    fn position(&self, place: usize) -> Vec2 {
        if let Some(art) = self.polygons.get(place) {
            let sum: Vec2 = art.outline.iter().copied().sum();
            return sum / art.outline.len().max(1) as f32;
        }
        self.points.get(place - self.polygons.len()).copied().unwrap_or_default()
    }

    fn outline(&self, place: usize) -> Option<&[Vec2]> {
        self.polygons.get(place).map(|art| art.outline.as_slice())
    }

    fn place_radius(&self, _viewport: &Viewport) -> f32 {
        5.0
    }

    fn ground(&self, area: Area, theme: &Theme) -> Ground {
        let point = area.centre();
        let holds = |art: &&PolygonArt| {
            let ahead = art.outline.iter().cycle().skip(1);
            let sides = art.outline.iter().zip(ahead);
            // With y down the corners go around clockwise.
            sides.map(|(a, b)| (*b - *a).perp_dot(point - *a)).all(|side| side <= 0.0)
        };
        let drawn = self.order.iter().rev().filter_map(|&at| self.polygons.get(at as usize));
        match drawn.clone().find(holds) {
            Some(art) => Ground { colour: art.colour, solid: 0.0 },
            None => Ground { colour: theme.wall, solid: 1.0 },
        }
    }

    fn draw_base(&self, viewport: &Viewport, theme: &Theme, picture: &mut Picture) {
        let paint = Paint::fill(theme.wall);
        picture.push(Shape::Rect { area: viewport.area(), radius: 0.0, paint });
        let width = self.line_width(viewport);
        for art in self.order.iter().filter_map(|&at| self.polygons.get(at as usize)) {
            let points = art.outline.iter().map(|corner| viewport.pixel(*corner)).collect();
            let paint = Paint::fill(art.colour).outlined(theme.grid_line, width);
            picture.push(Shape::Polygon { points, paint });
        }
        if !self.borders.is_empty() {
            let ends = self.borders.iter().map(|ends| ends.map(|end| viewport.pixel(end)));
            let stroke = Stroke { colour: theme.obstacle_edge, width: (width * 1.6).max(0.8) };
            picture.push(Shape::Segments { ends: ends.collect(), stroke });
        }
        for link in &self.links {
            let seen = |end: Vec3| viewport.pixel(Vec2::new(end.x, end.z));
            let ends = link.strokes().into_iter().map(|ends| ends.map(seen)).collect();
            let stroke = Stroke { colour: link.colour, width: (width * 1.8).max(1.0) };
            picture.push(Shape::Segments { ends, stroke });
        }
    }

    fn marks_turns(&self) -> bool {
        true
    }

    fn terrains_shown(&self, _theme: &Theme) -> Vec<(String, Colour)> {
        self.legend.clone()
    }
}
