//! One scene as a grid and as a graph of waypoints.

use std::collections::{BTreeMap, BTreeSet};

use glam::{Vec2, Vec3};
use wayfare::space::NegativeCosts;
use wayfare_scene::scene::{Scene, SceneGrid, SceneLink, SceneWaypoint};

use crate::populate::drawn;
use crate::{CellLayout, Endpoints, GroundLook, Layout, PointLayout, Site, SiteError};

/// The most waypoints that a grid becomes.
const MOST_WAYPOINTS: usize = 1 << 16;
/// The cells along the longer side of a grid that is sampled without a size of its own.
const SAMPLES: f32 = 96.0;
/// Two lengths are the same up to this share of them.
const TOLERANCE: f32 = 1e-3;

/// A world in its other form: see [`other_form`].
#[derive(Clone, PartialEq, Debug)]
pub struct OtherForm {
    /// The scene, to be built.
    pub scene: Scene,
    /// The text by which [`Site::find`] of that scene's site finds the start.
    pub start: String,
    /// The same for the goal.
    pub goal: String,
}

/// Returns a grid as a scene of waypoints, or a waypoint scene as a grid; and where the ends are
/// there. `own`: the scene that the world was read from, where it was one.
///
/// - A grid becomes a waypoint in the middle of each free cell, linked as its agent moves. A link
///   costs the distance, a waypoint the penalty of its cell: paths cost the same in both forms.
///   Moves over links of the scene, such as doors and ladders, and danger are left out.
/// - Waypoints on a square lattice that are linked to their neighbours become a tile map. Costs of
///   single waypoints beyond their terrain are left out.
/// - Other waypoint scenes are sampled: by their `grid` section, else over the area of their
///   surfaces or waypoints.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, Site, build, open_bytes, other_form};
/// use wayfare_scene::World;
///
/// let yard = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let ends = yard.routes()[0].ends;
/// let form = other_form(yard.as_ref(), None, ends)?;
/// let graph = build("yard.toml".as_ref(), World::Scene(form.scene), &OpenOptions::default())?;
/// assert_eq!((graph.about().state, graph.about().states), ("waypoint", 8));
/// assert_eq!((form.start.as_str(), form.goal.as_str()), ("0,0", "2,2"));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
///
/// # Errors
/// When the world is neither, has more than 65,536 free cells, or is a graph of waypoints without a
/// scene.
pub fn other_form(
    site: &dyn Site,
    own: Option<&Scene>,
    ends: Endpoints,
) -> Result<OtherForm, SiteError> {
    match site.layout() {
        Layout::Cells(cells) => as_waypoints(site, &cells, ends),
        Layout::Points(points) => match Lattice::of(&points) {
            Some(lattice) => Ok(lattice.tile_map(site, &points, ends)),
            None => as_sampled(site, &points, own, ends),
        },
        _ => Err(refused(site, "only grids and waypoint scenes have another form")),
    }
}

fn refused(site: &dyn Site, problem: &str) -> SiteError {
    SiteError::unsearchable(&site.about().file, &problem)
}

/// Returns column and row of a state.
fn place_of(cells: &CellLayout, state: u32) -> [u32; 2] {
    let offset = state.saturating_sub(cells.first);
    let stride = cells.stride.max(1);
    [offset % stride, offset / stride]
}

fn as_waypoints(
    site: &dyn Site,
    cells: &CellLayout,
    ends: Endpoints,
) -> Result<OtherForm, SiteError> {
    let name = |state: u32| {
        let [x, y] = place_of(cells, state);
        format!("{x},{y}")
    };
    let mut states = Vec::new();
    site.for_each_free(&mut |free| states.push(free.state));
    if states.len() > MOST_WAYPOINTS {
        let problem = format!(
            "it has {} free cells, too many to be waypoints: at most {MOST_WAYPOINTS}",
            states.len()
        );
        return Err(refused(site, &problem));
    }
    let mut scene = Scene::new(site.about().name.clone());
    (scene.terrains, _) = drawn(cells);
    // Penalties of the grid are never below 0, but those of the terrains may be.
    scene.costs.negative_costs = NegativeCosts::Shift;
    let named: BTreeSet<&str> =
        scene.terrains.iter().map(|terrain| terrain.name.as_str()).collect();
    scene.waypoints = states
        .iter()
        .map(|&state| {
            let ground = site.ground(state);
            SceneWaypoint {
                id: name(state),
                at: site.position(state).to_array(),
                cost: Some(site.penalty(state)),
                terrain: named.contains(ground.as_str()).then_some(ground),
            }
        })
        .collect();
    let unit = site.about().unit_cost;
    let dangers: BTreeMap<u32, f32> = site.dangers().into_iter().collect();
    let mut ways: BTreeMap<[u32; 2], f32> = BTreeMap::new();
    for &from in &states {
        let here = place_of(cells, from);
        for step in site.moves_from(from) {
            let there = place_of(cells, step.state);
            let apart = (0..2).map(|axis| here[axis].abs_diff(there[axis])).max();
            if apart == Some(1) {
                let danger = dangers.get(&step.state).copied().unwrap_or(0.0);
                let way = (step.cost as f64 / unit) as f32 - site.penalty(step.state) - danger;
                ways.insert([from, step.state], way.max(0.0));
            }
        }
    }
    let mut links = Vec::new();
    for (&[from, to], &way) in &ways {
        let back = ways.get(&[to, from]).copied();
        let is_alike = back.is_some_and(|back| is_same(back, way));
        if is_alike && to < from {
            continue;
        }
        let straight = site.position(from).distance(site.position(to));
        // A multiplier of the terrain is in the cost; a plain step costs its length.
        let cost = (!is_same(way, straight)).then_some(way);
        let (from, to) = (name(from), name(to));
        links.push(SceneLink { from, to, one_way: !is_alike, cost, danger: 0.0 });
    }
    scene.links = links;
    Ok(OtherForm { scene, start: name(ends.start), goal: name(ends.goal) })
}

fn is_same(a: f32, b: f32) -> bool {
    (a - b).abs() <= TOLERANCE * a.abs().max(b.abs()).max(TOLERANCE)
}

/// Waypoints that lie on a square lattice, each linked with neighbours alone.
struct Lattice {
    /// In cells.
    size: [u32; 2],
    /// Column and row of each waypoint.
    places: Vec<[u32; 2]>,
}

impl Lattice {
    fn of(points: &PointLayout) -> Option<Self> {
        let flat: Vec<Vec2> = points.places.iter().map(|&[x, _, z]| Vec2::new(x, z)).collect();
        let height = points.places.first()?[1];
        if points.places.iter().any(|place| (place[1] - height).abs() > TOLERANCE) {
            return None;
        }
        let at = |state: u32| flat.get(state as usize).copied();
        let lengths = points.links.iter().filter_map(|&[from, to]| Some(at(to)? - at(from)?));
        let pitch = lengths.map(|way| way.abs().max_element()).min_by(f32::total_cmp)?;
        let low = flat.iter().copied().reduce(Vec2::min)?;
        if pitch <= 0.0 {
            return None;
        }
        let mut size = [1, 1];
        let mut places = Vec::with_capacity(flat.len());
        for spot in &flat {
            let place = (*spot - low) / pitch;
            let whole = place.round();
            if (place - whole).abs().max_element() > 0.01 || whole.max_element() > 8192.0 {
                return None;
            }
            let place = [whole.x as u32, whole.y as u32];
            size = [size[0].max(place[0] + 1), size[1].max(place[1] + 1)];
            places.push(place);
        }
        let all: BTreeSet<[u32; 2]> = places.iter().copied().collect();
        // Sparse lattices are waypoints that happen to lie so.
        let is_dense = u64::from(size[0]) * u64::from(size[1]) <= 16 * places.len() as u64;
        let is_neighbour = |&[from, to]: &[u32; 2]| {
            let ends = (places.get(from as usize), places.get(to as usize));
            let (Some(from), Some(to)) = ends else { return false };
            from[0].abs_diff(to[0]).max(from[1].abs_diff(to[1])) == 1
        };
        let is_lattice =
            is_dense && all.len() == places.len() && points.links.iter().all(is_neighbour);
        is_lattice.then_some(Self { size, places })
    }

    /// Returns a tile for each point of the lattice; tiles without a waypoint are blocked.
    fn tile_map(&self, site: &dyn Site, points: &PointLayout, ends: Endpoints) -> OtherForm {
        let [width, height] = self.size;
        let mut grounds = points.grounds.clone();
        grounds.truncate(usize::from(u8::MAX) - 1);
        let bare = grounds.len() as u8;
        let is_bare = points.ground.iter().any(|ground| *ground >= bare);
        if is_bare {
            let plain = GroundLook::blocked();
            let name = "open ground".to_owned();
            grounds.push(GroundLook { name, colour: [0xdd; 3], is_open: true, ..plain });
        }
        let blocked = grounds.len() as u8;
        grounds.push(GroundLook::blocked());
        let mut ground = vec![blocked; width as usize * height as usize];
        for (&[x, y], &number) in self.places.iter().zip(&points.ground) {
            if let Some(cell) = ground.get_mut(y as usize * width as usize + x as usize) {
                *cell = number.min(bare);
            }
        }
        let cells = CellLayout { width, height, first: 0, stride: width, ground, grounds, blur: 0 };
        let mut scene = Scene::new(site.about().name.clone());
        (scene.terrains, scene.scene.map) = drawn(&cells);
        let name = |state: u32| {
            let place = self.places.get(state as usize).copied().unwrap_or_default();
            format!("{},{}", place[0], place[1])
        };
        OtherForm { scene, start: name(ends.start), goal: name(ends.goal) }
    }
}

fn as_sampled(
    site: &dyn Site,
    points: &PointLayout,
    own: Option<&Scene>,
    ends: Endpoints,
) -> Result<OtherForm, SiteError> {
    let Some(own) = own else {
        return Err(refused(site, "waypoints without a scene have no ground to sample"));
    };
    let mut scene = own.clone();
    (scene.waypoints, scene.placements, scene.links) = (Vec::new(), Vec::new(), Vec::new());
    // Routes may end at waypoints, and agents begin there.
    (scene.queries, scene.agents, scene.events) = (Vec::new(), Vec::new(), Vec::new());
    scene.groups = Vec::new();
    scene.auto_links = None;
    if scene.grid.is_none() {
        let surfaces = points.outlines.iter().filter(|outline| outline.ground.is_some());
        let mut corners: Vec<Vec2> =
            surfaces.flat_map(|outline| &outline.corners).map(|&corner| corner.into()).collect();
        if corners.is_empty() {
            corners = points.places.iter().map(|&[x, _, z]| Vec2::new(x, z)).collect();
        }
        let bounds = (corners.iter().copied().reduce(Vec2::min))
            .zip(corners.iter().copied().reduce(Vec2::max));
        let Some((min, max)) = bounds.filter(|(min, max)| (*max - *min).max_element() > 0.0) else {
            return Err(refused(
                site,
                "its waypoints lie in one place: there is nothing to sample",
            ));
        };
        let radius = (max - min).max_element() / SAMPLES / 2.0;
        let margin = Vec2::splat(radius);
        scene.grid = Some(SceneGrid {
            min: (min - margin).to_array(),
            max: (max + margin).to_array(),
            node_radius: radius,
            layers: Vec::new(),
            agent_height: 1.8,
            max_slope: None,
            max_step: None,
            slope_cost: 0.0,
            blur: 0,
        });
    }
    let name = |state: u32| {
        let Vec3 { x, z, .. } = site.position(state);
        format!("{x},{z}")
    };
    Ok(OtherForm { scene, start: name(ends.start), goal: name(ends.goal) })
}
