//! Voxel formats: what they hold, and what damaged files come to.

use std::io::Write as _;

use proptest::prelude::*;
use wayfare_core::search::{AStar, Query, Solver};
use wayfare_formats::{
    BlockType, VoxelScene, World, WorldError, heightmap, losses, movingai_3dmap, movingai_3dscen,
    read_path, schem, vox, voxel_text, write_path,
};
use wayfare_voxel::{
    Abilities, Ascent, BlockId, BlockKind, BlockPosition, VoxelProfile, VoxelSize,
};

#[track_caller]
fn assert_says<T: std::fmt::Debug>(result: Result<T, WorldError>, part: &str) {
    let said = result.expect_err("this input is wrong").to_string();
    assert!(said.contains(part), "{said:?} should hold {part:?}");
}

fn read_vox(bytes: &[u8]) -> Result<VoxelScene, WorldError> {
    vox::read(bytes, "x")
}

fn read_map(bytes: &[u8]) -> Result<VoxelScene, WorldError> {
    movingai_3dmap::read(bytes, "x")
}

fn read_schem(bytes: &[u8]) -> Result<VoxelScene, WorldError> {
    schem::read(bytes, "x")
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// A chunk of a `.vox` file.
fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    let length = (content.len() as u32).to_le_bytes();
    [name.as_slice(), &length, &[0; 4], content].concat()
}

fn vox_file(chunks: &[Vec<u8>]) -> Vec<u8> {
    let chunks = chunks.concat();
    let length = (chunks.len() as u32).to_le_bytes();
    [b"VOX ".as_slice(), &150u32.to_le_bytes(), b"MAIN", &[0; 4], &length, &chunks].concat()
}

fn vox_size(size: [u32; 3]) -> Vec<u8> {
    chunk(b"SIZE", &size.map(u32::to_le_bytes).concat())
}

fn vox_voxels(voxels: &[[u8; 4]]) -> Vec<u8> {
    chunk(b"XYZI", &[(voxels.len() as u32).to_le_bytes().as_slice(), &voxels.concat()].concat())
}

fn sound_vox() -> Vec<u8> {
    vox_file(&[vox_size([3, 4, 5]), vox_voxels(&[[0, 0, 0, 1], [2, 3, 4, 255]])])
}

#[test]
fn vox_models_stand_upright() {
    let mut world = read_vox(&sound_vox()).unwrap();
    assert_eq!(world.size(), VoxelSize { width: 3, height: 5, depth: 4 });
    let names = |world: &VoxelScene| -> Vec<(BlockPosition, String)> {
        let name = |id: BlockId| world.palette()[usize::from(id.0)].name.clone();
        world.runs().map(|run| (run.from, name(run.block))).collect()
    };
    assert_eq!(
        names(&world),
        [
            (BlockPosition::new(0, 0, 3), "colour-1".to_owned()),
            (BlockPosition::new(2, 4, 0), "colour-255".to_owned())
        ]
    );
    assert!(world.redefine(BlockId::SOLID, BlockKind::Water).is_err());
    world.redefine(BlockId(2), BlockKind::Water).unwrap();
    let grid = world.to_grid(VoxelProfile::default()).unwrap();
    assert_eq!(grid.palette()[2].kind, BlockKind::Water);
    assert_eq!(grid.block(BlockPosition::new(2, 4, 0)), Some(BlockId(3)));
}

/// A property list of a `.vox` file.
fn vox_properties(pairs: &[(&str, &str)]) -> Vec<u8> {
    let text = |text: &str| [&(text.len() as u32).to_le_bytes(), text.as_bytes()].concat();
    let mut bytes = (pairs.len() as u32).to_le_bytes().to_vec();
    bytes.extend(pairs.iter().flat_map(|(key, value)| [text(key), text(value)].concat()));
    bytes
}

fn vox_words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn vox_transform(number: u32, own: &[(&str, &str)], child: u32, frame: &[(&str, &str)]) -> Vec<u8> {
    let head = [vox_words(&[number]), vox_properties(own)].concat();
    let rest = vox_words(&[child, u32::MAX, 0, 1]);
    chunk(b"nTRN", &[head, rest, vox_properties(frame)].concat())
}

fn vox_group(number: u32, children: &[u32]) -> Vec<u8> {
    let head = [vox_words(&[number]), vox_properties(&[])].concat();
    chunk(b"nGRP", &[head, vox_words(&[children.len() as u32]), vox_words(children)].concat())
}

fn vox_shape(number: u32, model: u32) -> Vec<u8> {
    let head = [vox_words(&[number]), vox_properties(&[])].concat();
    chunk(b"nSHP", &[head, vox_words(&[1, model]), vox_properties(&[])].concat())
}

/// A bar of three voxels along x, shown as it is, turned by a right angle, and hidden.
fn vox_scene(turn: &str) -> Vec<u8> {
    let bar: Vec<[u8; 4]> = (0..3).map(|x| [x, 0, 0, x + 1]).collect();
    vox_file(&[
        vox_size([3, 1, 1]),
        vox_voxels(&bar),
        vox_transform(0, &[], 1, &[]),
        vox_group(1, &[2, 4, 6]),
        vox_transform(2, &[], 3, &[("_t", "-10 5 0")]),
        vox_shape(3, 0),
        vox_transform(4, &[], 5, &[("_t", "-7 5 2"), ("_r", turn)]),
        vox_shape(5, 0),
        vox_transform(6, &[("_hidden", "1")], 3, &[("_t", "500 0 0")]),
    ])
}

#[test]
fn scenes_of_vox_files_are_put_together() {
    // x becomes y, and y becomes -x.
    let world = read_vox(&vox_scene("17")).unwrap();
    // The first bar is at -11..=-9 along x, the second at 4..=6 along y, two above. Here z runs
    // against y.
    assert_eq!(world.size(), VoxelSize { width: 4, height: 3, depth: 3 });
    let places: Vec<_> = world.runs().map(|run| (run.from.x, run.from.y, run.from.z)).collect();
    assert_eq!(places, [(0, 0, 1), (1, 0, 1), (2, 0, 1), (3, 2, 0), (3, 2, 1), (3, 2, 2)]);
    let name = |x, y, z| {
        let id = world.block(BlockPosition::new(x, y, z));
        world.palette()[usize::from(id.0)].name.as_str()
    };
    assert_eq!((name(0, 0, 1), name(3, 2, 0), name(3, 2, 2)), ("colour-1", "colour-3", "colour-1"));

    assert_says(read_vox(&vox_scene("5")), "'5' is no turn");
    assert_says(read_vox(&vox_scene("300")), "'300' is no turn");
    let scene = |parts: &[Vec<u8>]| {
        let model = [vox_size([1, 1, 1]), vox_voxels(&[[0, 0, 0, 1]])];
        vox_file(&[&model, parts].concat())
    };
    assert_says(read_vox(&scene(&[vox_group(0, &[7])])), "no node 7");
    assert_says(read_vox(&scene(&[vox_shape(0, 3)])), "no model 3");
    assert_says(read_vox(&scene(&[vox_group(0, &[])])), "shows no model");
    assert_says(read_vox(&scene(&[vox_group(0, &[0, 0])])), "holds itself");
    assert_says(read_vox(&scene(&[vox_transform(0, &[], 1, &[("_t", "1 2")])])), "no shift");
    assert_says(read_vox(&scene(&[chunk(b"nGRP", &[0])])), "damaged");
    let hidden = [vox_words(&[0]), vox_properties(&[("_hidden", "1")]), vox_words(&[0])].concat();
    let on_layer = [vox_transform(0, &[], 1, &[]), vox_shape(1, 0), chunk(b"LAYR", &hidden)];
    assert_says(read_vox(&scene(&on_layer)), "shows no model");
    assert!(read_vox(&scene(&on_layer[..2])).is_ok());
    let material = [vox_words(&[1]), vox_properties(&[("wayfare", "~ wet")])].concat();
    let error = read_vox(&scene(&[chunk(b"MATL", &material)])).unwrap_err().to_string();
    assert!(error.starts_with("the block 'wet' does not say its kind"), "{error}");
    let apart = [
        vox_group(0, &[1, 3]),
        vox_transform(1, &[], 2, &[("_t", "2000000000 0 0")]),
        vox_shape(2, 0),
        vox_transform(3, &[], 2, &[("_t", "-2000000000 0 0")]),
    ];
    assert_says(read_vox(&scene(&apart)), "4000000001 voxels long");
}

#[test]
fn a_small_vox_file_does_not_show_more_than_a_large_one_holds() {
    // 16 groups of 16 groups and so on, of a model of 4,096 voxels.
    let voxels: Vec<[u8; 4]> = (0..4096).map(|at| [at as u8 & 63, (at >> 6) as u8, 0, 1]).collect();
    let mut chunks = vec![vox_size([64, 64, 1]), vox_voxels(&voxels)];
    chunks.extend((0..4).map(|level| vox_group(level, &[level + 1; 16])));
    chunks.push(vox_shape(4, 0));
    assert_says(read_vox(&vox_file(&chunks)), "268435456 voxels");
}

#[test]
fn damaged_vox_files_are_errors() {
    assert_says(read_vox(b""), "not a MagicaVoxel file");
    assert_says(read_vox(b"VOX \x96\0\0\0MAIN"), "no model");
    assert_says(read_vox(&vox_file(&[vox_size([0, 4, 5]), vox_voxels(&[])])), "a side of 0");
    assert_says(
        read_vox(&vox_file(&[vox_size([1, u32::MAX, 5]), vox_voxels(&[])])),
        "a side of 4294967295",
    );
    assert_says(
        read_vox(&vox_file(&[vox_size([3, 3, 3]), vox_voxels(&[[3, 0, 0, 1]])])),
        "outside its model",
    );
    let mut long = sound_vox();
    long[24..28].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_says(read_vox(&long), "longer than the rest");
    // A chunk that claims a thousand million voxels.
    let claims = chunk(b"XYZI", &[1_000_000_000u32.to_le_bytes().as_slice(), &[0; 8]].concat());
    assert!(read_vox(&vox_file(&[vox_size([3, 3, 3]), claims])).is_err());
    // Chunks in chunks in chunks.
    assert!(
        read_vox(
            &b"VOX \x96\0\0\0"
                .iter()
                .copied()
                .chain(b"MAIN\0\0\0\0\xff\xff\xff\0".repeat(100_000))
                .collect::<Vec<u8>>()
        )
        .is_err()
    );
    let sound = sound_vox();
    for end in 0..sound.len() {
        assert!(read_vox(&sound[..end]).is_err(), "cut off at {end}");
    }
}

/// NBT by hand: a named value.
fn named(tag: u8, name: &str, value: &[u8]) -> Vec<u8> {
    [&[tag], (name.len() as u16).to_be_bytes().as_slice(), name.as_bytes(), value].concat()
}

fn schematic(version: i32, sides: [u16; 3], palette: &[(&str, i32)], data: &[u8]) -> Vec<u8> {
    let entries: Vec<u8> =
        palette.iter().flat_map(|(name, number)| named(3, name, &number.to_be_bytes())).collect();
    let palette = named(10, "Palette", &[entries, vec![0]].concat());
    let data = [(data.len() as i32).to_be_bytes().as_slice(), data].concat();
    let sides = ["Width", "Height", "Length"]
        .iter()
        .zip(sides)
        .flat_map(|(name, side)| named(2, name, &side.to_be_bytes()));
    let mut body = named(3, "Version", &version.to_be_bytes());
    body.extend(sides);
    if version == 3 {
        let blocks = [palette, named(7, "Data", &data), vec![0]].concat();
        body.extend(named(10, "Blocks", &blocks));
        body.push(0);
        named(10, "", &[named(10, "Schematic", &body), vec![0]].concat())
    } else {
        body.extend(palette);
        body.extend(named(7, "BlockData", &data));
        body.push(0);
        named(10, "Schematic", &body)
    }
}

const PALETTE: [(&str, i32); 3] =
    [("minecraft:air", 0), ("stone", 200), ("minecraft:water[level=0]", 1)];

/// Two by two by one, stone below: numbers above 127 take two bytes.
const DATA: [u8; 6] = [0xc8, 1, 1, 0xc8, 1, 0];

#[test]
fn schematics_of_both_versions_gzipped_or_not() {
    for version in [2, 3] {
        let plain = schematic(version, [2, 2, 1], &PALETTE, &DATA);
        for bytes in [gzip(&plain), plain] {
            let world = read_schem(&bytes).unwrap();
            assert_eq!(world.size(), VoxelSize { width: 2, height: 2, depth: 1 });
            let kinds: Vec<_> = world
                .runs()
                .map(|run| {
                    let BlockPosition { x, y, z } = run.from;
                    (x, y, z, world.palette()[usize::from(run.block.0)].block.kind)
                })
                .collect();
            assert_eq!(
                kinds,
                [
                    (0, 0, 0, BlockKind::Solid),
                    (1, 0, 0, BlockKind::Water),
                    (0, 1, 0, BlockKind::Solid)
                ]
            );
            assert_eq!(world.block(BlockPosition::new(0, 0, 0)), BlockId::SOLID);
            assert!(world.to_grid(VoxelProfile::default()).is_ok());
        }
    }
}

#[test]
fn damaged_schematics_are_errors() {
    let with = |sides, data: &[u8]| read_schem(&gzip(&schematic(2, sides, &PALETTE, data)));
    assert_says(with([2, 2, 2], &DATA), "there are 4 blocks, but the size asks for 8");
    assert_says(with([2, 1, 1], &DATA), "more blocks than the 2");
    assert_says(with([0, 1, 1], &DATA), "has no blocks");
    assert_says(with([u16::MAX; 3], &DATA), "there are 4 blocks");
    assert_says(with([2, 2, 1], &[7, 0, 0, 0]), "the palette does not have");
    assert_says(with([2, 2, 1], &[0xff; 12]), "does not end");
    assert_says(read_schem(&schematic(1, [2, 2, 1], &PALETTE, &DATA)), "version 1");
    assert_says(read_schem(&schematic(2, [1, 1, 1], &[("a", 0), ("b", 0)], &[0])), "the number 0");
    assert_says(read_schem(&schematic(2, [1, 1, 1], &[("a", -1)], &[0])), "-1");
    assert_says(read_schem(b""), "ends");
    assert_says(read_schem(b"\x1f\x8b nonsense"), "gzip");
    for plain in
        [schematic(2, [2, 2, 1], &PALETTE, &DATA), schematic(3, [2, 2, 1], &PALETTE, &DATA)]
    {
        for end in 0..plain.len() {
            assert!(read_schem(&plain[..end]).is_err(), "cut off at {end}");
        }
        let packed = gzip(&plain);
        for end in 0..packed.len() {
            assert!(read_schem(&packed[..end]).is_err(), "cut off at {end}");
        }
    }
    // An array that claims two thousand million bytes.
    let claim = named(7, "BlockData", &i32::MAX.to_be_bytes());
    assert_says(read_schem(&named(10, "", &claim)), "ends inside a value");
}

#[test]
fn bombs_are_defused() {
    // 160 MiB of zeros in 160 KiB.
    assert_says(read_schem(&gzip(&vec![0; 160 << 20])), "unpacks to more than");
    // Lists in lists in lists: gzipped and plain, and compounds too.
    let lists = named(9, "a", &[9, 0, 0, 0, 1].repeat(1_000_000));
    assert_says(read_schem(&gzip(&named(10, "", &lists))), "too deep");
    let compounds = [&[10, 0, 0], [10, 0, 0].repeat(1_000_000).as_slice()].concat();
    assert_says(read_schem(&compounds), "too deep");
}

#[test]
fn heightmaps_are_ground_and_water() {
    let png = |width: u32, height: u32, pixels: &[u8]| {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, width, height);
        encoder.set_color(png::ColorType::Grayscale);
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(pixels).unwrap();
        writer.finish().unwrap();
        bytes
    };
    let bytes = png(3, 1, &[0, 128, 255]);
    let options = heightmap::HeightmapOptions { height: 10, water: 4, pieces: None };
    let read = |bytes: &[u8], options| heightmap::read(bytes, "hills", options);
    let world = read(&bytes, options).unwrap();
    assert_eq!(world.size(), VoxelSize { width: 3, height: 10, depth: 1 });
    let column =
        |x| (0..10).map(|y| world.block(BlockPosition::new(x, y, 0)).0).collect::<Vec<_>>();
    assert_eq!(column(0), [1, 2, 2, 2, 0, 0, 0, 0, 0, 0]);
    assert_eq!(column(1), [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
    assert_eq!(column(2), [1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    let too_high = heightmap::HeightmapOptions { height: u32::MAX, water: 0, pieces: None };
    assert_says(read(&bytes, too_high), "from 2 to 4096 blocks high");
    for end in 0..bytes.len() - 12 {
        assert!(read(&bytes[..end], options).is_err(), "cut off at {end}");
    }
    assert_says(read(&png(5000, 1, &[0; 5000]), options), "too large");
    let wide = png(4096, 4096, &vec![0; 1 << 24]);
    let highest = heightmap::HeightmapOptions { height: 4096, water: 0, pieces: None };
    assert_says(read(&wide, highest), "more than can be numbered");
    // Every other column is as high as can be: 64 million pieces.
    let rough: Vec<u8> = (0..1 << 15).map(|at| if at % 2 == 0 { 255 } else { 0 }).collect();
    assert_says(read(&png(4096, 8, &rough), highest), "pieces");
    // A small file may take little, unless more is asked for.
    let rough: Vec<u8> = (0..1 << 18).map(|at| if at % 2 == 0 { 255 } else { 0 }).collect();
    let rough = png(512, 512, &rough);
    assert!(rough.len() < 2000, "{}", rough.len());
    let plain = heightmap::HeightmapOptions::default();
    assert_says(read(&rough, plain), "allow more pieces");
    let more = heightmap::HeightmapOptions { pieces: Some(1 << 23), ..plain };
    assert_eq!(read(&rough, more).unwrap().filled(), (1 << 17) * (1 + 63));
}

/// A file of some 2 kB whose pixels take a bit each is refused before its 16 million pixels are.
#[test]
fn small_images_are_not_large() {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, 4096, 4096);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![0; 512 * 4096]).unwrap();
    writer.finish().unwrap();
    let options = heightmap::HeightmapOptions::default();
    assert_says(heightmap::read(&bytes, "flat", options), "8 bits a pixel or more");
    let legend = wayfare_formats::png::Legend::default();
    assert_says(wayfare_formats::png::read(&bytes, "flat", &legend), "8 bits a pixel or more");
}

#[test]
fn voxel_maps_and_scenarios_round_trip_and_damaged_ones_are_errors() {
    let map = read_map(b"voxel 4 5 6\r\n0 0 0\n3 4 5\n\n").unwrap();
    assert_eq!(read_map(&movingai_3dmap::write(&map).unwrap()).unwrap(), map);
    assert_eq!(
        map.to_grid(VoxelProfile::flyer()).unwrap().block(BlockPosition::new(3, 4, 5)),
        Some(BlockId::SOLID)
    );
    assert_says(read_map(b""), "empty");
    assert_says(read_map(b"octile 4 4 4\n"), "not the header");
    assert_says(read_map(b"voxel 4 4\n"), "three numbers");
    assert_says(read_map(b"voxel 4 0 4\n"), "'0' is not a whole number");
    assert_says(read_map(b"voxel 4 4294967295 4\n"), "4294967295");
    assert_says(read_map(b"voxel 4 4 4\n1 2\n"), "2: three numbers");
    assert_says(read_map(b"voxel 4 4 4\n1 2 4\n"), "outside the map");
    assert_says(read_map(b"voxel 4 4 4\n1 -2 3\n"), "'-2'");
    assert_says(read_map(b"voxel 4 4 4\n1 \xff 3\n"), "UTF-8");
    // A header alone costs nothing, and a world that ids cannot number is refused.
    let huge = read_map(b"voxel 65536 65536 65536\n").unwrap();
    assert!(huge.to_grid(VoxelProfile::flyer()).is_err());

    let scen = movingai_3dscen::read(b"version 1\nm.3dmap\n0 0 1 3 3 3 5.5 1.25\n").unwrap();
    assert_eq!(movingai_3dscen::read(&movingai_3dscen::write(&scen).unwrap()).unwrap(), scen);
    assert_says(movingai_3dscen::read(b"version 1\n"), "map name");
    assert_says(movingai_3dscen::read(b"version 1\nm\n0 0 1 3 3 3 5.5\n"), "8 columns");
    assert_says(movingai_3dscen::read(b"version 1\nm\n0 0 1 3 3 3 nan 1\n"), "3:13: 'nan'");
    assert_says(movingai_3dscen::read(b"version 1\nm\n0 0 x 3 3 3 1 1\n"), "'x'");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever is damaged, a reader answers.
    #[test]
    fn damaged_files_never_panic(which in 0usize..6, damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = match which {
            0 => sound_vox(),
            1 => schematic(2, [2, 2, 1], &PALETTE, &DATA),
            2 => schematic(3, [2, 2, 1], &PALETTE, &DATA),
            3 => vox_scene("17"),
            4 => vox::write(&samples()).unwrap(),
            _ => gzip(&schematic(3, [2, 2, 1], &PALETTE, &DATA)),
        };
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if [0, 3, 4].contains(&which) {
            if let Ok(world) = read_vox(&bytes) {
                let _ = world.to_grid(VoxelProfile::default());
            }
        } else if let Ok(world) = read_schem(&bytes) {
            let _ = world.to_grid(VoxelProfile::default());
        }
    }
}

/// A world with every kind of block.
fn samples() -> VoxelScene {
    let mut world =
        VoxelScene::new("samples", VoxelSize { width: 9, height: 4, depth: 2 }).unwrap();
    let kinds = [
        ('~', "water", BlockKind::Water),
        ('!', "lava", BlockKind::Lava),
        ('H', "ladder", BlockKind::Ladder),
        ('D', "door", BlockKind::Door),
        ('v', "vines", BlockKind::Climbable),
        ('f', "flowers", BlockKind::Air),
        ('g', "grass", BlockKind::Solid),
        ('u', "unheard-of", BlockKind::Solid),
    ];
    world.fill([0, 0, 0], [0, 0, 0], BlockId::SOLID).unwrap();
    for (x, (glyph, name, kind)) in (1..).zip(kinds) {
        let id = world.add_block(BlockType::new(glyph, name, kind)).unwrap();
        world.fill([x, 0, 0], [x, 2, 1], id).unwrap();
    }
    world
}

/// What is where: the kind of every block, by place.
fn kinds_of(world: &VoxelScene) -> Vec<(BlockPosition, BlockKind)> {
    let VoxelSize { width, height, depth } = world.size();
    let mut kinds = Vec::new();
    for y in 0..height {
        for z in 0..depth {
            for x in 0..width {
                let at = BlockPosition::new(x, y, z);
                let id = world.block(at);
                kinds.push((at, world.palette()[usize::from(id.0)].block.kind));
            }
        }
    }
    kinds
}

#[test]
fn blocks_of_the_game_stand_in_for_ours() {
    let bytes = schem::write(&samples()).unwrap();
    let world = read_schem(&bytes).unwrap();
    let name = |x: u32, y: u32| {
        let id = world.block(BlockPosition::new(x, y, 0));
        world.palette()[usize::from(id.0)].name.as_str()
    };
    let row: Vec<&str> = (0..9).map(|x| name(x, 0)).collect();
    assert_eq!(
        row,
        [
            "stone",
            "minecraft:water",
            "minecraft:lava",
            "minecraft:ladder",
            "minecraft:oak_door[half=lower]",
            "minecraft:scaffolding",
            "minecraft:structure_void",
            "minecraft:grass_block",
            "minecraft:light_gray_concrete",
        ]
    );
    let door: Vec<&str> = (0..3).map(|y| name(4, y)).collect();
    let half = |half: &str| format!("minecraft:oak_door[half={half}]");
    assert_eq!(door, [half("lower"), half("upper"), half("lower")]);
    // What is the game's stays as it is.
    assert_eq!(schem::write(&world).unwrap(), bytes);
    assert!(losses("x.schem", &World::Voxels(world)).is_empty());
}

#[test]
fn names_that_are_not_of_the_game_are_not_written() {
    let mut world = VoxelScene::new("x", VoxelSize { width: 5, height: 1, depth: 1 }).unwrap();
    let names = ["mod:ore[lit=true]", "mod:Ore", "mod:", "mod:ore[lit", "minecraft:water"];
    for ((x, name), glyph) in (0..).zip(names).zip('a'..) {
        let id = world.add_block(BlockType::new(glyph, name, BlockKind::Solid)).unwrap();
        world.fill([x, 0, 0], [x, 0, 0], id).unwrap();
    }
    let read = read_schem(&schem::write(&world).unwrap()).unwrap();
    let written: Vec<&str> = read.palette().iter().skip(2).map(|kind| &*kind.name).collect();
    // The last one is solid here, whatever it is called.
    assert_eq!(written, ["minecraft:light_gray_concrete", "mod:ore[lit=true]"]);
}

#[test]
fn what_a_format_cannot_hold_is_an_error_or_told() {
    let size = |width, height, depth| VoxelSize { width, height, depth };
    let empty = |size| VoxelScene::new("x", size).unwrap();
    assert_says(vox::write(&empty(size(2001, 1, 1))), "at most 2000 voxels a side");
    assert_says(schem::write(&empty(size(1, 1, 65_536))), "at most 65535 blocks a side");
    assert_says(schem::write(&empty(size(4096, 256, 4096))), "more than 128 MiB");
    let mut wide = empty(size(65_536, 1, 65_536));
    wide.fill([0; 3], [0; 3], BlockId::SOLID).unwrap();
    assert_says(voxel_text::write(&wide).map(String::into_bytes), "more than 1024 MiB");
    let mut motley = empty(size(1, 1, 1));
    for number in 0..255u32 {
        let glyph = char::from_u32(0x4e00 + number).unwrap();
        let kind = BlockType::new(glyph, format!("k{number}"), BlockKind::Solid);
        motley.add_block(kind).unwrap();
    }
    assert_says(vox::write(&motley), "255 colours, and this world has 256 kinds");

    let mut world = samples();
    world
        .add_route(wayfare_formats::VoxelRoute {
            name: String::new(),
            start: BlockPosition::new(0, 1, 0),
            goal: BlockPosition::new(1, 1, 0),
        })
        .unwrap();
    let world = World::Voxels(world);
    assert_eq!(losses("x.vox", &world), ["not kept: 1 route"]);
    assert_eq!(losses("x.voxels", &world), Vec::<String>::new());
    assert_eq!(
        losses("x.3dmap", &world),
        [
            "open from now on: water, lava, ladder, door, flowers",
            "all solid blocks are plain stone from now on",
            "not kept: 1 route"
        ]
    );
    assert_eq!(
        losses("x.schem", &world)[0],
        "the game's blocks stand in: door as oak_door, vines as scaffolding, flowers as structure_void, \
         grass as grass_block, unheard-of as light_gray_concrete"
    );
}

#[test]
fn a_vox_world_may_be_larger_than_its_models() {
    let size = VoxelSize { width: 300, height: 1300, depth: 513 };
    let mut world = VoxelScene::new("x", size).unwrap();
    world.fill([250, 0, 250], [260, 1, 260], BlockId::SOLID).unwrap();
    world.fill([299, 1, 512], [299, 1, 512], BlockId::SOLID).unwrap();
    assert_eq!(read_vox(&vox::write(&world).unwrap()).unwrap(), world);
}

#[test]
fn the_largest_schematics_are_read_back() {
    let size = VoxelSize { width: 1000, height: 130, depth: 1000 };
    let mut world = VoxelScene::new("x", size).unwrap();
    world.fill([0, 129, 0], [999, 129, 999], BlockId::SOLID).unwrap();
    assert_eq!(read_schem(&schem::write(&world).unwrap()).unwrap(), world);
}

#[test]
fn every_format_of_blocks_is_written_by_its_extension() {
    let folder = tempfile::tempdir().unwrap();
    let world = World::Voxels(samples());
    for name in ["samples.voxels", "samples.vox"] {
        let path = folder.path().join(name);
        write_path(&path, &world).unwrap();
        assert_eq!(read_path(&path).unwrap(), world, "{name}");
    }
    let path = folder.path().join("samples.height.png");
    assert_says(write_path(&path, &world), "write it as .voxels (text), .3dmap (Moving AI), .vox");
}

#[test]
fn the_stair_tower_is_walked_up_and_down_without_a_jump() {
    let path =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/stair-tower.voxels");
    let Ok(World::Voxels(world)) = read_path(&path) else { panic!("no voxel world") };
    let walk = Abilities { walk: true, ..Abilities::NONE };
    let profile = VoxelProfile { abilities: walk, height: 2, ..VoxelProfile::default() };
    let grid = world.to_grid(profile).unwrap();
    assert_eq!(world.routes().len(), 2);
    for route in world.routes() {
        let (start, goal) = (grid.voxel(route.start).unwrap(), grid.voxel(route.goal).unwrap());
        let answer = Solver::new().solve(&grid.space(), &AStar::new(), Query::new(start, goal));
        let path = answer.outcome.path().expect("a way");
        let heights: Vec<f32> =
            path.states().map(|state| (grid.centre(state).y * 2.0).round() / 2.0).collect();
        // Over each slab and each of the stairs, half a block above the floor of their voxels.
        assert!(heights.iter().filter(|height| height.fract() == 0.0).count() >= 6, "{heights:?}");
    }
}

#[test]
fn slabs_and_stairs_of_the_game_are_half_blocks_by_their_state() {
    let stairs = BlockKind::Stairs;
    for (name, kind) in [
        ("minecraft:oak_slab", BlockKind::Half),
        ("minecraft:oak_slab[type=bottom,waterlogged=true]", BlockKind::Half),
        ("minecraft:oak_slab[type=top]", BlockKind::Solid),
        ("minecraft:oak_slab[type=double]", BlockKind::Solid),
        ("minecraft:brick_stairs[facing=east,half=bottom,shape=straight]", stairs(Ascent::East)),
        ("minecraft:brick_stairs[half=bottom,facing=south]", stairs(Ascent::South)),
        ("minecraft:brick_stairs[facing=west]", stairs(Ascent::West)),
        ("minecraft:brick_stairs", stairs(Ascent::North)),
        ("minecraft:brick_stairs[facing=east,half=top]", BlockKind::Solid),
    ] {
        assert_eq!(schem::kind_of(name), kind, "{name}");
    }
}

prop_compose! {
    /// A small world of some kinds of block.
    fn worlds()(
        (width, height, depth) in (1u32..7, 1u32..7, 1u32..7),
        kinds in prop::collection::vec((0usize..10, any::<[u8; 3]>(), 0u8..3), 0..6),
        places in prop::collection::vec(any::<(u16, u16, u16, u16)>(), 0..80),
    ) -> VoxelScene {
        const KINDS: [BlockKind; 10] = [
            BlockKind::Air, BlockKind::Solid, BlockKind::Water, BlockKind::Lava, BlockKind::Ladder,
            BlockKind::Door, BlockKind::Climbable, BlockKind::Half,
            BlockKind::Stairs(Ascent::East), BlockKind::Stairs(Ascent::North),
        ];
        let mut world = VoxelScene::new("x", VoxelSize { width, height, depth }).unwrap();
        for ((kind, color, cost), glyph) in kinds.into_iter().zip('a'..) {
            let mut kind = BlockType::new(glyph, format!("block-{glyph}"), KINDS[kind]).colored(color);
            kind.block.cost.multiplier = 1.0 + f32::from(cost) * 0.3;
            world.add_block(kind).unwrap();
        }
        for (x, y, z, block) in places {
            let at = [u32::from(x) % width, u32::from(y) % height, u32::from(z) % depth];
            let block = BlockId(block % world.palette().len() as u16);
            world.fill(at, at, block).unwrap();
        }
        world
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    /// Text and `.vox` hold whole worlds; a schematic what is where; a `.3dmap` what one can stand
    /// on.
    #[test]
    fn worlds_survive_every_format(world in worlds()) {
        let text = voxel_text::write(&world).unwrap();
        prop_assert_eq!(&voxel_text::read(text.as_bytes(), "x").unwrap(), &world);
        prop_assert_eq!(&read_vox(&vox::write(&world).unwrap()).unwrap(), &world);
        let schematic = schem::write(&world).unwrap();
        let read = read_schem(&schematic).unwrap();
        prop_assert_eq!(kinds_of(&read), kinds_of(&world));
        // Halves of doors that do not occur are gone after the first time; from then on nothing
        // changes.
        let again = schem::write(&read).unwrap();
        prop_assert_eq!(&schem::write(&read_schem(&again).unwrap()).unwrap(), &again);
        let map = read_map(&movingai_3dmap::write(&world).unwrap()).unwrap();
        let carries = |world| kinds_of(world).into_iter().map(|(at, kind)| (at, kind.carries()));
        prop_assert!(carries(&map).eq(carries(&world)));
    }
}

/// A sample of the public queries, where they are at hand; the bench answers all of them.
#[test]
fn flying_queries_have_the_optimal_length() {
    let Some(data) = std::env::var_os("WAYFARE_DATA") else {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: WAYFARE_DATA does not name the folder of benchmark data");
        }
        return;
    };
    for name in ["Simple", "Complex"] {
        let file = |extension: &str| {
            let path =
                std::path::Path::new(&data).join("voxel").join(format!("{name}.{extension}"));
            std::fs::read(path).unwrap()
        };
        let map = read_map(&file("3dmap")).unwrap();
        let scenario = movingai_3dscen::read(&file("3dmap.3dscen")).unwrap();
        let grid = map.to_grid(VoxelProfile::flyer()).unwrap();
        let space = grid.space();
        let mut solver = Solver::new();
        for query in scenario.entries.iter().step_by(97) {
            let (start, goal) = (grid.voxel(query.start).unwrap(), grid.voxel(query.goal).unwrap());
            let answer = solver.solve(&space, &AStar::new(), Query::new(start, goal));
            let length = answer.outcome.path().unwrap().length(&space);
            assert!((length - query.optimal_length).abs() <= 1e-3, "{query:?}: {length}");
        }
    }
}
