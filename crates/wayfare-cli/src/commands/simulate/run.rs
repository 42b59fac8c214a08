//! From the arguments to the outputs.

use std::path::{Path, PathBuf};

use wayfare::simulation::Environment;
use wayfare_world::{Staged, Staging};

use super::cinema::{Cinema, Lens};
use super::drive::{Drive, Recording, Saved};
use super::snapshot::{self, Fingerprint};
use super::summary;
use super::trajectory;
use crate::args::{MovementArgs, SimulateArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::Printer;
use crate::site::{self, Site};

pub(crate) fn run(args: &SimulateArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let staging = Staging::open(&args.scene, args.seed)?;
    let fingerprint = Fingerprint::of(&args.scene)?;
    match staging {
        Staging::Grid(staged) => simulate(args, staged, fingerprint, printer),
        Staging::Waypoints(staged) => simulate(args, staged, fingerprint, printer),
        Staging::Voxels(staged) => simulate(args, staged, fingerprint, printer),
    }
}

fn simulate<W>(
    args: &SimulateArgs,
    mut staged: Staged<W>,
    fingerprint: Fingerprint,
    printer: &mut Printer,
) -> Result<Exit, Failure>
where
    W: Environment + Clone,
    W::State: serde::Serialize + serde::de::DeserializeOwned,
    W::Cost: serde::Serialize + serde::de::DeserializeOwned,
    W::Edit: serde::Serialize + serde::de::DeserializeOwned,
{
    let until = args.ticks.unwrap_or(staged.ticks);
    if let Some(file) = &args.resume {
        snapshot::resume(&mut staged, file, fingerprint)?;
        let now = staged.simulation.now();
        if now >= until {
            return Err(Failure::Usage(format!(
                "{} was saved after tick {now}, but the simulation is to end after {until}: raise --ticks",
                file.display()
            )));
        }
    }
    let begin = staged.simulation.now();
    if let Some(at) = args.save_at.filter(|at| !(begin..=until).contains(at)) {
        return Err(Failure::Usage(format!(
            "--save-at {at} lies outside the ticks {begin} to {until} that are simulated"
        )));
    }
    let tick_seconds = f64::from(staged.simulation.settings().tick_seconds);
    if let Some(at) = args.at.filter(|at| *at > until as f64 * tick_seconds) {
        let end = until as f64 * tick_seconds;
        return Err(Failure::Usage(format!("--at {at}: the simulation ends after {end} s")));
    }

    let wants = |known: &[&str]| {
        let extension = |file: &PathBuf| extension(file);
        args.outputs.iter().map(extension).any(|extension| known.contains(&extension.as_str()))
    };
    let is_filmed = wants(&["gif"]) || (wants(&["svg"]) && args.at.is_none());
    let has_stills = wants(&["png"]) || (wants(&["svg"]) && args.at.is_some());
    let site: Option<Box<dyn Site>> = if is_filmed || has_stills {
        Some(site::open(&args.scene, &MovementArgs::default())?)
    } else {
        None
    };
    let theme = args.theme.theme();
    let scenery = site
        .as_deref()
        .map(|site| site::whole_scenery(site, &theme).map_err(|error| picture(args, error)))
        .transpose()?;
    let lens = site.as_deref().zip(scenery.as_deref());
    let lens = lens.map(|(site, scenery)| Lens { site, scenery });
    let cinema = lens.as_ref().map(|lens| Cinema::new(&staged, lens, args));

    let drive = Drive {
        until,
        hashes: args.hash,
        audit: args.audit,
        rows: wants(&["csv", "json", "parquet"]),
        every: is_filmed.then(|| f64::from(args.pace) / f64::from(args.fps)),
        still: has_stills.then(|| args.at.unwrap_or(f64::INFINITY)),
        save_at: args.save.as_ref().map(|_| args.save_at.unwrap_or(until)),
    };
    let mut save = |staged: &Staged<W>| -> Result<Saved, Failure> {
        let file = args.save.as_deref().unwrap_or(Path::new(""));
        snapshot::save(staged, file, fingerprint)
    };
    let recording = drive.run(&mut staged, cinema.as_ref(), &mut save, printer)?;
    write(args, &staged, cinema.as_ref(), &recording)?;
    summary::print(args, &staged, begin, &recording, printer)?;
    Ok(if recording.fault.is_some() { Exit::Wrong } else { Exit::Done })
}

/// Writes all that was asked for.
fn write<W: Environment>(
    args: &SimulateArgs,
    staged: &Staged<W>,
    cinema: Option<&Cinema<'_>>,
    recording: &Recording,
) -> Result<(), Failure> {
    for file in &args.outputs {
        match (extension(file).as_str(), cinema) {
            ("gif", Some(cinema)) => cinema.write_gif(file, &recording.shots)?,
            ("svg", Some(cinema)) if args.at.is_none() => {
                cinema.write_svgs(&file.with_extension(""), &recording.shots)?;
            }
            ("svg" | "png", Some(cinema)) => cinema.write_still(file, recording.still.as_ref())?,
            ("csv", _) => trajectory::write_csv(file, staged, recording)?,
            ("json", _) => trajectory::write_json(file, staged, recording)?,
            #[cfg(feature = "parquet")]
            ("parquet", _) => super::parquet::write(file, staged, recording)?,
            _ => {}
        }
    }
    Ok(())
}

fn extension(file: &Path) -> String {
    file.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase()
}

fn picture(args: &SimulateArgs, problem: wayfare_draw::DrawError) -> Failure {
    Failure::Picture { path: args.outputs.first().cloned().unwrap_or_default(), problem }
}
