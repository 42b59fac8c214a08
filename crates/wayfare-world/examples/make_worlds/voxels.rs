//! The sample voxel worlds, built of boxes.

use wayfare::space::voxel::{BlockId, BlockKind, BlockPosition, VoxelSize};
use wayfare_world::{BlockType, VoxelRoute, VoxelScene, WorldError};

type Corner = [u32; 3];

fn route(name: &str, start: Corner, goal: Corner) -> VoxelRoute {
    let place = |[x, y, z]: Corner| BlockPosition::new(x, y, z);
    VoxelRoute { name: name.to_owned(), start: place(start), goal: place(goal) }
}

fn solid(glyph: char, name: &str, color: [u8; 3]) -> BlockType {
    BlockType::new(glyph, name, BlockKind::Solid).colored(color)
}

/// Two banks of a river with one bridge far upstream, houses with doors, a terrace with stairs, and
/// a tower with a ladder.
pub(crate) fn village() -> Result<VoxelScene, WorldError> {
    let size = VoxelSize { width: 32, height: 14, depth: 28 };
    let mut world = VoxelScene::new("voxel-village", size)?;
    let grass = world.add_block(solid('g', "grass", [0x8f, 0xae, 0x6b]))?;
    let dirt = world.add_block(solid('e', "dirt", [0x8d, 0x6f, 0x52]))?;
    let planks = world.add_block(solid('=', "planks", [0xb5, 0x8a, 0x58]))?;
    let plaster = world.add_block(solid('P', "plaster", [0xe3, 0xd8, 0xc0]))?;
    let roof = world.add_block(solid('r', "roof", [0xb0, 0x66, 0x4f]))?;
    let water = world.add_block(BlockType::new('~', "water", BlockKind::Water))?;
    let door = world.add_block(BlockType::new('D', "door", BlockKind::Door))?;
    let ladder = world.add_block(BlockType::new('H', "ladder", BlockKind::Ladder))?;
    let vines = world.add_block(BlockType::new('v', "vines", BlockKind::Climbable))?;

    world.fill([0, 0, 0], [31, 0, 27], dirt)?;
    world.fill([0, 1, 0], [31, 1, 27], grass)?;
    world.fill([14, 1, 0], [17, 1, 27], water)?;
    world.fill([13, 1, 4], [18, 1, 5], planks)?;

    // Houses: the corner, how far they reach along x and z, and where the door is.
    let houses: [(Corner, [u32; 2], Corner); 4] = [
        ([2, 2, 13], [5, 4], [7, 2, 15]),
        ([3, 2, 21], [6, 4], [6, 2, 21]),
        ([21, 2, 9], [5, 5], [21, 2, 11]),
        ([24, 2, 19], [5, 4], [26, 2, 23]),
    ];
    for ([x, y, z], [along, deep], [dx, dy, dz]) in houses {
        world.fill([x, y, z], [x + along, y + 2, z + deep], plaster)?;
        world.fill([x + 1, y, z + 1], [x + along - 1, y + 2, z + deep - 1], BlockId::AIR)?;
        world.fill([x, y + 3, z], [x + along, y + 3, z + deep], roof)?;
        world.fill([x + 1, y + 4, z + 1], [x + along - 1, y + 4, z + deep - 1], roof)?;
        world.fill([dx, dy, dz], [dx, dy + 1, dz], door)?;
    }

    // A terrace three blocks high, with stairs of one block a step.
    world.fill([1, 2, 1], [9, 4, 6], BlockId::SOLID)?;
    for step in 0..3 {
        world.fill([4, 2, 7 + step], [5, 4 - step, 7 + step], planks)?;
    }
    // Its east wall is overgrown.
    world.fill([9, 2, 3], [9, 4, 4], vines)?;

    // The tower: a ladder within, a door, and a platform with a parapet.
    world.fill([25, 2, 2], [29, 10, 6], BlockId::SOLID)?;
    world.fill([26, 2, 3], [28, 10, 5], BlockId::AIR)?;
    world.fill([25, 9, 2], [29, 9, 6], planks)?;
    world.fill([26, 10, 3], [28, 10, 5], BlockId::AIR)?;
    world.fill([26, 2, 3], [26, 9, 3], ladder)?;
    world.fill([27, 2, 6], [27, 3, 6], door)?;

    world.add_route(route("over the river", [10, 2, 18], [22, 2, 18]))?;
    world.add_route(route("up the tower", [22, 2, 18], [28, 10, 5]))?;
    world.add_route(route("to the terrace", [10, 2, 18], [8, 5, 2]))?;
    world.add_route(route("home", [22, 2, 18], [4, 2, 15]))?;
    Ok(world)
}

/// Rooms in the rock, joined by a crawl way, stairs, a ladder, a pool and a drop.
pub(crate) fn cave() -> Result<VoxelScene, WorldError> {
    let size = VoxelSize { width: 24, height: 14, depth: 24 };
    let mut world = VoxelScene::new("voxel-cave", size)?;
    let water = world.add_block(BlockType::new('~', "water", BlockKind::Water))?;
    let lava = world.add_block(BlockType::new('L', "lava", BlockKind::Lava))?;
    let ladder = world.add_block(BlockType::new('H', "ladder", BlockKind::Ladder))?;
    let gravel = world
        .add_block(BlockType::new('g', "gravel", BlockKind::Solid).colored([0xbd, 0xb3, 0xa2]))?;
    world.fill([0, 0, 0], [23, 11, 23], BlockId::SOLID)?;
    let air = BlockId::AIR;
    // The hall where one comes in, and the lake.
    world.fill([2, 2, 2], [8, 5, 8], air)?;
    world.fill([13, 2, 2], [21, 6, 10], air)?;
    // Between them a way to crawl, one block high.
    world.fill([9, 2, 5], [12, 2, 5], air)?;
    world.fill([13, 1, 4], [21, 1, 7], water)?;
    // Behind the lake a shaft with a ladder, up to the upper hall.
    world.fill([17, 2, 11], [17, 3, 12], air)?;
    world.fill([17, 2, 13], [17, 7, 13], air)?;
    world.fill([17, 2, 13], [17, 5, 13], ladder)?;
    world.fill([11, 6, 14], [21, 9, 21], air)?;
    // The long way round: a passage, and stairs up to the upper hall.
    world.fill([4, 2, 9], [5, 4, 18], air)?;
    world.fill([4, 1, 9], [5, 1, 18], gravel)?;
    for step in 0..4 {
        let x = 6 + step;
        world.fill([x, 3 + step, 17], [x, 6 + step, 18], air)?;
        world.fill([x, 2 + step, 17], [x, 2 + step, 18], gravel)?;
    }
    world.fill([10, 6, 17], [10, 9, 18], air)?;
    // A cleft of lava in the upper hall, and a drop back to the lake.
    world.fill([13, 5, 14], [13, 5, 16], lava)?;
    world.fill([20, 2, 11], [20, 5, 13], air)?;
    world.fill([20, 3, 14], [20, 5, 14], air)?;
    world.add_route(route("to the upper hall", [3, 2, 3], [20, 6, 20]))?;
    world.add_route(route("across the lake", [3, 2, 5], [20, 2, 9]))?;
    world.add_route(route("down the drop", [20, 6, 20], [20, 2, 9]))?;
    Ok(world)
}

/// Islands in the sky: gaps to jump, a drop without a way back, and a ledge two blocks high.
pub(crate) fn floating_islands() -> Result<VoxelScene, WorldError> {
    let size = VoxelSize { width: 28, height: 12, depth: 26 };
    let mut world = VoxelScene::new("floating-islands", size)?;
    let grass = world.add_block(solid('g', "grass", [0x8f, 0xae, 0x6b]))?;
    let dirt = world.add_block(solid('e', "dirt", [0x8d, 0x6f, 0x52]))?;
    let log = world.add_block(solid('l', "log", [0x86, 0x63, 0x3f]))?;
    let leaves = world.add_block(solid('o', "leaves", [0x5d, 0x8a, 0x4c]))?;
    // Two corners at the level of the grass.
    let islands: [(Corner, Corner); 5] = [
        ([1, 6, 2], [7, 6, 8]),
        ([10, 6, 3], [14, 6, 7]),
        ([16, 6, 2], [22, 6, 8]),
        ([18, 3, 9], [25, 3, 16]),
        ([9, 3, 10], [15, 3, 20]),
    ];
    for ([x0, y, z0], [x1, _, z1]) in islands {
        world.fill([x0, y, z0], [x1, y, z1], grass)?;
        world.fill([x0 + 1, y - 1, z0 + 1], [x1 - 1, y - 1, z1 - 1], dirt)?;
        world.fill([x0 + 2, y - 2, z0 + 2], [x1 - 2, y - 2, z1 - 2], BlockId::SOLID)?;
    }
    // The last one adjoins its neighbour, two blocks above it.
    world.fill([2, 5, 18], [8, 5, 24], grass)?;
    world.fill([3, 4, 19], [8, 4, 23], dirt)?;
    world.fill([4, 2, 20], [7, 3, 22], BlockId::SOLID)?;
    for [x, y, z] in [[3, 7, 3], [20, 7, 4], [12, 4, 14], [4, 6, 22]] {
        world.fill([x - 1, y + 2, z - 1], [x + 1, y + 2, z + 1], leaves)?;
        world.fill([x, y, z], [x, y + 2, z], log)?;
        world.fill([x, y + 3, z], [x, y + 3, z], leaves)?;
    }
    world.add_route(route("from end to end", [2, 7, 6], [3, 6, 20]))?;
    world.add_route(route("to the next island", [2, 7, 6], [13, 7, 4]))?;
    world.add_route(route("down", [12, 7, 5], [22, 4, 14]))?;
    world.add_route(route("back up", [22, 4, 14], [12, 7, 5]))?;
    Ok(world)
}
