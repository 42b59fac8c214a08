//! A front end: opens any world, steps a search on it, prints its trace, and asks why.
//!
//! `cargo run -p wayfare-site --example front_end -- worlds/two-islands.txt`

use std::error::Error;
use std::io::{Write, stdout};
use std::path::Path;

use wayfare::search::{AlgorithmId, Progress};
use wayfare_site::{
    EndpointTexts, OpenOptions, SearchRequest, Site, TraceEventKind, choose_ends, explain, open,
};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: front_end WORLD")?;
    show(Path::new(&path), &mut stdout().lock())
}

/// Shows a world to somebody.
pub(crate) fn show(path: &Path, out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let site = open(path, &OpenOptions::default())?;
    let about = site.about();
    writeln!(out, "{}: {} of {} {}s", about.name, about.kind, about.states, about.state)?;
    let ends = choose_ends(site.as_ref(), EndpointTexts::default())?.ends;
    writeln!(out, "from {} to {}", site.place(ends.start), site.place(ends.goal))?;
    let request = SearchRequest::new(AlgorithmId::AStar, ends);
    step(site.as_ref(), &request, out)?;
    why(site.as_ref(), &request, out)
}

/// Steps a search, a hundred expansions a frame, and prints its trace.
fn step(
    site: &dyn Site,
    request: &SearchRequest,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let mut session = site.session(request);
    let mut frames = 1;
    while session.step(100) == Progress::Working {
        frames += 1;
    }
    for event in session.events().iter().take(5) {
        writeln!(
            out,
            "  {:?} {} from {}, g {}, h {}",
            event.kind,
            site.place(event.state),
            site.place(event.parent),
            event.g,
            event.h
        )?;
    }
    let report = session.finish();
    let trace = report.trace.as_ref().ok_or("the search is too long to be kept")?;
    let [expanded, generated] =
        [TraceEventKind::Expand, TraceEventKind::Generate].map(|kind| trace.count(kind));
    writeln!(out, "{expanded} expanded of {generated} generated, in {frames} frames")?;
    writeln!(
        out,
        "{}: {} steps, {:.1} {}",
        report.ending.name(),
        report.path.len(),
        report.length,
        site.about().unit
    )?;
    Ok(())
}

/// Asks why there is no path, or what the path costs.
fn why(
    site: &dyn Site,
    request: &SearchRequest,
    out: &mut dyn Write,
) -> Result<(), Box<dyn Error>> {
    let why = explain(site, request, &mut |_expanded| ())?;
    if let Some(reason) = &why.reason {
        writeln!(out, "no path: {reason}")?;
    }
    for remedy in &why.remedies {
        writeln!(out, "  there is one {}, {:.1} long", remedy.sentence, remedy.length)?;
    }
    for share in &why.shares {
        writeln!(out, "  {}: {} moves, cost {:.1}", share.ground, share.moves, share.cost)?;
    }
    Ok(())
}
