//! A body that follows a rail: speed, braking, turning.

use glam::Vec3;
use wayfare_core::space::{Action, StateId};

use super::AgentLimits;
use super::rail::{Hold, Rail};

/// A body: position on its rail, speed and heading.
///
/// Example: [`Rail`](super::Rail).
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Body {
    at: Vec3,
    along: f32,
    leg: u32,
    speed: f32,
    heading: f32,
    turn_rate: f32,
}

/// The result of a tick of movement.
///
/// Example: [`Rail`](super::Rail).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moved {
    /// The body is moving or turning.
    On,
    /// It stands where it has to wait.
    Held,
    /// It stands at the end of its rail, or as near as it is to come.
    Arrived,
}

/// Returns an angle in radians brought into −π to π.
#[must_use]
pub(super) fn wrapped(angle: f32) -> f32 {
    use std::f32::consts::{PI, TAU};
    if angle.abs() <= PI {
        return angle; // nearly always; spares the remainder
    }
    let turned = angle % TAU;
    if turned > PI {
        turned - TAU
    } else if turned < -PI {
        turned + TAU
    } else {
        turned
    }
}

/// Returns the share of its maximum speed at which a body makes a move.
fn pace(action: Action) -> f32 {
    match action {
        Action::Climb => 0.5,
        Action::Swim => 0.6,
        _ => 1.0,
    }
}

/// The largest angle between heading and path at which a standing body sets out: 20°, in radians.
const SET_OUT: f32 = 0.35;
/// The largest angle between heading and path at which a walking body continues: 60°, in radians.
const WALK_ON: f32 = 1.05;

/// Ends closer than this count as reached, in world units.
const NEAR: f32 = 1e-4;

impl Body {
    /// Returns a standing body with that heading: radians from the x axis towards the z axis.
    #[must_use]
    pub fn standing(at: Vec3, heading: f32) -> Self {
        Self { at, along: 0.0, leg: 0, speed: 0.0, heading: wrapped(heading), turn_rate: 0.0 }
    }

    /// Returns the body at another distance along its leg.
    #[doc(hidden)]
    pub fn on(body: &Self, along: f32) -> Self {
        Self { along, ..*body }
    }

    /// Returns whether its values are in range. Values read from a file may not be.
    #[cfg(feature = "serde")]
    pub(crate) fn is_sound(&self) -> bool {
        use std::f32::consts::PI;

        use super::limits::MOST_SPEED;
        self.at.is_finite()
            && (0.0..f32::INFINITY).contains(&self.along)
            && (0.0..=MOST_SPEED).contains(&self.speed)
            && (-PI..=PI).contains(&self.heading)
            && self.turn_rate.is_finite()
    }

    /// Returns where it is.
    #[must_use]
    pub fn at(&self) -> Vec3 {
        self.at
    }

    /// Returns how far along its rail it is.
    #[must_use]
    pub fn along(&self) -> f32 {
        self.along
    }

    /// Returns the index of its leg on the rail; the count of legs once it has left the last
    /// behind.
    #[must_use]
    pub fn leg(&self) -> usize {
        self.leg as usize
    }

    /// Returns its speed in metres a second.
    #[must_use]
    pub fn speed(&self) -> f32 {
        self.speed
    }

    /// Returns where it looks, in radians from the x axis towards the z axis, −π to π.
    #[must_use]
    pub fn heading(&self) -> f32 {
        self.heading
    }

    /// Returns how fast it turns, in radians a second.
    #[must_use]
    pub fn turn_rate(&self) -> f32 {
        self.turn_rate
    }

    /// Returns its velocity along a rail.
    #[must_use]
    pub fn velocity<State: StateId>(&self, rail: &Rail<State>) -> Vec3 {
        self.way(rail).normalize_or_zero() * self.speed
    }

    /// Returns the vector from the beginning to the end of the leg that it is on; zero on none.
    pub(crate) fn way<State: StateId>(&self, rail: &Rail<State>) -> Vec3 {
        let leg = rail.legs().get(self.leg());
        leg.map_or(Vec3::ZERO, |leg| leg.to - rail.start_of(self.leg()))
    }

    /// Returns the velocity that the body would take if it could change it at once. It points along
    /// its leg, seen from above unless it `floats`, and is as fast as its limits and the rail ahead
    /// allow. With `ahead` above 0 it points to the point of the rail `ahead` world units on, even
    /// if the leg ends before it.
    pub(crate) fn wish<State: StateId>(
        &self,
        rail: &Rail<State>,
        limits: &AgentLimits,
        tick: f32,
        ahead: f32,
        floats: bool,
    ) -> Vec3 {
        let Some(leg) = rail.legs().get(self.leg()) else { return Vec3::ZERO };
        let length = rail.length();
        let enough = (length - rail.short).max(self.along);
        let brakes = rail.end() < length || limits.auto_braking;
        let left = rail.end().min(enough) - self.along;
        if left <= NEAR {
            return Vec3::ZERO;
        }
        let stopping = if brakes { limits.speed_to_stop(left, tick) } else { f32::INFINITY };
        let mut most = (limits.max_speed * pace(leg.action)).min(stopping);
        let aim = if ahead > 0.0 {
            // It turns before the corner, and need not slow down for it.
            rail.aim(self, ahead)
        } else {
            let to_corner = (leg.until - self.along).max(0.0);
            most = most.min(limits.speed_before(to_corner, leg.speed_at_end, tick));
            leg.to
        };
        let way = aim - self.at;
        let way = if floats { way } else { way.with_y(0.0) };
        way.normalize_or_zero() * most
    }

    /// Moves the body within a tick to a point beside its rail. The rail begins there from now on.
    /// The body turns to its direction of movement. Its speed is that seen from above, unless it
    /// `floats`.
    pub(crate) fn push(&mut self, at: Vec3, limits: &AgentLimits, tick: f32, floats: bool) {
        let way = at - self.at;
        let flat = way.with_y(0.0);
        self.speed = if floats { way.length() } else { flat.length() } / tick;
        self.turn_rate = 0.0;
        // Who is just jostled, or rises and sinks, keeps looking ahead.
        if flat.length() / tick > 0.25 * limits.max_speed {
            let off = wrapped(wayfare_core::ops::atan2(way.z, way.x) - self.heading);
            let most = limits.angular_speed * tick;
            let turn = off.clamp(-most, most);
            self.heading = wrapped(self.heading + turn);
            self.turn_rate = turn / tick;
        }
        (self.at, self.along, self.leg) = (at, 0.0, 0);
    }

    /// Stops at once.
    pub fn stop(&mut self) {
        (self.speed, self.turn_rate) = (0.0, 0.0);
    }

    /// Puts the body on a rail at the length `along`.
    pub fn put_on<State: StateId>(&mut self, rail: &Rail<State>, along: f32) {
        (self.along, self.leg) = (along, 0);
        self.skip_passed(rail);
        self.at = rail.point(self.leg(), along);
    }

    /// Moves on to the second part of a leg that was split where the body is.
    pub(super) fn step_over(&mut self) {
        self.leg += 1;
    }

    fn skip_passed<State: StateId>(&mut self, rail: &Rail<State>) {
        // A link needs a permission to enter, and is left when its time is over. So even the
        // shortest is not skipped.
        while let Some(leg) = rail.legs().get(self.leg()) {
            if leg.until > self.along || matches!(leg.hold, Hold::Link { .. }) {
                break;
            }
            self.leg += 1;
        }
    }

    /// Puts the body at that share of the link that it is on, 0 to 1, looking ahead.
    pub fn carry<State: StateId>(&mut self, rail: &Rail<State>, share: f32) {
        let leg = self.leg();
        if let Some(link) = rail.legs().get(leg) {
            self.at = rail.start_of(leg).lerp(link.to, share);
            self.heading = link.yaw.unwrap_or(self.heading);
            (self.speed, self.turn_rate) = (0.0, 0.0);
        }
    }

    /// Leaves the link that it is on behind.
    pub fn leave_link<State: StateId>(&mut self, rail: &Rail<State>) {
        if let Some(leg) = rail.legs().get(self.leg()) {
            (self.along, self.at, self.speed) = (leg.until, leg.to, 0.0);
            self.leg += 1;
            self.skip_passed(rail);
        }
    }

    /// Moves the body by one tick of that many seconds. Its speed changes by at most its
    /// acceleration, unless it must stop at once: at the goal without braking, or where the rail
    /// ahead has just been closed.
    pub fn advance<State: StateId>(
        &mut self,
        rail: &Rail<State>,
        limits: &AgentLimits,
        tick: f32,
    ) -> Moved {
        self.advance_within(rail, limits, tick, f32::INFINITY)
    }

    /// Like [`advance`](Self::advance), by at most `room` world units, since another body blocks
    /// the path. The body stops there as fast as it must.
    pub(crate) fn advance_within<State: StateId>(
        &mut self,
        rail: &Rail<State>,
        limits: &AgentLimits,
        tick: f32,
        room: f32,
    ) -> Moved {
        self.turn_rate = 0.0;
        let length = rail.length();
        let is_final = rail.end() >= length;
        let enough = (length - rail.short).max(0.0);
        // Where it is to stand.
        let near_goal = enough.max(self.along.min(length));
        let stop = match (is_final, limits.auto_braking) {
            (true, true) => near_goal,
            (true, false) => f32::INFINITY,
            // Who is near enough to its goal does not go nearer just because it has to wait.
            (false, _) => rail.end().min(near_goal),
        };
        let Some(leg) = rail.legs().get(self.leg()) else {
            self.speed = 0.0;
            return if is_final { Moved::Arrived } else { Moved::Held };
        };
        let mut most = limits.max_speed * pace(leg.action);
        if self.along >= enough && !limits.auto_braking {
            most = 0.0;
        } else if stop.is_finite() {
            let distance = (stop - self.along).max(0.0);
            if !limits.is_far(distance, most, tick) {
                most = most.min(limits.speed_to_stop(distance, tick));
            }
        }
        let distance = (leg.until - self.along).max(0.0);
        if !limits.is_far(distance, most, tick) {
            most = most.min(limits.speed_before(distance, leg.speed_at_end, tick));
        }
        if stop - self.along <= NEAR || !is_final && rail.end() <= self.along {
            most = 0.0;
        } else if let Some(yaw) = leg.yaw {
            let off = wrapped(yaw - self.heading);
            let stands = self.speed == 0.0;
            let spot = limits.spot_turn_speed.min(limits.angular_speed);
            let rate = if stands { spot } else { limits.angular_speed };
            let turn = off.clamp(-rate * tick, rate * tick);
            self.heading = wrapped(self.heading + turn);
            self.turn_rate = turn / tick;
            let askew = (off - turn).abs();
            // A standing body turns before it sets out; a walking one slows down, and stops for a
            // sharp turn.
            let is_too_far = askew > if stands { SET_OUT } else { WALK_ON };
            if is_too_far {
                most = 0.0;
            } else if askew > 0.0 {
                most *= (1.0 + wayfare_core::ops::sin_cos(askew).cos) / 2.0;
            }
        }
        let change = limits.acceleration * tick;
        let speed = most.clamp((self.speed - change).max(0.0), self.speed + change);
        // The last point to stop at: a body too fast for stopping short uses the rest of the rail.
        let wall = if !is_final || speed <= most { stop.min(length) } else { length };
        let wanted = self.along + speed * tick;
        let reached = if wanted + NEAR >= wall { wall } else { wanted }.max(self.along);
        let reached = reached.min(self.along + room);
        let is_thrown_back =
            wanted > wall + NEAR && speed > change * 1.01 && wall <= self.along + room;
        // Speed is taken from the distance only if that was cut short: differences of long lengths
        // are rounded.
        self.speed = match (is_thrown_back, reached == wanted) {
            (true, _) => 0.0,
            (false, true) => speed,
            (false, false) => (reached - self.along) / tick,
        };
        self.along = reached;
        self.skip_passed(rail);
        self.at = rail.point(self.leg(), reached);
        let stands = self.speed <= change;
        match is_final {
            true if reached + NEAR >= length => Moved::Arrived,
            true if reached + NEAR >= enough
                && (limits.auto_braking && stands || self.speed == 0.0) =>
            {
                Moved::Arrived
            }
            false if reached + NEAR >= rail.end() => Moved::Held,
            _ => Moved::On,
        }
    }
}
