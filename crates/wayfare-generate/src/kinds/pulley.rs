//! What the kinds with a pulley have in common: a hall, a wall across it, and a mechanism that a
//! crate works.
//!
//! # Why every puzzle can be solved
//!
//! Halls with pillars, plates and levers are drawn at random and given to the puzzle search. The
//! first that it solves, with a crate pushed at least [`LEAST_PUSHES`] times, is taken. If none of
//! [`TRIES`] is solved within the limits, the plain hall is: no pillars and no levers, the crate in
//! the row of its place, which is reached by pushing it east. The proof solves each again.

use wayfare::puzzle::{Deed, PuzzleLimits, PuzzleOutcome, PuzzleQuery};
use wayfare::space::GridProfile;
use wayfare_world::scene::{
    PuzzleArea, PuzzleBarrier, PuzzleLever, PuzzleThing, Scene, ScenePuzzle, Spot,
};

use crate::{
    Dice, GenerateError, Ground, Opening, Parameter, Promise, Scenario, Seed, Statistic, TileDraft,
    TileScene, Values, WorldDraft,
};

/// Draws before the plain hall is taken.
const TRIES: u64 = 12;
/// The fewest pushes of a drawn puzzle.
const LEAST_PUSHES: usize = 3;
/// The most states that a draw may take to be solved.
const MOST_STATES: u64 = 15_000;

const PARAMETERS: &[Parameter] = &[
    Parameter::whole("width", "columns", "tiles", 18, 64).by_default(20.0, 28.0),
    Parameter::whole("height", "rows", "tiles", 9, 48).by_default(11.0, 17.0),
    Parameter::whole("crates", "crates: raising it makes the search longer", "", 1, 3)
        .by_default(1.0, 2.0),
    Parameter::whole("levers", "levers, all of which the way needs", "", 0, 8).by_default(0.0, 2.0),
    Parameter::whole("pillars", "pillars in the hall", "", 0, 60).by_default(4.0, 12.0),
    Parameter::whole("solvable", "1: it can be solved; 0: it cannot, which is proved", "", 0, 1)
        .by_default(1.0, 1.0),
];

const FAMILIES: &[&str] = &["indoor", "puzzle", "pulley"];

/// The hall in which a mechanism is built: entry in the west, a wall at column `wall`, the exit
/// behind it.
pub(crate) struct Hall {
    pub(super) draft: TileDraft,
    pub(super) puzzle: ScenePuzzle,
    /// The column of the wall.
    pub(super) wall: u32,
    /// The row of the mechanism, which is that of the exit.
    pub(super) row: u32,
    /// The conditions that levers add.
    pub(super) levers: Vec<String>,
}

/// A kind of mechanism.
pub(crate) trait Mechanism: Send + Sync {
    /// The name of the kind of halls with it.
    fn name(&self) -> &'static str;

    /// What such a hall is, in a line.
    fn about(&self) -> &'static str;

    /// Where the first crate has to go to work it, in a hall with that wall and row.
    fn pan(&self, wall: u32, row: u32) -> Option<[u32; 2]>;

    /// Builds it at the wall of a hall whose floor goes through the wall nowhere. `pan`: where the
    /// crate has to go.
    fn build(&self, hall: &mut Hall, pan: [u32; 2]);
}

/// The kind of halls with a mechanism.
pub(crate) struct Pulley<M>(pub(super) M);

impl<M: Mechanism> Scenario for Pulley<M> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn about(&self) -> &'static str {
        self.0.about()
    }

    fn families(&self) -> &'static [&'static str] {
        FAMILIES
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        build(&self.0, values, seed)
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        let mut promises = vec![Promise::exactly(Statistic::Solvable, values.get("solvable"))];
        if values.whole("solvable") == 1 {
            promises.push(Promise::at_least(Statistic::Deeds, 1.0));
        }
        promises
    }
}

fn build(
    mechanism: &dyn Mechanism,
    values: &Values,
    seed: Seed,
) -> Result<WorldDraft, GenerateError> {
    let is_solvable = values.whole("solvable") == 1;
    if is_solvable {
        for number in 0..TRIES {
            let mut dice = seed.child("draw", number).dice();
            let hall = draw(mechanism, values, &mut dice);
            if let Some(hall) = hall.filter(is_hard) {
                return Ok(finish(hall));
            }
        }
    }
    Ok(finish(plain(mechanism, values, is_solvable)))
}

/// The empty hall with its wall.
fn empty(values: &Values, row: u32) -> Hall {
    let [width, height] = ["width", "height"].map(|name| values.whole(name));
    let wall = width - 6;
    let mut draft = TileDraft::new(width, height, Ground::Floor);
    draft.whole().frame(Ground::Wall);
    for y in 0..height {
        draft.set(wall, y, Ground::Wall);
    }
    draft.set(0, height / 2, Ground::Floor);
    draft.set(width - 1, row, Ground::Floor);
    let puzzle = ScenePuzzle {
        name: "puzzle".to_owned(),
        start: Spot::Cell([0, height / 2]),
        goal: Spot::Cell([width - 1, row]),
        area: Some(PuzzleArea { min: [0, 0], max: [width - 1, height - 1] }),
        ..ScenePuzzle::default()
    };
    Hall { draft, puzzle, wall, row, levers: Vec::new() }
}

fn draw(mechanism: &dyn Mechanism, values: &Values, dice: &mut Dice) -> Option<Hall> {
    let height = values.whole("height");
    let mut hall = empty(values, dice.between(3, height - 4));
    let inner = (2, hall.wall - 3);
    for _ in 0..values.whole("pillars") {
        let (x, y) = (dice.between(inner.0, inner.1), dice.between(2, height - 3));
        let area = crate::Area::new(x, y, 1, 1);
        hall.draft.plot(area).fill(crate::Area::new(0, 0, 1, 1), Ground::Wall);
    }
    let mut taken: Vec<[u32; 2]> = Vec::new();
    let mut spot = |hall: &Hall, dice: &mut Dice, rim: u32| {
        for _ in 0..30 {
            let x = dice.between(rim, hall.wall - 1 - rim.min(2));
            let at = [x, dice.between(rim, height - 1 - rim)];
            if hall.draft.is_free(at[0], at[1]) && !taken.contains(&at) {
                taken.push(at);
                return Some(at);
            }
        }
        None
    };
    let pan = match mechanism.pan(hall.wall, hall.row) {
        Some(pan) => {
            hall.draft.set(pan[0], pan[1], Ground::Floor);
            pan
        }
        None => spot(&hall, dice, 2)?,
    };
    for number in 0..values.whole("crates") {
        let at = spot(&hall, dice, 2)?;
        hall.puzzle.crates.push(PuzzleThing { name: format!("crate {}", number + 1), at });
    }
    for number in 0..values.whole("levers") {
        let at = spot(&hall, dice, 1)?;
        let (name, on) = (format!("lever {}", number + 1), dice.happens(0.3));
        hall.levers.push(format!("{}lever {name}", if on { "not " } else { "" }));
        hall.puzzle.levers.push(PuzzleLever { name, at, on });
    }
    mechanism.build(&mut hall, pan);
    Some(hall)
}

/// A hall that can be solved by pushing the crate east; or with the crate in a corner, from where
/// nobody gets it.
fn plain(mechanism: &dyn Mechanism, values: &Values, is_solvable: bool) -> Hall {
    let height = values.whole("height");
    let mut hall = empty(values, height / 2);
    // Away from walls there is room to push it from any side.
    let pan = mechanism.pan(hall.wall, hall.row).unwrap_or([hall.wall - 4, hall.row]);
    let at = if is_solvable { [3, pan[1]] } else { [1, 1] };
    hall.puzzle.crates.push(PuzzleThing { name: "crate 1".to_owned(), at });
    mechanism.build(&mut hall, pan);
    hall
}

/// Whether a hall can be solved, and not too easily.
fn is_hard(hall: &Hall) -> bool {
    let mut scene = Scene::new("hall");
    scene.puzzles = vec![hall.puzzle.clone()];
    let Ok(map) = hall.draft.to_map("hall") else { return false };
    let profile = GridProfile { costs: map.cost_table(), ..GridProfile::default() };
    let Ok(grid) = map.to_grid(profile) else { return false };
    // A crate in a gate or two things in one place: the next draw.
    let Ok(puzzles) = scene.puzzles_on(&grid) else { return false };
    puzzles.iter().all(|staged| {
        let limits = PuzzleLimits { states: MOST_STATES, ..PuzzleLimits::default() };
        let answer = staged.puzzle.solve(&PuzzleQuery { limits, ..staged.query() });
        let PuzzleOutcome::Found(plan) = answer.outcome else { return false };
        plan.deeds().filter(|deed| matches!(deed, Deed::Push { .. })).count() >= LEAST_PUSHES
    })
}

fn finish(hall: Hall) -> WorldDraft {
    let Hall { draft, puzzle, row, .. } = hall;
    let entry = Opening::new(draft.height() / 2, 1);
    let mut scene = TileScene::new(draft, entry, Opening::new(row, 1));
    scene.rooms = 2;
    scene.puzzles.push(puzzle);
    WorldDraft::Tiles(scene)
}

/// A plate with its condition, added to those of the levers.
pub(super) fn plate(hall: &mut Hall, name: &str, at: [u32; 2]) -> Vec<String> {
    hall.puzzle.plates.push(PuzzleThing { name: name.to_owned(), at });
    let loaded = std::iter::once(format!("plate {name}"));
    loaded.chain(hall.levers.iter().cloned()).collect()
}

/// A gate at the wall of the hall, in the row of the mechanism.
pub(super) fn gate(hall: &mut Hall, gate: PuzzleBarrier) {
    for [x, y] in &gate.cells {
        hall.draft.set(*x, *y, Ground::Floor);
    }
    hall.puzzle.gates.push(gate);
}
