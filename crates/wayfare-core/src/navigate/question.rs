//! Questions: a query, the points that its ends lie at, and how good the answer has to be.

use glam::Vec3;

use super::{End, Refusal};
use crate::path::{LineEnd, Path, Polyline, shorten};
use crate::search::{Goal, Query};
use crate::space::{Cost, LineOfSight, Space, StateId};

/// How good an answer has to be, and how soon.
///
/// Example: `HierarchyEngine`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Policy {
    /// A cheapest path, whatever it takes.
    #[default]
    Exact,
    /// The first steps of a near-optimal path as soon as possible: the path may end short of the
    /// goal ([`Coverage::FirstLeg`](super::Coverage::FirstLeg)). The rest is asked for later, from
    /// where the leg ends. Where no engine knows legs, a cheapest path.
    FirstLeg,
    /// An answer after at most that many units of [work](super::work): a cheapest path if it is
    /// found by then, else the path to the expanded state nearest to the goal
    /// ([`Limit::Expansions`](crate::search::Limit::Expansions)).
    Within(u64),
}

/// A question to a [`Navigator`](super::Navigator): a query, a policy, and the points that the ends
/// lie at.
///
/// A [`Query`] becomes a question with the [default policy](Policy::Exact) by [`From`].
///
/// ```
/// use glam::Vec3;
/// use wayfare::navigate::{End, Question, Shortening, grid_end};
/// use wayfare::prelude::*;
///
/// let grid = Grid::from_rows(&["....", "....", "...."])?;
/// let space = grid.space();
/// // Two clicks, each in a cell but beside its centre.
/// let ends = [(0.2, 0.3), (3.8, 2.1)].map(|(x, z)| grid_end(&space, Vec3::new(x, 0.0, z), 0.0).unwrap());
/// let question = Question::between(ends[0], ends[1]);
///
/// let path = solve(&space, &AStar::new(), question.query.clone()).outcome.into_path();
/// let line = question.polyline(&space, &path, Shortening::LineOfSight);
/// assert_eq!(line.points, [ends[0].point, ends[1].point]); // nothing is in the way
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Question<State: StateId, C> {
    /// From which state, to which states, within which limits.
    pub query: Query<State, C>,
    /// How good the answer has to be.
    pub policy: Policy,
    /// The point in the start state where the path begins. Default: the state's position.
    pub start_point: Option<Vec3>,
    /// The point in the goal state where the path ends. Default: the state's position.
    pub goal_point: Option<Vec3>,
}

/// A question about a space. A shorthand for bounds.
pub type QuestionOf<S> = Question<<S as Space>::State, <S as Space>::Cost>;

/// Whether a polyline cuts across free ground.
///
/// Example: [`Question`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Shortening {
    /// Through the position of every state on the path.
    #[default]
    None,
    /// Straight wherever a clear segment passes the positions between ([`shorten()`]). For
    /// uniform-cost ground: costs are not looked at.
    LineOfSight,
}

impl<State: StateId, C> From<Query<State, C>> for Question<State, C> {
    fn from(query: Query<State, C>) -> Self {
        Self { query, policy: Policy::Exact, start_point: None, goal_point: None }
    }
}

impl<State: StateId, C: Cost> Question<State, C> {
    /// Returns the question for a cheapest path from one point to another.
    #[must_use]
    pub fn between(start: End<State>, goal: End<State>) -> Self {
        Self {
            start_point: Some(start.point),
            goal_point: Some(goal.point),
            ..Query::new(start.state, goal.state).into()
        }
    }

    /// Returns the same question under another policy.
    #[must_use]
    pub fn policy(self, policy: Policy) -> Self {
        Self { policy, ..self }
    }

    /// Returns the goal of a question that an engine can answer from a table of cheapest paths
    /// between single states.
    ///
    /// # Errors
    /// [`Refusal::Goal`] if the goal is not a single state; [`Refusal::Limits`] if the query limits
    /// the cost, or wants the state nearest to a goal that cannot be reached. A limit of expansions
    /// does not matter to an engine that expands nothing.
    pub fn plain_goal(&self) -> Result<State, Refusal> {
        let Goal::State(goal) = self.query.goal else { return Err(Refusal::Goal) };
        if self.query.limits.cost < C::INFINITY || self.query.approach {
            return Err(Refusal::Limits);
        }
        Ok(goal)
    }

    /// Returns the shape of an answer: from the start point along the path to the goal point.
    ///
    /// The start point replaces the position of the path's first state. The goal point replaces
    /// that of its last state if this is a goal of the query; a path that ends short of the goal
    /// ends at the position of its last state. If the given point does not see the next position,
    /// the position of its own state stays as a point of the line. Empty if the path is.
    ///
    /// O(n) for n states; with [`Shortening::LineOfSight`] O(n log n) lines of sight as a rule.
    #[must_use]
    pub fn polyline<S>(&self, space: &S, path: &Path<State, C>, shortening: Shortening) -> Polyline
    where
        S: LineOfSight + Space<State = State, Cost = C>,
    {
        let mut points: Vec<Vec3> = path.points(space).collect();
        let is_whole = path.end().is_some_and(|end| self.query.goal.accepts(end));
        if let (Some(goal), true) = (self.goal_point, is_whole) {
            put_end(space, &mut points, goal);
        }
        if let (Some(start), false) = (self.start_point, points.is_empty()) {
            points.reverse();
            put_end(space, &mut points, start);
            points.reverse();
        }
        let line = Polyline { points };
        match shortening {
            Shortening::None => line,
            Shortening::LineOfSight => shorten(space, &line),
        }
    }
}

/// Puts a point of the last state at the end of a line. It replaces the state's position if the
/// point before sees it.
fn put_end<S: LineOfSight>(space: &S, points: &mut Vec<Vec3>, wanted: Vec3) {
    let Some(position) = points.pop() else { return };
    let end = LineEnd::new(space, points.last().copied(), position, wanted, 0.0);
    // A path of one state has both of its ends in that state.
    if !points.is_empty() && !end.is_straight {
        points.push(position);
    }
    points.push(end.point);
}
