//! Half blocks: against an oracle of boxes, and scenes in which one thing decides.

use std::collections::{BTreeMap, BinaryHeap};

use proptest::prelude::*;
use wayfare_core::path::{Path, validate};
use wayfare_core::search::{AStar, Dijkstra, Query, solve};
use wayfare_core::space::{Action, LineOfSight, Space, StateId};
use wayfare_voxel::{
    Abilities, Ascent, BlockId, BlockKind, BlockPosition, VOXEL_DIAGONAL, VOXEL_STRAIGHT,
    VoxelFrame, VoxelGrid, VoxelProfile, VoxelSize,
};

const KINDS: [BlockKind; 7] = [
    BlockKind::Air,
    BlockKind::Solid,
    BlockKind::Half,
    BlockKind::Stairs(Ascent::East),
    BlockKind::Stairs(Ascent::South),
    BlockKind::Stairs(Ascent::West),
    BlockKind::Stairs(Ascent::North),
];

fn grid(size: VoxelSize, profile: VoxelProfile, kind: impl Fn(BlockPosition) -> u16) -> VoxelGrid {
    VoxelGrid::from_fn(size, &KINDS.map(Into::into), profile, |at| BlockId(kind(at))).unwrap()
}

/// A box, in halves of a block: its lowest corner and the one opposite.
type Solid = ([i32; 3], [i32; 3]);

/// A place of the feet, in halves of a block: x and z of the lowest corner of the voxel, and the
/// exact height.
type Feet = [i32; 3];

/// Walkers among boxes: the rules once more, by brute force.
struct Boxes {
    solids: Vec<Solid>,
    /// For stairs: the voxel and the step towards their high side.
    stairs: BTreeMap<[i32; 3], [i32; 2]>,
    size: [i32; 3],
    profile: VoxelProfile,
}

impl Boxes {
    fn new(world: &VoxelGrid) -> Self {
        let VoxelSize { width, height, depth } = world.size();
        let size = [width, height, depth].map(|side| 2 * side as i32);
        let (mut solids, mut stairs) = (Vec::new(), BTreeMap::new());
        for x in 0..width {
            for y in 0..height {
                for z in 0..depth {
                    let kind =
                        KINDS[usize::from(world.block(BlockPosition::new(x, y, z)).unwrap().0)];
                    let low = [x, y, z].map(|part| 2 * part as i32);
                    let tall = match kind {
                        BlockKind::Air => continue,
                        BlockKind::Solid => 2,
                        _ => 1,
                    };
                    solids.push((low, [low[0] + 2, low[1] + tall, low[2] + 2]));
                    let up = match kind {
                        BlockKind::Stairs(Ascent::East) => [2, 0],
                        BlockKind::Stairs(Ascent::West) => [-2, 0],
                        BlockKind::Stairs(Ascent::South) => [0, 2],
                        BlockKind::Stairs(Ascent::North) => [0, -2],
                        _ => continue,
                    };
                    stairs.insert(low, up);
                }
            }
        }
        let profile = world.profile(world.profiles().next().unwrap()).unwrap().clone();
        Self { solids, stairs, size, profile }
    }

    /// The box of a body, swept over some places of its feet.
    fn swept(&self, feet: &[Feet]) -> Solid {
        let (wide, tall) = (i32::from(self.profile.width), 2 * i32::from(self.profile.height));
        let before = 2 * ((wide - 1) / 2);
        let bound = |axis: usize| {
            let all = feet.iter().map(move |at| at[axis]);
            (all.clone().min().unwrap(), all.max().unwrap())
        };
        let [x, y, z] = [bound(0), bound(1), bound(2)];
        let beyond = 2 * wide - before;
        ([x.0 - before, y.0, z.0 - before], [x.1 + beyond, y.1 + tall, z.1 + beyond])
    }

    fn is_free(&self, feet: &[Feet]) -> bool {
        let (low, high) = self.swept(feet);
        (0..3).all(|axis| low[axis] >= 0 && high[axis] <= self.size[axis])
            && !self
                .solids
                .iter()
                .any(|(a, b)| (0..3).all(|axis| a[axis] < high[axis] && low[axis] < b[axis]))
    }

    fn stands(&self, at: Feet) -> bool {
        let (low, high) = self.swept(&[at]);
        self.is_free(&[at])
            && self.solids.iter().any(|(a, b)| {
                b[1] == at[1]
                    && [0, 2].iter().all(|&axis| a[axis] < high[axis] && low[axis] < b[axis])
            })
    }

    fn states(&self) -> Vec<Feet> {
        let [wide, tall, deep] = self.size;
        let columns = (0..wide).step_by(2).flat_map(|x| (0..deep).step_by(2).map(move |z| [x, z]));
        let all = columns.flat_map(|[x, z]| (0..tall).map(move |y| [x, y, z]));
        all.filter(|&at| self.stands(at)).collect()
    }

    /// The height for a straight step by `way`, from or to a place.
    fn edge(&self, at: Feet, way: [i32; 2]) -> i32 {
        let (low, high) = self.swept(&[at]);
        let over = self.stairs.iter().any(|(stair, up)| {
            stair[1] + 1 == at[1]
                && *up == way
                && [0, 2]
                    .iter()
                    .all(|&axis| stair[axis] < high[axis] && low[axis] < stair[axis] + 2)
        });
        at[1] + i32::from(over)
    }

    fn leads(&self, from: Feet, to: Feet) -> bool {
        let way = [to[0] - from[0], to[2] - from[2]];
        let is_diagonal = way[0] != 0 && way[1] != 0;
        let (before, after) = if is_diagonal {
            (from[1], to[1])
        } else {
            (self.edge(from, way), self.edge(to, way.map(|part| -part)))
        };
        let (profile, rise) = (&self.profile, after - before);
        let can = profile.abilities;
        let is_able = can.walk && rise.abs() <= 1
            || can.jump && rise > 0 && rise <= 2 * i32::from(profile.jump_height)
            || can.fall && rise < 0 && -rise <= 2 * i32::from(profile.max_fall_distance);
        let level = before.max(after);
        let (over, end) = ([from[0], level, from[2]], [to[0], level, to[2]]);
        is_able
            && self.is_free(&[from, over])
            && self.is_free(&[over, end])
            && self.is_free(&[end, to])
            && !(to[1] + 1..=level).any(|y| self.stands([to[0], y, to[2]]))
    }

    /// The costs of the cheapest paths from a place.
    fn costs_from(&self, start: Feet) -> BTreeMap<Feet, u64> {
        let states = self.states();
        let straight = i64::from(VOXEL_STRAIGHT);
        // Half a block costs half, rounded so that a whole one costs a whole.
        let height = |at: Feet| i64::from(at[1]) * straight / 2;
        let mut costs = BTreeMap::from([(start, 0)]);
        let mut open = BinaryHeap::from([(std::cmp::Reverse(0), start)]);
        while let Some((std::cmp::Reverse(cost), at)) = open.pop() {
            if costs[&at] < cost {
                continue;
            }
            for &to in &states {
                let [dx, dz] = [to[0] - at[0], to[2] - at[2]].map(i32::abs);
                if dx.max(dz) != 2 || !self.leads(at, to) {
                    continue;
                }
                let across = if dx + dz == 4 { VOXEL_DIAGONAL } else { VOXEL_STRAIGHT };
                let next = cost + u64::from(across) + height(at).abs_diff(height(to));
                if costs.get(&to).is_none_or(|&known| next < known) {
                    costs.insert(to, next);
                    open.push((std::cmp::Reverse(next), to));
                }
            }
        }
        costs
    }
}

/// The feet of a state, from its position alone.
fn feet(world: &VoxelGrid, state: wayfare_voxel::Voxel) -> Feet {
    let at = world.position_of(state);
    // The position is the middle of the lowest block of the body, a little lower on a half block.
    let y = (world.space().position(state).y * 2.0).round() as i32 - 1;
    [2 * at.x as i32, y, 2 * at.z as i32]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 160, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn walkers_move_as_among_boxes(
        sides in (2u32..6, 2u32..7, 2u32..6),
        blocks in prop::collection::vec(prop::sample::select(vec![0u16, 0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 6]), 150),
        (walk, jump, fall) in (prop::bool::weighted(0.8), any::<bool>(), any::<bool>()),
        (jump_height, max_fall_distance) in (0u8..3, 0u16..4),
        (height, width) in (1u8..4, 1u8..3),
        seed: u32,
    ) {
        let profile = VoxelProfile {
            abilities: Abilities { walk, jump, fall, ..Abilities::NONE },
            jump_height, max_fall_distance, height, width,
            ..VoxelProfile::default()
        };
        let size = VoxelSize { width: sides.0, height: sides.1, depth: sides.2 };
        let mut world = grid(size, profile, |at| blocks[((at.x * 6 + at.z) * 6 + at.y) as usize % 150]);
        let id = world.profiles().next().unwrap();
        world.prepare_regions(id);
        let boxes = Boxes::new(&world);
        let own = crate::random::states(&world);
        let mut standing: Vec<Feet> = own.iter().map(|&state| feet(&world, state)).collect();
        standing.sort_unstable();
        let mut expected = boxes.states();
        expected.sort_unstable();
        prop_assert_eq!(&standing, &expected);
        prop_assert_eq!(world.free_voxels(id), own.len() as u64);
        if own.is_empty() {
            return Ok(());
        }
        let start = own[seed as usize % own.len()];
        let costs = boxes.costs_from(feet(&world, start));
        let space = world.space();
        for &goal in &own {
            prop_assert_eq!(world.voxel_at(space.position(goal)), Some(goal));
            let expected = costs.get(&feet(&world, goal)).copied();
            let answer = solve(&space, &AStar::new(), Query::new(start, goal));
            let found = answer.outcome.path().map(|path| u64::from(path.cost()));
            prop_assert_eq!(found, expected, "{:?} to {:?}", feet(&world, start), feet(&world, goal));
            if expected.is_none() {
                prop_assert_eq!(answer.stats.expanded, 0, "regions know");
            }
            if let Some(path) = answer.outcome.path() {
                prop_assert_eq!(validate(&space, path, start, goal), Ok(()));
            }
        }
    }
}

/// A corridor along x, one block wide: text from the top down, one line a layer, over a layer of
/// solid ground. `#` solid, `_` half, `>` and `<` stairs.
fn corridor(rows: &[&str], profile: VoxelProfile) -> VoxelGrid {
    let size = VoxelSize { width: rows[0].len() as u32, height: rows.len() as u32 + 1, depth: 1 };
    grid(size, profile, |at| {
        let Some(layer) = at.y.checked_sub(1) else { return 1 };
        let row = rows[rows.len() - 1 - layer as usize].as_bytes();
        match row[at.x as usize] {
            b'#' => 1,
            b'_' => 2,
            b'>' => 3,
            b'<' => 5,
            _ => 0,
        }
    })
}

/// The actions of the cheapest path, `None` without one. Heights are counted from the ground.
fn way(world: &VoxelGrid, from: (u32, u32), to: (u32, u32)) -> Option<Vec<Action>> {
    let place = |(x, y)| world.voxel(BlockPosition::new(x, y + 1, 0)).unwrap();
    let (start, goal) = (place(from), place(to));
    let answer = solve(&world.space(), &AStar::new(), Query::new(start, goal));
    let path = answer.outcome.path()?;
    assert_eq!(validate(&world.space(), path, start, goal), Ok(()));
    let other = solve(&world.space(), &Dijkstra, Query::new(start, goal)).outcome;
    assert_eq!(other.path().map(Path::cost), Some(path.cost()));
    Some(path.moves().map(|step| step.action).collect())
}

fn walker(jump_height: u8, height: u8) -> VoxelProfile {
    VoxelProfile { jump_height, height, max_fall_distance: 0, ..VoxelProfile::default() }
}

use Action::{Fall, Jump, Walk};

#[test]
fn slabs_make_ramps_and_stairs_need_no_jump() {
    let ramp = ["......", "......", "......", "...._#", "..._##", "._####"];
    // Half a block at a time: from the ground, onto the slab, onto the block, and so on.
    let world = corridor(&ramp, walker(0, 2));
    assert_eq!(way(&world, (0, 0), (2, 1)), Some(vec![Walk; 2]));
    assert_eq!(way(&world, (2, 1), (0, 0)), Some(vec![Walk; 2]));
    assert_eq!(way(&world, (0, 0), (3, 1)), Some(vec![Walk; 3]));
    // Between slabs one above the other is a whole block.
    assert_eq!(way(&world, (3, 1), (4, 2)), None);
    let jumper = corridor(&ramp, walker(1, 2));
    assert_eq!(way(&jumper, (3, 1), (4, 2)), Some(vec![Jump]));
    // Stairs rise by a block each, and their back is a wall.
    let stairs = ["......", "......", "......", "...>##", "..>###", ".>####"];
    let world = corridor(&stairs, walker(0, 2));
    assert_eq!(way(&world, (0, 0), (5, 3)), Some(vec![Walk; 5]));
    assert_eq!(way(&world, (5, 3), (0, 0)), Some(vec![Walk; 5]));
    let back = ["....", "....", ".>.."];
    assert_eq!(way(&corridor(&back, walker(0, 1)), (0, 0), (1, 0)), Some(vec![Walk]));
    assert_eq!(way(&corridor(&back, walker(0, 1)), (2, 0), (1, 0)), None);
    assert_eq!(way(&corridor(&back, walker(1, 1)), (2, 0), (1, 0)), Some(vec![Jump]));
    let down = VoxelProfile { max_fall_distance: 1, ..walker(0, 1) };
    assert_eq!(way(&corridor(&back, down), (1, 0), (2, 0)), Some(vec![Fall]));
}

#[test]
fn jumps_and_falls_count_halves() {
    // One and a half blocks up, and down again.
    let step = ["...", "...", "...", ".#.", "_#."];
    let up = |jump| {
        way(&corridor(&["...", "...", "...", "._.", ".#."], walker(jump, 1)), (0, 0), (1, 1))
    };
    assert_eq!((up(1), up(2)), (None, Some(vec![Jump])));
    let up = |jump| way(&corridor(&step, walker(jump, 1)), (0, 0), (1, 2));
    assert_eq!((up(1), up(2)), (None, Some(vec![Jump])));
    let down = |max_fall_distance| {
        let profile = VoxelProfile { max_fall_distance, ..walker(0, 1) };
        way(&corridor(&step, profile), (1, 2), (0, 0))
    };
    assert_eq!((down(1), down(2)), (None, Some(vec![Fall])));
    // A leap over a gap, from a slab onto a slab; over a slab between nobody leaps.
    let leaper = |walk| VoxelProfile {
        abilities: Abilities { walk, ..Abilities::default() },
        jump_distance: 1,
        ..walker(1, 1)
    };
    let gap = ["...", "...", "_._", "#.#"];
    assert_eq!(way(&corridor(&gap, leaper(true)), (0, 1), (2, 1)), Some(vec![Jump]));
    let bridge = ["...", "...", "___", "#.#"];
    assert_eq!(way(&corridor(&bridge, leaper(true)), (0, 1), (2, 1)), Some(vec![Walk; 2]));
    assert_eq!(way(&corridor(&bridge, leaper(false)), (0, 1), (2, 1)), Some(vec![Jump]));
}

#[test]
fn heads_need_room_above_the_real_height_of_the_feet() {
    // Under a ceiling two blocks above the ground: a body of two blocks has room beside the slab,
    // not on it.
    let low = ["###", "...", "...", "._."];
    let high = ["###", "...", "...", "...", "._."];
    assert_eq!(way(&corridor(&low, walker(1, 3)), (0, 0), (2, 0)), None);
    assert_eq!(way(&corridor(&low, walker(1, 2)), (0, 0), (2, 0)), Some(vec![Walk; 2]));
    assert_eq!(way(&corridor(&high, walker(1, 3)), (0, 0), (2, 0)), Some(vec![Walk; 2]));
    // A slab at the height of the head is in its way, though the upper half of the voxel is free.
    let head = ["...", "._.", "..."];
    assert_eq!(way(&corridor(&head, walker(1, 2)), (0, 0), (2, 0)), None);
    assert_eq!(way(&corridor(&head, walker(1, 1)), (0, 0), (2, 0)), Some(vec![Walk; 2]));
}

#[test]
fn lengths_positions_and_lines_know_the_height() {
    let frame = VoxelFrame { block_size: 2.0, ..VoxelFrame::default() };
    let world = corridor(&["......", "......", ".___._"], walker(0, 1)).with_frame(frame).unwrap();
    let space = world.space();
    let at = |x| world.voxel(BlockPosition::new(x, 1, 0)).unwrap();
    let answer = solve(&space, &AStar::new(), Query::new(at(0), at(2)));
    let path = answer.outcome.path().unwrap();
    let length = space.length(path.steps.iter().map(|step| (step.state, step.action)));
    assert!((length - 5.0).abs() < 1e-6, "two blocks, and half a block up: {length}");
    assert_eq!(path.cost(), 2 * VOXEL_STRAIGHT + VOXEL_STRAIGHT / 2);
    assert_eq!(space.position(at(0)).y, 3.0);
    let height = space.position(at(1)).y;
    assert!((3.95..4.0).contains(&height), "{height}");
    // Along slabs there are lines of sight, onto them there are none.
    assert_eq!(space.line_cost(at(1), at(3)), Some(2 * VOXEL_STRAIGHT - 1));
    assert_eq!(space.line_cost(at(0), at(3)), None);
    assert!(space.segment_is_clear(space.position(at(1)), space.position(at(3))));
    assert!(!space.segment_is_clear(space.position(at(0)), space.position(at(1))));
}

#[test]
fn turned_stairs_change_the_regions() {
    let mut world = corridor(&["...", "...", ".>#"], walker(0, 1));
    let id = world.profiles().next().unwrap();
    let at = |x, y| BlockPosition::new(x, y, 0);
    world.prepare_regions(id);
    let ends = [(0, 1), (2, 2)].map(|(x, y)| world.voxel(at(x, y)).unwrap());
    let is_known = |world: &VoxelGrid| {
        let answer = solve(&world.space(), &AStar::new(), Query::new(ends[0], ends[1]));
        assert!(answer.outcome.is_found() || answer.stats.expanded == 0);
        answer.outcome.is_found()
    };
    assert!(is_known(&world));
    // Walked up from the other side: on this side they are a wall.
    world.set_block(at(1, 1), BlockId(5)).unwrap();
    assert!(!is_known(&world));
    world.set_block(at(1, 1), BlockId(3)).unwrap();
    assert!(is_known(&world));
}

#[test]
fn flyers_take_slabs_for_full_blocks_and_worlds_may_get_slabs_later() {
    let size = VoxelSize { width: 3, height: 3, depth: 1 };
    let mut world = VoxelGrid::new(size, VoxelProfile::default()).unwrap();
    let flyer = world.add_profile(VoxelProfile::flyer()).unwrap();
    let at = |x, y| BlockPosition::new(x, y, 0);
    let half = world.add_block(BlockKind::Half).unwrap();
    world.set_block(at(1, 0), half).unwrap();
    let place = |x, y| world.voxel(at(x, y)).unwrap();
    assert!(world.space().check(place(1, 0)).is_ok());
    assert!(world.space().check(place(1, 1)).is_err(), "in the air above the slab");
    assert!(world.space_of(flyer).check(place(1, 0)).is_err());
    assert!(world.space_of(flyer).check(place(1, 1)).is_ok());
    assert_eq!(place(1, 0).index(), world.voxel(at(1, 0)).unwrap().index());
}
