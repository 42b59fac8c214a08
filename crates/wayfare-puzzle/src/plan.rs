//! Plans: deeds, and the walks in between.

use wayfare_grid::grid::Cell;

use super::Puzzle;
use super::parts::{Condition, PartId};

/// Something done at the end of a walk.
///
/// Example: [`Condition`](super::Condition).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Deed {
    /// A key is taken.
    Take(PartId),
    /// A lever is pulled.
    Pull(PartId),
    /// A crate is pushed by a cell. The walker ends where the crate was.
    Push {
        /// Where the crate is.
        from: Cell,
        /// Where it goes.
        to: Cell,
    },
    /// A crate is pulled by a cell. The walker was at `to` and ends a cell further.
    Drag {
        /// Where the crate is.
        from: Cell,
        /// Where it goes.
        to: Cell,
    },
    /// A hook draws its crate into a gap.
    Haul(PartId),
    /// The goal is reached.
    Arrive,
}

/// A walk and the deed at its end.
///
/// A ride on a platform is a part of a walk, from one of its ends to the other:
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::puzzle::{
///     Condition, PartId, PlanStep, Plate, Platform, Puzzle, PuzzleCrate, PuzzleGround,
///     PuzzleParts, PuzzleQuery,
/// };
///
/// let grid = Grid::from_rows(&["....#..", "....#.."])?;
/// let at = |x, y| grid.cell(x, y).unwrap();
/// let puzzle = Puzzle::new(PuzzleGround::new(&grid, Default::default(), None), PuzzleParts {
///     plates: vec![Plate { name: "pan".into(), at: at(3, 1) }],
///     crates: vec![PuzzleCrate { name: "crate".into(), at: at(2, 1) }],
///     platforms: vec![Platform {
///         name: "platform".into(), low: at(3, 0), high: at(5, 0), cost: 10_000,
///         up: vec![Condition::Loaded(PartId(0))], timetable: None,
///     }],
///     ..PuzzleParts::default()
/// })?;
/// let answer = puzzle.solve(&PuzzleQuery::new(&puzzle, at(0, 1), at(6, 0)));
/// let steps: &[PlanStep] = &answer.plan().unwrap().steps;
/// assert_eq!(steps[1].walk, [at(2, 1), at(2, 0), at(3, 0), at(5, 0), at(6, 0)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlanStep {
    /// The cells of the walk, from the walker's cell to the cell of the deed.
    pub walk: Vec<Cell>,
    /// The deed.
    pub deed: Deed,
    /// The cost of both, in units of cost, with the time spent waiting for platforms.
    pub cost: u32,
}

/// A plan: steps in order, the last of which arrives at the goal.
///
/// Example: [`Puzzle`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PuzzlePlan {
    /// Its steps.
    pub steps: Vec<PlanStep>,
}

impl PuzzlePlan {
    /// Returns its cost, in units of cost.
    #[must_use]
    pub fn cost(&self) -> u64 {
        self.steps.iter().map(|step| u64::from(step.cost)).sum()
    }

    /// Returns its deeds in order.
    pub fn deeds(&self) -> impl Iterator<Item = Deed> + '_ {
        self.steps.iter().map(|step| step.deed)
    }

    /// Returns the count of walked cells, rides counting as one.
    #[must_use]
    pub fn walked(&self) -> usize {
        let walk = |step: &PlanStep| {
            let shoved = matches!(step.deed, Deed::Push { .. } | Deed::Drag { .. });
            step.walk.len().saturating_sub(1) + usize::from(shoved)
        };
        self.steps.iter().map(walk).sum()
    }
}

impl Puzzle {
    /// Returns in words that a gate is shut, and when it opens: "'grate' is shut: it opens while a
    /// crate lies on 'pan'".
    #[must_use]
    pub fn tell_gate(&self, gate: PartId) -> String {
        let Some(gate) = self.parts().gates.get(usize::from(gate.0)) else {
            return "nothing is shut".to_owned();
        };
        let when: Vec<String> = gate.when.iter().map(|one| self.tell_condition(*one)).collect();
        format!("'{}' is shut: it opens while {}", gate.name, when.join(" and "))
    }

    fn tell_condition(&self, condition: Condition) -> String {
        let parts = self.parts();
        let lever = |id| named(&parts.levers, id, |lever| &lever.name);
        let plate = |id| named(&parts.plates, id, |plate| &plate.name);
        match condition {
            Condition::LeverOn(id) => format!("lever '{}' is on", lever(id)),
            Condition::LeverOff(id) => format!("lever '{}' is off", lever(id)),
            Condition::Loaded(id) => format!("a crate lies on '{}'", plate(id)),
            Condition::Unloaded(id) => format!("no crate lies on '{}'", plate(id)),
            Condition::Held(id) => {
                format!("key '{}' is taken", named(&parts.keys, id, |key| &key.name))
            }
            Condition::Bridged(id) => {
                format!("'{}' is worked", named(&parts.hooks, id, |hook| &hook.name))
            }
        }
    }

    /// Returns a deed in words, with the names of parts: "pull red lever".
    #[must_use]
    pub fn tell(&self, deed: Deed) -> String {
        let parts = self.parts();
        let at = |cell: Cell| match self.ground().coordinates(cell) {
            Some(at) => format!("{},{}", at.x, at.y),
            None => "nowhere".to_owned(),
        };
        match deed {
            Deed::Take(key) => format!("take {}", named(&parts.keys, key, |key| &key.name)),
            Deed::Pull(lever) => format!("pull {}", named(&parts.levers, lever, |it| &it.name)),
            Deed::Haul(hook) => format!("work {}", named(&parts.hooks, hook, |hook| &hook.name)),
            Deed::Push { from, to } => format!("push crate from {} to {}", at(from), at(to)),
            Deed::Drag { from, to } => format!("pull crate from {} to {}", at(from), at(to)),
            Deed::Arrive => "arrive".to_owned(),
        }
    }
}

/// Returns the name of a part of a list.
fn named<T>(list: &[T], PartId(number): PartId, name: impl Fn(&T) -> &str) -> &str {
    list.get(usize::from(number)).map_or("nothing", name)
}
