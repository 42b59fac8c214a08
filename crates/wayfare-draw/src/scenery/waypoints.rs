//! Worlds of waypoints and links.

use glam::Vec2;

use super::{Ground, Scenery, Terrain, Viewport};
use crate::{
    Anchor, Area, Colour, DrawError, Label, Paint, Picture, Shape, Stroke, Theme, Typeface,
};

/// The radius of the halo that shows a waypoint's own cost, in radii of its disc.
const HALO: f32 = 2.1;

/// The look of a link between two waypoints.
///
/// ```
/// use wayfare_draw::{LinkArt, WaypointScenery};
///
/// let points = vec![[0.0, 0.0].into(), [4.0, 1.0].into()];
/// let slide = LinkArt { from: 0, to: 1, one_way: true };
/// assert!(WaypointScenery::new(points.clone(), vec![slide]).is_ok());
/// assert!(WaypointScenery::new(points, vec![LinkArt { to: 2, ..slide }]).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkArt {
    /// The first end: the index of a waypoint in the scenery.
    pub from: u32,
    /// The second end.
    pub to: u32,
    /// Whether it can be used only from `from` to `to`. Arrow heads show its directions.
    pub one_way: bool,
}

/// The outline of an obstacle on the ground.
///
/// ```
/// use wayfare_draw::{Footprint, WaypointScenery};
///
/// let points = vec![[0.0, 0.0].into(), [9.0, 0.0].into()];
/// let tower = Footprint::Disc { centre: [4.0, 0.0].into(), radius: 1.5 };
/// let world = WaypointScenery::new(points, Vec::new())?.with_obstacles(vec![tower])?;
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
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
///
/// ```
/// use wayfare_draw::{Surface, Theme, WaypointScenery};
///
/// let outline = [[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]].map(Into::into).to_vec();
/// let colour = Theme::DARK.terrain("sand").expect("a known name");
/// let points = vec![[1.0, 1.0].into(), [8.0, 8.0].into()];
/// let world = WaypointScenery::new(points, Vec::new())?;
/// let world = world.with_surfaces(vec![Surface { outline, colour }])?;
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Surface {
    /// Its outline.
    pub outline: Vec<Vec2>,
    /// Its colour.
    pub colour: Colour,
}

/// A drawable world of waypoints. The states of searches are the indices of the waypoints in it.
///
/// ```
/// use wayfare_draw::{LinkArt, WaypointScenery};
///
/// let points = vec![[0.0, 0.0].into(), [4.0, 1.0].into()];
/// let link = LinkArt { from: 0, to: 1, one_way: true };
/// let world = WaypointScenery::new(points, vec![link])?.with_names(["gate", "well"]);
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct WaypointScenery {
    points: Vec<Vec2>,
    /// The states of the points in ascending order; empty if they are the indices.
    states: Vec<u32>,
    links: Vec<LinkArt>,
    costs: Vec<f32>,
    names: Vec<String>,
    obstacles: Vec<Footprint>,
    surfaces: Vec<Surface>,
    terrains: Vec<Terrain>,
    /// The index in `terrains` of each waypoint's terrain.
    grounds: Vec<Option<u8>>,
    patches: Patches,
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
            terrains: Vec::new(),
            grounds: Vec::new(),
            patches: Patches::default(),
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

    /// Shows the terrain that each waypoint stands on, as a patch of ground around it.
    /// `of_waypoints` gives the index in `terrains` for the waypoints in their order; without one
    /// there is no patch.
    ///
    /// Waypoints on a lattice get squares that tile the map, others get discs that just do not
    /// touch. Takes O(waypoints).
    #[must_use]
    pub fn with_terrains(
        mut self,
        terrains: Vec<Terrain>,
        of_waypoints: impl IntoIterator<Item = Option<u8>>,
    ) -> Self {
        let known = terrains.len();
        let known = |number: Option<u8>| number.filter(|number| usize::from(*number) < known);
        self.grounds = of_waypoints.into_iter().map(known).collect();
        self.terrains = terrains;
        self.patches = Patches::around(&self.points);
        self.set_bounds();
        self
    }

    /// Returns the patches of ground in their order, with their terrains.
    fn patches(&self) -> impl Iterator<Item = (Vec2, &Terrain)> {
        let grounds = self.points.iter().zip(&self.grounds);
        grounds.filter_map(|(point, ground)| {
            Some((*point, self.terrains.get(usize::from((*ground)?))?))
        })
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
        let reach = Vec2::splat(self.patches.side / 2.0);
        let patches = self.patches().flat_map(|(point, _)| [point - reach, point + reach]);
        let all = self.points.iter().copied().chain(corners).chain(surfaces).chain(patches);
        let area = Area::around(all).unwrap_or(Area { min: Vec2::ZERO, max: Vec2::ONE });
        // Patches of ground bring a margin of their own.
        let share = if self.grounds.is_empty() { 0.05 } else { 0.012 };
        let margin = (area.size().max_element() * share).max(0.2);
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
        let patch = self.patches().find(|(at, _)| self.patches.hold(*at, point));
        if let Some((_, terrain)) = patch {
            let solid = f32::from(u8::from(terrain.blocked));
            return Ground { colour: terrain.colour, solid };
        }
        let surface = self.surfaces.iter().rev().find(|surface| holds(&surface.outline, point));
        Ground { colour: surface.map_or(theme.floor, |surface| surface.colour), solid: 0.0 }
    }

    fn has_terrains(&self) -> bool {
        !self.grounds.is_empty()
    }

    fn marks_turns(&self) -> bool {
        true
    }

    fn terrains_shown(&self, theme: &Theme) -> Vec<(String, Colour)> {
        let mut occurs = vec![false; self.terrains.len()];
        self.grounds.iter().flatten().for_each(|ground| occurs[usize::from(*ground)] = true);
        let terrains = self.terrains.iter().zip(occurs).filter(|(_, occurs)| *occurs);
        let costly = self.costs.iter().any(|cost| *cost > 0.0);
        let costs = costly.then(|| ("own cost".to_owned(), theme.heat));
        terrains.map(|(terrain, _)| (terrain.label.clone(), terrain.colour)).chain(costs).collect()
    }

    fn draw_base(&self, viewport: &Viewport, theme: &Theme, picture: &mut Picture) {
        let paint = Paint::fill(theme.floor.mix(theme.panel, 0.45));
        picture.push(Shape::Rect { area: viewport.area(), radius: 0.0, paint });
        for surface in &self.surfaces {
            let points = surface.outline.iter().map(|corner| viewport.pixel(*corner)).collect();
            picture.push(Shape::Polygon { points, paint: Paint::fill(surface.colour) });
        }
        for (point, terrain) in self.patches() {
            picture.push(self.patches.shape(point, terrain.colour, viewport));
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
        for (place, point) in self.points.iter().enumerate() {
            let centre = viewport.pixel(*point);
            let ground = self.grounds.get(place).copied().flatten();
            let paint = Paint::fill(match ground {
                Some(_) => theme.outline.with_alpha(170),
                None => theme.waypoint,
            });
            picture.push(Shape::Circle { centre, radius: disc * 0.62, paint });
        }
    }

    fn draw_names(&self, viewport: &Viewport, theme: &Theme, picture: &mut Picture) {
        let size = 13.0;
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
            let mut write = |at: Vec2, colour: Colour| {
                let (text, anchor) = (name.clone(), Anchor::Middle);
                picture.push(Shape::Text(Label {
                    text,
                    at,
                    anchor,
                    size,
                    face: Typeface::Sans,
                    colour,
                }));
            };
            // A halo keeps it legible over links and any ground.
            for offset in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
                write(at + offset, theme.panel.with_alpha(190));
            }
            write(at, theme.text);
        }
    }
}

impl WaypointScenery {
    fn draw_links(&self, viewport: &Viewport, theme: &Theme, disc: f32, picture: &mut Picture) {
        let width = (disc * 0.2).clamp(1.0, 1.8);
        let ends = |link: &LinkArt| {
            [link.from, link.to].map(|end| viewport.pixel(self.points[end as usize]))
        };
        // On coloured ground dark lines can be seen everywhere.
        let on_ground = !self.grounds.is_empty();
        let colour = if on_ground { theme.outline.with_alpha(95) } else { theme.link };
        let stroke = Stroke { colour, width };
        picture.push(Shape::Segments { ends: self.links.iter().map(ends).collect(), stroke });
        let head = (disc * 0.75).max(4.0);
        let colour = if on_ground { theme.outline.with_alpha(150) } else { theme.waypoint };
        for link in &self.links {
            let [from, to] = ends(link);
            let ahead = (to - from).normalize_or_zero();
            // If two heads have no room beside the discs, a link in both directions has none.
            let has_room = from.distance(to) > 2.0 * (disc + head);
            if link.one_way {
                let length = disc.max(4.0) * 1.3;
                picture.push_arrow_head(from, to - ahead * disc, length, colour);
            } else if has_room {
                picture.push_arrow_head(from, to - ahead * disc * 0.9, head, colour);
                picture.push_arrow_head(to, from + ahead * disc * 0.9, head, colour);
            }
        }
    }
}

/// The shape of the patches of ground around waypoints.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Patches {
    /// The side of a square or the diameter of a disc, in the unit of the world; 0 for none.
    pub side: f32,
    /// Whether the waypoints lie on a lattice, so that the patches are squares.
    pub is_lattice: bool,
}

/// The count of waypoints whose distances to their nearest neighbours are measured.
const SAMPLED: usize = 64;

impl Patches {
    /// Patches as large as the waypoints' distances allow.
    pub fn around(points: &[Vec2]) -> Self {
        let every = points.len().div_ceil(SAMPLED).max(1);
        let sampled = points.iter().step_by(every);
        let mut nearest: Vec<f32> = sampled
            .map(|point| {
                let others = points.iter().map(|other| point.distance_squared(*other));
                others.filter(|square| *square > 0.0).fold(f32::INFINITY, f32::min).sqrt()
            })
            .filter(|distance| distance.is_finite())
            .collect();
        nearest.sort_by(f32::total_cmp);
        let Some(side) = nearest.get(nearest.len() / 2).copied() else {
            return Self { side: 1.0, is_lattice: false };
        };
        let first = points.first().copied().unwrap_or_default();
        let is_lattice = points.iter().all(|point| {
            let steps = (*point - first) / side;
            (steps - steps.round()).abs().max_element() < 0.01
        });
        Self { side, is_lattice }
    }

    /// Returns whether the patch around a waypoint contains a point.
    fn hold(self, waypoint: Vec2, point: Vec2) -> bool {
        let offset = (point - waypoint).abs() * 2.0;
        if self.is_lattice {
            offset.max_element() <= self.side
        } else {
            offset.length() <= self.side
        }
    }

    fn shape(self, waypoint: Vec2, colour: Colour, viewport: &Viewport) -> Shape {
        let (centre, paint) = (viewport.pixel(waypoint), Paint::fill(colour));
        let reach = self.side * viewport.scale() / 2.0;
        if self.is_lattice {
            // Whole pixels: no seams between neighbours.
            let area = Area { min: (centre - reach).round(), max: (centre + reach).round() };
            Shape::Rect { area, radius: 0.0, paint }
        } else {
            Shape::Circle { centre, radius: reach, paint }
        }
    }
}

/// Returns whether a polygon contains a point: a ray to the right crosses its edge an odd number of
/// times.
pub fn holds(corners: &[Vec2], point: Vec2) -> bool {
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
