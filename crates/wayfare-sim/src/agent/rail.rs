//! Rails: the line that a body follows, and why each leg of it may be followed.
//!
//! # Why a body on a rail crosses no wall
//!
//! Each leg carries its proof, a [`Hold`]: a clear segment, a single move of the space, or a link.
//! [`lay`](super::lay) checks it, and [`Rail::is_legal`] checks it again after each edit. A body is
//! on exactly one leg or at its end. So it is on free ground or on a legal move at any tick.
//! Corners are points of both legs.
//!
//! # Why a body keeps its radius from walls
//!
//! The proof of a clear segment is a clear sweep of the body's disc along it. It is recorded as the
//! leg's [room](Leg::room), and proven again with it. In three cases only the middle of the body
//! keeps to free ground:
//! * passages narrower than the body, which passes through the middle of their states, move by
//!   move;
//! * the first leg of a body that stands nearer to a wall than its radius;
//! * beside a wall that appeared after the leg was laid, until another path is found.
//!
//! # Why a new path begins at an anchor
//!
//! A search takes ticks, during which the body moves. So the path is requested from an *anchor*
//! ahead of the body, at least its braking distance away. The rail ends there until the answer has
//! come. Hence:
//! * the body cannot pass the anchor, and brakes no harder than it can;
//! * at the anchor it is at the state where the path begins, so the joined rail has no gap.
//!
//! An anchor lies on a clear segment or at the end of a move, since a move cannot be left midway.

use std::cmp::Ordering;

use glam::Vec3;
use wayfare_core::navigate::End;
use wayfare_core::space::{Action, LineOfSight, MoveRules, StateId};

use super::AgentLimits;
use super::follow::Body;
use super::lay::{RoomPart, parts_by_room};

/// The proof of a leg: the condition that must stay true when the world changes.
///
/// Example: [`Rail`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Hold<State> {
    /// The straight segment is [clear](LineOfSight::segment_is_clear), and beside it there is
    /// [room](Leg::room) for the body.
    Clear,
    /// A single move of the space, from one state to the other.
    Move {
        /// Where the move begins.
        from: State,
        /// Where it ends.
        to: State,
    },
    /// Back to the start of a move that became impossible midway.
    Back {
        /// Where the move began.
        to: State,
    },
    /// It is a navigation link.
    Link {
        /// The index of the link.
        link: u32,
        /// The state at its entrance.
        from: State,
        /// The state at its exit.
        to: State,
    },
    /// Nothing: it brings a body that was built in out into the open.
    Escape,
}

/// A straight piece of a rail, from the end of the one before.
///
/// Example: [`Rail`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Leg<State> {
    /// Where it ends.
    pub to: Vec3,
    /// The length of the rail up to its end.
    pub until: f32,
    /// The largest speed at its end.
    pub speed_at_end: f32,
    /// Its direction seen from above, in radians from the x axis towards the z axis; `None` for a
    /// leg straight up or down.
    pub yaw: Option<f32>,
    /// How it is followed.
    pub action: Action,
    /// Why it may be followed.
    pub hold: Hold<State>,
    /// The radius of the disc that was swept along a clear segment without reaching into a wall, in
    /// world units; 0 where there was no room for the body, and on other legs.
    pub room: f32,
}

/// A point on a rail at which another path can begin.
///
/// Example: [`Rail`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Anchor<State> {
    /// How far along the rail it is.
    pub along: f32,
    /// Where it is.
    pub point: Vec3,
    /// The state there, from which to plan.
    pub state: State,
}

/// Where a rail ends, and where the body on it stops.
///
/// Example: [`Rail`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RailEnd<State> {
    /// The state at the end of the rail.
    pub state: State,
    /// The distance before the end at which the body stops, in world units, at least 0.
    pub short: f32,
}

/// The line that a body follows: clear segments and single moves, so that a body on it never leaves
/// the free space.
///
/// ```
/// use wayfare::agent::{Anchor, Body, Hold, Leg, Moved, Rail, RailEnd, RailSpec, lay};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
///
/// let grid = Grid::from_rows(&["....", ".##.", "...."])?;
/// let (start, goal) = (grid.cell(0, 0).unwrap(), grid.cell(3, 2).unwrap());
/// let path = solve(&grid.space(), &AStar::new(), Query::new(start, goal)).outcome.into_path();
/// let (from, limits, tick) = (grid.centre(start), AgentLimits::default(), 0.05);
/// let mut legs: Vec<Leg<Cell>> = Vec::new();
/// lay(&grid.space(), &path, &RailSpec::new(from, &limits), &mut legs)?;
/// assert!(legs.iter().all(|leg| leg.hold == Hold::Clear)); // straight lines past the walls
///
/// let (mut body, mut rail) = (Body::standing(from, 0.0), Rail::standing(from, start));
/// let here: Anchor<Cell> = rail.anchor_at_end();
/// rail.splice(&mut body, &here, &mut legs, RailEnd { state: goal, short: 0.0 }, &limits, tick);
/// assert!((0..200).any(|_| body.advance(&rail, &limits, tick) == Moved::Arrived));
/// assert_eq!(body.at(), grid.centre(goal));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rail<State> {
    pub(super) start: Vec3,
    pub(super) legs: Vec<Leg<State>>,
    /// The state at the end.
    pub(super) goal: State,
    /// How far before its end the body is to stop.
    pub(super) short: f32,
    /// How far along the body may go for now.
    pub(super) end: f32,
}

impl<State: StateId> Rail<State> {
    /// Returns no rail at all: a body that stands at a state.
    #[must_use]
    pub fn standing(at: Vec3, state: State) -> Self {
        Self { start: at, legs: Vec::new(), goal: state, short: 0.0, end: 0.0 }
    }

    /// Returns whether its legs are a line of rising lengths. Legs read from a file may not be.
    #[cfg(feature = "serde")]
    pub(crate) fn is_line(&self) -> bool {
        let is_length = |length: f32| (0.0..f32::INFINITY).contains(&length);
        self.start.is_finite()
            && is_length(self.short)
            && is_length(self.end)
            && self.end <= self.length()
            && self.legs.iter().enumerate().all(|(leg, piece)| {
                let way = piece.to - self.start_of(leg);
                let gained = piece.until - self.begin_of(leg);
                // On meshes lengths are measured from above.
                let is_as_long = |length: f32| {
                    // Lengths are sums: the longer the rail, the coarser.
                    (gained - length).abs() <= 1e-3 + 1e-4 * piece.until
                };
                piece.to.is_finite()
                    && gained >= 0.0
                    && (is_as_long(way.length()) || is_as_long(way.with_y(0.0).length()))
                    && is_length(piece.speed_at_end)
                    && is_length(piece.room)
                    && piece.yaw.is_none_or(f32::is_finite)
            })
    }

    /// Returns the legs from the one that the body is on, or was on last.
    #[must_use]
    pub fn legs(&self) -> &[Leg<State>] {
        &self.legs
    }

    /// Returns the state at its end.
    #[must_use]
    pub fn goal(&self) -> State {
        self.goal
    }

    /// Finds the state at its end again, where edits renumber states.
    pub(crate) fn find_goal_again(&mut self, locate: impl Fn(Vec3) -> Option<State>) {
        let end = self.legs.last().map_or(self.start, |leg| leg.to);
        self.goal = locate(end).unwrap_or(self.goal);
    }

    /// Sets states that no longer exist to 0: on legs that lie behind, and at an end without
    /// ground, for which no state can be found.
    pub(crate) fn forget_states_from(&mut self, bound: usize) {
        let mend = |state: &mut State| {
            if state.index() as usize >= bound {
                *state = State::from_index(0);
            }
        };
        mend(&mut self.goal);
        for leg in &mut self.legs {
            match &mut leg.hold {
                Hold::Clear | Hold::Escape => {}
                Hold::Move { from, to } | Hold::Link { from, to, .. } => {
                    mend(from);
                    mend(to);
                }
                Hold::Back { to } => mend(to),
            }
        }
    }

    /// Finds the states at the ends of the links from a leg on again, where edits renumber states.
    /// `find` returns the ends of a link from one point to another. Returns the first leg whose
    /// link no longer does that.
    pub(crate) fn find_links_again(
        &mut self,
        first: usize,
        find: impl Fn(u32, Vec3, Vec3) -> Option<[State; 2]>,
    ) -> Option<usize> {
        let mut broken = None;
        for leg in first..self.legs.len() {
            let (start, piece) = (self.start_of(leg), self.legs[leg]);
            let Hold::Link { link, .. } = piece.hold else { continue };
            match find(link, start, piece.to) {
                Some([from, to]) => self.legs[leg].hold = Hold::Link { link, from, to },
                None => broken = broken.or(Some(leg)),
            }
        }
        broken
    }

    /// Returns the whole length, in world units.
    #[must_use]
    pub fn length(&self) -> f32 {
        self.legs.last().map_or(0.0, |leg| leg.until)
    }

    /// Returns how far along the body may go for now: the whole length, or less where it has to
    /// wait.
    #[must_use]
    pub fn end(&self) -> f32 {
        self.end
    }

    /// Lets the body go only up to the length `along` for now.
    pub fn hold_at(&mut self, along: f32) {
        self.end = along.clamp(0.0, self.length());
    }

    /// Lets the body go on to the entrance of the next link, at that leg or after it, or to the
    /// end.
    pub fn release(&mut self, leg: usize) {
        let entrance =
            self.legs.iter().skip(leg).position(|leg| matches!(leg.hold, Hold::Link { .. }));
        self.end = entrance.map_or_else(|| self.length(), |ahead| self.begin_of(leg + ahead));
    }

    /// Returns where a leg begins.
    #[must_use]
    pub fn start_of(&self, leg: usize) -> Vec3 {
        leg.checked_sub(1).and_then(|before| self.legs.get(before)).map_or(self.start, |leg| leg.to)
    }

    /// Returns how far along a leg begins.
    #[must_use]
    pub fn begin_of(&self, leg: usize) -> f32 {
        leg.checked_sub(1).and_then(|before| self.legs.get(before)).map_or(0.0, |leg| leg.until)
    }

    /// Returns the point of a leg at the length `along` of the rail.
    #[must_use]
    pub fn point(&self, leg: usize, along: f32) -> Vec3 {
        let from = self.start_of(leg);
        let Some(piece) = self.legs.get(leg) else { return from };
        let begin = self.begin_of(leg);
        let length = piece.until - begin;
        if along >= piece.until || length <= 0.0 {
            piece.to
        } else {
            from.lerp(piece.to, ((along - begin) / length).clamp(0.0, 1.0))
        }
    }

    /// Returns the height of a body above the straight line of its leg, in world units, at least 0:
    /// jumps and falls are arcs.
    ///
    /// A rise is made in the first half of the move and a drop in the second half, each as a
    /// quarter of a parabola, so the body passes above the edge between the two ends. A jump also
    /// rises by a quarter of its length, at most three quarters of `grain`, the side of a block. A
    /// jump over a single block, level or down, rises by an eighth: more room is not guaranteed.
    #[must_use]
    pub fn lift(&self, body: &Body, grain: f32) -> f32 {
        let leg = body.leg();
        let Some(piece) = self.legs.get(leg) else { return 0.0 };
        let (from, begin) = (self.start_of(leg), self.begin_of(leg));
        let way = piece.to - from;
        let length = piece.until - begin;
        let hop = match piece.action {
            Action::Jump => {
                let flat = way.with_y(0.0).length();
                let is_low = way.y <= 0.0 && flat < 2.5 * grain;
                if is_low { flat / 8.0 } else { (flat / 4.0).min(0.75 * grain) }
            }
            Action::Fall => 0.0,
            _ => return 0.0,
        };
        if length <= 0.0 || !matches!(piece.hold, Hold::Move { .. }) {
            return 0.0;
        }
        let share = ((body.along() - begin) / length).clamp(0.0, 1.0);
        // Of a drop, the time left counts: it is a rise that runs backwards.
        let (height, gone) = if way.y >= 0.0 { (way.y, share) } else { (-way.y, 1.0 - share) };
        let missing = (1.0 - 2.0 * gone).max(0.0);
        let quarter = height * (1.0 - missing * missing);
        quarter - height * gone + 4.0 * hop * share * (1.0 - share)
    }

    /// Returns whether a body has left the beginning of its leg. A [`Hold::Back`] leg counts as
    /// left, since it begins where a move was broken off.
    pub(crate) fn is_under_way(&self, body: &Body) -> bool {
        let leg = self.legs.get(body.leg());
        body.along() > self.begin_of(body.leg())
            || leg.is_some_and(|leg| matches!(leg.hold, Hold::Back { .. }))
    }

    /// Returns the points ahead of the body, its own position first.
    pub fn ahead<'a>(&'a self, body: &Body) -> impl Iterator<Item = Vec3> + 'a {
        let rest = self.legs.get(body.leg()..).unwrap_or_default();
        std::iter::once(body.at()).chain(rest.iter().map(|leg| leg.to))
    }

    /// Returns the ends of the legs ahead of the body, and the point up to which it may go for now.
    pub(crate) fn points_ahead<'a>(&'a self, body: &Body) -> impl Iterator<Item = Vec3> + 'a {
        let (first, along) = (body.leg(), body.along());
        self.legs.iter().enumerate().skip(first).flat_map(move |(leg, piece)| {
            let waits = self.end > self.begin_of(leg).max(along) && self.end < piece.until;
            waits.then(|| self.point(leg, self.end)).into_iter().chain([piece.to])
        })
    }

    /// Returns the point that far ahead of a body on its rail, but no farther than it may go for
    /// now.
    pub(crate) fn point_ahead(&self, body: &Body, ahead: f32) -> Vec3 {
        let wanted = (body.along() + ahead).min(self.end).max(body.along());
        let rest = self.legs.iter().enumerate().skip(body.leg());
        let leg = rest.filter(|(_, piece)| piece.until >= wanted).map(|(leg, _)| leg).next();
        leg.map_or_else(|| self.point(self.legs.len(), wanted), |leg| self.point(leg, wanted))
    }

    /// Returns the point `ahead` of a body, but no farther than it may go for now, and not beyond
    /// the clear segments that come next.
    pub(super) fn aim(&self, body: &Body, ahead: f32) -> Vec3 {
        let wanted = (body.along() + ahead).min(self.end);
        let mut aim = body.leg();
        for (leg, piece) in self.legs.iter().enumerate().skip(aim) {
            if leg > body.leg() && piece.hold != Hold::Clear {
                break;
            }
            aim = leg;
            if piece.until >= wanted {
                break;
            }
        }
        self.point(aim, wanted)
    }

    /// Returns whether a leg may be followed in a space.
    #[must_use]
    pub fn is_legal<S>(&self, leg: usize, space: &S) -> bool
    where
        S: LineOfSight + MoveRules<State = State>,
    {
        let Some(piece) = self.legs.get(leg) else { return true };
        match piece.hold {
            Hold::Clear => space.sweep_is_clear(self.start_of(leg), piece.to, piece.room),
            Hold::Move { from, to } => space.check_move(from, to).is_ok(),
            Hold::Back { to } => space.check(to).is_ok(),
            Hold::Link { from, to, .. } => space.check(from).is_ok() && space.check(to).is_ok(),
            Hold::Escape => true,
        }
    }

    /// Splits the clear segment where the body is, if a wall has appeared on the part behind it.
    /// The proof of the rest starts there.
    #[doc(hidden)]
    pub fn part_at(&mut self, body: &mut Body) {
        let leg = body.leg();
        let Some(&piece) = self.legs.get(leg) else { return };
        let behind = Leg { to: body.at(), until: body.along(), room: 0.0, ..piece };
        self.legs.insert(leg, behind);
        body.step_over();
    }

    /// Returns whether the body can go on as far as it may for now: each clear segment up to there
    /// is legal, or `is_clear` says so of its start and its end.
    #[cfg(feature = "serde")]
    pub(crate) fn is_legal_ahead<S>(
        &self,
        body: &Body,
        space: &S,
        is_clear: impl Fn(Vec3, Vec3) -> bool,
    ) -> bool
    where
        S: LineOfSight + MoveRules<State = State>,
    {
        (body.leg()..self.legs.len())
            .take_while(|&leg| self.begin_of(leg) < self.end)
            .filter(|&leg| self.legs[leg].hold == Hold::Clear)
            .all(|leg| self.is_legal(leg, space) || is_clear(self.start_of(leg), self.legs[leg].to))
    }

    /// Takes the room from the parts of a clear segment beside which a wall has appeared. The parts
    /// for which `has_room` says that the body can be swept along them keep it, so the segment
    /// becomes several legs. The speeds on the rail have to be [worked out](Self::change_limits)
    /// again.
    ///
    /// Returns the count of legs that it gains. Time: see [`parts_by_room`].
    pub(crate) fn lose_room(
        &mut self,
        leg: usize,
        body: &mut Body,
        has_room: impl Fn(Vec3, Vec3) -> bool,
    ) -> usize {
        let Some(&piece) = self.legs.get(leg).filter(|piece| piece.room > 0.0) else { return 0 };
        let span = [self.begin_of(leg), piece.until];
        let mut parts: Vec<Leg<State>> = Vec::new();
        let point = |along| self.point(leg, along);
        parts_by_room(span, piece.room, point, has_room, |RoomPart { to, until, has_room }| {
            let room = if has_room { piece.room } else { 0.0 };
            parts.push(Leg { to, until, room, ..piece });
        });
        // The end stays what it was, and what came before it has no turn.
        if let Some(last) = parts.last_mut() {
            (last.to, last.until) = (piece.to, piece.until);
        }
        let (here, along) = (body.leg(), body.along());
        let gained = parts.len() - 1;
        let within = parts.iter().take(gained).filter(|part| part.until <= along).count();
        let steps = match here.cmp(&leg) {
            Ordering::Less => 0,
            Ordering::Equal => within,
            Ordering::Greater => gained,
        };
        self.legs.splice(leg..=leg, parts);
        (0..steps).for_each(|_| body.step_over());
        gained
    }

    /// Returns the state at the end of a leg; where it has none of its own, the one that `locate`
    /// finds.
    fn state_after(&self, leg: usize, locate: &impl Fn(Vec3) -> Option<State>) -> Option<State> {
        let piece = self.legs.get(leg)?;
        match (piece.hold, self.legs.get(leg + 1).map(|next| next.hold)) {
            // The ground there is above or below.
            (_, Some(Hold::Back { .. })) => None,
            (Hold::Move { to, .. } | Hold::Back { to } | Hold::Link { to, .. }, _) => Some(to),
            (_, Some(Hold::Move { from, .. } | Hold::Link { from, .. })) => Some(from),
            (_, None) => Some(self.goal),
            (_, Some(_)) => locate(piece.to),
        }
    }

    /// Returns the first point at least `distance` ahead of the body, but no farther than it may
    /// go, at which another path can begin: any point of a clear segment, and the end of a move
    /// that is under way.
    ///
    /// `locate` says at which state a point in free space is.
    #[must_use]
    pub fn anchor(
        &self,
        body: &Body,
        distance: f32,
        locate: impl Fn(Vec3) -> Option<State>,
    ) -> Anchor<State> {
        let wanted = (body.along() + distance).min(self.end.max(body.along()));
        for (leg, piece) in self.legs.iter().enumerate().skip(body.leg()) {
            if piece.until < wanted {
                continue;
            }
            let begin = self.begin_of(leg);
            match piece.hold {
                Hold::Move { from, .. } | Hold::Link { from, .. } if wanted <= begin => {
                    return Anchor { along: begin, point: self.start_of(leg), state: from };
                }
                Hold::Clear if wanted < piece.until => {
                    let point = self.point(leg, wanted);
                    if let Some(state) = locate(point) {
                        return Anchor { along: wanted, point, state };
                    }
                }
                _ => {}
            }
            if let Some(state) = self.state_after(leg, &locate) {
                return Anchor { along: piece.until, point: piece.to, state };
            }
        }
        self.anchor_at_end()
    }

    /// Returns the anchor at the end of the leg that the body is on.
    #[must_use]
    pub fn anchor_after(
        &self,
        body: &Body,
        locate: impl Fn(Vec3) -> Option<State>,
    ) -> Anchor<State> {
        let end = self.legs.get(body.leg()).map_or(0.0, |leg| leg.until);
        self.anchor(&Body::on(body, end), 0.0, locate)
    }

    /// Returns the anchor at the end of the rail.
    #[must_use]
    pub fn anchor_at_end(&self) -> Anchor<State> {
        let point = self.legs.last().map_or(self.start, |leg| leg.to);
        Anchor { along: self.length(), point, state: self.goal }
    }

    /// Replaces the rail beyond an anchor by `legs`, whose lengths count from the anchor. Drains
    /// `legs`.
    ///
    /// The part behind the body is forgotten. `tick` is the length of a tick in seconds.
    pub fn splice(
        &mut self,
        body: &mut Body,
        anchor: &Anchor<State>,
        legs: &mut Vec<Leg<State>>,
        end: RailEnd<State>,
        limits: &AgentLimits,
        tick: f32,
    ) {
        let first = body.leg().min(self.legs.len());
        let (start, behind) = (self.start_of(first), self.begin_of(first));
        // The leg that the anchor lies on is the last one kept, and ends there.
        let kept = self.legs[first..].iter().position(|leg| leg.until >= anchor.along);
        let last = kept.map_or(self.legs.len(), |kept| {
            let is_empty = anchor.along <= self.begin_of(first + kept);
            first + kept + usize::from(!is_empty)
        });
        self.legs.truncate(last);
        self.legs.drain(..first);
        self.start = start;
        for leg in &mut self.legs {
            leg.until -= behind;
        }
        let joint = anchor.along - behind;
        if let Some(leg) = self.legs.last_mut().filter(|leg| leg.until > joint) {
            (leg.to, leg.until) = (anchor.point, joint);
        }
        let (mut length, is_fresh) = (joint, self.legs.is_empty());
        if is_fresh {
            (self.start, length) = (anchor.point, 0.0);
        }
        self.legs.extend(legs.drain(..).map(|leg| Leg { until: leg.until + length, ..leg }));
        (self.goal, self.short) = (end.state, end.short);
        self.release(0);
        let along = if is_fresh { 0.0 } else { body.along() - behind };
        body.put_on(self, along);
        self.set_speeds(limits, tick);
    }

    /// Ends the rail at an anchor.
    pub fn end_at(
        &mut self,
        body: &mut Body,
        anchor: &Anchor<State>,
        limits: &AgentLimits,
        tick: f32,
    ) {
        let end = RailEnd { state: anchor.state, short: 0.0 };
        self.splice(body, anchor, &mut Vec::new(), end, limits, tick);
    }

    /// Puts the body on an escape or a leg back: the one leg from its position.
    pub fn divert(&mut self, body: &mut Body, exit: End<State>, hold: Hold<State>, action: Action) {
        self.start = body.at();
        self.legs.clear();
        let End { state, point: to } = exit;
        let until = self.start.distance(to);
        let yaw = super::lay::yaw(self.start, to);
        if until > 0.0 {
            self.legs.push(Leg { to, until, speed_at_end: 0.0, yaw, action, hold, room: 0.0 });
        }
        (self.goal, self.short) = (state, 0.0);
        self.release(0);
        body.put_on(self, 0.0);
        body.stop();
    }

    /// Appends a leg up or down to the ground at its end.
    pub(crate) fn land(&mut self, ground: End<State>) {
        let End { state, point: to } = ground;
        let until = self.length() + self.legs.last().map_or(self.start, |leg| leg.to).distance(to);
        let (hold, action) = (Hold::Back { to: state }, Action::Walk);
        let leg = Leg { to, until, speed_at_end: 0.0, yaw: None, action, hold, room: 0.0 };
        self.legs.push(leg);
        self.goal = state;
        self.release(0);
    }

    /// Works out the speeds on the rail again, for limits that have changed.
    pub fn change_limits(&mut self, limits: &AgentLimits, tick: f32) {
        self.set_speeds(limits, tick);
    }

    /// Computes the largest speed at the end of each leg, as the turn there, a link's entrance and
    /// all later legs allow.
    fn set_speeds(&mut self, limits: &AgentLimits, tick: f32) {
        let mut after = if limits.auto_braking { 0.0 } else { limits.max_speed };
        for at in (0..self.legs.len()).rev() {
            let begin = self.begin_of(at);
            let next = self.legs.get(at + 1).copied();
            let leg = &mut self.legs[at];
            let length = leg.until - begin;
            if let Some(next) = next {
                let beyond = next.until - leg.until;
                let reachable = limits.speed_before(beyond, after, tick);
                let turn = match (leg.yaw, next.yaw) {
                    (Some(before), Some(after)) => super::follow::wrapped(after - before).abs(),
                    _ => 0.0,
                };
                let room = length.min(beyond).min(limits.turn_radius.max(limits.radius).max(0.1));
                let turning = if turn > 1e-3 {
                    (limits.angular_speed * room / turn).max(limits.max_speed * 0.1)
                } else {
                    limits.max_speed
                };
                let is_entrance = matches!(next.hold, Hold::Link { .. });
                after =
                    if is_entrance { 0.0 } else { reachable.min(turning).min(limits.max_speed) };
            }
            leg.speed_at_end = after;
        }
    }
}
