//! Agents that avoid each other among blocks, under the audit.

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::ops::{SinCos, sin_cos};
use wayfare_core::space::Space;
use wayfare_sim::agent::{AgentId, AgentLimits, Order};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{Avoidance, BlockEdit, Command, Simulation, SimulationSettings};
use wayfare_voxel::{
    ActionCosts, Ascent, BlockId, BlockKind, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize,
};

use crate::support::{POLITE, agent, run};

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

/// The height of the feet of the first agent where it stands in a column along x.
fn feet(simulation: &Simulation<VoxelGrid>, x: f32) -> Option<f32> {
    let agent = simulation.agents().next()?;
    let at = agent.position();
    ((at.x - x).abs() < 0.06).then_some(at.y - 0.5)
}

#[test]
fn a_body_walks_up_slabs_and_stairs_with_its_feet_on_them() {
    // Ground, a slab, a full block, stairs, and a platform two blocks high.
    let size = VoxelSize { width: 8, height: 6, depth: 3 };
    let stairs = BlockKind::Stairs(Ascent::East);
    let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Half, stairs].map(Into::into);
    let profile = VoxelProfile { jump_height: 0, ..person() };
    let rows: [&[u8]; 3] = [b"########", b"..=#####", b"....>###"];
    let world = VoxelGrid::from_fn(size, &palette, profile, |at| {
        let glyph = rows.get(at.y as usize).map_or(b'.', |row| row[at.x as usize]);
        BlockId(match glyph {
            b'#' => 1,
            b'=' => 2,
            b'>' => 3,
            _ => 0,
        })
    });
    let (mut simulation, class) = simulation(world.unwrap());
    let id = simulation.add_agent(agent("climber", class, at(0, 1, 1))).unwrap();
    simulation.order(id, Order::GoTo(at(7, 3, 1)));
    // Not known where no tick ends near the middle of a column.
    let mut heights = [f32::NAN; 8];
    for _ in 0..600 {
        run(&mut simulation, 1);
        for (x, height) in heights.iter_mut().enumerate() {
            *height = feet(&simulation, x as f32 + 0.5).unwrap_or(*height);
        }
    }
    assert_done(&simulation);
    let expected = [1.0, 1.0, 1.5, 2.0, 2.5, 3.0, 3.0, 3.0];
    for (height, expected) in heights.into_iter().zip(expected) {
        assert!(height.is_nan() || (height - expected).abs() < 0.06, "{heights:?}");
    }
}

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

/// A world of air, a wall across its middle that has a hole of that width, and flyers.
fn in_the_air(side: u32, hole: Option<u32>) -> (Simulation<VoxelGrid>, ClassId) {
    let size = VoxelSize { width: side, height: side, depth: side };
    let world = VoxelGrid::from_fn(size, &[], VoxelProfile::flyer(), |at| {
        let is_hole = |part: u32| {
            let hole = hole.unwrap_or(side);
            ((side - hole) / 2..(side + hole) / 2).contains(&part)
        };
        let is_wall = at.x == side / 2 && !(is_hole(at.y) && is_hole(at.z));
        if is_wall { BlockId::SOLID } else { BlockId::AIR }
    });
    simulation(world.unwrap())
}

/// The least distance between two agents.
fn least_distance(simulation: &Simulation<VoxelGrid>) -> f32 {
    let places: Vec<Vec3> = simulation.agents().map(|agent| agent.position()).collect();
    let pairs = places
        .iter()
        .enumerate()
        .flat_map(|(at, a)| places[at + 1..].iter().map(move |b| a.distance(*b)));
    pairs.fold(f32::INFINITY, f32::min)
}

/// Those who meet head-on pass each other, be it along an axis or straight up and down.
#[test]
fn two_flyers_who_meet_head_on_pass_each_other() {
    for (from, to) in [(at(1, 8, 8), at(14, 8, 8)), (at(8, 1, 8), at(8, 14, 8))] {
        let (mut simulation, class) = in_the_air(16, None);
        walker(&mut simulation, class, from, to);
        walker(&mut simulation, class, to, from);
        let mut least = f32::INFINITY;
        for _ in 0..80 {
            run(&mut simulation, 5);
            least = least.min(least_distance(&simulation));
        }
        assert_done(&simulation);
        assert!((0.594..1.5).contains(&least), "{least}");
    }
}

/// Agents on a sphere, each on its way to the opposite place.
fn sphere(count: u32) -> Simulation<VoxelGrid> {
    let (mut simulation, class) = in_the_air(24, None);
    for number in 0..count {
        // Points of a spiral from pole to pole, evenly spread.
        let height = 1.0 - 2.0 * (number as f32 + 0.5) / count as f32;
        let SinCos { sin, cos } = sin_cos(number as f32 * 2.399_963_2);
        let width = (1.0 - height * height).sqrt();
        let away = Vec3::new(cos * width, height, sin * width) * 9.0;
        walker(&mut simulation, class, Vec3::splat(12.0) + away, Vec3::splat(12.0) - away);
    }
    simulation
}

#[test]
fn a_sphere_of_flyers_changes_sides() {
    let mut simulation = sphere(100);
    run(&mut simulation, 1500);
    assert_done(&simulation);
}

#[test]
fn a_swarm_of_flyers_passes_a_hole() {
    let (mut simulation, class) = in_the_air(16, Some(2));
    for number in 0..36 {
        let (y, z) = (2 * (number / 6) + 2, 2 * (number % 6) + 2);
        walker(&mut simulation, class, at(3, y, z), at(13, y, z));
    }
    run(&mut simulation, 2000);
    assert_done(&simulation);
}

#[test]
fn blocks_are_placed_and_taken_among_flyers() {
    let (mut simulation, class) = in_the_air(16, Some(4));
    for number in 0..16 {
        let (y, z) = (6 + number / 4, 6 + number % 4);
        walker(&mut simulation, class, at(2, y, z), at(13, y, z));
        walker(&mut simulation, class, at(13, y, z), at(2, y, z));
    }
    let edit = |block: BlockId| {
        let places = (6..10).flat_map(|y| (6..8).map(move |z| BlockPosition::new(8, y, z)));
        Command::Edit(BlockEdit::Set { places: places.collect(), block })
    };
    simulation.schedule(40, edit(BlockId::SOLID));
    simulation.schedule(90, edit(BlockId::AIR));
    run(&mut simulation, 2500);
    assert_done(&simulation);
}

/// Swimmers cross in a pool; their balls may reach out of the water, and into no block.
#[test]
fn swimmers_cross_in_a_pool() {
    let size = VoxelSize { width: 14, height: 6, depth: 14 };
    let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Water].map(Into::into);
    let world = VoxelGrid::from_fn(size, &palette, VoxelProfile::swimmer(), |at| {
        let is_pool = at.y > 0 && [at.x, at.z].iter().all(|part| (1..13).contains(part));
        match (is_pool, at.y) {
            (true, ..4) => BlockId(2),
            (true, _) | (false, 5) => BlockId::AIR,
            _ => BlockId::SOLID,
        }
    });
    let (mut simulation, class) = simulation(world.unwrap());
    for number in 0..12 {
        let (row, level) = (3 + 2 * (number / 3), 1 + number % 3);
        walker(&mut simulation, class, at(1, level, row), at(12, level, row));
        walker(&mut simulation, class, at(row, level, 1), at(row, level, 12));
    }
    run(&mut simulation, 1500);
    assert_done(&simulation);
}

/// Flyers alone in the world move bit by bit as without avoidance.
#[test]
fn alone_a_flyer_moves_as_it_does_without_avoidance() {
    let places = |avoidance: Avoidance| {
        let (mut simulation, class) = in_the_air(16, None);
        let spec = agent("flyer", class, at(1, 2, 3)).avoidance(avoidance);
        let id = simulation.add_agent(spec).unwrap();
        simulation.order(id, Order::GoTo(at(13, 11, 6)));
        let places = (0..200).map(|_| {
            simulation.tick();
            simulation.agent(id).unwrap().position()
        });
        places.collect::<Vec<_>>()
    };
    assert_eq!(places(POLITE), places(Avoidance::default()));
}

#[cfg(feature = "serde")]
#[test]
fn flyers_go_on_from_a_snapshot_as_they_would_have() {
    let mut simulation = sphere(40);
    let world = simulation.world().clone();
    run(&mut simulation, 60);
    let mut restored =
        Simulation::restore(world, NavLinks::new(3.0), simulation.save()).expect("it was saved");
    for tick in 0..200 {
        simulation.tick();
        restored.tick();
        assert_eq!(simulation.hash(), restored.hash(), "{tick} ticks later");
    }
}

#[cfg(feature = "rayon")]
#[test]
fn one_thread_or_three_make_no_difference_to_flyers() {
    let hashes = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = sphere(300);
            (0..100)
                .map(|_| {
                    simulation.tick();
                    simulation.hash()
                })
                .collect::<Vec<u64>>()
        })
    };
    assert_eq!(hashes(1), hashes(3));
}

/// Two groups meet on stairs four blocks wide. On the steps bodies keep to their rails; all arrive.
#[test]
fn two_groups_meet_on_stairs() {
    let size = VoxelSize { width: 20, height: 10, depth: 8 };
    let world = VoxelGrid::from_fn(size, &[], person(), |at| {
        let height = at.x.clamp(7, 11) - 7;
        let is_stairs = (7..11).contains(&at.x);
        let is_block = at.y <= height && (!is_stairs || (2..6).contains(&at.z));
        if is_block { BlockId::SOLID } else { BlockId::AIR }
    });
    let (mut simulation, class) = simulation(world.unwrap());
    for number in 0..12 {
        let (x, z) = (number / 6, 1 + number % 6);
        walker(&mut simulation, class, at(x, 1, z), at(19 - x, 5, z));
        walker(&mut simulation, class, at(19 - x, 5, z), at(x, 1, z));
    }
    run(&mut simulation, 3000);
    assert_done(&simulation);
}

/// Land with ponds and boulders, on which agents walk, swim or fly, as the number says.
fn ponds(number: u32) -> (Simulation<VoxelGrid>, ClassId, Vec<Vec3>) {
    let mut dice = crate::dice::Dice(u64::from(number) * 7919 + 1);
    let mut profile = VoxelProfile { max_fall_distance: 3, ..VoxelProfile::default() };
    profile.abilities.swim = number % 4 != 1;
    profile.abilities.fly = number % 4 == 1;
    profile.abilities.walk = number % 4 != 2;
    profile.height = 1 + (number / 4 % 2) as u8;
    let grounds: Vec<u32> = (0..144).map(|_| dice.roll(9)).collect();
    let size = VoxelSize { width: 12, height: 8, depth: 12 };
    let palette = [BlockKind::Air, BlockKind::Solid, BlockKind::Water].map(Into::into);
    let world = VoxelGrid::from_fn(size, &palette, profile, |at| {
        match (at.y, grounds[(at.x / 2 * 2 + at.z / 2 * 24) as usize]) {
            (0, _) | (1..4, 0..3) | (4, 0) => BlockId::SOLID,
            (1..4, 3..8) => BlockId(2),
            (1..3, 8) => BlockId::SOLID,
            _ => BlockId::AIR,
        }
    });
    let (simulation, class) = simulation(world.unwrap());
    let world = simulation.world();
    let space = world.space();
    let all = (0..12 * 8 * 12).map(|place| at(place % 12, place / 12 % 8, place / 96));
    let places =
        all.filter(|&place| world.voxel_at(place).is_some_and(|voxel| space.check(voxel).is_ok()));
    let places = places.collect();
    (simulation, class, places)
}

#[test]
fn walkers_swimmers_and_flyers_break_no_rule_in_ponds() {
    for number in 0..24 {
        let (mut simulation, class, places) = ponds(number);
        let mut dice = crate::dice::Dice(u64::from(number));
        let mut any = || places[dice.roll(places.len() as u32) as usize];
        for _ in 0..14 {
            let (from, to, next) = (any(), any(), any());
            let id = walker(&mut simulation, class, from, to);
            simulation.order(id, Order::Then(next));
        }
        let block = BlockPosition::new(number % 12, 1 + number % 3, 5);
        for (tick, block_id) in [(30, BlockId::SOLID), (60, BlockId(2)), (90, BlockId::AIR)] {
            let edit = BlockEdit::Set { places: vec![block], block: block_id };
            simulation.schedule(tick, Command::Edit(edit));
        }
        run(&mut simulation, 300);
    }
}
