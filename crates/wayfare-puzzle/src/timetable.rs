//! Timetables of platforms.
//!
//! # Why time is no part of a state
//!
//! Times are in units of cost. The clock of a plan is the clock of its query plus the cost of the
//! plan up to now: walking, deeds, rides and waiting. A walker at a cell, with all parts in the
//! same state, earlier than another can wait there and then do the same. Nothing changes meanwhile
//! but platforms, which harm no walker, and gates do not depend on the time. So the earliest
//! arrival at a cell and state leads to the earliest arrival anywhere. The cost of a state tells
//! its time, and no phases have to be told apart, whatever the periods of platforms are.
//!
//! For the same reason a flood by the earliest arrival is exact: a walker that comes to a platform
//! earlier never leaves by it later. Backwards the flood goes by the latest departure.
//!
//! Source of the argument: S. Dreyfus, "An appraisal of some shortest-path algorithms", 1969.

/// The times at which a platform leaves its ends, over and over. All are in units of cost:
/// [`STRAIGHT`](wayfare_core::space::STRAIGHT) is the time of a step on plain ground.
///
/// It takes on board a walker at its end at that time. Between two rides it stays at the end where
/// it is.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::puzzle::{
///     PlanRide, Platform, PlatformPlace, Puzzle, PuzzleGround, PuzzleParts, PuzzleQuery,
///     Timetable,
/// };
/// use wayfare::space::STRAIGHT;
///
/// // It leaves for the upper end at 0, 20, 40, … steps, and comes back in between.
/// let timetable = Timetable { period: 20 * STRAIGHT, up_at: 0, down_at: 10 * STRAIGHT };
/// let grid = Grid::from_rows(&["....#..."])?;
/// let at = |x| grid.cell(x, 0).unwrap();
/// let puzzle = Puzzle::new(PuzzleGround::new(&grid, Default::default(), None), PuzzleParts {
///     platforms: vec![Platform {
///         name: "ferry".into(), low: at(3), high: at(5), cost: 4 * STRAIGHT, up: vec![],
///         timetable: Some(timetable),
///     }],
///     ..PuzzleParts::default()
/// })?;
/// let query = PuzzleQuery::new(&puzzle, at(0), at(7));
/// let plan = puzzle.solve(&query).plan().unwrap().clone();
/// // Three steps, 17 of waiting, the ride, two steps.
/// assert_eq!(plan.cost(), u64::from((3 + 17 + 4 + 2) * STRAIGHT));
/// let rides: Vec<PlanRide> = puzzle.rides(&query, &plan).unwrap();
/// assert_eq!(rides[0].wait, 17 * STRAIGHT);
/// assert_eq!(timetable.place(u64::from(9 * STRAIGHT), 4 * STRAIGHT), PlatformPlace::High);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Timetable {
    /// The time after which all repeats: from 1 to that of 100,000 steps.
    pub period: u32,
    /// When it leaves the lower end: less than the period.
    pub up_at: u32,
    /// When it leaves the upper end: less than the period.
    pub down_at: u32,
}

/// Where a platform is.
///
/// Example: [`Timetable`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlatformPlace {
    /// At its lower end.
    Low,
    /// At its upper end.
    High,
    /// In between.
    Moving,
}

impl Timetable {
    /// Returns whether all times lie within the period, and a ride of that cost ends before the
    /// other begins.
    pub(super) fn has_room_for(self, cost: u32) -> bool {
        let Self { period, up_at, down_at } = self;
        let gap = |from: u32, to: u32| if to > from { to - from } else { period - from + to };
        up_at < period
            && down_at < period
            && up_at != down_at
            && gap(up_at, down_at) >= cost
            && gap(down_at, up_at) >= cost
    }

    /// Returns the time from `now` until it next leaves an end; 0 if that is now.
    #[must_use]
    pub fn wait(self, is_up: bool, now: u64) -> u32 {
        let offset = if is_up { self.up_at } else { self.down_at };
        // Both terms are below the period, which is not 0 in a puzzle.
        let period = self.period.max(1);
        let since = (now % u64::from(period)) as u32;
        if offset >= since { offset - since } else { period - since + offset }
    }

    /// Returns the time from its last departure from an end until `now`; `None` before the first.
    #[must_use]
    pub fn since(self, is_up: bool, now: u64) -> Option<u32> {
        let offset = if is_up { self.up_at } else { self.down_at };
        let gone = now.checked_sub(u64::from(offset))?;
        Some((gone % u64::from(self.period.max(1))) as u32)
    }

    /// Returns whether it leaves an end after `before` and not after `now`.
    #[must_use]
    pub fn leaves_between(self, is_up: bool, before: u64, now: u64) -> bool {
        self.since(is_up, now).is_some_and(|since| u64::from(since) < now.saturating_sub(before))
    }

    /// Returns where it is at a time, if a ride takes `cost`. Before its first ride it is where
    /// that begins.
    #[must_use]
    pub fn place(self, now: u64, cost: u32) -> PlatformPlace {
        // Times before the first ride are as those a period later.
        let now = now.saturating_add(self.period.into());
        let (up, down) = (self.since(true, now), self.since(false, now));
        let (Some(up), Some(down)) = (up, down) else { return PlatformPlace::Low };
        match up < down {
            true if up < cost => PlatformPlace::Moving,
            true => PlatformPlace::High,
            false if down < cost => PlatformPlace::Moving,
            false => PlatformPlace::Low,
        }
    }
}
