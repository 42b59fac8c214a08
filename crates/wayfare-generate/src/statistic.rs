//! Measures of a world, and the promises of a kind about them.

use crate::Range;

/// Something that is measured of a world.
///
/// ```
/// use wayfare_generate::Statistic;
///
/// assert_eq!(Statistic::DeadEnds.name(), "dead ends");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Statistic {
    /// The share of tiles that are free; of blocks the share that is air.
    FreeShare,
    /// The regions of free tiles that hang together by sides.
    Regions,
    /// The width, in tiles, of the widest body that gets from the entry to the exit; looked for up
    /// to [`Statistic::WIDEST`].
    Passage,
    /// Free tiles with exactly one free neighbour by sides; among blocks and polygons, reached
    /// ones with a single move away.
    DeadEnds,
    /// The mean count of free neighbours by sides of a free tile; among blocks and polygons, of
    /// moves from a reached one.
    MeanDegree,
    /// The blocks, or the polygons of a level's mesh, that can be reached from the entry.
    Reached,
    /// The ground of a level that can be reached, in square metres.
    Area,
    /// The storeys of a level.
    Storeys,
    /// Rooms, islands or houses: as many as the kind built.
    Rooms,
    /// Locked doors.
    Doors,
    /// States that a search over tiles and keys expanded.
    Expanded,
    /// Of puzzles: 1 if all can be solved, 0 if it is proved that one cannot.
    Solvable,
    /// Steps of the cheapest plans of all puzzles.
    Moves,
    /// Deeds of these plans: crates pushed, levers pulled, hooks worked.
    Deeds,
    /// Levers, plates, keys and hooks of the puzzles.
    Switches,
    /// States of the puzzles from which the search found nothing new.
    DeadStates,
    /// States of the puzzles that the search reached.
    States,
}

impl Statistic {
    /// The widest body that [`Statistic::Passage`] tries.
    pub const WIDEST: u8 = 9;

    /// Returns the name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Statistic::FreeShare => "free share",
            Statistic::Regions => "regions",
            Statistic::Passage => "passage",
            Statistic::DeadEnds => "dead ends",
            Statistic::MeanDegree => "mean degree",
            Statistic::Reached => "reached",
            Statistic::Area => "area",
            Statistic::Storeys => "storeys",
            Statistic::Rooms => "rooms",
            Statistic::Doors => "doors",
            Statistic::Expanded => "expanded",
            Statistic::Solvable => "solvable",
            Statistic::Moves => "moves",
            Statistic::Deeds => "deeds",
            Statistic::Switches => "switches",
            Statistic::DeadStates => "dead states",
            Statistic::States => "states",
        }
    }
}

/// A statistic and the range in which it lies.
///
/// ```
/// use wayfare_generate::{Promise, Range, Statistic};
///
/// let promise = Promise::between(Statistic::FreeShare, Range::new(0.3, 0.5));
/// assert!(promise.broken_by(0.4).is_none());
/// assert_eq!(promise.broken_by(0.6).unwrap(), "free share is 0.6, but 0.3 to 0.5 is promised");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Promise {
    /// The promised statistic.
    pub statistic: Statistic,
    /// Where it lies.
    pub range: Range,
}

impl Promise {
    /// Returns a statistic within a range.
    #[must_use]
    pub fn between(statistic: Statistic, range: Range) -> Self {
        Promise { statistic, range }
    }

    /// Returns the promise that a statistic is exactly `value`.
    #[must_use]
    pub fn exactly(statistic: Statistic, value: f32) -> Self {
        Self::between(statistic, Range::only(value))
    }

    /// Returns the promise that a statistic is `value` or more.
    #[must_use]
    pub fn at_least(statistic: Statistic, value: f32) -> Self {
        Self::between(statistic, Range::new(value, f32::INFINITY))
    }

    /// Returns the promise that a statistic is `value` or less.
    #[must_use]
    pub fn at_most(statistic: Statistic, value: f32) -> Self {
        Self::between(statistic, Range::new(0.0, value))
    }

    /// Returns a sentence if the value breaks the promise.
    #[must_use]
    pub fn broken_by(&self, value: f32) -> Option<String> {
        let Range { low, high } = self.range;
        let name = self.statistic.name();
        match self.range.contains(value) {
            true => None,
            false if high == f32::INFINITY => {
                Some(format!("{name} is {value}, but at least {low} is promised"))
            }
            false if low == high => Some(format!("{name} is {value}, but {low} is promised")),
            false => Some(format!("{name} is {value}, but {low} to {high} is promised")),
        }
    }
}
