//! Proofs of worlds with puzzles: each is solved from its start to its goal, and the paths in
//! between are walked.

use wayfare_formats::TilePosition;
use wayfare_grid::grid::GridProfile;
use wayfare_puzzle::{Deed, PuzzleOutcome};
use wayfare_scene::scene::{Scene, Spot};

use crate::proof::{leg, measure};
use crate::{Ground, Promise, Proof, Statistic, TileScene};

/// Solves the puzzles in order. A puzzle that is promised to have no solution is proved to have
/// none: the search looks at all that can be done.
pub(crate) fn of_puzzles(scene: &TileScene, promises: &[Promise]) -> Result<Proof, String> {
    let say = |error: &dyn std::fmt::Display| error.to_string();
    let map = scene.draft.to_map("proof").map_err(|error| say(&error))?;
    let profile = GridProfile { costs: map.cost_table(), ..GridProfile::default() };
    let grid = map.to_grid(profile).map_err(|error| say(&error))?;
    let mut document = Scene::new("proof");
    document.puzzles.clone_from(&scene.puzzles);
    let puzzles = document.puzzles_on(&grid).map_err(|error| say(&error))?;
    // The paths between puzzles cross none: their gates and crates are walls to them.
    let mut between = scene.clone();
    let gates = scene.puzzles.iter().flat_map(|puzzle| &puzzle.gates);
    let crates = scene.puzzles.iter().flat_map(|puzzle| &puzzle.crates);
    for [x, y] in gates.flat_map(|gate| &gate.cells).chain(crates.map(|one| &one.at)) {
        between.draft.set(*x, *y, Ground::Wall);
    }
    let has_none = promises
        .iter()
        .any(|promise| promise.statistic == Statistic::Solvable && promise.range.high == 0.0);
    let mut proof = Proof::default();
    let [mut expanded, mut states, mut dead, mut deeds, mut moves] = [0.0f32; 5];
    let mut at = scene.entry_tile();
    for (puzzle, staged) in scene.puzzles.iter().zip(&puzzles) {
        let Spot::Cell([x, y]) = puzzle.start else { return Err("a start is no cell".to_owned()) };
        leg(&between, at, TilePosition { x, y }, &mut proof)?;
        let answer = staged.puzzle.solve(&staged.query());
        expanded += answer.stats.expanded as f32;
        states += answer.stats.states as f32;
        dead += answer.stats.dead_ends as f32;
        match answer.outcome {
            PuzzleOutcome::NoPlan(reason) if has_none => proof.plan.push(reason.to_string()),
            PuzzleOutcome::Found(_) if has_none => {
                return Err(format!("{} can be solved, but is not to be", puzzle.name));
            }
            PuzzleOutcome::Found(plan) => {
                let judged = staged.puzzle.judge(&staged.query(), &plan);
                judged.map_err(|fault| format!("{}: {fault}", puzzle.name))?;
                proof.length += plan.walked() as f32;
                for step in &plan.steps {
                    let cells = step.walk.iter().map(|cell| grid.coordinates(*cell));
                    proof.path.extend(cells.map(|at| [at.x, 0, at.y]));
                    if step.deed != Deed::Arrive {
                        proof.plan.push(staged.puzzle.tell(step.deed));
                        deeds += 1.0;
                    }
                }
                moves += plan.walked() as f32;
            }
            PuzzleOutcome::NoPlan(reason) => {
                return Err(format!("{} cannot be solved: {reason}", puzzle.name));
            }
            other => return Err(format!("{}: {other:?}", puzzle.name)),
        }
        let Spot::Cell([x, y]) = puzzle.goal else { return Err("a goal is no cell".to_owned()) };
        at = TilePosition { x, y };
    }
    leg(&between, at, scene.exit_tile(), &mut proof)?;
    proof.path.dedup();
    let switches = scene.puzzles.iter().map(|puzzle| {
        puzzle.levers.len() + puzzle.plates.len() + puzzle.keys.len() + puzzle.hooks.len()
    });
    proof.statistics = vec![
        (Statistic::Solvable, if has_none { 0.0 } else { 1.0 }),
        (Statistic::Moves, moves),
        (Statistic::Deeds, deeds),
        (Statistic::Switches, switches.sum::<usize>() as f32),
        (Statistic::DeadStates, dead),
        (Statistic::States, states),
        (Statistic::Expanded, expanded),
    ];
    measure(scene, &mut proof);
    Ok(proof)
}
