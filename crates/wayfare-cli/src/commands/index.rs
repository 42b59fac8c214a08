//! `index build`: the index of a grid or navigation mesh, as a file.

use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;

use serde::Serialize;
use wayfare::index::{IndexOptions, IndexStage, SightOutcome};
use wayfare_formats::write_whole;
use wayfare_site::{Site, SiteIndex};

use super::shared;
use crate::args::{IndexArgs, IndexBuildArgs, IndexCommand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::{Bar, Printer, grouped, rounded};

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'a> {
    world: &'a Path,
    index: &'a Path,
    corners: usize,
    hubs: usize,
    /// The corners in sight of polygons; only of navigation meshes.
    #[serde(skip_serializing_if = "Option::is_none")]
    views: Option<usize>,
    /// Whether the corners in sight of each cell are in the file; only of grids.
    #[serde(skip_serializing_if = "Option::is_none")]
    sight: Option<&'static str>,
    /// In memory.
    index_bytes: usize,
    file_bytes: usize,
    index_seconds: f64,
}

pub(super) fn run(args: &IndexArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let IndexCommand::Build(args) = &args.command;
    build(args, printer)
}

/// Builds the index of a site, with a progress bar.
pub(super) fn index_of(site: &dyn Site, options: IndexOptions) -> Result<SiteIndex, Failure> {
    let [mut seeing, mut ordering, mut labelling] =
        ["seeing", "ordering", "labelling"].map(Bar::new);
    let index = SiteIndex::build(site, options, &mut |progress| {
        let bar = match progress.stage {
            IndexStage::Seeing => &mut seeing,
            IndexStage::Ordering => &mut ordering,
            _ => &mut labelling,
        };
        bar.set(progress.done as u64, progress.total as u64);
        ControlFlow::Continue(())
    });
    Ok(index?)
}

fn build(args: &IndexBuildArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let site = shared::open(&args.world, &args.movement)?;
    let site = site.as_ref();
    shared::remarks(site, printer);
    let begun = Instant::now();
    let options = IndexOptions { max_bytes: (args.max_size as usize) << 20 };
    let mut index = index_of(site, options)?;
    let sight = index.note_sight(site)?.map(|outcome| match outcome {
        SightOutcome::Stored => ("stored", "the corners in sight of each cell are in the file"),
        SightOutcome::TooLarge => ("too-large", "left out: it takes more than 64 MiB"),
        SightOutcome::TooManyCorners => {
            ("too-many-corners", "left out: there are more than 65,536 corners")
        }
        _ => ("left-out", "left out"),
    });
    let seconds = begun.elapsed().as_secs_f64();
    let bytes = index.encode();
    let size = index.size();
    // Written at the end and all at once: an interrupted command leaves nothing behind.
    write_whole(&args.output, &bytes).map_err(Failure::Unwritten)?;
    let document = Document {
        world: &args.world,
        index: &args.output,
        corners: size.corners,
        hubs: size.hubs,
        views: size.views,
        sight: sight.map(|(name, _)| name),
        index_bytes: size.bytes,
        file_bytes: bytes.len(),
        index_seconds: rounded(seconds),
    };
    if printer.is_json() {
        printer.json(&document)?;
    } else {
        printer.field("world", format!("{} ({})", args.world.display(), shared::size(site)))?;
        printer.field("index", args.output.display().to_string())?;
        printer.field("corners", grouped(document.corners as u64))?;
        printer.field("hubs", grouped(document.hubs as u64))?;
        if let Some(views) = document.views {
            printer.field("views", grouped(views as u64))?;
        }
        if let Some((_, text)) = sight {
            printer.field("sight", text)?;
        }
        let [memory, file] =
            [document.index_bytes, bytes.len()].map(|size| grouped(size as u64 / 1024));
        printer.field("size", format!("{memory} KiB in memory, {file} KiB in the file"))?;
        printer.field("time", shared::time(seconds * 1e6))?;
    }
    Ok(Exit::Done)
}
