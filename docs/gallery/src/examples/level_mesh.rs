//! # A mesh from a level
//!
//! Triangles in, a navigation mesh out: baked when the level is opened, and searched by Polyanya
//! for the shortest line.

use wayfare::search::AlgorithmId;
use wayfare_draw::{Panel, Sheet, Theme};
use wayfare_site::{EndpointTexts, OpenOptions, SearchRequest, View, choose_ends, open};

use crate::shared::{Drawn, Result};

pub(super) fn draw() -> Result {
    let options = OpenOptions::default();
    let site = open("worlds/courtyard.obj", &options)?;
    let ends = choose_ends(site.as_ref(), EndpointTexts::default())?.ends;
    let report =
        site.searcher().run(&SearchRequest::new(AlgorithmId::Auto, ends), &mut |_expanded| ());

    let states: Vec<u32> = report.path.iter().map(|step| step.state).collect();
    let scenery = site.scenery(&Theme::DARK, &View { path: &states, ..View::default() })?;
    let steps = report.path.iter().map(|step| (step.state, step.action));
    let panel = Panel::new(scenery.as_ref()).title("A courtyard").path_steps(steps);
    let sheet = Sheet::new(vec![panel]).world_pixels(560);
    Ok(Drawn::new(sheet.draw()?, format!("{:.2} {}", report.length, site.about().unit)))
}
