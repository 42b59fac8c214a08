//! The members of a crowd, and the limits they keep to.

use glam::{Vec2, Vec3};

use super::steering::{MEDIUM, MOST_NEIGHBOURS};

/// The id of a member of a crowd, in order of arrival and never reused.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::{Crowd, CrowdAgent, CrowdSettings, MemberId};
/// let mut crowd = Crowd::new(CrowdSettings::default())?;
/// let first = crowd.add(CrowdAgent::at(Vec3::ZERO))?;
/// crowd.remove(first)?;
/// let second = crowd.add(CrowdAgent::at(Vec3::ZERO))?;
/// assert_eq!([first, second], [MemberId(0), MemberId(1)]);
/// # Ok::<(), wayfare::crowd::CrowdFault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MemberId(pub u32);

/// A body of a crowd with its id, as [`Crowd::agents`](super::Crowd::agents) returns it.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::{Crowd, CrowdAgent, CrowdMember, CrowdSettings};
/// let mut crowd = Crowd::new(CrowdSettings::default())?;
/// let id = crowd.add(CrowdAgent::at(Vec3::X))?;
/// assert!(crowd.agents().eq([CrowdMember { id, agent: CrowdAgent::at(Vec3::X) }]));
/// # Ok::<(), wayfare::crowd::CrowdFault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct CrowdMember {
    /// Its id.
    pub id: MemberId,
    /// The body.
    pub agent: CrowdAgent,
}

/// How many of the nearest others a member looks at when it chooses its velocity.
///
/// Raising it makes movement through dense crowds smoother, and a step slower.
///
/// ```
/// use wayfare::crowd::AvoidanceQuality;
/// assert_eq!(AvoidanceQuality::default().neighbours(), 10);
/// assert_eq!(AvoidanceQuality::Off.neighbours(), 0);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum AvoidanceQuality {
    /// None: the member moves exactly as it prefers, through walls and others too. Others avoid it
    /// as they avoid a thing that nothing stops.
    Off,
    /// 5 others.
    Low,
    /// 10 others.
    #[default]
    Medium,
    /// 16 others.
    High,
}

impl AvoidanceQuality {
    /// Returns the count of others that a member looks at.
    #[inline]
    #[must_use]
    pub fn neighbours(self) -> usize {
        match self {
            Self::Off => 0,
            Self::Low => 5,
            Self::Medium => MEDIUM,
            Self::High => MOST_NEIGHBOURS,
        }
    }
}

/// How a member that prefers to stand reacts to one that wants to pass.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::{Crowd, CrowdAgent, CrowdSettings, NoWalls, WhenStanding};
/// let mut crowd = Crowd::new(CrowdSettings::default())?;
/// let post = Vec3::new(3.0, 0.0, 0.2);
/// let guard = CrowdAgent { when_standing: WhenStanding::Holds, ..CrowdAgent::at(post) };
/// let guard = crowd.add(guard)?;
/// let walker = crowd.add(CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(Vec3::ZERO) })?;
/// for _ in 0..200 {
///     crowd.step(&NoWalls, 0.1)?;
/// }
/// // The walker has gone round the guard, which has not moved.
/// assert!(crowd.agent(walker).unwrap().position.x > 4.0);
/// assert_eq!(crowd.agent(guard).unwrap().position, post);
/// # Ok::<(), wayfare::crowd::CrowdFault>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum WhenStanding {
    /// Gives way by its priority, like a moving one.
    #[default]
    Shares,
    /// Stays; the passing one goes round.
    Holds,
    /// Steps aside; the passing one goes on as if it had free ground.
    Parts,
}

/// A body of a crowd: where it is, where it would like to go, and its limits. Units are metres and
/// seconds, or whatever the world's units are.
///
/// Bodies are discs seen from above: x and z count, y is up and stays as it is. Two bodies whose
/// heights do not overlap do not avoid each other, so the floors of a building are apart.
///
/// ```
/// use glam::Vec3;
/// use wayfare::crowd::CrowdAgent;
/// let walker = CrowdAgent { preferred: Vec3::X, ..CrowdAgent::at(Vec3::ZERO) };
/// assert!(walker.check().is_ok());
/// assert!(CrowdAgent { radius: 0.0, ..walker }.check().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CrowdAgent {
    /// The middle of the body, at its feet.
    pub position: Vec3,
    /// The velocity of the last step.
    pub velocity: Vec3,
    /// The velocity that the body would have if it were alone. Below 0.6 of the largest speed it
    /// counts as almost at its goal, and takes no part in the right of way of stuck bodies: slow
    /// down over the last radius where goals are close together.
    pub preferred: Vec3,
    /// The goal of the body, if it has one: bodies with one goal settle round it. Default: none,
    /// and the body never settles.
    pub goal: Option<Vec3>,
    /// The radius of the body, above 0 and at most 1,000; default 0.3.
    pub radius: f32,
    /// The height of the body, above 0 and at most 1,000; default 1.8.
    pub height: f32,
    /// The largest speed, at least 0 and at most 1,000; default 2.
    pub max_speed: f32,
    /// The largest growth of the speed, in metres a second each second, above 0 and at most 10,000;
    /// default 8. Chosen changes of velocity keep to it too; a wall or a body in the path stops at
    /// once.
    pub acceleration: f32,
    /// For how many seconds ahead the body avoids others, above 0 and at most 60; default 2.
    /// Raising it makes bodies turn aside earlier, and slow down more in dense crowds.
    pub horizon: f32,
    /// Who gives way: of two bodies with priorities `a` and `b`, the first makes `(b + 1) / (a + b
    /// + 2)` of the change. Default 0 for all: half each.
    pub priority: u8,
    /// How many others the body looks at.
    pub quality: AvoidanceQuality,
    /// How the body reacts while it prefers to stand.
    pub when_standing: WhenStanding,
    /// The layers that the body is on, a bit each; default: the first one.
    pub layers: u32,
    /// The layers whose bodies it avoids; default: all. Two bodies are kept apart if either of them
    /// avoids the other.
    pub mask: u32,
}

impl CrowdAgent {
    /// Returns a body at rest at a point, with the default limits.
    #[must_use]
    pub fn at(position: Vec3) -> Self {
        Self {
            position,
            velocity: Vec3::ZERO,
            preferred: Vec3::ZERO,
            goal: None,
            radius: 0.3,
            height: 1.8,
            max_speed: 2.0,
            acceleration: 8.0,
            horizon: 2.0,
            priority: 0,
            quality: AvoidanceQuality::default(),
            when_standing: WhenStanding::default(),
            layers: 1,
            mask: u32::MAX,
        }
    }

    /// Fails if a value is out of its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), CrowdFault> {
        let points = [
            ("position", self.position),
            ("velocity", self.velocity),
            ("preferred velocity", self.preferred),
            ("goal", self.goal.unwrap_or_default()),
        ];
        points.into_iter().try_for_each(|(field, point)| check_point(field, point))?;
        let limits = [
            ("radius", self.radius, f32::MIN_POSITIVE, 1.0e3),
            ("height", self.height, f32::MIN_POSITIVE, 1.0e3),
            ("maximum speed", self.max_speed, 0.0, 1.0e3),
            ("acceleration", self.acceleration, f32::MIN_POSITIVE, 1.0e4),
            ("horizon", self.horizon, f32::MIN_POSITIVE, 60.0),
        ];
        for (field, value, least, most) in limits {
            if !(least..=most).contains(&value) {
                return Err(CrowdFault::Limit { field, value, most });
            }
        }
        Ok(())
    }
}

/// Fails if a point is not within 10⁹ of the origin.
#[inline]
pub(super) fn check_point(field: &'static str, point: Vec3) -> Result<(), CrowdFault> {
    // Squares of coordinates up to 10⁹ stay far below the largest float.
    if !point.is_finite() || point.abs().max_element() > 1.0e9 {
        return Err(CrowdFault::Point { field });
    }
    Ok(())
}

/// Why a crowd refuses a body, a setting or a step.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CrowdFault {
    /// A point is NaN, or farther than 10⁹ from the origin.
    #[error("the {field} is not a point within 10^9 of the origin")]
    Point {
        /// The field.
        field: &'static str,
    },
    /// A limit is out of its range.
    #[error(
        "the {field} is {value}; it must be above 0, or not negative for a speed, and at most {most}"
    )]
    Limit {
        /// The field.
        field: &'static str,
        /// Its value.
        value: f32,
        /// The largest value allowed.
        most: f32,
    },
    /// The crowd has no such member.
    #[error("the crowd has no member {}", .0.0)]
    NoSuchMember(MemberId),
    /// There are 2³¹ members.
    #[error("the crowd is full")]
    Full,
}

/// Returns a point or vector of the world as it is seen from above.
#[inline]
pub(super) fn from_above(point: Vec3) -> Vec2 {
    Vec2::new(point.x, point.z)
}
