//! Rows of worlds with puzzles are walked: by the agent that solves them, and by those that follow
//! it.

use wayfare_formats::MemoryFiles;
use wayfare_generate::{Arrangement, Generated, Kinds, Lineup, Manager, Reset, Seed, TimedReset};
use wayfare_scene::scene::{self, Spot};
use wayfare_scene::{Staged, Staging, World};
use wayfare_sim::simulation::{Audit, Event, PuzzlePhase};

/// A row that agents walk through.
struct Row {
    lineup: Lineup,
    worlds: Vec<Generated>,
    arrangement: Arrangement,
}

impl Row {
    fn new(kinds: &[&str], count: u64, seed: u64) -> Self {
        let names = kinds.iter().map(|kind| (*kind).to_owned()).collect();
        let (seed, columns) = (Seed(seed), Some(count as u32));
        let lineup = Lineup { count, kinds: names, columns, seed, ..Lineup::default() };
        let worlds: Vec<Generated> =
            (0..count).map(|number| lineup.generate(number, &Kinds::standard()).unwrap()).collect();
        let arrangement = Arrangement::new(&worlds, &lineup).unwrap();
        Self { lineup, worlds, arrangement }
    }

    /// Plays it, with resets: seconds, the index of a world, and its new seed. Returns the count of
    /// agents that began again, or what is wrong at the end.
    fn play(&self, walkers: u32, resets: &[(f32, usize, u64)]) -> Result<usize, String> {
        let mut timed: Vec<TimedReset> = Vec::new();
        for &(seconds, number, seed) in resets {
            let (row, worlds) = match timed.last() {
                Some(last) => (&last.reset.arrangement, &last.reset.worlds),
                None => (&self.arrangement, &self.worlds),
            };
            let kinds = Kinds::standard();
            let reset = Reset::new(row, worlds, number, Seed(seed), &self.lineup, &kinds);
            timed.push(TimedReset { seconds, reset: reset.map_err(|error| error.to_string())? });
        }
        let document = self.arrangement.show("row", String::new(), walkers, &timed);
        let World::Scene(document) = document.map_err(|error| error.to_string())? else {
            return Err("no scene".to_owned());
        };
        let exit = document.places.iter().find(|place| place.name == "exit").expect("an exit");
        let Spot::Cell([x, y]) = exit.at else { return Err("the exit is no cell".to_owned()) };
        let text = scene::write(&document).map_err(|error| error.to_string())?;
        let files = MemoryFiles::new().with("row.toml", text.into_bytes());
        let staging = Staging::open_from("row.toml", &files, None);
        let Staging::Grid(mut staged) = staging.map_err(|error| error.to_string())? else {
            return Err("no grid".to_owned());
        };
        let goal = glam::Vec3::new(x as f32 + 0.5, 0.0, y as f32 + 0.5);
        let last = resets.iter().map(|reset| reset.0).fold(0.0, f32::max);
        let mut audit = Audit::new();
        let mut displaced = 0;
        // Several times as long as a walk on empty ground takes.
        for _ in 0..4 * staged.ticks {
            let events = &staged.tick().events;
            displaced += events
                .iter()
                .filter(|event| matches!(event, Event::Displaced(_) | Event::Warped(_)))
                .count();
            let failed = events.iter().find(|event| matches!(event, Event::Failed(_)));
            if let Some(failed) = failed {
                return Err(format!("{failed:?}"));
            }
            audit.check(&staged.simulation).map_err(|fault| fault.to_string())?;
            let is_over = staged.simulation.seconds() > f64::from(last);
            if is_over && is_through(&staged, goal) {
                return Ok(displaced);
            }
        }
        Err(state(&staged))
    }
}

/// Returns whether all agents are at the exit, or near the one that is.
fn is_through(staged: &Staged<wayfare_grid::grid::Grid>, goal: glam::Vec3) -> bool {
    staged.simulation.puzzles().all(|puzzle| puzzle.phase == PuzzlePhase::Solved)
        && staged.simulation.agents().all(|agent| agent.position().distance(goal) < 4.0)
}

fn state(staged: &Staged<wayfare_grid::grid::Grid>) -> String {
    let puzzles = staged.simulation.puzzles().zip(&staged.scene.puzzles).map(|(view, puzzle)| {
        let why = view.unsolved.map(ToString::to_string).unwrap_or_default();
        let next = view.next.map(|deed| view.spec.puzzle.tell(deed));
        format!("{}: {:?} {next:?} {why}", puzzle.name, view.phase)
    });
    let agents = staged
        .simulation
        .agents()
        .map(|agent| format!("{} at {}: {}", agent.name(), agent.position(), agent.text()));
    puzzles.chain(agents).collect::<Vec<_>>().join("\n")
}

const HALLS: [&str; 4] = ["heavy-door", "hook", "platform", "dungeon"];

#[test]
fn a_reset_replaces_ground_and_parts_under_the_agents() {
    let mut displaced = 0;
    for (number, kind) in HALLS.iter().enumerate() {
        for seed in 0..3 {
            // In the midst of the hall, before it, and once all are through.
            let seconds = [12.0, 0.0, 100.0][seed as usize];
            let row = Row::new(&[kind, "heavy-door"], 2, 10 * seed + number as u64);
            let played = row.play(2, &[(seconds, 0, 1000 + seed)]);
            displaced += played.unwrap_or_else(|state| panic!("{kind}, seed {seed}:\n{state}"));
        }
    }
    assert!(displaced > 12, "{displaced}");
}

#[test]
fn a_row_is_reset_again_and_again() {
    let row = Row::new(&["heavy-door", "hook"], 2, 3);
    row.play(2, &[(8.0, 0, 1), (30.0, 0, 2), (70.0, 1, 3)]).unwrap();
}

#[test]
fn dungeons_and_halls_in_a_row_are_walked() {
    for seed in 0..4 {
        let row = Row::new(&["dungeon", "heavy-door"], 2, seed);
        row.play(2, &[]).unwrap_or_else(|state| panic!("seed {seed}:\n{state}"));
    }
}

/// Plays rows of one and two worlds with walkers. Returns those that are not walked through.
fn stuck(seeds: std::ops::Range<u64>) -> Vec<String> {
    let stuck = seeds.filter_map(|seed| {
        let kinds = [HALLS[seed as usize % 4], HALLS[seed as usize / 4 % 4]];
        let kinds = &kinds[..1 + seed as usize / 2 % 2];
        let row = Row::new(kinds, kinds.len() as u64, seed);
        let played = row.play(2 + seed as u32 % 5, &[]);
        played.err().map(|state| format!("{kinds:?}, seed {seed}:\n{state}"))
    });
    stuck.collect()
}

#[test]
fn followers_give_way_to_the_deeds_of_puzzles() {
    let stuck = stuck(0..32);
    assert!(stuck.is_empty(), "{} rows:\n{}", stuck.len(), stuck.join("\n\n"));
}

/// As above, with more rows: `cargo test -p wayfare-generate --test played -- --ignored`.
#[test]
#[ignore = "a thousand rows take minutes"]
fn followers_give_way_in_a_thousand_rows() {
    let stuck = stuck(32..1032);
    assert!(stuck.is_empty(), "{} rows:\n{}", stuck.len(), stuck.join("\n\n"));
}
