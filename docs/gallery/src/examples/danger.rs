//! # Danger
//!
//! An agent that was hurt remembers where: entering each place there costs four steps more, and the
//! next path avoids it.

use wayfare::prelude::*;
use wayfare::simulation::Shape;
use wayfare_draw::{Panel, Sheet, Theme};
use wayfare_site::{Endpoints, OpenOptions, SearchRequest, View, open};

use crate::shared::{Drawn, Result};

pub(super) fn draw() -> Result {
    let mut site = open("docs/gallery/worlds/yard.txt", &OpenOptions::default())?;
    let ends = Endpoints { start: site.find("2,7")?, goal: site.find("29,7")? };
    let request = SearchRequest::new(AlgorithmId::AStar, ends).recorded(true);
    let before = site.searcher().run(&request, &mut |_expanded| ());
    site.fear(&Shape::Ball { centre: Vec3::new(20.0, 0.0, 8.0), radius: 3.0 }, 4.0)?;
    let after = site.searcher().run(&request, &mut |_expanded| ());

    let scenery = site.scenery(&Theme::DARK, &View { heat: true, ..View::default() })?;
    let panels = [("Before", &before), ("After", &after)].map(|(title, report)| {
        let steps = report.path.iter().map(|step| (step.state, step.action));
        Panel::new(scenery.as_ref()).title(title).path_steps(steps)
    });
    let says = format!("{:.2} long before, {:.2} after", before.length, after.length);
    Ok(Drawn::new(Sheet::new(panels.into()).columns(1).draw()?, says))
}
