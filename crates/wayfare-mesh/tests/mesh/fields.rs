//! Fields on navigation meshes: lengths from everywhere to some points, against single searches
//! and a visibility graph.

use glam::Vec3;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use wayfare_core::search::{FieldError, Limit, Progress, Prospect};
use wayfare_core::space::CostTable;
use wayfare_grid::grid::Grid;
use wayfare_mesh::navmesh::{
    AreaCosts, AreaId, CarvedGround, Carving, LiveMesh, MeshDraft, MeshPoint, MeshProfile, NavMesh,
    NavMeshSpace, Prism,
};
use wayfare_mesh::search::{
    MeshField, MeshFieldQuery, MeshFieldSearch, MeshFleeQuery, MeshOutcome, MeshQuery, MeshScratch,
    MeshSearch, Polyanya, mesh_field, mesh_flee,
};
use wayfare_mesh::{MeshTrace, validate_mesh_path};

use crate::mesh_fields::{Field, Flat, distance, fields, locate, places};
use crate::worlds::{Turned, squares, streets};

fn single(space: &NavMeshSpace<'_>, from: MeshPoint, to: MeshPoint) -> Option<f64> {
    let mut search = Polyanya.search(MeshQuery::new(from, to));
    let answer = search.finish(space, &mut MeshScratch::new(), &mut ());
    answer.outcome.path().map(|path| path.length)
}

fn located(space: &NavMeshSpace<'_>, places: &[Flat]) -> Vec<MeshPoint> {
    places.iter().filter_map(|&place| locate(space, place)).collect()
}

/// The least of some lengths.
fn least(lengths: impl Iterator<Item = Option<f64>>) -> Option<f64> {
    lengths.flatten().min_by(f64::total_cmp)
}

fn is_close(a: Option<f64>, b: Option<f64>, slack: f64) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => (a - b).abs() <= slack * (1.0 + b),
        (a, b) => a == b,
    }
}

fn many(side: usize, most: usize) -> impl Strategy<Value = Vec<Flat>> {
    prop::collection::vec(places(side), 1..=most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_field_knows_what_the_visibility_graph_says(
        field in fields(7),
        source in places(7),
        points in many(7, 4),
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let Some(from) = locate(&space, source) else { return Ok(()) };
        let lengths = mesh_field(&space, MeshFieldQuery::from_points([from])).unwrap();
        for at in points {
            let Some(point) = locate(&space, at) else { continue };
            let (ours, theirs) = (lengths.distance(&space, point), field.shortest(source, at));
            prop_assert!(is_close(ours, theirs, 1e-9), "{ours:?}, the oracle says {theirs:?}");
        }
    }

    #[test]
    fn ways_along_a_field_are_shortest_paths_to_the_nearest_source(
        field in fields(8),
        sources in many(8, 3),
        points in many(8, 8),
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let sources = located(&space, &sources);
        if sources.is_empty() {
            return Ok(());
        }
        let lengths = mesh_field(&space, MeshFieldQuery::from_points(sources.clone())).unwrap();
        for point in located(&space, &points) {
            let expected = least(sources.iter().map(|&source| single(&space, point, source)));
            let length = lengths.distance(&space, point);
            prop_assert!(is_close(length, expected, 1e-9), "{length:?} {expected:?}");
            let path = lengths.path(&space, point);
            let Some(length) = length else {
                prop_assert!(path.is_none() && lengths.next(&space, point).is_none());
                continue;
            };
            let (path, source) = (path.unwrap(), lengths.source(&space, point).unwrap());
            prop_assert!(is_close(Some(path.length), Some(length), 1e-9));
            prop_assert_eq!(validate_mesh_path(&space, &path, point, sources[source]), Ok(()));
            // From corner to corner to the source.
            let (mut at, mut walked) = (point, 0.0);
            for _ in 0..100 {
                let next = lengths.next(&space, at).unwrap();
                let flat = |point: MeshPoint| [f64::from(point.place.x), f64::from(point.place.z)];
                walked += distance(flat(at), flat(next));
                at = next;
                if at == sources[source] || lengths.distance(&space, at) == Some(0.0) {
                    break;
                }
            }
            prop_assert!(is_close(Some(walked), Some(length), 1e-9), "{walked} {length}");
        }
    }

    #[test]
    fn the_nearest_of_many_are_known_without_the_rest(
        field in fields(8),
        source in places(8),
        targets in many(8, 6),
        wanted in 1_usize..7,
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let Some(from) = locate(&space, source) else { return Ok(()) };
        let targets = located(&space, &targets);
        let query = MeshFieldQuery::from_points([from]);
        let part = query.clone().until_nearest(targets.clone(), wanted);
        let part = mesh_field(&space, part).unwrap();
        let whole = mesh_field(&space, query).unwrap();
        prop_assert!(part.stats().expanded <= whole.stats().expanded);
        let mut expected: Vec<f64> =
            targets.iter().filter_map(|&target| single(&space, from, target)).collect();
        expected.sort_by(f64::total_cmp);
        let mut found: Vec<f64> =
            targets.iter().filter_map(|&target| part.distance(&space, target)).collect();
        found.sort_by(f64::total_cmp);
        prop_assert!(found.len() >= wanted.min(expected.len()), "{found:?} of {expected:?}");
        for (ours, theirs) in found.iter().zip(&expected) {
            prop_assert!(is_close(Some(*ours), Some(*theirs), 1e-9));
        }
        let nearest = part.nearest(&space, &targets).map(|nearest| nearest.length);
        prop_assert_eq!(nearest, found.first().copied());
    }

    #[test]
    fn what_is_reached_is_bounded(
        field in fields(8),
        source in places(8),
        points in many(8, 8),
        longest in 0.0_f64..9.0,
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let Some(from) = locate(&space, source) else { return Ok(()) };
        let query = MeshFieldQuery::from_points([from]);
        let whole = mesh_field(&space, query.clone()).unwrap();
        let part = mesh_field(&space, query.max_length(longest)).unwrap();
        prop_assert!(part.longest() <= longest);
        for point in located(&space, &points) {
            let length = whole.distance(&space, point);
            let reached = part.reached(&space).find(|reached| reached.polygon == point.polygon);
            let slack = 1e-9 * (1.0 + longest);
            match (part.distance(&space, point), length) {
                (Some(known), Some(length)) => {
                    prop_assert!((known - length).abs() < slack && known <= longest);
                    let reached = reached.unwrap();
                    prop_assert!(reached.nearest <= known + slack, "{reached:?} {known}");
                    prop_assert!(reached.farthest >= known - slack, "{reached:?} {known}");
                }
                (None, Some(length)) => {
                    prop_assert!(length > longest - slack, "{length} {longest}");
                    let is_whole = reached.is_some_and(|it| it.farthest < longest - slack);
                    prop_assert!(!is_whole, "{reached:?} is not reached at {length}");
                }
                (known, length) => prop_assert_eq!(known, length),
            }
        }
    }

    #[test]
    fn sliced_is_whole(
        field in fields(7),
        sources in many(7, 3),
        points in many(7, 8),
        budget in 1_u64..4,
        limit in prop::option::of(0_u64..30),
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let mut query = MeshFieldQuery::from_points(located(&space, &sources));
        query.limits.expansions = limit.unwrap_or(u64::MAX);
        let run = |budget: u64| {
            let (mut scratch, mut trace) = (MeshScratch::new(), MeshTrace::default());
            let mut search = MeshFieldSearch::new(query.clone());
            while search.step(&space, &mut scratch, &mut trace, budget) == Progress::Working {}
            let field = search.into_field(&space, &mut scratch, MeshField::default());
            (field, trace.hash())
        };
        let ((whole, whole_trace), (sliced, sliced_trace)) = (run(u64::MAX), run(budget));
        prop_assert_eq!(whole_trace, sliced_trace);
        let (whole, sliced) = match (whole, sliced) {
            (Ok(whole), Ok(sliced)) => (whole, sliced),
            (whole, sliced) => {
                prop_assert_eq!(whole.err(), sliced.err());
                return Ok(());
            }
        };
        prop_assert_eq!(whole.stats(), sliced.stats());
        prop_assert_eq!(whole.longest(), sliced.longest());
        if let Some(limit) = limit {
            prop_assert!(whole.stats().expanded <= limit);
        }
        let all = mesh_field(&space, MeshFieldQuery { limits: Default::default(), ..query });
        let all = all.unwrap();
        for point in located(&space, &points) {
            prop_assert_eq!(whole.distance(&space, point), sliced.distance(&space, point));
            // What a limited field knows is right.
            if let Some(length) = whole.distance(&space, point) {
                prop_assert!(is_close(Some(length), all.distance(&space, point), 1e-9));
            } else if let Some(length) = all.distance(&space, point) {
                prop_assert!(length > whole.longest());
            }
        }
    }

    #[test]
    fn areas_that_cannot_be_entered_are_walls_to_fields(
        field in fields(7),
        source in places(7),
        points in many(7, 8),
    ) {
        let mut mesh = NavMesh::new(field.draft(true)).unwrap();
        let areas = AreaCosts::new().without(AreaId(1));
        let dry = mesh.add_profile(MeshProfile { areas }).unwrap();
        let space = mesh.space_of(dry);
        let Some(from) = locate(&space, source) else { return Ok(()) };
        let lengths = mesh_field(&space, MeshFieldQuery::from_points([from])).unwrap();
        for point in located(&space, &points) {
            let expected = single(&space, point, from);
            prop_assert!(is_close(lengths.distance(&space, point), expected, 1e-9));
        }
    }

    #[test]
    fn fields_on_live_meshes_are_right(
        field in fields(7),
        holes in many(7, 4),
        source in places(7),
        points in many(7, 8),
    ) {
        let mut live = LiveMesh::new(NavMesh::new(field.draft(false)).unwrap());
        for [x, z] in holes {
            let foot = Vec3::new(x as f32, -0.5, z as f32);
            let prism = Prism::cylinder(foot, 0.4, 1.0).unwrap();
            live.insert(Carving { prism, ground: CarvedGround::Blocked }).unwrap();
        }
        let space = live.mesh().space();
        let Some(from) = locate(&space, source) else { return Ok(()) };
        let lengths = mesh_field(&space, MeshFieldQuery::from_points([from])).unwrap();
        for point in located(&space, &points) {
            // Far more than any search takes: one that roundings lead astray says nothing.
            let query = MeshQuery::new(point, from).max_expansions(100_000);
            let answer = Polyanya.search(query).finish(&space, &mut MeshScratch::new(), &mut ());
            if let MeshOutcome::LimitReached { .. } = answer.outcome {
                continue;
            }
            let theirs = answer.outcome.path().map(|path| path.length);
            let ours = lengths.distance(&space, point);
            prop_assert!(is_close(ours, theirs, 1e-5), "{ours:?} {theirs:?}");
            if let Some(path) = lengths.path(&space, point) {
                prop_assert_eq!(validate_mesh_path(&space, &path, point, from), Ok(()));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 500,
        rng_seed: RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    /// Turned and shrunk, corners in the middle of straight edges are rounded to either side.
    #[test]
    fn polygons_that_roundings_bent_lengthen_no_way(
        field in fields(7),
        source in places(7),
        points in many(7, 4),
    ) {
        turned_lengths_are_right(&field, source, &points)?;
    }
}

/// Checks lengths between places of a field that is turned and shrunk.
fn turned_lengths_are_right(
    field: &Field,
    source: Flat,
    points: &[Flat],
) -> Result<(), TestCaseError> {
    let turned = Turned::new(field);
    let space = turned.mesh.space();
    let Some(from) = turned.near(&space, source) else { return Ok(()) };
    let lengths = mesh_field(&space, MeshFieldQuery::from_points([from])).unwrap();
    for &at in points {
        let Some(point) = turned.near(&space, at) else { continue };
        let expected = turned.shortest(source, at);
        let length = lengths.distance(&space, point);
        prop_assert!(is_close(length, expected, 1e-5), "{length:?} {expected:?}");
    }
    Ok(())
}

/// The source lies on one line with a wall, whose corners are rounded to either side of it.
#[test]
fn a_field_turns_behind_a_wall_on_one_line_with_its_source() {
    turned_lengths_are_right(&squares(&[2, 7], &[0, 5, 8]), [5.5, 1.0], &[[0.0, 0.0]]).unwrap();
}

#[test]
fn sources_off_the_mesh_are_skipped_and_named_if_there_is_no_other() {
    let mesh = square();
    let space = mesh.space();
    let on = locate(&space, [0.5, 0.5]).unwrap();
    let off = MeshPoint { place: Vec3::new(9.0, 0.0, 9.0), ..on };
    let query = |sources: Vec<MeshPoint>| mesh_field(&space, MeshFieldQuery::from_points(sources));
    assert!(matches!(query(vec![]), Err(FieldError::NoSource)));
    assert!(matches!(
        query(vec![off]),
        Err(FieldError::Source(wayfare_core::space::Obstruction::OffMap))
    ));
    let field = query(vec![off, on]).unwrap();
    assert_eq!(field.source(&space, on), Some(1));
    assert_eq!((field.limit(), field.longest()), (None, f64::INFINITY));
    assert_eq!(field.distance(&space, off), None);
    let short = MeshFieldQuery::from_points([on]).max_length(0.1);
    let short = mesh_field(&space, short).unwrap();
    assert_eq!(short.limit(), Some(Limit::Cost));
}

#[test]
fn a_field_knows_nothing_of_an_edited_mesh() {
    let mut live = LiveMesh::new(square());
    let space = live.mesh().space();
    let at = locate(&space, [0.5, 0.5]).unwrap();
    let field = mesh_field(&space, MeshFieldQuery::from_points([at])).unwrap();
    assert_eq!(field.distance(&space, at), Some(0.0));
    let prism = Prism::cylinder(Vec3::new(2.0, -0.5, 0.5), 0.2, 1.0).unwrap();
    live.insert(Carving { prism, ground: CarvedGround::Blocked }).unwrap();
    let space = live.mesh().space();
    assert_eq!(field.distance(&space, at), None);
    assert!(field.path(&space, at).is_none() && field.next(&space, at).is_none());
}

/// Ground around a wall.
fn square() -> NavMesh {
    let grid = Grid::from_rows(&["....", ".##.", "...."]).unwrap();
    NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_flight_ends_where_threats_come_late(
        field in fields(8),
        start in places(8),
        threats in many(8, 3),
        longest in 0.5_f64..9.0,
    ) {
        let mesh = NavMesh::new(field.draft(false)).unwrap();
        let space = mesh.space();
        let Some(from) = locate(&space, start) else { return Ok(()) };
        let threats = located(&space, &threats);
        let query = MeshFleeQuery::new(from, threats.clone(), longest);
        let flight = mesh_flee(&space, query).unwrap();
        let come = |point| least(threats.iter().map(|&threat| single(&space, threat, point)));
        let end = *flight.path.points.last().unwrap();
        // Where the length ends is a place between those that searches work on.
        prop_assert!(is_close(flight.threat_length, come(end), 1e-6));
        prop_assert!(flight.path.length <= longest * (1.0 + 1e-6));
        prop_assert_eq!(validate_mesh_path(&space, &flight.path, from, end), Ok(()));
        let own = single(&space, from, end).unwrap();
        prop_assert!(is_close(Some(flight.path.length), Some(own), 1e-6));
        let is_first = |length: Option<f64>| length.is_none_or(|length| own < length);
        match flight.prospect {
            Prospect::Unthreatened => prop_assert_eq!((come(from), own), (None, 0.0)),
            Prospect::OutOfReach => prop_assert_eq!(come(end), None),
            Prospect::Ahead => prop_assert!(is_first(come(end))),
            Prospect::Exposed => prop_assert!(!is_first(come(end))),
            Prospect::Cornered => prop_assert_eq!(own, 0.0),
        }
        // No corner or middle within the length is better.
        for polygon in mesh.polygons() {
            for place in mesh.outline(polygon).chain([mesh.middle(polygon)]) {
                let point = MeshPoint { polygon, place };
                let Some(length) = single(&space, from, point) else { continue };
                let theirs = come(point);
                if length <= longest * (1.0 - 1e-6)
                    && theirs.is_none_or(|theirs| length < theirs * (1.0 - 1e-6))
                {
                    let ours = come(end).unwrap_or(f64::INFINITY);
                    prop_assert!(ours >= theirs.unwrap_or(f64::INFINITY) * (1.0 - 1e-6));
                }
            }
        }
    }
}

/// The start is a corner of a polygon with a dent, whose short sides are turned by a rounding: the
/// place that searches take it for is a tenth of a millimetre away.
#[test]
fn lengths_end_at_the_very_point() {
    let field = squares(&[14], &[]);
    let mut live = LiveMesh::new(NavMesh::new(field.draft(false)).unwrap());
    let prism = Prism::cylinder(Vec3::new(0.921_875, -0.5, 3.328_125), 0.4, 1.0).unwrap();
    live.insert(Carving { prism, ground: CarvedGround::Blocked }).unwrap();
    let space = live.mesh().space();
    let [from, to] = [[0.0, 0.0], [0.0, 4.0]].map(|at| locate(&space, at).unwrap());
    let lengths = mesh_field(&space, MeshFieldQuery::from_points([from])).unwrap();
    let expected = single(&space, to, from);
    let length = lengths.distance(&space, to);
    assert!(is_close(length, expected, 1e-7), "{length:?} {expected:?}");
}

/// Turning points are taken in as the field comes to them: a step looks no farther than its budget.
#[test]
fn a_step_floods_no_mesh() {
    let mesh = streets(24);
    let space = mesh.space();
    let source = locate(&space, [0.5, 0.5]).unwrap();
    let size_after = |budget: u64| {
        let mut scratch = MeshScratch::new();
        let mut search = MeshFieldSearch::new(MeshFieldQuery::from_points([source]));
        let _ = search.step(&space, &mut scratch, &mut (), budget);
        search.into_field(&space, &mut scratch, MeshField::default()).unwrap().size_in_bytes()
    };
    let (begun, whole) = (size_after(8), size_after(u64::MAX));
    assert!(begun * 20 < whole, "{begun} of {whole} bytes");
    assert!(whole < mesh.vertices().len() * 2000, "{whole} bytes");
}
