//! Random small worlds and profiles.

use proptest::prelude::*;
use wayfare_core::space::Space;
use wayfare_voxel::{
    Abilities, ActionCosts, Ascent, Block, BlockCost, BlockId, BlockKind, BlockPosition, MoveTimes,
    Voxel, VoxelGrid, VoxelProfile, VoxelSize,
};

/// Every kind of block, and one dear kind of ground.
pub(crate) fn palette() -> Vec<Block> {
    use BlockKind::{Air, Climbable, Door, Half, Ladder, Lava, Solid, Stairs, Water};
    let mut palette: Vec<Block> =
        [Air, Solid, Water, Lava, Ladder, Door, Climbable].map(Block::from).to_vec();
    palette.push(Block { kind: Solid, cost: BlockCost { multiplier: 2.5, penalty: 0.5 } });
    palette.extend([Half, Stairs(Ascent::East), Stairs(Ascent::North)].map(Block::from));
    palette
}

/// A world as plain blocks.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) size: VoxelSize,
    blocks: Vec<BlockId>,
}

impl Plain {
    fn index(&self, at: BlockPosition) -> usize {
        ((at.z * self.size.height + at.y) * self.size.width + at.x) as usize
    }

    pub(crate) fn get(&self, at: BlockPosition) -> BlockId {
        self.blocks[self.index(at)]
    }

    /// Whether there is a slab or a stair.
    pub(crate) fn has_halves(&self) -> bool {
        self.blocks.iter().any(|block| (8..=10).contains(&block.0))
    }

    pub(crate) fn set(&mut self, at: BlockPosition, block: BlockId) {
        let index = self.index(at);
        self.blocks[index] = block;
    }

    /// Any place, by a random number.
    pub(crate) fn place(&self, seed: u32) -> BlockPosition {
        let VoxelSize { width, height, depth } = self.size;
        BlockPosition::new(seed % width, seed / width % height, seed / width / height % depth)
    }
}

pub(crate) fn any_world() -> impl Strategy<Value = Plain> {
    (1u32..7, 1u32..8, 1u32..7).prop_flat_map(|(width, height, depth)| {
        let block = prop_oneof![
            10 => Just(0u16), 6 => Just(1), 2 => Just(2), 1 => Just(3), 1 => Just(4), 1 => Just(5), 1 => Just(6), 1 => Just(7),
            2 => Just(8), 1 => Just(9), 1 => Just(10),
        ];
        prop::collection::vec(block, (width * height * depth) as usize).prop_map(move |blocks| Plain {
            size: VoxelSize { width, height, depth },
            blocks: blocks.into_iter().map(BlockId).collect(),
        })
    })
}

pub(crate) fn build(world: &Plain, profile: VoxelProfile) -> VoxelGrid {
    VoxelGrid::from_fn(world.size, &palette(), profile, |at| world.get(at)).unwrap()
}

/// Abilities and sizes, all costs plain.
pub(crate) fn any_abilities() -> impl Strategy<Value = VoxelProfile> {
    let abilities =
        (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>(), 0u8..4);
    let sizes = (0u8..4, 0u8..3, prop::sample::select(vec![0u16, 1, 2, 3, 12]), 1u8..3, 1u8..3);
    (abilities, sizes, any::<bool>(), any::<bool>()).prop_map(
        |((walk, jump, fall, swim, climb, fly), sizes, opens_doors, endures_lava)| {
            let (jump_height, jump_distance, max_fall_distance, height, width) = sizes;
            VoxelProfile {
                abilities: Abilities { walk, jump, fall, swim, climb, fly: fly == 0 },
                jump_height,
                jump_distance,
                max_fall_distance,
                height,
                width,
                opens_doors,
                endures_lava,
                ..VoxelProfile::default()
            }
        },
    )
}

/// Any profile, in three quarters of the cases with costs of its own, a third of them by time.
pub(crate) fn any_profile() -> impl Strategy<Value = VoxelProfile> {
    let costs = prop::sample::select(vec![
        (ActionCosts::default(), Some(vec![(BlockId(7), BlockCost::default())])),
        (ActionCosts::default(), None),
        (ActionCosts { jump: 2.0, climb: 0.5, swim: 3.25, ..ActionCosts::default() }, None),
        (
            ActionCosts::default(),
            Some(vec![(BlockId(2), BlockCost { multiplier: 0.0, penalty: 3.0 })]),
        ),
    ]);
    (any_abilities(), costs, any_times()).prop_map(
        |(profile, (action_costs, block_costs), times)| VoxelProfile {
            times,
            action_costs,
            block_costs: block_costs.unwrap_or_default(),
            ..profile
        },
    )
}

/// Times of moves, in a third of the cases.
pub(crate) fn any_times() -> impl Strategy<Value = Option<MoveTimes>> {
    let slow = MoveTimes { walk_speed: 0.3, fly_speed: 0.1, jump_time: 0.0, ..MoveTimes::PEOPLE };
    let light = MoveTimes { gravity: 0.01, swim_speed: 20.0, ..MoveTimes::MINECRAFT };
    prop_oneof![
        8 => Just(None),
        1 => Just(Some(MoveTimes::PEOPLE)),
        1 => Just(Some(MoveTimes::MINECRAFT)),
        1 => Just(Some(slow)),
        1 => Just(Some(light)),
    ]
}

/// All places where agents of the first profile can be.
pub(crate) fn states(world: &VoxelGrid) -> Vec<Voxel> {
    let VoxelSize { width, height, depth } = world.size();
    let places = (0..depth).flat_map(|z| {
        (0..height).flat_map(move |y| (0..width).map(move |x| BlockPosition::new(x, y, z)))
    });
    let space = world.space();
    places.filter_map(|at| world.voxel(at)).filter(|&voxel| space.check(voxel).is_ok()).collect()
}

/// One of those places.
pub(crate) fn pick(world: &VoxelGrid, seed: u32) -> Option<Voxel> {
    let states = states(world);
    (!states.is_empty()).then(|| states[seed as usize % states.len()])
}
