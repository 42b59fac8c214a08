//! A game: units are ordered about while buildings go up between them. Nobody comes into anybody,
//! and all get where they are sent.

use glam::Vec3;
use wayfare_core::link::{Keys, NavLinks};
use wayfare_core::space::TerrainId;
use wayfare_grid::grid::{Cell, Grid, GridProfile};
use wayfare_sim::agent::{AgentId, AgentLimits, Order};
use wayfare_sim::simulation::{
    Audit, CarveId, Command, Overlap, Shape, Simulation, SimulationSettings,
};

use crate::dice::Dice;
use crate::support::{POLITE, agent};

/// Land with pillars on every thirtieth cell.
fn land(side: u32, dice: &mut Dice) -> Grid {
    let cells = 0..side * side;
    let ground = cells.map(|_| match dice.roll(30) {
        0 => TerrainId::BLOCKED,
        _ => TerrainId::GROUND,
    });
    let ground: Vec<TerrainId> = ground.collect();
    Grid::new(side, side, &ground, GridProfile::default()).unwrap()
}

/// Rooms of 15 by 15 cells, with a door 3 wide in each wall between two of them.
fn rooms(side: u32, dice: &mut Dice) -> Grid {
    let is_wall = |at: u32| at % 16 == 15;
    let mut ground: Vec<TerrainId> = (0..side * side)
        .map(|at| match is_wall(at % side) || is_wall(at / side) {
            true => TerrainId::BLOCKED,
            false => TerrainId::GROUND,
        })
        .collect();
    for room in 0..(side / 16) * (side / 16) {
        let (column, row) = (room % (side / 16) * 16, room / (side / 16) * 16);
        let (east, south) = (dice.roll(12), dice.roll(12));
        for cell in 0..3 {
            let doors = [(column + 15, row + east + cell), (column + south + cell, row + 15)];
            for (x, y) in doors.into_iter().filter(|&(x, y)| x + 1 < side && y + 1 < side) {
                ground[(y * side + x) as usize] = TerrainId::GROUND;
            }
        }
    }
    Grid::new(side, side, &ground, GridProfile::default()).unwrap()
}

/// The end of a game.
#[derive(Debug)]
struct Played {
    /// The deepest overlap, as a share of the radii.
    deepest: Option<(f32, Overlap)>,
    /// Those who are still on their way in the end.
    late: Vec<AgentId>,
}

/// Plays so many seconds of orders and buildings, and then `rest` of neither.
fn play(
    (side, land): (u32, fn(u32, &mut Dice) -> Grid),
    units: u32,
    (seconds, rest): (u64, u64),
    seed: u64,
) -> Played {
    let mut dice = Dice(seed);
    let grid = land(side, &mut dice);
    let settings = SimulationSettings { seed, ..SimulationSettings::default() };
    let mut simulation = Simulation::new(grid, NavLinks::new(3.0), settings).unwrap();
    let class = simulation.add_class(Default::default(), Keys::NONE).unwrap();
    let free = |simulation: &Simulation<Grid>, dice: &mut Dice| loop {
        let grid = simulation.world();
        let cell: Option<Cell> = grid.cell(dice.roll(side), dice.roll(side));
        if let Some(cell) = cell.filter(|&cell| grid.space().is_free(cell)) {
            return grid.centre(cell);
        }
    };
    while simulation.agents().count() < units as usize {
        let place = free(&simulation, &mut dice);
        if simulation.agents().all(|other| other.position().distance(place) > 0.9) {
            let spec = agent("unit", class, place).avoidance(POLITE);
            let limits = AgentLimits { radius: 0.4, ..spec.limits };
            simulation.add_agent(spec.limits(limits)).unwrap();
        }
    }
    let second = (1.0 / simulation.settings().tick_seconds).round() as u64;
    let (mut audit, mut goals) = (Audit::new(), vec![None; units as usize]);
    for tick in 0..(seconds + rest) * second {
        if tick < seconds * second {
            for number in 0..units {
                // About every tenth second for each.
                if dice.roll(10 * second as u32) == 0 {
                    let to = free(&simulation, &mut dice);
                    goals[number as usize] = Some(to);
                    simulation.order(AgentId(number), Order::GoTo(to));
                }
            }
            if tick % second == 0 {
                let foot = free(&simulation, &mut dice);
                let half = Vec3::new(1.5, 1.0, 1.5);
                let is_free = |at: Vec3| (at - foot).abs().max_element() > 2.5;
                let is_clear = simulation.agents().all(|unit| is_free(unit.position()))
                    && goals.iter().flatten().all(|&goal| is_free(goal));
                if is_clear {
                    let shape = Shape::Box { min: foot - half, max: foot + half };
                    simulation.schedule(tick, Command::Carve { id: CarveId(tick as u32), shape });
                }
            }
        }
        simulation.tick();
        audit.check(&simulation).unwrap();
    }
    let share = |overlap: Overlap| (overlap.depth / 0.8, overlap);
    let deepest = audit.overlaps().map(share).max_by(|a, b| a.0.total_cmp(&b.0));
    let late = simulation.agents().filter(|unit| unit.orders().len() > 0).map(|unit| unit.id());
    let late = late.collect();
    Played { deepest, late }
}

#[test]
fn nobody_runs_over_anybody_where_buildings_go_up() {
    let played = play((512, land), 1000, (20, 0), 1);
    assert!(played.deepest.is_none(), "{played:?}");
}

#[test]
fn all_units_arrive_in_the_end() {
    let played = play((128, land), 150, (60, 150), 2);
    assert!(played.deepest.is_none() && played.late.is_empty(), "{played:?}");
}

/// Streams that meet in doors let each other pass, sixteen units to a room.
#[test]
fn units_in_rooms_do_not_stand_in_doors_for_ever() {
    let played = play((64, rooms), 250, (30, 90), 3);
    assert!(played.deepest.is_none() && played.late.is_empty(), "{played:?}");
}

/// As large as a game is, and as long as one lasts.
#[test]
#[ignore = "takes a minute"]
fn a_thousand_units_among_buildings() {
    let mut late = 0;
    for seed in 0..3 {
        let played = play((512, land), 1000, (180, 240), seed);
        assert!(played.deepest.is_none(), "{seed}: {played:?}");
        late += played.late.len();
    }
    // One stands before a gap as wide as itself, in which another one stands.
    assert!(late <= 1, "{late}");
}
