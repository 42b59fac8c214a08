//! Proofs of block worlds.

use wayfare_core::search::{AStar, Outcome, Query, ReachableQuery, reachable, solve};
use wayfare_core::space::Space;

use crate::proof::of_degrees;
use crate::{BlockScene, Proof, Statistic};

/// Proves paths from the entry to the exit, and to every end of a route.
pub(crate) fn of_blocks(blocks: &BlockScene) -> Result<Proof, String> {
    let scene = &blocks.scene;
    let grid = scene.to_grid(blocks.profile.clone()).map_err(|error| error.to_string())?;
    let space = grid.space();
    let mut routes = scene.routes().iter().map(|route| {
        let ends = grid.voxel(route.start).zip(grid.voxel(route.goal));
        ends.map(|ends| (route, ends)).ok_or("a route lies off the world")
    });
    let (_, (start, goal)) = routes.next().ok_or("there is no route")??;
    let answer = solve(&space, &AStar::new(), Query::new(start, goal));
    let Outcome::Found(path) = answer.outcome else {
        return Err(format!("from entry to exit: {}", answer.outcome));
    };
    let area = reachable(&space, ReachableQuery::new(start)).map_err(|error| error.to_string())?;
    for route in routes {
        let (route, (from, to)) = route?;
        if from != start || !area.contains(to) {
            return Err(format!("{} cannot be reached from the entry", route.name));
        }
    }
    let degrees = area.states().map(|state| {
        let mut degree = 0;
        space.successors(state, |_| degree += 1);
        degree
    });
    let mut statistics = of_degrees(degrees);
    let counts = scene.histogram();
    let volume: u64 = counts.iter().sum();
    statistics.extend([
        (Statistic::FreeShare, counts[0] as f32 / volume as f32),
        (Statistic::Passage, f32::from(blocks.profile.width)),
        (Statistic::Rooms, blocks.rooms as f32),
    ]);
    let steps = path.steps.iter().map(|step| (step.state, step.action));
    let length = space.length(steps) as f32;
    let at = |voxel| {
        let at = grid.position_of(voxel);
        [at.x, at.y, at.z]
    };
    let path = path.states().map(at).collect();
    Ok(Proof { length, path, statistics, ..Proof::default() })
}
