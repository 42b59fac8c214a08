//! What a body can do.

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
    /// By how much the speed changes, in metres a second each second, above 0 and at most 10,000; default 8. Raising it makes starts
    /// and stops sharper.
    pub acceleration: f32,
    /// How fast the heading turns, in radians a second, above 0 and at most 1,000; default 8. Lowering it makes the body slow down
    /// for turns.
    pub angular_speed: f32,
    /// How near to its goal the body stops, in metres along the way, 0 to 1,000; default 0.
    pub stopping_distance: f32,
    /// Whether the body slows down before its goal. Without it, it arrives at full speed, brakes within the stopping distance, and
    /// stands still at the goal at the latest. Default `true`.
    pub auto_braking: bool,
    /// The radius that corners are rounded to where there is room, in metres, 0 to 1,000; default 0.5. Raising it makes turns wider and
    /// faster.
    pub turn_radius: f32,
    /// The radius of the body in metres, 0 to 1,000; default 0.3. Who is within the sum of two radii has caught the other. Whether
    /// a body fits through a gap is up to the profile of its class.
    pub radius: f32,
}

impl Default for AgentLimits {
    fn default() -> Self {
        Self {
            max_speed: 3.0,
            acceleration: 8.0,
            angular_speed: 8.0,
            stopping_distance: 0.0,
            auto_braking: true,
            turn_radius: 0.5,
            radius: 0.3,
        }
    }
}

/// A limit that is not a number in its range.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the {field} is {value}; it must be {range}")]
pub struct LimitsFault {
    /// The limit.
    pub field: &'static str,
    /// The number.
    pub value: f32,
    /// What it may be.
    pub range: &'static str,
}

impl AgentLimits {
    /// Whether every limit is in its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), LimitsFault> {
        let moving = [
            ("maximum speed", self.max_speed, 1.0e3, "above 0 and at most 1,000"),
            ("acceleration", self.acceleration, 1.0e4, "above 0 and at most 10,000"),
            ("angular speed", self.angular_speed, 1.0e3, "above 0 and at most 1,000"),
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

    /// How far a body at that speed goes on before it stands, if it loses `acceleration × tick` in each tick.
    #[must_use]
    pub(crate) fn braking_distance(&self, speed: f32, tick: f32) -> f32 {
        speed * speed / (2.0 * self.acceleration) + speed * tick / 2.0
    }

    /// The largest speed from which a body can slow down to `then` within a distance, if it loses `acceleration × tick` in each tick.
    #[must_use]
    pub(crate) fn speed_before(&self, distance: f32, then: f32, tick: f32) -> f32 {
        // The distance of the ticks from v down to w is (v² − w²) / 2a + (v − w) t / 2: solved for v.
        let half = self.acceleration * tick / 2.0;
        let square = half * half + 2.0 * self.acceleration * distance + then * then + then * half * 2.0;
        (square.max(0.0).sqrt() - half).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_number_in_range_is_named() {
        let default = AgentLimits::default();
        for (limits, field) in [
            (AgentLimits { max_speed: 0.0, ..default }, "maximum speed"),
            (AgentLimits { acceleration: f32::NAN, ..default }, "acceleration"),
            (AgentLimits { angular_speed: f32::INFINITY, ..default }, "angular speed"),
            (AgentLimits { stopping_distance: -1.0, ..default }, "stopping distance"),
            (AgentLimits { turn_radius: f32::NAN, ..default }, "turn radius"),
        ] {
            assert_eq!(limits.check().unwrap_err().field, field);
        }
        assert_eq!(default.check(), Ok(()));
    }

    #[test]
    fn braking_ends_within_the_distance_it_was_begun_at() {
        let limits = AgentLimits::default();
        let tick = 0.05;
        for start in [0.1f32, 0.4, 1.0, 2.9, 3.0] {
            let promised = limits.braking_distance(start, tick);
            assert!((limits.speed_before(promised, 0.0, tick) - start).abs() < 1e-4);
            let (mut speed, mut gone) = (start, 0.0);
            while speed > 0.0 {
                gone += speed * tick;
                speed -= limits.acceleration * tick;
            }
            assert!(gone <= promised + limits.acceleration * tick * tick, "{start}: {gone} {promised}");
        }
    }
}
