//! Bodies on navigation meshes: slopes, and room beside walls.

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::space::{CostTable, ProfileId};
use wayfare_grid::grid::Grid;
use wayfare_mesh::navmesh::{HeightReach, MeshDraft, NavMesh};
use wayfare_sim::agent::{AgentLimits, Order};
use wayfare_sim::simulation::{
    Audit, CarveId, Command, MeshWorld, Shape, Simulation, SimulationSettings, Spaces, Surroundings,
};

use crate::support::agent;

/// The mesh of rows of cells, at heights by x.
fn mesh(rows: &[&str], height: impl Fn(f32) -> f32) -> NavMesh {
    let grid = Grid::from_rows(rows).unwrap();
    let mut draft = MeshDraft::of_grid(&grid, &CostTable::default());
    for vertex in &mut draft.vertices {
        vertex.y = height(vertex.x);
    }
    NavMesh::new(draft).unwrap()
}

fn simulation(world: MeshWorld) -> Simulation<MeshWorld> {
    Simulation::new(world, NavLinks::new(3.0), SimulationSettings::default()).unwrap()
}

/// A ramp of 45° and stairs with steps half a metre high, both walked up and down.
#[test]
fn slopes_are_walked_at_full_speed() {
    let ramp = |x: f32| (x - 8.0).clamp(0.0, 10.0);
    let stairs = |x: f32| ((x - 8.0).clamp(0.0, 16.0) / 2.0).floor() * 0.5;
    for (name, height) in [("ramp", &ramp as &dyn Fn(f32) -> f32), ("stairs", &stairs)] {
        let world = MeshWorld::new(ruled(&["................................"; 3], height));
        let mut simulation = simulation(world);
        let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
        let limits = AgentLimits { max_speed: 2.0, radius: 0.3, ..AgentLimits::default() };
        let start = Vec3::new(0.5, 0.0, 1.5);
        let spec = agent("walker", class, start).limits(limits);
        let walker = simulation.add_agent(spec).unwrap();
        simulation.order(walker, Order::GoTo(Vec3::new(31.5, height(31.5), 1.5)));
        let (mut audit, mut measured) = (Audit::new(), 0);
        let mut before = simulation.agent(walker).unwrap().position();
        for _ in 0..400 {
            simulation.tick();
            audit.check(&simulation).unwrap_or_else(|fault| panic!("{name}: {fault}"));
            let view = simulation.agent(walker).unwrap();
            let (at, tick) = (view.position(), simulation.settings().tick_seconds);
            let ground = simulation.world().mesh().locate(at, HeightReach::default()).unwrap();
            let off = (ground.place.y - at.y).abs();
            assert!(off < 0.05, "{name}: {off} m off the ground at {at}");
            if (4.0..28.0).contains(&before.x) && (4.0..28.0).contains(&at.x) {
                let speed = (at - before).with_y(0.0).length() / tick;
                assert!((speed - 2.0).abs() < 0.02, "{name}: {speed} m/s at {at}");
                measured += 1;
            }
            before = at;
        }
        assert!(simulation.agent(walker).unwrap().has_arrived(), "{name}");
        assert!(measured > 200, "{name}");
    }
}

/// The mesh of rows of cells with a polygon for each cell, at heights by x.
fn ruled(rows: &[&str], height: &dyn Fn(f32) -> f32) -> NavMesh {
    let mut vertices = Vec::new();
    let width = rows[0].len() as u32;
    for z in 0..=rows.len() as u32 {
        for x in 0..=width {
            vertices.push(Vec3::new(x as f32, height(x as f32), z as f32));
        }
    }
    let mut draft = MeshDraft::new(vertices);
    for (z, row) in (0u32..).zip(rows) {
        for (x, glyph) in (0u32..).zip(row.chars()) {
            let at = |dx: u32, dz: u32| (z + dz) * (width + 1) + x + dx;
            if glyph == '.' {
                draft.push(&[at(0, 0), at(0, 1), at(1, 1), at(1, 0)], Default::default());
            }
        }
    }
    NavMesh::new(draft).unwrap()
}

/// An obstacle takes the radius of bodies around it, on its floor alone.
#[test]
fn obstacles_take_the_radius_of_bodies_around_them() {
    let mesh = mesh(&["......", "......", "......"], |_| 0.0);
    let mut simulation = simulation(MeshWorld::new(mesh.with_body_radius(0.3)));
    let shape = Shape::Box { min: Vec3::new(2.0, 0.0, 1.0), max: Vec3::new(3.0, 1.0, 2.0) };
    simulation.schedule(0, Command::Carve { id: CarveId(0), shape });
    let above = Shape::Box { min: Vec3::new(4.5, 2.5, 0.0), max: Vec3::new(6.0, 3.0, 3.0) };
    simulation.schedule(0, Command::Carve { id: CarveId(1), shape: above });
    simulation.tick();
    let world = simulation.world();
    let stands =
        |x: f32, z: f32| world.state_at(ProfileId::default(), Vec3::new(x, 0.0, z)).is_some();
    assert!(!stands(2.5, 1.5) && !stands(1.75, 1.5) && !stands(2.5, 2.25));
    assert!(stands(1.65, 1.5) && stands(2.5, 2.35) && stands(5.0, 1.5));
    // A wall is where no body's rim may be: the obstacle itself.
    let is_wall = |x: f32| world.is_wall(ProfileId::default(), Vec3::new(x, 0.0, 1.5));
    assert!(is_wall(2.5) && is_wall(2.05) && !is_wall(1.95) && !is_wall(0.0));
}
