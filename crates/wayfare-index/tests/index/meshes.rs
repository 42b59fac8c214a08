//! Indexes of meshes, against a visibility graph.

use std::ops::ControlFlow;

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::navigate::{End, EngineId, Navigator, Question};
use wayfare_core::search::Scratch;
use wayfare_core::space::CostTable;
use wayfare_grid::grid::Grid;
use wayfare_index::MeshIndexEngine;
use wayfare_index::index::{
    IndexFileError, IndexFileHead, IndexKind, MeshIndex, MeshIndexError, MeshIndexOptions,
    MeshIndexScratch, OtherMesh,
};
use wayfare_mesh::navmesh::{
    AreaCosts, AreaId, CarvedGround, Carving, LiveMesh, MeshDraft, MeshProfile, NavMesh,
    NavMeshSpace, Prism,
};
use wayfare_mesh::{MeshEngine, validate_mesh_path};

use crate::mesh_fields::{Field, Flat, distance, fields, locate, places};

/// Compares all queries with the visibility graph. The index goes through the bytes of a file.
fn compare(
    field: &Field,
    space: &NavMeshSpace<'_>,
    ends: &[[Flat; 2]],
) -> Result<(), TestCaseError> {
    let bytes = MeshIndex::new(space).unwrap().encode();
    let index = MeshIndex::decode(space, &bytes).unwrap();
    prop_assert_eq!(index.encode(), bytes);
    let indexed = index.of(space).unwrap();
    let mut scratch = MeshIndexScratch::new();
    for &[start, goal] in ends {
        let (Some(from), Some(to)) = (locate(space, start), locate(space, goal)) else {
            continue;
        };
        let outcome = indexed.path(from, to, &mut scratch);
        prop_assert_eq!(scratch.searched(), 0, "{:?} {:?}", start, goal);
        match field.shortest(start, goal) {
            Some(length) => {
                let path = outcome.path();
                prop_assert!(path.is_some(), "{outcome}; the oracle says {length}");
                let path = path.unwrap();
                let legs = path.points.len() as f64;
                let slack = 1e-9 * (1.0 + length) + legs * index.precision();
                let off = (path.length - length).abs();
                prop_assert!(off < slack, "{start:?} {goal:?}: {} {length}", path.length);
                prop_assert_eq!(validate_mesh_path(space, path, from, to), Ok(()));
            }
            None => prop_assert!(!outcome.is_found(), "{}", outcome),
        }
        scratch.recycle(outcome.into_path());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_index_is_as_short_as_the_visibility_graph_says(
        field in fields(7),
        ends in prop::collection::vec(prop::array::uniform2(places(7)), 8),
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        compare(&field, &mesh.space(), &ends)?;
    }

    #[test]
    fn areas_that_cannot_be_entered_are_walls_to_an_index(
        field in fields(7),
        ends in prop::collection::vec(prop::array::uniform2(places(7)), 8),
    ) {
        let mut mesh = NavMesh::new(field.draft(true)).unwrap();
        let areas = AreaCosts::new().without(AreaId(1));
        let dry = mesh.add_profile(MeshProfile { areas }).unwrap();
        compare(&field, &mesh.space_of(dry), &ends)?;
    }

    #[test]
    fn broken_bytes_are_no_index(
        field in fields(5),
        at in any::<prop::sample::Index>(),
        flip in 1u8..,
        cut in any::<prop::sample::Index>(),
        tail in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let bytes = MeshIndex::new(&space).unwrap().encode();
        let mut broken = bytes.clone();
        broken[at.index(bytes.len())] ^= flip;
        prop_assert!(MeshIndex::decode(&space, &broken).is_err());
        let whole = &bytes[..cut.index(bytes.len())];
        prop_assert!(MeshIndex::decode(&space, whole).is_err());
        prop_assert!(MeshIndex::decode(&space, &[whole, &tail].concat()).is_err());
    }

    #[test]
    fn an_index_answers_a_navigator_as_the_search_does(
        field in fields(7),
        [start, goal] in prop::array::uniform2(places(7)),
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let (Some(from), Some(to)) = (locate(&space, start), locate(&space, goal)) else {
            return Ok(());
        };
        let index = MeshIndexEngine::new(&space, MeshIndex::new(&space).unwrap()).unwrap();
        let search = MeshEngine::new();
        let [from, to] = [from, to].map(|at| End { state: at.polygon, point: at.place });
        let question = Question::between(from, to);
        let mut scratch = Scratch::new();
        let by_index = Navigator::new(space).with(&index).ask(question.clone(), &mut scratch);
        let by_search = Navigator::new(space).with(&search).ask(question, &mut scratch);
        prop_assert_eq!(by_index.outcome.is_found(), by_search.outcome.is_found());
        if let (Some(one), Some(other)) = (by_index.outcome.path(), by_search.outcome.path()) {
            prop_assert_eq!(by_index.took.engine, EngineId::Index);
            prop_assert!(one.cost().abs_diff(other.cost()) <= 1, "{} {}", one.cost(), other.cost());
        }
    }
}

/// A field of that many cells either way, a quarter of them obstacles, the same on every run. Its
/// corners lie where lengths tie seldom.
fn scattered(side: usize) -> Field {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |bound: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % bound
    };
    let blocked = (0..side * side).map(|_| next(4) == 0).collect();
    let cuts = (0..side * side).map(|_| next(2) == 0).collect();
    let corners = (0..(side + 1) * (side + 1))
        .map(|corner| [corner % (side + 1), corner / (side + 1)])
        .map(|place| place.map(|at| at as f64 + (next(7) as f64 - 3.0) / 16.0))
        .collect();
    Field { side, blocked, corners, cuts, is_square: false }.without_pinches()
}

#[cfg(feature = "rayon")]
#[test]
fn any_number_of_threads_builds_the_same_index() {
    let mesh = NavMesh::new(scattered(56).draft(false)).unwrap();
    let build = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| MeshIndex::new(&mesh.space()).unwrap())
    };
    let alone = build(1);
    // More than one batch of bends, and batches of hubs that are worth more than one thread.
    assert!(alone.bends() > 1_024, "{}", alone.bends());
    for threads in [2, 3, 7] {
        assert!(build(threads).encode() == alone.encode(), "{threads} threads");
    }
}

fn long(leg: Flat) -> f64 {
    distance([0.0; 2], leg)
}

#[test]
fn a_path_may_end_far_from_all_obstacles() {
    let mut rows = vec![".".repeat(120); 120];
    rows[60].replace_range(60..61, "#");
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let mesh = of_rows(&rows);
    let space = mesh.space();
    let index = MeshIndex::new(&space).unwrap();
    let mut scratch = MeshIndexScratch::new();
    let [from, to] = [[0.5, 60.5], [119.5, 60.25]].map(|at| locate(&space, at).unwrap());
    let path = index.of(&space).unwrap().path(from, to, &mut scratch).into_path();
    assert_eq!((scratch.searched(), path.points.len()), (0, 4));
    // To a corner half a metre aside, along the obstacle, and a quarter of a metre back.
    let length = long([59.5, 0.5]) + 1.0 + long([58.5, 0.25]);
    assert!((path.length - length).abs() < 1e-6, "{} {length}", path.length);
}

/// The mesh of the sample file.
const PILLARS: [&str; 5] = ["........", ".##..#..", ".##.....", "....#.#.", "........"];

/// The file of an index that was written when its version was new. Later ones read it: to the same
/// answers.
const SAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/pillars.index");

#[test]
fn the_file_of_this_version_is_read() {
    let mesh = of_rows(&PILLARS);
    let space = mesh.space();
    if std::env::var_os("WAYFARE_BLESS").is_some() {
        std::fs::write(SAMPLE, MeshIndex::new(&space).unwrap().encode()).unwrap();
    }
    let bytes = std::fs::read(SAMPLE).unwrap();
    let head = IndexFileHead::read(&bytes).unwrap();
    assert_eq!((head.kind, head.corners), (IndexKind::Mesh, 16));
    let index = MeshIndex::decode(&space, &bytes).unwrap();
    assert_eq!(index.encode(), MeshIndex::new(&space).unwrap().encode());
    let mut scratch = MeshIndexScratch::new();
    let [from, to] = [[0.5, 1.5], [6.5, 4.5]].map(|at| locate(&space, at).unwrap());
    let path = index.of(&space).unwrap().path(from, to, &mut scratch).into_path();
    let length = long([0.5, 1.5]) + long([3.0, 1.0]) + long([2.5, 0.5]);
    assert_eq!(scratch.searched(), 0);
    assert!((path.length - length).abs() < 1e-6, "{} {length}", path.length);
}

#[test]
fn a_file_takes_memory_for_its_content_alone() {
    let mesh = NavMesh::new(scattered(24).draft(false)).unwrap();
    let space = mesh.space();
    let bytes = MeshIndex::new(&space).unwrap().encode();
    let most = |bytes: &[u8]| {
        let decoded = || drop(MeshIndex::decode(&space, bytes));
        allocation_counter::measure(decoded).bytes_max
    };
    // The index itself, and the checks of its ways; the corners of the mesh.
    let allowed = 3 * bytes.len() as u64 / 2 + 64 * mesh.size_in_bytes() as u64 / 24;
    assert!(most(&bytes) < allowed, "{} of {allowed}", most(&bytes));
    for count in 0..6 {
        let mut claim = bytes[..60.min(bytes.len())].to_vec();
        claim[20 + 4 * count..24 + 4 * count].copy_from_slice(&[0xff; 4]);
        assert_eq!(most(&claim), 0, "count {count}");
    }
}

#[test]
fn files_of_other_meshes_and_of_grids_are_refused() {
    let [mesh, other] = [of_rows(&PILLARS), of_rows(&["......", ".#..#.", "......"])];
    let bytes = MeshIndex::new(&mesh.space()).unwrap().encode();
    let refused = MeshIndex::decode(&other.space(), &bytes).err();
    assert_eq!(refused, Some(IndexFileError::OtherMesh(OtherMesh)));
    let grid = Grid::from_rows(&PILLARS).unwrap();
    let (wanted, found) = (IndexKind::Grid, IndexKind::Mesh);
    let refused = wayfare_index::index::GridIndex::decode(&grid.space(), &bytes).err();
    assert_eq!(refused, Some(IndexFileError::OtherKind { wanted, found }));
    let refused = MeshIndex::decode(&mesh.space(), b"WAYFNAV\0").err();
    assert_eq!(refused, Some(IndexFileError::NotAnIndex { wanted: IndexKind::Mesh }));
    let mut later = bytes;
    later[8] = 2;
    let refused = MeshIndex::decode(&mesh.space(), &later).err();
    let wanted = IndexKind::Mesh;
    assert_eq!(refused, Some(IndexFileError::Version { wanted, found: 2 }));
}

#[test]
fn an_index_survives_an_edit_that_is_undone_or_is_refused() {
    let mut live = LiveMesh::new(of_rows(&["......", ".#..#.", "......"]));
    let index = MeshIndex::new(&live.mesh().space()).unwrap();
    let barrel = Prism::cylinder(Vec3::new(3.0, 0.0, 1.5), 0.25, 1.0).unwrap();
    let barrel = live.insert(Carving { prism: barrel, ground: CarvedGround::Blocked }).unwrap();
    live.remove(barrel).unwrap();
    let space = live.mesh().space();
    let Ok(indexed) = index.of(&space) else { return };
    let mut scratch = MeshIndexScratch::new();
    for at in 0..24 {
        let from = [f64::from(at % 6) + 0.5, f64::from(at / 6 % 2) * 2.0 + 0.5];
        let [from, to] = [from, [5.5, 1.5]].map(|at| locate(&space, at).unwrap());
        let path = indexed.path(from, to, &mut scratch).into_path();
        assert_eq!(scratch.searched(), 0);
        assert_eq!(validate_mesh_path(&space, &path, from, to), Ok(()));
    }
}

/// A mesh of a grid.
fn of_rows(rows: &[&str]) -> NavMesh {
    let grid = Grid::from_rows(rows).unwrap();
    NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
}

#[test]
fn a_mesh_whose_areas_differ_in_cost_is_refused() {
    let mut mesh = of_rows(&["....", ".##.", "...."]);
    let areas = AreaCosts::new().with(AreaId::WALKABLE, 2.0).unwrap();
    let slow = mesh.add_profile(MeshProfile { areas }).unwrap();
    let space = mesh.space_of(slow);
    let index = MeshIndex::new(&space).unwrap();
    let [from, to] = [[1.5, 0.5], [3.5, 1.5]].map(|at| locate(&space, at).unwrap());
    let outcome = index.of(&space).unwrap().path(from, to, &mut MeshIndexScratch::new());
    let path = outcome.path().unwrap();
    assert_eq!(path.cost, 2.0 * path.length); // one multiplier is no hindrance

    let places = [[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0], [4.0, 2.0], [4.0, 0.0]];
    let places = places.map(|[x, z]| Vec3::new(x, 0.0, z));
    let mut draft = MeshDraft::new(places.to_vec());
    draft.push(&[0, 1, 2, 3], AreaId::WALKABLE);
    draft.push(&[3, 2, 4, 5], AreaId(1));
    let mut mesh = NavMesh::new(draft).unwrap();
    let areas = AreaCosts::new().with(AreaId(1), 3.0).unwrap();
    let muddy = mesh.add_profile(MeshProfile { areas }).unwrap();
    let built = MeshIndex::new(&mesh.space_of(muddy));
    assert_eq!(built.err(), Some(MeshIndexError::NotUniform));
    assert!(MeshIndex::new(&mesh.space()).is_ok());
}

#[test]
fn a_build_stops_when_told_and_keeps_to_its_budget() {
    let mesh = of_rows(&["......", ".#..#.", "......"]);
    let space = mesh.space();
    let options = MeshIndexOptions::default();
    let whole = MeshIndex::build(&space, options, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(whole.bends(), 8);
    for stop in 0..3 {
        let mut calls = 0;
        let built = MeshIndex::build(&space, options, &mut |progress| {
            assert!(progress.done <= progress.total);
            calls += 1;
            if calls > stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(built.err(), Some(MeshIndexError::Cancelled));
    }
    for max_bytes in [0, 100, 500] {
        let options = MeshIndexOptions { max_bytes };
        let built = MeshIndex::build(&space, options, &mut |_| ControlFlow::Continue(()));
        assert_eq!(built.err(), Some(MeshIndexError::TooLarge { max_bytes }));
    }
}
