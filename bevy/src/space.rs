//! The space that agents move in: a world with its simulation, as a component.

use bevy_ecs::entity::EntityHashMap;
use bevy_ecs::prelude::*;
use bevy_math::Vec3;
use wayfare::agent::AgentId;
use wayfare::link::{Keys, LinkId, NavLinks};
use wayfare::plan::ClassId;
use wayfare::simulation::{
    AgentView, CarveId, Command as SimulationCommand, Environment, Event, SettingsFault,
    Simulation, SimulationSettings,
};
use wayfare::space::ProfileId;

use crate::Placement;

/// A world that agents move in: a tile map, a voxel world, waypoints, or a navigation mesh.
///
/// ```
/// use bevy_app::prelude::*;
/// use bevy_ecs::prelude::*;
/// use wayfare::space::Grid;
/// use wayfare_bevy::prelude::*;
///
/// let map = Grid::from_rows(&["......", ".####.", "......"]).unwrap();
/// App::new()
///     .add_plugins(NavPlugin::<Grid>::default())
///     .add_systems(Startup, move |mut commands: Commands| {
///         commands.spawn(NavSpace::new(map.clone()));
///     });
/// ```
#[derive(Component, Debug)]
pub struct NavSpace<W: Environment + 'static> {
    pub(crate) simulation: Simulation<W>,
    pub(crate) placement: Placement,
    pub(crate) agents: EntityHashMap<KnownAgent>,
    pub(crate) obstacles: EntityHashMap<CarveId>,
    pub(crate) links: EntityHashMap<LinkId>,
    /// Agents with behaviours whose targets are not in the space yet.
    pub(crate) unsettled: Vec<Entity>,
    /// Events since they were last reported, with the entities of their agents.
    pub(crate) happened: Vec<Happened>,
    /// The time since the last tick, in seconds.
    pub(crate) elapsed: f32,
    /// Whether there was a tick in the present fixed step.
    pub(crate) has_ticked: bool,
    classes: Vec<KnownClass>,
    obstacle_count: u32,
}

/// An agent as its space knows it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownAgent {
    pub(crate) id: AgentId,
    /// The point that it was ordered to last.
    pub(crate) ordered: Option<Vec3>,
}

/// An event with the entity of its agent.
#[derive(Clone, Debug)]
pub(crate) struct Happened {
    pub(crate) entity: Option<Entity>,
    pub(crate) event: Event,
}

#[derive(Clone, Copy, Debug)]
struct KnownClass {
    profile: ProfileId,
    keys: Keys,
    class: ClassId,
}

impl<W: Environment + 'static> NavSpace<W> {
    /// Returns the space of a world in 3D, with its unit and origin as Bevy's, 20 ticks a second
    /// and the engine's default settings.
    #[must_use]
    pub fn new(world: W) -> Self {
        Self::placed(world, Placement::default())
    }

    /// Returns the space of a world that lies elsewhere in Bevy's world, or in 2D.
    #[must_use]
    pub fn placed(world: W, placement: Placement) -> Self {
        match Self::with_settings(world, NavLinks::new(3.0), SimulationSettings::default()) {
            Ok(space) => space.at(placement),
            Err(fault) => unreachable!("the default settings are in range: {fault}"),
        }
    }

    /// Returns the space of a world with links and settings of its own: tick, seed, budget of the
    /// planner, jams.
    ///
    /// # Errors
    /// When a setting is out of its range.
    pub fn with_settings(
        world: W,
        links: NavLinks<W::State>,
        settings: SimulationSettings,
    ) -> Result<Self, SettingsFault> {
        Ok(Self::from_simulation(Simulation::new(world, links, settings)?))
    }

    /// Returns the space of a simulation that was set up by itself. Its agents have no entities.
    #[must_use]
    pub fn from_simulation(simulation: Simulation<W>) -> Self {
        Self {
            simulation,
            placement: Placement::default(),
            agents: EntityHashMap::default(),
            obstacles: EntityHashMap::default(),
            links: EntityHashMap::default(),
            unsettled: Vec::new(),
            happened: Vec::new(),
            elapsed: 0.0,
            has_ticked: false,
            classes: Vec::new(),
            obstacle_count: 0,
        }
    }

    /// Returns the same space elsewhere. To be called before it is spawned.
    #[must_use]
    pub fn at(self, placement: Placement) -> Self {
        Self { placement, ..self }
    }

    /// Returns the placement.
    #[must_use]
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Returns the world as it is now.
    #[must_use]
    pub fn world(&self) -> &W {
        self.simulation.world()
    }

    /// Returns the simulation: links, planner, snapshots, the hash of the whole state.
    #[must_use]
    pub fn simulation(&self) -> &Simulation<W> {
        &self.simulation
    }

    /// Returns the simulation, for what has no component: groups, puzzles, ground speeds.
    pub fn simulation_mut(&mut self) -> &mut Simulation<W> {
        &mut self.simulation
    }

    /// Edits the world at the next tick. Agents whose paths it touches look for others.
    pub fn edit(&mut self, edit: W::Edit) {
        self.command(SimulationCommand::Edit(edit));
    }

    /// Carries out a command at the next tick. Its points are those of the space: see
    /// [`Placement::to_space`].
    pub fn command(&mut self, command: SimulationCommand<W::Edit>) {
        self.simulation.schedule(self.simulation.now(), command);
    }

    /// Returns the engine's view of an agent: activity, room, orders, links.
    #[must_use]
    pub fn agent(&self, entity: Entity) -> Option<AgentView<'_, W>> {
        self.simulation.agent(self.agents.get(&entity)?.id)
    }

    /// Returns the engine's link of an entity with a [`NavLink`](crate::NavLink).
    #[must_use]
    pub fn link(&self, entity: Entity) -> Option<LinkId> {
        self.links.get(&entity).copied()
    }

    /// Returns the entity of an agent of the simulation.
    #[must_use]
    pub fn entity(&self, agent: AgentId) -> Option<Entity> {
        Entity::try_from_bits(self.simulation.agent(agent)?.user_data())
    }

    /// Returns what an agent does, or why it stands still, in a few words: "patrol 2/4", "waiting
    /// in line: the link carries 4 and is full", "no path: the goal lies on another island". `None`
    /// for entities that are no agents here.
    #[must_use]
    pub fn text(&self, entity: Entity) -> Option<String> {
        self.agent(entity).map(|agent| agent.text())
    }

    /// Returns the class of a profile and keys, which is added where there is none. `None` if the
    /// world has no such profile.
    pub(crate) fn class(&mut self, profile: u16, keys: u32) -> Option<ClassId> {
        let (profile, keys) = (ProfileId(profile), Keys(keys));
        let known = self.classes.iter().find(|one| (one.profile, one.keys) == (profile, keys));
        if let Some(known) = known {
            return Some(known.class);
        }
        if !self.world().has_profile(profile) {
            return None;
        }
        let class = self.simulation.add_class(profile, keys).ok()?;
        self.classes.push(KnownClass { profile, keys, class });
        Some(class)
    }

    /// Returns the id of an entity's obstacle, a new one for an entity that had none.
    pub(crate) fn obstacle(&mut self, entity: Entity) -> CarveId {
        *self.obstacles.entry(entity).or_insert_with(|| {
            self.obstacle_count += 1;
            CarveId(self.obstacle_count)
        })
    }

    /// Takes the events of the last tick.
    pub(crate) fn note_events(&mut self) {
        let simulation = &self.simulation;
        let noted = simulation.events().events.iter().map(|event| Happened {
            // Removed agents are no longer to be asked.
            entity: event
                .agent()
                .and_then(|agent| simulation.agent(agent))
                .and_then(|agent| Entity::try_from_bits(agent.user_data())),
            event: event.clone(),
        });
        self.happened.extend(noted);
    }
}

/// The space of everything that names none: the one that was spawned first.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DefaultSpace(pub Option<Entity>);

impl DefaultSpace {
    /// Returns whether an entity that names a space, or none, belongs to `space`.
    pub(crate) fn is_of(self, named: Option<&crate::InSpace>, space: Entity) -> bool {
        named.map_or(self.0, |named| Some(named.0)) == Some(space)
    }
}
