//! Ways through links on navigation meshes, against Dijkstra's algorithm over all ends of links.

use std::num::NonZeroU16;

use glam::Vec3;
use proptest::prelude::*;
use wayfare_core::link::{Crossing, Gate, Keys, LinkPoints, NavLink, NavLinkError, NavLinks};
use wayfare_core::search::{Limit, NoPath, Progress};
use wayfare_core::space::{CostTable, Obstruction};
use wayfare_grid::grid::Grid;
use wayfare_mesh::navmesh::{
    CarvedGround, Carving, LiveMesh, MeshDraft, MeshPoint, NavMesh, NavMeshSpace, PolygonId, Prism,
};
use wayfare_mesh::search::{MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya};
use wayfare_mesh::{
    GroundSearch, MeshTrace, MeshWay, MeshWayAnswer, MeshWaySearch, validate_mesh_path,
};

use crate::mesh_fields::{Field, Flat, fields, locate, places};

/// More than any search on these meshes needs.
const MOST_EXPANSIONS: u64 = 100_000;

/// A link as drawn at random: two places and the rest.
#[derive(Clone, Copy, Debug)]
struct Drawn {
    from: Flat,
    to: Flat,
    two_way: bool,
    /// In tenths of a second, or of a metre a second.
    crossing: (bool, u32),
    gate: Gate,
    key: Keys,
    wait: u32,
    is_full: bool,
}

fn drawn(side: usize) -> impl Strategy<Value = Drawn> {
    let gate = prop_oneof![
        4 => Just(Gate::Open),
        1 => Just(Gate::Closed),
        2 => Just(Gate::Locked)
    ];
    let ends = prop::array::uniform2(places(side));
    let crossing = (any::<bool>(), 1_u32..60);
    let rest = (any::<bool>(), crossing, gate, 0_u32..4, 0_u32..3, prop::bool::weighted(0.1));
    (ends, rest).prop_map(|([from, to], (two_way, crossing, gate, key, wait, is_full))| Drawn {
        from,
        to,
        two_way,
        crossing,
        gate,
        key: Keys(key),
        wait,
        is_full,
    })
}

fn laid(space: &NavMeshSpace<'_>, drawn: &[Drawn]) -> NavLinks<PolygonId> {
    let mut links = NavLinks::new(1.5);
    for link in drawn {
        let (Some(from), Some(to)) = (locate(space, link.from), locate(space, link.to)) else {
            continue;
        };
        if from.place == to.place {
            continue;
        }
        let points = LinkPoints { from: from.place, to: to.place, radius: 0.0 };
        let tenths = link.crossing.1 as f32 / 10.0;
        let crossing =
            if link.crossing.0 { Crossing::Seconds(tenths) } else { Crossing::Speed(tenths) };
        let made = NavLink::on_mesh(space, points, crossing).unwrap();
        let made = NavLink {
            two_way: link.two_way,
            gate: link.gate,
            key: link.key,
            capacity: NonZeroU16::new(1).filter(|_| link.is_full),
            ..made
        };
        let id = links.add(space, made).unwrap();
        links.post_wait(id, link.wait as f32);
        links.set_occupants(id, u16::from(link.is_full));
    }
    links
}

/// The cost of a cheapest way, by Dijkstra's algorithm over all ends of links with the length of
/// each leg as searched on the ground.
fn oracle(
    space: &NavMeshSpace<'_>,
    links: &NavLinks<PolygonId>,
    keys: Keys,
    [start, goal]: [MeshPoint; 2],
) -> Option<u64> {
    let point = |place: Vec3| locate(space, [place.x.into(), place.z.into()]).unwrap();
    let mut scratch = MeshScratch::new();
    let mut ground = |from: MeshPoint, to: MeshPoint| {
        let query = MeshQuery::new(from, to).max_expansions(MOST_EXPANSIONS);
        let answer = Polyanya.search(query).finish(space, &mut scratch, &mut ());
        answer.outcome.path().map(|path| (path.length * 1000.0).ceil() as u64)
    };
    let mut ways = Vec::new();
    for one in links.iter() {
        if !one.link.admits(keys) || links.is_full(one.id) {
            continue;
        }
        let points = one.link.points.unwrap();
        let seconds = match one.link.crossing {
            Crossing::Seconds(seconds) => f64::from(seconds),
            Crossing::Speed(speed) => {
                (points.to.as_dvec3() - points.from.as_dvec3()).length() / f64::from(speed)
            }
        };
        let seconds = seconds + f64::from(links.wait(one.id));
        let cost = ((seconds * 1.5 * 1000.0).ceil() as u64).max(1);
        ways.push((points.from, points.to, cost));
        if one.link.two_way {
            ways.push((points.to, points.from, cost));
        }
    }
    let mut best = ground(start, goal);
    let mut reached: Vec<Option<u64>> =
        ways.iter().map(|way| ground(start, point(way.0)).map(|cost| cost + way.2)).collect();
    let mut open: Vec<usize> = (0..ways.len()).collect();
    while let Some(place) = (0..open.len())
        .filter(|&place| reached[open[place]].is_some())
        .min_by_key(|&place| reached[open[place]])
    {
        let way = open.swap_remove(place);
        let gone = reached[way].unwrap();
        if let Some(rest) = ground(point(ways[way].1), goal) {
            best = Some(best.map_or(gone + rest, |best| best.min(gone + rest)));
        }
        for &next in &open {
            if let Some(leg) = ground(point(ways[way].1), point(ways[next].0)) {
                let cost = gone + leg + ways[next].2;
                reached[next] = Some(reached[next].map_or(cost, |known| known.min(cost)));
            }
        }
    }
    best
}

/// Whether a way is whole: each path on the mesh, each link where the path ends, costs added up.
fn check(
    space: &NavMeshSpace<'_>,
    links: &NavLinks<PolygonId>,
    keys: Keys,
    way: &MeshWay,
    [start, goal]: [MeshPoint; 2],
) -> Result<(), TestCaseError> {
    let mut here = start;
    let mut cost = 0;
    for (number, stretch) in way.stretches.iter().enumerate() {
        let is_last = number + 1 == way.stretches.len();
        prop_assert_eq!(stretch.link.is_none(), is_last);
        let last = *stretch.path.points.last().unwrap();
        prop_assert_eq!(validate_mesh_path(space, &stretch.path, here, last), Ok(()));
        prop_assert_eq!(stretch.cost, (stretch.path.length * 1000.0).ceil() as u64);
        cost += stretch.cost;
        here = last;
        let Some(crossed) = stretch.link else { continue };
        cost += crossed.cost;
        let link = links.get(crossed.link).unwrap();
        prop_assert!(links.admits(crossed.link, keys));
        let [from, to] = links.places(space, crossed.link).unwrap();
        let far = if last.place == from {
            to
        } else {
            prop_assert!(link.two_way && last.place == to, "{:?} {last:?}", link.points);
            from
        };
        here = way.stretches[number + 1].path.points[0];
        prop_assert_eq!(here.place, far);
    }
    prop_assert_eq!(here, goal);
    prop_assert_eq!(way.cost, cost);
    Ok(())
}

fn find(
    space: NavMeshSpace<'_>,
    links: &NavLinks<PolygonId>,
    keys: Keys,
    [start, goal]: [MeshPoint; 2],
) -> MeshWayAnswer {
    let query = MeshQuery::new(start, goal).max_expansions(MOST_EXPANSIONS);
    let mut search = MeshWaySearch::new(query, GroundSearch::Suited);
    search.finish(&links.over(space, keys), &mut MeshScratch::new(), &mut ())
}

/// The ends of a query, if they lie on the mesh.
fn ends(space: &NavMeshSpace<'_>, ends: [Flat; 2]) -> Option<[MeshPoint; 2]> {
    Some([locate(space, ends[0])?, locate(space, ends[1])?])
}

fn mesh_of(field: &Field) -> NavMesh {
    NavMesh::new(field.draft(false)).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn no_way_costs_less_than_the_one_found(
        field in fields(6),
        between in prop::array::uniform2(places(6)),
        drawn in prop::collection::vec(drawn(6), 0..6),
        keys in (0_u32..4).prop_map(Keys),
    ) {
        let mesh = mesh_of(&field);
        let space = mesh.space();
        let Some(ends) = ends(&space, between) else { return Ok(()) };
        let links = laid(&space, &drawn);
        let answer = find(space, &links, keys, ends);
        match (oracle(&space, &links, keys, ends), answer.way) {
            (Some(least), Ok(way)) => {
                check(&space, &links, keys, &way, ends)?;
                // A start that is moved off an edge may be searched a little elsewhere.
                prop_assert!(way.cost.abs_diff(least) <= 8, "{} {least}", way.cost);
            }
            (None, Err(MeshOutcome::Unreachable { .. })) => {}
            (least, other) => prop_assert!(false, "{least:?} {other:?}"),
        }
    }

    #[test]
    fn sliced_is_whole_and_traces_repeat(
        field in fields(6),
        between in prop::array::uniform2(places(6)),
        drawn in prop::collection::vec(drawn(6), 0..6),
        budget in 1_u64..4,
    ) {
        let mesh = mesh_of(&field);
        let space = mesh.space();
        let Some([start, goal]) = ends(&space, between) else { return Ok(()) };
        let links = laid(&space, &drawn);
        let linked = links.over(space, Keys(1));
        let query = MeshQuery::new(start, goal).max_expansions(MOST_EXPANSIONS);
        let (mut scratch, mut trace) = (MeshScratch::new(), MeshTrace::default());
        let mut whole = MeshWaySearch::new(query, GroundSearch::Suited);
        let answer = whole.finish(&linked, &mut scratch, &mut trace);
        prop_assert_eq!(trace.expansions() as u64, answer.stats.expanded);
        let mut sliced = MeshWaySearch::new(query, GroundSearch::Suited);
        let mut pieces = MeshTrace::default();
        let mut before = 0;
        while sliced.step(&linked, &mut scratch, &mut pieces, budget) == Progress::Working {
            let now = pieces.expansions() as u64;
            prop_assert!(now - before <= budget);
            before = now;
        }
        prop_assert_eq!(sliced.answer(), answer);
        prop_assert_eq!(pieces.hash(), trace.hash());
    }

    /// With more directions of links than estimates are chained for, costs are the same.
    #[test]
    fn many_links_are_as_cheap_as_few(
        field in fields(4),
        between in prop::array::uniform2(places(4)),
        drawn in prop::collection::vec(drawn(4), 1..4),
    ) {
        let mesh = mesh_of(&field);
        let space = mesh.space();
        let Some(ends) = ends(&space, between) else { return Ok(()) };
        let cost = |links: &NavLinks<PolygonId>| {
            find(space, links, Keys(1), ends).way.ok().map(|way| way.cost)
        };
        let few = laid(&space, &drawn);
        let again: Vec<Drawn> = drawn.iter().copied().cycle().take(drawn.len() * 140).collect();
        prop_assert_eq!(cost(&laid(&space, &again)), cost(&few));
    }
}

/// Two rooms, a polygon each, with a wall between.
fn rooms() -> NavMesh {
    let grid = Grid::from_rows(&["....#....", "....#....", "....#...."]).unwrap();
    NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap()
}

fn at(x: f32, z: f32) -> Vec3 {
    Vec3::new(x, 0.0, z)
}

fn door(space: &NavMeshSpace<'_>, z: f32) -> NavLink<PolygonId> {
    let points = LinkPoints { from: at(3.5, z), to: at(5.5, z), radius: 0.25 };
    NavLink::on_mesh(space, points, Crossing::Seconds(1.0)).unwrap()
}

fn point(space: &NavMeshSpace<'_>, x: f64, z: f64) -> MeshPoint {
    locate(space, [x, z]).unwrap()
}

#[test]
fn ends_are_points_and_not_polygons() {
    let mesh = rooms();
    let space = mesh.space();
    let mut links = NavLinks::new(1.0);
    // The second door costs less, but it lies farther from both ends.
    let near = links.add(&space, door(&space, 0.5)).unwrap();
    let far = NavLink { crossing: Crossing::Seconds(0.5), ..door(&space, 2.5) };
    let far = links.add(&space, far).unwrap();
    let ends = [point(&space, 3.0, 0.5), point(&space, 6.0, 0.5)];
    let taken = |links: &NavLinks<PolygonId>| {
        let way = find(space, links, Keys::NONE, ends).way.unwrap();
        (way.stretches[0].link.unwrap().link, way.cost, way.length())
    };
    assert_eq!(taken(&links), (near, 2000, 1.0));
    links.post_wait(near, 60.0);
    assert_eq!(taken(&links).0, far);
    links.post_wait(near, 0.0);
    links.set_gate(far, Gate::Closed);
    links.set_gate(near, Gate::Locked);
    assert_eq!(taken(&links).0, near); // a lock without a key keeps nobody out
    links.set_gate(near, Gate::Closed);
    let refused = find(space, &links, Keys::NONE, ends).way.unwrap_err();
    let MeshOutcome::Unreachable { reason: NoPath::DifferentIslands { .. }, nearest } = refused
    else {
        panic!("{refused}")
    };
    assert_eq!(nearest.points, [ends[0]]);
}

#[test]
fn links_may_join_points_of_one_polygon() {
    let grid = Grid::from_rows(&["................"]).unwrap();
    let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    let space = mesh.space();
    let points = LinkPoints { from: at(2.0, 0.5), to: at(14.0, 0.5), radius: 0.0 };
    let belt = NavLink::on_mesh(&space, points, Crossing::Seconds(2.0)).unwrap().one_way();
    assert_eq!(belt.from, belt.to);
    let mut links = NavLinks::new(1.0);
    links.add(&space, belt).unwrap();
    let [left, right] = [point(&space, 1.0, 0.5), point(&space, 15.0, 0.5)];
    let cost = |ends| find(space, &links, Keys::NONE, ends).way.unwrap().cost;
    assert_eq!(cost([left, right]), 1000 + 2000 + 1000);
    assert_eq!(cost([right, left]), 14_000);
    let nowhere = LinkPoints { to: points.from, ..points };
    let nowhere = NavLink::on_mesh(&space, nowhere, Crossing::Seconds(2.0)).unwrap();
    assert_eq!(links.add(&space, nowhere), Err(NavLinkError::Loop));
}

#[test]
fn ends_are_joined_within_the_radius_of_use() {
    let mesh = rooms();
    let space = mesh.space();
    let on_mesh = |from: f32, radius: f32| {
        let points = LinkPoints { from: at(from, 1.5), to: at(5.5, 1.5), radius };
        NavLink::on_mesh(&space, points, Crossing::Seconds(1.0))
    };
    assert_eq!(on_mesh(4.3, 0.2), Err(NavLinkError::From(Obstruction::OffMap)));
    assert_eq!(on_mesh(f32::NAN, 0.2), Err(NavLinkError::From(Obstruction::OffMap)));
    let joined = on_mesh(4.3, 0.4).unwrap();
    assert_eq!(joined.points.unwrap().from, at(4.0, 1.5));
    let mut links = NavLinks::new(1.0);
    for radius in [-1.0, f32::NAN, f32::INFINITY] {
        let points = joined.points.map(|points| LinkPoints { radius, ..points });
        let refused = links.add(&space, NavLink { points, ..joined });
        assert!(matches!(refused, Err(NavLinkError::Radius(_))), "{radius}: {refused:?}");
    }
}

#[test]
fn limits_hold_for_the_whole_way() {
    let mesh = rooms();
    let space = mesh.space();
    let mut links = NavLinks::new(1.0);
    links.add(&space, door(&space, 1.5)).unwrap();
    let linked = links.over(space, Keys::NONE);
    let query = MeshQuery::new(point(&space, 1.5, 1.5), point(&space, 7.5, 1.5));
    let limited = |length: f64| {
        let query = query.max_length(length);
        let mut search = MeshWaySearch::new(query, GroundSearch::Suited);
        search.finish(&linked, &mut MeshScratch::new(), &mut ()).way
    };
    assert_eq!(limited(5.0).unwrap().cost, 5000);
    assert!(matches!(limited(4.9), Err(MeshOutcome::LimitReached { limit: Limit::Cost, .. })));
    let fresh = MeshWaySearch::new(query, GroundSearch::Suited).answer().way;
    assert!(matches!(fresh, Err(MeshOutcome::LimitReached { limit: Limit::Expansions, .. })));
}

#[test]
fn an_obstacle_on_an_end_moves_it_within_the_radius_of_use_or_shuts_the_link() {
    let mut live = LiveMesh::new(rooms());
    let mut links = NavLinks::new(1.0);
    let made = door(&live.mesh().space(), 1.5);
    let id = links.add(&live.mesh().space(), made).unwrap();
    let ends = |live: &LiveMesh| {
        let space = live.mesh().space();
        [point(&space, 0.5, 0.5), point(&space, 7.5, 1.5)]
    };
    let barrel = |x: f32, radius: f32| {
        let prism = Prism::cylinder(at(x, 1.5), radius, 1.0).unwrap();
        Carving { prism, ground: CarvedGround::Blocked }
    };
    let before = find(live.mesh().space(), &links, Keys::NONE, ends(&live)).way.unwrap().cost;
    // Elsewhere in the room: the end may be in another polygon now, but at the same place.
    let aside = live.insert(barrel(1.5, 0.4)).unwrap();
    links.follow(&live.mesh().space());
    assert_eq!(links.places(&live.mesh().space(), id), Some([at(3.5, 1.5), at(5.5, 1.5)]));
    let around = find(live.mesh().space(), &links, Keys::NONE, ends(&live)).way.unwrap();
    assert!(around.cost >= before);
    // On the end, but with ground within 25 cm of it.
    let beside = live.insert(barrel(3.6, 0.2)).unwrap();
    assert!(links.follow(&live.mesh().space()));
    let [from, _] = links.places(&live.mesh().space(), id).unwrap();
    let moved = from.distance(at(3.5, 1.5));
    assert!((0.05..0.25).contains(&moved), "{moved}");
    // Over all of it.
    let over = live.insert(barrel(3.5, 0.4)).unwrap();
    assert!(links.follow(&live.mesh().space()));
    assert_eq!(links.places(&live.mesh().space(), id), None);
    assert!(find(live.mesh().space(), &links, Keys::NONE, ends(&live)).way.is_err());
    for carving in [over, beside, aside] {
        live.remove(carving).unwrap();
    }
    assert!(links.follow(&live.mesh().space()));
    assert!(!links.follow(&live.mesh().space()), "nothing has changed since");
    let after = find(live.mesh().space(), &links, Keys::NONE, ends(&live)).way.unwrap().cost;
    assert_eq!(after, before);
}
