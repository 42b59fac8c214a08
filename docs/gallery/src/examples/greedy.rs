//! # Greedy
//!
//! Always towards the goal: quick, and without a promise. Here it happens upon a cheapest path.

use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare_draw::Panel;

use crate::shared::{Drawn, Result, generated, scenery, steps};

pub(super) fn draw() -> Result {
    let (grid, start, goal) = generated("caves", "[caves]\nwidth = 96\nheight = 64\n", 5)?;
    let (space, mut trace) = (grid.space(), Trace::new());

    let mut search = Greedy::new().search(Query::new(start, goal));
    let answer = search.finish(&space, &mut Scratch::new(), &mut trace);
    let (expanded, path) = (answer.stats.expanded, answer.outcome.into_path());

    let scenery = scenery(&grid);
    let panel = Panel::new(&scenery).title("Greedy").search(&trace).path(&space, &path);
    let says = format!("{expanded} expanded, cost {:.2}", steps(path.cost()));
    Ok(Drawn::new(panel.draw()?, says))
}
