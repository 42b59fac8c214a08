//! # Swimming
//!
//! A village of blocks by a lake, for an agent that swims.

use wayfare::search::AlgorithmId;
use wayfare::space::voxel::Abilities;
use wayfare_draw::{Panel, Sheet, Theme};
use wayfare_site::{EndpointTexts, OpenOptions, SearchRequest, View, choose_ends, open};

use crate::shared::{Drawn, Result};

pub(super) fn draw() -> Result {
    let options = OpenOptions {
        abilities: Some(Abilities { swim: true, ..Abilities::default() }),
        ..OpenOptions::default()
    };
    let site = open("worlds/voxel-village.voxels", &options)?;
    let ends = choose_ends(site.as_ref(), EndpointTexts::default())?.ends;
    let report =
        site.searcher().run(&SearchRequest::new(AlgorithmId::Auto, ends), &mut |_expanded| ());

    let states: Vec<u32> = report.path.iter().map(|step| step.state).collect();
    let scenery = site.scenery(&Theme::DARK, &View { path: &states, ..View::default() })?;
    let steps = report.path.iter().map(|step| (step.state, step.action));
    let panel = Panel::new(scenery.as_ref()).title("A swimmer").path_steps(steps);
    let sheet = Sheet::new(vec![panel]).world_pixels(400);
    Ok(Drawn::new(sheet.draw()?, format!("{:.2} {}", report.length, site.about().unit)))
}
