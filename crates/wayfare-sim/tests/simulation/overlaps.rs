//! Bodies that have come into each other part where there is room.

use glam::Vec3;
use wayfare_core::link::{Crossing, Keys, NavLink, NavLinks};
use wayfare_core::space::{CostTable, TerrainId};
use wayfare_grid::grid::{Cell, Grid, GridProfile};
use wayfare_mesh::navmesh::{MeshDraft, NavMesh};
use wayfare_sim::agent::{AgentLimits, Order};
use wayfare_sim::simulation::{
    AgentSpec, Audit, Environment, MeshWorld, Overlap, Simulation, SimulationSettings,
};

use crate::dice::Dice;
use crate::support::{POLITE, agent, at};

/// Bodies of a radius that leaves little room in a cell.
fn stout(name: &str, class: wayfare_sim::plan::ClassId, place: Vec3) -> AgentSpec {
    let spec = agent(name, class, place).avoidance(POLITE);
    let limits = AgentLimits { radius: 0.4, ..spec.limits };
    spec.limits(limits)
}

/// The longest overlap of two bodies in seconds, as the audit tells it; none may go on at the end.
fn longest_overlap(simulation: &mut Simulation<Grid>, ticks: u64) -> f32 {
    let mut audit = Audit::new();
    for _ in 0..ticks {
        simulation.tick();
        audit.check(simulation).unwrap();
    }
    let longest = audit.overlaps().max_by_key(Overlap::ticks).expect("they begin in each other");
    assert!(longest.depth > 0.1 && longest.until < simulation.now() - 20, "{longest:?}");
    longest.ticks() as f32 * simulation.settings().tick_seconds
}

#[test]
fn those_who_come_out_of_a_door_into_each_other_part() {
    let grid = Grid::from_rows(&["...#........."; 7]).unwrap();
    let cells = [(2, 3), (4, 3)].map(|(x, y)| grid.cell(x, y).unwrap());
    let mut links = NavLinks::new(3.0);
    let door = NavLink::new(cells[0], cells[1], Crossing::Seconds(0.5));
    links.add(&grid.space(), door).unwrap();
    let mut simulation = Simulation::new(grid, links, SimulationSettings::default()).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    for z in 0..4 {
        let id = simulation.add_agent(stout("walker", class, at(0, z))).unwrap();
        simulation.order(id, Order::GoTo(at(4, 3)));
    }
    let longest = longest_overlap(&mut simulation, 400);
    assert!(longest < 2.0, "{longest} s");
    assert!(simulation.agents().all(|agent| agent.position().distance(at(4, 3)) < 2.5));
}

#[test]
fn crowds_that_begin_at_one_place_part() {
    let grid = Grid::from_rows(&["........"; 4]).unwrap();
    let settings = SimulationSettings::default();
    let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    for x in [1, 1, 2, 2, 2, 3] {
        simulation.add_agent(stout("idler", class, at(x, 1))).unwrap();
    }
    let longest = longest_overlap(&mut simulation, 400);
    assert!(longest < 2.0, "{longest} s");
}

/// One that begins closer to a wall than its radius goes through a crowd that stands, eight wide.
fn goes_through_from_beside_a_wall<W: Environment + Clone>(world: W) {
    let settings = SimulationSettings::default();
    let mut simulation = Simulation::new(world, NavLinks::new(3.0), settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let spec =
        |name: &str, x: f32, z: f32| agent(name, class, Vec3::new(x, 0.0, z)).avoidance(POLITE);
    let walker = simulation.add_agent(spec("walker", 1.2, 5.2)).unwrap();
    simulation.order(walker, Order::GoTo(at(22, 5)));
    for number in 0..64u8 {
        let (x, z) = (f32::from(number / 8) * 0.62, f32::from(number % 8) * 0.62);
        simulation.add_agent(spec("idler", 9.0 + x, 3.3 + z)).unwrap();
    }
    let mut audit = Audit::new();
    for tick in 0..1200 {
        simulation.tick();
        audit.check(&simulation).unwrap();
        let walker = simulation.agent(walker).unwrap();
        assert!(tick < 40 || walker.is_loose() || walker.has_arrived(), "bound at tick {tick}");
    }
    assert!(simulation.agent(walker).unwrap().position().distance(at(22, 5)) < 1.0);
    let deepest = audit.overlaps().map(|it| it.depth).fold(0.0, f32::max);
    assert!(deepest < 0.01, "{deepest}");
}

#[test]
fn those_who_begin_too_near_a_wall_run_over_nobody() {
    let mut rows = ["........................"; 11];
    rows[4] = "#.......................";
    let grid = Grid::from_rows(&rows).unwrap();
    let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    goes_through_from_beside_a_wall(grid);
    goes_through_from_beside_a_wall(MeshWorld::new(mesh));
}

/// All go their ways, and are there after a while. No two came into each other.
fn all_arrive_without_overlaps<W: Environment + Clone>(world: W, ways: &[(Vec3, Vec3)]) {
    let settings = SimulationSettings::default();
    let mut simulation = Simulation::new(world, NavLinks::new(3.0), settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    for &(from, to) in ways {
        let id = simulation.add_agent(agent("walker", class, from).avoidance(POLITE)).unwrap();
        simulation.order(id, Order::GoTo(to));
    }
    let mut audit = Audit::new();
    for _ in 0..1000 {
        simulation.tick();
        audit.check(&simulation).unwrap();
    }
    let late = simulation.agents().filter(|agent| agent.orders().len() > 0);
    let late: Vec<_> = late.map(|agent| (agent.id(), agent.position())).collect();
    assert!(late.is_empty(), "{late:?}");
    let deepest = audit.overlaps().map(|it| it.depth).fold(0.0, f32::max);
    assert!(deepest < 0.01, "{deepest}");
}

/// Many begin beside walls, some of them closer than their radius.
#[test]
fn nobody_comes_into_anybody_among_scattered_walls() {
    for seed in 0..3 {
        let mut dice = Dice(seed);
        let is_wall = |dice: &mut Dice| dice.roll(100) < 12;
        let terrain: Vec<TerrainId> = (0..24 * 24)
            .map(|_| if is_wall(&mut dice) { TerrainId::BLOCKED } else { TerrainId::GROUND })
            .collect();
        let grid = Grid::new(24, 24, &terrain, GridProfile::default()).unwrap();
        let mut free: Vec<Cell> = grid.cells().filter(|&cell| grid.space().is_free(cell)).collect();
        let ways: Vec<(Vec3, Vec3)> = (0..80)
            .map(|_| {
                let to = grid.centre(free[dice.roll(free.len() as u32) as usize]);
                let from = free.swap_remove(dice.roll(free.len() as u32) as usize);
                let [x, z] = [(); 2].map(|()| (dice.share() - 0.5) * 0.39);
                (grid.centre(from) + Vec3::new(x, 0.0, z), to)
            })
            .collect();
        let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
        let radius = AgentLimits::default().radius;
        // As it is, the mesh is one whose walls are a radius behind its borders.
        for mesh in [mesh.narrowed(radius).unwrap(), mesh.clone().with_body_radius(radius)] {
            all_arrive_without_overlaps(MeshWorld::new(mesh), &ways);
        }
        // Bodies narrower than those that the mesh is made for are barred by its borders.
        let centre = |at: Vec3| at.floor() + Vec3::new(0.5, 0.0, 0.5);
        let ways_for_wider: Vec<_> = ways.iter().map(|&(from, to)| (centre(from), to)).collect();
        all_arrive_without_overlaps(MeshWorld::new(mesh.narrowed(0.4).unwrap()), &ways_for_wider);
        all_arrive_without_overlaps(grid, &ways);
    }
}
