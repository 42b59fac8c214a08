//! Indexes of meshes, against a visibility graph.

use std::ops::ControlFlow;

use proptest::prelude::*;
use wayfare::index::{MeshIndex, MeshIndexError, MeshIndexOptions, MeshIndexScratch, OtherMesh};
use wayfare::navigate::{End, EngineId, MeshEngine, MeshIndexEngine, Navigator, Question};
use wayfare::path::validate_mesh_path;
use wayfare::prelude::*;
use wayfare::space::navmesh::{
    AreaCosts, AreaId, CarvedGround, Carving, LiveMesh, MeshDraft, MeshProfile, NavMesh,
    NavMeshSpace, Prism,
};

use crate::mesh_fields::{Field, Flat, fields, locate, places};

/// Compares all queries with the visibility graph.
fn compare(
    field: &Field,
    space: &NavMeshSpace<'_>,
    ends: &[[Flat; 2]],
) -> Result<(), TestCaseError> {
    let index = MeshIndex::new(space).unwrap();
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

/// A mesh of a grid.
fn of_rows(rows: &[&str]) -> NavMesh {
    let grid = Grid::from_rows(rows).unwrap();
    NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
}

#[test]
fn an_index_refuses_an_edited_mesh() {
    let mut live = LiveMesh::new(of_rows(&["......", ".#..#.", "......"]));
    let index = MeshIndex::new(&live.mesh().space()).unwrap();
    let engine = MeshIndexEngine::new(&live.mesh().space(), index.clone()).unwrap();
    let barrel = Prism::cylinder(Vec3::new(3.0, 0.0, 1.5), 0.25, 1.0).unwrap();
    live.insert(Carving { prism: barrel, ground: CarvedGround::Blocked }).unwrap();
    let space = live.mesh().space();
    assert_eq!(index.of(&space).err(), Some(OtherMesh));
    let [from, to] = [[0.5, 0.5], [5.5, 2.5]].map(|at| locate(&space, at).unwrap());
    let [from, to] = [from, to].map(|at| End { state: at.polygon, point: at.place });
    let search = MeshEngine::new();
    let navigator = Navigator::new(space).with(&engine).with(&search);
    let answer = navigator.ask(Question::between(from, to), &mut Scratch::new());
    assert_eq!(answer.took.engine, EngineId::Mesh);
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
