//! Ground of meshes that is loaded and unloaded while bodies are on it.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::space::{CostTable, ProfileId, Space};
use wayfare_grid::grid::Grid;
use wayfare_mesh::navmesh::{AreaId, CarvedGround, Carving, MeshDraft, NavMesh, Prism};
use wayfare_sim::agent::{AgentId, Order};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{
    CarveId, Command, Editable, Event, MeshEdit, MeshGround, MeshWorld, NoWay, Shape, Simulation,
    SimulationSettings, Trouble,
};

use crate::anything::{any_mesh, any_mesh_edit, any_simulation, audited, cases};
use crate::dice::Dice;
use crate::grids::any_grid;
use crate::resume::twins;
use crate::support::{agent, at, run};

fn mesh(rows: &[&str]) -> NavMesh {
    let grid = Grid::from_rows(rows).unwrap();
    NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
}

fn ground(rows: &[&str]) -> MeshEdit {
    MeshEdit::Ground(MeshGround::new(mesh(rows)))
}

const WHOLE: [&str; 3] = ["............"; 3];
const LEFT: [&str; 3] = ["....########"; 3];
const ENDS: [&str; 3] = ["....####...."; 3];

fn simulation(rows: &[&str]) -> (Simulation<MeshWorld>, ClassId) {
    let world = MeshWorld::new(mesh(rows));
    let settings = SimulationSettings::default();
    let mut simulation = Simulation::new(world, NavLinks::new(3.0), settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    (simulation, class)
}

fn walker(simulation: &mut Simulation<MeshWorld>, class: ClassId, place: Vec3) -> AgentId {
    simulation.add_agent(agent("walker", class, place)).unwrap()
}

/// Parts of the ground come and go.
fn any_ground(mesh: &NavMesh, dice: &mut Dice) -> MeshEdit {
    let mut draft = MeshDraft::new(mesh.vertices().to_vec());
    draft.body_radius = if dice.roll(4) == 0 { 0.0 } else { mesh.body_radius() };
    let share = dice.roll(120);
    for polygon in mesh.polygons() {
        if dice.roll(100) < share {
            draft.push(mesh.corners(polygon), mesh.area(polygon));
        }
    }
    MeshEdit::Ground(MeshGround::new(NavMesh::new(draft).unwrap()))
}

proptest! {
    #![proptest_config(cases(64))]

    /// Nobody walks where there is no ground, whatever comes and goes.
    #[test]
    fn comes_and_goes(grid in any_grid(), agents in 1u32..8, seed: u64) {
        let mut dice = Dice(seed);
        let (world, polygons) = any_mesh(&grid, &mut dice);
        prop_assume!(polygons.len() > 3);
        let (mesh, all) = (world.mesh().clone(), polygons.clone());
        let mut simulation = any_simulation(world, &polygons, agents, 250, &mut dice, |dice| {
            Some(match dice.roll(2) {
                0 => any_ground(&mesh, dice),
                _ => any_mesh_edit(&all, dice),
            })
        });
        audited(&mut simulation, 300, &mut dice)?;
    }

    /// A snapshot forgets ground that is gone, and resumes with the same hash.
    #[test]
    fn is_resumed(grid in any_grid(), agents in 1u32..8, seed: u64, save_at in 0u64..250) {
        let mut dice = Dice(seed);
        let (world, polygons) = any_mesh(&grid, &mut dice);
        prop_assume!(polygons.len() > 3);
        let (mesh, all) = (world.mesh().clone(), polygons.clone());
        let given = world.clone();
        let mut simulation = any_simulation(given, &polygons, agents, 250, &mut dice, |dice| {
            Some(match dice.roll(2) {
                0 => any_ground(&mesh, dice),
                _ => any_mesh_edit(&all, dice),
            })
        });
        let links = simulation.links().clone();
        twins(&mut simulation, world, links, save_at)?;
    }
}

#[test]
fn who_loses_its_ground_waits_and_goes_on() {
    let (mut simulation, class) = simulation(&WHOLE);
    let walker = walker(&mut simulation, class, at(6, 1));
    simulation.order(walker, Order::GoTo(at(11, 1)));
    simulation.schedule(3, Command::Edit(ground(&LEFT)));
    run(&mut simulation, 40);
    let view = simulation.agent(walker).unwrap();
    assert_eq!(view.trouble(), Some(Trouble::BuiltIn));
    let place = view.position();
    assert!(place.x > 6.0 && place.x < 8.0, "{place}");
    simulation.schedule(0, Command::Edit(ground(&WHOLE)));
    run(&mut simulation, 100);
    assert_eq!(simulation.agent(walker).unwrap().position(), at(11, 1));
}

#[test]
fn who_loses_its_ground_is_put_to_the_entry() {
    let (mut simulation, class) = simulation(&WHOLE);
    let walkers = [at(10, 0), at(1, 2)].map(|place| walker(&mut simulation, class, place));
    let edit = ground(&LEFT);
    simulation.schedule(0, Command::Replace { edit, entry: at(2, 1) });
    let happened = run(&mut simulation, 3);
    let displaced = happened.iter().filter_map(|(_, event)| match event {
        Event::Displaced(agent) => Some(*agent),
        _ => None,
    });
    assert_eq!(displaced.collect::<Vec<_>>(), walkers[..1]);
    assert!(simulation.agent(walkers[0]).unwrap().position().x < 4.0);
    assert_eq!(simulation.agent(walkers[1]).unwrap().position(), at(1, 2));
}

#[test]
fn a_path_over_unloaded_ground_ends_with_a_reason_until_it_is_loaded() {
    for (rows, is_off) in [(LEFT, true), (ENDS, false)] {
        let (mut simulation, class) = simulation(&rows);
        let walker = walker(&mut simulation, class, at(1, 1));
        simulation.order(walker, Order::GoTo(at(11, 1)));
        run(&mut simulation, 20);
        let trouble = simulation.agent(walker).unwrap().trouble();
        assert_eq!(trouble == Some(Trouble::NoWay(NoWay::OffMap)), is_off, "{trouble:?}");
        assert!(matches!(trouble, Some(Trouble::NoWay(_))), "{trouble:?}");
        simulation.schedule(0, Command::Edit(ground(&WHOLE)));
        run(&mut simulation, 150);
        assert_eq!(simulation.agent(walker).unwrap().position(), at(11, 1));
    }
}

#[test]
fn a_path_is_broken_where_its_ground_goes() {
    let (mut simulation, class) = simulation(&WHOLE);
    let walker = walker(&mut simulation, class, at(1, 1));
    simulation.order(walker, Order::GoTo(at(11, 1)));
    simulation.schedule(15, Command::Edit(ground(&ENDS)));
    run(&mut simulation, 100);
    let view = simulation.agent(walker).unwrap();
    assert!(view.position().x <= 4.0, "{}", view.position());
    assert!(matches!(view.trouble(), Some(Trouble::NoWay(NoWay::NoPath(_)))));
}

#[test]
fn obstacles_costs_and_danger_outlive_their_ground() {
    let (mut simulation, _) = simulation(&WHOLE);
    let profile = ProfileId::default();
    let cost = MeshEdit::Cost { profile, area: AreaId::WALKABLE, multiplier: Some(2.5) };
    simulation.schedule(0, Command::Edit(cost));
    let shape = Shape::Box { min: Vec3::new(8.0, 0.0, -1.0), max: Vec3::new(9.0, 2.0, 9.0) };
    simulation.schedule(0, Command::Carve { id: CarveId(1), shape });
    let near = Shape::Box { min: Vec3::ZERO, max: Vec3::new(12.0, 1.0, 3.0) };
    simulation.schedule(1, Command::Danger { shape: near, amount: 3.0 });
    simulation.tick();
    simulation.tick();
    let dangers = |simulation: &Simulation<MeshWorld>| {
        let space = simulation.world().mesh().space();
        let known = simulation.links().danger().iter();
        known.map(|known| (space.position(known.state).x > 8.0, known.amount)).collect::<Vec<_>>()
    };
    assert_eq!(dangers(&simulation).len(), 2);
    for rows in [&LEFT, &WHOLE] {
        simulation.schedule(0, Command::Edit(ground(rows)));
        simulation.tick();
        // Danger of the right part was forgotten with it.
        assert_eq!(dangers(&simulation), [(false, 3.0)]);
    }
    let mesh = simulation.world().mesh();
    assert_eq!(mesh.space().count_islands().islands, 2, "the wall stands on the new ground");
    let first = mesh.polygons().next().unwrap();
    assert_eq!(mesh.space().multiplier(first), Some(2.5));
    simulation.schedule(0, Command::Restore { id: CarveId(1) });
    simulation.tick();
    assert_eq!(simulation.world().mesh().space().count_islands().islands, 1);
}

/// Only what differs is looked at again.
#[test]
fn new_ground_changes_where_it_differs() {
    let mut world = MeshWorld::new(mesh(&ENDS));
    let mut affected = Vec::new();
    let edit = ground(&["....####....", "....####....", "....######.."]);
    world.apply(&edit, &mut affected).unwrap();
    assert_eq!(affected.len(), world.mesh().len());
    let touched = world.touched(&affected);
    assert!(!touched.is_empty());
    assert!(touched.iter().all(|bounds| bounds.min.x >= 8.0), "{touched:?}");
    world.apply(&edit, &mut affected).unwrap();
    assert_eq!(world.touched(&affected), []);
}

#[test]
fn ground_is_written_as_a_draft_and_checked() {
    let MeshEdit::Ground(ground) = ground(&WHOLE) else { unreachable!() };
    let text = serde_json::to_string(&ground).unwrap();
    assert_eq!(serde_json::from_str::<MeshGround>(&text).unwrap(), ground);
    let forged = text.replace("\"ends\":[4]", "\"ends\":[2]");
    assert_ne!(forged, text);
    let error = serde_json::from_str::<MeshGround>(&forged).unwrap_err();
    assert!(error.to_string().contains("corners"), "{error}");
}

/// Pieces of a cut mesh that touch at a point have a vertex each there, and share one when read.
#[test]
fn cut_ground_is_the_same_when_it_is_read() {
    let cut = |x: f32, z: f32| {
        let corners = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0]];
        let corners = corners.map(|[dx, dz]| Vec3::new(x + dx, 0.0, z + dz));
        let prism = Prism::over(&corners, -1.0, 1.0).unwrap();
        Carving { prism, ground: CarvedGround::Blocked }
    };
    let ground = MeshGround::new(mesh(&["....", "...."]).carved(&[cut(0.0, -1.0), cut(2.0, 1.0)]));
    let text = serde_json::to_string(&ground).unwrap();
    let read = serde_json::from_str::<MeshGround>(&text).unwrap();
    assert_ne!(read.mesh(), ground.mesh());
    assert_eq!(read, ground);
    assert_eq!(format!("{read:?}"), format!("{ground:?}"));
}

#[test]
fn a_snapshot_holds_the_last_ground_alone() {
    let (mut simulation, _) = simulation(&WHOLE);
    let area = AreaId(3);
    for rows in [&LEFT, &ENDS, &WHOLE] {
        simulation.schedule(0, Command::Edit(ground(rows)));
        simulation.tick();
        let polygon = simulation.world().mesh().polygons().next().unwrap();
        simulation.schedule(0, Command::Edit(MeshEdit::Area { polygon, area }));
        simulation.tick();
    }
    let text = serde_json::to_string(&simulation.save()).unwrap();
    assert_eq!(text.matches("\"ground\"").count(), 1, "{text}");
    assert_eq!(text.matches("\"area\":{").count(), 1, "{text}");
}
