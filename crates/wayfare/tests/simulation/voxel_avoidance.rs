//! Agents that avoid each other among blocks, under the audit.

use glam::Vec3;
use wayfare::agent::{AgentId, AgentLimits, Order};
use wayfare::crowd::{AvoidanceModel, AvoidanceQuality};
use wayfare::link::{Keys, NavLinks};
use wayfare::plan::ClassId;
use wayfare::prelude::*;
use wayfare::simulation::{Avoidance, BlockEdit, Command, Simulation, SimulationSettings};
use wayfare::space::voxel::ActionCosts;

use crate::support::{agent, run};

const POLITE: Avoidance = Avoidance {
    quality: AvoidanceQuality::Medium,
    priority: 0,
    layers: 1,
    mask: u32::MAX,
    model: AvoidanceModel::Reciprocal,
};

/// A walker two blocks high that jumps up one block and falls two.
fn person() -> VoxelProfile {
    VoxelProfile { height: 2, max_fall_distance: 2, ..VoxelProfile::default() }
}

/// A world of which each level is drawn by rows, the lowest one first: `#` is solid.
fn levels(levels: &[&[&str]], profile: VoxelProfile) -> (Simulation<VoxelGrid>, ClassId) {
    let (width, depth) = (levels[0][0].len() as u32, levels[0].len() as u32);
    let size = VoxelSize { width, height: levels.len() as u32, depth };
    let world = VoxelGrid::from_fn(size, &[], profile, |at| {
        let glyph = levels[at.y as usize][at.z as usize].as_bytes()[at.x as usize];
        if glyph == b'#' { BlockId::SOLID } else { BlockId::AIR }
    });
    simulation(world.unwrap())
}

fn simulation(world: VoxelGrid) -> (Simulation<VoxelGrid>, ClassId) {
    let mut simulation =
        Simulation::new(world, NavLinks::new(3.0), SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    (simulation, class)
}

/// The middle of a block.
fn at(x: u32, y: u32, z: u32) -> Vec3 {
    Vec3::new(x as f32 + 0.5, y as f32 + 0.5, z as f32 + 0.5)
}

/// An agent that avoids others and is on its way to a point.
fn walker(simulation: &mut Simulation<VoxelGrid>, class: ClassId, from: Vec3, to: Vec3) -> AgentId {
    let id = simulation.add_agent(agent("walker", class, from).avoidance(POLITE)).unwrap();
    simulation.order(id, Order::GoTo(to));
    id
}

fn assert_done(simulation: &Simulation<VoxelGrid>) {
    let busy: Vec<_> = simulation
        .agents()
        .filter(|agent| agent.orders().len() > 0)
        .map(|agent| (agent.id(), agent.text(), agent.position(), agent.is_loose()))
        .collect();
    assert!(busy.is_empty(), "{busy:?}");
}

const FLOOR: &[&str] = &["################"; 16];
const AIR: &[&str] = &["................"; 16];

#[test]
fn two_streams_cross_on_a_floor() {
    let (mut simulation, class) = levels(&[FLOOR, AIR, AIR, AIR], person());
    for number in 0..8 {
        walker(&mut simulation, class, at(0, 1, 4 + number), at(15, 1, 4 + number));
        walker(&mut simulation, class, at(4 + number, 1, 0), at(4 + number, 1, 15));
    }
    run(&mut simulation, 1500);
    assert_done(&simulation);
}

/// Two who meet in a corridor a block wide have room for both of them beside each other only if
/// they are small.
#[test]
fn small_bodies_pass_each_other_in_a_corridor_one_block_wide() {
    let wall: &[&str] = &["################", "................", "################"];
    let (mut simulation, class) = levels(&[&FLOOR[..3], wall, wall], person());
    let limits = AgentLimits { radius: 0.2, ..AgentLimits::default() };
    for (from, to) in [(0, 15), (15, 0)] {
        let spec = agent("walker", class, at(from, 1, 1)).avoidance(POLITE).limits(limits);
        let id = simulation.add_agent(spec).unwrap();
        simulation.order(id, Order::GoTo(at(to, 1, 1)));
    }
    let mut aside: f32 = 0.0;
    for _ in 0..40 {
        run(&mut simulation, 5);
        let off = |agent: Vec3| (agent.z - 1.5).abs();
        aside = simulation.agents().map(|agent| off(agent.position())).fold(aside, f32::max);
    }
    assert_done(&simulation);
    assert!(aside > 0.1, "{aside}");
}

/// Ten on each of two floors go to and fro, right above each other. Those below move as they do
/// with nobody above.
#[test]
fn those_on_two_floors_do_not_see_each_other() {
    let places = |floors: &[u32]| {
        let (mut simulation, class) = levels(&[FLOOR, AIR, AIR, FLOOR, AIR, AIR], person());
        for &y in floors {
            for number in 0..5 {
                walker(&mut simulation, class, at(0, y, 5 + number), at(15, y, 5 + number));
                walker(&mut simulation, class, at(15, y, 5 + number), at(0, y, 5 + number));
            }
        }
        let mut seen = Vec::new();
        for _ in 0..40 {
            run(&mut simulation, 5);
            seen.extend(simulation.agents().take(10).map(|agent| agent.position()));
        }
        seen
    };
    let alone = places(&[1]);
    assert!(alone.iter().any(|place| (place.z - place.z.floor() - 0.5).abs() > 0.1), "no crowd");
    assert_eq!(alone, places(&[1, 4]));
}

/// A bridge three blocks wide without railings, four blocks above the ground: two groups meet on
/// it, and nobody is pushed over the edge.
#[test]
fn nobody_is_pushed_off_a_bridge_without_railings() {
    let mut bridge = vec!["####............####"; 9];
    bridge[3..6].fill("####################");
    let air = ["...................."; 9];
    let ground = ["####################"; 9];
    let world: [&[&str]; 8] = [&ground, &air, &air, &air, &air, &bridge, &air, &air];
    let (mut simulation, class) = levels(&world, person());
    for number in 0..9 {
        walker(
            &mut simulation,
            class,
            at(number / 3, 6, 3 + number % 3),
            at(19 - number / 3, 6, 3 + number % 3),
        );
        walker(
            &mut simulation,
            class,
            at(19 - number / 3, 6, 3 + number % 3),
            at(number / 3, 6, 3 + number % 3),
        );
    }
    let mut aside: f32 = 0.0;
    for _ in 0..400 {
        run(&mut simulation, 5);
        for agent in simulation.agents() {
            assert!(agent.position().y > 6.4, "{:?} fell", agent.id());
            let place = agent.position();
            if (4.0..16.0).contains(&place.x) {
                aside = aside.max((place.z - 4.5).abs());
            }
        }
    }
    assert_done(&simulation);
    assert!(aside < 1.5, "{aside}");
}

/// Blocks appear where bodies stand aside, and the floor below others is dug away. All keep to the
/// free ground that is left, and those who still can arrive.
#[test]
fn blocks_are_placed_among_those_who_pass_and_floor_is_dug_away() {
    let (mut simulation, class) = levels(&[FLOOR, FLOOR, AIR, AIR, AIR], person());
    for number in 0..6 {
        walker(&mut simulation, class, at(0, 2, 5 + number), at(15, 2, 5 + number));
        walker(&mut simulation, class, at(15, 2, 5 + number), at(0, 2, 5 + number));
    }
    let edit = |y: u32, xs: [u32; 2], block: BlockId| {
        let places = xs.into_iter().flat_map(|x| (5..9).map(move |z| BlockPosition::new(x, y, z)));
        Command::Edit(BlockEdit::Set { places: places.collect(), block })
    };
    simulation.schedule(30, edit(2, [7, 9], BlockId::SOLID));
    simulation.schedule(35, edit(1, [5, 6], BlockId::AIR));
    simulation.schedule(70, edit(2, [7, 9], BlockId::AIR));
    simulation.schedule(90, edit(1, [8, 10], BlockId::AIR));
    run(&mut simulation, 2000);
    assert_done(&simulation);
}

/// Where blocks differ in cost, and where steps do, bodies leave their rails all the same.
#[test]
fn costs_do_not_keep_bodies_on_their_rails() {
    let profile = VoxelProfile {
        action_costs: ActionCosts { jump: 3.0, ..ActionCosts::default() },
        ..person()
    };
    let (mut simulation, class) = levels(&[FLOOR, AIR, AIR, AIR], profile);
    let east = walker(&mut simulation, class, at(0, 1, 7), at(15, 1, 7));
    walker(&mut simulation, class, at(15, 1, 7), at(0, 1, 7));
    let mut aside: f32 = 0.0;
    for _ in 0..60 {
        run(&mut simulation, 5);
        aside = aside.max((simulation.agent(east).unwrap().position().z - 7.5).abs());
    }
    assert_done(&simulation);
    assert!(aside > 0.2, "{aside}");
}

#[cfg(feature = "serde")]
#[test]
fn a_crowd_among_blocks_goes_on_from_a_snapshot_as_it_would_have() {
    let (mut simulation, class) = levels(&[FLOOR, AIR, AIR, AIR], person());
    let world = simulation.world().clone();
    for number in 0..8 {
        walker(&mut simulation, class, at(0, 1, 4 + number), at(15, 1, 4 + number));
        walker(&mut simulation, class, at(15, 1, 4 + number), at(0, 1, 4 + number));
    }
    let places = vec![BlockPosition::new(7, 1, 7), BlockPosition::new(7, 1, 8)];
    let edit = Command::Edit(BlockEdit::Set { places, block: BlockId::SOLID });
    simulation.schedule(20, edit);
    run(&mut simulation, 45);
    let mut restored =
        Simulation::restore(world, NavLinks::new(3.0), simulation.save()).expect("it was saved");
    for tick in 0..200 {
        simulation.tick();
        restored.tick();
        assert_eq!(simulation.hash(), restored.hash(), "{tick} ticks later");
    }
}
