//! `convert`: from one format to another.

use std::path::Path;

use serde::Serialize;
use wayfare::space::Neighbours;
use wayfare_scene::scene::Scene;
use wayfare_scene::{World, losses, read_path_with, write_path};

use crate::args::ConvertArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::Printer;

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'a> {
    from: &'a Path,
    to: &'a Path,
    /// The losses of the new file, in words.
    lost: Vec<String>,
}

pub(super) fn run(args: &ConvertArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let mut world = read_path_with(&args.from, args.heights.options())?;
    let extension = args.to.extension().unwrap_or_default().to_ascii_lowercase();
    if let (World::TileMap(map), true) = (&world, extension == "toml") {
        world = World::Scene(Scene::from_tile_map(map, Neighbours::Eight)?);
    }
    write_path(&args.to, &world).map_err(Failure::Unwritten)?;
    let lost = losses(&args.to, &world);
    if printer.is_json() {
        printer.json(&Document { from: &args.from, to: &args.to, lost })?;
        return Ok(Exit::Done);
    }
    printer.line(format!("{} → {}", args.from.display(), args.to.display()))?;
    for lost in &lost {
        printer.note(lost);
    }
    Ok(Exit::Done)
}
