//! Indexes of meshes that are edited live, against searches on the edited mesh.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::navigate::{End, EngineId, Navigator, Question};
use wayfare_core::search::Scratch;
use wayfare_core::space::{CostTable, ProfileId};
use wayfare_grid::grid::Grid;
use wayfare_index::MeshIndexEngine;
use wayfare_index::index::{MeshIndex, MeshIndexScratch, OtherMesh};
use wayfare_mesh::navmesh::{
    AreaCosts, AreaId, CarvedGround, Carving, HeightReach, LiveMesh, MeshDraft, MeshPoint,
    MeshProfile, NavMesh, NavMeshSpace, PolygonId, Prism,
};
use wayfare_mesh::search::{MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare_mesh::{MeshEngine, validate_mesh_path};

use crate::mesh_fields::{Flat, fields, locate, places};

/// Costs no more than other ground.
const GRASS: AreaId = AreaId(2);
const MUD: AreaId = AreaId(3);
const ICE: AreaId = AreaId(4);

/// Agents that cannot enter area 1.
fn profile() -> MeshProfile {
    let areas = AreaCosts::new().without(AreaId(1));
    let areas = areas.with(MUD, 2.0).unwrap().with(ICE, 0.5).unwrap();
    MeshProfile { areas }
}

#[derive(Clone, Debug)]
enum Edit {
    Carve(Flat, f32, CarvedGround),
    Remove(usize),
    SetArea(u32, AreaId),
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let ground = prop_oneof![
        12 => Just(CarvedGround::Blocked),
        1 => Just(CarvedGround::Area(GRASS)),
        2 => Just(CarvedGround::Area(MUD)),
        1 => Just(CarvedGround::Area(ICE)),
    ];
    let radius = prop_oneof![0.02_f32..0.4, Just(0.5), Just(1.0)];
    let edit = prop_oneof![
        8 => (places(7), radius, ground).prop_map(|(at, radius, on)| Edit::Carve(at, radius, on)),
        2 => (0..8_usize).prop_map(Edit::Remove),
        1 => (0..60_u32, 0..5_u8).prop_map(|(polygon, area)| Edit::SetArea(polygon, AreaId(area))),
    ];
    prop::collection::vec(edit, 0..6)
}

/// A round or a square obstacle: the latter with corners where other corners are.
fn carving([x, z]: Flat, radius: f32, ground: CarvedGround) -> Carving {
    let at = Vec3::new(x as f32, 0.0, z as f32);
    let prism = match radius < 0.45 {
        true => Prism::cylinder(at - Vec3::Y, radius, 2.0),
        false => Prism::cuboid(at, Vec3::new(radius, 1.0, radius), 0.0),
    };
    Carving { prism: prism.unwrap(), ground }
}

fn apply(live: &mut LiveMesh, edit: &Edit) {
    let polygons = live.base().len();
    match edit {
        Edit::Carve(at, radius, ground) => drop(live.insert(carving(*at, *radius, *ground))),
        Edit::Remove(which) => {
            let id = live.carvings().nth(*which).map(|known| known.id);
            id.into_iter().for_each(|id| drop(live.remove(id)));
        }
        Edit::SetArea(polygon, area) => {
            let _ = live.set_area(PolygonId(polygon % polygons as u32), *area);
        }
    }
}

fn search(space: &NavMeshSpace<'_>, from: MeshPoint, to: MeshPoint) -> Option<f64> {
    let mut search = Polyanya.search(MeshQuery::new(from, to));
    let answer = search.finish(space, &mut MeshScratch::new(), &mut ());
    answer.outcome.path().map(|path| path.cost)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn paths_on_an_edited_mesh_are_as_short_as_a_search_finds(
        field in fields(7),
        edits in edits(),
        ends in prop::collection::vec(prop::array::uniform2(places(7)), 8),
    ) {
        let mut base = NavMesh::new(field.draft(true)).unwrap();
        let dry = base.add_profile(profile()).unwrap();
        let index = MeshIndex::new(&base.space_of(dry)).unwrap();
        let indexed = index.of(&base.space_of(dry)).unwrap();
        let mut live = LiveMesh::new(base.clone());
        let mut scratch = MeshIndexScratch::new();
        for edit in &edits {
            apply(&mut live, edit);
            let space = live.mesh().space_of(dry);
            let edited = indexed.edited(&space).unwrap();
            for &[start, goal] in &ends {
                let (Some(from), Some(to)) = (locate(&space, start), locate(&space, goal)) else {
                    continue;
                };
                let outcome = edited.path(from, to, &mut scratch);
                let wanted = search(&space, from, to);
                prop_assert_eq!(outcome.is_found(), wanted.is_some(), "{}", outcome);
                let (Some(path), Some(wanted)) = (outcome.path(), wanted) else { continue };
                prop_assert_eq!(validate_mesh_path(&space, path, from, to), Ok(()));
                let slack = 1e-6 * (1.0 + wanted);
                prop_assert!(path.cost <= wanted + slack, "{} {wanted}", path.cost);
                // Between areas of different costs a search may miss the best way.
                let is_exact = space.is_uniform();
                prop_assert!(!is_exact || path.cost >= wanted - slack, "{} {wanted}", path.cost);
            }
        }
    }
}

/// A yard of 12 by 8 with a wall in it, as a base.
fn yard() -> NavMesh {
    let rows = ["............", "............", "..########..", "............", "............"];
    let grid = Grid::from_rows(&rows).unwrap();
    NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
}

fn on(space: &NavMeshSpace<'_>, [x, z]: Flat) -> MeshPoint {
    space.locate(Vec3::new(x as f32, 0.0, z as f32), HeightReach::default()).unwrap()
}

#[test]
fn obstacles_beside_the_way_leave_it_to_the_index_and_others_to_the_search() {
    let base = yard();
    let index = MeshIndex::new(&base.space()).unwrap();
    let indexed = index.of(&base.space()).unwrap();
    let mut live = LiveMesh::new(base.clone());
    let mut scratch = MeshIndexScratch::new();
    let mut ask = |live: &LiveMesh| {
        let space = live.mesh().space();
        let ends = [[6.0, 1.0], [6.5, 4.0]].map(|at| on(&space, at));
        let before = scratch.searched();
        let path = indexed.edited(&space).unwrap().path(ends[0], ends[1], &mut scratch).into_path();
        assert_eq!(validate_mesh_path(&space, &path, ends[0], ends[1]), Ok(()));
        (path.length, scratch.searched() - before)
    };
    let (length, searched) = ask(&live);
    assert_eq!(searched, 0);
    // In the polygons that the path crosses, but beside it.
    let aside = live.insert(carving([9.0, 0.5], 0.3, CarvedGround::Blocked)).unwrap();
    assert_eq!(ask(&live), (length, 0));
    // Around the end of the wall the way is barred: the other end is farther off.
    let bar = live.insert(carving([11.0, 2.5], 1.0, CarvedGround::Blocked)).unwrap();
    let (around, searched) = ask(&live);
    assert!(around > length + 0.5 && searched == 1, "{around} {searched}");
    live.remove(bar).unwrap();
    assert_eq!(ask(&live), (length, 0));
    // Dearer ground in the way, then cheaper ground anywhere.
    let mud = carving([10.5, 2.5], 0.4, CarvedGround::Area(MUD));
    let mut costly = live.clone();
    costly.set_profile(ProfileId::default(), &profile()).unwrap();
    assert_eq!(indexed.edited(&costly.mesh().space()).err(), Some(OtherMesh));
    live.insert(mud).unwrap();
    assert_eq!(ask(&live), (length, 0)); // it costs the same in this profile
    live.remove(aside).unwrap();
    assert_eq!(ask(&live), (length, 0));
}

#[test]
fn cheaper_ground_leaves_all_to_the_search() {
    let mut base = yard();
    let icy = base.add_profile(profile()).unwrap();
    let index = MeshIndex::new(&base.space_of(icy)).unwrap();
    let indexed = index.of(&base.space_of(icy)).unwrap();
    let mut live = LiveMesh::new(base.clone());
    let ends = [[0.5, 0.5], [11.5, 0.5]];
    for (ground, cost) in [(MUD, 0), (ICE, 1), (GRASS, 0)] {
        let id = live.insert(carving([6.0, 4.5], 0.4, CarvedGround::Area(ground))).unwrap();
        let space = live.mesh().space_of(icy);
        let mut scratch = MeshIndexScratch::new();
        let [from, to] = ends.map(|at| on(&space, at));
        let path = indexed.edited(&space).unwrap().path(from, to, &mut scratch).into_path();
        assert_eq!((scratch.searched(), path.length), (cost, 11.0), "{ground:?}");
        live.remove(id).unwrap();
    }
}

#[test]
fn another_base_is_refused() {
    let base = yard();
    let index = MeshIndex::new(&base.space()).unwrap();
    let indexed = index.of(&base.space()).unwrap();
    assert_eq!(indexed.edited(&base.space()).err(), Some(OtherMesh)); // not edited live
    let mut live = LiveMesh::new(base.clone());
    assert!(indexed.edited(&live.mesh().space()).is_ok());
    assert_eq!(indexed.edited(&live.mesh().space_of(ProfileId(7))).err(), Some(OtherMesh));
    let rows = ["............", "............", "............"];
    let grid = Grid::from_rows(&rows).unwrap();
    live.set_base(NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap());
    assert_eq!(indexed.edited(&live.mesh().space()).err(), Some(OtherMesh));
    live.set_base(base.clone());
    assert!(indexed.edited(&live.mesh().space()).is_ok());
}

#[test]
fn an_engine_goes_on_under_edits_until_the_base_is_another_one() {
    let mut live = LiveMesh::new(yard());
    let index = MeshIndex::new(&live.mesh().space()).unwrap();
    let engine = MeshIndexEngine::new(&live.mesh().space(), index.clone()).unwrap();
    let searching = MeshEngine::new();
    let ask = |live: &LiveMesh| {
        let space = live.mesh().space();
        let ends = [[6.0, 1.0], [6.5, 4.0]].map(|at| on(&space, at));
        let line = engine.line(&space, ends[0], ends[1]).is_some();
        let [from, to] = ends.map(|at| End { state: at.polygon, point: at.place });
        let navigator = Navigator::new(space).with(&engine).with(&searching);
        let answer = navigator.ask(Question::between(from, to), &mut Scratch::new());
        let alone = Navigator::new(space).with(&searching);
        let other = alone.ask(Question::between(from, to), &mut Scratch::new());
        let cost = |outcome: &wayfare_core::search::Outcome<_, u64>| outcome.path().unwrap().cost();
        assert!(cost(&answer.outcome).abs_diff(cost(&other.outcome)) <= 1);
        (answer.took.engine, line)
    };
    assert_eq!(ask(&live), (EngineId::Index, true));
    live.insert(carving([9.0, 0.5], 0.3, CarvedGround::Blocked)).unwrap();
    assert_eq!(index.of(&live.mesh().space()).err(), Some(OtherMesh));
    assert_eq!(ask(&live), (EngineId::Index, true));
    let bar = live.insert(carving([11.0, 2.5], 1.0, CarvedGround::Blocked)).unwrap();
    assert_eq!(ask(&live), (EngineId::Index, false));
    live.remove(bar).unwrap();
    assert_eq!(ask(&live), (EngineId::Index, true));
    live.set_base(yard().renumbered());
    assert_eq!(ask(&live).0, EngineId::Index);
    let grid = Grid::from_rows(&["............"; 5]).unwrap();
    live.set_base(NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap());
    assert_eq!(ask(&live), (EngineId::Mesh, false));
}
