//! Voxel formats: what they hold, and what damaged files come to.

use std::io::Write as _;

use proptest::prelude::*;
use wayfare::search::{AStar, Query, Solver};
use wayfare::space::voxel::{BlockId, BlockKind, BlockPosition, VoxelProfile, VoxelSize};
use wayfare_world::{WorldError, heightmap, movingai_3dmap, movingai_3dscen, schem, vox};

#[track_caller]
fn assert_says<T: std::fmt::Debug>(result: Result<T, WorldError>, part: &str) {
    let said = result.expect_err("this input is wrong").to_string();
    assert!(said.contains(part), "{said:?} should hold {part:?}");
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
    let models = vox::read(&sound_vox()).unwrap();
    let [model] = &models[..] else { panic!("one model") };
    assert_eq!(model.size(), VoxelSize { width: 3, height: 5, depth: 4 });
    assert_eq!(
        model.blocks(),
        [(BlockPosition::new(0, 0, 0), 1), (BlockPosition::new(2, 4, 3), 255)]
    );
    let grid = model.to_grid(VoxelProfile::default()).unwrap();
    assert_eq!(grid.block(BlockPosition::new(2, 4, 3)), Some(BlockId(255)));
    let mut changed = model.clone();
    changed.palette_mut()[1].kind = BlockKind::Water;
    assert_eq!(
        changed.to_grid(VoxelProfile::default()).unwrap().palette()[1].kind,
        BlockKind::Water
    );
}

#[test]
fn damaged_vox_files_are_errors() {
    assert_says(vox::read(b""), "not a MagicaVoxel file");
    assert_says(vox::read(b"VOX \x96\0\0\0MAIN"), "no model");
    assert_says(vox::read(&vox_file(&[vox_size([0, 4, 5]), vox_voxels(&[])])), "a side of 0");
    assert_says(
        vox::read(&vox_file(&[vox_size([1, u32::MAX, 5]), vox_voxels(&[])])),
        "a side of 4294967295",
    );
    assert_says(
        vox::read(&vox_file(&[vox_size([3, 3, 3]), vox_voxels(&[[3, 0, 0, 1]])])),
        "outside its model",
    );
    let mut long = sound_vox();
    long[24..28].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_says(vox::read(&long), "longer than the rest");
    // A chunk that claims a thousand million voxels.
    let claims = chunk(b"XYZI", &[1_000_000_000u32.to_le_bytes().as_slice(), &[0; 8]].concat());
    assert!(vox::read(&vox_file(&[vox_size([3, 3, 3]), claims])).is_err());
    // Chunks in chunks in chunks.
    assert!(
        vox::read(
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
        assert!(vox::read(&sound[..end]).is_err(), "cut off at {end}");
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
    [("minecraft:air", 0), ("minecraft:stone", 200), ("minecraft:water[level=0]", 1)];

/// Two by two by one, stone below: numbers above 127 take two bytes.
const DATA: [u8; 6] = [0xc8, 1, 1, 0xc8, 1, 0];

#[test]
fn schematics_of_both_versions_gzipped_or_not() {
    for version in [2, 3] {
        let plain = schematic(version, [2, 2, 1], &PALETTE, &DATA);
        for bytes in [gzip(&plain), plain] {
            let model = schem::read(&bytes).unwrap();
            assert_eq!(model.size(), VoxelSize { width: 2, height: 2, depth: 1 });
            let kinds: Vec<_> = model
                .blocks()
                .iter()
                .map(|&(at, material)| {
                    (at.x, at.y, at.z, model.palette()[usize::from(material)].kind)
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
            assert!(model.to_grid(VoxelProfile::default()).is_ok());
        }
    }
}

#[test]
fn damaged_schematics_are_errors() {
    let with = |sides, data: &[u8]| schem::read(&gzip(&schematic(2, sides, &PALETTE, data)));
    assert_says(with([2, 2, 2], &DATA), "there are 4 blocks, but the size asks for 8");
    assert_says(with([2, 1, 1], &DATA), "more blocks than the 2");
    assert_says(with([0, 1, 1], &DATA), "has no blocks");
    assert_says(with([u16::MAX; 3], &DATA), "there are 4 blocks");
    assert_says(with([2, 2, 1], &[7, 0, 0, 0]), "the palette does not have");
    assert_says(with([2, 2, 1], &[0xff; 12]), "does not end");
    assert_says(schem::read(&schematic(1, [2, 2, 1], &PALETTE, &DATA)), "version 1");
    assert_says(schem::read(&schematic(2, [1, 1, 1], &[("a", 0), ("b", 0)], &[0])), "the number 0");
    assert_says(schem::read(&schematic(2, [1, 1, 1], &[("a", -1)], &[0])), "-1");
    assert_says(schem::read(b""), "ends");
    assert_says(schem::read(b"\x1f\x8b nonsense"), "gzip");
    for plain in
        [schematic(2, [2, 2, 1], &PALETTE, &DATA), schematic(3, [2, 2, 1], &PALETTE, &DATA)]
    {
        for end in 0..plain.len() {
            assert!(schem::read(&plain[..end]).is_err(), "cut off at {end}");
        }
        let packed = gzip(&plain);
        for end in 0..packed.len() {
            assert!(schem::read(&packed[..end]).is_err(), "cut off at {end}");
        }
    }
    // An array that claims two thousand million bytes.
    let claim = named(7, "BlockData", &i32::MAX.to_be_bytes());
    assert_says(schem::read(&named(10, "", &claim)), "ends inside a value");
}

#[test]
fn bombs_are_defused() {
    // 160 MiB of zeros in 160 KiB.
    assert_says(schem::read(&gzip(&vec![0; 160 << 20])), "unpacks to more than");
    // Lists in lists in lists: gzipped and plain, and compounds too.
    let lists = named(9, "a", &[9, 0, 0, 0, 1].repeat(1_000_000));
    assert_says(schem::read(&gzip(&named(10, "", &lists))), "too deep");
    let compounds = [&[10, 0, 0], [10, 0, 0].repeat(1_000_000).as_slice()].concat();
    assert_says(schem::read(&compounds), "too deep");
}

#[test]
fn heightmaps_are_ground_and_water() {
    let png = |width: u32, height: u32, pixels: &[u8]| {
        let mut bytes = Vec::new();
        let encoder = image::codecs::png::PngEncoder::new(&mut bytes);
        image::ImageEncoder::write_image(
            encoder,
            pixels,
            width,
            height,
            image::ExtendedColorType::L8,
        )
        .unwrap();
        bytes
    };
    let bytes = png(3, 1, &[0, 128, 255]);
    let map = heightmap::read(&bytes).unwrap();
    assert_eq!(map.size(), [3, 1]);
    let options = heightmap::HeightmapOptions { height: 10, water: 4 };
    let grid = map.to_grid(options, VoxelProfile::default()).unwrap();
    let column =
        |x| (0..10).map(|y| grid.block(BlockPosition::new(x, y, 0)).unwrap().0).collect::<Vec<_>>();
    assert_eq!(column(0), [1, 2, 2, 2, 0, 0, 0, 0, 0, 0]);
    assert_eq!(column(1), [1, 1, 1, 1, 1, 0, 0, 0, 0, 0]);
    assert_eq!(column(2), [1, 1, 1, 1, 1, 1, 1, 1, 1, 0]);
    let too_high = heightmap::HeightmapOptions { height: u32::MAX, water: 0 };
    assert!(map.to_grid(too_high, VoxelProfile::default()).is_err());
    for end in 0..bytes.len() - 12 {
        assert!(heightmap::read(&bytes[..end]).is_err(), "cut off at {end}");
    }
    assert_says(heightmap::read(&png(5000, 1, &[0; 5000])), "too large");
}

#[test]
fn voxel_maps_and_scenarios_round_trip_and_damaged_ones_are_errors() {
    let map = movingai_3dmap::read(b"voxel 4 5 6\r\n0 0 0\n3 4 5\n\n").unwrap();
    assert_eq!(movingai_3dmap::read(&movingai_3dmap::write(&map)).unwrap(), map);
    assert_eq!(
        map.to_grid(VoxelProfile::flyer()).unwrap().block(BlockPosition::new(3, 4, 5)),
        Some(BlockId::SOLID)
    );
    assert_says(movingai_3dmap::read(b""), "empty");
    assert_says(movingai_3dmap::read(b"octile 4 4 4\n"), "not the header");
    assert_says(movingai_3dmap::read(b"voxel 4 4\n"), "three numbers");
    assert_says(movingai_3dmap::read(b"voxel 4 0 4\n"), "'0' is not a whole number");
    assert_says(movingai_3dmap::read(b"voxel 4 4294967295 4\n"), "4294967295");
    assert_says(movingai_3dmap::read(b"voxel 4 4 4\n1 2\n"), "2: three numbers");
    assert_says(movingai_3dmap::read(b"voxel 4 4 4\n1 2 4\n"), "outside the map");
    assert_says(movingai_3dmap::read(b"voxel 4 4 4\n1 -2 3\n"), "'-2'");
    assert_says(movingai_3dmap::read(b"voxel 4 4 4\n1 \xff 3\n"), "UTF-8");
    // A header alone costs nothing, and a world that ids cannot number is refused.
    let huge = movingai_3dmap::read(b"voxel 65536 65536 65536\n").unwrap();
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
    fn damaged_files_never_panic(which in 0usize..4, damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = match which {
            0 => sound_vox(),
            1 => schematic(2, [2, 2, 1], &PALETTE, &DATA),
            2 => schematic(3, [2, 2, 1], &PALETTE, &DATA),
            _ => gzip(&schematic(3, [2, 2, 1], &PALETTE, &DATA)),
        };
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if which == 0 {
            for model in vox::read(&bytes).unwrap_or_default() {
                let _ = model.to_grid(VoxelProfile::default());
            }
        } else if let Ok(model) = schem::read(&bytes) {
            let _ = model.to_grid(VoxelProfile::default());
        }
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
        let map = movingai_3dmap::read(&file("3dmap")).unwrap();
        let scenario = movingai_3dscen::read(&file("3dmap.3dscen")).unwrap();
        let grid = map.to_grid(VoxelProfile::flyer()).unwrap();
        let space = grid.space();
        let mut solver = Solver::new();
        for query in scenario.entries.iter().step_by(97) {
            let (start, goal) = (grid.voxel(query.start).unwrap(), grid.voxel(query.goal).unwrap());
            let answer = solver.solve(&space, &AStar::new(), Query::new(start, goal));
            let length = space.length(answer.outcome.path().unwrap().moves());
            assert!((length - query.optimal_length).abs() <= 1e-3, "{query:?}: {length}");
        }
    }
}
