//! Forged files of mesh indexes.

use proptest::prelude::*;
use wayfare_core::space::CostTable;
use wayfare_grid::grid::Grid;
use wayfare_index::index::{IndexFileError, IndexFileFault, MeshIndex, MeshIndexScratch};
use wayfare_mesh::navmesh::{HeightReach, MeshDraft, NavMesh, NavMeshSpace};
use wayfare_mesh::validate_mesh_path;

use crate::frame::{forged, forgeries, sealed};

fn mesh() -> NavMesh {
    let grid = Grid::from_rows(&["..#...", "..#.#.", "......", ".#..#.", "......"]).unwrap();
    NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
}

/// Asks for the paths between the middles of all pairs of cells.
fn check(space: &NavMeshSpace<'_>, bytes: &[u8]) -> Result<(), TestCaseError> {
    let Ok(index) = MeshIndex::decode(space, bytes) else { return Ok(()) };
    let indexed = index.of(space).unwrap();
    let at = |cell: u32| glam::Vec3::new((cell % 6) as f32 + 0.5, 0.0, (cell / 6) as f32 + 0.4);
    let ends: Vec<_> =
        (0..30).filter_map(|cell| space.locate(at(cell), HeightReach::default())).collect();
    let mut scratch = MeshIndexScratch::new();
    for (&start, &goal) in ends.iter().flat_map(|start| ends.iter().map(move |goal| (start, goal)))
    {
        let path = indexed.path(start, goal, &mut scratch).into_path();
        prop_assert_eq!(validate_mesh_path(space, &path, start, goal), Ok(()));
        scratch.recycle(path);
    }
    Ok(())
}

proptest! {
    #[test]
    fn forged_indexes_are_refused_or_answer_with_paths_that_exist(forgeries in forgeries()) {
        let mesh = mesh();
        let space = mesh.space();
        let bytes = forged(MeshIndex::new(&space).unwrap().encode(), &forgeries);
        check(&space, &bytes)?;
    }
}

/// Each word of the file is changed to a few others.
#[test]
fn no_word_of_a_file_is_trusted() {
    let mesh = mesh();
    let space = mesh.space();
    let bytes = MeshIndex::new(&space).unwrap().encode();
    let mut accepted = 0;
    for at in (8..bytes.len() - 8).step_by(4) {
        let word = u32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
        for other in [word.wrapping_add(1), word.wrapping_sub(1), 0, u32::MAX] {
            let mut forged = bytes.clone();
            forged[at..at + 4].copy_from_slice(&other.to_le_bytes());
            let forged = sealed(forged);
            check(&space, &forged).unwrap();
            accepted += u32::from(other != word && MeshIndex::decode(&space, &forged).is_ok());
        }
    }
    // Of views the bends and corners, and of the unit nothing but that it is not too small.
    let views = MeshIndex::decode(&space, &bytes).unwrap().views() as u32;
    assert!(accepted < 12 * views, "{accepted} of {views} views");
}

/// With a single bend no edge tells a wrong unit.
#[test]
fn a_unit_that_does_not_fit_the_mesh_is_refused() {
    let grid = Grid::from_rows(&["...", "...", "..#"]).unwrap();
    let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    let index = MeshIndex::new(&mesh.space()).unwrap();
    assert_eq!((index.bends(), index.hubs()), (1, 1));
    let fitting = index.encode();
    for exponent in [100_i32, -201, 1025, i32::MAX, i32::MIN] {
        let mut bytes = fitting.clone();
        bytes[40..44].copy_from_slice(&exponent.to_le_bytes());
        let decoded = MeshIndex::decode(&mesh.space(), &sealed(bytes)).err();
        let unit = IndexFileError::Wrong { fault: IndexFileFault::Unit, number: 0 };
        assert_eq!(decoded, Some(unit), "{exponent}");
    }
}

#[test]
fn counts_are_checked_before_anything_is_made_of_them() {
    let mesh = mesh();
    let mut bytes = MeshIndex::new(&mesh.space()).unwrap().encode();
    bytes[20..44].copy_from_slice(&[0xff; 24]);
    let decoded = MeshIndex::decode(&mesh.space(), &sealed(bytes.clone())).err();
    let expected = 52 + 4 * 10 * u64::from(u32::MAX);
    let found = bytes.len() as u64;
    assert_eq!(decoded, Some(IndexFileError::Length { expected, found }));
}
