//! Scenarios are reset under their agents.

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::space::ProfileId;
use wayfare_generate::{Arrangement, Generated, Kinds, Lineup, Manager, Reset, Seed};
use wayfare_grid::grid::{Cell, GridProfile};
use wayfare_sim::agent::Order;
use wayfare_sim::simulation::{AgentSpec, Audit, Event, Simulation, SimulationSettings};

fn lineup(seed: u64) -> (Lineup, Vec<Generated>, Kinds) {
    let kinds = Kinds::standard();
    let names = ["caves", "maze", "city", "islands"].map(str::to_owned);
    let seed = Seed(seed);
    let lineup = Lineup { count: 4, kinds: names.into(), spacing: 6, seed, ..Lineup::default() };
    let worlds = (0..4).map(|number| lineup.generate(number, &kinds).unwrap()).collect();
    (lineup, worlds, kinds)
}

#[test]
fn agents_go_on_where_a_scenario_is_reset() {
    let mut displaced = 0;
    for seed in 0..3 {
        let (lineup, mut worlds, kinds) = lineup(seed);
        let mut row = Arrangement::new(&worlds, &lineup).unwrap();
        let map = row.scene.draft.to_map("row").unwrap();
        let profile = GridProfile { costs: map.cost_table(), ..GridProfile::default() };
        let grid = map.to_grid(profile).unwrap();
        let links = NavLinks::new(3.0);
        let mut simulation = Simulation::new(grid, links, SimulationSettings::default()).unwrap();
        let class = simulation.add_class(ProfileId::default(), Keys::NONE).unwrap();
        let exit = row.scene.exit_tile();
        let goal = simulation.world().cell(exit.x, exit.y).unwrap();
        let goal = simulation.world().centre(goal);
        let free: Vec<Cell> = simulation.world().cells().collect();
        let space = simulation.world().space();
        let free: Vec<Vec3> = free
            .into_iter()
            .filter(|cell| space.is_free(*cell))
            .step_by(97)
            .map(|cell| simulation.world().centre(cell))
            .collect();
        let agents: Vec<_> = (0..)
            .zip(free)
            .map(|(number, at)| {
                let spec = AgentSpec::new(format!("walker {number}"), class, at);
                simulation.add_agent(spec).unwrap()
            })
            .collect();
        for agent in &agents {
            simulation.order(*agent, Order::GoTo(goal));
        }
        let mut audit = Audit::new();
        let untouched = row.parts[0].area;
        for tick in 0..300 {
            if tick % 40 == 39 {
                let number = 1 + (tick / 40) % 3;
                let seed = Seed(1000 + tick as u64);
                let reset = Reset::new(&row, &worlds, number, seed, &lineup, &kinds).unwrap();
                let is_first = |x: u32, y: u32| {
                    (untouched.x..untouched.right()).contains(&x)
                        && (untouched.y..untouched.bottom()).contains(&y)
                };
                assert!(reset.changes.iter().all(|change| !is_first(change.at.x, change.at.y)));
                assert!(!reset.changes.is_empty());
                reset.arrangement.prove().unwrap();
                let command = reset.command(simulation.world());
                simulation.schedule(simulation.now(), command);
                (worlds, row) = (reset.worlds, reset.arrangement);
            }
            simulation.tick();
            audit.check(&simulation).unwrap();
            let events = &simulation.events().events;
            displaced += events.iter().filter(|event| matches!(event, Event::Displaced(_))).count();
            for agent in simulation.agents() {
                let cell = simulation.world().cell_at(agent.position()).unwrap();
                assert!(simulation.world().space().is_free(cell), "{}", agent.text());
            }
        }
        // The world is the one that the arrangement says.
        let after = row.scene.draft;
        for (tile, ground) in after.tiles().iter().enumerate() {
            let (x, y) = (tile as u32 % after.width(), tile as u32 / after.width());
            let cell = simulation.world().cell(x, y).unwrap();
            assert_eq!(simulation.world().terrain(cell), ground.terrain());
        }
    }
    assert!(displaced > 50, "{displaced}");
}

#[test]
fn resets_that_cannot_be_are_refused() {
    let (lineup, worlds, kinds) = lineup(1);
    let row = Arrangement::new(&worlds, &lineup).unwrap();
    let reset = Reset::new(&row, &worlds, 4, Seed(1), &lineup, &kinds);
    let error = reset.unwrap_err().to_string();
    assert!(error.contains("there is no scenario 4 of 4"), "{error}");
}
