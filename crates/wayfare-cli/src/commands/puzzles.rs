//! Puzzles of a scene: the plan for each, or why there is none.

use std::path::{Path, PathBuf};

use glam::Vec3;
use serde::Serialize;
use wayfare::puzzle::{Deed, PlanRide, PuzzleAnswer, PuzzleOutcome};
use wayfare::space::{Cell, STRAIGHT, StateId};
use wayfare_draw::Panel;
use wayfare_formats::FileSystem;
use wayfare_scene::{PuzzleScene, StagedPuzzle};
use wayfare_site::{Endpoints, props_of};

use super::shared;
use crate::args::{EndpointArgs, MovementArgs, PictureArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{Printer, counted, grouped, prop_shots, rounded, scenery, tidy, write_sheet};

/// The document that `--format json` prints for a scene with puzzles.
#[derive(Serialize)]
struct Document {
    puzzles: Vec<Entry>,
    pictures: Vec<PathBuf>,
}

#[derive(Serialize)]
struct Entry {
    name: String,
    outcome: &'static str,
    /// Why there is no plan; null where there is one.
    reason: Option<String>,
    /// In steps on plain ground.
    cost: Option<f64>,
    /// Cells walked.
    walked: Option<usize>,
    steps: Vec<Step>,
    expanded: u64,
    states: u64,
    dead_ends: u64,
}

#[derive(Serialize)]
struct Step {
    /// Column and row of each cell.
    walk: Vec<[u32; 2]>,
    /// The waits for platforms, with their times.
    waits: Vec<Wait>,
    deed: String,
    cost: f64,
}

#[derive(Serialize)]
struct Wait {
    platform: String,
    /// In steps on plain ground.
    steps: f64,
}

/// Returns the scene, where the file is one with puzzles.
pub(super) fn read(file: &Path, movement: &MovementArgs) -> Result<Option<PuzzleScene>, Failure> {
    Ok(PuzzleScene::open_from(file, &FileSystem, &movement.options().movement())?)
}

/// Returns the scene, where the file is one with puzzles and no other route is asked for.
pub(super) fn open(
    file: &Path,
    movement: &MovementArgs,
    ends: &EndpointArgs,
) -> Result<Option<PuzzleScene>, Failure> {
    if ends.from.is_some() || ends.to.is_some() || ends.query.is_some() || ends.class.is_some() {
        return Ok(None);
    }
    read(file, movement)
}

/// Returns the scene with the puzzle that is played between two ends of a search, from one to the
/// other. `None` if there is none: the ends lie on the ground of no puzzle together.
pub(super) fn between(
    file: &Path,
    movement: &MovementArgs,
    ends: Endpoints,
) -> Result<Option<PuzzleScene>, Failure> {
    let Some(PuzzleScene { world, puzzles }) = read(file, movement)? else { return Ok(None) };
    let [start, goal] = [ends.start, ends.goal].map(Cell::from_index);
    let holds = |one: &StagedPuzzle| {
        [start, goal].iter().all(|cell| one.puzzle.ground().centre(*cell).is_some())
    };
    let puzzle = puzzles.into_iter().find(holds);
    let puzzles: Vec<_> =
        puzzle.map(|one| StagedPuzzle { start, goal, ..one }).into_iter().collect();
    Ok((!puzzles.is_empty()).then_some(PuzzleScene { world, puzzles }))
}

/// Solves every puzzle of the scene and prints plans and reasons.
pub(super) fn solve(
    scene: &PuzzleScene,
    pictures: &Pictures<'_>,
    printer: &mut Printer,
) -> Result<Exit, Failure> {
    let answers: Vec<PuzzleAnswer> =
        scene.puzzles.iter().map(|one| one.puzzle.solve(&one.query())).collect();
    let pictures = pictures.draw(scene, &answers)?;
    let is_solved = answers.iter().all(|answer| answer.plan().is_some());
    let both = scene.puzzles.iter().zip(&answers);
    if printer.is_json() {
        let puzzles = both.map(|(puzzle, answer)| entry(puzzle, answer)).collect();
        printer.json(&Document { puzzles, pictures })?;
    } else {
        for (number, (puzzle, answer)) in both.enumerate() {
            if number > 0 {
                printer.line("")?;
            }
            print(puzzle, answer, printer)?;
        }
        tell_pictures(&pictures, printer)?;
    }
    Ok(if is_solved { Exit::Done } else { Exit::NoPath })
}

/// Prints of every puzzle whether it can be solved, and of the others the lack.
pub(super) fn why(
    scene: &PuzzleScene,
    pictures: &Pictures<'_>,
    printer: &mut Printer,
) -> Result<Exit, Failure> {
    if printer.is_json() {
        return solve(scene, pictures, printer);
    }
    let mut is_solved = true;
    let answers: Vec<PuzzleAnswer> =
        scene.puzzles.iter().map(|one| one.puzzle.solve(&one.query())).collect();
    for (puzzle, answer) in scene.puzzles.iter().zip(&answers) {
        let name = &puzzle.name;
        match reason(answer) {
            None => {
                let plan = answer.plan().map_or(0, |plan| plan.steps.len().saturating_sub(1));
                let deeds = counted(plan as u64, "deed");
                printer.line(format!("{name} can be solved, with {deeds}."))?;
                for ride in rides(puzzle, answer) {
                    let platforms = &puzzle.puzzle.parts().platforms;
                    let lift = platforms.get(usize::from(ride.platform.0));
                    let Some(lift) = lift.filter(|lift| lift.timetable.is_some()) else { continue };
                    let [leaves, wait] = [ride.leaves, ride.wait.into()].map(|it| tidy(steps(it)));
                    let name = &lift.name;
                    let told =
                        format!("  {name} leaves after {leaves} steps, {wait} of them waited");
                    printer.line(told)?;
                }
            }
            Some(reason) => {
                is_solved = false;
                printer.line(format!("{name} cannot be solved: {reason}."))?;
            }
        }
    }
    tell_pictures(&pictures.draw(scene, &answers)?, printer)?;
    Ok(if is_solved { Exit::Done } else { Exit::NoPath })
}

fn tell_pictures(pictures: &[PathBuf], printer: &mut Printer) -> Result<(), Failure> {
    pictures.iter().try_for_each(|picture| printer.field("picture", picture.display().to_string()))
}

/// The pictures that were asked for.
pub(super) struct Pictures<'a> {
    world: &'a Path,
    movement: &'a MovementArgs,
    args: &'a PictureArgs,
}

impl<'a> Pictures<'a> {
    pub(super) fn new(world: &'a Path, movement: &'a MovementArgs, args: &'a PictureArgs) -> Self {
        Self { world, movement, args }
    }

    /// Draws the world with all parts as they are at the beginning: a panel for each puzzle, with
    /// the walks of its plan.
    fn draw(&self, scene: &PuzzleScene, answers: &[PuzzleAnswer]) -> Result<Vec<PathBuf>, Failure> {
        if self.args.outputs.is_empty() {
            return Ok(Vec::new());
        }
        let site = shared::open(self.world, self.movement)?;
        let all = scene.puzzles.iter().zip(answers);
        let cells: Vec<Cell> = all.clone().flat_map(|(one, answer)| trail(one, answer)).collect();
        let states: Vec<u32> = cells.iter().map(|cell| cell.index()).collect();
        let scenery = scenery(site.as_ref(), &states, self.args)?;
        let at = |point: Vec3| site.on_picture(point);
        let records = scene.puzzles.iter().flat_map(|one| {
            let query = one.query();
            props_of(&one.puzzle, &query.state, query.clock)
        });
        let props = prop_shots(site.as_ref(), &records.collect::<Vec<_>>());
        let panels = all.map(|(one, answer)| {
            let centre = |cell: &Cell| at(one.puzzle.ground().centre(*cell)?);
            let trail: Vec<Cell> = trail(one, answer);
            let mut panel = Panel::new(scenery.as_ref())
                .title(&one.name)
                .caption(reason(answer).unwrap_or_default())
                .props(props.iter().copied())
                .path_points(trail.iter().filter_map(centre))
                .endpoints(one.start.index(), one.goal.index());
            if let Some(plan) = answer.plan() {
                panel = panel
                    .cost(steps(plan.cost()))
                    .figure("steps", plan.walked().to_string())
                    .figure("deeds", (plan.steps.len().saturating_sub(1)).to_string());
            }
            panel.figure("states", grouped(answer.stats.states))
        });
        write_sheet(panels.collect(), "", self.args)
    }
}

/// Returns the cells of a plan; none without a plan.
fn trail(staged: &StagedPuzzle, answer: &PuzzleAnswer) -> Vec<Cell> {
    let walks = answer.plan().into_iter().flat_map(|plan| &plan.steps);
    let mut trail: Vec<Cell> = walks.flat_map(|step| step.walk.iter().copied()).collect();
    trail.dedup();
    if trail.is_empty() { Vec::new() } else { [vec![staged.start], trail].concat() }
}

fn outcome(answer: &PuzzleAnswer) -> &'static str {
    match answer.outcome {
        PuzzleOutcome::Found(_) => "found",
        PuzzleOutcome::Limit(_) => "limit reached",
        _ => "no plan",
    }
}

fn reason(answer: &PuzzleAnswer) -> Option<String> {
    match &answer.outcome {
        PuzzleOutcome::NoPlan(reason) => Some(reason.to_string()),
        PuzzleOutcome::Limit(limit) => Some(limit.to_string()),
        _ => None,
    }
}

fn steps(cost: u64) -> f64 {
    rounded(cost as f64 / f64::from(STRAIGHT))
}

fn rides(staged: &StagedPuzzle, answer: &PuzzleAnswer) -> Vec<PlanRide> {
    let rides = answer.plan().map(|plan| staged.puzzle.rides(&staged.query(), plan));
    // A plan of the search is sound.
    rides.and_then(Result::ok).unwrap_or_default()
}

/// Returns the platforms that a step of a plan waits for, and how long, in units of cost.
fn waits<'p>(
    staged: &'p StagedPuzzle,
    rides: &'p [PlanRide],
    step: usize,
) -> impl Iterator<Item = (&'p str, u32)> {
    let waited = rides.iter().filter(move |ride| ride.step == step && ride.wait > 0);
    waited.filter_map(|ride| {
        let platform = staged.puzzle.parts().platforms.get(usize::from(ride.platform.0))?;
        Some((platform.name.as_str(), ride.wait))
    })
}

fn entry(staged: &StagedPuzzle, answer: &PuzzleAnswer) -> Entry {
    let puzzle = &staged.puzzle;
    let plan = answer.plan();
    let rides = rides(staged, answer);
    let step = |(number, step): (usize, &wayfare::puzzle::PlanStep)| {
        let at = step.walk.iter().filter_map(|cell| puzzle.ground().coordinates(*cell));
        Step {
            walk: at.map(|at| [at.x, at.y]).collect(),
            waits: waits(staged, &rides, number)
                .map(|(platform, wait)| Wait {
                    platform: platform.to_owned(),
                    steps: steps(wait.into()),
                })
                .collect(),
            deed: puzzle.tell(step.deed),
            cost: steps(step.cost.into()),
        }
    };
    Entry {
        name: staged.name.clone(),
        outcome: outcome(answer),
        reason: reason(answer),
        cost: plan.map(|plan| steps(plan.cost())),
        walked: plan.map(wayfare::puzzle::PuzzlePlan::walked),
        steps: plan.iter().flat_map(|plan| &plan.steps).enumerate().map(step).collect(),
        expanded: answer.stats.expanded,
        states: answer.stats.states,
        dead_ends: answer.stats.dead_ends,
    }
}

fn print(
    staged: &StagedPuzzle,
    answer: &PuzzleAnswer,
    printer: &mut Printer,
) -> Result<(), Failure> {
    let puzzle = &staged.puzzle;
    printer.field("puzzle", &staged.name)?;
    match answer.plan() {
        None => {
            let reason = reason(answer).unwrap_or_default();
            printer.field("outcome", format!("{}: {reason}", outcome(answer)))?;
        }
        Some(plan) => {
            let walked = counted(plan.walked() as u64, "step");
            let deeds = counted(plan.steps.len().saturating_sub(1) as u64, "deed");
            printer.field("outcome", format!("a plan of {walked} and {deeds}"))?;
            printer.field("cost", tidy(steps(plan.cost())))?;
            let rides = rides(staged, answer);
            for (number, step) in (1..).zip(&plan.steps) {
                let walk = step.walk.len().saturating_sub(1) as u64;
                let end = step.walk.last().and_then(|cell| puzzle.ground().coordinates(*cell));
                let end = end.map_or(String::new(), |at| format!(" to {},{}", at.x, at.y));
                let walk = match walk {
                    0 => String::new(),
                    walk => {
                        let waited = waits(staged, &rides, number - 1).map(|(platform, wait)| {
                            format!(", waiting {} steps for {platform}", tidy(steps(wait.into())))
                        });
                        let waited: String = waited.collect();
                        format!("walk {}{end}{waited}", counted(walk, "step"))
                    }
                };
                let deed = match step.deed {
                    Deed::Arrive if !walk.is_empty() => String::new(),
                    deed => puzzle.tell(deed),
                };
                let join = if walk.is_empty() || deed.is_empty() { "" } else { ", " };
                printer.line(format!("  {number}. {walk}{join}{deed}"))?;
            }
        }
    }
    let stats = answer.stats;
    let searched = format!(
        "{} states, {} of them expanded, {}",
        grouped(stats.states),
        grouped(stats.expanded),
        counted(stats.dead_ends, "dead end")
    );
    printer.field("searched", searched)
}
