//! Costs in time: how long each move takes.
//!
//! # Why the lower bound is consistent
//!
//! [`Times`] keeps three rates, each a cost for each unit of length:
//!
//! * `across`: no move takes less for its length along the ground;
//! * `up` and `down`: no move takes less for its rise or its drop;
//! * `least`, the least of the three: no move takes less for its length in space.
//!
//! In moves over the ground the time across and the time up or down add up. So the time of a path
//! is at least `across · (length along the ground) + up · rise` or `… + down · drop`, between its
//! ends. In volumes one move goes across and up at once: its time is the largest of the parts and
//! of `least` times the length in space. Each of these bounds is a norm of the offset between two
//! states (that of `up` and `down` depends on the sign), so it obeys the triangle inequality. And
//! it is at most the cost of a move between its ends. Both together make a consistent estimate.
//!
//! The time of a fall grows as the root of its depth: the deepest fall takes the least for each
//! block.

use wayfare_core::space::Action;

use super::cost::{ONE, Offset};
use super::{VOXEL_STRAIGHT, VoxelError, VoxelProfile};

/// How fast a class of agents moves: with it paths cost the time that they take.
///
/// A move takes
///
/// * on foot, swimming, climbing or flying: its length divided by the speed;
/// * with a jump: [`jump_time`](Self::jump_time), and the time across at walking speed, and that of
///   the rise or the drop, `√(2 · height / gravity)`;
/// * with a fall: the time across at walking speed, and `√(2 · depth / gravity)`. The air does not
///   brake it.
///
/// Costs stay in the unit of [`VOXEL_STRAIGHT`]: it is the time in which the agent walks one block,
/// whatever the speed. So a penalty of 1 is that time too, and walkers weigh links and danger as
/// without times: set the reference speed of links to the walking speed. [`Self::seconds`] turns a
/// cost into seconds. [Action costs](super::ActionCosts) and the multipliers of blocks are factors
/// on the time.
///
/// Costs of moves are rounded up to whole cost units, 1/4109 of the time of a block on foot.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::space::voxel::{BlockId, BlockPosition, MoveTimes};
/// use wayfare::space::voxel::{VoxelGrid, VoxelProfile, VoxelSize};
/// let times = MoveTimes { gravity: 1.62, ..MoveTimes::PEOPLE }; // on the moon
/// let profile =
///     VoxelProfile { times: Some(times), max_fall_distance: 3, ..VoxelProfile::default() };
/// let size = VoxelSize { width: 4, height: 6, depth: 1 };
/// let ledge = |at: BlockPosition| at.y == 0 || at.x < 2 && at.y < 4;
/// let world = VoxelGrid::from_fn(size, &[], profile, |at| {
///     if ledge(at) { BlockId::SOLID } else { BlockId::AIR }
/// })?;
/// let [a, b] = [(0, 4), (3, 1)].map(|(x, y)| world.voxel(BlockPosition::new(x, y, 0)).unwrap());
/// let answer = solve(&world.space(), &AStar::new(), Query::new(a, b));
/// let seconds = times.seconds(answer.outcome.path().unwrap().cost().into());
/// assert!((seconds - (3.0 / 1.4 + (2.0 * 3.0 / 1.62f64).sqrt())).abs() < 0.001);
/// # Ok::<(), wayfare::space::voxel::VoxelError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveTimes {
    /// Walking, in blocks a second. 0.01 to 1,000. Raising it makes walking cheaper beside all
    /// other moves but jumps and falls across.
    pub walk_speed: f32,
    /// Swimming, in blocks a second. 0.01 to 1,000.
    pub swim_speed: f32,
    /// Climbing, in blocks a second. 0.01 to 1,000.
    pub climb_speed: f32,
    /// Flying, in blocks a second. 0.01 to 1,000.
    pub fly_speed: f32,
    /// The constant of a jump in seconds: crouching and pushing off. 0 to 60. Raising it makes
    /// paths walk around gaps and steps.
    pub jump_time: f32,
    /// Gravity in blocks a second squared. 0.01 to 1,000. Raising it makes falls, and the rise of
    /// jumps, quicker.
    pub gravity: f32,
}

impl MoveTimes {
    /// People on Earth, among blocks of one metre.
    ///
    /// They walk at 1.4 m/s, the speed that pedestrians choose (R. Levine, A. Norenzayan, "The pace
    /// of life in 31 countries", 1999; R. Browning and others, "Effects of obesity and sex on the
    /// energetic cost and preferred speed of walking", 2006). Gravity is the standard 9.80665 m/s².
    /// The others are round values, not measured: swimming 0.8 m/s, climbing 0.4 m/s, 0.3 s a jump;
    /// flying 5 m/s, for a small aircraft.
    pub const PEOPLE: Self = Self {
        walk_speed: 1.4,
        swim_speed: 0.8,
        climb_speed: 0.4,
        fly_speed: 5.0,
        jump_time: 0.3,
        gravity: 9.80665,
    };

    /// Players of Minecraft, as its wiki has them (minecraft.wiki, "Transportation" and "Entity"):
    /// walking 4.317 blocks a second, swimming 2.2, ladders 2.35, flying 10.89, gravity 32 blocks a
    /// second squared. A jump takes 0.1 s more, a round value; falls are not braked by the air.
    pub const MINECRAFT: Self = Self {
        walk_speed: 4.317,
        swim_speed: 2.2,
        climb_speed: 2.35,
        fly_speed: 10.89,
        jump_time: 0.1,
        gravity: 32.0,
    };

    /// Returns the time in seconds of a path or move with the given cost.
    #[must_use]
    pub fn seconds(&self, cost: u64) -> f64 {
        cost as f64 / self.cost_of_second()
    }

    /// Returns the cost of a second: `VOXEL_STRAIGHT · walk_speed`.
    #[must_use]
    pub fn cost_of_second(&self) -> f64 {
        f64::from(VOXEL_STRAIGHT) * f64::from(self.walk_speed)
    }

    fn check(&self) -> Result<(), VoxelError> {
        let speed = (0.01f32..=1000.0, "from 0.01 to 1,000 blocks a second");
        let fields = [
            ("walking speed", self.walk_speed, speed.clone()),
            ("swimming speed", self.swim_speed, speed.clone()),
            ("climbing speed", self.climb_speed, speed.clone()),
            ("flying speed", self.fly_speed, speed),
            ("time of a jump", self.jump_time, (0.0..=60.0, "from 0 to 60 seconds")),
            (
                "gravity",
                self.gravity,
                (0.01..=1000.0, "from 0.01 to 1,000 blocks a second squared"),
            ),
        ];
        for (field, value, (allowed, range)) in fields {
            if !allowed.contains(&value) {
                return Err(VoxelError::OutOfRange { field, value, range });
            }
        }
        Ok(())
    }
}

/// Returns the product of an integer and a factor in parts of [`ONE`], rounded down. A slow action
/// with a large factor needs more than 64 bits meanwhile.
fn product(number: u64, factor: u64) -> u64 {
    ((u128::from(number) * u128::from(factor)) >> 16) as u64
}

/// The compiled times of one profile. Factors and rates are in parts of [`ONE`].
#[derive(Clone, Debug)]
pub(crate) struct Times {
    /// The factors of swimming, climbing and flying on the time of walking.
    swim: u64,
    climb: u64,
    fly: u64,
    /// The cost of a jump's constant, times [`ONE`].
    jump: u128,
    /// The cost of falling one block, times [`ONE`]: falls of `h` cost `√h` times that.
    fall: f64,
    /// The rates of the lower bound: see the module's documentation.
    across: u64,
    up: u64,
    down: u64,
    least: u64,
    /// Whether the times across and up or down add up in all moves.
    adds_up: bool,
}

impl Times {
    /// `factors`: of actions. `least_block`: the least factor of a block. `height`: of the world in
    /// blocks. `has_halves`: whether there are half blocks to walk up and down.
    pub(super) fn new(
        times: &MoveTimes,
        profile: &VoxelProfile,
        (factors, least_block): (&[u64; 6], u64),
        (height, has_halves): (u32, bool),
    ) -> Result<Self, VoxelError> {
        times.check()?;
        let one = ONE as f64;
        let walk = f64::from(times.walk_speed);
        let slower = |speed: f32| (walk / f64::from(speed) * one).round() as u64;
        let mut compiled = Self {
            swim: slower(times.swim_speed),
            climb: slower(times.climb_speed),
            fly: slower(times.fly_speed),
            jump: (f64::from(times.jump_time) * times.cost_of_second() * one).round() as u128,
            fall: (2.0 / f64::from(times.gravity)).sqrt() * times.cost_of_second() * one,
            across: 0,
            up: 0,
            down: 0,
            least: 0,
            adds_up: !profile.moves_in_volume(),
        };
        let [walking, jumping, falling, swimming, climbing, flying] =
            factors.map(|factor| product(factor, least_block));
        let can = profile.abilities;
        let rates = |list: &[(bool, u64)]| {
            list.iter().filter(|(can, _)| *can).map(|(_, rate)| *rate).min().unwrap_or(0)
        };
        let (swim, climb, fly) = (
            product(compiled.swim, swimming),
            product(compiled.climb, climbing),
            product(compiled.fly, flying),
        );
        compiled.across = rates(&[
            (can.walk, walking),
            (can.jump, jumping),
            (can.fall, falling),
            (can.swim, swim),
            (can.climb, climb),
            (can.fly, fly),
        ]);
        // Of a cost over some blocks up or down, times ONE.
        let rate = |cost: u128, factor: u64, blocks: u32| {
            let length = u128::from(blocks.max(1)) * u128::from(VOXEL_STRAIGHT);
            ((cost * u128::from(factor) / length) >> 16) as u64
        };
        // Stairs add half a block to jumps and falls.
        let more = u32::from(has_halves);
        let highest = profile.jumps_up().max(1) as u32 + more;
        let steps = can.walk && has_halves;
        let jumps_up = rate(compiled.jump + compiled.drop_cost(highest.into()), jumping, highest);
        compiled.up = rates(&[
            (steps, walking),
            (can.jump, jumps_up),
            (can.swim, swim),
            (can.climb, climb),
            (can.fly, fly),
        ]);
        let deepest = if profile.dives() { height } else { profile.falls() as u32 }.max(1) + more;
        // Less by the error of its rounding.
        let drop = compiled.drop_cost(deepest.into()) - 1;
        let (falls, leaps) = (rate(drop, falling, deepest), rate(drop, jumping, deepest));
        compiled.down = rates(&[
            (steps, walking),
            (can.fall, falls),
            (can.fall && can.jump, leaps),
            (can.swim, swim),
            (can.climb, climb),
            (can.fly, fly),
        ]);
        compiled.least = compiled.across.min(compiled.up).min(compiled.down);
        Ok(compiled)
    }

    /// Returns the cost of falling, or of rising in a jump, times [`ONE`]. Roots are exact on every
    /// target.
    fn drop_cost(&self, blocks: f64) -> u128 {
        (self.fall * blocks.sqrt()).round() as u128
    }

    /// Returns the time of a move as a cost, times [`ONE`].
    pub(super) fn cost(&self, offset: Offset, action: Action, in_volume: bool) -> u128 {
        let length = offset.length(in_volume);
        let at = |factor: u64| u128::from(length) * u128::from(factor);
        let on_foot = u128::from(offset.along_ground()) * u128::from(ONE);
        let upright = || self.drop_cost(offset.blocks_upright());
        match action {
            Action::Jump => self.jump + on_foot + upright(),
            Action::Fall => on_foot + upright(),
            Action::Swim => at(self.swim),
            Action::Climb => at(self.climb),
            Action::Fly => at(self.fly),
            _ => at(ONE), // on foot
        }
    }

    /// Returns a lower bound on the cost of any path along an offset.
    pub(super) fn least(&self, offset: Offset) -> u64 {
        let upright = if offset.leads_up() { self.up } else { self.down };
        let upright = u128::from(offset.upright()) * u128::from(upright);
        let across = u128::from(offset.along_ground()) * u128::from(self.across);
        let bound = if self.adds_up {
            across + upright
        } else {
            across.max(upright).max(u128::from(offset.length(true)) * u128::from(self.least))
        };
        (bound >> 16) as u64
    }

    /// Returns a lower bound on the cost of any path of a length.
    pub(super) fn least_of(&self, length: u64) -> u64 {
        product(length, self.least)
    }
}
