//! Hashes of searches, fields, routes and simulations in fixed worlds.
//!
//! The list is the same on every target: `testdata/hashes.txt` holds it, the test `hashes` compares
//! it, and `tools/hashes-elsewhere` computes it on a 32-bit target. Nothing here depends on
//! anything but the engine.

use glam::Vec3;
use wayfare::agent::{Behaviour, Order, PatrolOrder};
use wayfare::hierarchy::{
    Hierarchy, HierarchyScratch, HierarchySettings, RouteOutcome, SectorSide,
};
use wayfare::index::{GridIndex, IndexScratch};
use wayfare::link::{Crossing, Keys, NavLink, NavLinks};
use wayfare::path::Path;
use wayfare::plan::{ClassId, Planner, PlannerSettings, Request};
use wayfare::search::{
    AStar, AlgorithmId, Answer, Corridor, FieldQuery, FullSpace, Limit, MeshAnswer, MeshQuery,
    MeshScratch, MeshSearch, NoPath, Options, Outcome, Polyanya, Query, ReachableQuery, Scratch,
    Search, StateCost, Stats, distance_field, reachable,
};
use wayfare::simulation::{AgentSpec, Simulation, SimulationSettings};
use wayfare::space::navmesh::{
    CarvedGround, Carving, HeightReach, LiveMesh, MeshDraft, MeshPoint, NavMesh, Prism,
};
use wayfare::space::voxel::{
    Abilities, Block, BlockId, BlockKind, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize,
};
use wayfare::space::waypoint::WaypointLinkCost;
use wayfare::space::{
    Action, Cell, CornerRule, Cost, CostTable, Grid, GridProfile, GridSpace, NegativeCosts,
    Neighbours, ProfileId, Space, StateId, TerrainCost, TerrainId, Waypoint, WaypointGraph,
    WaypointId, WaypointLink,
};
use wayfare::trace::TraceHash;

/// A named hash.
pub(crate) struct Golden {
    /// World and engine, for example `rooms/astar`.
    pub(crate) name: String,
    /// The hash of everything that the engine did and answered there.
    pub(crate) hash: u64,
}

/// Every hash, in a fixed order.
pub(crate) fn all() -> Vec<Golden> {
    let mut list = Vec::new();
    for (name, grid) in grids() {
        on_grid(&mut list, name, &grid.space());
    }
    let graph = waypoints();
    searches(&mut list, "waypoints", &graph, &[(0, 143), (77, 5), (12, 130)]);
    fields(&mut list, "waypoints", &graph, 40);
    for (name, world) in
        [("blocks-walk", blocks(walker())), ("blocks-fly", blocks(VoxelProfile::flyer()))]
    {
        let space = world.space();
        let ends = [([1, 9, 1], [22, 9, 20]), ([20, 9, 3], [2, 9, 21]), ([12, 9, 12], [13, 9, 1])];
        let voxel = |[x, y, z]: [u32; 3]| {
            // The first place at or below that height where the body stands.
            let below = (0..=y).rev().filter_map(|y| world.voxel(BlockPosition::new(x, y, z)));
            below.map(StateId::index).find(|&at| space.check(StateId::from_index(at)).is_ok())
        };
        let ends: Vec<(u32, u32)> =
            ends.iter().filter_map(|&(a, b)| Some((voxel(a)?, voxel(b)?))).collect();
        searches(&mut list, name, &space, &ends);
        fields(&mut list, name, &space, ends.first().map_or(0, |ends| ends.0));
    }
    let (_, grid) = grids().swap_remove(0);
    let links = doors(&grid);
    let linked = links.over(grid.space(), Keys(1));
    let at = |x, y| grid.cell(x, y).map_or(0, StateId::index);
    let ends = [(at(1, 1), at(46, 46)), (at(3, 25), at(40, 5)), (at(17, 5), at(44, 30))];
    searches(&mut list, "links", &linked, &ends);
    list.push(Golden { name: "planner".to_owned(), hash: planner(&grid) });
    on_mesh(&mut list, &mesh(&grid));
    simulations(&mut list, grid, links);
    list
}

/// Hashes words: 64-bit FNV-1a (Fowler, Noll, Vo).
struct Words(u64);

impl Words {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn word(&mut self, word: u64) {
        for byte in word.to_le_bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn path<State: StateId, C: Cost>(&mut self, path: &Path<State, C>) {
        self.word(path.steps.len() as u64);
        for step in &path.steps {
            self.word(u64::from(step.state.index()));
            self.word(match step.action {
                Action::Walk => 0,
                Action::Jump => 1,
                Action::Fall => 2,
                Action::Climb => 3,
                Action::Swim => 4,
                Action::Fly => 5,
                Action::Link(link) => 6 + u64::from(link),
                _ => u64::MAX,
            });
            self.word(step.cost.to_u64());
        }
    }

    fn stats(&mut self, stats: Stats) {
        for count in [stats.expanded, stats.generated, stats.reopened, stats.heap_peak as u64] {
            self.word(count);
        }
    }

    fn answer<State: StateId, C: Cost>(&mut self, answer: &Answer<State, C>) {
        match &answer.outcome {
            Outcome::Found(path) => {
                self.word(1);
                self.path(path);
            }
            Outcome::Unreachable { reason, nearest } => {
                self.word(match reason {
                    NoPath::Start(_) => 2,
                    NoPath::Goal(_) => 3,
                    NoPath::DifferentIslands { .. } => 4,
                    NoPath::Exhausted => 5,
                    NoPath::Enclosed => 6,
                    _ => 7,
                });
                self.path(nearest);
            }
            Outcome::LimitReached { limit, nearest } => {
                self.word(match limit {
                    Limit::Expansions => 8,
                    Limit::Cost => 9,
                    _ => 10,
                });
                self.path(nearest);
            }
            Outcome::Interrupted(_) => self.word(11),
        }
        self.stats(answer.stats);
    }
}

/// Numbers that look random: the upper half of a linear congruential generator (D. E. Knuth, MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 32) % u64::from(bound)) as u32
    }
}

fn grids() -> Vec<(&'static str, Grid)> {
    let grid = |side: u32, profile: GridProfile, terrain: &mut dyn FnMut(u32, u32) -> u8| {
        let cells: Vec<TerrainId> =
            (0..side * side).map(|at| TerrainId(terrain(at % side, at / side))).collect();
        Grid::new(side, side, &cells, profile).expect("a sound grid")
    };
    let is_wall = |x: u32, y: u32| {
        (x.is_multiple_of(12) && (y * 7 + x) % 11 != 3)
            || (y.is_multiple_of(12) && (x * 5 + y) % 9 != 4)
    };
    let costs = CostTable::new()
        .with(TerrainId(1), TerrainCost::multiplied(2.0))
        .with(TerrainId(2), TerrainCost::penalised(1.5));
    let (mut noise, mut patches, mut holes) = (Numbers(7), Numbers(8), Numbers(9));
    let plain = GridProfile::default;
    vec![
        ("rooms", grid(48, plain(), &mut |x, y| if is_wall(x, y) { 255 } else { 0 })),
        ("noise", grid(40, plain(), &mut |_, _| if noise.below(100) < 34 { 255 } else { 0 })),
        (
            "terrain",
            grid(40, GridProfile { costs: costs.clone(), ..plain() }, &mut |x, y| {
                if patches.below(100) < 12 { 255 } else { ((x / 6 + y / 5) % 3) as u8 }
            }),
        ),
        (
            "blurred",
            grid(30, GridProfile { costs, blur: 2, ..plain() }, &mut |x, y| {
                if x % 9 == 4 && y % 7 != 2 { 255 } else { ((x / 5 * 7 + y / 4) % 3) as u8 }
            }),
        ),
        (
            "four",
            grid(32, GridProfile { neighbours: Neighbours::Four, ..plain() }, &mut |_, _| {
                if holes.below(100) < 25 { 255 } else { 0 }
            }),
        ),
        (
            "wide",
            grid(
                36,
                GridProfile { width: 2, corners: CornerRule::OneFree, ..plain() },
                &mut |x, y| if (x * x + 3 * y) % 17 == 0 && x % 3 == 0 { 255 } else { 0 },
            ),
        ),
    ]
}

fn waypoints() -> WaypointGraph {
    let (mut numbers, id) = (Numbers(3), WaypointId::from_index);
    let points: Vec<Waypoint> = (0..144u32)
        .map(|at| {
            let mut part = |base: u32| base as f32 * 4.0 + numbers.below(64) as f32 / 32.0;
            let position = Vec3::new(part(at % 12), part(0), part(at / 12));
            Waypoint { cost: numbers.below(4) as f32 * 0.5, ..Waypoint::at(position) }
        })
        .collect();
    let mut links = Vec::new();
    for at in 0..144u32 {
        let (x, y) = (at % 12, at / 12);
        for (dx, dy) in [(1, 0), (0, 1), (1, 1)] {
            if x + dx < 12 && y + dy < 12 && numbers.below(100) < 70 {
                let link = WaypointLink::new(id(at), id(at + dx + dy * 12));
                links.push(match numbers.below(8) {
                    0 => link.with_surcharge(2.5),
                    1 => link.with_cost(WaypointLinkCost::Length { multiplier: 1.5 }),
                    2 => WaypointLink::one_way(link.from, link.to),
                    _ => link,
                });
            }
        }
    }
    WaypointGraph::new(points, links, NegativeCosts::Reject).expect("a sound graph")
}

fn walker() -> VoxelProfile {
    let abilities = Abilities { swim: true, climb: true, ..Abilities::default() };
    VoxelProfile { abilities, jump_distance: 1, max_fall_distance: 3, ..VoxelProfile::default() }
}

/// Hills with a pond, a tower with a ladder and stones in the air.
fn blocks(profile: VoxelProfile) -> VoxelGrid {
    let palette =
        [BlockKind::Air, BlockKind::Solid, BlockKind::Water, BlockKind::Ladder].map(Block::from);
    let size = VoxelSize { width: 24, height: 12, depth: 24 };
    let mut numbers = Numbers(5);
    let stones: Vec<bool> = (0..24 * 12 * 24).map(|_| numbers.below(100) < 6).collect();
    let tower = |at: BlockPosition| (9..12).contains(&at.x) && (9..12).contains(&at.z);
    VoxelGrid::from_fn(size, &palette, profile, |at| {
        let hill = 2 + (at.x / 5 + at.z / 7) % 3;
        let is_pond = (3..8).contains(&at.x) && (13..19).contains(&at.z);
        BlockId(match at.y {
            0 => 1,
            y if is_pond && y <= 3 => 2,
            y if y <= hill || tower(at) && y < 9 => 1,
            y if at.x == 12 && at.z == 10 && y < 10 => 3,
            y if y > 5 && stones[((at.x * 24 + at.z) * 12 + y) as usize] => 1,
            _ => 0,
        })
    })
    .expect("a sound world")
}

fn doors(grid: &Grid) -> NavLinks<Cell> {
    let mut links = NavLinks::new(2.0);
    let at = |x, y| grid.cell(x, y).expect("on the map");
    let drafts = [
        NavLink::new(at(5, 5), at(40, 40), Crossing::Seconds(3.0)),
        NavLink::new(at(11, 6), at(13, 6), Crossing::Speed(1.0)).locked(Keys(1)),
        NavLink::new(at(30, 2), at(2, 30), Crossing::Seconds(9.5)).one_way(),
        NavLink::new(at(23, 20), at(25, 20), Crossing::Seconds(0.5)).locked(Keys(2)),
    ];
    for link in drafts {
        links.add(&grid.space(), link).expect("both ends are free");
    }
    links
}

/// Every algorithm between each pair of states, by their indices.
fn searches<S: FullSpace>(list: &mut Vec<Golden>, world: &str, space: &S, ends: &[(u32, u32)]) {
    let mut scratch = Scratch::new();
    for &algorithm in AlgorithmId::ALL {
        let mut words = Words::new();
        for &(start, goal) in ends {
            let (start, goal) = (S::State::from_index(start), S::State::from_index(goal));
            let query = Query::new(start, goal).max_expansions(4_000);
            let mut trace = TraceHash::default();
            let mut search = algorithm.search(&Options::default(), query);
            words.answer(&search.finish(space, &mut scratch, &mut trace));
            words.word(trace.value());
        }
        list.push(Golden { name: format!("{world}/{algorithm}"), hash: words.0 });
    }
}

/// Distance fields of both directions and a reachable area around a state.
fn fields<S: FullSpace>(list: &mut Vec<Golden>, world: &str, space: &S, around: u32) {
    let around = S::State::from_index(around);
    let mut words = Words::new();
    for query in [FieldQuery::outward([around]), FieldQuery::inward([around])] {
        let Ok(field) = distance_field(space, query) else { continue };
        for StateCost { state, cost } in field.iter() {
            words.word(u64::from(state.index()) << 48 ^ cost.to_u64());
        }
        words.stats(field.stats());
    }
    if let Ok(area) = reachable(space, ReachableQuery::new(around).max_moves(9)) {
        area.states().for_each(|state| words.word(u64::from(state.index())));
        words.stats(area.stats());
    }
    list.push(Golden { name: format!("{world}/fields"), hash: words.0 });
}

/// Everything that answers on a grid.
fn on_grid(list: &mut Vec<Golden>, world: &str, space: &GridSpace<'_>) {
    let grid = space.grid();
    let (mut numbers, side) = (Numbers(11), grid.width());
    let mut free = || loop {
        let cell = grid.cell(numbers.below(side), numbers.below(side));
        if let Some(cell) = cell.filter(|&cell| space.is_free(cell)) {
            return cell;
        }
    };
    let ends: Vec<_> = (0..4).map(|_| (free(), free())).collect();
    let indices: Vec<_> = ends.iter().map(|ends| (ends.0.index(), ends.1.index())).collect();
    searches(list, world, space, &indices);
    fields(list, world, space, indices[0].0);
    let mut words = Words::new();
    let settings = HierarchySettings {
        sector_side: SectorSide::new(12).unwrap(),
        ..HierarchySettings::default()
    };
    let hierarchy = Hierarchy::build(space, settings);
    let mut scratch = HierarchyScratch::<u32>::new();
    for &(start, goal) in &ends {
        match hierarchy.route(space, &mut scratch, start, goal) {
            Ok(RouteOutcome::Found(route)) => {
                route.waypoints().iter().for_each(|at| words.word(at.cost.to_u64()));
                let path = route.refine_all(&hierarchy, space, &mut scratch);
                words.path(&path.expect("it belongs to the route"));
            }
            Ok(_) => words.word(1),
            Err(_) => words.word(2),
        }
        words.stats(scratch.stats());
    }
    list.push(Golden { name: format!("{world}/hierarchy"), hash: words.0 });
    let Ok(index) = GridIndex::new(space) else { return };
    let (mut words, mut scratch) = (Words::new(), IndexScratch::new());
    let Ok(index) = index.of(space) else { return };
    for &(start, goal) in &ends {
        words.word(
            index.path(start, goal, &mut scratch).path().map_or(0, |path| path.cost().to_u64()),
        );
    }
    list.push(Golden { name: format!("{world}/index"), hash: words.0 });
}

/// The ground of a grid as a mesh, after pillars were put on it one by one and one was taken away.
fn mesh(grid: &Grid) -> NavMesh {
    let draft = MeshDraft::of_grid(grid, &CostTable::default());
    let mut live = LiveMesh::new(NavMesh::new(draft).expect("a sound mesh"));
    let pillars = [(5.3, 7.1), (18.7, 17.2), (29.9, 8.4), (40.1, 30.6)].map(|(x, z)| {
        let prism = Prism::cylinder(Vec3::new(x, 0.0, z), 0.8, 2.0).expect("a sound prism");
        live.insert(Carving { prism, ground: CarvedGround::Blocked }).expect("room for a pillar")
    });
    live.remove(pillars[1]).expect("it is there");
    live.mesh().clone()
}

/// Everything that answers on a mesh: from polygon to polygon, and between points.
fn on_mesh(list: &mut Vec<Golden>, mesh: &NavMesh) {
    let (space, mut numbers) = (mesh.space(), Numbers(17));
    let mut point = || loop {
        let mut part = || numbers.below(48 * 64) as f32 / 64.0;
        if let Some(found) = space.locate(Vec3::new(part(), 0.0, part()), HeightReach::default()) {
            return found;
        }
    };
    let ends: Vec<[MeshPoint; 2]> = (0..6).map(|_| [point(), point()]).collect();
    let indices: Vec<(u32, u32)> =
        ends.iter().map(|ends| (ends[0].polygon.index(), ends[1].polygon.index())).collect();
    searches(list, "mesh", &space, &indices[..3]);
    fields(list, "mesh", &space, indices[0].0);
    type Engine = fn(MeshQuery, &NavMesh, &mut MeshScratch) -> MeshAnswer;
    let engines: [(&str, Engine); 2] = [
        ("polyanya", |query, mesh, scratch| {
            Polyanya.search(query).finish(&mesh.space(), scratch, &mut ())
        }),
        ("corridor", |query, mesh, scratch| {
            Corridor.search(query).finish(&mesh.space(), scratch, &mut ())
        }),
    ];
    let mut scratch = MeshScratch::new();
    for (name, engine) in engines {
        let mut words = Words::new();
        for &[start, goal] in &ends {
            let answer = engine(MeshQuery::new(start, goal), mesh, &mut scratch);
            let Some(path) = answer.outcome.path() else {
                words.word(1);
                continue;
            };
            words.word(path.length.to_bits());
            path.places().for_each(|place| {
                words.word(u64::from(place.x.to_bits()) << 32 | u64::from(place.z.to_bits()));
            });
        }
        list.push(Golden { name: format!("mesh/{name}"), hash: words.0 });
    }
}

/// The answers to a crowd of requests, in the order in which they come.
fn planner(grid: &Grid) -> u64 {
    let mut words = Words::new();
    let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
    let (mut numbers, space) = (Numbers(13), grid.space());
    let mut cell = || grid.cell(numbers.below(48), numbers.below(48)).expect("on the map");
    let well = cell();
    for number in 0..24 {
        let goal = if number % 3 == 0 { well } else { cell() };
        planner.request(Request::new(ClassId(0), Query::new(cell(), goal)));
    }
    for _ in 0..200 {
        planner.tick_with(
            |_| space,
            300,
            |_, answer| {
                words.answer(&answer.into_answer());
            },
        );
    }
    words.0
}

/// The hashes of ten seconds in which agents walk and patrol between four places of a world.
macro_rules! play {
    ($world:expr, $links:expr, $places:expr) => {{
        let places: [Vec3; 4] = $places.map(Vec3::from);
        let settings = SimulationSettings::default();
        let mut simulation = Simulation::new($world, $links, settings).expect("sound settings");
        let class = simulation.add_class(ProfileId::default(), Keys(1)).expect("room for a class");
        for (number, &place) in (0u16..).zip(&places) {
            let points = places.to_vec();
            let patrol =
                Behaviour::Patrol { points, order: PatrolOrder::Loop, dwell: 0.3, start: number };
            let spec = AgentSpec::new(format!("agent {number}"), class, place);
            let spec = if number % 2 == 0 { spec.behaviour(patrol) } else { spec };
            let agent = simulation.add_agent(spec).expect("free ground");
            simulation.order(agent, Order::GoTo(places[usize::from(number + 2) % 4]));
        }
        let mut words = Words::new();
        for _ in 0..200 {
            simulation.tick();
            words.word(simulation.hash());
        }
        words.0
    }};
}

/// Simulations in every kind of world.
fn simulations(list: &mut Vec<Golden>, grid: Grid, links: NavLinks<Cell>) {
    let in_rooms = [[5.5, 0.0, 5.5], [40.2, 0.0, 17.7], [8.9, 0.0, 31.1], [30.5, 0.0, 40.5]];
    let on_graph = [[0.5, 0.5, 0.5], [44.5, 0.5, 44.5], [4.5, 0.5, 40.5], [40.5, 0.5, 4.5]];
    let on_hills = [[1.5, 3.5, 1.5], [20.5, 4.5, 20.5], [2.5, 4.5, 21.5], [16.5, 5.5, 3.5]];
    let hashes = [
        ("grid", play!(grid, links, in_rooms)),
        ("waypoints", play!(waypoints(), NavLinks::new(2.0), on_graph)),
        ("blocks", play!(blocks(walker()), NavLinks::new(2.0), on_hills)),
    ];
    list.extend(hashes.map(|(name, hash)| Golden { name: format!("simulation/{name}"), hash }));
}
