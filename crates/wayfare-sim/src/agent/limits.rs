//! The limits of a body.

/// How a body moves. Units are metres and seconds, or whatever the world's units are.
///
/// ```
/// use wayfare::agent::AgentLimits;
/// let runner = AgentLimits { max_speed: 6.0, ..AgentLimits::default() };
/// assert!(runner.check().is_ok());
/// assert!(AgentLimits { max_speed: -1.0, ..runner }.check().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct AgentLimits {
    /// The largest speed in metres a second, above 0 and at most 1,000; default 3.
    pub max_speed: f32,
    /// By how much the speed changes, in metres a second each second, above 0 and at most 10,000;
    /// default 8. Raising it makes starts and stops sharper.
    pub acceleration: f32,
    /// How fast the heading turns, in radians a second, above 0 and at most 1,000; default 8.
    /// Lowering it makes the body slow down for turns.
    pub angular_speed: f32,
    /// How fast a body that stands turns, in radians a second, above 0 and at most 1,000; default
    /// π, half a turn a second as people do. At most `angular_speed` counts.
    pub spot_turn_speed: f32,
    /// The distance to the goal at which the body stops, in metres along the path, 0 to 1,000;
    /// default 0.
    pub stopping_distance: f32,
    /// Whether the body slows down before its goal. Without it, it arrives at full speed, brakes
    /// within the stopping distance, and stands still at the goal at the latest. Default `true`.
    pub auto_braking: bool,
    /// The radius that corners are rounded to where there is room, in metres, 0 to 1,000; default
    /// 0.5. Raising it makes turns wider and faster.
    pub turn_radius: f32,
    /// The radius of the body in metres, 0 to 1,000; default 0.3. Who is within the sum of two
    /// radii has caught the other. Whether a body fits through a gap is up to the profile of its
    /// class.
    pub radius: f32,
}

impl Default for AgentLimits {
    fn default() -> Self {
        Self {
            max_speed: 3.0,
            acceleration: 8.0,
            angular_speed: 8.0,
            spot_turn_speed: std::f32::consts::PI,
            stopping_distance: 0.0,
            auto_braking: true,
            turn_radius: 0.5,
            radius: 0.3,
        }
    }
}

/// The largest speed that limits may have, in metres a second.
pub(super) const MOST_SPEED: f32 = 1.0e3;

/// A limit that is out of range.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the {field} is {value}; it must be {range}")]
pub struct LimitsFault {
    /// The limit.
    pub field: &'static str,
    /// The value.
    pub value: f32,
    /// The allowed range.
    pub range: &'static str,
}

impl AgentLimits {
    /// Fails if a limit is out of its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), LimitsFault> {
        let moving = [
            ("maximum speed", self.max_speed, MOST_SPEED, "above 0 and at most 1,000"),
            ("acceleration", self.acceleration, 1.0e4, "above 0 and at most 10,000"),
            ("angular speed", self.angular_speed, 1.0e3, "above 0 and at most 1,000"),
            (
                "speed of turns on the spot",
                self.spot_turn_speed,
                1.0e3,
                "above 0 and at most 1,000",
            ),
        ];
        let lengths = [
            ("stopping distance", self.stopping_distance),
            ("turn radius", self.turn_radius),
            ("radius", self.radius),
        ];
        for (field, value, most, range) in moving {
            if !(value > 0.0 && value <= most) {
                return Err(LimitsFault { field, value, range });
            }
        }
        for (field, value) in lengths {
            if !(0.0..=1.0e3).contains(&value) {
                return Err(LimitsFault { field, value, range: "from 0 to 1,000" });
            }
        }
        Ok(())
    }

    /// Returns how far a body at that speed goes before it stands, if it loses
    /// `acceleration × tick` in each tick.
    #[must_use]
    #[doc(hidden)]
    pub fn braking_distance(&self, speed: f32, tick: f32) -> f32 {
        let loss = self.acceleration * tick;
        let ticks = (speed / loss).ceil().max(1.0);
        ticks * tick * (speed - loss * (ticks - 1.0) / 2.0)
    }

    /// Returns whether a distance is so large that [`speed_to_stop`](Self::speed_to_stop) and
    /// [`speed_before`](Self::speed_before) are above `speed`; false says nothing. Spares their
    /// roots to bodies that are far from where they have to slow down.
    ///
    /// With acceleration `a`, tick `t` and distance `d`, the first speed is
    /// `d / nt + at (n − 1) / 2` for a whole `n`. A sum is at least twice the root of the product,
    /// so the speed is at least `√2ad − at / 2` for any `n`. So is the second. The bound is above
    /// `speed` for `2ad > (speed + at / 2)²`; the test demands half of `2ad` more, for roundings.
    #[inline]
    #[must_use]
    #[doc(hidden)]
    pub fn is_far(&self, distance: f32, speed: f32, tick: f32) -> bool {
        let reach = speed + self.acceleration * tick;
        self.acceleration * distance > reach * reach
    }

    /// Returns the largest speed from which a body comes to stand after exactly that distance,
    /// losing at most `acceleration × tick` in each tick.
    #[must_use]
    #[doc(hidden)]
    pub fn speed_to_stop(&self, distance: f32, tick: f32) -> f32 {
        let loss = self.acceleration * tick;
        // n ticks, each slower by `loss`, cover at most n (n + 1) / 2 times the distance of one at
        // speed `loss`.
        let ticks = (((1.0 + 8.0 * distance / (loss * tick)).sqrt() - 1.0) / 2.0).ceil().max(1.0);
        distance / (ticks * tick) + loss * (ticks - 1.0) / 2.0
    }

    /// Returns the largest speed from which a body can slow down to `then` within a distance, if it
    /// loses `acceleration × tick` in each tick.
    #[must_use]
    #[doc(hidden)]
    pub fn speed_before(&self, distance: f32, then: f32, tick: f32) -> f32 {
        // The distance of the ticks from v down to w is (v² − w²) / 2a + (v − w) t / 2: solved for
        // v.
        let half = self.acceleration * tick / 2.0;
        let square =
            half * half + 2.0 * self.acceleration * distance + then * then + then * half * 2.0;
        (square.max(0.0).sqrt() - half).max(0.0)
    }
}
