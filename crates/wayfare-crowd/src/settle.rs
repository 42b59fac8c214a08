//! Bodies with one goal settle round it.

use super::axes::Axes;
use super::cells::Body;
use super::input::Manner;

/// Returns whether a body stands round its goal.
///
/// It settles if it covers the goal, or if it touches another body nearer to the goal that has
/// settled round the same goal or stands on it. Distances to the goal fall along such a chain, so
/// it ends at a body that covers the goal: settled bodies are one cluster round it, and none
/// settles elsewhere. When the innermost one leaves, the others move up.
///
/// A body on a rail goes on to the goal itself.
pub(super) fn settles<V: Axes>(
    bodies: &[Body<V>],
    manners: &[Manner<V>],
    own: usize,
    near: &[u32],
) -> bool {
    let (me, Some(goal)) = (&bodies[own], manners[own].goal) else { return false };
    let to_goal = goal - me.at;
    let distance = to_goal.length();
    if distance <= me.radius * 0.5 && !manners[own].is_led {
        return true;
    }
    // A body that has settled may be pushed a little before it sets out again.
    let slack = if manners[own].is_settled { 1.3 } else { 1.1 };
    near.iter().any(|&place| {
        let (other, manner) = (&bodies[place as usize], &manners[place as usize]);
        let offset = other.at - me.at;
        let sum = me.radius + other.radius;
        let rests = manner.is_settled && manner.goal.is_some_and(|g| g.distance(goal) <= sum);
        (rests || covers(other, manner, Some(goal)))
            && offset.length() <= sum * slack
            && offset.dot(to_goal) >= 0.5 * offset.length() * distance
            && other.at.distance(goal) < distance
    })
}

/// Returns whether a body stands on a goal.
#[inline]
pub(super) fn covers<V: Axes>(body: &Body<V>, manner: &Manner<V>, goal: Option<V>) -> bool {
    manner.is_standing && goal.is_some_and(|goal| body.at.distance(goal) <= body.radius)
}
