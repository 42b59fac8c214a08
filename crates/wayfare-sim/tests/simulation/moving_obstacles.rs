//! Obstacles that a program moves: bodies go round them, and paths once they stand.

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::space::CostTable;
use wayfare_grid::grid::{Cell, Grid};
use wayfare_mesh::navmesh::{MeshDraft, NavMesh};
use wayfare_sim::agent::{AgentId, Order};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{
    Audit, CarveId, CarveWhenStill, Command, Environment, Event, JamSettings, MeshWorld,
    MovingObstacle, Shape, Simulation, SimulationSettings,
};
use wayfare_voxel::{Abilities, ActionCosts, BlockId, VoxelGrid, VoxelProfile, VoxelSize};

use crate::support::{POLITE, agent, at, on_grid, run};

const CART: CarveId = CarveId(7);

const STILL: Option<CarveWhenStill> = Some(CarveWhenStill { seconds: 0.5, least_move: 0.1 });

fn ball(centre: Vec3) -> Shape {
    Shape::Ball { centre, radius: 0.5 }
}

/// Tells of the cart at each tick from `first` on, along a line.
fn drive<W: Environment>(
    simulation: &mut Simulation<W>,
    (first, ticks): (u64, u64),
    (from, by): (Vec3, Vec3),
    carves: Option<CarveWhenStill>,
) {
    for tick in 0..ticks {
        let to = MovingObstacle { shape: ball(from + by * tick as f32), carves };
        simulation.schedule(first + tick, Command::MoveObstacle { id: CART, to });
    }
}

/// Whether the cart is carved after the next tick.
fn is_carved_next<W: Environment>(simulation: &mut Simulation<W>) -> bool {
    simulation.tick();
    simulation.moving_obstacles().any(|one| one.id == CART && one.is_carved)
}

/// Three walk towards a cart that comes to meet them, and pass it: the least distance of their
/// middles from its, in world units, while both move.
fn meet<W: Environment + Clone>(
    simulation: &mut Simulation<W>,
    class: ClassId,
    point: impl Fn(f32, f32) -> Vec3,
) -> f32 {
    for row in 0..3u32 {
        let z = 2.5 + row as f32;
        let spec = agent("walker", class, point(1.5, z)).avoidance(POLITE);
        let id = simulation.add_agent(spec).unwrap();
        simulation.order(id, Order::GoTo(point(22.5, z)));
    }
    let from = point(20.5, 3.5);
    drive(simulation, (0, 300), (from, Vec3::new(-0.06, 0.0, 0.0)), STILL);
    let (mut audit, mut least) = (Audit::new(), f32::INFINITY);
    let before = simulation.world().revision();
    for _ in 0..300 {
        simulation.tick();
        audit.check(simulation).unwrap();
        assert_eq!(simulation.world().revision(), before, "nothing is cut while it moves");
        let cart = simulation.moving_obstacles().next().unwrap();
        assert!(!cart.is_carved);
        let Shape::Ball { centre, .. } = cart.obstacle.shape else { unreachable!() };
        for one in simulation.agents() {
            least = least.min(one.position().distance(centre));
        }
    }
    for one in simulation.agents() {
        assert!(one.position().distance(point(22.5, one.position().z)) < 1.0, "{}", one.text());
    }
    least
}

/// A mesh of the squares of a map.
fn on_mesh(rows: &[&str]) -> (Simulation<MeshWorld>, ClassId) {
    let grid = Grid::from_rows(rows).unwrap();
    let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    let (world, settings) = (MeshWorld::new(mesh), SimulationSettings::default());
    let mut simulation = Simulation::new(world, NavLinks::new(3.0), settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    (simulation, class)
}

const HALL: [&str; 7] = ["........................"; 7];

#[test]
fn bodies_give_way_to_a_cart_on_a_grid() {
    let (mut simulation, class) = on_grid(&HALL);
    let radius = agent("one", class, at(0, 0)).limits.radius;
    let least = meet(&mut simulation, class, |x, z| Vec3::new(x, 0.0, z));
    assert!(least >= 0.99 * (0.5 + radius), "{least} m apart");
    assert!(least < 2.0, "they come by close: {least} m");
}

#[test]
fn bodies_give_way_to_a_cart_on_a_mesh() {
    let (mut simulation, class) = on_mesh(&HALL);
    let radius = agent("one", class, at(0, 0)).limits.radius;
    let least = meet(&mut simulation, class, |x, z| Vec3::new(x, 0.0, z));
    assert!((0.99 * (0.5 + radius)..2.0).contains(&least), "{least} m apart");
}

#[test]
fn flyers_give_way_to_a_balloon() {
    let size = VoxelSize { width: 24, height: 7, depth: 7 };
    let profile = VoxelProfile {
        abilities: Abilities { fly: true, ..Abilities::default() },
        action_costs: ActionCosts::default(),
        ..VoxelProfile::default()
    };
    let world = VoxelGrid::from_fn(size, &[], profile, |_| BlockId::AIR).unwrap();
    let (links, settings) = (NavLinks::new(3.0), SimulationSettings::default());
    let mut simulation = Simulation::new(world, links, settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let radius = agent("one", class, at(0, 0)).limits.radius;
    let least = meet(&mut simulation, class, |x, z| Vec3::new(x, 3.5, z));
    assert!((0.99 * (0.5 + radius)..2.0).contains(&least), "{least} m apart");
}

/// Ten ticks after the last move it is cut out, restored when it moves on, and a smaller move
/// counts for nothing.
#[test]
fn it_is_carved_where_it_stands_long_enough() {
    let (mut simulation, _) = on_grid(&HALL);
    let (from, by) = (Vec3::new(2.5, 0.0, 3.5), Vec3::new(0.2, 0.0, 0.0));
    drive(&mut simulation, (0, 20), (from, by), STILL);
    let free =
        |simulation: &Simulation<Grid>| simulation.world().space().is_free(cell(simulation, 6, 3));
    let carved: Vec<bool> = (0..40).map(|_| is_carved_next(&mut simulation)).collect();
    assert_eq!(carved.iter().position(|&is| is), Some(29), "told last in tick 19");
    assert!(carved[29..].iter().all(|&is| is) && !free(&simulation));
    // Half of the least move to and fro, once a tick.
    let stands = from + by * 19.0;
    for tick in 0..30 {
        let aside = Vec3::new(if tick % 2 == 0 { 0.05 } else { 0.0 }, 0.0, 0.0);
        let to = MovingObstacle { shape: ball(stands + aside), carves: STILL };
        simulation.schedule(40 + tick, Command::MoveObstacle { id: CART, to });
    }
    assert!((0..30).all(|_| is_carved_next(&mut simulation)), "it trembles");
    drive(&mut simulation, (70, 1), (stands + Vec3::X, by), STILL);
    assert!(!is_carved_next(&mut simulation) && free(&simulation));
    // Gone before it is carved again.
    simulation.schedule(72, Command::Restore { id: CART });
    let happened = run(&mut simulation, 30);
    assert!(!happened.iter().any(|(_, event)| matches!(event, Event::Failed(_))), "{happened:?}");
    assert_eq!(simulation.moving_obstacles().count(), 0);
    assert!(free(&simulation));
}

fn cell(simulation: &Simulation<Grid>, x: u32, y: u32) -> Cell {
    simulation.world().cell(x, y).unwrap()
}

/// One that never is carved leaves the world as it was; with no time to stand it is carved at each
/// place.
#[test]
fn it_is_carved_never_or_at_once() {
    let (from, by) = (Vec3::new(2.5, 0.0, 3.5), Vec3::new(1.0, 0.0, 0.0));
    let (mut simulation, _) = on_grid(&HALL);
    drive(&mut simulation, (0, 5), (from, by), None);
    let before = simulation.world().revision();
    assert!((0..60).all(|_| !is_carved_next(&mut simulation)));
    assert_eq!(simulation.world().revision(), before);

    let (mut simulation, _) = on_grid(&HALL);
    let at_once = Some(CarveWhenStill { seconds: 0.0, ..CarveWhenStill::default() });
    drive(&mut simulation, (0, 5), (from, by), at_once);
    for tick in 0..5 {
        assert!(is_carved_next(&mut simulation));
        let blocked = simulation.world().cells();
        let blocked: Vec<Cell> =
            blocked.filter(|&cell| !simulation.world().space().is_free(cell)).collect();
        assert_eq!(blocked, [cell(&simulation, 2 + tick, 3)]);
    }
}

/// A command that carves takes the obstacle over, and one that moves it has it restored.
#[test]
fn a_carved_obstacle_can_begin_to_move() {
    let (mut simulation, _) = on_grid(&HALL);
    let shape = ball(Vec3::new(6.5, 0.0, 3.5));
    simulation.schedule(0, Command::Carve { id: CART, shape });
    drive(&mut simulation, (5, 1), (Vec3::new(9.5, 0.0, 3.5), Vec3::ZERO), None);
    simulation.schedule(8, Command::Carve { id: CART, shape });
    let is_free =
        |simulation: &Simulation<Grid>| simulation.world().space().is_free(cell(simulation, 6, 3));
    run(&mut simulation, 5);
    assert!(!is_free(&simulation));
    run(&mut simulation, 1);
    assert!(is_free(&simulation) && simulation.moving_obstacles().count() == 1);
    run(&mut simulation, 3);
    assert!(!is_free(&simulation) && simulation.moving_obstacles().count() == 0);
}

#[test]
fn numbers_out_of_range_are_told() {
    let (mut simulation, _) = on_grid(&HALL);
    let shape = ball(Vec3::new(6.5, 0.0, 3.5));
    let wrong = [
        MovingObstacle { shape: ball(Vec3::new(f32::NAN, 0.0, 0.0)), carves: STILL },
        MovingObstacle { shape, carves: Some(CarveWhenStill { seconds: -1.0, least_move: 0.1 }) },
        MovingObstacle {
            shape,
            carves: Some(CarveWhenStill { seconds: 1.0, least_move: f32::NAN }),
        },
        MovingObstacle { shape: Shape::Ball { centre: Vec3::X, radius: 1.0e4 }, carves: None },
        MovingObstacle { shape: Shape::Ball { centre: Vec3::X, radius: 0.0 }, carves: None },
    ];
    for to in wrong {
        simulation.schedule(0, Command::MoveObstacle { id: CART, to });
    }
    let told: Vec<String> = simulation
        .tick()
        .events
        .iter()
        .map(|event| match event {
            Event::Failed(fault) => fault.to_string(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(told[0], "the obstacle's shape is not finite");
    assert!(told[1].starts_with("the obstacle's time to stand before it is carved is -1, but"));
    assert!(told[2].starts_with("the obstacle's least move is NaN, but has to be from 0 to 1000"));
    assert!(told[3].contains("radius is 10000"), "{}", told[3]);
    assert!(told[4].contains("radius is 0"), "{}", told[4]);
    assert_eq!((told.len(), simulation.moving_obstacles().count()), (5, 0));
}

/// A cart that stands in one of two gaps, and never is carved, is a jam: who comes takes the other.
#[test]
fn what_is_not_carved_is_gone_round_as_a_jam() {
    let rows = ["........#.......", "................", "........#.......", "................"];
    let lowest = |jams: Option<JamSettings>| {
        let grid = Grid::from_rows(&rows).unwrap();
        let settings = SimulationSettings { jams, ..SimulationSettings::default() };
        let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings).unwrap();
        let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
        let cart = Vec3::new(8.5, 0.0, 1.5);
        drive(&mut simulation, (0, 1), (cart, Vec3::ZERO), None);
        let ann = agent("Ann", class, at(1, 1)).avoidance(POLITE);
        let ann: AgentId = simulation.add_agent(ann).unwrap();
        simulation.order(ann, Order::GoTo(at(14, 1)));
        let mut lowest = 0.0f32;
        for _ in 0..900 {
            run(&mut simulation, 1);
            lowest = lowest.max(simulation.agent(ann).unwrap().position().z);
        }
        (lowest, simulation.agent(ann).unwrap().position().x)
    };
    let (z, x) = lowest(Some(JamSettings { side: 1.0, ..JamSettings::default() }));
    assert!(z > 3.0 && x > 13.0, "by the lower gap: {z}, to {x}");
    assert!(lowest(None).1 < 8.5, "without jams it waits before the cart");
}

/// Saved between two moves, it goes on as if nothing had been.
#[cfg(feature = "serde")]
#[test]
fn it_is_saved_and_resumed() {
    let begin = || {
        let (mut simulation, class) = on_grid(&HALL);
        let spec = agent("walker", class, at(1, 3)).avoidance(POLITE);
        let id = simulation.add_agent(spec).unwrap();
        simulation.order(id, Order::GoTo(at(22, 3)));
        let (from, by) = (Vec3::new(20.5, 0.0, 3.5), Vec3::new(-0.08, 0.0, 0.0));
        drive(&mut simulation, (0, 100), (from, by), STILL);
        simulation
    };
    for save_at in [1, 37, 99, 105, 109, 110, 130] {
        let (mut one, grid) = (begin(), Grid::from_rows(&HALL).unwrap());
        (0..save_at).for_each(|_| {
            one.tick();
        });
        let text = serde_json::to_string(&one.save()).unwrap();
        let snapshot = serde_json::from_str(&text).unwrap();
        let mut other = Simulation::restore(grid, NavLinks::new(3.0), snapshot).unwrap();
        for _ in 0..60 {
            assert_eq!(one.tick(), other.tick());
            assert_eq!(one.hash(), other.hash(), "saved at {save_at}");
        }
        assert!(one.moving_obstacles().all(|cart| cart.is_carved) || save_at < 50);
    }
}

/// Somebody who stands sets out towards an obstacle that stands, and passes it.
#[test]
fn who_stands_sets_out_towards_one_that_stands() {
    let (mut simulation, class) = on_grid(&HALL);
    drive(&mut simulation, (0, 1), (at(8, 3), Vec3::ZERO), None);
    let ann = simulation.add_agent(agent("Ann", class, at(1, 3)).avoidance(POLITE)).unwrap();
    simulation.order(ann, Order::GoTo(at(20, 3)));
    let mut least = f32::INFINITY;
    for _ in 0..200 {
        run(&mut simulation, 1);
        least = least.min(simulation.agent(ann).unwrap().position().distance(at(8, 3)));
    }
    let ann = simulation.agent(ann).unwrap();
    assert!(ann.position().distance(at(20, 3)) < 0.5, "{}", ann.position());
    assert!((0.99 * 0.8..1.2).contains(&least), "{least} m apart");
}

/// Commands of one tick about one obstacle: the last one counts, and a snapshot agrees with it.
#[cfg(feature = "serde")]
#[test]
fn what_is_put_and_driven_in_one_tick_is_where_the_last_command_has_it() {
    let (here, there) = (ball(Vec3::new(6.5, 0.0, 3.5)), ball(Vec3::new(14.5, 0.0, 3.5)));
    let put = Command::Carve { id: CART, shape: here };
    let driven =
        |carves| Command::MoveObstacle { id: CART, to: MovingObstacle { shape: there, carves } };
    let taken = Command::Restore { id: CART };
    let blocked = |commands: &[Command<_>]| {
        let (mut simulation, _) = on_grid(&HALL);
        let grid = simulation.world().clone();
        commands.iter().for_each(|command| simulation.schedule(1, command.clone()));
        run(&mut simulation, 3);
        let text = serde_json::to_string(&simulation.save()).unwrap();
        let saved = serde_json::from_str(&text).unwrap();
        let mut other = Simulation::restore(grid, NavLinks::new(3.0), saved).unwrap();
        for _ in 0..20 {
            assert_eq!(simulation.tick(), other.tick());
            assert_eq!(simulation.hash(), other.hash());
        }
        let space = simulation.world().space();
        [here, there].map(|shape| {
            let Shape::Ball { centre, .. } = shape else { unreachable!() };
            !space.is_free(simulation.world().cell_at(centre).unwrap())
        })
    };
    assert_eq!(blocked(&[put.clone(), driven(None)]), [false, false]);
    assert_eq!(blocked(&[put.clone(), driven(STILL)]), [false, true], "it has stood since");
    assert_eq!(blocked(&[driven(None), put.clone()]), [true, false]);
    assert_eq!(blocked(&[put.clone(), driven(None), put.clone()]), [true, false]);
    assert_eq!(blocked(&[put.clone(), driven(None), taken.clone()]), [false, false]);
    assert_eq!(blocked(&[put, taken, driven(None)]), [false, false]);
}
