//! Snapshots: a simulation saved, to be continued as if without interruption.

use std::fmt::Debug;

use serde::{Deserialize, Serialize};
use wayfare_core::inside::WordHash;
use wayfare_core::link::{Danger, Gate, LinkId, NavLinks};
use wayfare_core::search::{AlgorithmId, NamedAlgorithm};
use wayfare_core::space::{Cost, Space, StateId};

use super::clock::Clock;
use super::ground::{Change, Ground};
use super::puzzles::Puzzles;
use super::roster::{Agent, Class, Classes, Roster};
use super::schedule::Scheduled;
use super::service::{ClassView, Service};
use super::traffic::{LinkUse, LinksInUse, Traffic};
use super::{Editable, Engines, Environment, Simulation, SimulationSettings, Spaces, TickEvents};
use crate::plan::{Planner, PlannerSnapshot, SnapshotError};

/// The content of a simulation, except that of its world and links only the changes.
///
/// Write it with any format of `serde` that keeps floats exactly.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(bound(
    serialize = "State: Serialize, C: Serialize, Edit: Serialize",
    deserialize = "State: Deserialize<'de>, C: Deserialize<'de>, Edit: Deserialize<'de>"
))]
/// ```
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{Snapshot, SnapshotOf};
///
/// let grid = Grid::from_rows(&["........"])?;
/// let [start, goal] = [0, 7].map(|x| grid.centre(grid.cell(x, 0).unwrap()));
/// let (links, settings) = (NavLinks::new(3.0), SimulationSettings::default());
/// let mut simulation = Simulation::new(grid.clone(), links.clone(), settings)?;
/// let class = simulation.add_class(Default::default(), Keys::NONE)?;
/// let ann = simulation.add_agent(AgentSpec::new("Ann", class, start))?;
/// simulation.order(ann, Order::GoTo(goal));
/// (0..20).for_each(|_| {
///     simulation.tick();
/// });
/// let saved: Snapshot<_, _, _> = simulation.save();
/// let text = serde_json::to_string(&saved)?;
///
/// // Later, with the world and the links from before the first tick.
/// let saved: SnapshotOf<Grid> = serde_json::from_str(&text)?;
/// let mut resumed = Simulation::restore(grid, links, saved)?;
/// resumed.tick();
/// simulation.tick();
/// assert_eq!(resumed.hash(), simulation.hash());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Snapshot<State: StateId, C: Cost, Edit> {
    settings: SimulationSettings,
    now: u64,
    classes: Vec<Class>,
    #[serde(default)]
    ground_speeds: Vec<super::GroundSpeeds>,
    agents: Vec<Agent<State>>,
    #[serde(default)]
    groups: Vec<super::roster::groups::Group>,
    links_in_use: Vec<LinkUse>,
    gates: Vec<(Gate, u32)>,
    danger: Danger<State>,
    #[serde(default)]
    jams: super::traffic::jams::JamWatch,
    #[serde(default)]
    moving_obstacles: super::ground::moving_obstacles::MovingObstacles,
    schedule: Scheduled<Edit>,
    history: Vec<Change<Edit>>,
    plays: Vec<super::puzzles::Play>,
    planner: PlannerSnapshot<State, C, NamedAlgorithm>,
    hash: u64,
    /// The hash of all the rest, as text.
    seal: u64,
}

/// The snapshot type of a world.
pub type SnapshotOf<W> = Snapshot<<W as Spaces>::State, <W as Spaces>::Cost, <W as Editable>::Edit>;

impl<State: StateId, C: Cost, Edit> Snapshot<State, C, Edit> {
    /// Returns the count of ticks that the simulation had made.
    #[must_use]
    pub fn now(&self) -> u64 {
        self.now
    }

    /// Returns the [hash](Simulation::hash) of the simulation when it was saved.
    #[must_use]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// Returns how many links the simulation had when it was saved.
    #[doc(hidden)]
    #[must_use]
    pub fn link_count(&self) -> usize {
        self.links_in_use.len()
    }

    /// The hash of all parts as text, which names every field and keeps floats exactly.
    fn seal_now(&self) -> u64
    where
        Edit: Debug,
    {
        let Self { settings, now, classes, agents, links_in_use, gates, danger, .. } = self;
        let Self { schedule, history, .. } = self;
        let mut hash = WordHash(self.hash);
        hash.text(format_args!("{settings:?} {now} {classes:?} {gates:?} {links_in_use:?}"));
        hash.text(format_args!("{danger:?} {:?}", self.plays));
        if !self.jams.is_empty() {
            hash.text(format_args!("{:?}", self.jams.posted()));
            self.jams.words(|word| hash.word(word));
        }
        if !self.ground_speeds.is_empty() {
            hash.text(format_args!("{:?}", self.ground_speeds));
        }
        if !self.moving_obstacles.is_empty() {
            hash.text(format_args!("{:?}", self.moving_obstacles));
        }
        if !self.groups.is_empty() {
            hash.text(format_args!("{:?}", self.groups));
        }
        hash.text(format_args!("{agents:?} {schedule:?} {history:?} {:?}", self.planner));
        hash.0
    }
}

/// Mends the hashes of a snapshot, as a forger would.
#[cfg(feature = "serde")]
pub fn mend<State: StateId, C: Cost, Edit: Debug>(
    snapshot: &mut Snapshot<State, C, Edit>,
    hash: Option<u64>,
) {
    snapshot.hash = hash.unwrap_or(snapshot.hash);
    snapshot.seal = snapshot.seal_now();
}

/// Why a simulation cannot go on from a snapshot.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RestoreError {
    /// A setting is out of range.
    #[error(transparent)]
    Settings(#[from] super::SettingsFault),
    /// The links are others than they were.
    #[error("the snapshot has {saved} links, but the world has {given}")]
    Links {
        /// The count of links when it was saved.
        saved: usize,
        /// The count of links now.
        given: usize,
    },
    /// The planner's data is impossible.
    #[error(transparent)]
    Planner(#[from] SnapshotError),
    /// It was changed since it was saved.
    #[error("the snapshot was changed since it was saved")]
    Changed,
    /// Its parts do not agree with each other or with the world.
    #[error("the snapshot contradicts itself or the world: {0}")]
    Contradiction(#[from] Contradiction),
    /// A change that was made then is not possible now: the world is another.
    #[error("the world is not the one that was saved: {0}")]
    Change(super::CommandFault),
    /// The restored hash differs from the saved one: the world is another, or the snapshot was
    /// changed.
    #[error("what was restored has the hash {found:016x}, but {saved:016x} was saved")]
    Hash {
        /// The hash when it was saved.
        saved: u64,
        /// The hash now.
        found: u64,
    },
}

/// The part of a snapshot that contradicts the rest, or the world.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Contradiction {
    /// A tick lies in the past, or too far in the future.
    #[error("its ticks")]
    Ticks,
    /// A class or a profile is not there.
    #[error("its classes")]
    Classes,
    /// Limits, behaviours or an agent's memory of them are impossible.
    #[error("an agent's limits, behaviours or memory")]
    Behaviours,
    /// A rail is no line, names states that do not exist, or its body is off it.
    #[error("an agent's rail or place")]
    Rails,
    /// A wall stands on the path of an agent.
    #[error("an agent's way, which leads into a wall")]
    Walls,
    /// An agent waits for a request that is not there, or is another agent's.
    #[error("the requests of agents")]
    Requests,
    /// A state is in danger that is not there, or in an impossible one.
    #[error("its danger")]
    Danger,
    /// A jam is impossible.
    #[error("its jams")]
    Jams,
    /// An obstacle that moves is impossible, or is carved where it is said not to be.
    #[error("its moving obstacles")]
    MovingObstacles,
    /// Agents and links do not agree on the agents inside and in line.
    #[error("the agents in links")]
    Links,
    /// A group has missing or repeated members, members of another group, or impossible values; or
    /// the world has no groups.
    #[error("a group of agents")]
    Groups,
}

impl<W: Environment> Simulation<W> {
    /// Puts the simulation away between two ticks.
    #[must_use]
    pub fn save(&self) -> SnapshotOf<W> {
        let gates =
            self.ground.links.iter().map(|one| (one.link.gate, self.ground.links.wait(one.id)));
        let mut snapshot = Snapshot {
            settings: self.clock.settings.clone(),
            now: self.clock.now,
            classes: self.roster.classes.0.clone(),
            ground_speeds: self.roster.ground_speeds.clone(),
            agents: self.roster.agents.clone(),
            groups: self.roster.groups.clone(),
            links_in_use: self.traffic.links_in_use.0.clone(),
            gates: gates.collect(),
            danger: self.ground.links.danger().clone(),
            jams: self.traffic.jams.clone(),
            moving_obstacles: self.ground.moving_obstacles.clone(),
            schedule: Scheduled::of(&self.schedule),
            history: self.ground.history().to_vec(),
            plays: self.puzzles.plays.clone(),
            planner: self.service.planner().save(),
            hash: self.hash(),
            seal: 0,
        };
        snapshot.seal = snapshot.seal_now();
        snapshot
    }

    /// Restores a snapshot, given the world and the links as they were before the first tick.
    /// Puzzles are added by [`with_puzzles`](Self::with_puzzles) afterwards. All changes of the
    /// world are repeated, and searches are brought to their saved progress. So each later tick
    /// equals that of the saved simulation.
    ///
    /// # Errors
    /// When the world or the links are others, or the snapshot was changed.
    pub fn restore(
        world: W,
        links: NavLinks<W::State>,
        snapshot: SnapshotOf<W>,
    ) -> Result<Self, RestoreError> {
        Self::restore_with(world, links, Engines::none(), snapshot)
    }

    /// Goes on from a snapshot of a simulation with [engines](Self::with_engines), given engines of
    /// the world as it was before the first tick. They follow all changes.
    ///
    /// # Errors
    /// As [`Simulation::restore`].
    pub fn restore_with(
        world: W,
        links: NavLinks<W::State>,
        engines: Engines<W>,
        snapshot: SnapshotOf<W>,
    ) -> Result<Self, RestoreError> {
        let mut engines = engines.followed_by(W::engines());
        if snapshot.seal != snapshot.seal_now() {
            return Err(RestoreError::Changed);
        }
        let Snapshot {
            settings,
            now,
            classes,
            ground_speeds,
            agents,
            groups,
            links_in_use,
            gates,
            danger,
            jams,
            moving_obstacles,
            schedule,
            history,
            plays,
            planner,
            hash,
            seal: _,
        } = snapshot;
        let classes = Classes(classes);
        settings.check()?;
        if gates.len() != links.len() || links_in_use.len() != links.len() {
            return Err(RestoreError::Links { saved: gates.len(), given: links.len() });
        }
        let mut ground = Ground::new(world, links);
        ground.moving_obstacles = moving_obstacles;
        ground
            .repeat(history, |world, affected| engines.world_changed(world, affected))
            .map_err(RestoreError::Change)?;
        if W::RENUMBERS {
            ground.find_link_ends();
        }
        let Ground { world, links, .. } = &mut ground;
        for (number, (gate, wait)) in gates.into_iter().enumerate() {
            links.set_gate(LinkId(number as u32), gate);
            links.post_wait(LinkId(number as u32), wait as f32);
        }
        let bound = world.space(classes.first_profile()).state_bound();
        if !danger.is_sound(bound) {
            return Err(Contradiction::Danger.into());
        }
        if !danger.is_empty() {
            links.set_danger(danger);
        }
        if !jams.is_sound() || !jams.is_empty() && settings.jams.is_none() {
            return Err(Contradiction::Jams.into());
        }
        if let Some(settings) = settings.jams {
            links.post_jams(settings.side, &jams.posted());
        }
        let planner = {
            let views = |class| ClassView::new(&ground, &engines, classes.of(class));
            Planner::restore(AlgorithmId::Auto.into(), planner, views)?
        };
        let mut restored = Self {
            traffic: Traffic { links_in_use: LinksInUse(links_in_use), jams, ..Traffic::new(0) },
            roster: Roster { classes, ground_speeds, agents, groups },
            ground,
            service: Service::resumed(planner, engines),
            puzzles: Puzzles::resumed(plays),
            clock: Clock { settings, now },
            schedule: schedule.into(),
            events: TickEvents::default(),
        };
        restored.traffic.watch(&restored.roster.agents);
        restored.check_consistency()?;
        let found = restored.hash();
        if found == hash { Ok(restored) } else { Err(RestoreError::Hash { saved: hash, found }) }
    }
}
