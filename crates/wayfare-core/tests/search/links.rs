//! Links, danger and jams over grids, waypoint graphs and voxel worlds, against an independent
//! oracle and an independent validator.

use crate::grids::{any_grid, pick};
use crate::oracle::oracle;
use proptest::prelude::*;
use wayfare_core::link::{
    Crossing, Gate, Keys, LinkEnd, LinkId, LinkKind, LinkedSpace, NavLink, NavLinkError, NavLinks,
};
use wayfare_core::path::{validate, validate_any_angle};
use wayfare_core::search::{
    AlgorithmId, FieldQuery, FullSpace, Guarantee, NoPath, Options, Outcome, Query, Scratch,
    Search, distance_field,
};
use wayfare_core::space::{
    Action, Cost, CostTable, NegativeCosts, Reachability, ReverseSpace, Space, StateId,
    TerrainCost, TerrainId,
};
use wayfare_grid::grid::{Grid, GridProfile};
use wayfare_grid::waypoint::{Waypoint, WaypointGraph, WaypointId, WaypointLink, WaypointLinkCost};
use wayfare_voxel::{Block, BlockId, BlockKind, VoxelGrid, VoxelProfile, VoxelSize};

/// A link before it is known between which states.
#[derive(Clone, Copy, Debug)]
struct Draft {
    from: u32,
    to: u32,
    two_way: bool,
    crossing: Crossing,
    gate: Gate,
    key: Keys,
    wait: f32,
}

/// Whole numbers of seconds make ties with ways on foot; short ones make shortcuts.
fn any_draft() -> impl Strategy<Value = Draft> {
    let crossing = prop_oneof![
        3 => (0u8..6).prop_map(|seconds| Crossing::Seconds(f32::from(seconds))),
        1 => (0.0f32..3.0).prop_map(Crossing::Seconds),
        2 => prop::sample::select(vec![0.5f32, 1.0, 2.0, 8.0]).prop_map(Crossing::Speed),
    ];
    let gate = prop::sample::select(vec![Gate::Open, Gate::Open, Gate::Closed, Gate::Locked]);
    (any::<u32>(), any::<u32>(), any::<bool>(), crossing, gate, 0u32..4, 0u8..3).prop_map(
        |(from, to, two_way, crossing, gate, key, wait)| Draft {
            from,
            to,
            two_way,
            crossing,
            gate,
            key: Keys(key),
            wait: f32::from(wait),
        },
    )
}

fn any_drafts() -> impl Strategy<Value = Vec<Draft>> {
    prop::collection::vec(any_draft(), 0..7)
}

/// Adds the drafts between those states, in turn; those that cannot be are left out.
fn lay<S: Space>(space: &S, states: &[S::State], drafts: &[Draft]) -> NavLinks<S::State> {
    let mut links = NavLinks::new(1.0);
    for draft in drafts {
        let at = |seed: u32| states[seed as usize % states.len()];
        let link = NavLink {
            two_way: draft.two_way,
            gate: draft.gate,
            key: draft.key,
            ..NavLink::new(at(draft.from), at(draft.to), draft.crossing)
        };
        match links.add(space, link) {
            Ok(id) => assert_eq!(links.post_wait(id, draft.wait), draft.wait > 0.0),
            Err(NavLinkError::Loop) => assert_eq!(link.from, link.to),
            Err(other) => panic!("{other}"),
        }
    }
    links
}

fn free_states<S: Space>(space: &S) -> Vec<S::State> {
    let ids = 0..space.state_bound() as u32;
    ids.map(S::State::from_index).filter(|&state| space.check(state).is_ok()).collect()
}

/// Everything that searches in a linked space promise, from one start to every state.
fn keeps_its_promises<S: FullSpace>(space: &S, start: S::State) -> Result<(), TestCaseError> {
    let states = free_states(space);
    let truth = oracle(space, &states, start);
    let mut scratch = Scratch::new();
    let mut edges = Vec::new();
    for &state in &states {
        space.successors(state, |edge| edges.push((state, edge)));
    }
    for (turn, &goal) in states.iter().enumerate() {
        let optimal = truth.get(&goal.index()).copied();
        if let Some(optimal) = optimal {
            prop_assert_eq!(space.reachability(start, goal), Reachability::Possible);
            prop_assert!(space.estimate(start, goal).to_u64() <= optimal);
        }
        for (state, edge) in &edges {
            let across = edge.cost.plus(space.estimate(edge.target, goal));
            prop_assert!(space.estimate(*state, goal) <= across, "{state:?} {edge:?} {goal:?}");
        }
        for (number, &algorithm) in AlgorithmId::ALL.iter().enumerate() {
            if algorithm != AlgorithmId::AStar && (turn + number) % 5 != 0 {
                continue; // each of the others on some of the goals
            }
            let options = Options::default();
            let mut search = algorithm.search(&options, Query::new(start, goal));
            let answer = search.finish(space, &mut scratch, &mut ());
            match (&answer.outcome, optimal) {
                (Outcome::Found(path), Some(optimal)) => {
                    let verdict = match algorithm.info().guarantee {
                        Guarantee::AnyAngle => validate_any_angle(space, path, start, goal),
                        _ => validate(space, path, start, goal),
                    };
                    prop_assert_eq!(verdict, Ok(()), "{}", algorithm);
                    if algorithm.info().guarantee == Guarantee::Optimal {
                        prop_assert_eq!(path.cost().to_u64(), optimal, "{}", algorithm);
                    }
                }
                (Outcome::Unreachable { .. }, None) => {}
                (other, _) => {
                    prop_assert!(false, "{algorithm}: {other}, but the oracle says {optimal:?}");
                }
            }
        }
    }
    let outward = distance_field(space, FieldQuery::outward([start])).unwrap();
    for &state in &states {
        let cost = outward.cost(state).map(Cost::to_u64);
        prop_assert_eq!(cost, truth.get(&state.index()).copied());
    }
    let inward = distance_field(space, FieldQuery::inward([start])).unwrap();
    for &state in states.iter().step_by(3) {
        let there = oracle(space, &states, state).get(&start.index()).copied();
        prop_assert_eq!(inward.cost(state).map(Cost::to_u64), there);
        if let Some(path) = inward.path(space, state) {
            prop_assert_eq!(validate(space, &path, state, start), Ok(()));
        }
    }
    Ok(())
}

/// Danger, or delays by jams, before it is known of which states.
fn any_dangers() -> impl Strategy<Value = Vec<(u32, f32)>> {
    let danger = (any::<u32>(), prop_oneof![0.0f32..3.0, 50.0f32..60.0]);
    prop_oneof![2 => Just(Vec::new()), 3 => prop::collection::vec(danger, 1..6)]
}

fn linked_keeps_its_promises<S>(
    space: S,
    drafts: &[Draft],
    [dangers, jams]: [&[(u32, f32)]; 2],
    keys: u32,
    start: u32,
) -> Result<(), TestCaseError>
where
    S: FullSpace,
    for<'l> LinkedSpace<'l, S>: FullSpace + Space<State = S::State, Cost = S::Cost>,
{
    let states = free_states(&space);
    if states.is_empty() {
        return Ok(());
    }
    let mut links = lay(&space, &states, drafts);
    for &(state, amount) in dangers {
        let state = states[state as usize % states.len()];
        links.add_danger(&space, &[state], amount);
    }
    let jams = jams
        .iter()
        .map(|&(state, delay)| (space.position(states[state as usize % states.len()]), delay));
    links.set_jams(2.0, &jams.collect::<Vec<_>>());
    let linked = links.over(space, Keys(keys));
    keeps_its_promises(&linked, states[start as usize % states.len()])
}

fn any_graph() -> impl Strategy<Value = WaypointGraph> {
    let position = prop::array::uniform2(-4i8..5);
    let link = (0u32..10, 1u32..10, 0.5f32..2.0);
    let parts = (prop::collection::vec(position, 10), prop::collection::vec(link, 0..14));
    parts.prop_map(|(positions, links)| {
        let waypoints = positions
            .into_iter()
            .map(|[x, z]| Waypoint::at([f32::from(x), 0.0, f32::from(z)].into()));
        let links = links.into_iter().map(|(from, step, multiplier)| {
            let to = (from + step) % 10;
            WaypointLink::new(WaypointId::from_index(from), WaypointId::from_index(to))
                .with_cost(WaypointLinkCost::Length { multiplier })
        });
        WaypointGraph::new(waypoints, links, NegativeCosts::Reject).unwrap()
    })
}

fn any_voxels() -> impl Strategy<Value = VoxelGrid> {
    (1u32..5, 2u32..5, 1u32..5, any::<bool>()).prop_flat_map(|(width, height, depth, flies)| {
        let size = VoxelSize { width, height, depth };
        prop::collection::vec(0u16..2, (width * height * depth) as usize).prop_map(move |blocks| {
            let mut profile = VoxelProfile { height: 1, ..VoxelProfile::default() };
            profile.abilities.fly = flies;
            let palette = [BlockKind::Air, BlockKind::Solid].map(Block::from);
            VoxelGrid::from_fn(size, &palette, profile, |at| {
                let place = (at.z * size.height + at.y) * size.width + at.x;
                BlockId(blocks[place as usize])
            })
            .unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn grids_with_links(grid in any_grid(), drafts in any_drafts(), dangers in any_dangers(), jams in any_dangers(), keys in 0u32..4, start: u32) {
        linked_keeps_its_promises(grid.space(), &drafts, [&dangers, &jams], keys, pick(&grid, start).index())?;
    }

    #[test]
    fn waypoint_graphs_with_links(graph in any_graph(), drafts in any_drafts(), dangers in any_dangers(), jams in any_dangers(), keys in 0u32..4, start: u32) {
        linked_keeps_its_promises(&graph, &drafts, [&dangers, &jams], keys, start)?;
    }

    #[test]
    fn voxel_worlds_with_links(grid in any_voxels(), drafts in any_drafts(), dangers in any_dangers(), jams in any_dangers(), keys in 0u32..4, start: u32) {
        linked_keeps_its_promises(grid.space(), &drafts, [&dangers, &jams], keys, start)?;
    }
}

fn rooms() -> Grid {
    Grid::from_rows(&["..#..#..", "..#..#..", "..#..#.."]).unwrap()
}

#[test]
fn a_link_is_a_step_of_the_path_with_its_number_as_the_action() {
    let grid = rooms();
    let at = |x, y| grid.cell(x, y).unwrap();
    let mut links = NavLinks::new(1.0);
    let space = grid.space();
    let far = NavLink::new(at(1, 0), at(6, 2), Crossing::Seconds(1.0)).kind(LinkKind::Teleport);
    let door = links.add(&space, NavLink::new(at(1, 1), at(3, 1), Crossing::Speed(2.0))).unwrap();
    let teleport = links.add(&space, far.one_way()).unwrap();
    assert_eq!((door, teleport, links.len()), (LinkId(0), LinkId(1), 2));
    assert_eq!(links.ends(teleport), Some([at(1, 0), at(6, 2)]));
    let end = LinkEnd { link: teleport, far: at(1, 0) };
    assert_eq!(links.entering(at(6, 2)).collect::<Vec<_>>(), [end]);
    assert_eq!(links.leaving(at(6, 2)).count(), 0);

    let linked = links.over(space, Keys::NONE);
    let solve = |from, to| {
        wayfare_core::search::solve(
            &linked,
            &wayfare_core::search::AStar::new(),
            Query::new(from, to),
        )
    };
    let path = solve(at(0, 0), at(7, 2)).outcome.into_path();
    let actions: Vec<Action> = path.moves().map(|step| step.action).collect();
    assert_eq!(actions, [Action::Walk, Action::Link(1), Action::Walk]);
    let path = solve(at(3, 1), at(1, 1)).outcome.into_path();
    assert_eq!(path.cost(), wayfare_core::space::STRAIGHT, "two metres at two metres a second");
    // The teleport leads one way, and labels say so at once.
    let back = solve(at(7, 2), at(0, 0));
    assert!(matches!(
        back.outcome,
        Outcome::Unreachable { reason: NoPath::DifferentIslands { .. }, .. }
    ));
    assert_eq!(back.stats.expanded, 0);
}

#[test]
fn gates_keys_and_waits_change_the_way_and_the_revision() {
    let grid = rooms();
    let at = |x, y| grid.cell(x, y).unwrap();
    let mut links = NavLinks::new(1.0);
    let [near, far] = [0, 2].map(|y| {
        let link = NavLink::new(at(1, y), at(3, y), Crossing::Seconds(2.0));
        links.add(&grid.space(), link).unwrap()
    });
    let way = |links: &NavLinks<_>, keys| {
        let linked = links.over(grid.space(), keys);
        let query = Query::new(at(1, 0), at(3, 0));
        let answer =
            wayfare_core::search::solve(&linked, &wayfare_core::search::AStar::new(), query);
        let path = answer.outcome.into_path();
        path.moves().find_map(|step| match step.action {
            Action::Link(link) => Some(LinkId(link)),
            _ => None,
        })
    };
    assert_eq!(way(&links, Keys::NONE), Some(near));
    let before = links.revision();
    assert!(links.post_wait(near, 9.6) && !links.post_wait(near, 10.4));
    assert_eq!(links.wait(near), 10);
    assert!(links.revision() > before);
    assert_eq!(way(&links, Keys::NONE), Some(far));
    assert!(links.post_wait(near, f32::NAN) && links.wait(near) == 0);
    assert!(links.set_gate(near, Gate::Closed) && !links.set_gate(near, Gate::Closed));
    assert_eq!(way(&links, Keys(u32::MAX)), Some(far));
    assert!(links.set_gate(far, Gate::Closed));
    assert_eq!(way(&links, Keys(u32::MAX)), None);
}

#[test]
fn bad_links_are_told_by_their_fault() {
    let grid = rooms();
    let at = |x, y| grid.cell(x, y).unwrap();
    let mut links = NavLinks::new(f32::NAN);
    assert_eq!(links.reference_speed(), 1.0);
    let mut fault = |from, to, crossing| {
        links.add(&grid.space(), NavLink::new(from, to, crossing)).unwrap_err().to_string()
    };
    let walk = Crossing::Seconds(1.0);
    assert!(fault(at(2, 0), at(0, 0), walk).contains("beginning stands on blocked ground"));
    assert!(fault(at(0, 0), at(2, 0), walk).contains("end stands on blocked ground"));
    assert!(fault(at(0, 0), at(0, 0), walk).contains("ends where it begins"));
    assert!(fault(at(0, 0), at(1, 0), Crossing::Seconds(f32::NAN)).contains("NaN"));
    assert!(fault(at(0, 0), at(1, 0), Crossing::Seconds(-1.0)).contains("-1"));
    assert!(fault(at(0, 0), at(1, 0), Crossing::Speed(0.0)).contains("above 0"));
}

#[test]
fn predecessors_are_the_successors_turned_round() {
    let grid = rooms();
    let at = |x, y| grid.cell(x, y).unwrap();
    let mut links = NavLinks::new(1.0);
    for (from, to) in [(at(0, 0), at(1, 0)), (at(1, 1), at(6, 1)), (at(4, 0), at(0, 2))] {
        links.add(&grid.space(), NavLink::new(from, to, Crossing::Seconds(0.5)).one_way()).unwrap();
    }
    let linked = links.over(grid.space(), Keys::NONE);
    let (mut forward, mut backward) = (Vec::new(), Vec::new());
    for state in free_states(&linked) {
        linked.successors(state, |edge| {
            forward.push((state, edge.target, edge.cost, edge.action));
            assert_eq!(linked.action(state, edge.target), edge.action);
        });
        linked.predecessors(state, |edge| {
            backward.push((edge.target, state, edge.cost, edge.action));
        });
    }
    forward.sort_unstable();
    backward.sort_unstable();
    assert_eq!(forward, backward);
}

#[test]
fn a_crossing_costs_its_time_on_plain_ground_whatever_the_map_holds() {
    let costs = CostTable::new().with(TerrainId(1), TerrainCost::multiplied(0.08));
    let cost = |far: TerrainId| {
        let terrain = [TerrainId::GROUND, TerrainId::BLOCKED, TerrainId::GROUND, far];
        let profile = GridProfile { costs: costs.clone(), ..GridProfile::default() };
        let grid = Grid::new(4, 1, &terrain, profile).unwrap();
        let at = |x| grid.cell(x, 0).unwrap();
        let mut links = NavLinks::new(1.0);
        links.add(&grid.space(), NavLink::new(at(0), at(2), Crossing::Seconds(50.0))).unwrap();
        let space = links.over(grid.space(), Keys::NONE);
        let query = Query::new(at(0), at(2));
        wayfare_core::search::solve(&space, &wayfare_core::search::AStar::new(), query)
            .outcome
            .into_path()
            .cost()
    };
    assert_eq!(cost(TerrainId::GROUND), 50 * wayfare_core::space::STRAIGHT);
    assert_eq!(cost(TerrainId(1)), 50 * wayfare_core::space::STRAIGHT, "a road elsewhere");
}

fn open(side: u32) -> Grid {
    let ground = vec![TerrainId::GROUND; (side * side) as usize];
    Grid::new(side, side, &ground, GridProfile::default()).unwrap()
}

/// Few dangers far apart, and many: each is found at its state, and nowhere else.
#[test]
fn danger_is_found_wherever_it_lies() {
    let grid = open(1_000);
    let cells: Vec<_> = grid.cells().collect();
    let last = cells.len() - 1;
    let every = |step| (0..=last).step_by(step).collect::<Vec<_>>();
    for places in [vec![0], vec![last], vec![0, last], vec![70, 71, 5_000], every(7), every(64)] {
        let mut overlay = NavLinks::new(3.0);
        for (number, &place) in places.iter().enumerate() {
            let amount = 1.0 + (number % 5) as f32;
            overlay.add_danger(&grid.space(), &[cells[place]], amount);
            if number == 100 {
                break; // one by one as far as that, the rest at once
            }
        }
        let rest: Vec<_> = places.iter().skip(101).map(|&place| cells[place]).collect();
        overlay.add_danger(&grid.space(), &rest, 9.0);
        let mut known = overlay.danger().iter().peekable();
        for &cell in &cells {
            let amount = known.next_if(|one| one.state == cell).map_or(0.0, |one| one.amount);
            assert_eq!(overlay.danger().get(cell), amount, "{cell:?} of {places:?}");
        }
        assert_eq!(known.next(), None);
    }
}

/// A move costs the delay along it more, in the midst of an area as well as over its borders.
#[test]
fn a_move_costs_the_delay_of_the_ground_along_it() {
    let grid = open(40);
    let bare = grid.space();
    let jams: Vec<_> = grid
        .cells()
        .step_by(7)
        .map(|cell| (grid.centre(cell), 0.5 + (cell.0 % 9) as f32))
        .collect();
    for side in [0.7, 1.0, 2.5, 4.0, 16.0] {
        let mut overlay = NavLinks::new(3.0);
        overlay.set_jams(side, &jams);
        let space = overlay.over(bare, Keys::NONE);
        for cell in grid.cells() {
            let mut plain = Vec::new();
            bare.successors(cell, |edge| plain.push(edge));
            space.successors(cell, |edge| {
                let before = plain.iter().find(|one| one.target == edge.target).unwrap().cost;
                let [from, to] = [cell, edge.target].map(|state| bare.position(state));
                let delay = f64::from(overlay.jams().along(from, to)) * bare.cost_per_unit();
                let more = f64::from(edge.cost - before);
                assert!((more - delay).abs() < 0.6, "{side}: {from} to {to}: {more}, not {delay}");
            });
        }
    }
}
