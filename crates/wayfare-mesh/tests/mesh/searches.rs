//! Searches on navigation meshes, against a visibility graph.

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::search::{NoPath, Progress};
use wayfare_core::space::StateId;
use wayfare_mesh::navmesh::{
    AreaCosts, AreaId, DraftPolygon, HeightReach, MeshDraft, MeshPoint, MeshProfile, NavMesh,
    NavMeshSpace,
};
use wayfare_mesh::search::{
    Corridor, MeshAnswer, MeshFieldQuery, MeshOutcome, MeshQuery, MeshScratch, MeshSearch,
    Polyanya, mesh_field,
};
use wayfare_mesh::{MeshTrace, validate_mesh_path};

use crate::mesh_fields::{Field, Flat, distance, fields, locate, places};
use crate::worlds::{Turned, squares, streets};

fn whole(space: &NavMeshSpace<'_>, query: MeshQuery) -> MeshAnswer {
    Polyanya.search(query).finish(space, &mut MeshScratch::new(), &mut ())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn polyanya_is_as_short_as_the_visibility_graph_says(
        field in fields(7),
        [start, goal] in prop::array::uniform2(places(7)),
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let (Some(from), Some(to)) = (locate(&space, start), locate(&space, goal)) else {
            return Ok(());
        };
        let answer = whole(&space, MeshQuery::new(from, to));
        match field.shortest(start, goal) {
            Some(length) => {
                let path = answer.outcome.path();
                prop_assert!(path.is_some(), "{}; the oracle says {length}", answer.outcome);
                let path = path.unwrap();
                let slack = 1e-9 * (1.0 + length);
                prop_assert!((path.length - length).abs() < slack, "{} {length}", path.length);
                prop_assert_eq!(validate_mesh_path(&space, path, from, to), Ok(()));
            }
            None => prop_assert!(!answer.outcome.is_found(), "{}", answer.outcome),
        }
    }

    #[test]
    fn areas_that_cannot_be_entered_are_walls(
        field in fields(7),
        [start, goal] in prop::array::uniform2(places(7)),
    ) {
        let holes = NavMesh::new(field.draft(false)).unwrap();
        let mut filled = NavMesh::new(field.draft(true)).unwrap();
        let areas = AreaCosts::new().without(AreaId(1));
        let dry = filled.add_profile(MeshProfile { areas }).unwrap();
        let (holes, filled) = (holes.space(), filled.space_of(dry));
        let lengths = [holes, filled].map(|space| {
            let (from, to) = (locate(&space, start)?, locate(&space, goal)?);
            Some(whole(&space, MeshQuery::new(from, to)).outcome.path().map(|path| path.length))
        });
        let [Some(one), Some(other)] = lengths else {
            prop_assert_eq!(lengths[0], lengths[1]);
            return Ok(());
        };
        prop_assert_eq!(one.is_some(), other.is_some());
        if let (Some(one), Some(other)) = (one, other) {
            prop_assert!((one - other).abs() < 1e-9 * (1.0 + one), "{one} {other}");
        }
    }

    #[test]
    fn sliced_is_whole_and_traces_repeat(
        field in fields(7),
        [start, goal] in prop::array::uniform2(places(7)),
        budget in 1_u64..4,
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let (Some(from), Some(to)) = (locate(&space, start), locate(&space, goal)) else {
            return Ok(());
        };
        let query = MeshQuery::new(from, to);
        let (mut scratch, mut trace) = (MeshScratch::new(), MeshTrace::default());
        let answer = Polyanya.search(query).finish(&space, &mut scratch, &mut trace);
        prop_assert_eq!(&answer, &whole(&space, query));
        prop_assert_eq!(trace.expansions() as u64, answer.stats.expanded);
        let mut sliced = Polyanya.search(query);
        let mut pieces = MeshTrace::default();
        while sliced.step(&space, &mut scratch, &mut pieces, budget) == Progress::Working {}
        prop_assert_eq!(&sliced.answer(&space, &mut scratch), &answer);
        prop_assert_eq!(pieces.hash(), trace.hash());
        for event in &trace.events {
            prop_assert!(event.g + event.h >= distance(start, goal) - 1e-9, "{event:?}");
        }
    }

    #[test]
    fn a_corridor_leads_there_and_is_no_shorter(
        field in fields(7),
        [start, goal] in prop::array::uniform2(places(7)),
        budget in 1_u64..4,
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let (Some(from), Some(to)) = (locate(&space, start), locate(&space, goal)) else {
            return Ok(());
        };
        let query = MeshQuery::new(from, to);
        let mut scratch = MeshScratch::new();
        let answer = Corridor.search(query).finish(&space, &mut scratch, &mut ());
        let best = whole(&space, query);
        prop_assert_eq!(answer.outcome.is_found(), best.outcome.is_found());
        if let (Some(path), Some(best)) = (answer.outcome.path(), best.outcome.path()) {
            prop_assert_eq!(validate_mesh_path(&space, path, from, to), Ok(()));
            prop_assert!(path.length >= best.length - 1e-9 * (1.0 + best.length));
            prop_assert!((path.cost - path.length).abs() < 1e-9 * (1.0 + path.length));
        }
        let mut sliced = Corridor.search(query);
        while sliced.step(&space, &mut scratch, &mut (), budget) == Progress::Working {}
        prop_assert_eq!(sliced.answer(&space, &mut scratch), answer);
    }

    #[test]
    fn a_corridor_costs_what_its_areas_cost(
        field in fields(7),
        [start, goal] in prop::array::uniform2(places(7)),
    ) {
        let mut mesh = NavMesh::new(field.draft(true)).unwrap();
        let mud = AreaCosts::new().with(AreaId(1), 3.0).unwrap();
        let slow = mesh.add_profile(MeshProfile { areas: mud }).unwrap();
        let space = mesh.space_of(slow);
        let (Some(from), Some(to)) = (locate(&space, start), locate(&space, goal)) else {
            return Ok(());
        };
        let query = MeshQuery::new(from, to);
        let answer = Corridor.search(query).finish(&space, &mut MeshScratch::new(), &mut ());
        let path = answer.outcome.path().unwrap();
        let slack = 1e-9 * (1.0 + path.cost);
        prop_assert!(path.cost >= path.length - slack && path.cost <= 3.0 * path.length + slack);
        let crossed = path.corridor.iter().map(|&polygon| space.mesh().area(polygon));
        if crossed.clone().all(|area| area == AreaId(1)) {
            prop_assert!((path.cost - 3.0 * path.length).abs() < slack);
        }
    }

    #[test]
    fn limits_hold(
        field in fields(7),
        [start, goal] in prop::array::uniform2(places(7)),
        expansions in 0_u64..5,
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let (Some(from), Some(to)) = (locate(&space, start), locate(&space, goal)) else {
            return Ok(());
        };
        let query = MeshQuery::new(from, to);
        let limited = whole(&space, query.max_expansions(expansions));
        prop_assert!(limited.stats.expanded <= expansions);
        let Some(length) = whole(&space, query).outcome.path().map(|path| path.length) else {
            return Ok(());
        };
        let enough = whole(&space, query.max_length(length + 1e-6));
        prop_assert!(enough.outcome.is_found(), "{}", enough.outcome);
        if length > 0.0 {
            let short = whole(&space, query.max_length(length * 0.99));
            prop_assert!(!short.outcome.is_found(), "{}", short.outcome);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Turned and shrunk, corners in the middle of straight edges are rounded to either side: the
    /// polygons are not quite convex any more.
    #[test]
    fn corners_rounded_off_a_straight_edge_lengthen_no_path(
        field in fields(7),
        ends in prop::array::uniform2(places(7)),
    ) {
        turned_paths_are_shortest(&field, ends)?;
    }
}

fn turned_paths_are_shortest(field: &Field, [start, goal]: [Flat; 2]) -> Result<(), TestCaseError> {
    let turned = Turned::new(field);
    let space = turned.mesh.space();
    let near = |at: Flat| turned.near(&space, at);
    let (Some(from), Some(to)) = (near(start), near(goal)) else { return Ok(()) };
    let length = turned.shortest(start, goal);
    for (from, to) in [(from, to), (to, from)] {
        // Far more than any takes: one that went round in circles would never end.
        let query = MeshQuery::new(from, to).max_expansions(10_000);
        let found = whole(&space, query).outcome.path().map(|path| path.length);
        prop_assert_eq!(found.is_some(), length.is_some());
        if let (Some(found), Some(length)) = (found, length) {
            prop_assert!((found - length).abs() < 1e-5 * (1.0 + length), "{found} {length}");
        }
    }
    Ok(())
}

/// Fields of square cells on which dents hid the shortest path.
#[test]
fn dents_hide_no_path() {
    let path = |blocked: &[usize], cut: &[usize], ends: [Flat; 2]| {
        turned_paths_are_shortest(&squares(blocked, cut), ends).unwrap();
    };
    // The start lies almost on one line with an edge, and a corner beyond its end is rounded to the
    // other side of that line: more than 180 degrees from one bound of the view to it.
    path(&[], &[17, 25], [[4.5, 3.0], [0.0, 0.0]]);
    // The tip of a dent lies on the line past a corner.
    path(&[38, 43], &[44], [[0.0, 6.0], [4.0, 5.5]]);
    // The path follows the mouth of a dead end, which is not searched, past a dent in that mouth.
    path(&[3, 7, 10], &[15], [[0.0, 2.0], [4.0, 0.0]]);
}

/// Each corner at the n-th crossing is reached in about 2ⁿ equally short ways.
#[test]
fn equally_short_ways_are_not_multiplied() {
    let blocks = 24;
    let mesh = streets(blocks);
    let space = mesh.space();
    let at = |side: f32| space.locate(Vec3::new(side, 0.0, side), HeightReach::default()).unwrap();
    let answer = whole(&space, MeshQuery::new(at(0.5), at(blocks as f32 * 3.0 + 0.5)));
    assert!(answer.outcome.is_found());
    let corners = 4 * (blocks * blocks) as u64;
    assert!(answer.stats.expanded < corners, "{} intervals", answer.stats.expanded);
}

/// A hall with niches along one side. The corners between them lie on one line: 2ⁿ ways along it
/// lead to the last. A dent in the opposite side lets each way turn at each corner.
#[test]
fn corners_on_one_line_are_not_tried_again_and_again() {
    let niches = 24;
    let side = 2 * niches + 1;
    let at = |x: u32, z: f32| Vec3::new(x as f32, 0.0, z);
    let dent = at(niches, 5e-6);
    let mut draft = MeshDraft::new(vec![at(0, 0.0)]);
    draft.vertices.extend((0..=side).map(|x| at(x, 2.0)));
    draft.vertices.extend([at(side, 0.0), dent]);
    let hall: Vec<u32> = (0..draft.vertices.len() as u32).collect();
    draft.push(&hall, AreaId::WALKABLE);
    for x in (1..side).step_by(2) {
        let begin = draft.vertices.len() as u32;
        draft.vertices.extend([at(x, 3.0), at(x + 1, 3.0)]);
        draft.push(&[x + 1, begin, begin + 1, x + 2], AreaId::WALKABLE);
    }
    let mesh = NavMesh::new(draft).unwrap();
    let space = mesh.space();
    let within = |x| space.locate(Vec3::new(x, 0.0, 2.5), HeightReach::default()).unwrap();
    let mut scratch = MeshScratch::new();
    let query = MeshQuery::new(within(1.5), within(side as f32 - 1.5));
    let answer = Polyanya.search(query).finish(&space, &mut scratch, &mut ());
    let length = f64::from(side - 4) + 2.0 * 0.5_f64.sqrt();
    assert_eq!(answer.outcome.path().unwrap().length, length);
    assert!(scratch.bytes() < 1 << 20, "{} bytes", scratch.bytes());
    let field = mesh_field(&space, MeshFieldQuery::from_points([within(1.5)])).unwrap();
    let back = field.path(&space, within(side as f32 - 1.5)).unwrap();
    assert_eq!(back.length, length);
}

/// A ground floor, a ramp at its end, a landing, and an upper floor that leads back over the start.
#[test]
fn floors_are_told_apart() {
    // Each polygon as x, z and width, depth, with the heights at its lower and higher x.
    let rooms = [
        ([0.0, 0.0, 8.0, 2.0], [0.0, 0.0]),
        ([8.0, 0.0, 4.0, 2.0], [0.0, 3.0]),
        ([12.0, 0.0, 2.0, 4.0], [3.0, 3.0]),
        ([0.0, 2.0, 12.0, 2.0], [3.0, 3.0]),
        ([0.0, 0.0, 4.0, 2.0], [3.0, 3.0]),
    ];
    let mut draft = MeshDraft::new(Vec::new());
    for ([x, z, width, depth], [low, high]) in rooms {
        let begin = draft.vertices.len() as u32;
        draft.vertices.extend([
            Vec3::new(x, low, z),
            Vec3::new(x, low, z + depth),
            Vec3::new(x + width, high, z + depth),
            Vec3::new(x + width, high, z),
        ]);
        draft.push(&[begin, begin + 1, begin + 2, begin + 3], AreaId::WALKABLE);
    }
    let mesh = NavMesh::new(draft.clone()).unwrap();
    let space = mesh.space();
    let find = |y| space.locate(Vec3::new(1.0, y, 1.0), HeightReach::default()).unwrap();
    let (ground, above) = (find(0.5), find(3.5));
    assert_eq!((ground.polygon.index(), above.polygon.index()), (0, 4));
    assert_eq!((ground.place.y, above.place.y), (0.0, 3.0));
    let path = whole(&space, MeshQuery::new(ground, above)).outcome.into_path();
    assert_eq!(path.corridor.iter().map(|at| at.index()).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    // Over the ramp to its far corner, back along the wall, and around the end of it.
    let expected = 122_f64.sqrt() + 8.0 + 10_f64.sqrt();
    assert!((path.length - expected).abs() < 1e-9, "{} {expected}", path.length);
    assert_eq!(validate_mesh_path(&space, &path, ground, above), Ok(()));
    let ramp = space.locate(Vec3::new(10.0, 1.6, 1.0), HeightReach::default()).unwrap();
    assert_eq!((ramp.polygon.index(), ramp.place.y), (1, 1.5));

    // Without the ramp: as near as possible is straight below.
    let mut apart = MeshDraft::new(draft.vertices.clone());
    for (number, DraftPolygon { corners, area }) in draft.polygons().enumerate() {
        if number != 1 {
            apart.push(corners, area);
        }
    }
    let mesh = NavMesh::new(apart).unwrap();
    let space = mesh.space();
    let find = |y| space.locate(Vec3::new(1.0, y, 1.0), HeightReach::default()).unwrap();
    let query = MeshQuery::new(find(0.5), find(3.5));
    let outcome = whole(&space, query).outcome;
    let is_apart = matches!(
        outcome,
        MeshOutcome::Unreachable { reason: NoPath::DifferentIslands { start: 0, goal: 1 }, .. }
    );
    assert!(is_apart, "{outcome}");
    let near = query.approach(&space);
    assert_eq!(near.goal, query.start);
    assert!(whole(&space, near).outcome.is_found());
}

#[test]
fn a_scratch_that_was_used_again_interrupts() {
    let places =
        [[0.0, 0.0], [0.0, 3.0], [1.0, 3.0], [1.0, 2.0], [1.0, 0.0], [4.0, 3.0], [4.0, 2.0]];
    let mut draft = MeshDraft::new(places.map(|[x, z]| Vec3::new(x, 0.0, z)).to_vec());
    draft.push(&[0, 1, 2, 3, 4], AreaId(0));
    draft.push(&[3, 2, 5, 6], AreaId(0));
    let mesh = NavMesh::new(draft).unwrap();
    let space = mesh.space();
    let ends = [[0.5, 0.5], [3.0, 2.5]].map(|at| locate(&space, at).unwrap());
    let query = MeshQuery::new(ends[0], ends[1]);
    let mut scratch = MeshScratch::new();
    let mut first = Polyanya.search(query);
    let _ = first.step(&space, &mut scratch, &mut (), 0);
    let _ = Polyanya.search(query).step(&space, &mut scratch, &mut (), 0);
    let _ = first.step(&space, &mut scratch, &mut (), 9);
    let outcome = first.answer(&space, &mut scratch).outcome;
    assert!(matches!(outcome, MeshOutcome::Interrupted(_)), "{outcome}");
    let off = MeshPoint { place: Vec3::new(9.0, 0.0, 9.0), ..ends[0] };
    let beside = whole(&space, MeshQuery::new(off, ends[1]));
    assert!(matches!(beside.outcome, MeshOutcome::Unreachable { .. }), "{}", beside.outcome);
}

/// Three squares in a row, 2 m wide; the middle one is mud.
#[test]
fn a_shortest_path_costs_what_its_areas_cost() {
    let places = [[0, 0], [0, 2], [2, 2], [2, 0], [4, 2], [4, 0], [6, 2], [6, 0]];
    let places = places.map(|[x, z]| Vec3::new(x as f32, 0.0, z as f32));
    let mut draft = MeshDraft::new(places.to_vec());
    draft.push(&[0, 1, 2, 3], AreaId::WALKABLE);
    draft.push(&[3, 2, 4, 5], AreaId(1));
    draft.push(&[5, 4, 6, 7], AreaId::WALKABLE);
    let mut mesh = NavMesh::new(draft).unwrap();
    let areas = AreaCosts::new().with(AreaId(1), 4.0).unwrap();
    let profile = mesh.add_profile(MeshProfile { areas }).unwrap();
    let space = mesh.space_of(profile);
    let [from, to] = [[1.0, 1.0], [5.0, 1.0]].map(|place| locate(&space, place).unwrap());
    let answer = whole(&space, MeshQuery::new(from, to));
    let path = answer.outcome.path().unwrap();
    assert_eq!((path.length, path.cost), (4.0, 10.0));
    let field = mesh_field(&space, MeshFieldQuery::from_points([to])).unwrap();
    assert_eq!(field.path(&space, from).unwrap().cost, 10.0);
}
