//! From a path to the legs of a rail.

use std::borrow::Cow;

use glam::Vec3;
use wayfare_core::inside::{LineEnd, round_and_mark, shorten_path_for_body};
use wayfare_core::link::LinkedSpace;
use wayfare_core::ops;
use wayfare_core::path::{PathOf, Polyline, Rounding};
use wayfare_core::space::{Action, LineOfSight, MoveRules};

use super::AgentLimits;
use super::lay_taut::{LinkEnds, lay_taut};
use super::rail::{Hold, Leg};

/// Returns the direction from one point to another seen from above.
pub(super) fn yaw(from: Vec3, to: Vec3) -> Option<f32> {
    let (x, z) = (to.x - from.x, to.z - from.z);
    (x * x + z * z > 1e-12).then(|| ops::atan2(z, x))
}

/// Returns the length of a straight leg: as seen from above where paths are pulled taut, so that
/// bodies take stairs and ramps as fast as level ground.
pub(crate) fn leg_length<S: LineOfSight>(from: Vec3, to: Vec3) -> f32 {
    let way = to - from;
    if S::PULLS_TAUT { way.with_y(0.0).length() } else { way.length() }
}

/// A part of a straight line, all of which has room for a body, or none.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoomPart {
    /// Where it ends, and at which distance.
    pub(super) to: Vec3,
    pub(super) until: f32,
    pub(super) has_room: bool,
}

/// Divides a straight line into parts along which a body of a radius has room, and others: a body
/// that begins beside a wall, or passes a narrow place, is bound to its rail there alone. Visits
/// the parts from the first to the last; neighbours differ in room.
///
/// Halves the line until a part has room or is no longer than the body is wide: one sweep where all
/// of it has room, else O(log (length / radius)) sweeps for each place without. `span`: the
/// distances of its ends. `point` returns the point at a distance; `has_room`, whether the body can
/// be swept from one point to another.
pub(super) fn parts_by_room(
    span: [f32; 2],
    radius: f32,
    point: impl Fn(f32) -> Vec3,
    has_room: impl Fn(Vec3, Vec3) -> bool,
    mut visit: impl FnMut(RoomPart),
) {
    let mut last: Option<RoomPart> = None;
    let (mut next, mut pending) = (Some(span), Vec::new());
    while let Some([from, until]) = next {
        let to = point(until);
        let has_room = has_room(point(from), to);
        let middle = from.midpoint(until);
        let is_long = radius > 0.0 && until - from > 2.0 * radius;
        if !has_room && is_long && from < middle && middle < until {
            pending.push([middle, until]);
            next = Some([from, middle]);
            continue;
        }
        // Two parts that are alike become one.
        if let Some(before) = last.filter(|before| before.has_room != has_room) {
            visit(before);
        }
        last = Some(RoomPart { to, until, has_room });
        next = pending.pop();
    }
    last.into_iter().for_each(visit);
}

/// Lays a segment as clear legs: those along which a body of a radius has room, and those along
/// which it has none. It begins at the distance `begin`, and has that length. Returns whether the
/// body has room everywhere: the segment is clear then; else the caller has to ask.
pub(super) fn push_by_room<S: LineOfSight + MoveRules>(
    space: &S,
    ([from, to], begin, length): ([Vec3; 2], f32, f32),
    (action, radius): (Action, f32),
    legs: &mut Vec<Leg<S::State>>,
) -> bool {
    if length <= 0.0 {
        return true;
    }
    let point = |along: f32| if along < length { from.lerp(to, along / length) } else { to };
    let has_room = |from, to| space.sweep_is_clear(from, to, radius);
    // All turn alike.
    let (yaw, hold, speed_at_end) = (yaw(from, to), Hold::Clear, 0.0);
    let mut is_clear = true;
    parts_by_room([0.0, length], radius, point, has_room, |part| {
        is_clear &= part.has_room;
        let (to, until) = (part.to, begin + part.until);
        let room = if part.has_room { radius } else { 0.0 };
        legs.push(Leg { to, until, speed_at_end, yaw, action, hold, room });
    });
    is_clear
}

/// Returns the straight leg from one point to another, as [`lay_straight`] over level ground.
pub(super) fn straight_leg<S: LineOfSight, State>(
    [from, to]: [Vec3; 2],
    (action, room): (Action, f32),
    length: &mut f32,
) -> Leg<State> {
    *length += leg_length::<S>(from, to);
    let (until, yaw, hold) = (*length, yaw(from, to), Hold::Clear);
    Leg { to, until, speed_at_end: 0.0, yaw, action, hold, room }
}

/// Lays straight legs from one point to another over the ground between them: clear segments with
/// room for a body of that radius, as the caller has proved. `length`: of the rail before them; it
/// grows by that of the legs. Calls `push` with each leg.
pub(crate) fn lay_straight<S: LineOfSight, State>(
    space: &S,
    [from, to]: [Vec3; 2],
    (action, room): (Action, f32),
    length: &mut f32,
    mut push: impl FnMut(Leg<State>),
) {
    let mut before = from;
    let mut lead_to = |from: Vec3, to: Vec3| {
        push(straight_leg::<S, State>([from, to], (action, room), length));
    };
    space.follow_ground(from, to, &mut |point| {
        // Where two floors meet at different heights, one point has two of them. No leg joins the
        // two; and the last leg ends at the corner itself, where the rest of the rail begins.
        if leg_length::<S>(before, point) > 0.0 && leg_length::<S>(point, to) > 0.0 {
            lead_to(before, point);
            before = point;
        }
    });
    lead_to(before, to);
}

/// Lays walking legs from point to point, as [`lay_straight`]. Replaces `legs`.
pub(crate) fn lay_points<S: LineOfSight>(
    space: &S,
    from: Vec3,
    points: impl Iterator<Item = Vec3>,
    radius: f32,
    legs: &mut Vec<Leg<S::State>>,
) {
    legs.clear();
    let (mut before, mut length) = (from, 0.0);
    for point in points {
        if leg_length::<S>(before, point) <= 0.0 {
            continue;
        }
        let manner = (Action::Walk, radius);
        lay_straight(space, [before, point], manner, &mut length, |leg| legs.push(leg));
        before = point;
    }
}

/// Returns whether a run of moves of that action may be cut short and rounded.
pub(super) fn is_continuous(action: Action) -> bool {
    matches!(action, Action::Walk | Action::Swim | Action::Fly)
}

/// Whether the moves of a path may become longer straight legs.
///
/// Example: [`RailSpec`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Smoothing {
    /// Each move is a leg.
    None,
    /// Walking, swimming and flying are shortened by lines of sight, and their corners rounded.
    LineOfSight,
}

/// The body that is to follow a path, and how.
///
/// ```
/// use wayfare::agent::{AgentLimits, RailSpec, Smoothing, lay};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let path = solve(&grid.space(), &AStar::new(), Query::new(start, goal)).outcome.into_path();
/// let (limits, mut legs) = (AgentLimits::default(), Vec::new());
/// let smooth = RailSpec::new(grid.centre(start), &limits);
/// lay(&grid.space(), &path, &smooth.smoothing(Smoothing::None), &mut legs)?;
/// assert_eq!(legs.len(), path.steps.len() - 1); // a leg for each move
/// let moves = legs.len();
/// lay(&grid.space(), &path, &smooth, &mut legs)?;
/// assert_ne!(legs.len(), moves); // straight lines and rounded corners
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RailSpec<'l> {
    /// Where the body is: a point at or near the start of the path.
    pub from: Vec3,
    /// Its radius and the radius of its turns.
    pub limits: &'l AgentLimits,
    /// Whether moves may become longer legs. Default: by lines of sight.
    pub smoothing: Smoothing,
    /// The point that replaces the end of the path, if `smoothing` is by lines of sight and a clear
    /// segment joins the two; others are ignored. Default: none.
    pub goal: Option<Vec3>,
}

impl<'l> RailSpec<'l> {
    /// Returns a body at a point, whose path is smoothed by lines of sight and ends where it ends.
    #[must_use]
    pub fn new(from: Vec3, limits: &'l AgentLimits) -> Self {
        Self { from, limits, smoothing: Smoothing::LineOfSight, goal: None }
    }

    /// Returns the same with another smoothing.
    #[must_use]
    pub fn smoothing(self, smoothing: Smoothing) -> Self {
        Self { smoothing, ..self }
    }

    /// Returns the same with an exact goal.
    #[must_use]
    pub fn goal(self, goal: Option<Vec3>) -> Self {
        Self { goal, ..self }
    }
}

/// Why a path does not become legs.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LayError {
    /// The path has no state.
    #[error("the path has no state")]
    EmptyPath,
    /// A leg would be neither a clear segment nor a legal move nor a link.
    #[error("a leg of the path is neither a clear segment nor a legal move nor a link")]
    IllegalLeg,
}

/// Writes the legs of a path to `legs`. Their lengths count from the point where the body is.
///
/// `space` is the space beneath the links. Jumps, falls, ladders and links stay as they are,
/// whatever the smoothing.
///
/// Every leg is checked: it is a clear segment, a legal move, or a link. A body that keeps to the
/// legs leaves free ground in links alone. Where there is room, it keeps its radius from walls; a
/// goal nearer to a wall is moved towards the middle of its state.
///
/// Where the space [pulls lines taut](LineOfSight::PULLS_TAUT), smoothing does not matter: runs of
/// moves become taut lines that follow the ground, and the goal is a point of the last state.
///
/// # Errors
/// [`LayError`], with `legs` empty.
pub fn lay<S>(
    space: &S,
    path: &PathOf<S>,
    spec: &RailSpec<'_>,
    legs: &mut Vec<Leg<S::State>>,
) -> Result<(), LayError>
where
    S: LineOfSight + MoveRules,
{
    if S::PULLS_TAUT {
        let places = |_: LinkEnds<S::State>, out: &mut Vec<[Vec3; 2]>| out.clear();
        return lay_taut(space, &places, path, spec, legs);
    }
    lay_by_lines(space, |from, to| space.line_cost(from, to), path, spec, legs)
}

/// Like [`lay`], where `line` is the cost of a straight line.
fn lay_by_lines<S>(
    space: &S,
    line: impl Fn(S::State, S::State) -> Option<S::Cost>,
    path: &PathOf<S>,
    spec: &RailSpec<'_>,
    legs: &mut Vec<Leg<S::State>>,
) -> Result<(), LayError>
where
    S: LineOfSight + MoveRules,
{
    let RailSpec { from, limits, smoothing, goal } = *spec;
    let cuts = smoothing == Smoothing::LineOfSight;
    legs.clear();
    let path = if cuts {
        Cow::Owned(shorten_path_for_body(space, path, limits.radius, line))
    } else {
        Cow::Borrowed(path)
    };
    let start = path.start().ok_or(LayError::EmptyPath)?;
    let mut layer =
        Layer { space, limits, cuts, from, legs, run: vec![(from, None)], action: Action::Walk };
    let sweeps = |from: Vec3, to: Vec3| space.sweep_is_clear(from, to, limits.radius);
    let at_start = space.position(start);
    let second = path.steps.get(1).filter(|step| cuts && is_continuous(step.action));
    let skips_start =
        second.is_some_and(|step| at_start != from && sweeps(from, space.position(step.state)));
    if at_start == from {
        layer.run = vec![(from, Some(start))];
    } else if !skips_start {
        if !space.segment_is_clear(from, at_start) {
            return Err(LayError::IllegalLeg);
        }
        layer.run.push((at_start, Some(start)));
    }
    let mut before = start;
    let mut is_laid = true;
    for step in path.steps.iter().skip(1) {
        let to = space.position(step.state);
        if is_continuous(step.action) {
            if layer.action != step.action {
                is_laid &= layer.end_run();
            }
            layer.action = step.action;
            layer.run.push((to, Some(step.state)));
        } else {
            is_laid &= layer.end_run();
            let (from, to_state) = (before, step.state);
            // A space may have moves of a link's action of its own; they are moves like others.
            let is_own = || {
                space.check_move(from, to_state).is_ok()
                    && space.action(from, to_state) == step.action
            };
            let (hold, is_legal) = match step.action {
                // Whether a link can be entered is seen at its entrance.
                Action::Link(link) if !is_own() => (
                    Hold::Link { link, from, to: to_state },
                    space.check(from).is_ok() && space.check(to_state).is_ok(),
                ),
                _ => (Hold::Move { from, to: to_state }, space.check_move(from, to_state).is_ok()),
            };
            is_laid &= is_legal;
            layer.push(to, step.action, hold, 0.0);
            layer.run = vec![(to, Some(step.state))];
        }
        before = step.state;
    }
    let end = space.position(before);
    if let Some(goal) = goal.filter(|&goal| cuts && space.segment_is_clear(end, goal)) {
        // Replaces the middle of the last state if that is only a detour.
        let may_skip = layer.run.len() > 1 && is_continuous(layer.action);
        let before = may_skip.then(|| layer.run[layer.run.len() - 2].0);
        let exact = LineEnd::new(space, before, end, goal, limits.radius);
        if exact.point != end {
            if exact.is_straight {
                layer.run.pop();
            }
            layer.run.push((exact.point, None));
        }
    }
    is_laid &= layer.end_run();
    if !is_laid {
        legs.clear();
        return Err(LayError::IllegalLeg);
    }
    Ok(())
}

/// Like [`lay`], with links entered and left at their [exact ends](wayfare_core::link::LinkPoints),
/// with lines that cost the [delay](wayfare_core::link::Jams) on them, and with none past states in
/// [danger](wayfare_core::link::Danger): a detour around a jam or a danger is kept.
///
/// # Errors
/// As [`lay`].
pub fn lay_over_links<S>(
    linked: &LinkedSpace<'_, S>,
    path: &PathOf<S>,
    spec: &RailSpec<'_>,
    legs: &mut Vec<Leg<S::State>>,
) -> Result<(), LayError>
where
    S: LineOfSight + MoveRules,
{
    if !S::PULLS_TAUT {
        let line = |from, to| linked.line_on_foot(from, to);
        return lay_by_lines(linked.space(), line, path, spec, legs);
    }
    let places = |ends: LinkEnds<S::State>, out: &mut Vec<[Vec3; 2]>| {
        out.clear();
        out.extend(linked.exact_places(ends.link, ends.from, ends.to));
    };
    lay_taut(linked.space(), &places, path, spec, legs)
}

/// A point of a run, with the state whose position it is.
type Vertex<State> = (Vec3, Option<State>);

/// Legs under way.
struct Layer<'a, S: LineOfSight + MoveRules> {
    space: &'a S,
    limits: &'a AgentLimits,
    cuts: bool,
    from: Vec3,
    legs: &'a mut Vec<Leg<S::State>>,
    /// Moves of one run of walking, swimming or flying, not laid yet.
    run: Vec<Vertex<S::State>>,
    action: Action,
}

impl<S: LineOfSight + MoveRules> Layer<'_, S> {
    /// Returns the end of the legs so far, and its distance.
    fn end(&self) -> (Vec3, f32) {
        self.legs.last().map_or((self.from, 0.0), |leg| (leg.to, leg.until))
    }

    fn push(&mut self, to: Vec3, action: Action, hold: Hold<S::State>, room: f32) {
        let (start, begin) = self.end();
        let length = start.distance(to);
        if length > 0.0 || matches!(hold, Hold::Link { .. }) {
            let yaw = yaw(start, to);
            let until = begin + length;
            self.legs.push(Leg { to, until, speed_at_end: 0.0, yaw, action, hold, room });
        }
    }

    /// Lays a segment by room. Returns whether it is clear.
    fn push_by_room(&mut self, to: Vec3) -> bool {
        let (start, begin) = self.end();
        let line = ([start, to], begin, start.distance(to));
        push_by_room(self.space, line, (self.action, self.limits.radius), self.legs)
            || self.space.segment_is_clear(start, to)
    }

    /// Lays the run, whose last point begins the next one.
    fn end_run(&mut self) -> bool {
        let run = std::mem::take(&mut self.run);
        let rounds = self.cuts && self.limits.turn_radius > 0.0 && run.len() > 2;
        let line: Polyline = run.iter().map(|vertex| vertex.0).collect();
        let mut is_kept = Vec::new();
        let line = if rounds {
            let rounding = Rounding::new(self.limits.turn_radius);
            let rounding = Rounding { body: self.limits.radius, ..rounding };
            round_and_mark(self.space, &line, rounding, &mut is_kept)
        } else {
            line
        };
        // Corners that were not rounded are still where states are, in the order of the run.
        let mut vertices = run.iter();
        let mut stateful = |place: usize| -> Option<S::State> {
            let point = *line.points.get(place).filter(|_| !rounds || is_kept[place])?;
            vertices.find(|vertex| vertex.0 == point)?.1
        };
        let mut before = stateful(0);
        let mut is_laid = true;
        for (place, pair) in line.points.windows(2).enumerate() {
            let state = stateful(place + 1);
            let step =
                before.zip(state).filter(|&(from, to)| self.space.check_move(from, to).is_ok());
            let (begin, end, radius) = (pair[0], pair[1], self.limits.radius);
            match step {
                Some(_) if self.cuts && self.space.sweep_is_clear(begin, end, radius) => {
                    self.push(end, self.action, Hold::Clear, radius);
                }
                Some((from, to)) => self.push(end, self.action, Hold::Move { from, to }, 0.0),
                None => is_laid &= self.push_by_room(end),
            }
            before = state;
        }
        self.run.extend(run.last());
        is_laid
    }
}
