//! Puzzles of a scene: keys, levers, plates, crates, hooks, gates and platforms on the cells of its
//! grid.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wayfare_formats::WorldErrorKind;
use wayfare_puzzle::{Condition, GateForm, PartId};

use crate::limits::MAX_PUZZLE_ITEMS;
use crate::scene::rules::{self as rule, At, Checked, rules};
use crate::scene::simulation::Spot;
use crate::scene::spelling::is_default;

/// A puzzle between a start and a goal. Grids only.
///
/// ```
/// use wayfare_scene::scene::{self, ScenePuzzle};
///
/// let scene = scene::read(br##"
/// scene = { name = "hall", map = """
/// ....#...
/// ........
/// ....#..."""}
/// [[puzzles]]
/// name = "gate"
/// start = [0, 1]
/// goal = [7, 1]
/// plates = [{ name = "plate", at = [2, 0] }]
/// crates = [{ name = "crate", at = [1, 0] }]
/// gates = [{ name = "door", form = "heavy_door", cells = [[4, 1]], when = ["plate plate"] }]
/// "##)?;
/// let puzzle: &ScenePuzzle = &scene.puzzles[0];
/// assert_eq!(puzzle.gates[0].when, ["plate plate"]);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScenePuzzle {
    /// Unique, not empty.
    pub name: String,
    /// Where one begins.
    pub start: Spot,
    /// Where one wants to be.
    pub goal: Spot,
    /// The cells that the puzzle is played on, first and last corner; default the whole grid. The
    /// smaller, the faster it is solved.
    pub area: Option<PuzzleArea>,
    /// The agent that solves it in simulations: a single one. It goes to the start of each of its
    /// puzzles in turn, and on to the goal. Default none.
    pub agent: Option<String>,
    /// Whether crates can be pulled; default false, they are pushed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub can_pull: bool,
    /// Keys.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<PuzzleThing>,
    /// Levers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levers: Vec<PuzzleLever>,
    /// Plates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub plates: Vec<PuzzleThing>,
    /// Crates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub crates: Vec<PuzzleThing>,
    /// Hooks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hooks: Vec<PuzzleHook>,
    /// Gates.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gates: Vec<PuzzleBarrier>,
    /// Platforms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub platforms: Vec<PuzzleLift>,
}

rules!(ScenePuzzle {
    name: rule::name,
    start: rule::table,
    goal: rule::table,
    area: rule::any,
    agent: rule::agent_or_team,
    can_pull: rule::any,
    keys: rule::table,
    levers: rule::table,
    plates: rule::table,
    crates: rule::table,
    hooks: rule::table,
    gates: rule::table,
    platforms: rule::table,
} then check_puzzle);

/// Corners of a rectangle of cells: column and row of the first and the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleArea {
    /// The first.
    pub min: [u32; 2],
    /// The last.
    pub max: [u32; 2],
}

/// A key, a plate or a crate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleThing {
    /// Unique in its list, not empty.
    pub name: String,
    /// Its cell: column and row.
    pub at: [u32; 2],
}

rules!(PuzzleThing { name: rule::name, at: rule::any });

/// A lever.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleLever {
    /// Unique among levers, not empty.
    pub name: String,
    /// Where one stands to pull it: column and row.
    pub at: [u32; 2],
    /// Whether it is on at the beginning; default false.
    #[serde(default, skip_serializing_if = "is_default")]
    pub on: bool,
}

rules!(PuzzleLever { name: rule::name, at: rule::any, on: rule::any });

/// A hook that draws the crate under it into a gap.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleHook {
    /// Unique among hooks, not empty.
    pub name: String,
    /// Where one stands to work its winch: column and row.
    pub at: [u32; 2],
    /// The cell under it, where the crate has to lie.
    pub under: [u32; 2],
}

rules!(PuzzleHook { name: rule::name, at: rule::any, under: rule::any });

/// Cells that are shut unless all conditions are true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleBarrier {
    /// Unique among gates, not empty.
    pub name: String,
    /// Its look; default a door.
    #[serde(default, with = "GateFormKey", skip_serializing_if = "is_default")]
    pub form: GateForm,
    /// Its cells, at least one. The map has walkable ground there.
    pub cells: Vec<[u32; 2]>,
    /// Its conditions, at least one: `key NAME`, `lever NAME`, `plate NAME`, `hook NAME`, and
    /// `not lever NAME`, `not plate NAME`.
    pub when: Vec<String>,
}

rules!(PuzzleBarrier { name: rule::name, form: rule::any, cells: rule::any, when: rule::any });

/// A platform between two cells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleLift {
    /// Unique among platforms, not empty.
    pub name: String,
    /// The lower end: column and row.
    pub low: [u32; 2],
    /// The upper end.
    pub high: [u32; 2],
    /// Cost of a ride, in steps, 0.01 to 10,000; default 4. In a simulation, a ride takes a second
    /// for each two.
    #[serde(default = "four", skip_serializing_if = "is_four")]
    pub cost: f32,
    /// The conditions under which it goes up, at least one, as a gate has them; otherwise it goes
    /// down. With a timetable, the conditions under which it runs; default none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub up: Vec<String>,
    /// When it leaves its ends; default: a counterweight moves it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timetable: Option<PuzzleTimetable>,
}

rules!(PuzzleLift {
    name: rule::name,
    low: rule::any,
    high: rule::any,
    cost: |at: &At<'_>, steps| rule::within(at, steps, 0.01f32, 10_000.0),
    up: rule::any,
    timetable: rule::table,
});

/// The times of a platform, in steps: the time of a step on plain ground. In a simulation a second
/// has two.
///
/// ```
/// use wayfare_scene::scene::{self, PuzzleTimetable};
///
/// let scene = scene::read(br##"
/// scene = { name = "shore", map = "...#..."}
/// [[puzzles]]
/// name = "ferry"
/// start = [0, 0]
/// goal = [6, 0]
/// [[puzzles.platforms]]
/// name = "ferry"
/// low = [2, 0]
/// high = [4, 0]
/// timetable = { period = 20, up_at = 0, down_at = 10 }
/// "##)?;
/// let times: PuzzleTimetable = scene.puzzles[0].platforms[0].timetable.expect("it has one");
/// assert_eq!(times.period, 20.0);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PuzzleTimetable {
    /// The time after which all repeats, 0.01 to 100,000.
    pub period: f32,
    /// When it leaves the lower end: from 0, less than the period.
    pub up_at: f32,
    /// When it leaves the upper end: from 0, less than the period. Each ride ends before the other
    /// begins.
    pub down_at: f32,
}

rules!(PuzzleTimetable {
    period: |at: &At<'_>, steps| rule::within(at, steps, 0.01f32, 100_000.0),
    up_at: |at: &At<'_>, steps| rule::within(at, steps, 0.0f32, 100_000.0),
    down_at: |at: &At<'_>, steps| rule::within(at, steps, 0.0f32, 100_000.0),
});

fn four() -> f32 {
    4.0
}

fn is_four(cost: &f32) -> bool {
    *cost == four()
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "GateForm", rename_all = "snake_case")]
enum GateFormKey {
    Door,
    HeavyDoor,
    Bridge,
}

impl ScenePuzzle {
    /// Returns the condition that a text of [`PuzzleBarrier::when`] stands for.
    #[must_use]
    pub fn condition(&self, text: &str) -> Option<Condition> {
        let (is_not, rest) = match text.trim().strip_prefix("not ") {
            Some(rest) => (true, rest.trim_start()),
            None => (false, text.trim()),
        };
        let (kind, name) = rest.split_once(' ')?;
        let name = name.trim();
        fn place<'n>(mut names: impl Iterator<Item = &'n String>, name: &str) -> Option<PartId> {
            names.position(|known| known == name).and_then(|at| u16::try_from(at).ok()).map(PartId)
        }
        match (kind, is_not) {
            ("key", false) => place(self.keys.iter().map(|it| &it.name), name).map(Condition::Held),
            ("hook", false) => {
                place(self.hooks.iter().map(|it| &it.name), name).map(Condition::Bridged)
            }
            ("lever", _) => {
                let lever = place(self.levers.iter().map(|it| &it.name), name)?;
                Some(if is_not { Condition::LeverOff(lever) } else { Condition::LeverOn(lever) })
            }
            ("plate", _) => {
                let plate = place(self.plates.iter().map(|it| &it.name), name)?;
                Some(if is_not { Condition::Unloaded(plate) } else { Condition::Loaded(plate) })
            }
            _ => None,
        }
    }

    /// Returns the names that conditions may have, as they are written.
    fn known(&self) -> Vec<String> {
        let told = |kind: &str, name: &String| format!("{kind} {name}");
        let keys = self.keys.iter().map(|it| told("key", &it.name));
        let levers = self.levers.iter().map(|it| told("lever", &it.name));
        let plates = self.plates.iter().map(|it| told("plate", &it.name));
        keys.chain(levers)
            .chain(plates)
            .chain(self.hooks.iter().map(|it| told("hook", &it.name)))
            .collect()
    }
}

fn check_puzzle(at: &At<'_>, puzzle: &ScenePuzzle) -> Checked {
    let names = |list: &[PuzzleThing]| list.iter().map(|it| it.name.clone()).collect();
    let lists: [(&'static str, Vec<String>); 7] = [
        ("keys", names(&puzzle.keys)),
        ("levers", puzzle.levers.iter().map(|it| it.name.clone()).collect()),
        ("plates", names(&puzzle.plates)),
        ("crates", names(&puzzle.crates)),
        ("hooks", puzzle.hooks.iter().map(|it| it.name.clone()).collect()),
        ("gates", puzzle.gates.iter().map(|it| it.name.clone()).collect()),
        ("platforms", puzzle.platforms.iter().map(|it| it.name.clone()).collect()),
    ];
    for (list, names) in lists {
        if names.len() > MAX_PUZZLE_ITEMS {
            let message = format!(
                "there are {} {list}, but a puzzle has at most {MAX_PUZZLE_ITEMS}",
                names.len()
            );
            return Err(at.key(list).limit(message));
        }
        let mut seen = BTreeMap::new();
        for (number, name) in names.iter().enumerate() {
            if seen.insert(name, number).is_some() {
                let message = format!("'{name}' is used twice");
                return Err(at
                    .key(list)
                    .item(number)
                    .key("name")
                    .error(WorldErrorKind::Duplicate, message));
            }
        }
    }
    if let Some(PuzzleArea { min, max }) = puzzle.area
        && (min[0] > max[0] || min[1] > max[1])
    {
        return Err(at.key("area").value("'min' must be the first cell and 'max' the last"));
    }
    let conditions = |at: &At<'_>, key: &'static str, texts: &[String]| {
        let at = at.key(key);
        if texts.is_empty() {
            return Err(at.value(format!("'{key}' must have at least one condition")));
        }
        rule::each(&at, texts, |at, text| match puzzle.condition(text) {
            Some(_) => Ok(()),
            None => {
                let known = puzzle.known();
                Err(at.dangling("condition", text, known.iter().map(String::as_str)))
            }
        })
    };
    let gates = at.key("gates");
    let mut cells = 0;
    for (number, gate) in puzzle.gates.iter().enumerate() {
        let at = gates.item(number);
        conditions(&at, "when", &gate.when)?;
        cells += gate.cells.len();
        if gate.cells.is_empty() {
            return Err(at.key("cells").value("'cells' must have at least one cell"));
        }
        if cells > MAX_PUZZLE_ITEMS {
            let message = format!("the gates of a puzzle have at most {MAX_PUZZLE_ITEMS} cells");
            return Err(at.key("cells").limit(message));
        }
    }
    let platforms = at.key("platforms");
    let lifts = puzzle.platforms.iter().enumerate();
    lifts
        .into_iter()
        .filter(|(_, lift)| !lift.up.is_empty() || lift.timetable.is_none())
        .try_for_each(|(number, lift)| conditions(&platforms.item(number), "up", &lift.up))
}
