//! Output that several commands share.

use std::path::Path;

use glam::Vec3;
use serde::Serialize;
use wayfare::geometry::MAX_COORDINATE;
use wayfare::index::IndexOptions;
use wayfare::navigate::Took;
use wayfare::search::Guarantee;
use wayfare::simulation::Shape;
use wayfare_formats::FileSystem;
use wayfare_formats::inside::read_capped;
use wayfare_site::{
    About, EndpointTexts, Endpoints, EngineName, MeshSite, OFF_MAP, Preparation, PreparedEngine,
    SearchReport, SearchRequest, Searcher, Site, SiteError, SiteIndex, choose_ends,
};

use super::index::index_of;
use super::puzzles;
use crate::args::{DangerArg, EndpointArgs, MovementArgs};
use crate::failure::Failure;
use crate::report::{Printer, counted, decimals, grouped, micros};
use crate::stopwatch::clock;

/// Reads a whole file that is no world. Pipes, sockets and devices are refused: they may never end.
pub(super) fn read(file: &Path) -> Result<Vec<u8>, Failure> {
    /// None: what was made by these commands may be large.
    const CAP: u64 = u64::MAX - 1;
    Ok(read_capped(&FileSystem, file, CAP)?.into_owned())
}

/// Opens a world as asked for.
pub(super) fn open(file: &Path, movement: &MovementArgs) -> Result<Box<dyn Site>, Failure> {
    Ok(wayfare_site::open(file, &movement.options())?)
}

/// Opens a world for an agent of the class, with the keys, the full links and the danger, that
/// were named, and with the gates of its puzzles as they are at the beginning.
pub(super) fn open_with_keys(
    file: &Path,
    movement: &MovementArgs,
    args: &EndpointArgs,
) -> Result<Box<dyn Site>, Failure> {
    let mut site = match &args.class {
        Some(class) => wayfare_site::open_as(file, &movement.options(), class)?,
        None => open(file, movement)?,
    };
    if let Some(scene) = puzzles::read(file, movement)? {
        site.shut_gates(&scene.puzzles);
    }
    if !args.keys.is_empty() {
        site.hold(&args.keys)?;
    }
    site.fill(&args.full)?;
    for danger in &args.danger {
        let shape = danger_shape(danger, site.as_ref())?;
        site.fear(&shape, danger.amount)?;
    }
    Ok(site)
}

/// Returns the box that a danger covers: all heights, but among blocks.
pub(super) fn danger_shape(danger: &DangerArg, site: &dyn Site) -> Result<Shape, Failure> {
    let at = |text: &str| match site.find(text)? {
        OFF_MAP => Err(Failure::Usage(format!("the danger at {text} lies off the map"))),
        state => Ok(site.position(state)),
    };
    let (from, to) = (at(&danger.from)?, at(&danger.to)?);
    // A little more, so that rounding leaves no border out.
    let margin = Vec3::splat(1e-3);
    let (mut min, mut max) = (from.min(to) - margin, from.max(to) + margin);
    if site.about().state != "voxel" {
        (min.y, max.y) = (-MAX_COORDINATE, MAX_COORDINATE);
    }
    Ok(Shape::Box { min, max })
}

/// Returns the ends that were asked for, or chosen; the printer tells how, where that needs
/// telling.
pub(super) fn ends(
    site: &dyn Site,
    args: &EndpointArgs,
    printer: &Printer,
) -> Result<Endpoints, Failure> {
    let [from, to, route] = [&args.from, &args.to, &args.query].map(Option::as_deref);
    let chosen = choose_ends(site, EndpointTexts { from, to, route })?;
    if let Some(note) = &chosen.note {
        printer.note(note);
    }
    Ok(chosen.ends)
}

/// Returns a request with the clock beside it.
pub(super) fn request(engine: impl Into<EngineName>, ends: Endpoints) -> SearchRequest {
    SearchRequest { clock: clock(), ..SearchRequest::new(engine, ends) }
}

/// Prepares an engine for a route, with default settings; `None` for a search, which needs nothing.
pub(super) fn prepare(
    site: &dyn Site,
    searcher: &mut dyn Searcher,
    engine: EngineName,
    ends: Endpoints,
) -> Result<Option<PreparedEngine>, Failure> {
    if engine == EngineName::Index && can_be_indexed(site) {
        let index = index_of(site, IndexOptions::default())?;
        return prepare_from(site, searcher, Preparation::Index(Some(index.into()))).map(Some);
    }
    let is_on_meshes = EngineName::ON_MESHES.iter().any(|(known, _)| *known == engine);
    if is_on_meshes && site.about().kind != MeshSite::KIND {
        let About { file, kind, .. } = site.about();
        let (path, engine) = (file.clone(), engine.name());
        return Err(SiteError::NotAMesh { path, kind, engine }.into());
    }
    let usual = Preparation::usual(engine, ends);
    usual.map(|preparation| prepare_from(site, searcher, preparation)).transpose()
}

/// Returns whether indexes are for this kind of world.
fn can_be_indexed(site: &dyn Site) -> bool {
    site.grid().is_some() || site.nav_mesh().is_some()
}

/// Prepares an engine.
pub(super) fn prepare_from(
    site: &dyn Site,
    searcher: &mut dyn Searcher,
    preparation: Preparation,
) -> Result<PreparedEngine, Failure> {
    let engine = preparation.engine();
    let is_served = match engine {
        EngineName::Index => can_be_indexed(site),
        EngineName::Hierarchy => site.grid().is_some(),
        _ => true,
    };
    if !is_served {
        let About { file, kind, .. } = site.about();
        let (path, engine) = (file.clone(), engine.name());
        return Err(SiteError::NotAGrid { path, kind, engine }.into());
    }
    Ok(searcher.prepare(preparation, clock())?)
}

/// Tells that another engine answered than the one that was asked for.
pub(super) fn tell_refusal(
    site: &dyn Site,
    run: &SearchReport,
    engine: EngineName,
    printer: &Printer,
) {
    let is_mesh = site.about().kind == MeshSite::KIND;
    if let Some(refused) = run.refused {
        printer.note(format!("{} answered, not the {engine}: {refused}", run.method));
    } else if is_mesh && !matches!(engine.name(), "auto" | "polyanya" | "corridor" | "index") {
        printer.note(format!(
            "{} answered, not {engine}: navigation meshes are searched by polyanya and corridor",
            run.method
        ));
    }
}

/// The engine that answered, as JSON.
#[derive(Serialize)]
pub(super) struct TookLine {
    engine: String,
    reason: String,
    /// In units of about one expansion of A*.
    work: u64,
}

impl TookLine {
    pub(super) fn of(run: &SearchReport) -> Self {
        let Took { engine, reason, work, .. } = run.took;
        Self { engine: engine.to_string(), reason: reason.to_string(), work }
    }
}

/// An index that was read from a file.
pub(super) struct LoadedIndex {
    pub(super) index: SiteIndex,
    /// The time of reading it.
    pub(super) seconds: f64,
}

impl LoadedIndex {
    /// Reads the index of a site.
    pub(super) fn read(file: &Path, site: &dyn Site) -> Result<Self, Failure> {
        let begun = std::time::Instant::now();
        let index = SiteIndex::decode(site, file, &read(file)?)?;
        Ok(Self { index, seconds: begun.elapsed().as_secs_f64() })
    }
}

/// A world, as JSON names it.
#[derive(Serialize)]
pub(super) struct WorldLine<'s> {
    file: String,
    name: &'s str,
    kind: &'static str,
    states: u64,
}

impl<'s> WorldLine<'s> {
    pub(super) fn of(site: &'s dyn Site) -> Self {
        let about = site.about();
        Self {
            file: about.file.display().to_string(),
            name: &about.name,
            kind: about.kind,
            states: about.states,
        }
    }
}

/// The work of a search.
#[derive(Serialize, Clone, Copy)]
pub(super) struct Counters {
    pub(super) expanded: u64,
    pub(super) generated: u64,
    pub(super) reopened: u64,
    pub(super) heap_peak: usize,
    scratch_bytes: usize,
    pub(super) time_us: f64,
}

impl Counters {
    pub(super) fn of(run: &SearchReport) -> Self {
        Self {
            expanded: run.stats.expanded,
            generated: run.stats.generated,
            reopened: run.stats.reopened,
            heap_peak: run.stats.heap_peak,
            scratch_bytes: run.scratch_bytes,
            time_us: micros(run.elapsed),
        }
    }

    pub(super) fn print(&self, printer: &mut Printer) -> Result<(), Failure> {
        let Self { expanded, generated, reopened, heap_peak, scratch_bytes, time_us } = *self;
        let (expanded, generated) = (grouped(expanded), grouped(generated));
        let reopened = match reopened {
            0 => String::new(),
            times => format!(", {} reopened", grouped(times)),
        };
        printer.field("expanded", format!("{expanded} of {generated} generated{reopened}"))?;
        printer.field("heap peak", grouped(heap_peak as u64))?;
        printer.field("memory", memory(scratch_bytes))?;
        printer.field("time", time(time_us))
    }
}

/// Bytes in the unit that suits them.
pub(super) fn memory(bytes: usize) -> String {
    match bytes as f64 {
        bytes if bytes < 1024.0 * 1024.0 => format!("{} KiB", decimals(bytes / 1024.0, 1)),
        bytes => format!("{} MiB", decimals(bytes / (1024.0 * 1024.0), 1)),
    }
}

/// Returns a time in the unit that suits it.
pub(super) fn time(us: f64) -> String {
    match us {
        us if us < 1e3 => format!("{us:.1} µs"),
        us if us < 1e6 => format!("{:.2} ms", us / 1e3),
        us => format!("{:.2} s", us / 1e6),
    }
}

/// Returns "tile map of 256 cells".
pub(super) fn size(site: &dyn Site) -> String {
    let about = site.about();
    format!("{} of {}", about.kind, counted(about.states, about.state))
}

/// Returns a promise in a word or two.
pub(super) fn guarantee(guarantee: Guarantee) -> &'static str {
    match guarantee {
        Guarantee::Optimal => "optimal",
        Guarantee::Bounded => "bounded",
        Guarantee::FewestMoves => "fewest moves",
        Guarantee::AnyAngle => "any angle",
        Guarantee::None => "not optimal",
        _ => "unknown",
    }
}

/// Tells how the world was taken.
pub(super) fn remarks(site: &dyn Site, printer: &Printer) {
    for remark in &site.about().remarks {
        printer.note(remark);
    }
}

/// Warns before an algorithm is let loose on a world that is too large for it.
pub(super) fn warn_of_size(site: &dyn Site, engine: EngineName, printer: &Printer) {
    let EngineName::Search(algorithm) = engine else { return };
    let info = algorithm.info();
    let states = site.about().states;
    if let Some(most) = info.sensible_states.filter(|most| states > *most as u64) {
        let (most, states) = (grouped(most as u64), grouped(states));
        printer.warn(format!(
            "{} suits worlds of up to {most} places, and this one has {states}: it may take very long \
             (--max-expansions ends it)",
            info.name,
        ));
    }
}

/// Refuses to show a path that the validator finds fault with.
pub(super) fn check(run: &SearchReport) -> Result<(), Failure> {
    match &run.fault {
        None => Ok(()),
        Some(fault) => Err(Failure::InvalidPath { method: run.method, fault: fault.clone() }),
    }
}
