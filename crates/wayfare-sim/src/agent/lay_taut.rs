//! From a path to the legs of a rail, where paths are pulled taut.

use glam::Vec3;
use wayfare_core::link::LinkId;
use wayfare_core::path::{PathOf, Polyline, Rounding, round_corners};
use wayfare_core::space::{Action, LineOfSight, MoveRules};

use super::AgentLimits;
use super::lay::{LayError, RailSpec, is_continuous, leg_length, push_by_room, yaw};
use super::rail::{Hold, Leg};

/// A link as a step of a path has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkEnds<State> {
    pub(super) link: LinkId,
    pub(super) from: State,
    pub(super) to: State,
}

/// Writes the exact entrance and exit of each direction of a link from one state to another;
/// nothing for a link between their positions.
pub(super) type Places<'p, State> = dyn Fn(LinkEnds<State>, &mut Vec<[Vec3; 2]>) + 'p;

/// Like [`lay`](super::lay()), for spaces that [pull lines taut](LineOfSight::PULLS_TAUT).
///
/// Turns runs of walking, swimming and flying into taut lines with rounded corners. No leg is a
/// [move](Hold::Move): between the positions of two states there may be a wall.
///
/// Legs have the lengths that they have seen from above, as paths on meshes do: bodies take stairs
/// and ramps as fast as level ground.
///
/// A link that begins and ends in one state can be used in both directions: the shorter path
/// counts.
pub(super) fn lay_taut<S>(
    space: &S,
    places: &Places<'_, S::State>,
    path: &PathOf<S>,
    spec: &RailSpec<'_>,
    legs: &mut Vec<Leg<S::State>>,
) -> Result<(), LayError>
where
    S: LineOfSight + MoveRules,
{
    let RailSpec { from, limits, goal, .. } = *spec;
    legs.clear();
    let start = path.start().ok_or(LayError::EmptyPath)?;
    let mut layer = TautLayer { space, limits, here: from, legs };
    let mut run = vec![start];
    let mut action = Action::Walk;
    let mut is_laid = true;
    for step in path.steps.iter().skip(1) {
        let before = run[run.len() - 1];
        if is_continuous(step.action) {
            if action != step.action && run.len() > 1 {
                is_laid &= layer.lay(&run, action, None);
                run = vec![before];
            }
            action = step.action;
            run.push(step.state);
            continue;
        }
        // A link, or another move between separate points.
        let mut ways = Vec::new();
        if let Action::Link(link) = step.action {
            let ends = LinkEnds { link: LinkId(link), from: before, to: step.state };
            places(ends, &mut ways);
        }
        let here = layer.here;
        let beyond = goal.unwrap_or_else(|| space.position(step.state));
        let length = |way: &[Vec3; 2]| here.distance(way[0]) + way[1].distance(beyond);
        let way = ways.into_iter().min_by(|a, b| length(a).total_cmp(&length(b)));
        is_laid &= layer.lay(&run, action, way.map(|way| way[0]));
        if let Some([entrance, _]) = way {
            is_laid &= layer.close_up(entrance);
        }
        let to = way.map_or_else(|| space.position(step.state), |way| way[1]);
        let (hold, is_legal) = match step.action {
            Action::Link(link) => (
                Hold::Link { link, from: before, to: step.state },
                space.check(before).is_ok() && space.check(step.state).is_ok(),
            ),
            _ => (
                Hold::Move { from: before, to: step.state },
                space.check_move(before, step.state).is_ok(),
            ),
        };
        is_laid &= is_legal;
        layer.push(to, step.action, hold, 0.0);
        run = vec![step.state];
        action = Action::Walk;
    }
    is_laid &= layer.lay(&run, action, goal);
    if !is_laid {
        legs.clear();
        return Err(LayError::IllegalLeg);
    }
    Ok(())
}

/// Legs under way.
struct TautLayer<'a, S: LineOfSight + MoveRules> {
    space: &'a S,
    limits: &'a AgentLimits,
    /// Where the next leg begins.
    here: Vec3,
    legs: &'a mut Vec<Leg<S::State>>,
}

impl<S: LineOfSight + MoveRules> TautLayer<'_, S> {
    fn push(&mut self, to: Vec3, action: Action, hold: Hold<S::State>, room: f32) {
        let begin = self.legs.last().map_or(0.0, |leg| leg.until);
        let length = leg_length::<S>(self.here, to);
        if length > 0.0 || matches!(hold, Hold::Link { .. }) {
            let (yaw, until) = (yaw(self.here, to), begin + length);
            self.legs.push(Leg { to, until, speed_at_end: 0.0, yaw, action, hold, room });
            self.here = to;
        }
    }

    /// Lays a segment by room. Returns whether it is clear.
    fn push_by_room(&mut self, to: Vec3, action: Action) -> bool {
        let from = std::mem::replace(&mut self.here, to);
        let begin = self.legs.last().map_or(0.0, |leg| leg.until);
        let line = ([from, to], begin, leg_length::<S>(from, to));
        push_by_room(self.space, line, (action, self.limits.radius), self.legs)
            || self.space.segment_is_clear(from, to)
    }

    /// Continues to the entrance of a link, if the line was kept away from it for want of room.
    fn close_up(&mut self, entrance: Vec3) -> bool {
        if self.here == entrance {
            return true;
        }
        let is_clear = self.space.segment_is_clear(self.here, entrance);
        self.push(entrance, Action::Walk, Hold::Clear, 0.0);
        is_clear
    }

    /// Lays a run of states from where the legs have come to.
    fn lay(&mut self, run: &[S::State], action: Action, to: Option<Vec3>) -> bool {
        let (space, limits) = (self.space, self.limits);
        let Some(points) = space.taut(self.here, run, to, limits.radius) else { return false };
        let mut line = Polyline { points };
        if limits.turn_radius > 0.0 {
            let rounding = Rounding::new(limits.turn_radius);
            line = round_corners(space, &line, Rounding { body: limits.radius, ..rounding });
        }
        let mut is_laid = true;
        for end in line.points {
            space.follow_ground(self.here, end, &mut |point| {
                // Where two floors meet at different heights, one point has two of them: no leg
                // joins the two.
                if leg_length::<S>(self.here, point) > 0.0 {
                    is_laid &= self.push_by_room(point, action);
                }
            });
        }
        is_laid
    }
}
