//! From the arguments to the outputs.

use std::path::{Path, PathBuf};

use wayfare::agent::{AnimationClip, BlendTree};
use wayfare::simulation::Command;
use wayfare_formats::inside::read_capped;
use wayfare_formats::{FileSystem, write_whole};
use wayfare_site::{OpenOptions, SimulationSession, Site, View, open_simulation};

use super::cinema::{Cinema, Lens};
use super::drive::{Drive, Recording, Saved};
use super::measures::Measures;
use super::summary;
use super::trajectory::Tables;
use crate::args::SimulateArgs;
use crate::commands::shared::danger_shape;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::Printer;

pub(crate) fn run(args: &SimulateArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let mut simulation = open_simulation(&args.scene, args.seed)?;
    let until = args.ticks.unwrap_or(simulation.ticks());
    if let Some(file) = &args.resume {
        simulation.resume(&read_snapshot(file)?, file)?;
        let now = simulation.now();
        if now >= until {
            return Err(Failure::Usage(format!(
                "{} was saved after tick {now}, but the simulation is to end after {until}: raise --ticks",
                file.display()
            )));
        }
    }
    let simulation = simulation.as_mut();
    if !args.danger.is_empty() {
        let site = wayfare_site::open(&args.scene, &OpenOptions::default())?;
        for danger in &args.danger {
            let (shape, amount) = (danger_shape(danger, site.as_ref())?, danger.amount);
            simulation.schedule(0, Command::Danger { shape, amount });
        }
    }
    let args = &with_clips(args, simulation);
    let begin = simulation.now();
    if let Some(at) = args.save_at.filter(|at| !(begin..=until).contains(at)) {
        return Err(Failure::Usage(format!(
            "--save-at {at} lies outside the ticks {begin} to {until} that are simulated"
        )));
    }
    let tick_seconds = f64::from(simulation.settings().tick_seconds);
    if let Some(at) = args.at.filter(|at| *at > until as f64 * tick_seconds) {
        let end = until as f64 * tick_seconds;
        return Err(Failure::Usage(format!("--at {at}: the simulation ends after {end:.2} s")));
    }

    let wants = |known: &[&str]| {
        let extension = |file: &PathBuf| extension(file);
        args.outputs.iter().map(extension).any(|extension| known.contains(&extension.as_str()))
    };
    let is_filmed = wants(&["gif"]) || (wants(&["svg"]) && args.at.is_none());
    let has_stills = wants(&["png"]) || (wants(&["svg"]) && args.at.is_some());
    let site: Option<Box<dyn Site>> = if is_filmed || has_stills {
        Some(wayfare_site::open(&args.scene, &OpenOptions::default())?)
    } else {
        None
    };
    let theme = args.theme.theme();
    let scenery = site
        .as_deref()
        .map(|site| site.scenery(&theme, &View::default()).map_err(|error| picture(args, error)))
        .transpose()?;
    let lens = site.as_deref().zip(scenery.as_deref());
    let lens = lens.map(|(site, scenery)| Lens { site, scenery });
    let cinema = lens.as_ref().map(|lens| Cinema::new(simulation, lens, args));

    let drive = Drive {
        until,
        hashes: args.hash,
        audit: args.audit,
        every: is_filmed.then(|| f64::from(args.pace) / f64::from(args.fps)),
        still: has_stills.then(|| args.at.unwrap_or(f64::INFINITY)),
        save_at: args.save.as_ref().map(|_| args.save_at.unwrap_or(until)),
    };
    let mut save = |simulation: &dyn SimulationSession| -> Result<Saved, Failure> {
        let file = args.save.clone().unwrap_or_default();
        let bytes = simulation.save().map_err(|error| Failure::Unencoded {
            path: file.clone(),
            problem: error.to_string(),
        })?;
        write_whole(&file, &bytes).map_err(Failure::Unwritten)?;
        Ok(Saved { file, tick: simulation.now(), bytes: bytes.len() })
    };
    for file in args.outputs.iter().filter(|file| extension(file) == "wkt") {
        let unwritten = |problem| Failure::Unencoded { path: file.clone(), problem };
        let ground = super::jupedsim::wkt(simulation).map_err(unwritten)?;
        write_whole(file, ground.as_bytes()).map_err(Failure::Unwritten)?;
    }
    let mut tables = Tables::create(&args.outputs, simulation, args.clips.as_ref())?;
    let mut measures = Measures::create(args, simulation)?;
    let cinema = cinema.as_ref();
    let recording =
        drive.run(simulation, cinema, &mut tables, &mut measures, &mut save, printer)?;
    tables.finish()?;
    measures.map_or(Ok(()), Measures::finish)?;
    if let Some(cinema) = cinema {
        write_pictures(args, cinema, &recording)?;
    }
    summary::print(args, simulation, begin, &recording, printer)?;
    Ok(if recording.fault.is_some() { Exit::Wrong } else { Exit::Done })
}

/// Returns the arguments with the clips of the scene, where none are given.
fn with_clips(args: &SimulateArgs, simulation: &dyn SimulationSession) -> SimulateArgs {
    let clips = &simulation.scene().clips;
    let clips = clips.iter().map(|clip| AnimationClip::new(clip.name.as_str(), clip.speed));
    // A scene that was read has sound clips; it may have none.
    let own = || BlendTree::new(clips.collect::<Vec<_>>()).ok();
    SimulateArgs { clips: args.clips.clone().or_else(own), ..args.clone() }
}

/// Writes the films and stills that were asked for.
fn write_pictures(
    args: &SimulateArgs,
    cinema: &Cinema<'_>,
    recording: &Recording,
) -> Result<(), Failure> {
    for file in &args.outputs {
        match extension(file).as_str() {
            "gif" => cinema.write_gif(file, &recording.shots)?,
            "svg" if args.at.is_none() => {
                cinema.write_svgs(&file.with_extension(""), &recording.shots)?;
            }
            "svg" | "png" => cinema.write_still(file, recording.still.as_ref())?,
            _ => {}
        }
    }
    Ok(())
}

/// Returns the bytes of a snapshot, up to 1 GiB.
fn read_snapshot(file: &Path) -> Result<Vec<u8>, Failure> {
    /// The largest snapshot that is read.
    const MOST_BYTES: u64 = 1 << 30;
    Ok(read_capped(&FileSystem, file, MOST_BYTES)?.into_owned())
}

pub(super) fn extension(file: &Path) -> String {
    file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

fn picture(args: &SimulateArgs, problem: wayfare_draw::DrawError) -> Failure {
    Failure::Picture { path: args.outputs.first().cloned().unwrap_or_default(), problem }
}
