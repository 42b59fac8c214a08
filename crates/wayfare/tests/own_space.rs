//! A space of a user's own through everything that takes spaces: the grid of hexagons of the
//! examples.

#[path = "../examples/hexagons.rs"]
mod hexagons;
#[path = "../../wayfare-core/tests/common/oracle.rs"]
mod oracle;

use std::collections::BTreeMap;

use hexagons::HexGrid;
use oracle::oracle;
use proptest::prelude::*;
use wayfare::path::validate;
use wayfare::plan::Finished;
use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare::search::{
    FieldQuery, FleeQuery, Guarantee, Options, ReachableQuery, distance_field, flee, nearest_goal,
    nearest_reachable, reachable,
};
use wayfare::simulation::Fixed;
use wayfare::space::{Cell as Hex, Cost};

fn any_hexagons() -> impl Strategy<Value = HexGrid> {
    (1usize..8, 1usize..8).prop_flat_map(|(width, height)| {
        let row = prop::collection::vec(prop::sample::select(b"1112359###".to_vec()), width);
        prop::collection::vec(row, height).prop_map(move |rows| {
            let hexagons: String = rows.into_iter().flatten().map(char::from).collect();
            HexGrid::new(width as i32, &hexagons)
        })
    })
}

/// One of the free hexagons, if there is any.
fn pick(grid: &HexGrid, seed: usize) -> Option<Hex> {
    let free: Vec<Hex> = all(grid).into_iter().filter(|&hex| grid.check(hex).is_ok()).collect();
    free.get(seed % free.len().max(1)).copied()
}

fn all(grid: &HexGrid) -> Vec<Hex> {
    (0..grid.state_bound() as u32).map(Hex::from_index).collect()
}

/// The costs of all pairs, by the Bellman-Ford algorithm.
fn costs(grid: &HexGrid) -> Vec<BTreeMap<u32, u64>> {
    let states = all(grid);
    states.iter().map(|&from| oracle(grid, &states, from)).collect()
}

#[test]
fn the_example_runs() {
    hexagons::main();
}

#[test]
fn a_body_walks_over_it() -> Result<(), Box<dyn std::error::Error>> {
    let world = Fixed::new(HexGrid::new(6, "111#1119##11111111"));
    let settings = SimulationSettings::default();
    let mut simulation = Simulation::new(world, NavLinks::new(1.5), settings)?;
    let class = simulation.add_class(ProfileId::default(), Keys::NONE)?;
    let walker = simulation.add_agent(AgentSpec::new("walker", class, Vec3::ZERO))?;
    simulation.order(walker, Order::GoTo(5.0 * Vec3::X));
    (0..200).for_each(|_| _ = simulation.tick());
    let walker = simulation.agent(walker).ok_or("it is there")?;
    assert_eq!(walker.position(), 5.0 * Vec3::X);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_search_of_the_catalog_keeps_its_promise_sliced_and_whole(
        grid in any_hexagons(),
        ends in any::<(usize, usize)>(),
        slice in 1u64..9,
    ) {
        let (Some(start), Some(goal)) = (pick(&grid, ends.0), pick(&grid, ends.1)) else { return Ok(()) };
        let truth = oracle(&grid, &all(&grid), start).get(&goal.index()).copied();
        for &algorithm in AlgorithmId::ALL {
            let options = Options::default();
            let query = Query::new(start, goal).max_expansions(20_000);
            let (mut scratch, mut whole, mut sliced) = (Scratch::new(), Trace::new(), Trace::new());
            let answer = algorithm.search(&options, query.clone()).finish(&grid, &mut scratch, &mut whole);
            let mut search = algorithm.search(&options, query);
            while search.step(&grid, &mut scratch, &mut sliced, slice) == Progress::Working {}
            prop_assert_eq!(&search.answer(&grid, &mut scratch), &answer, "{} in slices", algorithm);
            prop_assert_eq!(whole.hash(), sliced.hash(), "{} in slices", algorithm);
            match (answer.outcome, truth) {
                (Outcome::Found(path), Some(truth)) => {
                    prop_assert_eq!(validate(&grid, &path, start, goal), Ok(()), "{}", algorithm);
                    let cost = path.cost().to_u64();
                    match algorithm.info().guarantee {
                        Guarantee::Optimal => prop_assert_eq!(cost, truth, "{}", algorithm),
                        Guarantee::Bounded => {
                            prop_assert!(cost as f64 <= truth as f64 * f64::from(options.weight.get()));
                        }
                        _ => prop_assert!(cost >= truth, "{}", algorithm),
                    }
                }
                (Outcome::Unreachable { .. }, None) => {}
                // Iterative deepening comes by every state again and again.
                (Outcome::LimitReached { .. }, _) if algorithm == AlgorithmId::IdaStar => {}
                (other, truth) => prop_assert!(false, "{algorithm}: {other}, but {truth:?}"),
            }
        }
    }

    #[test]
    fn fields_areas_flight_and_nearest_goals_agree_with_the_oracle(
        grid in any_hexagons(),
        picks in any::<[usize; 3]>(),
        most in 0u32..30,
    ) {
        let [Some(a), Some(b), Some(c)] = picks.map(|seed| pick(&grid, seed)) else { return Ok(()) };
        let costs = costs(&grid);
        let cost = |from: Hex, to: Hex| costs[from.index() as usize].get(&to.index()).copied();
        let outward = distance_field(&grid, FieldQuery::outward([a])).unwrap();
        let inward = distance_field(&grid, FieldQuery::inward([a])).unwrap();
        let area = reachable(&grid, ReachableQuery::new(a).max_cost(most)).unwrap();
        for hex in all(&grid) {
            prop_assert_eq!(outward.cost(hex).map(u64::from), cost(a, hex));
            prop_assert_eq!(inward.cost(hex).map(u64::from), cost(hex, a));
            let within = cost(a, hex).filter(|&cost| cost <= u64::from(most));
            prop_assert_eq!(area.get(hex).map(|reached| u64::from(reached.cost)), within);
        }

        let nearest = nearest_goal(&grid, a, &[b, c]).answer.outcome;
        let least = cost(a, b).into_iter().chain(cost(a, c)).min();
        prop_assert_eq!(nearest.path().map(|path| u64::from(path.cost())), least);
        let near = nearest_reachable(&grid, a, b).outcome;
        prop_assert_eq!(near.is_found(), cost(a, b).is_some());
        prop_assert!(near.best_effort().is_some());

        let flight = flee(&grid, FleeQuery::new(a, [b], most)).unwrap();
        let refuge = flight.path.end().unwrap();
        prop_assert_eq!(validate(&grid, &flight.path, a, refuge), Ok(()));
        prop_assert!(cost(b, refuge).unwrap_or(u64::MAX) >= cost(b, a).unwrap_or(u64::MAX));
    }

    #[test]
    fn the_planner_answers_as_a_search_does(
        grid in any_hexagons(),
        requests in prop::collection::vec(any::<(usize, usize)>(), 1..12),
        budget in 4u64..60,
    ) {
        let costs = costs(&grid);
        let mut planner = Planner::new(Jps, PlannerSettings::default());
        let mut asked = BTreeMap::new();
        for (start, goal) in requests {
            let (Some(start), Some(goal)) = (pick(&grid, start), pick(&grid, goal)) else { return Ok(()) };
            let ticket = planner.request(Request::new(ClassId(0), Query::new(start, goal)));
            asked.insert(ticket, (start, goal));
        }
        for _ in 0..10_000 {
            if asked.is_empty() {
                break;
            }
            planner.tick(|_| &grid, budget);
            for Finished { ticket, answer } in planner.finished() {
                let (start, goal) = asked.remove(&ticket).unwrap();
                let truth = costs[start.index() as usize].get(&goal.index()).copied();
                let found = answer.outcome.path().map(|path| u64::from(path.cost()));
                prop_assert_eq!(found, truth);
            }
        }
        prop_assert!(asked.is_empty(), "{} requests were never answered", asked.len());
    }
}
