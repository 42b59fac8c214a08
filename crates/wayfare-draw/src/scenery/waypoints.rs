//! Worlds of waypoints and links.

use glam::Vec2;

use super::{Ground, Scenery, Viewport};
use crate::{
    Anchor, Area, Colour, DrawError, Label, Paint, Picture, Shape, Stroke, Theme, Typeface,
};

/// The radius of the halo that shows a waypoint's own cost, in radii of its disc.
const HALO: f32 = 2.1;

/// The look of a link between two waypoints.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkArt {
    /// The first end: the place of a waypoint in the scenery.
    pub from: u32,
    /// The second end.
    pub to: u32,
    /// Whether it leads only from `from` to `to`; drawn with an arrow head.
    pub one_way: bool,
}

/// The outline of an obstacle on the ground.
#[derive(Clone, PartialEq, Debug)]
pub enum Footprint {
    /// A polygon with its corners in order.
    Polygon(Vec<Vec2>),
    /// A disc.
    Disc {
        /// Its centre.
        centre: Vec2,
        /// Its radius, in the unit of the world.
        radius: f32,
    },
}

/// A part of the ground with a colour of its own.
#[derive(Clone, PartialEq, Debug)]
pub struct Surface {
    /// Its outline.
    pub outline: Vec<Vec2>,
    /// Its colour.
    pub colour: Colour,
}

/// A drawable world of waypoints. The states of searches are the places of the waypoints in it.
///
/// ```
/// use wayfare_draw::{LinkArt, WaypointScenery};
///
/// let points = vec![[0.0, 0.0].into(), [4.0, 1.0].into()];
/// let world = WaypointScenery::new(points, vec![LinkArt { from: 0, to: 1, one_way: true }])?.with_names(["gate", "well"]);
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct WaypointScenery {
    points: Vec<Vec2>,
    /// The states of the points in ascending order; empty if they are the places.
    states: Vec<u32>,
    links: Vec<LinkArt>,
    costs: Vec<f32>,
    names: Vec<String>,
    obstacles: Vec<Footprint>,
    surfaces: Vec<Surface>,
    bounds: Area,
}

impl WaypointScenery {
    /// Waypoints and the links between them.
    ///
    /// # Errors
    /// [`DrawError::NotFinite`] or [`DrawError::DanglingLink`].
    pub fn new(points: Vec<Vec2>, links: Vec<LinkArt>) -> Result<Self, DrawError> {
        if let Some(index) = points.iter().position(|point| !point.is_finite()) {
            return Err(DrawError::NotFinite { what: "waypoint", index });
        }
        for (number, link) in links.iter().enumerate() {
            let missing =
                [link.from, link.to].into_iter().find(|end| *end as usize >= points.len());
            if let Some(waypoint) = missing {
                let known = points.len();
                return Err(DrawError::DanglingLink { link: number, waypoint, known });
            }
        }
        let mut scenery = Self {
            points,
            states: Vec::new(),
            links,
            costs: Vec::new(),
            names: Vec::new(),
            obstacles: Vec::new(),
            surfaces: Vec::new(),
            bounds: Area { min: Vec2::ZERO, max: Vec2::ONE },
        };
        scenery.set_bounds();
        Ok(scenery)
    }

    /// Sets the states of the waypoints: their indices, ascending, one for each.
    pub(super) fn with_states(mut self, states: Vec<u32>) -> Self {
        self.states = states;
        self
    }

    /// Names the waypoints in their order. Missing and empty names are not drawn.
    #[must_use]
    pub fn with_names(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.names = names.into_iter().map(Into::into).collect();
        self
    }

    /// Sets the own costs of the waypoints in their order. Each gets a halo of heat, the largest
    /// cost the hottest.
    #[must_use]
    pub fn with_costs(mut self, costs: impl IntoIterator<Item = f32>) -> Self {
        self.costs = costs.into_iter().collect();
        self
    }

    /// Adds obstacles.
    ///
    /// # Errors
    /// [`DrawError::NotFinite`].
    pub fn with_obstacles(mut self, obstacles: Vec<Footprint>) -> Result<Self, DrawError> {
        for (index, obstacle) in obstacles.iter().enumerate() {
            let finite = match obstacle {
                Footprint::Polygon(corners) => corners.iter().all(|corner| corner.is_finite()),
                Footprint::Disc { centre, radius } => centre.is_finite() && radius.is_finite(),
            };
            if !finite {
                return Err(DrawError::NotFinite { what: "obstacle", index });
            }
        }
        self.obstacles = obstacles;
        self.set_bounds();
        Ok(self)
    }

    /// Adds surfaces, the lowest first.
    ///
    /// # Errors
    /// [`DrawError::NotFinite`].
    pub fn with_surfaces(mut self, surfaces: Vec<Surface>) -> Result<Self, DrawError> {
        let broken = |surface: &Surface| surface.outline.iter().any(|corner| !corner.is_finite());
        if let Some(index) = surfaces.iter().position(broken) {
            return Err(DrawError::NotFinite { what: "surface", index });
        }
        self.surfaces = surfaces;
        self.set_bounds();
        Ok(self)
    }

    /// Shows the whole world and a margin.
    fn set_bounds(&mut self) {
        let corners = self.obstacles.iter().flat_map(|obstacle| match obstacle {
            Footprint::Polygon(corners) => corners.clone(),
            Footprint::Disc { centre, radius } => vec![*centre - *radius, *centre + *radius],
        });
        let surfaces = self.surfaces.iter().flat_map(|surface| surface.outline.iter().copied());
        let all = self.points.iter().copied().chain(corners).chain(surfaces);
        let area = Area::around(all).unwrap_or(Area { min: Vec2::ZERO, max: Vec2::ONE });
        let margin = (area.size().max_element() * 0.05).max(0.5);
        self.bounds = area.grown(margin);
    }
}

impl Scenery for WaypointScenery {
    fn bounds(&self) -> Area {
        self.bounds
    }

    fn places(&self) -> usize {
        self.points.len()
    }

    fn place_of(&self, state: u32) -> Option<usize> {
        if self.states.is_empty() {
            return Some(state as usize).filter(|place| *place < self.points.len());
        }
        self.states.binary_search(&state).ok()
    }

    fn position(&self, place: usize) -> Vec2 {
        self.points.get(place).copied().unwrap_or_default()
    }

    fn place_radius(&self, viewport: &Viewport) -> f32 {
        let size = viewport.area().size();
        let each = size.x * size.y / self.points.len().max(1) as f32;
        // The denser they lie, the smaller they are.
        (each.sqrt() * 0.11).clamp(2.0, 9.0)
    }

    fn ground(&self, area: Area, theme: &Theme) -> Ground {
        let point = area.centre();
        let solid = self.obstacles.iter().any(|obstacle| match obstacle {
            Footprint::Polygon(corners) => holds(corners, point),
            Footprint::Disc { centre, radius } => centre.distance_squared(point) <= radius * radius,
        });
        if solid {
            return Ground { colour: theme.obstacle_edge, solid: 1.0 };
        }
        let surface = self.surfaces.iter().rev().find(|surface| holds(&surface.outline, point));
        Ground { colour: surface.map_or(theme.floor, |surface| surface.colour), solid: 0.0 }
    }

    fn terrains_shown(&self, theme: &Theme) -> Vec<(String, Colour)> {
        let costly = self.costs.iter().any(|cost| *cost > 0.0);
        costly.then(|| ("own cost".to_owned(), theme.heat)).into_iter().collect()
    }

    fn draw_base(&self, viewport: &Viewport, theme: &Theme, picture: &mut Picture) {
        let paint = Paint::fill(theme.floor.mix(theme.panel, 0.45));
        picture.push(Shape::Rect { area: viewport.area(), radius: 0.0, paint });
        for surface in &self.surfaces {
            let points = surface.outline.iter().map(|corner| viewport.pixel(*corner)).collect();
            picture.push(Shape::Polygon { points, paint: Paint::fill(surface.colour) });
        }
        let paint = Paint::fill(theme.obstacle).outlined(theme.obstacle_edge, 1.5);
        for obstacle in &self.obstacles {
            picture.push(match obstacle {
                Footprint::Polygon(corners) => {
                    let points = corners.iter().map(|corner| viewport.pixel(*corner)).collect();
                    Shape::Polygon { points, paint }
                }
                Footprint::Disc { centre, radius } => Shape::Circle {
                    centre: viewport.pixel(*centre),
                    radius: radius * viewport.scale(),
                    paint,
                },
            });
        }
        let disc = self.place_radius(viewport);
        let most = self.costs.iter().copied().filter(|cost| cost.is_finite()).fold(0.0, f32::max);
        for (point, cost) in self.points.iter().zip(&self.costs) {
            if *cost > 0.0 && cost.is_finite() {
                let alpha = 30.0 + 80.0 * cost / most;
                picture.push(Shape::Circle {
                    centre: viewport.pixel(*point),
                    radius: disc * HALO,
                    paint: Paint::fill(theme.heat.with_alpha(alpha as u8)),
                });
            }
        }
        self.draw_links(viewport, theme, disc, picture);
        for point in &self.points {
            let centre = viewport.pixel(*point);
            let paint = Paint::fill(theme.waypoint);
            picture.push(Shape::Circle { centre, radius: disc * 0.62, paint });
        }
    }

    fn draw_names(&self, viewport: &Viewport, theme: &Theme, picture: &mut Picture) {
        let size = 12.0;
        let radius = self.place_radius(viewport);
        for ((place, point), name) in self.points.iter().enumerate().zip(&self.names) {
            if name.is_empty() {
                continue;
            }
            let halo = self.costs.get(place).is_some_and(|cost| *cost > 0.0);
            let drop = size + if halo { radius * HALO } else { radius };
            // Below its disc, but within the picture of the world.
            let half = Typeface::Sans.width(name, size) / 2.0 + 2.0;
            let Area { min, max } = viewport.area();
            let mut at = viewport.pixel(*point) + Vec2::new(0.0, drop);
            at.x = at.x.max(min.x + half).min(max.x - half);
            at.y = if at.y > max.y - 3.0 { at.y - drop * 2.0 + size * 0.7 } else { at.y };
            picture.push(Shape::Text(Label {
                text: name.clone(),
                at,
                anchor: Anchor::Middle,
                size,
                face: Typeface::Sans,
                colour: theme.text,
            }));
        }
    }
}

impl WaypointScenery {
    fn draw_links(&self, viewport: &Viewport, theme: &Theme, disc: f32, picture: &mut Picture) {
        let width = (disc * 0.2).clamp(1.0, 1.8);
        let ends = |link: &LinkArt| {
            [link.from, link.to].map(|end| viewport.pixel(self.points[end as usize]))
        };
        let stroke = Stroke { colour: theme.link, width };
        picture.push(Shape::Segments { ends: self.links.iter().map(ends).collect(), stroke });
        for link in self.links.iter().filter(|link| link.one_way) {
            let [from, to] = ends(link);
            let tip = to - (to - from).normalize_or_zero() * disc;
            picture.push_arrow_head(from, tip, disc.max(4.0) * 1.3, theme.waypoint);
        }
    }
}

/// Whether a polygon contains a point: a ray to the right crosses its edge an odd number of times.
fn holds(corners: &[Vec2], point: Vec2) -> bool {
    let mut inside = false;
    for (number, to) in corners.iter().enumerate() {
        let from = corners[(number + corners.len() - 1) % corners.len()];
        if (from.y > point.y) != (to.y > point.y) {
            let x = from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x);
            inside ^= point.x < x;
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_polygon_holds_its_middle_and_not_the_outside() {
        let square = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(Vec2::from);
        assert!(holds(&square, Vec2::ONE));
        assert!(!holds(&square, Vec2::new(3.0, 1.0)));
        assert!(!holds(&[], Vec2::ONE));
    }

    #[test]
    fn broken_worlds_are_refused() {
        let link = LinkArt { from: 0, to: 7, one_way: false };
        let dangling = WaypointScenery::new(vec![Vec2::ZERO], vec![link]);
        assert!(matches!(
            dangling,
            Err(DrawError::DanglingLink { link: 0, waypoint: 7, known: 1 })
        ));
        let nowhere = WaypointScenery::new(vec![Vec2::ZERO, Vec2::NAN], vec![]);
        assert!(matches!(nowhere, Err(DrawError::NotFinite { index: 1, .. })));
    }
}
