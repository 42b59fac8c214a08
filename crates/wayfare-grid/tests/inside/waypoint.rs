//! The graph against models of it, and what is generated against brute force.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use wayfare_core::path::{Path, Step, validate};
use wayfare_core::space::{
    Action, IllegalMove, LineOfSight, Measure, Metric, MoveRules, NegativeCosts, Obstruction,
    Reachability, ReverseSpace, Revision, Space, StateId,
};
use wayfare_grid::inside::tested::graph::ratio;
use wayfare_grid::waypoint::{
    Approach, AutoLink, AutoLinkCounts, AutoLinked, OpenGround, PlaceError, Rectangle, Waypoint,
    WaypointFault, WaypointGraph, WaypointId, WaypointLink, WaypointLinkCost, WaypointLinkFault,
    Ways, place_on_grid, place_poisson, place_random,
};

fn id(index: u32) -> WaypointId {
    WaypointId::from_index(index)
}

fn moves(graph: &WaypointGraph, from: WaypointId) -> Vec<(WaypointId, u64, Action)> {
    let mut moves = Vec::new();
    graph.successors(from, |edge| moves.push((edge.target, edge.cost, edge.action)));
    moves
}

fn moves_back(graph: &WaypointGraph, to: WaypointId) -> Vec<(WaypointId, u64, Action)> {
    let mut moves = Vec::new();
    graph.predecessors(to, |edge| moves.push((edge.target, edge.cost, edge.action)));
    moves
}

/// Whole coordinates, so that points coincide and lie in line.
fn waypoint() -> impl Strategy<Value = Waypoint> {
    let position = prop::array::uniform3(-3i8..4).prop_map(|p| Vec3::from(p.map(f32::from)));
    (position, 0u8..4, prop::bool::weighted(0.1)).prop_map(|(position, cost, blocked)| Waypoint {
        position,
        cost: f32::from(cost) * 0.3,
        blocked,
        name: None,
    })
}

fn link(waypoints: u32) -> impl Strategy<Value = WaypointLink> {
    let ends = (0..waypoints, 1..waypoints.max(2));
    let cost = prop_oneof![
        3 => Just(WaypointLinkCost::default()),
        1 => (0.0f32..3.0).prop_map(|multiplier| WaypointLinkCost::Length { multiplier }),
        1 => (0.0f32..9.0).prop_map(WaypointLinkCost::Fixed),
    ];
    (ends, any::<bool>(), cost, 0u8..3).prop_map(move |((from, step), both, cost, extra)| {
        WaypointLink {
            from: id(from),
            to: id((from + step) % waypoints),
            ways: if both { Ways::Both } else { Ways::One },
            cost,
            surcharge: f32::from(extra),
            action: if extra == 2 { Action::Link(7) } else { Action::Walk },
        }
    })
}

fn parts() -> impl Strategy<Value = (Vec<Waypoint>, Vec<WaypointLink>)> {
    (2u32..20).prop_flat_map(|count| {
        let waypoints = prop::collection::vec(waypoint(), count as usize);
        (waypoints, prop::collection::vec(link(count), 0..40))
    })
}

/// Whether two waypoints lie in different components.
fn are_apart(graph: &WaypointGraph, a: WaypointId, b: WaypointId) -> bool {
    graph.reachability(a, b) != Reachability::Possible
}

/// Everything that a search can see of two graphs is the same.
fn assert_alike(edited: &WaypointGraph, rebuilt: &WaypointGraph) {
    for a in (0..rebuilt.state_bound() as u32).map(id) {
        assert_eq!(moves(edited, a), moves(rebuilt, a), "{a:?}");
        assert_eq!(moves_back(edited, a), moves_back(rebuilt, a), "{a:?}");
        assert_eq!(edited.check(a).is_ok(), rebuilt.check(a).is_ok());
        assert_eq!(edited.own_cost(a), rebuilt.own_cost(a));
        for b in (0..rebuilt.state_bound() as u32).map(id) {
            assert_eq!(are_apart(edited, a, b), are_apart(rebuilt, a, b), "{a:?} and {b:?}");
        }
    }
}

/// `check_move` allows exactly the moves of `successors`, at the same cost; `predecessors` mirrors
/// them.
fn assert_rules_agree(graph: &WaypointGraph) {
    let all: Vec<_> = (0..graph.state_bound() as u32).map(id).collect();
    for &a in &all {
        let out: BTreeMap<_, _> = moves(graph, a).into_iter().map(|m| (m.0, m.1)).collect();
        for &b in &all {
            assert_eq!(graph.check_move(a, b).ok(), out.get(&b).copied(), "{a:?} to {b:?}");
            let back = moves_back(graph, b).into_iter().find(|m| m.0 == a).map(|m| m.1);
            assert_eq!(back, out.get(&b).copied());
        }
    }
}

fn assert_consistent(graph: &WaypointGraph) {
    let all: Vec<_> = (0..graph.state_bound() as u32).map(id).collect();
    for &a in &all {
        assert_eq!(graph.estimate(a, a), 0);
        for (b, cost, _) in moves(graph, a) {
            for &c in &all {
                assert!(graph.estimate(a, c) <= cost + graph.estimate(b, c), "{a:?} {b:?} {c:?}");
                let h = |from| graph.distance(Measure::Chebyshev, from, c);
                assert!(h(a) <= graph.estimate(a, c));
            }
        }
    }
}

proptest! {
    #[test]
    fn estimates_are_consistent_and_the_rules_agree(
        (waypoints, links) in parts(), far in 0.0f32..1.0e6, scale in 0.01f32..1.0e4,
    ) {
        let mut waypoints = waypoints;
        for waypoint in &mut waypoints {
            waypoint.position = waypoint.position * scale + Vec3::new(far, 0.0, far / 3.0);
        }
        let graph = WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap();
        assert_consistent(&graph);
        assert_rules_agree(&graph);
    }

    #[test]
    fn edits_equal_a_rebuild(
        (waypoints, links) in parts(),
        edits in prop::collection::vec((0u8..7, any::<u32>(), waypoint(), link(20)), 0..60),
    ) {
        let mut graph = WaypointGraph::new(waypoints.clone(), links.clone(), NegativeCosts::Reject).unwrap();
        // The model: removed waypoints stay as blocked ones without links.
        let mut removed = BTreeSet::new();
        let mut model = waypoints;
        let mut joined: BTreeMap<(WaypointId, WaypointId), WaypointLink> = BTreeMap::new();
        let put = |joined: &mut BTreeMap<_, _>, link: WaypointLink| {
            let one = WaypointLink { ways: Ways::One, ..link };
            joined.insert((link.from, link.to), one);
            if link.ways == Ways::Both {
                joined.insert((link.to, link.from), WaypointLink { from: link.to, to: link.from, ..one });
            }
        };
        links.into_iter().for_each(|link| put(&mut joined, link));
        for (kind, at, waypoint, link) in edits {
            let before = graph.revision();
            let at = id(at % model.len() as u32);
            let alive = !removed.contains(&at);
            let changed = match kind {
                0 => {
                    prop_assert_eq!(graph.add_waypoint(waypoint.clone()), Ok(id(model.len() as u32)));
                    model.push(waypoint);
                    true
                }
                1 => {
                    prop_assert_eq!(graph.remove_waypoint(at).is_ok(), alive);
                    if alive {
                        removed.insert(at);
                        model[at.0 as usize].blocked = true;
                        joined.retain(|&(from, to), _| from != at && to != at);
                    }
                    alive
                }
                2 => {
                    let blocked = !model[at.0 as usize].blocked;
                    prop_assert_eq!(graph.set_blocked(at, blocked).is_ok(), alive);
                    model[at.0 as usize].blocked = blocked || !alive;
                    alive
                }
                3 => {
                    prop_assert_eq!(graph.set_cost(at, waypoint.cost).is_ok(), alive);
                    if alive {
                        model[at.0 as usize].cost = waypoint.cost;
                    }
                    alive
                }
                4 => {
                    let is_there = joined.keys().nth(at.0 as usize).copied();
                    let (from, to) = is_there.unwrap_or((link.from, link.to));
                    prop_assert_eq!(graph.remove_link(from, to), joined.remove(&(from, to)).is_some());
                    is_there.is_some() || graph.revision() != before
                }
                _ => {
                    let ends = [link.from, link.to];
                    let sound = ends.iter().all(|end| (end.0 as usize) < model.len() && !removed.contains(end));
                    prop_assert_eq!(graph.add_link(link).is_ok(), sound);
                    if sound {
                        put(&mut joined, link);
                    }
                    sound
                }
            };
            prop_assert_eq!(graph.revision() != before, changed);
        }
        let rebuilt = WaypointGraph::new(model, joined.values().copied(), NegativeCosts::Reject).unwrap();
        assert_alike(&graph, &rebuilt);
        assert_rules_agree(&graph);
        assert_consistent(&graph);
        prop_assert_eq!(graph.len(), rebuilt.len() - removed.len());
        prop_assert!(ratio(&graph) <= ratio(&rebuilt));
        graph.tighten_estimates();
        prop_assert_eq!(ratio(&graph), ratio(&rebuilt));
        let nearest = graph.nearest(Vec3::ZERO);
        let by_hand = graph.ids().filter(|&a| graph.check(a).is_ok())
            .min_by(|&a, &b| graph.position(a).length_squared().total_cmp(&graph.position(b).length_squared()));
        prop_assert_eq!(nearest, by_hand);
    }

    #[test]
    fn nearest_pairs_equal_all_distances_sorted(
        places in prop::collection::vec(prop::array::uniform2(0i8..12), 0..60),
        nearest in 1usize..8, max_distance in prop::option::of(0.5f32..9.0),
    ) {
        let places: Vec<_> = places.iter().map(|&[x, z]| Vec3::new(f32::from(x), 0.0, f32::from(z))).collect();
        let rules = AutoLink { nearest: Some(nearest), max_distance, ..AutoLink::default() };
        let AutoLinked { links, counts } = rules.links(&places, &OpenGround::default()).unwrap();
        let mut expected = BTreeSet::new();
        for (a, from) in places.iter().enumerate() {
            let mut others: Vec<_> = (0..places.len()).filter(|&b| b != a).collect();
            others.sort_by(|&b, &c| from.distance_squared(places[b]).total_cmp(&from.distance_squared(places[c])));
            for &b in others.iter().take(nearest) {
                if max_distance.is_none_or(|max| from.distance(places[b]) <= max) {
                    expected.insert((a.min(b) as u32, a.max(b) as u32));
                }
            }
        }
        prop_assert_eq!(counts.linked, expected.len());
        prop_assert_eq!(links.iter().map(|link| (link.from.0, link.to.0)).collect::<BTreeSet<_>>(), expected);
    }
}

#[test]
fn a_move_costs_length_surcharge_and_the_own_cost_it_enters() {
    let at = |x: f32| Waypoint::at(Vec3::new(x, 0.0, 0.0));
    let lift = WaypointLink::one_way(id(2), id(0))
        .with_cost(WaypointLinkCost::Fixed(1.5))
        .with_action(Action::Link(4));
    let graph = WaypointGraph::new(
        [at(0.0), at(2.0).with_cost(0.5).with_name("bridge"), at(100.0).with_cost(-0.25)],
        [
            WaypointLink::new(id(0), id(1)).with_surcharge(0.1),
            WaypointLink::one_way(id(1), id(2))
                .with_cost(WaypointLinkCost::Length { multiplier: 2.0 }),
            lift,
        ],
        NegativeCosts::Shift,
    )
    .unwrap();
    assert_eq!(graph.cost_shift(), 0.25);
    assert_eq!(moves(&graph, id(0)), [(id(1), 2000 + 100 + 750, Action::Walk)]);
    assert_eq!(
        moves(&graph, id(1)),
        [(id(0), 2100 + 250, Action::Walk), (id(2), 196_000, Action::Walk)]
    );
    assert_eq!(moves(&graph, id(2)), [(id(0), 1500 + 250, Action::Link(4))]);
    // The lift covers 100 units for 1.5: estimates shrink to that rate.
    assert_eq!(graph.estimate(id(2), id(0)), 1499);
    assert_eq!(graph.find("bridge"), Some(id(1)));
    assert_eq!(graph.check_move(id(0), id(2)), Err(IllegalMove::NotAdjacent));
    assert_eq!(graph.check(id(3)), Err(Obstruction::OffMap));

    let step = |state, cost| Step { state: id(state), action: Action::Walk, cost };
    let mut path =
        Path { steps: vec![step(0, 0), step(1, 2850), step(2, 198_850)], revision: Revision(0) };
    assert_eq!(validate(&graph, &path, id(0), id(2)), Ok(()));
    path.steps[2].cost -= 1;
    assert!(validate(&graph, &path, id(0), id(2)).is_err());
}

#[test]
fn without_surroundings_only_links_are_lines_of_sight() {
    let places = [0.0, 1.0, 2.0].map(|x| Vec3::new(x, 0.0, 0.0));
    let links = [WaypointLink::one_way(id(0), id(1)), WaypointLink::new(id(1), id(2))];
    let graph = WaypointGraph::new(places.map(Waypoint::at), links, NegativeCosts::Reject).unwrap();
    assert!(graph.segment_is_clear(places[0], places[1]));
    assert!(!graph.segment_is_clear(places[0], places[2]));
    assert_eq!(graph.line_cost(id(0), id(2)), None);
    assert_eq!(graph.line_cost(id(1), id(0)), None);
    let open = graph.with_surroundings(Arc::new(OpenGround::default()));
    assert_eq!(open.line_cost(id(0), id(2)), Some(2000));
    assert_eq!(open.locate(Vec3::new(5.0, 0.0, 0.0), 3.0, Approach::ClearLine), Some(id(2)));
    assert_eq!(open.locate(Vec3::new(5.0, 0.0, 0.0), 2.9, Approach::Any), None);
    assert_eq!(open.nearest(Vec3::NAN), None);
}

#[test]
fn faults_name_the_place() {
    let at = |x: f32| Waypoint::at(Vec3::new(x, 0.0, 0.0));
    let build = |waypoints: Vec<Waypoint>, links: Vec<WaypointLink>| {
        WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap_err().to_string()
    };
    let pair = || vec![at(0.0), at(1.0)];
    assert_eq!(
        build(vec![at(0.0), at(0.0).with_cost(-0.5)], vec![]),
        "waypoint 1: its cost -0.5 is below 0; negative costs have to be shifted when the graph is built"
    );
    assert!(build(vec![at(f32::NAN)], vec![]).starts_with("waypoint 0: its position"));
    assert!(
        build(vec![at(0.0).with_cost(f32::INFINITY)], vec![])
            .starts_with("waypoint 0: its cost inf")
    );
    assert_eq!(
        build(pair(), vec![WaypointLink::new(id(0), id(1)), WaypointLink::new(id(1), id(9))]),
        "link 1: it names waypoint 9, which does not exist"
    );
    assert_eq!(
        build(pair(), vec![WaypointLink::new(id(1), id(1))]),
        "link 0: it joins waypoint 1 to itself"
    );
    let nan = WaypointLink::new(id(0), id(1))
        .with_cost(WaypointLinkCost::Length { multiplier: f32::NAN });
    assert_eq!(
        build(pair(), vec![nan]),
        "link 0: its multiplier NaN is not a number of at least 0"
    );
    let long = vec![at(-4.0e6), at(4.0e6)];
    assert!(
        build(long, vec![WaypointLink::new(id(0), id(1))]).starts_with("link 0: it costs 8000000")
    );
}

#[test]
fn islands_follow_edits() {
    let places = [0.0, 1.0, 2.0].map(|x| Waypoint::at(Vec3::new(x, 0.0, 0.0)));
    let links = [WaypointLink::new(id(0), id(1)), WaypointLink::new(id(1), id(2))];
    let mut graph = WaypointGraph::new(places, links, NegativeCosts::Reject).unwrap();
    let apart = |graph: &WaypointGraph| graph.reachability(id(0), id(2)) != Reachability::Possible;
    assert!(!apart(&graph));
    graph.set_blocked(id(1), true).unwrap();
    assert!(apart(&graph));
    graph.add_link(WaypointLink::one_way(id(2), id(0))).unwrap();
    assert!(!apart(&graph));
    assert!(graph.remove_link(id(2), id(0)) && apart(&graph));
    graph.set_blocked(id(1), false).unwrap();
    assert!(!apart(&graph));
    graph.remove_waypoint(id(1)).unwrap();
    assert!(apart(&graph));
    assert_eq!(graph.check(id(1)), Err(Obstruction::Removed));
    assert_eq!(graph.set_cost(id(1), 1.0), Err(WaypointFault::Missing(id(1))));
    assert_eq!(
        graph.add_link(WaypointLink::new(id(0), id(1))),
        Err(WaypointLinkFault::Dangling(id(1)))
    );
}

#[test]
fn rules_of_linking_are_checked() {
    let places = [Vec3::ZERO, Vec3::new(1.0, 2.0, 0.0), Vec3::new(9.0, 0.0, 0.0)];
    let rules = AutoLink { max_slope: Some(1.0), slope_cost: 0.5, ..AutoLink::default() };
    let AutoLinked { links, counts } =
        rules.links_with_danger(&places, &OpenGround::default(), |_, b| b.0 as f32).unwrap();
    assert_eq!(counts, AutoLinkCounts { tested: 2, linked: 2, blocked: 0, too_steep: 1 });
    // From 0 to 2 is level; from 2 to 1 climbs two units, and the way back down is free.
    let surcharges = links.iter().map(|link| (link.from.0, link.to.0, link.surcharge));
    assert_eq!(surcharges.collect::<Vec<_>>(), [(0, 2, 2.0), (1, 2, 2.0), (2, 1, 1.0 + 2.0)]);
    let bad = AutoLink { nearest: Some(0), ..rules };
    assert!(bad.links(&places, &OpenGround::default()).is_err());
    let bad = AutoLink { max_distance: Some(f32::NAN), ..rules };
    assert!(bad.links(&places, &OpenGround::default()).is_err());
    assert!(rules.links(&[Vec3::INFINITY], &OpenGround::default()).is_err());
    // From 1,000 waypoints on, no limit means the sixteen nearest.
    let row: Vec<_> = (0..1000).map(|x| Vec3::new(x as f32, 0.0, 0.0)).collect();
    let AutoLinked { links, .. } = AutoLink::default().links(&row, &OpenGround::default()).unwrap();
    assert!(links.len() < 9_000, "{}", links.len());
    let AutoLinked { links, .. } =
        AutoLink::default().links(&row[1..], &OpenGround::default()).unwrap();
    assert_eq!(links.len(), 999 * 998 / 2);
}

#[test]
fn placements_check_their_input_and_repeat_themselves() {
    let area = Rectangle::new(Vec2::new(-3.0, 2.0), Vec2::new(7.0, 22.0));
    let ground = OpenGround { y: 1.5 };
    let grid = place_on_grid(area, 2.5, &ground).unwrap();
    assert_eq!((grid.len(), grid[1]), (5 * 9, Vec3::new(-0.5, 1.5, 2.0)));
    let random = place_random(area, 40, 3, &ground).unwrap();
    assert_eq!(random, place_random(area, 40, 3, &ground).unwrap());
    assert_ne!(random, place_random(area, 40, 4, &ground).unwrap());
    assert!(random.iter().all(|p| area.contains(Vec2::new(p.x, p.z))) && random.len() == 40);
    let poisson = place_poisson(area, 1.0, 3, &ground).unwrap();
    assert_eq!(poisson, place_poisson(area, 1.0, 3, &ground).unwrap());
    assert!(poisson.len() > 110, "{}", poisson.len());

    let inside_out = Rectangle::new(area.max, area.min);
    assert!(matches!(place_random(inside_out, 1, 0, &ground), Err(PlaceError::Rectangle(_))));
    assert!(matches!(place_on_grid(area, 0.0, &ground), Err(PlaceError::Spacing(_))));
    assert!(matches!(place_poisson(area, 1e-9, 0, &ground), Err(PlaceError::TooMany(_))));
    assert!(matches!(place_poisson(area, f32::NAN, 0, &ground), Err(PlaceError::Spacing(_))));
}

#[cfg(feature = "geometry")]
mod among_obstacles {
    use super::*;
    use wayfare_grid::geometry::{Obstacle, ObstacleKind, Obstacles, SurfaceLayer};
    use wayfare_grid::waypoint::{ObstacleProbe, place_at_corners};

    /// Boxes of a street plan: 7 × 7 blocks with streets of two units between them.
    fn boxes() -> Vec<(Vec3, Vec3)> {
        let block = |i: u16| {
            let (x, z) = (f32::from(i % 7) * 6.0 + 4.0, f32::from(i / 7) * 6.0 + 4.0);
            (Vec3::new(x, 0.0, z), Vec3::new(2.0, 1.0 + f32::from(i % 3), 2.0))
        };
        (0..49).map(block).collect()
    }

    fn probe(radius: f32) -> ObstacleProbe {
        let obstacles = boxes().into_iter().map(|(center, half)| Obstacle::cuboid(center, half));
        ObstacleProbe::new(Arc::new(Obstacles::new(obstacles).unwrap()), radius)
    }

    /// Whether the segment stays out of every box, by clipping it to each one's slabs.
    fn is_clear(from: Vec3, to: Vec3, margin: f64) -> bool {
        boxes().iter().all(|(center, half)| {
            let (mut enter, mut leave) = (0.0f64, 1.0f64);
            for axis in 0..3 {
                let (a, b) = (f64::from(from[axis]), f64::from(to[axis]));
                let reach = f64::from(half[axis]) + margin;
                let (low, high) =
                    (f64::from(center[axis]) - reach, f64::from(center[axis]) + reach);
                if a == b {
                    if a < low || a > high {
                        return true;
                    }
                    continue;
                }
                let (t, u) = ((low - a) / (b - a), (high - a) / (b - a));
                enter = enter.max(t.min(u));
                leave = leave.min(t.max(u));
            }
            enter > leave
        })
    }

    #[test]
    fn links_are_clear_by_brute_force() {
        let area = Rectangle::new(Vec2::ZERO, Vec2::splat(44.0));
        let probe = probe(0.0);
        let places = place_poisson(area, 1.5, 11, &probe).unwrap();
        let rules = AutoLink { max_distance: Some(8.0), ..AutoLink::default() };
        let AutoLinked { links, counts } = rules.links(&places, &probe).unwrap();
        assert_eq!(counts.linked + counts.blocked, counts.tested);
        assert!(counts.blocked > 500 && counts.linked > 500, "{counts:?}");
        let linked: BTreeSet<_> = links.iter().map(|link| (link.from.0, link.to.0)).collect();
        for (a, b) in (0..places.len()).flat_map(|a| (0..a).map(move |b| (b, a))) {
            if places[a].distance(places[b]) < 7.99 {
                let link = linked.contains(&(a as u32, b as u32));
                assert!(!link || is_clear(places[a], places[b], -1e-4), "{a} {b}");
                assert!(link || !is_clear(places[a], places[b], 1e-4), "{a} {b}");
            }
        }
    }

    #[test]
    fn corners_of_blocks_make_a_connected_visibility_graph() {
        let area = Rectangle::new(Vec2::ZERO, Vec2::splat(44.0));
        let probe = probe(0.4);
        let places = place_at_corners(area, &probe).unwrap();
        assert_eq!(places.len(), 49 * 4);
        let AutoLinked { links, counts } = AutoLink::default().links(&places, &probe).unwrap();
        assert_eq!(counts.tested, 196 * 195 / 2);
        assert!(links.iter().all(|link| {
            let [from, to] = [link.from, link.to].map(|end| places[end.0 as usize]);
            is_clear(from, to, 0.399)
        }));
        let graph =
            WaypointGraph::new(places.into_iter().map(Waypoint::at), links, NegativeCosts::Reject)
                .unwrap()
                .with_surroundings(Arc::new(probe));
        assert!(graph.ids().all(|a| graph.reachability(id(0), a) == Reachability::Possible));
        assert_consistent(&graph);
    }

    #[test]
    fn places_stand_on_the_surface_and_clear_of_obstacles() {
        let slope = [(0, 0, 0), (20, 0, 0), (20, 10, 20), (0, 10, 20)];
        let slope = slope.map(|(x, y, z)| Vec3::new(x as f32, y as f32, z as f32)).to_vec();
        let slope = Obstacle::mesh(slope, vec![[0, 2, 1], [0, 3, 2]]);
        let obstacles = Obstacles::new([
            slope.with_kind(ObstacleKind::Surface(SurfaceLayer(2))),
            Obstacle::cylinder(Vec3::new(10.0, 5.0, 10.0), 2.0, 9.0),
        ]);
        let probe = ObstacleProbe::new(Arc::new(obstacles.unwrap()), 0.5).with_lift(0.6);
        let area = Rectangle::new(Vec2::splat(-5.0), Vec2::splat(15.0));
        let places = place_on_grid(area, 0.7, &probe).unwrap();
        assert!(places.len() > 300);
        for place in places {
            assert!((place.y - place.z / 2.0).abs() < 1e-4 && place.x >= 0.0 && place.z >= 0.0);
            assert!(Vec2::new(place.x - 10.0, place.z - 10.0).length() > 2.499);
        }
    }
}
