//! Voxel worlds as text, read, written and damaged.

use wayfare_formats::voxel_text::{read, write};
use wayfare_voxel::{BlockId, BlockKind, BlockPosition, VoxelProfile, VoxelSize};

const SMALL: &str = "voxels 3 4 2\r\n; a pond\n~ water\nv vines kind=climbable penalty=0.5 color=#102030\n\
                     route 0,1,0 2,1,1 round the pond\nroute 0,1,0 2,3,1\nunloaded 2,0,0 2,3,1\nlayer 3\n..v\n...\n\nlayer 0\n#~#\n###\n";

#[test]
fn a_world_is_read_and_written_back() {
    let model = read(SMALL.as_bytes(), "pond").expect("sound");
    let size = VoxelSize { width: 3, height: 4, depth: 2 };
    assert_eq!((model.name(), model.size()), ("pond", size));
    assert_eq!(model.block(BlockPosition::new(1, 0, 0)), BlockId(2));
    assert_eq!(model.block(BlockPosition::new(2, 3, 0)), BlockId(3));
    assert_eq!(model.histogram(), [17, 5, 1, 1]);
    assert_eq!(model.routes()[0].name, "round the pond");
    let text = write(&model).expect("as it was read");
    assert_eq!(read(text.as_bytes(), "pond").expect("as written"), model);
    let grid = model.to_grid(VoxelProfile::default()).expect("small");
    assert_eq!(grid.palette()[3].kind, BlockKind::Climbable);
    assert!(!grid.is_loaded(BlockPosition::new(0, 0, 0)), "the chunk of the box is missing");
}

#[test]
fn damage_is_named_with_its_place() {
    let case = |from: &str, to: &str, expected: &str| {
        let text = SMALL.replace(from, to);
        let error = read(text.as_bytes(), "pond").expect_err(expected).to_string();
        assert!(error.contains(expected), "{error}");
    };
    case("voxels 3", "voxels 0", "1: a side of 0 blocks");
    case("voxels 3 4 2", "voxels 3 4", "not the header");
    case("voxels 3 4 2", "voxels 65537 4 2", "1: a side of 65537 blocks");
    case("~ water", "~ wet", "3: the block 'wet' does not say its kind");
    case("v vines", "~ vines", "4: '~' already stands for water");
    case("penalty=0.5", "penalty=-1", "4: a multiplier is from 0");
    case("2,1,1", "3,1,1", "5: the end (3, 1, 1) of a route");
    case("0,1,0 2,1,1", "0,1 2,1,1", "5: '0,1' is not a place");
    case("2,0,0 2,3,1", "2,0,0 3,3,1", "7: the box from (2, 0, 0) to (3, 3, 1)");
    case("layer 0", "layer 3", "12: layer 3 is given twice");
    case("layer 0", "layer 4", "12: '4' is not the number of a layer");
    case("#~#", "#~", "13:3: this row has 2 blocks");
    case("#~#", "#~##", "13:4: this row has 4 blocks");
    case("#~#", "#?#", "13:2: '?' is no block");
    case("#~#\n###\n", "#~#\n", "13: the file ends after 1 row of layer 0");
    case("#~#\n###\n", "#~#\n###\n###\n", "15: a layer was expected here");
}

#[test]
fn a_claim_of_gigantic_size_takes_no_memory() {
    let model = read(b"voxels 65536 65536 65536\n", "huge").expect("only air");
    assert_eq!(model.histogram()[0], 1 << 48);
    assert!(model.to_grid(VoxelProfile::default()).is_err());
}
