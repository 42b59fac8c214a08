//! Tiles that come and go, against bakes of the whole level.

use std::collections::BTreeSet;

use glam::Vec3;
use proptest::prelude::*;
use wayfare_bake::{
    AreaVolume, Bake, BakeError, BakeSettings, BakedTile, Ground, LatticePoint, LevelGeometry,
    Partition, PolygonMesh, TileId, TileSet, TiledLevel, Tiling, WalkerShape,
};
use wayfare_mesh::navmesh::AreaId;

use crate::boxes;
use crate::levels::{cluttered, islands, partitions, settings, soup};

/// A box around all levels of these tests, which is larger than they are.
const BOUNDS: [Vec3; 2] = [Vec3::new(-7.3, -9.0, -8.1), Vec3::new(13.0, 9.0, 12.4)];

fn tiling(settings: BakeSettings) -> Tiling {
    Tiling::over(BOUNDS, settings).unwrap()
}

/// The triangles and volumes of several pieces as one level.
fn joined<'p>(pieces: impl IntoIterator<Item = &'p LevelGeometry>) -> LevelGeometry {
    let (mut vertices, mut triangles) = (Vec::new(), Vec::new());
    let (mut grounds, mut volumes) = (Vec::new(), Vec::new());
    for piece in pieces {
        let base = vertices.len() as u32;
        vertices.extend(piece.vertices());
        triangles.extend(piece.triangles().iter().map(|of| of.map(|corner| base + corner)));
        grounds.extend((0..piece.triangles().len()).map(|triangle| piece.ground(triangle)));
        volumes.extend(piece.volumes().iter().cloned());
    }
    let level = LevelGeometry::new(vertices, triangles).unwrap();
    level.with_grounds(grounds).unwrap().with_volumes(volumes)
}

/// A level cut into pieces: each triangle goes to one of them.
fn pieces_of(level: &LevelGeometry, count: usize) -> Vec<LevelGeometry> {
    let piece = |number: usize| {
        let own = level.triangles().iter().skip(number).step_by(count).copied().collect();
        LevelGeometry::new(level.vertices().to_vec(), own).unwrap()
    };
    (0..count).map(piece).collect()
}

fn mud(ground: Ground) -> AreaVolume {
    let outline = [[1.0, 2.0], [4.3, 2.5], [3.0, 6.0]].map(Into::into).to_vec();
    AreaVolume { outline, bottom: -1.0, top: 1.5, ground }
}

/// Edges on the lines between tiles that two polygons share.
fn joints(mesh: &PolygonMesh, side: i32) -> BTreeSet<[LatticePoint; 2]> {
    let (mut once, mut twice) = (BTreeSet::new(), BTreeSet::new());
    for polygon in mesh.polygons() {
        for (index, &from) in polygon.iter().enumerate() {
            let ends = [from, polygon[(index + 1) % polygon.len()]];
            let mut ends = ends.map(|vertex| mesh.vertices()[vertex as usize]);
            ends.sort_unstable();
            let [a, b] = ends;
            let is_on = a.x == b.x && a.x % side == 0 || a.z == b.z && a.z % side == 0;
            if is_on && !once.insert(ends) {
                twice.insert(ends);
            }
        }
    }
    twice
}

/// The two tiles on both sides of an edge between tiles.
fn beside([a, b]: [LatticePoint; 2], side: i32) -> [TileId; 2] {
    let tile = |x: i32, z: i32| TileId { row: (z / side) as u32, column: (x / side) as u32 };
    let (x, z) = (a.x.min(b.x), a.z.min(b.z));
    match a.x == b.x && a.x % side == 0 {
        true => [tile(x - 1, z), tile(x, z)],
        false => [tile(x, z - 1), tile(x, z)],
    }
}

/// Loads and unloads: tiles by a number below that of all tiles.
fn moves() -> impl Strategy<Value = Vec<(usize, bool)>> {
    proptest::collection::vec((0..1000_usize, proptest::bool::weighted(0.6)), 0..80)
}

/// Mends the checksum of a tile, as a forger would.
fn mend_sum(bytes: &mut [u8]) {
    let (content, sum) = bytes.split_last_chunk_mut::<8>().unwrap();
    let mut hash = wayfare_core::hash::Fnv1a::default();
    hash.bytes(content);
    *sum = hash.value().to_le_bytes();
}

fn all_of(level: &TiledLevel) -> Vec<BakedTile> {
    level.tiles().map(|tile| level.bake(tile).unwrap()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Each tile is that of the whole bake, in whatever order they are loaded; a part of them is
    /// the same mesh for each way to it, and is joined as in the whole.
    #[test]
    fn any_order_of_loads_makes_one_mesh(
        level in prop_oneof![cluttered(), soup()],
        partition in partitions(),
        radius in prop_oneof![Just(0.2_f32), Just(0.4)],
        error in prop_oneof![Just(0.0_f32), Just(1.3)],
        side in 16..40_u32,
        count in 1..4_usize,
        moves in moves(),
    ) {
        let settings = BakeSettings {
            partition,
            max_outline_error: error,
            tile_side: Some(side),
            ..settings(radius)
        };
        let tiling = tiling(settings);
        let mut pieces = pieces_of(&level, count);
        let last = pieces.pop().unwrap().with_volumes([mud(Ground::of(AreaId(3)).unwrap())]);
        pieces.push(last);
        let whole = joined(&pieces);
        let expected = Bake::within(&whole, settings, BOUNDS).unwrap().run().unwrap();
        let mut parts = TiledLevel::new(tiling);
        for piece in pieces {
            parts.insert(piece).unwrap();
        }
        let baked = all_of(&parts);
        prop_assert!(!baked.is_empty());

        let mut loaded = TileSet::new(tiling);
        for (number, is_load) in moves {
            let tile = &baked[number % baked.len()];
            match is_load {
                true => drop(loaded.insert(tile.clone()).unwrap()),
                false => drop(loaded.remove(tile.id())),
            }
        }
        let mut afresh = TileSet::new(tiling);
        let ids: BTreeSet<TileId> = loaded.tiles().map(BakedTile::id).collect();
        for tile in baked.iter().filter(|tile| ids.contains(&tile.id())) {
            afresh.insert(tile.clone()).unwrap();
        }
        prop_assert_eq!(loaded.baked(), afresh.baked());
        let part = loaded.polygons();
        prop_assert_eq!(part.fault(), None);
        prop_assert!(part.nav_mesh().is_ok(), "{:?}", part.nav_mesh().err());
        let area: f64 = loaded.tiles().map(|tile| tile.polygons().area_in_plan()).sum();
        prop_assert!((part.area_in_plan() - area).abs() < 1e-6);
        let side = side as i32;
        let mut kept = joints(&expected.polygons, side);
        kept.retain(|edge| beside(*edge, side).iter().all(|tile| ids.contains(tile)));
        prop_assert_eq!(joints(&part, side), kept);

        for tile in baked.iter().rev() {
            loaded.insert(tile.clone()).unwrap();
        }
        prop_assert_eq!(loaded.baked(), expected);
    }

    /// After pieces came and went, the tiles that were named and no others differ; baked again
    /// they make the mesh of the whole level.
    #[test]
    fn changed_tiles_are_named(
        level in cluttered(),
        side in 16..40_u32,
        radius in prop_oneof![Just(0.0_f32), Just(0.4)],
        place in (-4.0..6.0_f32, -0.5..2.0_f32, -4.0..6.0_f32),
        size in (0.1..4.0_f32, 0.1..1.0_f32, 0.1..4.0_f32),
    ) {
        let settings = BakeSettings { tile_side: Some(side), ..settings(radius) };
        let mut parts = TiledLevel::new(tiling(settings));
        parts.insert(level.clone()).unwrap();
        let mut loaded = TileSet::new(*parts.tiling());
        for tile in all_of(&parts) {
            loaded.insert(tile).unwrap();
        }
        let before = loaded.clone();
        let low = Vec3::from(place);
        let piece = boxes(&[[low.into(), (low + Vec3::from(size)).into()]]);
        let inserted = parts.insert(piece.clone()).unwrap();
        let touched = parts.tiling().touched(piece.bounds().unwrap());
        prop_assert!(inserted.tiles.iter().all(|tile| touched.contains(tile)));
        for tile in &inserted.tiles {
            loaded.insert(parts.bake(*tile).unwrap()).unwrap();
        }
        let whole = joined([&level, &piece]);
        let expected = Bake::within(&whole, settings, BOUNDS).unwrap().run().unwrap();
        prop_assert_eq!(loaded.baked(), expected);
        for tile in before.tiles().filter(|tile| !inserted.tiles.contains(&tile.id())) {
            prop_assert_eq!(&parts.bake(tile.id()).unwrap(), tile);
        }
        prop_assert_eq!(parts.remove(inserted.piece).unwrap(), inserted.tiles.clone());
        for tile in inserted.tiles {
            loaded.insert(parts.bake(tile).unwrap()).unwrap();
        }
        prop_assert_eq!(loaded.baked(), before.baked());
    }

    /// Tiles are read as they were written; damaged ones are errors.
    #[test]
    fn damaged_tiles_are_refused(
        level in prop_oneof![cluttered(), soup()],
        place: proptest::sample::Index,
        value: u8,
        with_sum: bool,
        heights: bool,
    ) {
        let heights = BakeSettings::new(WalkerShape::default()).heights.filter(|_| heights);
        let settings = BakeSettings { tile_side: Some(24), heights, ..settings(0.2) };
        let tiling = tiling(settings);
        let mut parts = TiledLevel::new(tiling);
        parts.insert(level).unwrap();
        let tiles = all_of(&parts);
        let tile = tiles.iter().max_by_key(|tile| tile.polygons().len()).unwrap();
        let bytes = tile.encode();
        prop_assert_eq!(&BakedTile::decode(&bytes, &tiling).unwrap(), tile);
        let cut = BakedTile::decode(&bytes[..place.index(bytes.len())], &tiling);
        prop_assert!(cut.is_err());
        let mut forged = bytes.clone();
        let content = forged.len() - 8;
        let at = place.index(content);
        forged[at] = value;
        if with_sum {
            mend_sum(&mut forged);
        }
        match BakedTile::decode(&forged, &tiling) {
            Ok(read) => {
                prop_assert!(with_sum || forged == bytes);
                let mut loaded = TileSet::new(tiling);
                for tile in tiles {
                    loaded.insert(tile).unwrap();
                }
                loaded.insert(read).unwrap();
                // A mesh, or an error: no panic.
                let _ = loaded.baked().polygons.nav_mesh();
            }
            Err(_) => prop_assert!(forged != bytes),
        }
    }
}

#[test]
fn a_hall_is_joined_while_its_middle_comes_and_goes() {
    let level = boxes(&[[[0.0, -1.0, 0.0], [12.0, 0.0, 4.0]]]);
    let settings = BakeSettings { tile_side: Some(20), ..settings(0.4) };
    let tiling = Tiling::over([[0.0, -1.0, 0.0].into(), [12.0, 2.0, 4.0].into()], settings);
    let mut parts = TiledLevel::new(tiling.unwrap());
    parts.insert(level).unwrap();
    let mut loaded = TileSet::new(*parts.tiling());
    for tile in all_of(&parts) {
        loaded.insert(tile).unwrap();
    }
    assert_eq!(islands(&loaded.polygons()), 1);
    let middle = loaded.remove(TileId { row: 0, column: 1 }).unwrap();
    assert_eq!((loaded.len(), islands(&loaded.polygons())), (2, 2));
    assert_eq!(loaded.remove(middle.id()), None);
    assert_eq!(loaded.insert(middle.clone()).unwrap(), None);
    assert_eq!(loaded.insert(middle.clone()).unwrap(), Some(middle));
    assert_eq!(islands(&loaded.polygons()), 1);
}

/// Faults that a reader has to see, with a checksum that is right.
#[test]
fn forged_tiles_are_refused() {
    let settings = BakeSettings { tile_side: Some(20), ..settings(0.4) };
    let mut parts = TiledLevel::new(tiling(settings));
    parts.insert(boxes(&[[[0.0, -1.0, 0.0], [8.0, 0.0, 8.0]]])).unwrap();
    let tile = parts.bake(TileId { row: 2, column: 2 }).unwrap();
    assert_eq!((tile.polygons().len(), tile.polygons().vertices().len()), (1, 4));
    let bytes = tile.encode();
    // Four vertices follow the heading, then size, area, region and corners of the polygon.
    let (vertices, regions, corners) = (48, 48 + 4 * 12 + 4 + 1, 48 + 4 * 12 + 4 + 1 + 4);
    let triangles = corners + 4 * 4;
    let shifted: Vec<usize> = (0..4).map(|vertex| vertices + 12 * vertex).collect();
    type Forge<'f> = &'f dyn Fn(&mut Vec<u8>);
    let forgeries: [(&str, Forge<'_>); 5] = [
        ("beyond the tile", &|bytes| shifted.iter().for_each(|&at| bytes[at] += 20)),
        ("of no region", &|bytes| bytes[regions] = 0),
        ("not convex", &|bytes| bytes.swap(corners, corners + 4)),
        ("no vertex", &|bytes| bytes[corners] = 4),
        ("more or fewer parts", &|bytes| bytes[triangles] += 1),
    ];
    for (problem, forge) in forgeries {
        let mut forged = bytes.clone();
        forge(&mut forged);
        mend_sum(&mut forged);
        let error = BakedTile::decode(&forged, tile.tiling()).unwrap_err().to_string();
        assert!(error.contains(problem), "{problem}: {error}");
    }
}

#[test]
fn an_empty_set_is_an_empty_mesh() {
    let loaded = TileSet::new(tiling(BakeSettings { tile_side: Some(20), ..settings(0.4) }));
    assert!(loaded.baked().polygons.is_empty());
    let mesh = loaded.polygons().nav_mesh().unwrap();
    assert!(mesh.is_empty() && mesh.body_radius() == 0.4);
}

#[test]
fn tiles_are_found_by_place() {
    let settings = BakeSettings { tile_side: Some(20), ..settings(0.4) };
    // Tiles of 4 m, and a border of a metre around them.
    let tiling = Tiling::over([[-8.0, 0.0, 0.0].into(), [8.0, 4.0, 12.0].into()], settings);
    let tiling = tiling.unwrap();
    assert_eq!((tiling.columns(), tiling.rows()), (4, 3));
    let tile = |column, row| TileId { row, column };
    assert_eq!(tiling.tile_at([-7.9, 0.0, 0.1].into()), tile(0, 0));
    assert_eq!(tiling.tile_at([99.0, 0.0, 7.9].into()), tile(3, 1));
    assert_eq!(tiling.around([0.5, 0.0, 6.0].into(), 0.6), [tile(1, 1), tile(2, 1)]);
    // By the corner of a tile, not by a square around the place.
    assert_eq!(tiling.around([0.5, 0.0, 4.5].into(), 0.6).len(), 3);
    assert_eq!(tiling.around([0.5, 0.0, 4.5].into(), f32::INFINITY).len(), 12);
    let touched = |low: [f32; 3], high: [f32; 3]| tiling.touched([low.into(), high.into()]);
    assert_eq!(touched([1.1, 0.0, 5.1], [2.9, 1.0, 6.9]), [tile(2, 1)]);
    assert_eq!(touched([0.9, 0.0, 5.1], [2.9, 1.0, 6.9]), [tile(1, 1), tile(2, 1)]);
    assert_eq!(touched([8.9, 0.0, 5.1], [9.0, 1.0, 6.9]), [tile(3, 1)]);
    assert_eq!(touched([9.3, 0.0, 5.1], [9.5, 1.0, 6.9]), []);
    assert_eq!(touched([2.0, 0.0, 5.0], [1.0, 1.0, 6.0]), []);
    assert_eq!(touched([f32::NAN; 3], [1.0; 3]), []);
    assert_eq!(touched([-1e30; 3], [1e30; 3]).len(), 12);
    let [low, high] = tiling.reach(tile(1, 1)).unwrap();
    assert!(low.distance(Vec3::new(-5.0, 0.0, 3.0)) < 1e-5, "{low}");
    assert!(high.distance(Vec3::new(1.0, 4.0, 9.0)) < 1e-5, "{high}");
}

#[test]
fn what_does_not_fit_is_refused() {
    let tiled = BakeSettings { tile_side: Some(20), ..settings(0.4) };
    let floor = boxes(&[[[0.0, -1.0, 0.0], [4.0, 0.0, 4.0]]]);
    let mut parts = TiledLevel::new(tiling(tiled));
    let far = TileId { row: 99, column: 0 };
    assert!(matches!(parts.bake(far), Err(BakeError::NoTile { row: 99, .. })));
    assert!(matches!(tiling(tiled).reach(far), Err(BakeError::NoTile { .. })));
    let inserted = parts.insert(floor.clone()).unwrap();
    parts.remove(inserted.piece).unwrap();
    assert_eq!(parts.remove(inserted.piece), Err(BakeError::NoPiece { piece: 0 }));
    assert_eq!(parts.tiles().len(), 0);
    for (axis, shift) in [("x", [10.0, 0.0, 0.0]), ("y", [0.0, 9.1, 0.0]), ("z", [0.0, 0.0, -9.0])]
    {
        let moved = floor.vertices().iter().map(|&at| at + Vec3::from(shift)).collect();
        let moved = LevelGeometry::new(moved, floor.triangles().to_vec()).unwrap();
        let error = parts.insert(moved.clone()).unwrap_err();
        assert!(matches!(error, BakeError::Beyond { axis: found, .. } if found == axis), "{error}");
        assert!(Bake::within(&moved, tiled, BOUNDS).is_err());
    }
    let whole = BakeSettings { tile_side: None, ..tiled };
    assert!(matches!(Tiling::over(BOUNDS, whole), Err(BakeError::Setting { .. })));
    let [low, high] = BOUNDS;
    for bounds in [[high, low], [low, high.with_x(f32::NAN)], [low, high.with_y(f32::INFINITY)]] {
        assert!(matches!(Tiling::over(bounds, tiled), Err(BakeError::Bounds { .. })));
    }
    // Of another walker, of another lattice; another memory limit is no difference.
    parts.insert(floor.clone()).unwrap();
    let tile = parts.bake(TileId { row: 2, column: 2 }).unwrap();
    assert!(!tile.is_empty());
    let other = |settings, bounds| Tiling::over(bounds, settings).unwrap();
    let steep = BakeSettings { partition: Partition::Layers, ..tiled };
    let tilings = [
        other(steep, BOUNDS),
        other(tiled, [low, high + 1.0]),
        other(BakeSettings { tile_side: Some(21), ..tiled }, BOUNDS),
    ];
    for tiling in tilings {
        assert_eq!(TileSet::new(tiling).insert(tile.clone()), Err(BakeError::OtherTiling));
        assert_eq!(BakedTile::decode(&tile.encode(), &tiling), Err(BakeError::OtherTiling));
    }
    let roomy = other(BakeSettings { memory_limit: 1 << 40, ..tiled }, BOUNDS);
    assert_eq!(TileSet::new(roomy).insert(tile.clone()), Ok(None));
    assert!(BakedTile::decode(&tile.encode(), &roomy).is_ok());
    let narrow = BakeSettings { memory_limit: 1000, ..tiled };
    let mut parts = TiledLevel::new(tiling(narrow));
    parts.insert(floor).unwrap();
    let error = parts.bake(tile.id()).unwrap_err();
    assert!(matches!(error, BakeError::Memory { .. }), "{error}");
}
