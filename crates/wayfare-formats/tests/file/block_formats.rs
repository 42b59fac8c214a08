//! Schematics of Litematica and MCEdit, and the younger forms of the Moving AI voxel files.

use std::collections::BTreeMap;

use fastnbt::{ByteArray, LongArray, Value};
use proptest::prelude::*;
use wayfare_formats::{
    MemoryFiles, VoxelScene, World, WorldError, movingai_3dmap, movingai_3dscen, read_from, schem,
};
use wayfare_voxel::{BlockId, BlockKind, BlockPosition, VoxelProfile, VoxelSize};

fn assert_says<T: std::fmt::Debug>(result: Result<T, WorldError>, part: &str) {
    let message = result.unwrap_err().to_string();
    assert!(message.contains(part), "{message}");
}

fn compound<const N: usize>(entries: [(&str, Value); N]) -> Value {
    Value::Compound(entries.map(|(name, value)| (name.to_owned(), value)).into())
}

fn corner([x, y, z]: [i32; 3]) -> Value {
    compound([("x", Value::Int(x)), ("y", Value::Int(y)), ("z", Value::Int(z))])
}

/// The numbers in words of 64 bits, as Litematica packs them; the oracle goes bit by bit.
fn packed(numbers: &[usize], kinds: usize) -> Vec<i64> {
    let bits = (2..).find(|bits| 1 << bits >= kinds).unwrap();
    let mut words = vec![0u64; (numbers.len() * bits).div_ceil(64)];
    for (index, number) in numbers.iter().enumerate() {
        for bit in (0..bits).filter(|bit| number >> bit & 1 == 1) {
            let at = index * bits + bit;
            words[at / 64] |= 1 << (at % 64);
        }
    }
    words.into_iter().map(u64::cast_signed).collect()
}

fn region(position: [i32; 3], size: [i32; 3], palette: &[&str], words: Vec<i64>) -> Value {
    let named = |name: &&str| compound([("Name", Value::String((*name).to_owned()))]);
    compound([
        ("Position", corner(position)),
        ("Size", corner(size)),
        ("BlockStatePalette", Value::List(palette.iter().map(named).collect())),
        ("BlockStates", Value::LongArray(LongArray::new(words))),
    ])
}

fn litematic(regions: impl IntoIterator<Item = (&'static str, Value)>) -> Vec<u8> {
    let regions = regions.into_iter().map(|(name, region)| (name.to_owned(), region)).collect();
    let root = compound([("Version", Value::Int(6)), ("Regions", Value::Compound(regions))]);
    fastnbt::to_bytes(&root).unwrap()
}

fn kind_at(world: &VoxelScene, [x, y, z]: [u32; 3]) -> String {
    let block = world.block(BlockPosition::new(x, y, z));
    world.palette()[usize::from(block.0)].name.clone()
}

const AIR: &str = "minecraft:air";

#[test]
fn regions_lie_where_their_corners_say() {
    // One block of stone at the origin; two of water that end at x = 5, counted backwards.
    let stone = region([0, 0, 0], [1, 1, 1], &[AIR, "minecraft:stone"], packed(&[1], 2));
    let water = region([5, 2, -1], [-2, 1, -1], &[AIR, "minecraft:water"], packed(&[1, 1], 2));
    let world = schem::read_litematic(&litematic([("a", stone), ("b", water)]), "x").unwrap();
    assert_eq!(world.size(), VoxelSize { width: 6, height: 3, depth: 2 });
    assert_eq!(world.filled(), 3);
    assert_eq!(kind_at(&world, [0, 0, 1]), "stone");
    assert_eq!(kind_at(&world, [4, 2, 0]), "minecraft:water");
    assert_eq!(kind_at(&world, [5, 2, 0]), "minecraft:water");
}

#[test]
fn where_regions_overlap_blocks_count_before_air() {
    let palette = [AIR, "minecraft:stone", "minecraft:sand"];
    let below = region([0, 0, 0], [2, 1, 1], &palette, packed(&[1, 1], 3));
    let above = region([0, 0, 0], [2, 1, 1], &palette, packed(&[0, 2], 3));
    let world = schem::read_litematic(&litematic([("a", below), ("b", above)]), "x").unwrap();
    assert_eq!(kind_at(&world, [0, 0, 0]), "stone");
    assert_eq!(kind_at(&world, [1, 0, 0]), "minecraft:sand");
}

#[test]
fn damaged_litematics_are_errors() {
    let read = |position, size, words| {
        let region = region(position, size, &[AIR, "minecraft:stone"], words);
        schem::read_litematic(&litematic([("hut", region)]), "x")
    };
    assert_says(read([0; 3], [4, 4, 4], vec![0]), "there are 32 blocks, but the size asks for 64");
    assert_says(read([0; 3], [0, 1, 1], vec![0]), "the region 'hut' is 0 x 1 x 1");
    assert_says(read([0; 3], [i32::MIN, 1, 1], vec![0]), "the region 'hut' is 2147483648");
    assert_says(read([0; 3], [1, 1, 1], vec![3]), "the number 3, which the palette does not have");
    let far = || region([0; 3], [1, 1, 1], &[AIR], vec![0]);
    let near = region([i32::MAX, 0, 0], [1, 1, 1], &[AIR], vec![0]);
    assert_says(
        schem::read_litematic(&litematic([("a", far()), ("b", near)]), "x"),
        "span 2147483648",
    );
    assert_says(schem::read_litematic(&litematic([]), "x"), "no regions");
    let bytes = litematic([("a", far())]);
    for end in 0..bytes.len() {
        assert!(schem::read_litematic(&bytes[..end], "x").is_err(), "cut off at {end}");
    }
}

fn mcedit(sides: [i16; 3], blocks: &[u8], high: Option<&[u8]>, data: &[u8]) -> Vec<u8> {
    let bytes = |bytes: &[u8]| {
        Value::ByteArray(ByteArray::new(bytes.iter().map(|byte| byte.cast_signed()).collect()))
    };
    let mut root = BTreeMap::from([
        ("Materials", Value::String("Alpha".to_owned())),
        ("Width", Value::Short(sides[0])),
        ("Height", Value::Short(sides[1])),
        ("Length", Value::Short(sides[2])),
        ("Blocks", bytes(blocks)),
        ("Data", bytes(data)),
    ]);
    root.extend(high.map(|high| ("AddBlocks", bytes(high))));
    fastnbt::to_bytes(&root).unwrap()
}

#[test]
fn old_numbers_become_the_names_of_today() {
    // Two by two by two, x fastest, then z, then y: stone, red wool, water at rest and flowing; a
    // torch, air, a door, and number 300, which nothing has.
    let blocks = [1, 35, 9, 8, 50, 0, 64, 44];
    let bytes = mcedit([2, 2, 2], &blocks, Some(&[0, 0, 0, 1]), &[0, 14, 0, 3, 0, 0, 0, 0]);
    let world = schem::read_mcedit(&bytes, "x").unwrap();
    assert_eq!(kind_at(&world, [0, 0, 0]), "stone");
    assert_eq!(kind_at(&world, [1, 0, 0]), "red_wool");
    assert_eq!(kind_at(&world, [0, 0, 1]), "water");
    assert_eq!(kind_at(&world, [1, 0, 1]), "water");
    assert_eq!(kind_at(&world, [0, 1, 0]), "torch");
    assert_eq!(kind_at(&world, [1, 1, 0]), "air");
    assert_eq!(kind_at(&world, [0, 1, 1]), "oak_door");
    assert_eq!(kind_at(&world, [1, 1, 1]), "block_300");
    let kinds: Vec<BlockKind> =
        world.palette().iter().map(|kind| kind.block.kind).skip(2).collect();
    let wanted =
        [BlockKind::Solid, BlockKind::Water, BlockKind::Air, BlockKind::Door, BlockKind::Solid];
    assert_eq!(kinds, wanted);
}

#[test]
fn damaged_schematics_of_mcedit_are_errors() {
    assert_says(schem::read_mcedit(&mcedit([2, 1, 1], &[1], None, &[]), "x"), "there are 1 blocks");
    assert_says(schem::read_mcedit(&mcedit([0, 1, 1], &[], None, &[]), "x"), "has no blocks");
    let bytes = mcedit([1, 1, 1], &[1], None, &[0]);
    for end in 0..bytes.len() {
        assert!(schem::read_mcedit(&bytes[..end], "x").is_err(), "cut off at {end}");
    }
    // The upper bits and the variants may be missing.
    assert!(schem::read_mcedit(&mcedit([3, 1, 1], &[1, 35, 2], Some(&[]), &[]), "x").is_ok());
}

#[test]
fn all_old_numbers_have_names_without_repeats() {
    let blocks: Vec<u8> = (0..=255).flat_map(|number| [number; 16]).collect();
    let variants: Vec<u8> = (0..=255).flat_map(|_| 0..16).collect();
    let world = schem::read_mcedit(&mcedit([16, 16, 16], &blocks, None, &variants), "x").unwrap();
    assert!(world.palette().len() > 250);
    assert!(world.to_grid(VoxelProfile::default()).is_ok());
}

#[test]
fn the_extension_tells_the_reader() {
    let stone = region([0, 0, 0], [1, 1, 1], &[AIR, "minecraft:stone"], packed(&[1], 2));
    let files = MemoryFiles::new()
        .with("hut.litematic", litematic([("a", stone)]))
        .with("HUT.SCHEMATIC", mcedit([1, 1, 1], &[1], None, &[0]));
    for name in ["hut.litematic", "HUT.SCHEMATIC"] {
        let world = read_from(name, &files, Default::default()).unwrap();
        let World::Voxels(world) = world else { panic!("no world of blocks") };
        assert_eq!(world.block(BlockPosition::new(0, 0, 0)), BlockId::SOLID);
    }
}

#[test]
fn maps_may_list_the_free_voxels() {
    let map = b"rev_voxel 4 1 2\n0 0 0\n2 0 0\n3 0 0\n";
    let world = movingai_3dmap::read(map, "x").unwrap();
    let blocked: Vec<_> = world.runs().map(|run| (run.from, run.length)).collect();
    let at = |x, z| BlockPosition::new(x, 0, z);
    assert_eq!(blocked, [(at(1, 0), 1), (at(0, 1), 4)]);
    // What is written lists the blocked ones and is the same world.
    let again = movingai_3dmap::read(&movingai_3dmap::write(&world).unwrap(), "x").unwrap();
    assert_eq!(again, world);
    assert_says(movingai_3dmap::read(b"rev_voxel 9 9 9\n9 0 0\n", "x"), "lies outside the map");
    assert_says(movingai_3dmap::read(b"rev_map 9 9 9\n", "x"), "not the header");
    // Thirty bytes must not become gigabytes.
    let huge = movingai_3dmap::read(b"rev_voxel 65536 65536 65536\n1 1 1\n", "x");
    assert_says(huge, "out of proportion");
}

#[test]
fn scenarios_of_version_2() {
    let text = b"version 2\nm.3dmap\n0 0 0 3 2 1 4.5 1.07\n0 0 0 2 0 0 2\n0 0 0 1 1 1 1.8 1 9 9\n";
    let scenario = movingai_3dscen::read(text).unwrap();
    let ratios: Vec<f64> = scenario.entries.iter().map(|query| query.ratio).collect();
    assert_eq!(ratios, [1.07, 1.0, 1.0]);
    assert_says(movingai_3dscen::read(b"version 2\nm\n0 0 0 3 2 1\n"), "7 columns");
    assert_says(movingai_3dscen::read(b"version 3\nm\n"), "'version 1' or 'version 2'");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_of_any_width_are_unpacked(
        kinds in 1usize..40,
        sides in (1usize..6, 1usize..5, 1usize..4),
        seed in any::<u64>(),
    ) {
        let names: Vec<String> = (0..kinds).map(|kind| format!("minecraft:kind_{kind}")).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (width, height, depth) = sides;
        let numbers: Vec<usize> = (0..(width * height * depth) as u64)
            .map(|index| (seed.wrapping_mul(2 * index + 1) >> 33) as usize % kinds)
            .collect();
        let size = [width, height, depth].map(|side| side as i32);
        let bytes = litematic([("a", region([7, 8, 9], size, &names, packed(&numbers, kinds)))]);
        let world = schem::read_litematic(&bytes, "x").unwrap();
        for (index, number) in numbers.iter().enumerate() {
            let (x, z, y) = (index % width, index / width % depth, index / width / depth);
            prop_assert_eq!(kind_at(&world, [x, y, z].map(|part| part as u32)), names[*number]);
        }
    }

    #[test]
    fn damaged_files_never_panic(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
        which in any::<bool>(),
    ) {
        let stone = region([0, 0, 0], [3, 2, 1], &[AIR, "minecraft:stone"], packed(&[1; 6], 2));
        let mut bytes = match which {
            true => litematic([("a", stone)]),
            false => mcedit([2, 1, 1], &[1, 2], Some(&[0]), &[0, 0]),
        };
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = schem::read_litematic(&bytes, "x");
        let _ = schem::read_mcedit(&bytes, "x");
    }

    #[test]
    fn listed_and_unlisted_voxels_fill_the_map(free in prop::collection::btree_set((0u32..5, 0u32..4, 0u32..3), 0..60)) {
        let text: String = free.iter().map(|(x, y, z)| format!("{x} {y} {z}\n")).collect();
        let plain = movingai_3dmap::read(format!("voxel 5 4 3\n{text}").as_bytes(), "x").unwrap();
        let inverted = movingai_3dmap::read(format!("rev_voxel 5 4 3\n{text}").as_bytes(), "x").unwrap();
        for (x, y, z) in (0..5).flat_map(|x| (0..4).flat_map(move |y| (0..3).map(move |z| (x, y, z)))) {
            let at = BlockPosition::new(x, y, z);
            prop_assert_ne!(plain.block(at), inverted.block(at));
        }
        prop_assert_eq!(plain.filled() + inverted.filled(), 60);
    }
}
