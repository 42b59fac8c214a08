//! A simulation that is saved and resumed, at any tick, goes on as if nothing had been.

use proptest::prelude::*;
use wayfare::link::NavLinks;
use wayfare::prelude::*;
use wayfare::simulation::{Environment, GridEdit, RestoreError, Simulation, SnapshotOf};

use crate::anything::{Dice, any_blocks, any_cells, any_graph, any_simulation};
use crate::grids::any_grid;

/// Runs `ticks` ticks; after `save_at` of them another goes on from a snapshot in text, beside the first.
fn twins<W>(
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
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

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
        let links = simulation.links().clone();
        twins(&mut simulation, grid, links, save_at)?;
    }

    #[test]
    fn on_waypoints(agents in 1u32..8, seed: u64, save_at in 0u64..250) {
        let mut dice = Dice(seed);
        let graph = any_graph(&mut dice);
        let states: Vec<_> = graph.ids().collect();
        let mut simulation = any_simulation(graph.clone(), &states, agents, 250, &mut dice, |_| None);
        let links = simulation.links().clone();
        twins(&mut simulation, graph, links, save_at)?;
    }

    #[test]
    fn among_blocks(agents in 1u32..6, seed: u64, save_at in 0u64..200) {
        let mut dice = Dice(seed);
        let (world, states) = any_blocks(&mut dice);
        let mut simulation = any_simulation(world.clone(), &states, agents, 200, &mut dice, |_| None);
        let links = simulation.links().clone();
        twins(&mut simulation, world, links, save_at)?;
    }
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
    assert!(matches!(restore(&changed), Err(RestoreError::Hash { .. })));
    let dangling = text.replacen("\"goal\":", "\"goal\":99999,\"_\":", 1);
    assert!(
        matches!(restore(&dangling), Err(RestoreError::Dangling("states"))),
        "{:?}",
        restore(&dangling).err()
    );
    let snapshot: SnapshotOf<Grid> = serde_json::from_str(&text).unwrap();
    assert!(
        matches!(
            Simulation::restore(grid.clone(), NavLinks::new(3.0), snapshot),
            Err(RestoreError::Links { .. })
        ) || links.is_empty()
    );
}
