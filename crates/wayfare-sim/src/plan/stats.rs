//! Statistics of a planner.

use super::LatencyHistogram;

/// The work of a tick.
///
/// Example: [`PlannerStats`].
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TickReport {
    /// The [units of work](wayfare_core::navigate::work) done: at most the budget, which the last
    /// expansion or path read may exceed.
    pub work: u64,
    /// The states expanded: never more than the budget.
    pub expansions: u64,
    /// The requests answered.
    pub finished: u64,
    /// The requests that wait for their turn.
    pub queued: usize,
    /// The requests that are being searched for.
    pub running: usize,
}

/// No count comes near this, and no sum of two of them overflows.
pub(super) const MOST_COUNTED: u64 = 1 << 60;

impl PlannerStats {
    /// Returns whether no count is near its largest value. A count read from a file may be.
    pub(super) fn is_plausible(&self) -> bool {
        let counts = [
            self.ticks,
            self.requested,
            self.done,
            self.failed,
            self.cancelled,
            self.work,
            self.expansions,
            self.coalesced,
            self.prepared,
            self.negative_hits,
            self.moved,
            self.adopted,
            self.restarted,
            self.repaired,
            self.last_tick.finished,
        ];
        counts.iter().all(|&count| count < MOST_COUNTED) && self.latency.is_plausible()
    }
}

/// Counts since the planner was made, and how it stands now.
///
/// ```
/// use wayfare::plan::{Finished, Lane, LatencyHistogram, PlannerStats, Priority, TickReport};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let urgent = Request::new(ClassId(0), query).priority(Priority(200));
/// let short = urgent.clone().local();
/// assert_eq!((urgent.lane, short.lane), (Lane::Normal, Lane::Local));
///
/// let mut planner = Planner::new(AStar::new(), PlannerSettings::default());
/// let tickets: [Ticket; 2] = [urgent, short].map(|request| planner.request(request));
/// let report: TickReport = planner.tick(|_class| grid.space(), 1_000);
/// assert_eq!((report.finished, report.queued), (2, 0));
/// let paths = planner.finished().map(|Finished { ticket, answer }| {
///     assert!(tickets.contains(&ticket));
///     answer.outcome.into_path().len()
/// });
/// assert_eq!(paths.collect::<Vec<_>>(), [5, 5]);
/// let stats: &PlannerStats = planner.stats();
/// let latency: &LatencyHistogram = &stats.latency;
/// assert_eq!((stats.done, latency.percentile(0.99)), (2, 1));
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlannerStats {
    /// The last tick.
    pub last_tick: TickReport,
    /// The count of ticks.
    pub ticks: u64,
    /// The requests handed in.
    pub requested: u64,
    /// The requests answered, whatever the answer.
    pub done: u64,
    /// Answers without a path to the goal, among these.
    pub failed: u64,
    /// The requests cancelled before they were answered.
    pub cancelled: u64,
    /// The [units of work](wayfare_core::navigate::work) done.
    pub work: u64,
    /// The states expanded.
    pub expansions: u64,
    /// The requests answered from a field that they share with others.
    pub coalesced: u64,
    /// The requests answered by [engines](wayfare_core::navigate::Engine) that were prepared for
    /// the space.
    pub prepared: u64,
    /// The requests answered from the regions known to be cut off.
    pub negative_hits: u64,
    /// The short queries that turned out to be long, and moved to the normal lane.
    pub moved: u64,
    /// The searches that went on after an edit.
    pub adopted: u64,
    /// Searches restarted by edits.
    pub restarted: u64,
    /// The fields that were repaired after an edit.
    pub repaired: u64,
    /// Ticks from request to answer: 1 for an answer in the first tick after the request.
    pub latency: LatencyHistogram,
}
