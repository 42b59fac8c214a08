//! Decisions: from the mind and the sight of an agent to an intent.

use glam::Vec3;

use super::behaviour::{AgentId, Behaviour, TeamId, Who};
use super::mind::{Cursor, Mind, Source, Trip};

/// One agent as another sees it.
///
/// Example: [`Mind`](super::Mind).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Glimpse {
    /// The seen agent.
    pub who: AgentId,
    /// Where.
    pub at: Vec3,
    /// Their velocity in metres a second.
    pub velocity: Vec3,
    /// Their radius in metres.
    pub radius: f32,
}

/// An agent's view of others.
///
/// Example: [`Mind`](super::Mind).
pub trait Sight {
    /// Returns an agent, if it exists.
    fn agent(&self, who: AgentId) -> Option<Glimpse>;

    /// Returns the agent of a team nearest to a point, at most `within` away and other than
    /// `besides`; ties go to the lower id.
    fn nearest(&self, team: TeamId, from: Vec3, within: f32, besides: AgentId) -> Option<Glimpse>;
}

/// The agent that decides.
///
/// Example: [`Mind`](super::Mind).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Situation {
    /// Its id.
    pub me: AgentId,
    /// Where it is.
    pub at: Vec3,
    /// Its radius in metres.
    pub radius: f32,
    /// Its maximum speed in metres a second.
    pub max_speed: f32,
    /// The present tick.
    pub tick: u64,
    /// The leader of its group, if it has one and is not the leader itself.
    pub leader: Option<AgentId>,
}

/// Where an agent wants to be.
///
/// Example: [`Mind`](super::Mind).
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Intent {
    /// Where it is.
    Stay,
    /// Stays at its slot in its group.
    KeepPlace,
    /// At a point.
    Go {
        /// Who wants it.
        source: Source,
        /// The point.
        to: Vec3,
        /// How far before it to stop, in metres.
        short: f32,
        /// How far the point may move before it is worth another path, in metres; 0 for fixed
        /// points.
        slack: f32,
        /// The agent that it goes after, if any: inside a link it cannot be met, but at its ends.
        after: Option<AgentId>,
        /// The largest speed, in metres a second, if it differs from its limits.
        speed: Option<f32>,
    },
    /// Go to a random point nearby. If one was drawn already and is not reached, continue to it.
    Roam {
        /// Who wants it.
        source: Source,
        /// The point.
        home: Vec3,
        /// How far from it at most, in metres.
        radius: f32,
        /// Whether a point was drawn already.
        is_under_way: bool,
    },
    /// Away from another agent.
    Flee {
        /// Who wants it.
        source: Source,
        /// From where.
        threat: Vec3,
        /// How far to run at a time, in metres.
        distance: f32,
        /// The largest speed, in metres a second, if it differs from its limits.
        speed: Option<f32>,
    },
}

/// The activity of an agent, for people.
///
/// Example: [`Simulation`](crate::simulation::Simulation).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Activity {
    /// Nothing.
    #[default]
    Idle,
    /// Going where it was ordered to.
    Ordered {
        /// The orders left, this one counted.
        left: u32,
    },
    /// Going where its behaviour says, once.
    Travelling,
    /// On the path to a point of its patrol.
    Patrolling {
        /// The point, from 1.
        point: u16,
        /// The count of points.
        of: u16,
    },
    /// At a point of its patrol.
    Dwelling {
        /// The count of points.
        of: u16,
    },
    /// After another agent.
    Chasing(AgentId),
    /// Near enough to touch the agent it chased.
    Caught(AgentId),
    /// Back to its earlier activity, after it lost an agent.
    Returning(AgentId),
    /// Away from another agent.
    Fleeing(AgentId),
    /// Walking about.
    Wandering,
    /// Resting on a walk about.
    Resting,
    /// After a leader.
    Following(AgentId),
    /// With its leader.
    Staying(AgentId),
    /// In the formation of its group, under that leader.
    InFormation(AgentId),
}

/// An intent, and the activity that it is part of. Made by [`decide`].
///
/// ```
/// use wayfare::agent::{Activity, Decision, Intent};
/// let rest = Decision { intent: Intent::Stay, activity: Activity::Idle };
/// assert_eq!(rest.intent.speed(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Decision {
    /// The intent of the body.
    pub intent: Intent,
    /// The errand, for pictures and animations.
    pub activity: Activity,
}

/// Decides the intent: orders first, then the first behaviour with something to do, then the slot
/// in the group. Takes the time of one [`Sight::nearest`] a behaviour.
pub fn decide(
    mind: &mut Mind,
    behaviours: &[Behaviour],
    situation: &Situation,
    sight: &impl Sight,
) -> Decision {
    if let Some(&Trip { to, .. }) = mind.orders.front() {
        // The chased agent is forgotten.
        mind.cursors.iter_mut().for_each(|cursor| {
            if let Cursor::Other { who, .. } = cursor {
                *who = None;
            }
        });
        mind.lost = None;
        let intent = fixed(Source::Order, to);
        return Decision { intent, activity: Activity::Ordered { left: mind.orders.len() as u32 } };
    }
    for (place, behaviour) in behaviours.iter().enumerate() {
        let source = Source::Behaviour(place as u16);
        let Some(cursor) = mind.cursors.get_mut(place) else { break };
        if let Some((intent, activity)) =
            consider(behaviour, source, cursor, &mut mind.lost, situation, sight)
        {
            let activity = match (mind.lost, activity) {
                (
                    Some(lost),
                    Activity::Patrolling { .. } | Activity::Wandering | Activity::Travelling,
                ) => Activity::Returning(lost),
                _ => activity,
            };
            return Decision { intent, activity };
        }
    }
    match situation.leader {
        Some(leader) => {
            let activity = Activity::InFormation(leader);
            Decision { intent: Intent::KeepPlace, activity }
        }
        None => Decision { intent: Intent::Stay, activity: Activity::Idle },
    }
}

impl Intent {
    /// Returns the largest speed, in metres a second, if it differs from the agent's limits.
    #[must_use]
    pub fn speed(&self) -> Option<f32> {
        match *self {
            Self::Go { speed, .. } | Self::Flee { speed, .. } => speed,
            Self::Stay | Self::KeepPlace | Self::Roam { .. } => None,
        }
    }
}

/// Returns the intent to go to a point that does not move.
fn fixed(source: Source, to: Vec3) -> Intent {
    Intent::Go { source, to, short: 0.0, slack: 0.0, after: None, speed: None }
}

/// Returns the intent of one behaviour, if any.
fn consider(
    behaviour: &Behaviour,
    source: Source,
    cursor: &mut Cursor,
    lost: &mut Option<AgentId>,
    situation: &Situation,
    sight: &impl Sight,
) -> Option<(Intent, Activity)> {
    match (behaviour, cursor) {
        (Behaviour::Idle, _) => Some((Intent::Stay, Activity::Idle)),
        (Behaviour::GoTo { to }, Cursor::Trip { is_done: false }) => {
            Some((fixed(source, *to), Activity::Travelling))
        }
        (Behaviour::Patrol { points, .. }, Cursor::Round { next, stays_until, .. }) => {
            let of = points.len() as u16;
            if situation.tick < *stays_until {
                return Some((Intent::Stay, Activity::Dwelling { of }));
            }
            let to = *points.get(usize::from(*next))?;
            Some((fixed(source, to), Activity::Patrolling { point: *next + 1, of }))
        }
        (
            Behaviour::Pursue { target, aggro, give_up, predict, speed },
            Cursor::Other { who, idle_until },
        ) => {
            if situation.tick < *idle_until {
                return None;
            }
            let quarry = who
                .and_then(|known| seen(Who::Agent(known), *give_up, situation, sight))
                .or_else(|| seen(*target, *aggro, situation, sight));
            let Some(quarry) = quarry else {
                *lost = who.take().or(*lost);
                return None;
            };
            (*who, *lost) = (Some(quarry.who), None);
            let distance = quarry.at.distance(situation.at);
            if distance <= quarry.radius + situation.radius {
                return Some((Intent::Stay, Activity::Caught(quarry.who)));
            }
            let ahead = predict.min(distance / speed.unwrap_or(situation.max_speed));
            let to = quarry.at + quarry.velocity * ahead;
            let slack = (distance * 0.15).max(quarry.radius + situation.radius);
            let after = Some(quarry.who);
            let intent = Intent::Go { source, to, short: 0.0, slack, after, speed: *speed };
            Some((intent, Activity::Chasing(quarry.who)))
        }
        (Behaviour::Flee { from, radius, distance, speed }, Cursor::Other { who, .. }) => {
            // Who runs does not stop as soon as it is just out of range.
            let threat = who
                .and_then(|known| seen(Who::Agent(known), radius * 1.5, situation, sight))
                .or_else(|| seen(*from, *radius, situation, sight));
            *who = threat.map(|threat| threat.who);
            let threat = threat?;
            let (distance, speed) = (*distance, *speed);
            let intent = Intent::Flee { source, threat: threat.at, distance, speed };
            Some((intent, Activity::Fleeing(threat.who)))
        }
        (Behaviour::Wander { radius, .. }, Cursor::Stroll { home, stays_until, is_under_way }) => {
            if situation.tick < *stays_until {
                return Some((Intent::Stay, Activity::Resting));
            }
            let was_under_way = std::mem::replace(is_under_way, true);
            let intent =
                Intent::Roam { source, home: *home, radius: *radius, is_under_way: was_under_way };
            Some((intent, Activity::Wandering))
        }
        (Behaviour::Follow { who, distance }, _) => {
            let leader = seen(*who, f32::INFINITY, situation, sight)?;
            if leader.at.distance(situation.at) <= *distance {
                return Some((Intent::Stay, Activity::Staying(leader.who)));
            }
            let slack = (distance * 0.5).max(0.5);
            // A little nearer than need be: not every step of the leader is worth one of the
            // follower's.
            let (to, short, after) = (leader.at, distance * 0.8, Some(leader.who));
            let intent = Intent::Go { source, to, short, slack, after, speed: None };
            Some((intent, Activity::Following(leader.who)))
        }
        _ => None,
    }
}

/// Returns the other agent of a behaviour, if it is near enough; never the agent itself.
fn seen(who: Who, within: f32, situation: &Situation, sight: &impl Sight) -> Option<Glimpse> {
    match who {
        Who::Agent(agent) if agent == situation.me => None,
        Who::Agent(agent) => {
            sight.agent(agent).filter(|glimpse| glimpse.at.distance(situation.at) <= within)
        }
        Who::Team(team) => sight.nearest(team, situation.at, within, situation.me),
    }
}
