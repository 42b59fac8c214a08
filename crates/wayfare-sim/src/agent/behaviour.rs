//! Orders and behaviours of agents: data, to be read from a scene and saved with it.

use glam::Vec3;

use wayfare_core::search::NamedAlgorithm;

/// The id of an agent, given in order of addition and never reused.
///
/// Example: [`Mind`](super::Mind).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentId(pub u32);

/// The id of a team. Its meaning is up to the caller.
///
/// Example: [`Simulation`](crate::simulation::Simulation).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TeamId(pub u16);

/// The other agent of a behaviour.
///
/// Example: [`Simulation`](crate::simulation::Simulation).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Who {
    /// One agent.
    Agent(AgentId),
    /// The nearest agent of a team.
    Team(TeamId),
}

/// In which order the points of a patrol are visited.
///
/// Example: [`Simulation`](crate::simulation::Simulation).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum PatrolOrder {
    /// From the last point on to the first.
    #[default]
    Loop,
    /// At the last point, turn back.
    PingPong,
    /// Any other point, drawn each time.
    Random,
}

/// One thing that an agent does of its own accord.
///
/// An agent has a list of behaviours, the most urgent first: the first that has something to do
/// acts. Orders come before all. A guard is `[Pursue, Patrol]`: it patrols until an agent comes
/// near, chases it, and returns to its patrol.
///
/// Example: [`Simulation`](crate::simulation::Simulation).
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Behaviour {
    /// Go there once.
    GoTo {
        /// Where to.
        to: Vec3,
    },
    /// Visit points again and again.
    Patrol {
        /// The points, at least one.
        points: Vec<Vec3>,
        /// In which order.
        order: PatrolOrder,
        /// How long to stay at each, in seconds from the arrival on, at least 0.
        dwell: f32,
        /// The index in `points` to start with, so that several agents can patrol out of phase.
        start: u16,
    },
    /// Chase an agent that comes near.
    Pursue {
        /// The chased agent.
        target: Who,
        /// From which distance on, in metres, above 0.
        aggro: f32,
        /// At which distance to let go again, in metres, at least `aggro`.
        give_up: f32,
        /// The most seconds to extrapolate the target's motion from its velocity; 0 or more.
        predict: f32,
        /// The largest speed meanwhile, in metres a second, above 0 and at most 1,000. Default:
        /// that of the agent's limits.
        #[cfg_attr(feature = "serde", serde(default))]
        speed: Option<f32>,
    },
    /// Run from an agent that comes near.
    Flee {
        /// The agent to run from.
        from: Who,
        /// From which distance on, in metres, above 0.
        radius: f32,
        /// The distance to run at a time, in metres along the path, above 0. Raising it finds safer
        /// points at the price of more expansions.
        distance: f32,
        /// The largest speed meanwhile, in metres a second, above 0 and at most 1,000. Default:
        /// that of the agent's limits.
        #[cfg_attr(feature = "serde", serde(default))]
        speed: Option<f32>,
    },
    /// Go to random points nearby.
    Wander {
        /// How far from where it began, in metres, above 0.
        radius: f32,
        /// The stay at each point, in seconds, at least 0.
        dwell: f32,
    },
    /// Stay near another agent.
    Follow {
        /// The followed agent.
        who: Who,
        /// How near, in metres, above 0.
        distance: f32,
    },
    /// Stand still.
    Idle,
}

/// A behaviour with an impossible value.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BehaviourFault {
    /// A value is NaN, infinite or out of range.
    #[error("the {behaviour}'s {field} is {value}; it must be {range}")]
    OutOfRange {
        /// The name of the behaviour.
        behaviour: &'static str,
        /// The name of the field.
        field: &'static str,
        /// The value.
        value: f32,
        /// The allowed range.
        range: &'static str,
    },
    /// A patrol has no points.
    #[error("the patrol has no points")]
    NoPoints,
    /// A patrol begins with a point that it does not have.
    #[error("the patrol begins with point {start}, but has only {points}")]
    NoSuchPoint {
        /// The index to start with.
        start: u16,
        /// The count of points.
        points: usize,
    },
    /// A point is not finite.
    #[error("the {behaviour} names the point {point}, which is not finite")]
    Point {
        /// The name of the behaviour.
        behaviour: &'static str,
        /// The point.
        point: Vec3,
    },
}

impl Behaviour {
    /// Returns its name in messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::GoTo { .. } => "go to",
            Self::Patrol { .. } => "patrol",
            Self::Pursue { .. } => "pursuit",
            Self::Flee { .. } => "flight",
            Self::Wander { .. } => "wandering",
            Self::Follow { .. } => "following",
            Self::Idle => "idling",
        }
    }

    /// Returns whether it depends on where other agents are.
    pub(crate) fn watches_others(&self) -> bool {
        matches!(self, Self::Pursue { .. } | Self::Flee { .. } | Self::Follow { .. })
    }

    /// Fails if a value is not possible.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), BehaviourFault> {
        let behaviour = self.name();
        let out = |field, value, range| {
            Err(BehaviourFault::OutOfRange { behaviour, field, value, range })
        };
        let positive = |field, value: f32| {
            if value > 0.0 && value.is_finite() {
                Ok(())
            } else {
                out(field, value, "a finite number above 0")
            }
        };
        let not_negative = |field, value: f32| {
            if (0.0..=1.0e6).contains(&value) {
                Ok(())
            } else {
                out(field, value, "from 0 to 1,000,000")
            }
        };
        let possible = |speed: Option<f32>| match speed {
            Some(speed) if !(speed > 0.0 && speed <= 1.0e3) => {
                out("speed", speed, "above 0 and at most 1,000")
            }
            _ => Ok(()),
        };
        match self {
            Self::GoTo { to } if !to.is_finite() => {
                Err(BehaviourFault::Point { behaviour, point: *to })
            }
            Self::Patrol { points, dwell, start, .. } => {
                if points.is_empty() {
                    return Err(BehaviourFault::NoPoints);
                }
                if points.len() > usize::from(u16::MAX) {
                    return out("number of points", points.len() as f32, "at most 65,535");
                }
                if usize::from(*start) >= points.len() {
                    return Err(BehaviourFault::NoSuchPoint {
                        start: *start,
                        points: points.len(),
                    });
                }
                if let Some(&point) = points.iter().find(|point| !point.is_finite()) {
                    return Err(BehaviourFault::Point { behaviour, point });
                }
                not_negative("dwell", *dwell)
            }
            Self::Pursue { aggro, give_up, predict, speed, .. } => {
                positive("aggro range", *aggro)?;
                possible(*speed)?;
                if !(*give_up >= *aggro && give_up.is_finite()) {
                    return out("give-up range", *give_up, "finite and at least the aggro range");
                }
                not_negative("prediction", *predict)
            }
            Self::Flee { radius, distance, speed, .. } => {
                positive("radius", *radius)?;
                possible(*speed)?;
                positive("distance", *distance)
            }
            Self::Wander { radius, dwell } => {
                positive("radius", *radius)?;
                not_negative("dwell", *dwell)
            }
            Self::Follow { distance, .. } => positive("distance", *distance),
            Self::GoTo { .. } | Self::Idle => Ok(()),
        }
    }
}

/// A command to an agent from outside. Orders come before all behaviours, which resume when the
/// last one is done.
///
/// ```
/// use wayfare::agent::Order;
/// use wayfare::glam::Vec3;
/// use wayfare::search::AlgorithmId;
///
/// let click = Order::GoTo(Vec3::new(4.5, 0.0, 2.5));
/// let swift = Order::ThenBy { to: Vec3::ZERO, algorithm: AlgorithmId::Greedy.into() };
/// assert!(click.algorithm().is_none() && swift.algorithm().is_some());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Order {
    /// Forget all orders and go there: a click.
    GoTo(Vec3),
    /// Go there after the earlier orders: a click with a key pressed.
    Then(Vec3),
    /// As [`GoTo`](Self::GoTo), by a path of that algorithm.
    GoToBy {
        /// The goal.
        to: Vec3,
        /// The algorithm, whatever the agent's own is.
        algorithm: NamedAlgorithm,
    },
    /// As [`Then`](Self::Then), by a path of that algorithm.
    ThenBy {
        /// The goal.
        to: Vec3,
        /// The algorithm, whatever the agent's own is.
        algorithm: NamedAlgorithm,
    },
    /// Forget all orders.
    Cancel,
}

impl Order {
    /// Returns the algorithm that the order names.
    #[must_use]
    pub fn algorithm(&self) -> Option<NamedAlgorithm> {
        match *self {
            Self::GoToBy { algorithm, .. } | Self::ThenBy { algorithm, .. } => Some(algorithm),
            Self::GoTo(_) | Self::Then(_) | Self::Cancel => None,
        }
    }
}
