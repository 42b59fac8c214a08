//! Requests to the planner, and their status.

use glam::Vec3;

use wayfare_core::navigate::{Answered, Policy};
use wayfare_core::search::{Auto, Goal, Query};
use wayfare_core::space::{Cost, StateId};

/// A class of agents: a profile of the space and the keys that go with it. The caller says which
/// space a class sees.
///
/// Example: [`PlannerStats`](super::PlannerStats).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ClassId(pub u16);

/// How urgent a request is: the higher the sooner. Default: 128.
///
/// Example: [`PlannerStats`](super::PlannerStats).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Priority(pub u8);

impl Default for Priority {
    fn default() -> Self {
        Self(128)
    }
}

/// Where a request queues.
///
/// Example: [`PlannerStats`](super::PlannerStats).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Lane {
    /// With all others.
    #[default]
    Normal,
    /// In the lane for short queries, which has its own share of the budget and serves in order of
    /// arrival. A query that turns out long moves to the normal lane.
    Local,
}

/// An answer and the ticket of the request that it is for.
///
/// Example: [`PlannerStats`](super::PlannerStats).
#[derive(Clone, PartialEq, Debug)]
pub struct Finished<State, C> {
    /// The ticket, which is spent.
    pub ticket: Ticket,
    /// The answer.
    pub answer: Answered<State, C>,
}

/// A query with its class, urgency and options.
///
/// A request may name an algorithm of its own, of the type `A` that the planner has:
///
/// ```
/// use wayfare::plan::{ClassId, Planner, PlannerSettings, Request};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::{Guarantee, NamedAlgorithm};
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let any = NamedAlgorithm::from(AlgorithmId::Auto);
/// let mut planner = Planner::new(any, PlannerSettings::default());
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let request = Request::new(ClassId(0), query).by(AlgorithmId::LazyThetaStar.into());
/// let ticket = planner.request(request);
/// planner.tick(|_class| grid.space(), 1_000);
/// assert_eq!(planner.take(ticket).unwrap().took.guarantee, Guarantee::AnyAngle);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Request<State: StateId, C, A = Auto> {
    /// For which class of agents.
    pub class: ClassId,
    /// From where, to where, within which limits.
    pub query: Query<State, C>,
    /// How urgent it is.
    pub priority: Priority,
    /// Where it queues.
    pub lane: Lane,
    /// How good the answer has to be. Default: [`Policy::Exact`].
    pub policy: Policy,
    /// The algorithm that searches for it. Default: the planner's, unless an engine or a shared
    /// field answers; a request that names one is answered by a search of that algorithm alone.
    pub algorithm: Option<A>,
    /// The points in the start and goal states to connect, for engines that find paths between
    /// points. Default: the positions of the states.
    pub points: Option<RequestPoints>,
}

/// The end points of a path.
///
/// ```
/// use wayfare::plan::RequestPoints;
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let click = Vec3::new(3.2, 0.0, 2.9);
/// let points = RequestPoints { start: grid.centre(start), goal: click };
/// let request: Request<_, u32> = Request::new(ClassId(0), Query::new(start, goal)).between(points);
/// assert_eq!(request.points.unwrap().goal, click);
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RequestPoints {
    /// A point in the start state.
    pub start: Vec3,
    /// A point in the goal state.
    pub goal: Vec3,
}

impl<State: StateId, C: Cost, A> Request<State, C, A> {
    /// Returns a request of plain urgency in the normal lane.
    #[must_use]
    pub fn new(class: ClassId, query: Query<State, C>) -> Self {
        Self {
            class,
            query,
            priority: Priority::default(),
            lane: Lane::default(),
            policy: Policy::default(),
            algorithm: None,
            points: None,
        }
    }

    /// Returns the same request, with that priority.
    #[must_use]
    pub fn priority(self, priority: Priority) -> Self {
        Self { priority, ..self }
    }

    /// Returns the same request, under that policy.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// Returns the same request, to be searched for by that algorithm, without prepared engines.
    #[must_use]
    pub fn by(self, algorithm: A) -> Self {
        Self { algorithm: Some(algorithm), ..self }
    }

    /// Returns the same request, for a path between these points of the start and the goal state.
    #[must_use]
    pub fn between(self, points: RequestPoints) -> Self {
        Self { points: Some(points), ..self }
    }

    /// Returns the same request, in the lane for short queries.
    #[must_use]
    pub fn local(self) -> Self {
        Self { lane: Lane::Local, ..self }
    }

    /// Returns class and goal if requests of the same can be answered together: one goal, no limit
    /// of cost, no algorithm of its own, and no approach wanted.
    pub(super) fn shared_goal(&self) -> Option<(ClassId, State)> {
        match self.query.goal {
            Goal::State(goal)
                if self.algorithm.is_none()
                    && !self.query.approach
                    && self.query.limits.cost == C::INFINITY =>
            {
                Some((self.class, goal))
            }
            _ => None,
        }
    }
}

/// A receipt for a request, to ask for its answer. A ticket whose answer was taken, or that was
/// cancelled, is never valid again.
///
/// Example: [`PlannerStats`](super::PlannerStats).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Ticket {
    pub(super) index: u32,
    pub(super) salt: u32,
}

/// How far a request has come.
///
/// Example: [`Planner`](super::Planner).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Standing {
    /// It waits for its turn.
    Queued,
    /// It is being searched for.
    Running {
        /// Expansions for it up to now; if it shares a field, the expansions of the field.
        expanded: u64,
    },
    /// The answer can be taken.
    Done,
    /// There is no such request: it was cancelled, or its answer was taken.
    Unknown,
}
