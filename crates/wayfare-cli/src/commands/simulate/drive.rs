//! The simulation itself, tick by tick, and its recording.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use glam::Vec3;
use wayfare::simulation::{Event, Overlap};
use wayfare_draw::Shot;
use wayfare_site::SimulationSession;

use super::cinema::Cinema;
use super::measures::Measures;
use super::trajectory::Tables;
use crate::failure::Failure;
use crate::report::{Bar, Printer};

/// How a simulation is run.
pub(super) struct Drive {
    /// The tick to end with.
    pub(super) until: u64,
    pub(super) hashes: bool,
    pub(super) audit: bool,
    /// The seconds from shot to shot, where a film is made.
    pub(super) every: Option<f64>,
    /// The moment of the still, where one is made.
    pub(super) still: Option<f64>,
    /// The tick after which a snapshot is written.
    pub(super) save_at: Option<u64>,
}

/// A snapshot that was written.
pub(super) struct Saved {
    pub(super) file: PathBuf,
    pub(super) tick: u64,
    pub(super) bytes: usize,
}

/// The recording of a simulation.
#[derive(Default)]
pub(super) struct Recording {
    pub(super) shots: Vec<Shot>,
    pub(super) still: Option<Shot>,
    pub(super) hashes: Vec<(u64, u64)>,
    /// By agent.
    pub(super) walks: Vec<Walk>,
    pub(super) saved: Option<Saved>,
    /// The first fault that the audit found, where the simulation ended.
    pub(super) fault: Option<String>,
    /// Warnings of points of behaviours that their agents cannot reach.
    pub(super) out_of_reach: Vec<String>,
    /// The longest overlap that the audit saw.
    pub(super) overlap: Option<Overlap>,
    /// The time of the ticks, without drawing and recording.
    pub(super) elapsed: Duration,
}

/// The record of an agent.
#[derive(Clone, Default)]
pub(super) struct Walk {
    pub(super) name: String,
    pub(super) team: u16,
    /// The distance that it walked, in metres; without distances inside links.
    pub(super) walked: f64,
    pub(super) arrivals: u64,
    pub(super) no_paths: u64,
    pub(super) crossings: u64,
    /// Its last activity.
    pub(super) activity: String,
    at: Vec3,
}

impl Drive {
    /// Runs it to its end.
    pub(super) fn run(
        &self,
        simulation: &mut dyn SimulationSession,
        cinema: Option<&Cinema<'_>>,
        tables: &mut Tables,
        measures: &mut Option<Measures>,
        save: &mut dyn FnMut(&dyn SimulationSession) -> Result<Saved, Failure>,
        printer: &mut Printer,
    ) -> Result<Recording, Failure> {
        let mut recording = Recording::default();
        recording.greet(simulation);
        let begin = simulation.now();
        self.keep(simulation, cinema, &mut recording);
        tables.add(simulation, &recording.walks)?;
        measures.as_mut().map_or(Ok(()), |measures| measures.look(simulation))?;
        let mut bar = Bar::new("simulating");
        while simulation.now() < self.until {
            let clock = Instant::now();
            simulation.tick();
            recording.elapsed += clock.elapsed();
            let now = simulation.now();
            recording.follow(simulation);
            if self.hashes {
                let hash = simulation.hash();
                if !printer.is_json() {
                    printer.line(format!("{now} {hash:016x}"))?;
                }
                recording.hashes.push((now, hash));
            }
            self.keep(simulation, cinema, &mut recording);
            tables.add(simulation, &recording.walks)?;
            measures.as_mut().map_or(Ok(()), |measures| measures.look(simulation))?;
            if self.audit
                && let Err(fault) = simulation.audit()
            {
                recording.fault = Some(fault.to_string());
                break;
            }
            if self.save_at == Some(now) {
                recording.saved = Some(save(simulation)?);
            }
            bar.set(now - begin, self.until - begin);
        }
        recording.overlap = simulation.longest_overlap();
        recording.part(simulation);
        Ok(recording)
    }

    /// Records the requested data of the present moment.
    fn keep(
        &self,
        simulation: &dyn SimulationSession,
        cinema: Option<&Cinema<'_>>,
        recording: &mut Recording,
    ) {
        let Some(cinema) = cinema else { return };
        let seconds = simulation.seconds();
        // A hair less than asked for: times are sums of ticks.
        let is_due = |moment: f64| seconds + 1e-9 >= moment;
        if self.every.is_some_and(|every| is_due(recording.shots.len() as f64 * every)) {
            recording.shots.push(cinema.shoot(simulation));
        }
        let is_last = simulation.now() == self.until;
        let is_still = self.still.is_some_and(|moment| is_due(moment) || is_last);
        if is_still && recording.still.is_none() {
            recording.still = Some(cinema.shoot(simulation));
        }
    }
}

impl Recording {
    /// Adds every present agent.
    fn greet(&mut self, simulation: &dyn SimulationSession) {
        simulation.for_each_agent(&mut |agent| {
            let number = agent.agent as usize;
            if self.walks.len() <= number {
                self.walks.resize_with(number + 1, Walk::default);
            }
            let walk = &mut self.walks[number];
            walk.name = agent.name.to_owned();
            walk.team = agent.team;
            walk.at = agent.position.into();
        });
    }

    /// Records every agent's activity at the end.
    fn part(&mut self, simulation: &dyn SimulationSession) {
        for walk in &mut self.walks {
            "gone".clone_into(&mut walk.activity);
        }
        for (agent, walk) in (0..).zip(&mut self.walks) {
            if let Some(occupation) = simulation.occupation(agent) {
                walk.activity = occupation.text;
            }
        }
    }

    /// Adds each agent's distance and events in a tick.
    fn follow(&mut self, simulation: &dyn SimulationSession) {
        simulation.for_each_agent(&mut |agent| {
            let Some(walk) = self.walks.get_mut(agent.agent as usize) else { return };
            let at = Vec3::from(agent.position);
            if agent.inside.is_none() {
                walk.walked += f64::from(walk.at.distance(at));
            }
            walk.at = at;
        });
        for event in &simulation.events().events {
            if let Event::OutOfReach { agent, point, reason, .. } = event {
                let name = self.walks.get(agent.0 as usize).map_or("an agent", |walk| &walk.name);
                let Vec3 { x, y, z } = *point;
                let warning = format!("{name} is to go to ({x}, {y}, {z}): {reason}");
                self.out_of_reach.push(warning);
            }
            let (agent, count): (_, fn(&mut Walk) -> &mut u64) = match event {
                Event::Arrived(agent) => (*agent, |walk| &mut walk.arrivals),
                Event::NoPath { agent, .. } => (*agent, |walk| &mut walk.no_paths),
                Event::Entered(agent, _) => (*agent, |walk| &mut walk.crossings),
                _ => continue,
            };
            if let Some(walk) = self.walks.get_mut(agent.0 as usize) {
                *count(walk) += 1;
            }
        }
    }
}
