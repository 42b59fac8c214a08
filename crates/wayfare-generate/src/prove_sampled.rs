//! Proofs of scenes that are sampled as a grid.

use wayfare_core::search::{AStar, Outcome, Query, ReachableQuery, reachable, solve};
use wayfare_core::space::Space;
use wayfare_scene::Movement;

use crate::proof::of_degrees;
use crate::{Proof, SampledScene, Statistic};

/// Proves paths from the entry to the exit, and to the ends of every other query.
pub(crate) fn of_sampled(sampled: &SampledScene) -> Result<Proof, String> {
    let world = sampled.scene.to_grid(&Movement::default()).map_err(|error| error.to_string())?;
    let grid = &world.grid;
    let space = grid.space();
    let first = world.routes.first().ok_or("there is no query")?;
    let answer = solve(&space, &AStar::new(), Query::new(first.start, first.goal));
    let Outcome::Found(path) = answer.outcome else {
        return Err(format!("from entry to exit: {}", answer.outcome));
    };
    let area =
        reachable(&space, ReachableQuery::new(first.start)).map_err(|error| error.to_string())?;
    for route in &world.routes {
        if ![route.start, route.goal].into_iter().all(|end| area.contains(end)) {
            let name = route.name.as_deref().unwrap_or("a query");
            return Err(format!("{name} has an end that cannot be reached"));
        }
    }
    let degrees = area.states().map(|state| {
        let mut degree = 0;
        space.successors(state, |_| degree += 1);
        degree
    });
    let mut statistics = of_degrees(degrees);
    let free = grid.cells().filter(|cell| space.is_free(*cell)).count();
    statistics.push((Statistic::FreeShare, free as f32 / grid.cells().count() as f32));
    let at = |cell| {
        let at = grid.coordinates(cell);
        [at.x, 0, at.y]
    };
    Ok(Proof {
        length: space.length(path.states()) as f32,
        path: path.states().map(at).collect(),
        statistics,
        ..Proof::default()
    })
}
