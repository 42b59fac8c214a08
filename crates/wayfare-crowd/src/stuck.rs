//! When bodies are stuck, and how they turn aside.

/// When a body is stuck.
#[derive(Clone, Copy, Debug)]
pub(super) struct Patience {
    /// If it covers less than this share of its preferred distance,
    slow: f32,
    /// fully after this time, in seconds.
    time: f32,
}

impl Patience {
    /// Of bodies that [press](super::right_of_way).
    const OF_PRESSING: Self = Self { slow: 0.5, time: 0.5 };
    /// Of bodies whose model settles who goes first. To queue is no jam.
    const OF_OTHERS: Self = Self { slow: 0.25, time: 1.0 };

    #[inline]
    pub(super) fn of(presses: bool) -> Self {
        if presses { Self::OF_PRESSING } else { Self::OF_OTHERS }
    }

    /// Returns how stuck a body is after a step in which it went so far in its preferred direction,
    /// times the preferred speed.
    #[inline]
    pub(super) fn stuck(self, before: f32, gone: f32, preferred_squared: f32, dt: f32) -> f32 {
        let is_slow = gone < self.slow * dt * preferred_squared;
        let change = if is_slow { dt } else { -dt };
        (before + change / self.time).clamp(0.0, 1.0)
    }
}

/// A body presses while it is at least this stuck,
pub(super) const PRESSES: f32 = 0.2;
/// and looks ahead for this part of its horizon: in a dense crowd no velocity at all is free of
/// collisions for the whole of it.
pub(super) const SHORT: f32 = 0.1;

/// The turn to the right, in radians, of a body that cannot move as it prefers,
pub(super) const TURN: f32 = 0.3;
/// the turn that is added when it is stuck,
const STUCK_TURN: f32 = 0.2;
/// and the largest turn to either side of one that gives in.
const LARGEST_TURN: f32 = 1.5;
/// The part of stuck bodies that give in at a time,
const GIVING_IN: f32 = 0.4;
/// for this time, in seconds.
pub(super) const GIVES_IN_FOR: f64 = 2.0;

/// Returns the turn of a body that cannot move as it prefers, in radians to the right.
///
/// All turn to the right, as people keep to one side: the two of a pair pass on different sides,
/// and a ring becomes a roundabout. Stuck bodies that do not press could stand shoulder to shoulder
/// for ever: in a door, or each before the other's goal. So some of them give in: they turn far, to
/// either side. Others give in after a while. The choice is a hash of index and time, so it
/// repeats.
#[inline]
pub(super) fn turn(stuck: f32, number: u32, period: u64) -> f32 {
    if stuck <= 0.0 {
        return TURN;
    }
    // Multiplications by odd constants and shifts, as in the last steps of SplitMix64.
    let mixed =
        (u64::from(number) << 32 | period & 0xffff_ffff).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let share = (mixed >> 40) as f32 / (1u64 << 24) as f32;
    if share < GIVING_IN {
        TURN + LARGEST_TURN * stuck * (2.0 * share / GIVING_IN - 1.0)
    } else {
        TURN + STUCK_TURN * stuck
    }
}
