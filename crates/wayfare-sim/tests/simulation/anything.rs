//! Random worlds, agents, orders, edits, links and budgets under the audit.

use std::num::NonZeroU16;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use wayfare_core::link::{Crossing, Gate, Keys, LinkId, LinkPoints, NavLink, NavLinks};
use wayfare_core::search::{AlgorithmId, NamedAlgorithm};
use wayfare_core::space::{CostTable, NegativeCosts, ProfileId, Space, StateId, TerrainId};
use wayfare_crowd::{AvoidanceModel, AvoidanceQuality, CollisionFreeSpeed};
use wayfare_grid::grid::{Cell, Grid};
use wayfare_grid::waypoint::{OpenGround, Waypoint, WaypointGraph, WaypointId, WaypointLink};
use wayfare_mesh::navmesh::{AreaId, CarvedGround, Carving, MeshDraft, NavMesh, PolygonId, Prism};
use wayfare_sim::agent::{
    AgentId, AgentLimits, Behaviour, Formation, Order, PatrolOrder, TeamId, Who,
};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{
    AgentSpec, Audit, Avoidance, AvoidanceManner, BlockEdit, CarveId, CarveWhenStill, Command,
    Environment, GridEdit, GroundId, GroundSpeeds, GroupSpec, JamSettings, MeshEdit, MeshWorld,
    MovingObstacle, Shape, Simulation, SimulationSettings,
};
use wayfare_voxel::{
    Ascent, Block, BlockId, BlockKind, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize,
};

use crate::dice::Dice;
use crate::grids::{any_grid, pick};

/// A simulation of that world with up to `agents` agents at some of its states and links among
/// them, and a plan of what happens to it.
pub(crate) fn any_simulation<W: Environment>(
    world: W,
    states: &[W::State],
    agents: u32,
    ticks: u32,
    dice: &mut Dice,
    mut edit: impl FnMut(&mut Dice) -> Option<W::Edit>,
) -> Simulation<W> {
    let links = any_links(&world, states, dice);
    let count = links.len() as u32;
    let settings = SimulationSettings {
        work_per_tick: [3, 40, 500, 10_000][dice.roll(4) as usize],
        seed: u64::from(dice.roll(1000)),
        jams: (dice.roll(2) == 0).then(|| JamSettings {
            seconds: 0.5,
            smoothing: 1.0,
            asks_every: 0.7,
            gain: 0.0,
            ..JamSettings::default()
        }),
        ..SimulationSettings::default()
    };
    let places: Vec<_> =
        states.iter().map(|&state| world.space(ProfileId::default()).position(state)).collect();
    let mut simulation = Simulation::new(world, links, settings).unwrap();
    let classes =
        [Keys::NONE, Keys(1)].map(|keys| simulation.add_class(ProfileId::default(), keys).unwrap());
    // Every second world has ground that slows one of the classes, where it knows its grounds.
    if dice.0.is_multiple_of(2) {
        let speeds = GroundSpeeds::new().with(GroundId(0), 0.6).unwrap();
        let speeds = speeds.with(GroundId(1), 0.2).unwrap();
        simulation.set_ground_speeds(classes[1], speeds).unwrap();
    }
    let any_place = |dice: &mut Dice| places[dice.roll(places.len() as u32) as usize];
    let seed = dice.0;
    for number in 0..agents {
        let who = match dice.roll(2) {
            0 => Who::Team(TeamId(dice.roll(3) as u16)),
            _ => Who::Agent(AgentId(dice.roll(agents))),
        };
        let behaviours = (0..1 + dice.roll(3)).map(|_| match dice.roll(7) {
            0 | 1 => Behaviour::Patrol {
                points: (0..1 + dice.roll(4)).map(|_| any_place(dice)).collect(),
                order: [PatrolOrder::Loop, PatrolOrder::PingPong, PatrolOrder::Random]
                    [dice.roll(3) as usize],
                dwell: dice.share(),
                start: 0,
            },
            2 => Behaviour::Pursue {
                target: who,
                aggro: 4.0,
                give_up: 7.0,
                predict: dice.share(),
                speed: (dice.roll(2) == 0).then_some(4.0),
            },
            3 => Behaviour::Flee {
                from: who,
                radius: 3.0,
                distance: 5.0,
                speed: (dice.roll(2) == 0).then_some(6.5),
            },
            4 => Behaviour::Wander { radius: 5.0, dwell: dice.share() },
            5 => Behaviour::Follow { who, distance: 1.0 + dice.share() },
            _ => Behaviour::GoTo { to: any_place(dice) },
        });
        let behaviours = behaviours.collect();
        let limits = AgentLimits {
            max_speed: 1.0 + 5.0 * dice.share(),
            acceleration: 2.0 + 18.0 * dice.share(),
            angular_speed: 2.0 + 8.0 * dice.share(),
            spot_turn_speed: 2.0 + 2.0 * dice.share(),
            stopping_distance: if dice.roll(3) == 0 { dice.share() } else { 0.0 },
            auto_braking: dice.roll(4) > 0,
            turn_radius: dice.share(),
            radius: 0.3,
        };
        let class: ClassId = classes[dice.roll(2) as usize];
        let spec = AgentSpec {
            team: TeamId(dice.roll(3) as u16),
            limits,
            behaviours,
            phase: if dice.roll(4) == 0 { dice.share() } else { 0.0 },
            facing: dice.share(),
            algorithm: any_algorithm(Dice(dice.0 ^ u64::from(number))),
            avoidance: any_avoidance(
                W::AVOIDING != AvoidanceManner::Never,
                Dice(seed ^ u64::from(number)),
            ),
            ..AgentSpec::new(format!("agent {number}"), class, any_place(dice))
        };
        // In every fourth world nobody has anything to do but to keep its place in a group.
        let is_idle = W::CAN_FORM && seed >> 34 & 3 == 3;
        let spec = if is_idle { AgentSpec { behaviours: Vec::new(), ..spec } } else { spec };
        simulation.add_agent(spec).unwrap();
    }
    any_group(&mut simulation, ticks, &places, Dice(seed ^ 0x9e37_79b9));
    for _ in 0..dice.roll(20) {
        let event = match dice.roll(6) {
            0 => {
                let order = [Order::GoTo, Order::Then][dice.roll(2) as usize];
                Command::Order { agent: AgentId(dice.roll(agents)), order: order(any_place(dice)) }
            }
            1 if count > 0 => {
                let gate = [Gate::Open, Gate::Closed, Gate::Locked][dice.roll(3) as usize];
                Command::Gate { link: LinkId(dice.roll(count)), gate }
            }
            2 => Command::Restore { id: CarveId(dice.roll(3)) },
            3 => match edit(dice) {
                // Drawn aside, so that all else is drawn as it would be without.
                Some(edit) if Dice(dice.0 ^ 9).roll(3) == 0 => {
                    Command::Replace { edit, entry: any_place(&mut Dice(dice.0 ^ 5)) }
                }
                Some(edit) => Command::Edit(edit),
                None => continue,
            },
            4 if dice.roll(5) == 0 => Command::Remove(AgentId(dice.roll(agents))),
            _ => {
                let (centre, id) = (any_place(dice), CarveId(dice.roll(3)));
                let shape = Shape::Ball { centre, radius: 0.3 + dice.share() };
                // Drawn aside, as above.
                match Dice(dice.0 ^ 3).roll(2) {
                    0 => Command::Carve { id, shape },
                    _ => {
                        let to = any_moving(shape, Dice(dice.0 ^ 17));
                        Command::MoveObstacle { id, to }
                    }
                }
            }
        };
        simulation.schedule(u64::from(dice.roll(ticks)), event);
    }
    simulation
}

/// An obstacle that is carved at once, soon, late or never.
fn any_moving(shape: Shape, mut dice: Dice) -> MovingObstacle {
    let seconds = [0.0, 0.1, 0.5, 2.0][dice.roll(4) as usize];
    let carves = (dice.roll(4) > 0).then_some(CarveWhenStill { seconds, least_move: dice.share() });
    MovingObstacle { shape, carves }
}

/// In half of the worlds that have groups, one of most of the agents with orders. Draws for itself,
/// so that all else is drawn as it would be without.
fn any_group<W: Environment>(
    simulation: &mut Simulation<W>,
    ticks: u32,
    places: &[Vec3],
    mut dice: Dice,
) {
    let members: Vec<_> = simulation.agents().map(|agent| agent.id()).collect();
    let members = members[dice.roll(2) as usize % members.len()..].to_vec();
    if !W::CAN_FORM || dice.roll(2) == 0 {
        return;
    }
    let any_formation = |dice: &mut Dice| match dice.roll(5) {
        0 => Formation::Line,
        1 => Formation::Column,
        2 => Formation::Box,
        3 => Formation::Own(vec![Vec2::new(1.5, 0.5), Vec2::new(-2.0, dice.share())]),
        _ => Formation::Wedge,
    };
    let formation = any_formation(&mut dice);
    let spacing = 0.5 + dice.share();
    let spec = GroupSpec { formation, spacing, ..GroupSpec::new("group", members) };
    let group = simulation.add_group(spec).unwrap();
    for _ in 0..1 + dice.roll(5) {
        let to = places[dice.roll(places.len() as u32) as usize];
        let command = match dice.roll(8) {
            0 => {
                let formation = any_formation(&mut dice);
                Command::Form { group, formation, spacing: 0.5 + dice.share() }
            }
            1 if dice.roll(3) == 0 => Command::Disband(group),
            2 => Command::OrderGroup { group, order: Order::Cancel },
            3 => Command::OrderGroup { group, order: Order::Then(to) },
            _ => Command::OrderGroup { group, order: Order::GoTo(to) },
        };
        simulation.schedule(u64::from(dice.roll(ticks)), command);
    }
}

/// In half of the worlds, some agents are put elsewhere. Draws for itself, so that all else is
/// drawn as it would be without.
pub(crate) fn any_warps<W: Environment>(
    simulation: &mut Simulation<W>,
    states: &[W::State],
    ticks: u32,
    mut dice: Dice,
) {
    let agents = simulation.agents().count() as u32;
    for _ in 0..dice.roll(2) * dice.roll(6) {
        let state = states[dice.roll(states.len() as u32) as usize];
        let to = simulation.world().space(ProfileId::default()).position(state);
        let command = Command::Warp { agent: AgentId(dice.roll(agents)), to };
        simulation.schedule(u64::from(dice.roll(ticks)), command);
    }
}

pub(crate) fn any_block_edit(dice: &mut Dice) -> BlockEdit {
    let places = (0..1 + dice.roll(4))
        .map(|_| BlockPosition::new(dice.roll(10), 1 + dice.roll(4), dice.roll(10)));
    let (places, block) = (places.collect(), [BlockId::AIR, BlockId::SOLID]);
    BlockEdit::Set { places, block: block[dice.roll(2) as usize] }
}

/// For one agent in three any algorithm that ends in good time. Draws for itself, so that all else
/// is drawn as it would be without.
fn any_algorithm(mut dice: Dice) -> Option<NamedAlgorithm> {
    let ids = AlgorithmId::ALL;
    let id = ids[dice.roll(ids.len() as u32) as usize];
    (dice.roll(3) == 0 && id != AlgorithmId::IdaStar).then(|| id.into())
}

/// In half of the simulations any avoidance. Draws for itself, so that all else is drawn as it
/// would be without.
fn any_avoidance(is_possible: bool, mut dice: Dice) -> Avoidance {
    let qualities = [
        AvoidanceQuality::Off,
        AvoidanceQuality::Low,
        AvoidanceQuality::Medium,
        AvoidanceQuality::High,
    ];
    if !is_possible || dice.0 >> 32 & 1 == 0 {
        return Avoidance::default();
    }
    Avoidance {
        quality: qualities[dice.roll(4) as usize],
        priority: dice.roll(3) as u8,
        layers: 1 << dice.roll(2),
        mask: [u32::MAX, 1][dice.roll(2) as usize],
        model: match dice.roll(3) {
            0 => AvoidanceModel::FreeSpeed(CollisionFreeSpeed::default()),
            _ => AvoidanceModel::Reciprocal,
        },
    }
}

fn any_links<W: Environment>(
    world: &W,
    states: &[W::State],
    dice: &mut Dice,
) -> NavLinks<W::State> {
    let mut links = NavLinks::new(3.0);
    for _ in 0..dice.roll(4) {
        let mut end = || states[dice.roll(states.len() as u32) as usize];
        let (from, to) = (end(), end());
        let link = NavLink::new(from, to, Crossing::Seconds(dice.share() * 2.0));
        // Where edits give other numbers to states, links have exact ends.
        let points = W::RENUMBERS.then(|| {
            let mut place = |state| {
                let middle = world.space(ProfileId::default()).position(state);
                let aside = Vec3::new(dice.share(), 0.0, dice.share()) * 2.0 - Vec3::ONE;
                world.foothold(ProfileId::default(), state, middle + aside).unwrap_or(middle)
            };
            let (from, to) = (place(from), place(to));
            LinkPoints { from, to, radius: dice.share() * 0.5 }
        });
        let link = NavLink {
            points,
            two_way: dice.roll(2) == 0,
            capacity: NonZeroU16::new(dice.roll(3) as u16),
            gate: [Gate::Open, Gate::Open, Gate::Closed, Gate::Locked][dice.roll(4) as usize],
            key: Keys(dice.roll(2)),
            ..link
        };
        let _ = links.add(&world.space(ProfileId::default()), link); // from a state to itself there is none
    }
    links
}

/// Runs under the audit, with a budget that changes.
pub(crate) fn audited<W: Environment + Clone>(
    simulation: &mut Simulation<W>,
    ticks: u32,
    dice: &mut Dice,
) -> Result<(), TestCaseError> {
    let mut audit = Audit::new();
    for _ in 0..ticks {
        if dice.roll(10) == 0 {
            simulation.set_work_per_tick([0, 1, 30, 10_000][dice.roll(4) as usize]);
        }
        let most = simulation.settings().work_per_tick;
        simulation.tick();
        let spent = simulation.planner().stats().last_tick.expansions;
        // Searches between points of meshes are not sliced.
        prop_assert!(spent <= most || W::RENUMBERS);
        if let Err(fault) = audit.check(simulation) {
            return Err(TestCaseError::fail(fault.to_string()));
        }
    }
    Ok(())
}

pub(crate) fn any_cells(grid: &Grid) -> Vec<Cell> {
    let space = grid.space();
    let all = 0..grid.width() * grid.height();
    all.map(|seed| pick(grid, seed)).filter(|&cell| space.is_free(cell)).collect()
}

pub(crate) fn any_graph(dice: &mut Dice) -> WaypointGraph {
    // Half of them lie on open ground.
    let is_open = dice.0 >> 40 & 1 == 1;
    let count = 4 + dice.roll(14);
    let waypoints: Vec<Waypoint> = (0..count)
        .map(|_| {
            let place =
                [20.0, if is_open { 0.0 } else { 2.0 }, 20.0].map(|side| dice.share() * side);
            Waypoint::at(place.into())
        })
        .collect();
    let mut links = Vec::new();
    for _ in 0..count * 2 {
        let (from, to) = (dice.roll(count), dice.roll(count));
        if from != to {
            let (from, to) = (WaypointId::from_index(from), WaypointId::from_index(to));
            links.push(if dice.roll(4) == 0 {
                WaypointLink::one_way(from, to)
            } else {
                WaypointLink::new(from, to)
            });
        }
    }
    let graph = WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap();
    if is_open { graph.with_surroundings(Arc::new(OpenGround::default())) } else { graph }
}

pub(crate) fn any_waypoint_edit(
    count: u32,
    dice: &mut Dice,
) -> wayfare_sim::simulation::WaypointEdit {
    use wayfare_sim::simulation::WaypointEdit;
    let mut any = || WaypointId::from_index(dice.roll(count));
    let (id, to) = (any(), any());
    match dice.roll(5) {
        0 => WaypointEdit::Remove(id),
        1 => WaypointEdit::Unlink { from: id, to },
        2 => WaypointEdit::Cost { id, cost: 3.0 },
        3 if id != to => WaypointEdit::Link(WaypointLink::new(id, to)),
        _ => WaypointEdit::Block { id, blocked: dice.roll(2) == 0 },
    }
}

pub(crate) fn any_blocks(dice: &mut Dice) -> (VoxelGrid, Vec<wayfare_voxel::Voxel>) {
    let size = VoxelSize { width: 10, height: 7, depth: 10 };
    let mut profile = VoxelProfile {
        max_fall_distance: 3,
        jump_distance: dice.roll(3) as u8,
        ..VoxelProfile::default()
    };
    profile.abilities.fly = dice.roll(4) == 0;
    let heights: Vec<u32> =
        (0..100).map(|_| [0, 0, 0, 1, 1, 2, 4][dice.roll(7) as usize]).collect();
    // Slabs and stairs on some of them.
    let low = dice.roll(2) * 8;
    let covers: Vec<u32> = (0..100).map(|_| dice.roll(8 + low)).collect();
    let stairs = [Ascent::East, Ascent::South, Ascent::West, Ascent::North].map(BlockKind::Stairs);
    let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Half].into_iter().chain(stairs);
    let palette: Vec<Block> = palette.map(Into::into).collect();
    let world = VoxelGrid::from_fn(size, &palette, profile, |at| {
        let column = (at.x + at.z * 10) as usize;
        match (at.y.checked_sub(heights[column]), covers[column]) {
            (None | Some(0), _) => BlockId::SOLID,
            (Some(1), cover @ 8..12) => BlockId(cover as u16 - 5),
            (Some(1), 12..) => BlockId(2),
            _ => BlockId::AIR,
        }
    })
    .unwrap();
    let space = world.space();
    let mut states = Vec::new();
    for (place, height) in heights.iter().enumerate() {
        let (x, z) = (place as u32 % 10, place as u32 / 10);
        let voxel = world.voxel(BlockPosition::new(x, height + 1, z)).unwrap();
        if space.check(voxel).is_ok() {
            states.push(voxel);
        }
    }
    (world, states)
}

/// The mesh of a grid on level, sloping or bumpy ground, with pillars, and some of its polygons.
pub(crate) fn any_mesh(grid: &Grid, dice: &mut Dice) -> (MeshWorld, Vec<PolygonId>) {
    let mut draft = MeshDraft::of_grid(grid, &CostTable::default());
    let (kind, slope) = (dice.roll(3), dice.share() * 0.6);
    for vertex in &mut draft.vertices {
        vertex.y = match kind {
            0 => 0.0,
            1 => vertex.x * slope,
            _ => dice.share() * 0.4,
        };
    }
    let mut pillars = Vec::new();
    for _ in 0..dice.roll(4) {
        let [x, z] = [grid.width(), grid.height()].map(|side| dice.share() * side as f32);
        let foot = Vec3::new(x, -1.0, z);
        let prism = Prism::cylinder(foot, 0.2 + dice.share(), 20.0).unwrap();
        pillars.push(Carving { prism, ground: CarvedGround::Blocked });
    }
    let mesh = NavMesh::new(draft).unwrap().carved(&pillars);
    let polygons = mesh.polygons().collect();
    let radius = [0.0, 0.1, 0.3][dice.roll(3) as usize];
    (MeshWorld::new(mesh.with_body_radius(radius)), polygons)
}

pub(crate) fn any_mesh_edit(polygons: &[PolygonId], dice: &mut Dice) -> MeshEdit {
    let polygon = polygons[dice.roll(polygons.len() as u32) as usize];
    let (area, profile) = (AreaId(dice.roll(2) as u8), ProfileId::default());
    match dice.roll(3) {
        0 => MeshEdit::Cost { profile, area: AreaId(1), multiplier: None },
        1 => MeshEdit::Cost { profile, area: AreaId(1), multiplier: Some(0.5 + dice.share()) },
        _ => MeshEdit::Area { polygon, area },
    }
}

/// A random simulation on a grid under the audit. `warps`: whether agents are put elsewhere, too.
fn audited_on_grid(grid: Grid, agents: u32, seed: u64, warps: bool) -> Result<(), TestCaseError> {
    let mut dice = Dice(seed);
    let states = any_cells(&grid);
    prop_assume!(states.len() > 3);
    let cells: Vec<Cell> = grid.cells().collect();
    let mut simulation = any_simulation(grid, &states, agents, 250, &mut dice, |dice| {
        let cells = (0..1 + dice.roll(5)).map(|_| cells[dice.roll(cells.len() as u32) as usize]);
        let cells = cells.collect();
        let terrain = [TerrainId(0), TerrainId(1), TerrainId::BLOCKED][dice.roll(3) as usize];
        Some(GridEdit::Terrain { cells, terrain })
    });
    if warps {
        any_warps(&mut simulation, &states, 250, Dice(!seed));
    }
    audited(&mut simulation, 300, &mut dice)
}

/// A random simulation among waypoints under the audit.
fn audited_on_waypoints(agents: u32, seed: u64) -> Result<(), TestCaseError> {
    let mut dice = Dice(seed);
    let graph = any_graph(&mut dice);
    let states: Vec<WaypointId> = graph.ids().collect();
    let count = states.len() as u32;
    let any_edit = |dice: &mut Dice| Some(any_waypoint_edit(count, dice));
    let mut simulation = any_simulation(graph, &states, agents, 250, &mut dice, any_edit);
    any_warps(&mut simulation, &states, 250, Dice(!seed));
    audited(&mut simulation, 300, &mut dice)
}

/// A random simulation among blocks under the audit.
fn audited_among_blocks(agents: u32, seed: u64, warps: bool) -> Result<(), TestCaseError> {
    let mut dice = Dice(seed);
    let (world, states) = any_blocks(&mut dice);
    let edit = |dice: &mut Dice| Some(any_block_edit(dice));
    let mut simulation = any_simulation(world, &states, agents, 200, &mut dice, edit);
    if warps {
        any_warps(&mut simulation, &states, 200, Dice(!seed));
    }
    audited(&mut simulation, 240, &mut dice)
}

/// So many random cases; more with the variable `PROPTEST_CASES`, for long runs.
pub(crate) fn cases(usual: u32) -> ProptestConfig {
    let wanted = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse().ok());
    ProptestConfig {
        cases: wanted.unwrap_or(usual),
        max_global_rejects: u32::MAX,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(cases(96))]

    #[test]
    fn on_grids(grid in any_grid(), agents in 1u32..8, seed: u64) {
        audited_on_grid(grid, agents, seed, true)?;
    }

    #[test]
    fn on_waypoints(agents in 1u32..8, seed: u64) {
        audited_on_waypoints(agents, seed)?;
    }

    #[test]
    fn on_meshes(grid in any_grid(), agents in 1u32..8, seed: u64) {
        let mut dice = Dice(seed);
        let (world, polygons) = any_mesh(&grid, &mut dice);
        prop_assume!(polygons.len() > 3);
        let all = polygons.clone();
        let mut simulation = any_simulation(world, &polygons, agents, 250, &mut dice, |dice| Some(any_mesh_edit(&all, dice)));
        any_warps(&mut simulation, &polygons, 250, Dice(!seed));
        audited(&mut simulation, 300, &mut dice)?;
    }

    #[test]
    fn among_blocks(agents in 1u32..6, seed: u64) {
        audited_among_blocks(agents, seed, true)?;
    }
}

#[test]
fn the_same_seed_gives_the_same_run() {
    let hashes = || {
        let mut dice = Dice(77);
        let grid = Grid::from_rows(&["................"; 12]).unwrap();
        let states = any_cells(&grid);
        let mut simulation = any_simulation(grid, &states, 12, 200, &mut dice, |_| None);
        (0..300)
            .map(|_| {
                simulation.tick();
                simulation.hash()
            })
            .collect::<Vec<u64>>()
    };
    let first = hashes();
    assert_eq!(first, hashes());
    assert!(first.windows(2).all(|pair| pair[0] != pair[1]));
}

/// Grids on which bodies crossed walls, or which the audit refused wrongly: several edits in one
/// tick, a place that opened while the exit stayed shut, corners that were cut where a new path
/// began.
#[test]
fn grids_that_failed_once_do_not_fail_again() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
    let failed = [
        243, 399, 2026, 3190, 6022, 8489, 9981, 10618, 13505, 14497, 15247, 17814, 18227, 18979,
        19096, 20320, 24105, 24271, 24517, 24969, 25194, 26785, 27830, 30389, 30496, 30600, 37606,
        41617, 43045, 43182, 106_272,
    ];
    for number in failed {
        let mut seed = [0; 32];
        seed[..8].copy_from_slice(&u64::to_le_bytes(number));
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
        let mut runner = TestRunner::new_with_rng(Config::default(), rng);
        let case = (any_grid(), 1u32..8, any::<u64>()).new_tree(&mut runner).unwrap();
        let (grid, agents, seed) = case.current();
        if let Err(TestCaseError::Fail(fault)) = audited_on_grid(grid, agents, seed, false) {
            panic!("grid {number}: {fault}");
        }
    }
}

/// A body finishes its move while an edit changes the height of where the move began, or of where
/// it ends.
#[test]
fn blocks_that_failed_once_do_not_fail_again() {
    let failed = [
        (4, 12_899_027_312_160_043_876),
        (4, 6_247_173_125_619_738_516),
        (3, 3_391_953_115_246_072_762),
        (4, 11_114_207_107_238_899_082),
        // A body beside its rail went farther than it might for now.
        (2, 16_947_987_285_665_610_983),
        // The height of the ground changed beneath bodies that stood.
        (4, 10_433_558_780_870_635_270),
        (5, 12_114_742_629_011_890_215),
    ];
    for ((agents, seed), warps) in failed.into_iter().flat_map(|one| [(one, false), (one, true)]) {
        if let Err(TestCaseError::Fail(fault)) = audited_among_blocks(agents, seed, warps) {
            panic!("{agents} agents, seed {seed}, {warps}: {fault}");
        }
    }
}

/// An agent without a whole rail was given a better path "not worth it", and set out on the move
/// that an edit had taken.
#[test]
fn a_path_that_is_needed_is_not_weighed() {
    if let Err(TestCaseError::Fail(fault)) = audited_on_waypoints(3, 7_314_430_785_046_496_168) {
        panic!("{fault}");
    }
}
