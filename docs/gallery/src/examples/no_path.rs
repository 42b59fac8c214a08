//! # No path, and why
//!
//! Two islands. The answer names the reason, and what would open a path.

use wayfare::search::AlgorithmId;
use wayfare_draw::{Panel, Theme};
use wayfare_site::{EndpointTexts, OpenOptions, SearchRequest, View, choose_ends, explain, open};

use crate::shared::{Drawn, Result};

pub(super) fn draw() -> Result {
    let mut site = open("worlds/two-islands.txt", &OpenOptions::default())?;
    let ends = choose_ends(site.as_ref(), EndpointTexts::default())?.ends;
    let request = SearchRequest::new(AlgorithmId::AStar, ends);
    let why = explain(site.as_ref(), &request, &mut |_expanded| ())?;
    let remedy = why.remedies.first().ok_or("nothing helps")?;
    site.adapt(&remedy.change, ends.start)?;
    let report = site.searcher().run(&request, &mut |_expanded| ());

    let scenery = site.scenery(&Theme::DARK, &View::default())?;
    let steps = report.path.iter().map(|step| (step.state, step.action));
    let panel = Panel::new(scenery.as_ref()).title("Two islands").path_steps(steps);
    let reason = why.reason.as_deref().unwrap_or_default();
    Ok(Drawn::new(panel.draw()?, format!("{reason}; there is a path {}", remedy.sentence)))
}
