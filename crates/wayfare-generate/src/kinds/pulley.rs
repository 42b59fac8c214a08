//! The common parts of kinds with a pulley: a hall, a wall across it, and a mechanism that a crate
//! works.
//!
//! # Why every puzzle can be solved
//!
//! Halls with pillars, plates and levers are drawn at random and given to the puzzle search. The
//! first that it solves, with at least [`Mechanism::least_pushes`] pushes, is taken. If none of
//! [`TRIES`] is solved within the limits, the plain hall is: no pillars and no levers, each crate
//! in the row of its target, which it reaches by pushes to the east. The proof solves each again.

use wayfare_grid::grid::GridProfile;
use wayfare_puzzle::{Deed, PuzzleLimits, PuzzleOutcome, PuzzleQuery};
use wayfare_scene::scene::{PuzzleArea, Scene, ScenePuzzle, Spot};

use crate::parts::{CrateItem, CrossWall, LeverItem, PlateItem, Scattered};
use crate::{
    Area, Creator, Dice, GenerateError, Ground, HallDraft, Opening, Parameter, PartOrder, Place,
    Promise, Scenario, Seed, Statistic, TileDraft, TileScene, Values, WorldDraft,
};

/// Draws before the plain hall is taken.
const TRIES: u64 = 12;
/// The most states that a draw may take to be solved.
const MOST_STATES: u64 = 15_000;

const FAMILIES: &[&str] = &["indoor", "puzzle", "pulley"];

/// A mechanism that opens the wall of a hall.
///
/// [`Pulley`] builds the hall around it. The parts of the hall that it finds by their names:
///
/// | name | tiles |
/// |---|---|
/// | `wall` | the column of the wall |
/// | `passage` | the tile of the wall in the row of the exit |
/// | its [pans](Self::pans), `crate 1`, `lever 1` and so on | a tile each |
///
/// ```
/// use wayfare_generate::parts::DoorItem;
/// use wayfare_generate::{
///     Dice, HallDraft, Kinds, Mechanism, Parameter, PartOrder, Place, Pulley, Seed, Settings, Values,
///     generate,
/// };
///
/// /// A door with a spring, which a crate on a plate would shut.
/// struct SpringDoor;
///
/// const PARAMETERS: &[Parameter] = &Pulley::<SpringDoor>::parameters(
///     Parameter::whole("variation", "there is one", "", 1, 1),
/// );
///
/// impl Mechanism for SpringDoor {
///     fn name(&self) -> &'static str {
///         "spring-door"
///     }
///     fn about(&self) -> &'static str {
///         "a hall with a door that a crate on a plate would shut"
///     }
///     fn parameters(&self) -> &'static [Parameter] {
///         PARAMETERS
///     }
///     fn starts_loaded(&self, _: &Values) -> bool {
///         true
///     }
///     fn least_pushes(&self, _: &Values) -> usize {
///         1
///     }
///     fn build(&self, hall: &mut HallDraft, levers: &[String], _: &Values, dice: &mut Dice) -> Option<()> {
///         let mut door = DoorItem::heavy("plate");
///         door.when = levers.iter().cloned().chain(["not plate plate".to_owned()]).collect();
///         hall.furnish(&PartOrder::new("door", &door, Place::OnTopOf("passage")), dice)?;
///         Some(())
///     }
/// }
///
/// let kinds = Kinds::standard().with(Box::new(Pulley(SpringDoor)))?;
/// let hall = generate(kinds.get("spring-door")?, &Settings::default(), Seed(7))?;
/// assert!(hall.prove()?.plan.iter().any(|deed| deed.starts_with("push crate")));
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
pub trait Mechanism: Send + Sync {
    /// Returns the name of the kind of halls with it.
    fn name(&self) -> &'static str;

    /// Returns a description of such a hall, in a line.
    fn about(&self) -> &'static str;

    /// Returns the parameters of such halls: see [`Pulley::parameters`].
    fn parameters(&self) -> &'static [Parameter];

    /// Returns the version of its rules: see [`Scenario::version`].
    fn version(&self) -> u32 {
        1
    }

    /// Returns the earlier versions of halls with it: see [`Scenario::earlier`].
    fn earlier(&self) -> &'static [&'static dyn Scenario] {
        &[]
    }

    /// Returns the names of plates and pans that a crate works it by. Default: `plate`.
    fn pans(&self, values: &Values) -> &'static [&'static str] {
        let _ = values;
        &["plate"]
    }

    /// Returns whether a crate lies on each of its pans at the beginning. Default: it does not.
    fn starts_loaded(&self, values: &Values) -> bool {
        let _ = values;
        false
    }

    /// Returns the target of the crate, for a mechanism without pans. Default: none.
    fn target(&self, hall: &HallDraft) -> Option<Area> {
        let _ = hall;
        None
    }

    /// Returns the fewest pushes of a hall that is drawn. Default: 3.
    fn least_pushes(&self, values: &Values) -> usize {
        let _ = values;
        3
    }

    /// Builds it. `levers`: additional conditions.
    ///
    /// Returns `None` where it finds no room.
    fn build(
        &self,
        hall: &mut HallDraft,
        levers: &[String],
        values: &Values,
        dice: &mut Dice,
    ) -> Option<()>;
}

/// The kind of halls with a mechanism: entry in the west, a wall, the exit behind it.
///
/// Example: [`Mechanism`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pulley<M>(pub M);

impl<M> Pulley<M> {
    /// Returns the parameters of such halls, with the one that chooses a variation of the
    /// mechanism.
    #[must_use]
    pub const fn parameters(variation: Parameter) -> [Parameter; 7] {
        [
            Parameter::whole("width", "columns", "tiles", 18, 64).by_default(20.0, 28.0),
            Parameter::whole("height", "rows", "tiles", 9, 48).by_default(11.0, 17.0),
            Parameter::whole("crates", "crates: raising it makes the search longer", "", 1, 3)
                .by_default(1.0, 2.0),
            Parameter::whole("levers", "levers, all of which the way needs", "", 0, 8)
                .by_default(0.0, 2.0),
            Parameter::whole("pillars", "pillars in the hall", "", 0, 60).by_default(4.0, 12.0),
            Parameter::whole(
                "solvable",
                "1: it can be solved; 0: it cannot, which is proved",
                "",
                0,
                1,
            )
            .by_default(1.0, 1.0),
            variation,
        ]
    }
}

impl<M: Mechanism> Scenario for Pulley<M> {
    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn about(&self) -> &'static str {
        self.0.about()
    }

    fn version(&self) -> u32 {
        self.0.version()
    }

    fn earlier(&self) -> &'static [&'static dyn Scenario] {
        self.0.earlier()
    }

    fn families(&self) -> &'static [&'static str] {
        FAMILIES
    }

    fn parameters(&self) -> &'static [Parameter] {
        self.0.parameters()
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let drawn = (0..TRIES).filter(|_| values.whole("solvable") == 1).find_map(|number| {
            let hall = draw(&self.0, values, &mut seed.child("draw", number).dice());
            hall.filter(|hall| is_hard(hall, self.0.least_pushes(values)))
        });
        let hall = drawn.or_else(|| plain(&self.0, values, &mut seed.child("plain", 0).dice()));
        let hall = hall.ok_or_else(|| {
            GenerateError::Request(format!("there is no room for the parts of {}", self.0.name()))
        })?;
        Ok(finish(hall))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        let mut promises = vec![Promise::exactly(Statistic::Solvable, values.get("solvable"))];
        if values.whole("solvable") == 1 {
            promises.push(Promise::at_least(Statistic::Deeds, 1.0));
        }
        promises
    }
}

/// Returns the empty hall with its wall, its exit in a row.
fn empty(values: &Values, row: u32, dice: &mut Dice) -> Option<HallDraft> {
    let [width, height] = ["width", "height"].map(|name| values.whole(name));
    let wall = width - 6;
    let mut draft = TileDraft::new(width, height, Ground::Floor);
    draft.whole().frame(Ground::Wall);
    draft.set(0, height / 2, Ground::Floor);
    draft.set(width - 1, row, Ground::Floor);
    let puzzle = ScenePuzzle {
        name: "puzzle".to_owned(),
        start: Spot::Cell([0, height / 2]),
        goal: Spot::Cell([width - 1, row]),
        area: Some(PuzzleArea { min: [0, 0], max: [width - 1, height - 1] }),
        ..ScenePuzzle::default()
    };
    let mut hall = HallDraft::new(draft, puzzle);
    let across = Place::At(Area::new(wall, 0, 1, height));
    hall.furnish(&PartOrder::new("wall", &CrossWall(Ground::Wall), across), dice)?;
    hall.mark("passage", Area::new(wall, row, 1, 1));
    Some(hall)
}

/// In front of the wall, where plates, crates and levers are put at random.
const YARD: Place<'static> = Place::InFrontOf("wall");

fn draw(mechanism: &dyn Mechanism, values: &Values, dice: &mut Dice) -> Option<HallDraft> {
    let row = dice.between(3, values.whole("height") - 4);
    let mut hall = empty(values, row, dice)?;
    let inner = Area::new(0, 0, hall.area("wall")?.x, hall.draft.height()).shrunk(2);
    let pillars = Scattered { count: values.whole("pillars"), ground: Ground::Wall };
    pillars.create(&mut hall.draft.plot(inner), dice);
    if let Some(target) = mechanism.target(&hall) {
        hall.draft.whole().fill(target, Ground::Floor);
    }
    let pans = mechanism.pans(values);
    for name in pans {
        hall.furnish(&PartOrder::new(name, &PlateItem, YARD).rim(2), dice)?;
    }
    // One for each pan at least.
    for number in 0..values.whole("crates").max(pans.len() as u32) {
        let pan = pans.get(number as usize).filter(|_| mechanism.starts_loaded(values));
        let place = pan.map_or(YARD, |name| Place::OnTopOf(name));
        let name = format!("crate {}", number + 1);
        hall.furnish(&PartOrder::new(&name, &CrateItem, place).rim(2), dice)?;
    }
    let mut levers = Vec::new();
    for number in 0..values.whole("levers") {
        let name = format!("lever {}", number + 1);
        let order = PartOrder::new(&name, &LeverItem { on: 0.3 }, YARD).rim(1);
        levers.extend(hall.furnish(&order, dice)?.condition.clone());
    }
    mechanism.build(&mut hall, &levers, values, dice)?;
    Some(hall)
}

/// Returns a hall that can be solved by pushing crates east; or with a crate in a corner, which
/// cannot be moved.
fn plain(mechanism: &dyn Mechanism, values: &Values, dice: &mut Dice) -> Option<HallDraft> {
    let is_solvable = values.whole("solvable") == 1;
    let row = values.whole("height") / 2;
    let mut hall = empty(values, row, dice)?;
    let wall = hall.area("wall")?.x;
    let at = |x, y| Place::At(Area::new(x, y, 1, 1));
    let pans = mechanism.pans(values);
    let is_loaded = mechanism.starts_loaded(values);
    // Away from walls there is room to push crates from any side.
    for (number, name) in pans.iter().enumerate() {
        let place = match is_solvable || !is_loaded {
            true => at(wall - 4, row + 2 * number as u32),
            false => at(1, 1 + number as u32),
        };
        hall.furnish(&PartOrder::new(name, &PlateItem, place), dice)?;
    }
    let target = mechanism.target(&hall).map_or(row, |target| target.y);
    let count = if is_solvable || is_loaded { pans.len().max(1) } else { 1 };
    for number in 0..count as u32 {
        let pan = pans.get(number as usize).filter(|_| is_loaded);
        let place = match (pan, is_solvable) {
            (Some(name), _) => Place::OnTopOf(name),
            (None, true) => at(3, target + 2 * number),
            (None, false) => at(1, 1),
        };
        let name = format!("crate {}", number + 1);
        hall.furnish(&PartOrder::new(&name, &CrateItem, place), dice)?;
    }
    mechanism.build(&mut hall, &[], values, dice)?;
    Some(hall)
}

/// Returns whether a hall can be solved, and not too easily.
fn is_hard(hall: &HallDraft, least_pushes: usize) -> bool {
    let mut scene = Scene::new("hall");
    scene.puzzles = vec![hall.puzzle.clone()];
    let Ok(map) = hall.draft.to_map("hall") else { return false };
    let profile = GridProfile { costs: map.cost_table(), ..GridProfile::default() };
    let Ok(grid) = map.to_grid(profile) else { return false };
    // A crate in a gate or two things on one tile: the next draw.
    let Ok(puzzles) = scene.puzzles_on(&grid) else { return false };
    puzzles.iter().all(|staged| {
        let limits = PuzzleLimits { states: MOST_STATES, ..PuzzleLimits::default() };
        let answer = staged.puzzle.solve(&PuzzleQuery { limits, ..staged.query() });
        let PuzzleOutcome::Found(plan) = answer.outcome else { return false };
        plan.deeds().filter(|deed| matches!(deed, Deed::Push { .. })).count() >= least_pushes
    })
}

fn finish(hall: HallDraft) -> WorldDraft {
    let row = hall.area("passage").map_or(0, |passage| passage.y);
    let entry = Opening::new(hall.draft.height() / 2, 1);
    let mut scene = TileScene::new(hall.draft, entry, Opening::new(row, 1));
    scene.rooms = 2;
    scene.puzzles.push(hall.puzzle);
    WorldDraft::Tiles(scene)
}
