//! The settings of a simulation and its agents.

mod jams;

pub use jams::JamSettings;

use glam::Vec3;
use wayfare_core::navigate::Policy;
use wayfare_core::search::{AlgorithmId, NamedAlgorithm, UnsuitedAlgorithm};
use wayfare_core::space::InfluenceRule;

use super::{Avoidance, AvoidanceFault};
use crate::agent::{AgentLimits, Behaviour, BehaviourFault, LimitsFault, TeamId};
use crate::plan::{ClassId, PlannerSettings};

/// How a simulation runs.
///
/// ```
/// use wayfare::link::NavLinks;
/// use wayfare::prelude::*;
/// use wayfare::simulation::{Simulation, SimulationSettings};
///
/// let coarse = SimulationSettings { tick_seconds: 0.1, seed: 7, ..SimulationSettings::default() };
/// let broken = SimulationSettings { tick_seconds: 0.0, ..coarse.clone() };
/// let grid = Grid::from_rows(&["..."])?;
/// assert!(Simulation::new(grid.clone(), NavLinks::new(3.0), broken).is_err());
/// assert!(Simulation::new(grid, NavLinks::new(3.0), coarse).is_ok());
/// # Ok::<(), GridError>(())
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SimulationSettings {
    /// The length of a tick in seconds, above 0 and at most 1; default 1/20. Raising it makes
    /// movement coarser and cheaper.
    pub tick_seconds: f32,
    /// The [units of work](wayfare_core::navigate::work) that planning may take a tick; default
    /// 50,000, about 5 ms. Lowering it makes agents wait longer for their paths.
    pub work_per_tick: u64,
    /// How good the paths of agents have to be, and how soon. Default: [`Policy::Exact`].
    ///
    /// With [`Policy::FirstLeg`] an agent sets out on a first leg where an [engine](super::Engines)
    /// knows legs, and the rest is searched for exactly while it walks. Where none does, paths are
    /// exact.
    pub policy: Policy,
    /// How often danger spreads and decays, in seconds, from one tick to 3,600; default 1. Raising
    /// it makes it coarser and cheaper: paths near danger are looked at again each time.
    pub danger_seconds: f32,
    /// How [danger](wayfare_core::link::Danger) spreads and decays. Its shares are 0 to 1 each, its
    /// least at least 0. Default: that of [`InfluenceRule`].
    pub danger: InfluenceRule,
    /// The interval of an agent's decisions, in seconds, from one tick to 3,600; default 0.5.
    /// Agents take turns.
    pub decision_seconds: f32,
    /// The part of crowds and queues in the choice of paths. Default: `None`. Paths then know the
    /// posted waits at links alone.
    #[cfg_attr(feature = "serde", serde(default))]
    pub jams: Option<JamSettings>,
    /// Where all draws come from. Default 0.
    pub seed: u64,
    /// How the planner schedules requests.
    pub planner: PlannerSettings,
}

impl Default for SimulationSettings {
    fn default() -> Self {
        Self {
            tick_seconds: 0.05,
            work_per_tick: 50_000,
            policy: Policy::Exact,
            danger_seconds: 1.0,
            danger: InfluenceRule::default(),
            decision_seconds: 0.5,
            jams: None,
            seed: 0,
            planner: PlannerSettings::default(),
        }
    }
}

/// A setting that is out of range.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[error("the {field} is {value}; it must be {range}")]
pub struct SettingsFault {
    /// The setting.
    pub field: &'static str,
    /// The value.
    pub value: f32,
    /// The allowed range.
    pub range: &'static str,
}

impl SimulationSettings {
    /// Fails if a setting is out of its range.
    ///
    /// # Errors
    /// The first that is not.
    pub fn check(&self) -> Result<(), SettingsFault> {
        let (tick, decision) = (self.tick_seconds, self.decision_seconds);
        if !(tick > 0.0 && tick <= 1.0) {
            let range = "above 0 and at most 1 second";
            return Err(SettingsFault { field: "tick", value: tick, range });
        }
        if !(decision >= tick && decision <= 3600.0) {
            let range = "from one tick to 3,600 seconds";
            return Err(SettingsFault { field: "time between decisions", value: decision, range });
        }
        let shares = [
            ("share of danger that is kept", self.danger.kept_per_second),
            ("share of danger that spreads", self.danger.spread_per_second),
        ];
        if let Some(&(field, value)) = shares.iter().find(|share| !(0.0..=1.0).contains(&share.1)) {
            return Err(SettingsFault { field, value, range: "from 0 to 1" });
        }
        let least = self.danger.least;
        if !(least >= 0.0 && least.is_finite()) {
            let range = "a finite number of at least 0";
            return Err(SettingsFault { field: "least danger", value: least, range });
        }
        let danger = self.danger_seconds;
        if !(danger >= tick && danger <= 3600.0) {
            let range = "from one tick to 3,600 seconds";
            return Err(SettingsFault {
                field: "time between ages of danger",
                value: danger,
                range,
            });
        }
        self.jams.map_or(Ok(()), |jams| jams.check(tick))
    }

    /// Returns the ticks in a duration, at least one.
    pub(in crate::simulation) fn ticks(&self, seconds: f32) -> u64 {
        ((f64::from(seconds) / f64::from(self.tick_seconds)).round() as u64).max(1)
    }
}

/// An agent to be added.
///
/// ```
/// use wayfare::agent::{Behaviour, TeamId};
/// use wayfare::plan::ClassId;
/// use wayfare::prelude::*;
/// use wayfare::simulation::AgentSpec;
///
/// let roam = Behaviour::Wander { radius: 8.0, dwell: 2.0 };
/// let cat = AgentSpec::new("cat", ClassId(0), Vec3::new(1.5, 0.0, 2.5)).team(TeamId(3));
/// let cat = cat.behaviour(roam).algorithm(AlgorithmId::Bfs);
/// assert_eq!((cat.behaviours.len(), cat.phase), (1, 0.0));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct AgentSpec {
    /// Its name in pictures and messages; empty for none.
    pub name: String,
    /// What the caller knows it by: the bits of an entity, an index. The simulation only keeps it.
    /// Default 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub user_data: u64,
    /// Its team. Default 0.
    pub team: TeamId,
    /// Its profile and keys.
    pub class: ClassId,
    /// Where it begins. Where no body can be exactly there, it begins at the position of the state
    /// that is meant.
    pub at: Vec3,
    /// Where it looks, in radians from the x axis towards the z axis. Default 0.
    pub facing: f32,
    /// How its body moves.
    pub limits: AgentLimits,
    /// Its behaviours, the most urgent first. Default: none.
    pub behaviours: Vec<Behaviour>,
    /// How many seconds it stands before its first decision, at least 0. Default 0.
    pub phase: f32,
    /// The algorithm that finds its paths, whatever it does but flee. Default: the fastest that
    /// finds a cheapest path, and prepared engines. An [`Order`](crate::agent::Order) may name
    /// another.
    pub algorithm: Option<NamedAlgorithm>,
    /// How it avoids others. Default: not at all.
    pub avoidance: Avoidance,
}

impl AgentSpec {
    /// Returns an agent of that name and class, with the default limits and nothing to do.
    #[must_use]
    pub fn new(name: impl Into<String>, class: ClassId, at: Vec3) -> Self {
        Self { name: name.into(), ..Self::unnamed(class, at) }
    }

    /// Returns an agent of that class without a name, with the default limits and nothing to do.
    ///
    /// ```
    /// use wayfare::link::{Keys, NavLinks};
    /// use wayfare::prelude::*;
    ///
    /// let (grid, links) = (Grid::from_rows(&["....."])?, NavLinks::new(3.0));
    /// let mut simulation = Simulation::new(grid, links, SimulationSettings::default())?;
    /// let class = simulation.add_class(ProfileId::default(), Keys::NONE)?;
    /// let spec = AgentSpec::unnamed(class, Vec3::new(0.5, 0.0, 0.5)).user_data(42);
    /// let agent = simulation.add_agent(spec)?;
    /// assert_eq!(simulation.agent(agent).unwrap().user_data(), 42);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn unnamed(class: ClassId, at: Vec3) -> Self {
        Self {
            name: String::new(),
            user_data: 0,
            team: TeamId::default(),
            class,
            at,
            facing: 0.0,
            limits: AgentLimits::default(),
            behaviours: Vec::new(),
            phase: 0.0,
            algorithm: None,
            avoidance: Avoidance::default(),
        }
    }

    /// Returns the same agent with that user data.
    #[must_use]
    pub fn user_data(mut self, user_data: u64) -> Self {
        self.user_data = user_data;
        self
    }

    /// Returns the same agent with that avoidance.
    #[must_use]
    pub fn avoidance(mut self, avoidance: Avoidance) -> Self {
        self.avoidance = avoidance;
        self
    }

    /// Returns the same agent on that team.
    #[must_use]
    pub fn team(mut self, team: TeamId) -> Self {
        self.team = team;
        self
    }

    /// Returns the same agent with that body.
    #[must_use]
    pub fn limits(mut self, limits: AgentLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Returns the same agent with paths by that algorithm, with its usual options.
    #[must_use]
    pub fn algorithm(mut self, algorithm: AlgorithmId) -> Self {
        self.algorithm = Some(algorithm.into());
        self
    }

    /// Returns the same agent with one more behaviour, less urgent than the earlier ones.
    #[must_use]
    pub fn behaviour(mut self, behaviour: Behaviour) -> Self {
        self.behaviours.push(behaviour);
        self
    }
}

/// Why an agent cannot be added.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// There is no such class.
    #[error("there is no class {0}")]
    NoSuchClass(u16),
    /// A limit is out of range.
    #[error(transparent)]
    Limits(#[from] LimitsFault),
    /// A behaviour has an impossible value.
    #[error("behaviour {number}: {fault}")]
    Behaviour {
        /// The index of the behaviour.
        number: usize,
        /// The fault.
        #[source]
        fault: BehaviourFault,
    },
    /// A value is NaN, infinite or out of range.
    #[error("the {field} is not a finite number of at least 0")]
    Number {
        /// Which.
        field: &'static str,
    },
    /// The world is too large for the algorithm.
    #[error(transparent)]
    Algorithm(#[from] UnsuitedAlgorithm),
    /// It cannot avoid others.
    #[error(transparent)]
    Avoidance(#[from] AvoidanceFault),
    /// Its starting point is blocked.
    #[error("the agent's place {reason}")]
    Place {
        /// Why not.
        reason: wayfare_core::space::Obstruction,
    },
    /// The ids are used up.
    #[error("there are as many agents as can be numbered")]
    TooMany,
}

/// A simulation has 65,536 classes already, the most that [`ClassId`] can count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a simulation has at most 65536 classes of agents")]
pub struct TooManyClasses;

/// Fails if a behaviour of a list is not possible.
pub(in crate::simulation) fn check_behaviours(behaviours: &[Behaviour]) -> Result<(), SpecError> {
    behaviours.iter().enumerate().try_for_each(|(number, behaviour)| {
        behaviour.check().map_err(|fault| SpecError::Behaviour { number, fault })
    })
}

impl AgentSpec {
    /// Fails if a value that does not depend on the world is not possible.
    pub(in crate::simulation) fn check(&self) -> Result<(), SpecError> {
        self.limits.check()?;
        check_behaviours(&self.behaviours)?;
        if !self.facing.is_finite() {
            return Err(SpecError::Number { field: "facing" });
        }
        if !(self.phase >= 0.0 && self.phase.is_finite()) {
            return Err(SpecError::Number { field: "phase" });
        }
        Ok(())
    }
}
