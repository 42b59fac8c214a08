//! Scenes with agents, played with many seeds and parameters.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{
    Float32Array, Float32Builder, Float64Array, ListBuilder, StringArray, UInt32Array, UInt64Array,
};
use arrow::record_batch::RecordBatch;
use serde::{Deserialize, Serialize};
use wayfare_formats::Files;
use wayfare_formats::heightmap::HeightmapOptions;
use wayfare_scene::scene::{Scene, SceneSimulation};
use wayfare_scene::{World, read_from};
use wayfare_site::{MemoryFiles, SimulationSession, open_simulation_from};

use super::checkpoint::{self, Checkpoints, Running};
use super::parameters::{ParameterFiles, ParameterSet};
use super::run::{Finished, Outcome, Watch};
use super::{Kind, curves};
use crate::plan::{Items, Planning, Slice};
use crate::rows::rows;
use crate::shard::Solving;
use crate::{BatchError, Results, faults};

/// Seconds of a tick for each agent, and of the beginning of a run. Not measured where the plan is
/// made: a plan is the same everywhere.
const SECONDS_OF_AN_AGENT: f64 = 2e-6;
const SECONDS_OF_A_RUN: f64 = 0.02;
/// The most runs of a shard.
const MOST: u64 = 100_000;

/// A scene with agents, played with many seeds and parameters: `[simulate]`. A row is a run.
///
/// | column | |
/// |---|---|
/// | `parameters`, `seed` | what tells runs apart |
/// | `status` | `done`; `no way`: agents have no path at the end; `fault`: it cannot be played |
/// | `reason` | why, unless it is `done` |
/// | `ticks`, `seconds` | the simulated time |
/// | `agents` | their number at the beginning |
/// | `arrived`, `removed` | how many are at their last goal, and were removed by an event |
/// | `gone` | the seconds after which each of these arrived or was removed, ascending |
/// | `cleared` | the last of them, if all agents are gone |
/// | `hash` | the hash of the last state |
///
/// `curves.csv` and `curves.png` show how long it takes until a share of the agents is gone.
///
/// ```toml
/// [simulate]
/// scene = "two-exits.toml"
/// seeds = 20
///
/// [simulate.parameters]
/// "agents.guest.count" = [30, 60, 90]
/// "simulation.jams" = [false, true]
/// ```
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Simulations {
    /// The scene.
    pub scene: String,
    /// The seeds in place of the scene's own: a list, or the number of consecutive ones from the
    /// job's seed on. Default: 1.
    #[serde(default)]
    pub seeds: Seeds,
    /// The length of a run in ticks. Default: as the scene says.
    pub ticks: Option<u64>,
    /// Parts of the scene's file by their path, each with a list of values: all combinations are
    /// played. In a list of tables a part of the path is the name of an element, its index, or `*`
    /// for all.
    #[serde(default)]
    pub parameters: BTreeMap<String, Vec<toml::Value>>,
    /// The ticks between two checkpoints of a worker. Default: those of 20 seconds.
    pub checkpoint_ticks: Option<u64>,
}

/// The seeds of [`Simulations`].
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[serde(untagged)]
pub enum Seeds {
    /// The number of consecutive seeds from the job's seed on.
    Count(u32),
    /// A list.
    Listed(Vec<u64>),
}

impl Default for Seeds {
    fn default() -> Self {
        Self::Count(1)
    }
}

impl Seeds {
    fn list(&self, first: u64) -> Vec<u64> {
        match self {
            Self::Count(count) => {
                (0..u64::from(*count)).map(|number| first.wrapping_add(number)).collect()
            }
            Self::Listed(seeds) => seeds.clone(),
        }
    }
}

/// Reads a scene and all files that a run of it reads. An error names the parameters.
fn read_scene(path: &Path, files: &dyn Files, set: &ParameterSet) -> Result<Scene, String> {
    let files = ParameterFiles { scene: path, set, files };
    let read = || -> Result<Scene, String> {
        let World::Scene(scene) = read(path, &files)? else {
            return Err("this is no scene; a scene is a .toml with agents".to_owned());
        };
        if scene.agents.is_empty() {
            return Err("the scene has no agents; add some under [[agents]]".to_owned());
        }
        if let Some(beside) = scene.world_beside(path).map_err(|error| error.to_string())? {
            read(&beside, &files)?;
        }
        Ok(scene)
    };
    read().map_err(|why| set.fault(path, &why))
}

fn read(path: &Path, files: &dyn Files) -> Result<World, String> {
    read_from(path, files, HeightmapOptions::default()).map_err(|error| error.to_string())
}

impl Simulations {
    fn sets(&self) -> Result<Vec<ParameterSet>, BatchError> {
        ParameterSet::all(&self.parameters).map_err(|why| BatchError::faulty("`parameters`", why))
    }

    fn ticks(&self, scene: &Scene) -> u64 {
        let usual = || scene.simulation.as_ref().map(SceneSimulation::ticks);
        self.ticks.or_else(usual).unwrap_or_else(|| SceneSimulation::default().ticks())
    }

    /// Returns about how many seconds a run takes.
    fn seconds(&self, scene: &Scene) -> f64 {
        let agents: f64 =
            scene.agents.iter().map(|agent| f64::from(agent.count.unwrap_or(1))).sum();
        SECONDS_OF_A_RUN + SECONDS_OF_AN_AGENT * agents * self.ticks(scene) as f64
    }

    /// Plays a run to its end, from a checkpoint if there is one.
    fn play(
        &self,
        shift: &mut Shift<'_>,
        seed: u64,
        from: Option<Running>,
    ) -> Result<Result<Finished, String>, BatchError> {
        let path = Path::new(&self.scene);
        let files = ParameterFiles { scene: path, set: &shift.set, files: &shift.files };
        let opened = open_simulation_from(path, &files, Some(seed));
        let mut simulation = match opened {
            Ok(simulation) => simulation,
            Err(error) => return Ok(Err(shift.set.fault(path, &error.to_string()))),
        };
        let simulation = simulation.as_mut();
        let end = self.ticks.unwrap_or(simulation.ticks());
        let mut watch = resume(simulation, from);
        while simulation.now() < end {
            faults::at_tick(shift.number, simulation.now())?;
            let events = simulation.tick();
            watch.follow(events, events.tick + 1);
            shift.tick(simulation, &watch)?;
        }
        Ok(Ok(watch.finish(simulation)))
    }
}

/// Goes on from a checkpoint, if it is of this scene. Returns the record of the run.
fn resume(simulation: &mut dyn SimulationSession, from: Option<Running>) -> Watch {
    if let Some(Running { watch, snapshot }) = from
        && simulation.resume(&snapshot, Path::new("checkpoint")).is_ok()
    {
        return watch;
    }
    Watch::new(simulation)
}

/// A shard of runs being played.
struct Shift<'s> {
    solving: &'s Solving<'s>,
    /// The number of the shard in its plan.
    number: usize,
    set: ParameterSet,
    files: MemoryFiles,
    checkpoints: Checkpoints<'s>,
    done: Vec<Outcome>,
}

impl<'s> Shift<'s> {
    /// Reads the files of a shard. A file that changed since the plan is an error of the shard, and
    /// not of a run.
    fn new(solving: &'s Solving<'s>, every: Option<u64>) -> Result<Self, BatchError> {
        let Solving { plan, shard, .. } = solving;
        let mut files = MemoryFiles::new();
        for &input in &shard.inputs {
            let input = &plan.inputs[input];
            files = files.with(input.name.as_str(), input.read()?.to_vec());
        }
        let set = ParameterSet::parse(&shard.part);
        let set = set.map_err(|why| BatchError::faulty("the parameters of a shard", why))?;
        let number = plan.shards.iter().position(|line| line.key == shard.key);
        Ok(Self {
            solving,
            number: number.unwrap_or_default(),
            set,
            files,
            checkpoints: Checkpoints::new(solving, every),
            done: Vec::new(),
        })
    }

    /// Follows a tick: writes a checkpoint if one is due, or the work is to stop.
    fn tick(
        &mut self,
        simulation: &dyn SimulationSession,
        watch: &Watch,
    ) -> Result<(), BatchError> {
        let stopped = self.solving.progress.step();
        if self.checkpoints.tick() || stopped.is_err() {
            self.checkpoints.save(&self.done, Some((simulation, watch)))?;
        }
        stopped
    }

    /// Ends a run.
    fn end(&mut self, seed: u64, result: Result<Finished, String>) -> Result<(), BatchError> {
        self.done.push(Outcome { seed, result });
        self.solving.progress.advance(1)
    }
}

impl Kind for Simulations {
    fn name(&self) -> &'static str {
        "simulate"
    }

    fn items(&self) -> &'static str {
        "runs"
    }

    fn summary(&self) -> Option<&'static str> {
        Some(
            "SELECT parameters, status, count(*) AS runs, round(avg(agents), 1) AS agents, \
             round(avg(arrived + removed), 1) AS mean_gone, count(cleared) AS cleared, \
             round(min(cleared), 1) AS fastest, round(avg(cleared), 1) AS mean, \
             round(max(cleared), 1) AS slowest, min(reason) AS first_reason FROM results \
             GROUP BY parameters, status ORDER BY parameters, status",
        )
    }

    fn slices(&self, planning: &Planning) -> Result<Vec<Slice>, BatchError> {
        let runs = self.seeds.list(planning.seed).len() as u64;
        if runs == 0 {
            return Err(BatchError::faulty("`seeds`", "there are none"));
        }
        for (name, ticks) in [("ticks", self.ticks), ("checkpoint-ticks", self.checkpoint_ticks)] {
            if ticks == Some(0) {
                return Err(BatchError::faulty(format!("`{name}`"), "it is above 0"));
            }
        }
        let mut slices = Vec::new();
        for set in self.sets()? {
            let (inputs, scene) =
                planning.world(&self.scene, |path, files| read_scene(path, files, &set))?;
            let seconds = self.seconds(&scene);
            let items = Items { count: runs, seconds, before: 0.0, most: MOST };
            slices.extend(planning.cut(&items, &inputs, &set.to_toml()));
        }
        Ok(slices)
    }

    fn solve(&self, solving: &Solving<'_>) -> Result<RecordBatch, BatchError> {
        let Solving { plan, shard, progress, .. } = solving;
        let seeds = self.seeds.list(plan.job.seed);
        let seeds = &seeds[shard.first as usize..][..shard.count as usize];
        let mut shift = Shift::new(solving, self.checkpoint_ticks)?;
        let (done, mut running) = shift.checkpoints.load()?;
        progress.advance(done.len() as u64)?;
        shift.done = done;
        while let Some(&seed) = seeds.get(shift.done.len()) {
            let result = self.play(&mut shift, seed, running.take())?;
            if let Err(stopped) = shift.end(seed, result) {
                shift.checkpoints.save(&shift.done, None)?;
                return Err(stopped);
            }
        }
        Ok(table(&shift.set.words(), &shift.done))
    }

    fn written(&self, solving: &Solving<'_>) -> Result<(), BatchError> {
        checkpoint::remove(solving.store, &solving.shard.key)
    }

    fn finish(&self, results: &Results<'_>) -> Result<Vec<String>, BatchError> {
        checkpoint::remove_all(results.store)?;
        curves::write(results)
    }
}

fn table(parameters: &str, outcomes: &[Outcome]) -> RecordBatch {
    let count = outcomes.len();
    let finished = || outcomes.iter().map(|outcome| outcome.result.as_ref().ok());
    let words = |outcome: &'_ Outcome| match &outcome.result {
        Ok(Finished { no_way: None, .. }) => ("done", None),
        Ok(Finished { no_way: Some(why), .. }) => ("no way", Some(why.clone())),
        Err(why) => ("fault", Some(why.clone())),
    };
    let words: Vec<(&str, Option<String>)> = outcomes.iter().map(words).collect();
    let large = |of: fn(&Finished) -> u64| {
        Arc::new(finished().map(|run| run.map(of)).collect::<UInt64Array>())
    };
    let small = |of: fn(&Finished) -> u32| {
        Arc::new(finished().map(|run| run.map(of)).collect::<UInt32Array>())
    };
    let seconds: Float64Array = finished().map(|run| run.map(Finished::seconds)).collect();
    let cleared: Float32Array = finished().map(|run| run?.cleared()).collect();
    let mut gone = ListBuilder::new(Float32Builder::new());
    for run in finished() {
        for seconds in run.into_iter().flat_map(Finished::gone) {
            gone.values().append_value(seconds);
        }
        gone.append(run.is_some());
    }
    rows(vec![
        ("parameters", Arc::new(StringArray::from(vec![parameters; count]))),
        ("seed", Arc::new(outcomes.iter().map(|it| Some(it.seed)).collect::<UInt64Array>())),
        (
            "status",
            Arc::new(words.iter().map(|(status, _)| Some(*status)).collect::<StringArray>()),
        ),
        ("ticks", large(|run| run.ticks)),
        ("seconds", Arc::new(seconds)),
        ("agents", small(|run| run.agents)),
        ("arrived", small(|run| run.arrived)),
        ("removed", small(|run| run.removed)),
        ("cleared", Arc::new(cleared)),
        ("gone", Arc::new(gone.finish())),
        ("hash", large(|run| run.hash)),
        ("reason", Arc::new(words.iter().map(|(_, why)| why.as_deref()).collect::<StringArray>())),
    ])
}
