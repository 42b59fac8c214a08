//! Pictures of runs: files and the terminal.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use glam::Vec3;
use wayfare_draw::{
    Animation, DrawError, Panel, Picture, PropLook, PropShot, Scenery, Sheet, Theme, terminal,
};
use wayfare_site::{
    Endpoints, EngineName, OFF_MAP, PropKind, PropRecord, SearchReport, Site, View,
};

use super::{Bar, Printer};
use crate::args::{PictureArgs, ViewArg};
use crate::failure::Failure;

/// The visible parts of one run.
pub(crate) struct Drawing<'r> {
    pub(crate) title: String,
    pub(crate) caption: String,
    pub(crate) run: &'r SearchReport,
    pub(crate) ends: Endpoints,
    /// Figures of its own under the picture.
    pub(crate) figures: Vec<(&'static str, String)>,
}

/// Returns the name that people know an engine by, or its own where it is of another release.
pub(crate) fn title_of(engine: &str) -> &str {
    match engine.parse::<EngineName>() {
        Ok(known) => known.title(),
        Err(_) => engine,
    }
}

impl<'r> Drawing<'r> {
    /// Returns a run under its engine's name, with the reason for that engine beneath.
    pub(crate) fn of(run: &'r SearchReport, ends: Endpoints) -> Self {
        Self {
            title: title_of(run.method).to_owned(),
            caption: run.chosen_because.clone().unwrap_or_default(),
            run,
            ends,
            figures: Vec::new(),
        }
    }

    /// Adds a remark beneath.
    pub(crate) fn captioned(mut self, remark: Option<&str>) -> Self {
        if let Some(remark) = remark {
            let parting = if self.caption.is_empty() { "" } else { "; " };
            self.caption = format!("{remark}{parting}{}", self.caption);
        }
        self
    }

    /// Returns the states that have to be seen.
    fn states(&self) -> impl Iterator<Item = u32> + use<'r> {
        let ends = [self.ends.start, self.ends.goal];
        let path = self.run.path.iter().map(|step| step.state);
        path.chain(ends).filter(|state| *state != OFF_MAP)
    }

    fn panel<'a>(&'a self, site: &dyn Site, scenery: &'a dyn Scenery) -> Panel<'a> {
        let run = self.run;
        let unit = site.about().unit_cost;
        let mut panel = Panel::new(scenery).title(&self.title).caption(&self.caption);
        panel = panel.cost_per_unit(unit);
        if run.is_found() {
            panel = panel.cost(run.cost() as f64 / unit);
        }
        if let Some(trace) = &run.trace {
            panel = panel.search(trace);
        }
        panel = match &run.refined {
            Some(line) if line.points.iter().all(|point| site.on_picture(*point).is_some()) => {
                panel.path_points(line.points.iter().filter_map(|point| site.on_picture(*point)))
            }
            _ => panel.path_steps(run.path.iter().map(|step| (step.state, step.action))),
        };
        if self.ends.are_on_map() {
            panel = panel.endpoints(self.ends.start, self.ends.goal);
        }
        for (name, value) in &self.figures {
            panel = panel.figure(*name, value);
        }
        panel
    }
}

pub(crate) fn theme(args: &PictureArgs) -> Theme {
    args.theme()
}

/// Writes the pictures that were asked for, and returns their files.
pub(crate) fn draw(
    site: &dyn Site,
    drawings: &[Drawing<'_>],
    title: &str,
    args: &PictureArgs,
) -> Result<Vec<PathBuf>, Failure> {
    if args.outputs.is_empty() {
        return Ok(Vec::new());
    }
    let path: Vec<u32> = drawings.iter().flat_map(Drawing::states).collect();
    let scenery = scenery(site, &path, args)?;
    let panels = drawings.iter().map(|drawing| drawing.panel(site, scenery.as_ref())).collect();
    write_sheet(panels, title, args)
}

/// Returns the world as pictures show it. `path`: the states that have to be seen.
pub(crate) fn scenery<'s>(
    site: &'s dyn Site,
    path: &[u32],
    args: &PictureArgs,
) -> Result<Box<dyn Scenery + 's>, Failure> {
    let view = View {
        layers: args.view == ViewArg::Layers,
        in_terminal: false,
        cut_above: args.cut_above,
        heat: args.heat,
        rooms: args.rooms,
        path,
    };
    let file = args.outputs.first().cloned().unwrap_or_default();
    site.scenery(&theme(args), &view).map_err(|problem| Failure::Picture { path: file, problem })
}

/// Writes panels on a sheet into the files that were asked for, and returns these.
pub(crate) fn write_sheet(
    panels: Vec<Panel<'_>>,
    title: &str,
    args: &PictureArgs,
) -> Result<Vec<PathBuf>, Failure> {
    let failed = |path: &Path, problem| Failure::Picture { path: path.to_path_buf(), problem };
    let sheet = Sheet::new(panels).title(title).theme(theme(args));
    for path in &args.outputs {
        write(&sheet, path).map_err(|problem| failed(path, problem))?;
    }
    Ok(args.outputs.clone())
}

fn write(sheet: &Sheet<'_>, path: &Path) -> Result<(), DrawError> {
    if extension(path) == "gif" {
        let mut bar = Bar::new(format!("drawing {}", path.display()));
        let mut progress = |done: usize, all: usize| bar.set(done as u64, all as u64);
        Animation::new(sheet.clone()).write_gif(path, &mut progress)?;
        Ok(())
    } else {
        write_still(&sheet.draw()?, path)
    }
}

fn extension(path: &Path) -> OsString {
    path.extension().unwrap_or_default().to_ascii_lowercase()
}

/// Writes a picture that does not move.
pub(crate) fn write_still(picture: &Picture, path: &Path) -> Result<(), DrawError> {
    if extension(path) == "svg" { picture.write_svg(path) } else { picture.write_png(path) }
}

/// Returns the parts of puzzles on the picture of a world; none if it cannot show them.
pub(crate) fn prop_shots(site: &dyn Site, props: &[PropRecord]) -> Vec<PropShot> {
    let at = |point: Vec3| site.on_picture(point);
    let shot = |prop: &PropRecord| {
        let centre = Vec3::from(prop.position);
        let (middle, side) = (at(centre)?, at(centre + prop.side * Vec3::X)?);
        Some(PropShot { look: prop_look(prop.kind), at: middle, side: middle.distance(side) })
    };
    props.iter().filter_map(shot).collect()
}

/// Returns a part of a puzzle as it is drawn.
pub(crate) fn prop_look(kind: PropKind) -> PropLook {
    match kind {
        PropKind::Door { is_open } => PropLook::Door { is_open },
        PropKind::HeavyDoor { is_open } => PropLook::HeavyDoor { is_open },
        PropKind::Gap { is_bridged } => PropLook::Gap { is_bridged },
        PropKind::Plate { is_loaded } => PropLook::Plate { is_loaded },
        PropKind::Lever { is_on } => PropLook::Lever { is_on },
        PropKind::Key => PropLook::Key,
        PropKind::Crate => PropLook::Crate,
        PropKind::Hook => PropLook::Hook,
        PropKind::Winch => PropLook::Winch,
        PropKind::Platform { is_here } => PropLook::Platform { is_here },
    }
}

/// Draws a run in the terminal.
pub(crate) fn print_in_terminal(
    site: &dyn Site,
    drawing: &Drawing<'_>,
    args: &PictureArgs,
    printer: &mut Printer,
) -> Result<(), Failure> {
    /// The widest picture; more is a wall of colour.
    const COLUMNS: u16 = 100;
    let theme = theme(args);
    let columns = terminal_size::terminal_size().map_or(80, |(width, _)| width.0).min(COLUMNS);
    let failed = |problem| Failure::Picture { path: PathBuf::from("terminal"), problem };
    let path: Vec<u32> = drawing.states().collect();
    let view = View {
        layers: true,
        in_terminal: true,
        cut_above: args.cut_above,
        heat: args.heat,
        rooms: args.rooms,
        path: &path,
    };
    let scenery = site.scenery(&theme, &view).map_err(failed)?;
    let panel = drawing.panel(site, scenery.as_ref());
    let text = terminal::render(&panel, &theme, columns.into(), printer.colours());
    printer.text(&text.map_err(failed)?)
}
