//! Bodies keep their radius from walls where there is room: on rails broken in many ways, on random
//! grids, among blocks, and on benchmark maps.

use std::path::PathBuf;

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::search::{AStar, Query, solve};
use wayfare_core::space::{Action, LineOfSight, Space, TerrainId};
use wayfare_grid::grid::{Cell, Grid, GridProfile};
use wayfare_sim::agent::{
    AgentLimits, Behaviour, Body, Hold, Leg, Order, Rail, RailEnd, RailSpec, lay,
};
use wayfare_sim::simulation::{
    Audit, AuditFault, CarveId, Command, Shape, Simulation, SimulationSettings, Stretch,
    Surroundings, TickRecord,
};
use wayfare_voxel::{BlockId, BlockPosition, VoxelGrid, VoxelProfile, VoxelSize};

use crate::dice::Dice;
use crate::support::{POLITE, agent, at, on_grid, run};

/// The radius of a body by default, in world units.
const RADIUS: f32 = 0.3;

/// How far a disc reaches into a blocked cell, in world units; 0 if it does not.
fn reach_into_wall(grid: &Grid, middle: Vec3, radius: f32) -> f32 {
    let frame = grid.frame();
    let point = frame.to_cells(middle);
    let radius = f64::from(radius / frame.cell_size);
    let span = |at: f64| (at - radius).floor() as i64..=(at + radius).floor() as i64;
    let mut nearest = radius;
    for y in span(point.y) {
        for x in span(point.x) {
            let cell = u32::try_from(x).ok().zip(u32::try_from(y).ok());
            let cell = cell.and_then(|(x, y)| grid.cell(x, y));
            if cell.is_none_or(|cell| grid.terrain(cell) == TerrainId::BLOCKED) {
                let inside = |at: f64, low: i64| at.clamp(low as f64, (low + 1) as f64);
                let (dx, dy) = (point.x - inside(point.x, x), point.y - inside(point.y, y));
                nearest = nearest.min((dx * dx + dy * dy).sqrt());
            }
        }
    }
    (radius - nearest) as f32 * frame.cell_size
}

/// Samples of moving bodies: how many, how many of them reach into a wall, and how far at most.
#[derive(Debug, Default)]
struct Samples {
    moving: u64,
    inside: u64,
    deepest: f32,
}

impl Samples {
    fn take(&mut self, simulation: &Simulation<Grid>, radius: f32) {
        for agent in simulation.agents().filter(|agent| agent.speed() > 0.0) {
            let reach = reach_into_wall(simulation.world(), agent.position(), radius);
            self.moving += 1;
            // Rounding of coordinates, and passages that are exactly as wide as the body.
            if reach > 2e-3 {
                self.inside += 1;
                self.deepest = self.deepest.max(reach);
            }
        }
    }
}

fn grid_of(walls: &[bool], width: usize) -> Grid {
    let terrain: Vec<TerrainId> = walls
        .iter()
        .map(|&wall| if wall { TerrainId::BLOCKED } else { TerrainId::GROUND })
        .collect();
    let height = (terrain.len() / width) as u32;
    Grid::new(width as u32, height, &terrain, GridProfile::default()).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever fits into a cell fits through all of a grid.
    #[test]
    fn a_body_that_fits_a_cell_never_reaches_into_a_wall(
        width in 3usize..16,
        walls in prop::collection::vec(prop::bool::weighted(0.25), 60..200),
        radius in 0.05f32..0.5,
        turn_radius in prop::sample::select(vec![0.0f32, 0.4, 2.0]),
        goals in prop::collection::vec((any::<u32>(), 0.0f32..1.0, 0.0f32..1.0), 1..6),
    ) {
        let grid = grid_of(&walls[..walls.len() / width * width], width);
        let start = grid.cells().find(|&cell| grid.space().is_free(cell));
        let Some(start) = start.map(|cell| grid.centre(cell)) else { return Ok(()) };
        let settings = SimulationSettings::default();
        let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings).unwrap();
        let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
        let mut spec = agent("walker", class, start);
        spec.limits = AgentLimits { radius, turn_radius, ..spec.limits };
        let walker = simulation.add_agent(spec).unwrap();
        let (mut audit, mut samples) = (Audit::new(), Samples::default());
        for (seed, x, z) in goals {
            let grid = simulation.world();
            let cell = crate::grids::pick(grid, seed);
            let corner = grid.centre(cell) - Vec3::new(0.5, 0.0, 0.5);
            // Goals may lie beside walls. New ones come while the body walks.
            simulation.order(walker, Order::GoTo(corner + Vec3::new(x, 0.0, z)));
            for _ in 0..90 {
                simulation.tick();
                prop_assert_eq!(audit.check(&simulation), Ok(()));
                samples.take(&simulation, radius);
            }
        }
        prop_assert_eq!(samples.inside, 0, "{:?}", samples);
    }
}

#[test]
fn a_wide_body_keeps_to_the_middle_of_a_narrow_passage_and_to_its_radius_elsewhere() {
    let open = "..........";
    let rows = [open, open, open, open, "#####.####", open, open, open, open];
    let (mut simulation, class) = on_grid(&rows);
    let mut spec = agent("bear", class, at(2, 1));
    spec.limits.radius = 0.9;
    let bear = simulation.add_agent(spec).unwrap();
    simulation.order(bear, Order::GoTo(at(8, 7)));
    let (mut audit, mut narrow, mut wide) = (Audit::new(), 0, 0);
    for _ in 0..400 {
        simulation.tick();
        audit.check(&simulation).unwrap();
        let view = simulation.agent(bear).unwrap();
        let (place, room) = (view.position(), view.room());
        if view.speed() > 0.0 {
            narrow += u32::from(room == 0.0);
            wide += u32::from(room == 0.9);
        }
        if (4.0..5.0).contains(&place.z) {
            assert!((place.x - 5.5).abs() < 1e-3, "{place} is not the middle of the passage");
        }
    }
    assert!(simulation.agent(bear).unwrap().position().distance(at(8, 7)) < 1.0);
    assert!(narrow > 10 && wide > 10, "{narrow} {wide}");
}

#[test]
fn a_rail_whose_room_is_gone_is_not_legal() {
    let grid = Grid::from_rows(&["........", "........", "...#....", "........"]).unwrap();
    let space = grid.space();
    let limits = AgentLimits::default();
    let state = |x, y| grid.cell(x, y).unwrap();
    let point = |x: f32, z: f32| Vec3::new(x, 0.0, z);
    // From the point of the leg to its end, with a room, and whether there is as much.
    for (what, from, to, room, is_legal) in [
        ("along the wall at its radius", point(0.5, 1.7), point(7.5, 1.7), 0.3, true),
        ("along the wall, no wider than claimed", point(0.5, 1.7), point(7.5, 1.7), 0.2, true),
        ("along the wall, nearer than its radius", point(0.5, 1.75), point(7.5, 1.75), 0.3, false),
        ("the same, as a line", point(0.5, 1.75), point(7.5, 1.75), 0.0, true),
        ("past a corner", point(2.5, 3.5), point(4.5, 1.6), 0.3, false),
        ("past a corner, as a line", point(4.5, 3.5), point(4.05, 0.5), 0.0, true),
        ("past a corner, with room", point(4.5, 3.5), point(4.35, 0.5), 0.3, true),
        ("an end beside a wall", point(0.5, 2.5), point(2.8, 2.5), 0.3, false),
        ("a beginning beside a wall", point(2.8, 2.5), point(0.5, 2.5), 0.3, false),
        ("along the edge of the map", point(0.5, 0.2), point(7.5, 0.2), 0.3, false),
        ("through the wall", point(0.5, 2.5), point(7.5, 2.5), 0.0, false),
        ("a room without bounds", point(0.5, 0.5), point(7.5, 0.5), 1.0e3, false),
    ] {
        let mut body = Body::standing(from, 0.0);
        let mut rail = Rail::standing(from, state(0, 0));
        let mut legs = vec![Leg {
            to,
            until: from.distance(to),
            speed_at_end: 0.0,
            yaw: Some(0.0),
            action: Action::Walk,
            hold: Hold::Clear,
            room,
        }];
        let anchor = rail.anchor_at_end();
        let end = RailEnd { state: state(7, 0), short: 0.0 };
        rail.splice(&mut body, &anchor, &mut legs, end, &limits, 0.05);
        assert_eq!(rail.is_legal(0, &space), is_legal, "{what}");
    }
}

#[test]
fn a_leg_whose_ends_are_gone_is_not_legal_and_a_link_is_entered_from_a_stand() {
    let mut grid = Grid::from_rows(&["........", "........"]).unwrap();
    let cells: Vec<Cell> = (0..8).map(|x| grid.cell(x, 0).unwrap()).collect();
    let (from, to) = (cells[3], cells[4]);
    let rail = |hold: Hold<Cell>| {
        let leg = |x: u32, hold: Hold<Cell>| Leg {
            to: at(x, 0),
            until: x as f32,
            speed_at_end: 9.0,
            yaw: Some(0.0),
            action: Action::Walk,
            hold,
            room: 0.0,
        };
        let mut body = Body::standing(at(0, 0), 0.0);
        let mut rail = Rail::standing(at(0, 0), cells[0]);
        let (anchor, end) = (rail.anchor_at_end(), RailEnd { state: cells[7], short: 0.0 });
        let mut legs = vec![leg(3, Hold::Clear), leg(4, hold), leg(7, Hold::Clear)];
        rail.splice(&mut body, &anchor, &mut legs, end, &AgentLimits::default(), 0.05);
        rail
    };
    let link = rail(Hold::Link { link: 0, from, to });
    let others = [rail(Hold::Move { from, to }), rail(Hold::Back { to })];
    assert_eq!(link.legs()[0].speed_at_end, 0.0, "it may have to wait there");
    assert!(others.iter().all(|rail| rail.legs()[0].speed_at_end > 1.0));
    let is_legal = |rail: &Rail<Cell>, grid: &Grid| rail.is_legal(1, &grid.space());
    assert!(others.iter().chain([&link]).all(|rail| is_legal(rail, &grid)));
    grid.set_terrain(to, TerrainId::BLOCKED);
    assert!(others.iter().chain([&link]).all(|rail| !is_legal(rail, &grid)));
    grid.set_terrain(to, TerrainId(0));
    grid.set_terrain(from, TerrainId::BLOCKED);
    assert!(!is_legal(&link, &grid) && !is_legal(&others[0], &grid));
    assert!(is_legal(&others[1], &grid), "back is away from there");
}

#[test]
fn corners_are_cut_with_the_disc_and_not_with_its_middle() {
    let grid = Grid::from_rows(&[".....", ".....", "..#..", ".....", "....."]).unwrap();
    let space = grid.space();
    let (from, to) = (grid.cell(0, 2).unwrap(), grid.cell(3, 4).unwrap());
    let path = solve(&space, &AStar::new(), Query::new(from, to)).outcome.into_path();
    let straight = |radius: f32| space.sweep_is_clear(grid.centre(from), grid.centre(to), radius);
    let mut legs = Vec::new();
    for radius in [0.0, 0.1, 0.3, 0.41, 0.43, 0.5] {
        let limits = AgentLimits { radius, ..AgentLimits::default() };
        let start = grid.centre(from);
        lay(&space, &path, &RailSpec::new(start, &limits), &mut legs).unwrap();
        let mut before = start;
        for leg in &legs {
            assert_eq!((leg.hold, leg.room), (Hold::Clear, radius));
            assert!(space.sweep_is_clear(before, leg.to, radius), "{before} to {}", leg.to);
            before = leg.to;
        }
        // The straight line passes the corner (2, 3) at 1.5 / √13 = 0.416 cells.
        assert_eq!(legs.len() == 1, straight(radius), "{radius}");
        assert_eq!(straight(radius), radius < 0.416, "{radius}");
    }
}

#[test]
fn the_audit_sees_a_body_that_reaches_into_a_wall_where_there_is_room() {
    let (mut simulation, class) = on_grid(&["........", "........", "########"]);
    let walker = simulation.add_agent(agent("walker", class, at(0, 1))).unwrap();
    simulation.order(walker, Order::GoTo(at(7, 1)));
    run(&mut simulation, 30);
    let (world, sound) = (simulation.world().clone(), TickRecord::of(&simulation));
    assert_eq!((sound.agents[0].stretch, sound.agents[0].room), (Stretch::Clear, 0.3));
    for (what, z, room, radius, is_sound) in [
        ("in the middle", 1.5, 0.3, 0.3, true),
        ("at its radius", 1.7, 0.3, 0.3, true),
        ("nearer", 1.72, 0.3, 0.3, false),
        ("nearer, without room by the proof", 1.72, 0.0, 0.3, true),
        ("nearer, with less room", 1.72, 0.25, 0.3, true),
        ("nearer, a body that has become slimmer", 1.72, 0.3, 0.25, true),
        ("beyond the edge of the map", 0.2, 0.3, 0.3, false),
        ("the middle in the wall", 2.1, 0.3, 0.3, false),
    ] {
        let mut tick = sound.clone();
        let body = &mut tick.agents[0];
        (body.at.z, body.room, body.limits.radius) = (z, room, radius);
        let fault = AuditFault::ReachedIntoWall {
            tick: tick.tick,
            agent: walker,
            at: body.at,
            room: body.room,
        };
        let mut audit = Audit::new();
        // A body that the audit has not seen before is not judged.
        assert_eq!(audit.check_record(&tick, &world), Ok(()), "{what}");
        let verdict = audit.check_record(&tick, &world);
        let is_fault = verdict == Err(fault);
        assert_eq!(!is_fault, is_sound, "{what}: {verdict:?}");
    }
}

#[test]
fn a_wall_beside_the_way_does_not_stop_a_body_but_it_goes_around() {
    let rows = ["...........", "...........", "...........", "..........."];
    let (mut simulation, class) = on_grid(&rows);
    let mut spec = agent("walker", class, Vec3::new(0.5, 0.0, 1.85));
    spec.limits.radius = 0.45;
    let walker = simulation.add_agent(spec).unwrap();
    simulation.order(walker, Order::GoTo(Vec3::new(10.5, 0.0, 1.85)));
    run(&mut simulation, 30);
    assert_eq!(simulation.agent(walker).unwrap().room(), 0.45);
    let shape = Shape::Box { min: Vec3::new(8.0, 0.0, 2.0), max: Vec3::new(9.0, 2.0, 3.0) };
    simulation.schedule(0, Command::Carve { id: CarveId(1), shape });
    let (mut audit, mut samples) = (Audit::new(), Samples::default());
    for _ in 0..150 {
        let before = simulation.agent(walker).unwrap().speed();
        simulation.tick();
        audit.check(&simulation).unwrap();
        samples.take(&simulation, 0.45);
        let view = simulation.agent(walker).unwrap();
        let braked = before - view.speed();
        assert!(braked <= view.limits().acceleration * 0.05 * 1.1, "it stopped at once");
    }
    assert!(
        simulation.agent(walker).unwrap().position().distance(Vec3::new(10.5, 0.0, 1.85)) < 1e-3
    );
    assert_eq!(samples.inside, 0, "{samples:?}");
}

#[test]
fn walkers_among_blocks_keep_their_radius_from_them() {
    let size = VoxelSize { width: 12, height: 4, depth: 12 };
    let mut dice = Dice(11);
    for _ in 0..20 {
        let mut world = VoxelGrid::new(size, VoxelProfile::default()).unwrap();
        for x in 0..12 {
            for z in 0..12 {
                world.set_block(BlockPosition { x, y: 0, z }, BlockId::SOLID).unwrap();
                if dice.roll(5) == 0 {
                    world.set_block(BlockPosition { x, y: 1, z }, BlockId::SOLID).unwrap();
                    world.set_block(BlockPosition { x, y: 2, z }, BlockId::SOLID).unwrap();
                }
            }
        }
        let state = |x: u32, z: u32| world.voxel(BlockPosition { x, y: 1, z }).unwrap();
        let free: Vec<Vec3> = (0..144)
            .map(|at| state(at / 12, at % 12))
            .filter(|&voxel| world.space().check(voxel).is_ok())
            .map(|voxel| world.space().position(voxel))
            .collect();
        let settings = SimulationSettings::default();
        let mut simulation = Simulation::new(world, NavLinks::new(3.0), settings).unwrap();
        let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
        let goal = |dice: &mut Dice| free[dice.roll(free.len() as u32) as usize];
        let start = goal(&mut dice);
        let walker = simulation.add_agent(agent("walker", class, start)).unwrap();
        for _ in 0..4 {
            simulation.order(walker, Order::Then(goal(&mut dice)));
        }
        let mut audit = Audit::new();
        for _ in 0..400 {
            simulation.tick();
            audit.check(&simulation).unwrap();
            let view = simulation.agent(walker).unwrap();
            if view.speed() > 0.0 && matches!(view.stretch(), Stretch::Clear) {
                assert_eq!(view.room(), 0.3, "the blocks leave room everywhere");
            }
            let profile = Default::default();
            let beside = [Vec3::X, Vec3::Z, Vec3::NEG_X, Vec3::NEG_Z].map(|way| way * 0.29);
            if !matches!(view.stretch(), Stretch::Move { .. }) {
                let place = view.position();
                assert!(
                    !beside.iter().any(|&way| simulation.world().is_wall(profile, place + way))
                );
            }
        }
    }
}

#[test]
fn nobody_reaches_into_a_wall_of_the_benchmark_maps() {
    let Some(data) = std::env::var_os("WAYFARE_DATA") else {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: WAYFARE_DATA does not name the folder of benchmark data");
        }
        return;
    };
    for name in ["arena", "AR0011SR", "den520d", "maze512-8-0", "random512-25-0"] {
        let path = PathBuf::from(&data).join("grid").join(format!("{name}.map"));
        let map = std::fs::read_to_string(path).unwrap();
        let rows: Vec<&str> = map.lines().skip_while(|line| *line != "map").skip(1).collect();
        let walls = rows.iter().flat_map(|row| row.bytes().map(|glyph| glyph != b'.'));
        let grid = grid_of(&walls.collect::<Vec<_>>(), rows[0].len());
        // Bodies without a radius walk where others reach into walls, or the test shows nothing.
        let [points, bodies] = [0.0, RADIUS].map(|radius| wander(grid.clone(), radius));
        #[expect(clippy::print_stderr, reason = "the figures of the run")]
        {
            eprintln!("{name}: points {points:?}, bodies {bodies:?}");
        }
        assert!(bodies.moving > 50_000 && bodies.inside == 0, "{name}: {bodies:?}");
        assert!(points.inside > 100, "{name}: {points:?}");
    }
}

/// Lets bodies of a radius wander over a grid. They are judged as if they had the usual one.
fn wander(grid: Grid, radius: f32) -> Samples {
    let settings = SimulationSettings::default();
    let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let places: Vec<Vec3> = {
        let (grid, space) = (simulation.world(), simulation.world().space());
        grid.cells().filter(|&cell| space.is_free(cell)).map(|cell| grid.centre(cell)).collect()
    };
    let mut dice = Dice(5);
    for _ in 0..100 {
        let place = places[dice.roll(places.len() as u32) as usize];
        let wanders = Behaviour::Wander { radius: 30.0, dwell: 0.2 };
        let mut spec = agent("folk", class, place).behaviour(wanders);
        spec.limits.radius = radius;
        simulation.add_agent(spec).unwrap();
    }
    let mut samples = Samples::default();
    for _ in 0..1_000 {
        simulation.tick();
        samples.take(&simulation, RADIUS);
    }
    samples
}

/// Two walk towards each other on one straight leg, and a block appears beside it far from where
/// they meet: only the part beside the block loses its room, so they still give way.
#[test]
fn bodies_give_way_on_a_leg_that_lost_its_room_elsewhere() {
    let row = ".".repeat(60);
    let (mut simulation, class) = on_grid(&[row.as_str(); 9]);
    let on_line = |x: f32| Vec3::new(x, 0.0, 4.75);
    let ends = [(2.5, 57.5), (57.5, 2.5)];
    let walkers = ends.map(|(from, to)| {
        let spec = agent("walker", class, on_line(from)).avoidance(POLITE);
        let walker = simulation.add_agent(spec).unwrap();
        simulation.order(walker, Order::GoTo(on_line(to)));
        walker
    });
    let apart = |simulation: &Simulation<Grid>| {
        let [one, other] = walkers.map(|walker| simulation.agent(walker).unwrap().position());
        one.distance(other)
    };
    while apart(&simulation) > 6.0 {
        run(&mut simulation, 1);
    }
    // In the next row: the line stays clear, a body on it does not.
    for (id, x) in [(1, 14), (2, 45)] {
        let (min, max) = (at(x, 5) - 0.4, at(x, 5) + 0.4);
        simulation.schedule(0, Command::Carve { id: CarveId(id), shape: Shape::Box { min, max } });
    }
    let mut nearest = f32::INFINITY;
    for tick in 0..900 {
        run(&mut simulation, 1);
        // Neither is near a block: both may still leave their rails, from the very tick of the
        // edit.
        let may_leave = |walker| simulation.agent(walker).unwrap().is_loose();
        assert!(tick > 5 || walkers.into_iter().all(may_leave), "{tick} ticks after the edit");
        nearest = nearest.min(apart(&simulation));
    }
    for (walker, (_, to)) in walkers.into_iter().zip(ends) {
        assert!(simulation.agent(walker).unwrap().position().distance(on_line(to)) < 0.1);
    }
    assert!(nearest > 0.99 * 2.0 * RADIUS, "{nearest}");
}
