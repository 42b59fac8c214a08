//! Meshes edited live, against meshes carved at once and against plane geometry.

use std::collections::BTreeMap;

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::space::{CostTable, ProfileId, Space, StateId};
use wayfare_grid::grid::Grid;
use wayfare_mesh::navmesh::{
    AreaCosts, AreaId, CarvedGround, Carving, CarvingId, HeightReach, LiveMesh, LiveMeshError,
    MeshDraft, MeshProfile, NavMesh, PolygonId, Prism,
};
use wayfare_mesh::search::{MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare_mesh::validate_mesh_path;

use super::carving::{floor, prisms};

fn floors(heights: &[f32], parts: u32, is_triangles: bool) -> NavMesh {
    let mut draft = MeshDraft::new(Vec::new());
    for &y in heights {
        floor(&mut draft, parts, y, is_triangles);
    }
    NavMesh::new(draft).unwrap()
}

/// Floors of cells, or the ground of a grid full of dead ends and narrow places.
fn bases() -> impl Strategy<Value = NavMesh> {
    let floor = (1..6_u32, any::<bool>())
        .prop_map(|(parts, is_triangles)| floors(&[0.0], parts, is_triangles));
    let cells = prop::collection::vec(prop::bool::weighted(0.4), 100);
    let grid = cells.prop_map(|cells| {
        let row =
            |row: &[bool]| row.iter().map(|&is_wall| if is_wall { '#' } else { '.' }).collect();
        let rows: Vec<String> = cells.chunks(10).map(row).collect();
        let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
        let grid = Grid::from_rows(&rows).unwrap();
        NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
    });
    prop_oneof![floor, grid]
}

fn carvings() -> impl Strategy<Value = Carving> {
    let ground = prop_oneof![
        3 => Just(CarvedGround::Blocked),
        1 => (1..4_u8).prop_map(|area| CarvedGround::Area(AreaId(area))),
    ];
    (prisms(), ground).prop_map(|(prism, ground)| Carving { prism, ground })
}

/// An edit; numbers pick one of the carvings that are there.
#[derive(Clone, Debug)]
enum Edit {
    Insert(Carving),
    Replace(usize, Carving),
    Remove(usize),
    SetArea(u32, AreaId),
}

fn edits() -> impl Strategy<Value = Vec<Vec<Edit>>> {
    let edit = prop_oneof![
        4 => carvings().prop_map(Edit::Insert),
        3 => (0..100_usize, carvings()).prop_map(|(which, carving)| Edit::Replace(which, carving)),
        2 => (0..100_usize).prop_map(Edit::Remove),
        1 => (0..16_u32, 0..4_u8).prop_map(|(polygon, area)| Edit::SetArea(polygon, AreaId(area))),
    ];
    prop::collection::vec(prop::collection::vec(edit, 1..4), 1..12)
}

fn apply(live: &mut LiveMesh, batch: &[Edit]) {
    let mut ids: Vec<CarvingId> = live.carvings().map(|one| one.id).collect();
    let mut edits = live.edit();
    for edit in batch {
        match edit {
            Edit::Insert(carving) => ids.push(edits.insert(carving.clone()).unwrap()),
            Edit::Replace(which, carving) if !ids.is_empty() => {
                edits.replace(ids[which % ids.len()], carving.clone()).unwrap();
            }
            Edit::Remove(which) if !ids.is_empty() => {
                edits.remove(ids.remove(which % ids.len())).unwrap();
            }
            Edit::SetArea(polygon, area) => {
                edits.set_area(PolygonId::from_index(*polygon), *area).unwrap();
            }
            _ => {}
        }
    }
}

/// The mesh carved at once.
fn at_once(live: &LiveMesh) -> NavMesh {
    let carvings: Vec<Carving> = live.carvings().map(|one| one.carving.clone()).collect();
    live.base().carved(&carvings)
}

fn size(mesh: &NavMesh) -> f64 {
    mesh.polygons().map(|polygon| mesh.plan_area(polygon)).sum()
}

/// Checks without the mesh's own neighbours: edges between the same two places belong to two
/// polygons that know each other, no edge ends within another, and polygons have no common ground.
fn check_soundness(mesh: &NavMesh) {
    let flat = |place: Vec3| [place.x, place.y, place.z].map(f32::to_bits);
    let mut edges: BTreeMap<[[u32; 3]; 2], (PolygonId, Option<PolygonId>)> = BTreeMap::new();
    for polygon in mesh.polygons() {
        let outline: Vec<Vec3> = mesh.outline(polygon).collect();
        assert!(mesh.plan_area(polygon) > 0.0, "{polygon:?} has no area: {outline:?}");
        for (i, next) in mesh.neighbours(polygon).enumerate() {
            let ends = [flat(outline[i]), flat(outline[(i + 1) % outline.len()])];
            assert_ne!(ends[0], ends[1], "an edge without length");
            let other = edges.insert(ends, (polygon, next));
            assert!(other.is_none(), "two polygons on the same side of an edge");
        }
    }
    for ([a, b], (polygon, next)) in &edges {
        let back = edges.get(&[*b, *a]);
        assert_eq!(back.map(|(other, _)| *other), *next, "{polygon:?} and its neighbour disagree");
        if let Some((_, of)) = back {
            assert_eq!(*of, Some(*polygon));
        }
    }
    let place = |bits: &[u32; 3]| Vec3::from_array(bits.map(f32::from_bits)).as_dvec3();
    let walls: Vec<_> = edges.iter().filter(|(_, (_, next))| next.is_none()).collect();
    for ([a, b], (polygon, _)) in &walls {
        let (a, b) = (place(a), place(b));
        let along = (b - a).normalize();
        for ([c, d], (other, _)) in &walls {
            // Two walls back to back over more than a millimetre are a tear, unless a wall thinner
            // than that stands between.
            let (c, d) = (place(c), place(d));
            let (s, t) = ((c - a).dot(along), (d - a).dot(along));
            let off = |point: glam::DVec3| (point - a - along * (point - a).dot(along)).length();
            // The two walls of one polygon face each other over ground thinner than that.
            if polygon != other && off(c) < 2e-5 && off(d) < 2e-5 && t < s {
                let common = s.min((b - a).length()) - t.max(0.0);
                assert!(common < 1e-3, "torn for {common} m between {polygon:?} and {other:?}");
            }
        }
    }
}

/// The islands of sampled places, and their areas, as names that do not depend on numbers.
fn samples(mesh: &NavMesh, profile: ProfileId) -> Vec<Option<(AreaId, usize)>> {
    let space = mesh.space_of(profile);
    let mut names: Vec<u32> = Vec::new();
    let places = (0..24 * 24)
        .map(|i| Vec3::new((i % 24) as f32 * 0.415 + 0.213, 0.0, (i / 24) as f32 * 0.415 + 0.217));
    places
        .map(|place| {
            let point = space.locate(place, HeightReach::ANY)?;
            let island = space.component(point.polygon);
            let name = names.iter().position(|&known| known == island).unwrap_or_else(|| {
                names.push(island);
                names.len() - 1
            });
            Some((mesh.area(point.polygon), name))
        })
        .collect()
}

/// The data that moves of a polygon depend on.
type Moves = (Vec<[u32; 3]>, Vec<Option<PolygonId>>, AreaId);

fn moves(mesh: &NavMesh) -> BTreeMap<PolygonId, Moves> {
    let of = |polygon| {
        let outline = mesh.outline(polygon).map(|place| place.to_array().map(f32::to_bits));
        (outline.collect(), mesh.neighbours(polygon).collect(), mesh.area(polygon))
    };
    mesh.polygons().map(|polygon| (polygon, of(polygon))).collect()
}

/// The length of a shortest path, if there is one.
fn length(mesh: &NavMesh, profile: ProfileId, [ax, az, bx, bz]: [f32; 4]) -> Option<f64> {
    let space = mesh.space_of(profile);
    let ends = [Vec3::new(ax, 0.0, az), Vec3::new(bx, 0.0, bz)];
    let [start, goal] = ends.map(|place| space.locate(place, HeightReach::ANY));
    let query = MeshQuery::new(start?, goal?).max_expansions(3000);
    match Polyanya.search(query).finish(&space, &mut MeshScratch::new(), &mut ()).outcome {
        MeshOutcome::Found(path) => {
            validate_mesh_path(&space, &path, query.start, query.goal).unwrap();
            Some(path.length)
        }
        MeshOutcome::LimitReached { .. } => panic!("a search without end"),
        _ => None,
    }
}

/// Searches and islands are those of a mesh of the same polygons that never was edited.
fn check_layers(live: &LiveMesh, profile: ProfileId, ends: &[[f32; 4]]) {
    let fresh = live.mesh().renumbered();
    for profile in [ProfileId::default(), profile] {
        let islands = |mesh: &NavMesh| mesh.space_of(profile).count_islands();
        assert_eq!(islands(live.mesh()), islands(&fresh));
        assert_eq!(samples(live.mesh(), profile), samples(&fresh, profile));
        let uniform = |mesh: &NavMesh| mesh.space_of(profile).is_uniform();
        assert_eq!(uniform(live.mesh()), uniform(&fresh));
        for &ends in ends {
            match [live.mesh(), &fresh].map(|mesh| length(mesh, profile, ends)) {
                [Some(a), Some(b)] => {
                    assert!((a - b).abs() <= 1e-9 * a, "{a} beside {b}");
                }
                both => assert_eq!(both, [None, None]),
            }
        }
    }
}

fn check_against_carved(live: &LiveMesh, profile: ProfileId, ends: &[[f32; 4]]) {
    let (mesh, carved) = (live.mesh(), at_once(live));
    assert_eq!(mesh.len(), carved.len());
    assert_eq!(mesh.len(), mesh.polygons().count());
    assert!((size(mesh) - size(&carved)).abs() < 1e-4);
    for profile in [ProfileId::default(), profile] {
        assert_eq!(samples(mesh, profile), samples(&carved, profile));
        let islands = |mesh: &NavMesh| mesh.space_of(profile).count_islands();
        assert_eq!(islands(mesh), islands(&carved));
    }
    check_soundness(mesh);
    for &ends in ends {
        match [mesh, &carved].map(|mesh| length(mesh, ProfileId::default(), ends)) {
            [Some(a), Some(b)] => assert!((a - b).abs() < 1e-6 * (1.0 + b), "{a} beside {b}"),
            both => assert_eq!(both, [None, None]),
        }
    }
}

proptest! {
    #[test]
    fn edits_leave_what_carving_at_once_leaves(
        mut mesh in bases(),
        edits in edits(),
        ends in prop::collection::vec(prop::array::uniform4(0.0_f32..10.0), 6),
    ) {
        let profile = MeshProfile { areas: AreaCosts::new().without(AreaId(2)) };
        let profile = mesh.add_profile(profile).unwrap();
        let whole = mesh.clone();
        let mut live = LiveMesh::new(mesh);
        for batch in &edits {
            let batch: Vec<Edit> = batch.iter().filter(|edit| match edit {
                Edit::SetArea(polygon, _) => live.base().polygon(*polygon).is_some(),
                _ => true,
            }).cloned().collect();
            let before = moves(live.mesh());
            apply(&mut live, &batch);
            let after = moves(live.mesh());
            // Polygons that are not affected are unchanged.
            for polygon in before.keys().chain(after.keys()) {
                if live.affected().binary_search(polygon).is_err() {
                    prop_assert_eq!(before.get(polygon), after.get(polygon));
                }
            }
                check_layers(&live, profile, &ends);
            check_against_carved(&live, profile, &ends);
        }
        // Back to the beginning.
        let ids: Vec<CarvingId> = live.carvings().map(|one| one.id).collect();
        for id in ids {
            live.remove(id).unwrap();
        }
        let mut batch = live.edit();
        for polygon in whole.polygons() {
            batch.set_area(polygon, whole.area(polygon)).unwrap();
        }
        drop(batch);
        prop_assert_eq!(moves(live.mesh()), moves(&whole));
    }

    /// The ground does not depend on how the carvings came there.
    #[test]
    fn ground_is_a_function_of_the_carvings(base in bases(), edits in edits()) {
        let mut live = LiveMesh::new(base.clone());
        for batch in &edits {
            let batch: Vec<Edit> = batch.iter()
                .filter(|edit| !matches!(edit, Edit::SetArea(..))).cloned().collect();
            apply(&mut live, &batch);
        }
        let mut other = LiveMesh::new(base);
        for carving in live.carvings().map(|one| one.carving) {
            other.insert(carving.clone()).unwrap();
        }
        let outlines = |live: &LiveMesh| {
            let mesh = live.mesh();
            let mut all: Vec<Vec<[u32; 3]>> = mesh.polygons().map(|polygon| {
                mesh.outline(polygon).map(|place| place.to_array().map(f32::to_bits)).collect()
            }).collect();
            all.sort();
            all
        };
        prop_assert_eq!(outlines(&live), outlines(&other));
    }
}

fn wall() -> Carving {
    let prism = Prism::cuboid(Vec3::new(5.0, 0.0, 5.0), Vec3::new(0.5, 1.0, 9.0), 0.0).unwrap();
    Carving { prism, ground: CarvedGround::Blocked }
}

#[test]
fn what_is_not_there_is_refused() {
    let mut live = LiveMesh::new(floors(&[0.0], 2, false));
    let id = live.insert(wall()).unwrap();
    assert_eq!(live.remove(id), Ok(wall()));
    let error = LiveMeshError::NoCarving { carving: id };
    assert_eq!(live.remove(id), Err(error));
    assert_eq!(live.replace(id, wall()), Err(error));
    assert_eq!(live.carving(id), Err(error));
    let polygon = PolygonId::from_index(4);
    let error = LiveMeshError::NoPolygon { polygon: 4 };
    assert_eq!(live.set_area(polygon, AreaId(1)), Err(error));
}

#[test]
fn edits_that_change_nothing_are_no_edits() {
    let mut live = LiveMesh::new(floors(&[0.0], 2, false));
    let id = live.insert(wall()).unwrap();
    let revision = live.mesh().revision();
    live.replace(id, wall()).unwrap();
    live.set_area(PolygonId::from_index(1), AreaId::WALKABLE).unwrap();
    assert_eq!(live.mesh().revision(), revision);
    assert!(live.affected().is_empty());
}

#[test]
fn an_obstacle_leaves_the_floor_above_alone() {
    let mut live = LiveMesh::new(floors(&[0.0, 3.0], 3, false));
    let before = moves(live.mesh());
    live.insert(wall()).unwrap();
    let after = moves(live.mesh());
    for number in 9..18 {
        let polygon = PolygonId::from_index(number);
        assert_eq!(before[&polygon], after[&polygon]);
        assert!(!live.affected().contains(&polygon));
    }
}

#[test]
fn numbers_without_a_polygon_are_no_places() {
    let mut live = LiveMesh::new(floors(&[0.0], 1, false));
    let hole = |radius| Carving {
        prism: Prism::cylinder(Vec3::new(5.0, 0.0, 5.0), radius, 1.0).unwrap(),
        ground: CarvedGround::Blocked,
    };
    let id = live.insert(hole(1.0)).unwrap();
    let bound = live.mesh().bound();
    assert!(bound > 4);
    live.replace(id, hole(20.0)).unwrap();
    let mesh = live.mesh();
    assert!(mesh.is_empty() && mesh.polygons().next().is_none() && mesh.bound() == bound);
    let gone = PolygonId::from_index(bound as u32 - 1);
    let space = mesh.space();
    assert!(!mesh.has(gone) && mesh.polygon(bound as u32 - 1).is_none());
    assert!(space.check(gone).is_err() && !space.is_free(gone));
    assert!(!mesh.contains(gone, Vec3::ZERO) && mesh.plan_area(gone) == 0.0);
    assert!(
        mesh.height_at(gone, Vec3::ZERO).is_nan() && mesh.nearest_in(gone, Vec3::ZERO).is_nan()
    );
    assert!(mesh.locate(Vec3::ONE, HeightReach::ANY).is_none());
    assert!(mesh.renumbered().is_empty());
    live.replace(id, hole(1.0)).unwrap();
    assert_eq!(live.mesh().bound(), bound);
}

#[test]
fn a_mesh_that_was_edited_can_be_a_base() {
    let mut live = LiveMesh::new(floors(&[0.0], 3, false));
    live.insert(wall()).unwrap();
    let id = live.insert(wall()).unwrap();
    live.remove(id).unwrap();
    let again = LiveMesh::new(live.mesh().clone());
    assert_eq!(again.mesh().len(), again.mesh().bound());
    assert_eq!(size(again.mesh()), size(live.mesh()));
    check_soundness(again.mesh());
}

#[test]
fn blocking_is_known_beforehand() {
    let live = LiveMesh::new(floors(&[0.0], 3, false));
    let at = |x: f32| live.mesh().locate(Vec3::new(x, 0.0, 5.0), HeightReach::ANY).unwrap();
    let blocks =
        |a: f32, b: f32| live.would_block(&[wall()], ProfileId::default(), &[[at(a), at(b)]]);
    assert!(blocks(1.0, 9.0), "across");
    assert!(!blocks(1.0, 4.0), "on one side");
    assert!(blocks(5.0, 4.0), "an end is covered");
    assert_eq!(live.carvings().len(), 0);
}

/// The prism over points given by x and z.
fn over(points: &[[f32; 2]]) -> Carving {
    let points: Vec<Vec3> = points.iter().map(|&[x, z]| Vec3::new(x, 0.0, z)).collect();
    Carving { prism: Prism::over(&points, -1.0, 1.0).unwrap(), ground: CarvedGround::Blocked }
}

/// A path that the validator accepts.
fn path_is_sound(mesh: &NavMesh, ends: [[f32; 2]; 2]) -> bool {
    let space = mesh.space();
    let at = |[x, z]: [f32; 2]| space.locate(Vec3::new(x, 0.0, z), HeightReach::ANY).unwrap();
    let [start, goal] = ends.map(at);
    let query = MeshQuery::new(start, goal).max_expansions(3000);
    let answer = Polyanya.search(query).finish(&space, &mut MeshScratch::new(), &mut ());
    let path = answer.outcome.path();
    path.is_some_and(|path| validate_mesh_path(&space, path, start, goal).is_ok())
}

/// Two triangles between the sides of the ring point inwards by a rounding. A ray along a side of
/// the ring went round a corner of it for ever.
#[test]
fn rays_around_a_bent_corner_end() {
    let ring = [
        [6.831_224_4, 3.782_529_8],
        [6.885_362_6, 3.913_231_1],
        [6.985_397, 4.013_265_6],
        [7.116_098_4, 4.067_404],
        [7.257_568_4, 4.067_404],
        [7.388_27, 4.013_265_6],
        [7.488_304, 3.913_231_1],
        [7.542_442_3, 3.782_529_8],
        [7.542_442_3, 3.641_059_9],
        [7.488_304, 3.510_358_6],
        [7.388_27, 3.410_324],
        [7.257_568_4, 3.356_186],
        [7.116_098_4, 3.356_186],
        [6.985_397, 3.410_324],
        [6.885_362_6, 3.510_358_6],
        [6.831_224_4, 3.641_059_9],
    ];
    let wall = over(&[[2.5, 2.5], [5.0, 2.5], [5.0, 10.0], [2.5, 10.0]]);
    let mesh = floors(&[0.0], 2, true).carved(&[wall, over(&ring)]);
    assert!(path_is_sound(&mesh, [[6.628_05, 8.494_101], [0.902_035_7, 6.009_193]]));
}

/// The line along a short edge of a piece, turned by a rounding, misses the far end of the piece.
#[test]
fn paths_past_short_edges_are_accepted() {
    let box_ = [
        [6.656_777_4, 1.589_786],
        [6.876_461_5, 6.660_199_6],
        [10.622_008, 6.497_917_7],
        [10.402_325, 1.427_504],
    ];
    let mud = |mut carving: Carving| {
        carving.ground = CarvedGround::Area(AreaId(1));
        carving
    };
    let wide = mud(over(&[[0.0, 7.5], [7.5, 7.5], [7.5, 12.5], [0.0, 12.5]]));
    let mesh = floors(&[0.0], 3, false).carved(&[wide, mud(over(&box_))]);
    assert!(path_is_sound(&mesh, [[4.387_484_6, 3.459_041_6], [7.907_375, 5.832_313_5]]));
}

/// A corner that points inwards only on the raster of searches, not in the floats of the mesh.
#[test]
fn searches_around_a_corner_bent_by_rounding_end() {
    let mut live = LiveMesh::new(floors(&[0.0], 5, false));
    let hole = |x, z, radius| Carving {
        prism: Prism::cylinder(Vec3::new(x, 0.0, z), radius, 1.0).unwrap(),
        ground: CarvedGround::Blocked,
    };
    let corners = [[2.5, 5.0], [2.5, 10.0], [5.0, 10.0], [5.0, 5.0]];
    let prism = Prism::over(&corners.map(|[x, z]| Vec3::new(x, 0.0, z)), -1.0, 1.0).unwrap();
    live.insert(Carving { prism, ground: CarvedGround::Blocked }).unwrap();
    live.insert(hole(1.444_557_9, 6.229_924_7, 0.090_781_21)).unwrap();
    let ends = [0.0, 9.304_184, 8.275_039, 5.432_151_3];
    assert!(length(live.mesh(), ProfileId::default(), ends).is_some());
}

/// Where a disc's corner almost touches the side of other ground, a sliver is left whose two sides
/// end at the same point before its tip.
#[test]
fn tips_of_slivers_are_no_edges_back_and_forth() {
    let mut live = LiveMesh::new(floors(&[0.0], 1, false));
    let corners = [
        [-1.729_094, 2.794_942_9],
        [2.324_733, 6.502_284_5],
        [6.295_436_4, 2.160_482_4],
        [2.241_609_3, -1.546_859_3],
    ];
    let corners = corners.map(|[x, z]| Vec3::new(x, 0.0, z));
    let rectangle = Prism::over(&corners, -1.0, 1.0).unwrap();
    let ground = CarvedGround::Area(AreaId(1));
    let discs = [([0.0, 0.0], 0.05), ([1.528_175_6, 1.898_995_9], 1.784_961_7)];
    let [small, large] = discs.map(|([x, z], radius)| {
        let prism = Prism::cylinder(Vec3::new(x, 0.0, z), radius, 1.0).unwrap();
        Edit::Insert(Carving { prism, ground: CarvedGround::Blocked })
    });
    let rectangle = Edit::Insert(Carving { prism: rectangle, ground });
    apply(&mut live, &[large, small, rectangle]);
    check_soundness(live.mesh());
}
