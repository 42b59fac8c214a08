//! Bodies without progress turn aside, some of them far.

/// A body that covers less than this share of its preferred distance is stuck,
pub(super) const SLOW: f32 = 0.25;
/// fully after this time, in seconds.
pub(super) const STUCK_AFTER: f32 = 1.0;

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
/// and a ring becomes a roundabout. That does not end every jam. Two bodies in a door, shoulder to
/// shoulder, stay there as long as both press on. So some stuck bodies give in: they turn far, to
/// either side. Others give in after a while, so that sooner or later the right one makes room. If
/// all gave in at once, the lanes of a counterflow would never form. The choice is a hash of index
/// and time, so it repeats.
pub(super) fn turn(stuck: f32, number: u32, period: u64) -> f32 {
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
