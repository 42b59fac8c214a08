//! # A race
//!
//! A* and Dijkstra's algorithm on one query: the same cost, and the ground that an estimate saves.

use wayfare::prelude::*;
use wayfare::search::{Options, Query};
use wayfare_draw::{Panel, Sheet};

use crate::shared::{Drawn, Result, generated, scenery};

pub(super) fn draw() -> Result {
    let (grid, start, goal) = generated("caves", "[caves]\nwidth = 96\nheight = 64\n", 5)?;
    let (space, scenery) = (grid.space(), scenery(&grid));

    let racers = [("A*", AlgorithmId::AStar), ("Dijkstra", AlgorithmId::Dijkstra)];
    let racers = racers.map(|(name, algorithm)| {
        let (mut trace, query) = (Trace::new(), Query::new(start, goal));
        let mut search = algorithm.search(&Options::default(), query);
        let answer = search.finish(&space, &mut Scratch::new(), &mut trace);
        (name, trace, answer)
    });
    let panels = racers.iter().map(|(name, trace, answer)| {
        let panel = Panel::new(&scenery).title(*name).search(trace);
        answer.outcome.path().map_or(panel.clone(), |path| panel.path(&space, path))
    });
    let sheet = Sheet::new(panels.collect());

    let [first, second] = racers.each_ref().map(|(_, _, answer)| answer.stats.expanded);
    Ok(Drawn::new(sheet.draw()?, format!("{first} against {second} expanded")))
}
