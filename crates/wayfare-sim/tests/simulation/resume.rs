//! A simulation that is saved and resumed, at any tick, goes on as if nothing had been.

use proptest::prelude::*;
use wayfare_core::link::{Crossing, Keys, NavLink, NavLinks};
use wayfare_core::space::TerrainId;
use wayfare_grid::grid::{Cell, Grid};
use wayfare_sim::agent::Order;
use wayfare_sim::simulation::{
    Command, Environment, GridEdit, RestoreError, Simulation, SimulationSettings, SnapshotOf,
};

use crate::anything::{
    any_block_edit, any_blocks, any_cells, any_graph, any_mesh, any_mesh_edit, any_simulation,
    any_warps, any_waypoint_edit, cases,
};
use crate::dice::Dice;
use crate::grids::any_grid;
use crate::support::{agent, at, on_grid};

/// Runs `ticks` ticks; after `save_at` of them another goes on from a snapshot in text, beside the
/// first.
pub(crate) fn twins<W>(
    simulation: &mut Simulation<W>,
    world: W,
    links: NavLinks<W::State>,
    save_at: u64,
) -> Result<(), TestCaseError>
where
    W: Environment,
    SnapshotOf<W>: serde::Serialize + serde::de::DeserializeOwned,
{
    for _ in 0..save_at {
        simulation.tick();
    }
    let text = serde_json::to_string(&simulation.save()).unwrap();
    let snapshot: SnapshotOf<W> = serde_json::from_str(&text).unwrap();
    let mut other = match Simulation::restore(world, links, snapshot) {
        Ok(other) => other,
        Err(fault) => return Err(TestCaseError::fail(fault.to_string())),
    };
    for tick in 0..80 {
        let happened = simulation.tick().clone();
        prop_assert_eq!(&happened, other.tick(), "{} ticks later", tick);
        prop_assert_eq!(simulation.hash(), other.hash(), "{} ticks later", tick);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(48))]

    #[test]
    fn on_grids(grid in any_grid(), agents in 1u32..8, seed: u64, save_at in 0u64..250) {
        let mut dice = Dice(seed);
        let states = any_cells(&grid);
        prop_assume!(states.len() > 3);
        let cells: Vec<Cell> = states.clone();
        let mut simulation = any_simulation(grid.clone(), &states, agents, 250, &mut dice, |dice| {
            let cells = vec![cells[dice.roll(cells.len() as u32) as usize]];
            Some(GridEdit::Terrain { cells, terrain: [TerrainId(0), TerrainId(1), TerrainId::BLOCKED][dice.roll(3) as usize] })
        });
        any_warps(&mut simulation, &states, 250, Dice(!seed));
        let links = simulation.links().clone();
        twins(&mut simulation, grid, links, save_at)?;
    }

    #[test]
    fn on_waypoints(agents in 1u32..8, seed: u64, save_at in 0u64..250) {
        let mut dice = Dice(seed);
        let graph = any_graph(&mut dice);
        let states: Vec<_> = graph.ids().collect();
        let count = states.len() as u32;
        let mut simulation = any_simulation(graph.clone(), &states, agents, 250, &mut dice, |dice| Some(any_waypoint_edit(count, dice)));
        any_warps(&mut simulation, &states, 250, Dice(!seed));
        let links = simulation.links().clone();
        twins(&mut simulation, graph, links, save_at)?;
    }

    #[test]
    fn on_meshes(grid in any_grid(), agents in 1u32..8, seed: u64, save_at in 0u64..250) {
        let mut dice = Dice(seed);
        let (world, polygons) = any_mesh(&grid, &mut dice);
        prop_assume!(polygons.len() > 3);
        let all = polygons.clone();
        let mut simulation = any_simulation(world.clone(), &polygons, agents, 250, &mut dice, |dice| Some(any_mesh_edit(&all, dice)));
        any_warps(&mut simulation, &polygons, 250, Dice(!seed));
        let links = simulation.links().clone();
        twins(&mut simulation, world, links, save_at)?;
    }

    #[test]
    fn among_blocks(agents in 1u32..6, seed: u64, save_at in 0u64..200) {
        let mut dice = Dice(seed);
        let (world, states) = any_blocks(&mut dice);
        let mut simulation = any_simulation(world.clone(), &states, agents, 200, &mut dice, |dice| Some(any_block_edit(dice)));
        any_warps(&mut simulation, &states, 200, Dice(!seed));
        let links = simulation.links().clone();
        twins(&mut simulation, world, links, save_at)?;
    }
}

/// Two cases that were refused: an agent that is taken away inside a link, and a region that was
/// held to be closed although an edit far away had opened a link into it.
#[test]
fn what_happens_at_links_can_be_saved() {
    for (agents, seed, save_at) in
        [(4, 18_184_096_251_728_565_274, 141), (4, 5_433_107_388_831_654_242, 130)]
    {
        let mut dice = Dice(seed);
        let (world, states) = any_blocks(&mut dice);
        let mut simulation =
            any_simulation(world.clone(), &states, agents, 200, &mut dice, |_| None);
        let links = simulation.links().clone();
        twins(&mut simulation, world, links, save_at).unwrap();
    }
}

/// An agent that is put elsewhere while it waits for a link leaves its queue.
#[test]
fn who_is_put_elsewhere_waits_no_more() {
    let mut dice = Dice(10_140_450_700_132_266_563);
    let seed = dice.0;
    let graph = any_graph(&mut dice);
    let states: Vec<_> = graph.ids().collect();
    let count = states.len() as u32;
    let edit = |dice: &mut Dice| Some(any_waypoint_edit(count, dice));
    let mut simulation = any_simulation(graph.clone(), &states, 1, 250, &mut dice, edit);
    any_warps(&mut simulation, &states, 250, Dice(!seed));
    let links = simulation.links().clone();
    twins(&mut simulation, graph, links, 2).unwrap();
}

/// Two worlds that differ in one block hash differently; one that was edited and mended hashes as
/// the one that never was.
#[test]
fn the_hash_covers_the_world_and_not_its_history() {
    use wayfare_sim::simulation::{CarveId, Command, Shape};
    let run = |blocks: &[(u64, Option<f32>)]| {
        let grid = Grid::from_rows(&[".........."; 6]).unwrap();
        let settings = wayfare_sim::simulation::SimulationSettings::default();
        let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings).unwrap();
        for &(tick, edge) in blocks {
            let id = CarveId(1);
            let command = match edge {
                Some(z) => {
                    let (min, max) = (glam::Vec3::new(6.0, 0.0, z), glam::Vec3::new(9.0, 1.0, 5.0));
                    Command::Carve { id, shape: Shape::Box { min, max } }
                }
                None => Command::Restore { id },
            };
            simulation.schedule(tick, command);
        }
        (0..10).for_each(|_| {
            simulation.tick();
        });
        simulation.hash()
    };
    assert_ne!(run(&[(1, Some(3.0))]), run(&[(1, Some(4.0))]));
    assert_ne!(run(&[(1, Some(3.0))]), run(&[]));
    assert_eq!(run(&[(1, Some(3.0)), (2, None)]), run(&[]));
    assert_eq!(run(&[(1, Some(3.0)), (2, None), (4, Some(4.0))]), run(&[(1, Some(4.0))]));
    let painted = |edits: &[(Cell, TerrainId)]| {
        let grid = Grid::from_rows(&[".........."; 6]).unwrap();
        let settings = wayfare_sim::simulation::SimulationSettings::default();
        let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings).unwrap();
        for &(cell, terrain) in edits {
            simulation.schedule(0, Command::Edit(GridEdit::Terrain { cells: vec![cell], terrain }));
        }
        simulation.tick();
        simulation.hash()
    };
    let grid = Grid::from_rows(&[".........."; 6]).unwrap();
    let cells = [(3, 3), (4, 3)].map(|(x, y)| grid.cell(x, y).unwrap());
    let [one, other] = cells.map(|cell| (cell, TerrainId::BLOCKED));
    assert_ne!(painted(&[one]), painted(&[other]));
    assert_eq!(painted(&[one, other]), painted(&[other, one]));
    assert_eq!(painted(&[one, (one.0, TerrainId::GROUND)]), painted(&[]));
}

#[test]
fn another_world_or_a_changed_snapshot_is_refused() {
    let mut dice = Dice(5);
    let grid = Grid::from_rows(&["..........", "..........", ".........."]).unwrap();
    let states = any_cells(&grid);
    let mut simulation = any_simulation(grid.clone(), &states, 5, 50, &mut dice, |_| None);
    let links = simulation.links().clone();
    for _ in 0..100 {
        simulation.tick();
    }
    let text = serde_json::to_string(&simulation.save()).unwrap();
    let restore = |text: &str| {
        let snapshot: SnapshotOf<Grid> = serde_json::from_str(text).unwrap();
        Simulation::restore(grid.clone(), links.clone(), snapshot)
    };
    assert!(restore(&text).is_ok());
    let changed = text.replacen("\"now\":100", "\"now\":101", 1);
    assert!(matches!(restore(&changed), Err(RestoreError::Changed)));
    let dangling = text.replacen("\"goal\":", "\"goal\":99999,\"_\":", 1);
    assert!(matches!(restore(&dangling), Err(RestoreError::Changed)));
    let snapshot: SnapshotOf<Grid> = serde_json::from_str(&text).unwrap();
    assert!(
        matches!(
            Simulation::restore(grid.clone(), NavLinks::new(3.0), snapshot),
            Err(RestoreError::Links { .. })
        ) || links.is_empty()
    );
}

#[test]
fn an_agent_that_was_taken_away_inside_a_link_does_not_stop_a_restore() {
    let (plain, _) = on_grid(&["...#..."]);
    let grid = plain.world().clone();
    let (from, to) = (grid.cell(2, 0).unwrap(), grid.cell(4, 0).unwrap());
    let mut links = NavLinks::new(3.0);
    links.add(&grid.space(), NavLink::new(from, to, Crossing::Seconds(5.0))).unwrap();
    let settings = SimulationSettings::default();
    let mut simulation = Simulation::new(grid.clone(), links.clone(), settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let walker = simulation.add_agent(agent("walker", class, at(0, 0))).unwrap();
    simulation.order(walker, Order::GoTo(at(6, 0)));
    while simulation.agent(walker).unwrap().inside().is_none() {
        simulation.tick();
    }
    simulation.schedule(simulation.now() + 20, Command::Remove(walker));
    (0..30).for_each(|_| {
        simulation.tick();
    });
    let restored = Simulation::restore(grid, links, simulation.save()).map(|other| other.hash());
    assert_eq!(restored, Ok(simulation.hash()));
}

/// Cases that were refused: bodies had left their rails where floors meet at different heights, and
/// came back by legs straight up and down; or what was left of a way grazed a corner.
#[test]
fn ways_back_over_edges_of_floors_can_be_saved() {
    let cases = [
        (&["1", "0"][..], 4, 17_301_766_053_043_991_135, 49),
        (&["##00", "#1#0", "000#", "###0", "#031"][..], 2, 6_165_404_608_396_115_445, 151),
        (&["103#20##", "0132000#", "20011022", "10100101"][..], 5, 2_474_329_405_340_618_902, 107),
        (&["0320#00", "1#20003", "0101000"][..], 6, 6_434_202_914_931_011_779, 100),
        (&["0#", "01", "20", "20", "01"][..], 6, 149_938_013_620_345_310, 175),
        (
            &[
                "0#10200##0",
                "10222#1000",
                "#1#20#001#",
                "0300#0##00",
                "0210210022",
                "12#0002100",
                "00010100#0",
                "#010000001",
                "022#0#000#",
            ][..],
            4,
            17_836_124_894_261_719_354,
            155,
        ),
        (
            &["#00", "02#", "21#", "010", "10#", "000", "#00", "00#"][..],
            7,
            5_882_107_051_421_605_583,
            157,
        ),
        (&["0", "#", "1", "0", "0", "#", "0"][..], 5, 10_828_341_641_867_113_943, 192),
    ];
    for (rows, agents, seed, save_at) in cases {
        let ids = rows.iter().flat_map(|row| row.bytes());
        let terrain: Vec<TerrainId> = ids
            .map(|id| if id == b'#' { TerrainId::BLOCKED } else { TerrainId(id - b'0') })
            .collect();
        let (width, height) = (rows[0].len() as u32, rows.len() as u32);
        let grid = Grid::new(width, height, &terrain, Default::default()).unwrap();
        let mut dice = Dice(seed);
        let (world, all) = any_mesh(&grid, &mut dice);
        let mut simulation = any_simulation(world.clone(), &all, agents, 250, &mut dice, |dice| {
            Some(any_mesh_edit(&all, dice))
        });
        let links = simulation.links().clone();
        twins(&mut simulation, world, links, save_at).unwrap();
    }
}
