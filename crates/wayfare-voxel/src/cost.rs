//! The cost units of voxel worlds, and compiled costs.

use wayfare_core::space::Action;

use super::times::Times;
use super::{Block, BlockId, VoxelError, VoxelProfile};

/// The cost of a move of length 1. See [`VOXEL_SPACE_DIAGONAL`].
pub const VOXEL_STRAIGHT: u32 = 4109;

/// The cost of a move of length √2. See [`VOXEL_SPACE_DIAGONAL`].
pub const VOXEL_DIAGONAL: u32 = 5811;

/// The cost of a move of length √3, diagonal along all three axes.
///
/// The grid's 5741 and 8119 have no good third: `5741 · √3` is 0.3 away from an integer. 4109, 5811
/// and 7117 are the best of all triples below 16,000:
///
/// * No move is off by more than 9·10⁻⁷ of a step. Up to a thousand diagonals, the found path is
///   within a thousandth of a step of the shortest.
/// * Sums order as those of 1, √2 and √3 do, if two paths differ by at most 34 diagonals of either
///   kind. No triple of this size does much better: among sums of up to n diagonals some differ by
///   about 1 / n².
///
/// `u32` costs allow 522,000 straight steps. The tests of this module check the first two claims.
pub const VOXEL_SPACE_DIAGONAL: u32 = 7117;

/// Returns the length of the shortest path through empty space, with moves along one, two or three
/// axes.
#[inline]
pub fn volume_length(offset: [u32; 3]) -> u64 {
    let [a, b, c] = offset;
    let large = a.max(b).max(c);
    let small = a.min(b).min(c);
    let middle = a + b + c - large - small;
    u64::from(large) * u64::from(VOXEL_STRAIGHT)
        + u64::from(middle) * u64::from(VOXEL_DIAGONAL - VOXEL_STRAIGHT)
        + u64::from(small) * u64::from(VOXEL_SPACE_DIAGONAL - VOXEL_DIAGONAL)
}

/// Returns the length of the shortest path over empty ground: diagonals along x and z, straight up
/// or down.
#[inline]
pub fn ground_length([x, y, z]: [u32; 3]) -> u64 {
    let (straight, diagonal) = (x.abs_diff(z), x.min(z));
    (u64::from(straight) + u64::from(y)) * u64::from(VOXEL_STRAIGHT)
        + u64::from(diagonal) * u64::from(VOXEL_DIAGONAL)
}

/// The cost of half a block up or down from a whole level, rounded down. The other half of the
/// block costs the rest, so that costs up and down add up to differences of heights.
const HALF_STRAIGHT: u32 = VOXEL_STRAIGHT / 2;

/// Returns the offset between two voxels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offset {
    /// Blocks along x and z.
    pub(crate) across: [u32; 2],
    /// Blocks up, or down if negative, between the voxels.
    pub(crate) rise: i32,
    /// 1 if the end alone lies half a block higher in its voxel, -1 if the beginning does, else 0.
    pub(crate) half: i8,
}

impl Offset {
    /// Returns the length of the shortest path through empty space, or over empty ground.
    #[inline]
    pub(crate) fn length(self, in_volume: bool) -> u64 {
        if self.half != 0 {
            return self.length_with_half(in_volume);
        }
        let away = [self.across[0], self.rise.unsigned_abs(), self.across[1]];
        if in_volume { volume_length(away) } else { ground_length(away) }
    }

    /// Like [`length`](Self::length), with half a block. Through space it is rounded down.
    ///
    /// The length through space is a norm of the offset, so that it obeys the triangle inequality
    /// for fractions of a block too.
    #[cold]
    fn length_with_half(self, in_volume: bool) -> u64 {
        if !in_volume {
            return self.along_ground() + self.upright();
        }
        let across = self.across.map(|part| u64::from(part) * u64::from(VOXEL_STRAIGHT));
        let mut sides = [across[0], self.upright(), across[1]];
        sides.sort_unstable();
        let [small, middle, large] = sides.map(u128::from);
        let length = large * u128::from(VOXEL_STRAIGHT)
            + middle * u128::from(VOXEL_DIAGONAL - VOXEL_STRAIGHT)
            + small * u128::from(VOXEL_SPACE_DIAGONAL - VOXEL_DIAGONAL);
        (length / u128::from(VOXEL_STRAIGHT)) as u64
    }

    /// Returns the same along level ground.
    pub(crate) fn along_ground(self) -> u64 {
        ground_length([self.across[0], 0, self.across[1]])
    }

    /// Returns the length up or down.
    #[inline]
    pub(crate) fn upright(self) -> u64 {
        let rise = i64::from(self.rise) * i64::from(VOXEL_STRAIGHT);
        (rise + i64::from(self.half) * i64::from(HALF_STRAIGHT)).unsigned_abs()
    }

    /// Returns the same in blocks.
    pub(crate) fn blocks_upright(self) -> f64 {
        (f64::from(self.rise) + f64::from(self.half) / 2.0).abs()
    }

    /// Returns whether it goes up.
    pub(crate) fn leads_up(self) -> bool {
        self.rise > 0 || self.rise == 0 && self.half > 0
    }
}

/// A compiled cost: `length · factor / 2¹⁶ + penalty`, rounded up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Rate {
    factor: u64,
    penalty: u64,
}

/// The factor 1.
pub(super) const ONE: u64 = 1 << 16;

/// The compiled costs of one profile.
#[derive(Clone, Debug)]
pub(crate) struct VoxelCosts {
    /// The factors of the six actions.
    actions: [u64; 6],
    /// The factor and penalty of each block of the palette.
    blocks: Vec<Rate>,
    /// The least factor of any move.
    least: u64,
    /// Whether every move costs its length.
    pub(crate) is_uniform: bool,
    /// If moves cost their time instead of their length.
    times: Option<Times>,
}

impl VoxelCosts {
    /// Compiles the costs of a profile. `height`: of the world in blocks.
    pub(crate) fn new(
        profile: &VoxelProfile,
        palette: &[Block],
        height: u32,
    ) -> Result<Self, VoxelError> {
        let costs = profile.action_costs;
        let actions = [
            ("cost of walking", costs.walk),
            ("cost of jumping", costs.jump),
            ("cost of falling", costs.fall),
            ("cost of swimming", costs.swim),
            ("cost of climbing", costs.climb),
            ("cost of flying", costs.fly),
        ];
        let mut factors = [ONE; 6];
        for (factor, (field, value)) in factors.iter_mut().zip(actions) {
            *factor = scaled(field, value, ONE)?;
        }
        let mut blocks = Vec::with_capacity(palette.len());
        for block in palette {
            blocks.push(rate(block.cost)?);
        }
        for &(block, cost) in &profile.block_costs {
            let known = palette.len();
            let slot = blocks
                .get_mut(usize::from(block.0))
                .ok_or(VoxelError::UnknownBlock { block: block.0, known })?;
            *slot = rate(cost)?;
        }
        let least_block = blocks.iter().map(|rate| rate.factor).min().unwrap_or(ONE);
        let least_action = factors.iter().copied().min().unwrap_or(ONE);
        let plain = Rate { factor: ONE, penalty: 0 };
        let times = profile.times.as_ref();
        let times = times
            .map(|times| {
                let has_halves =
                    !profile.abilities.fly && palette.iter().any(|block| block.kind.is_half());
                Times::new(times, profile, (&factors, least_block), (height, has_halves))
            })
            .transpose()?;
        Ok(Self {
            is_uniform: times.is_none()
                && factors == [ONE; 6]
                && blocks.iter().all(|&rate| rate == plain),
            times,
            actions: factors,
            least: (least_action * least_block) >> 16,
            blocks,
        })
    }

    /// Returns the cost of a move that ends on the given blocks. The greatest factor and penalty
    /// count.
    pub(crate) fn price(
        &self,
        offset: Offset,
        (action, in_volume): (Action, bool),
        ground: impl Iterator<Item = BlockId>,
    ) -> u64 {
        let mut dearest = None::<Rate>;
        for block in ground {
            let rate = self.blocks[usize::from(block.0)];
            let worst = dearest.get_or_insert(rate);
            worst.factor = worst.factor.max(rate.factor);
            worst.penalty = worst.penalty.max(rate.penalty);
        }
        let Rate { factor, penalty } = dearest.unwrap_or(Rate { factor: ONE, penalty: 0 });
        let factor = (self.actions[action_index(action)] * factor) >> 16;
        match &self.times {
            None => (offset.length(in_volume) * factor).div_ceil(ONE) + penalty,
            Some(times) => {
                let time = times.cost(offset, action, in_volume) * u128::from(factor);
                time.div_ceil(u128::from(ONE) << 16) as u64 + penalty
            }
        }
    }

    /// Returns the greatest penalty of the given blocks.
    pub(crate) fn penalty(&self, ground: impl Iterator<Item = BlockId>) -> u64 {
        ground.map(|block| self.blocks[usize::from(block.0)].penalty).max().unwrap_or(0)
    }

    /// Returns a lower bound on the cost of a path along an offset, in a profile that moves in
    /// volumes or not.
    #[inline]
    pub(crate) fn least_along(&self, offset: Offset, in_volume: bool) -> u64 {
        match &self.times {
            Some(times) => times.least(offset),
            None => self.least(offset.length(in_volume)),
        }
    }

    /// Returns a lower bound on the cost of a path of that length.
    #[inline]
    pub(crate) fn least(&self, length: u64) -> u64 {
        if self.is_uniform {
            return length;
        }
        if let Some(times) = &self.times {
            return times.least_of(length);
        }
        // The product of a long length and a great factor needs more than 64 bits.
        ((u128::from(length) * u128::from(self.least)) >> 16) as u64
    }
}

fn action_index(action: Action) -> usize {
    match action {
        Action::Jump => 1,
        Action::Fall => 2,
        Action::Swim => 3,
        Action::Climb => 4,
        Action::Fly => 5,
        _ => 0, // on foot
    }
}

fn rate(cost: super::BlockCost) -> Result<Rate, VoxelError> {
    if !(0.0..=10_000.0).contains(&cost.penalty) {
        return Err(VoxelError::OutOfRange {
            field: "penalty of a block",
            value: cost.penalty,
            range: "from 0 to 10,000 straight steps",
        });
    }
    let penalty = (f64::from(cost.penalty) * f64::from(VOXEL_STRAIGHT)).round() as u64;
    Ok(Rate { factor: scaled("multiplier of a block", cost.multiplier, ONE)?, penalty })
}

fn scaled(field: &'static str, value: f32, unit: u64) -> Result<u64, VoxelError> {
    if (0.0..=1000.0).contains(&value) {
        Ok((f64::from(value) * unit as f64).round() as u64)
    } else {
        Err(VoxelError::OutOfRange { field, value, range: "from 0 to 1,000" })
    }
}
