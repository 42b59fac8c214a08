//! The agents of a scene in its simulation.

use std::collections::BTreeSet;

use glam::Vec3;
use wayfare_core::search::NamedAlgorithm;
use wayfare_core::space::ProfileId;
use wayfare_crowd::{AvoidanceModel, CollisionFreeSpeed};
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{WorldError, WorldErrorKind};
use wayfare_sim::agent::{AgentId, AgentLimits, Behaviour as Does, GroupId, Order, TeamId, Who};
use wayfare_sim::plan::ClassId;
use wayfare_sim::simulation::{
    AgentSpec, Avoidance, Command, GroupFault, GroupSpec, Simulation, SpecError, Spread,
};

use super::land::{Land, point, points};
use super::setting::Setting;
use crate::scene::{
    AgentClass, FormationChange, Scene, SceneAgent, SceneBehaviour, SceneGroup, SceneSteering,
};

/// The ids of a scene's named things.
pub(super) struct Cast<'s> {
    scene: &'s Scene,
    /// The names of the teams; the first is that of agents without one.
    pub(super) teams: Vec<String>,
    /// The id of the first agent of each item of the list.
    first: Vec<u32>,
}

impl<'s> Cast<'s> {
    pub(super) fn of(scene: &'s Scene) -> Self {
        let mut teams = vec![String::new()];
        let mut first = Vec::new();
        let mut next = 0;
        for agent in &scene.agents {
            first.push(next);
            next += agent.number();
            if let Some(team) = agent.team.as_ref().filter(|team| !teams.contains(team)) {
                teams.push(team.clone());
            }
        }
        Self { scene, teams, first }
    }

    /// Returns the limits of an agent with another speed.
    pub(super) fn limits_at(&self, agent: AgentId, speed: f32) -> AgentLimits {
        let plain = self.item(agent).map(limits).unwrap_or_default();
        AgentLimits { max_speed: speed, ..plain }
    }

    /// Returns the algorithm of an agent that is of a class, the first one by default.
    fn algorithm(&self, agent: &SceneAgent, class: Option<&str>) -> Option<NamedAlgorithm> {
        let of_class = || self.class(class).and_then(|class| class.algorithm);
        agent.algorithm.or_else(of_class).map(NamedAlgorithm::from)
    }

    /// Returns the class of that name, or the first one.
    fn class(&self, name: Option<&str>) -> Option<&'s AgentClass> {
        let mut classes = self.scene.classes.iter();
        match name {
            Some(name) => classes.find(|class| class.name == name),
            None => classes.next(),
        }
    }

    /// Returns how an agent avoids others.
    fn avoidance(&self, agent: &SceneAgent) -> Avoidance {
        let class = self.class(agent.class.as_deref());
        let plain = Avoidance::default();
        let bits = |layers: &[u8]| {
            let bit = |layer: &u8| 1u32.checked_shl(u32::from(*layer).saturating_sub(1));
            layers.iter().filter_map(bit).fold(0, |bits, bit| bits | bit)
        };
        Avoidance {
            quality: agent
                .avoidance
                .or_else(|| class.and_then(|class| class.avoidance))
                .unwrap_or(plain.quality),
            priority: agent
                .priority
                .or_else(|| class.and_then(|class| class.priority))
                .unwrap_or(plain.priority),
            layers: if agent.layers.is_empty() { plain.layers } else { bits(&agent.layers) },
            mask: agent.avoids.as_deref().map_or(plain.mask, bits),
            model: class.map_or(plain.model, steering),
        }
    }

    /// Returns the algorithm of an agent once it is of that class.
    pub(super) fn algorithm_in(&self, agent: AgentId, class: &str) -> Option<NamedAlgorithm> {
        self.algorithm(self.item(agent)?, Some(class))
    }

    /// Returns the item of the scene that an agent belongs to.
    fn item(&self, agent: AgentId) -> Option<&'s SceneAgent> {
        let item = self.first.partition_point(|first| *first <= agent.0).saturating_sub(1);
        self.scene.agents.get(item)
    }

    pub(super) fn team(&self, name: &str) -> Option<TeamId> {
        let place = self.teams.iter().position(|team| team == name)?;
        u16::try_from(place).ok().map(TeamId)
    }

    /// Returns an agent or a team.
    fn who(&self, name: &str, at: KeyPath) -> Result<Who, WorldError> {
        let agents = self.scene.agents.iter().zip(&self.first);
        let named = agents.into_iter().find(|(agent, _)| agent.name == name);
        named
            .map(|(_, first)| Who::Agent(AgentId(*first)))
            .or_else(|| self.team(name).map(Who::Team))
            .ok_or_else(|| {
                let message = format!("there is no agent or team '{name}'");
                WorldError::new(WorldErrorKind::Dangling, message).about(at)
            })
    }

    /// Returns all agents that a name stands for: an agent, a crowd, or a team's.
    pub(super) fn members(&self, name: &str) -> Vec<AgentId> {
        let agents = self.scene.agents.iter().zip(&self.first);
        let meant = agents.filter(|(agent, _)| agent.is_called(name));
        meant.flat_map(|(agent, first)| (*first..first + agent.number()).map(AgentId)).collect()
    }

    /// Returns the group of that name.
    pub(super) fn group(&self, name: &str) -> Option<GroupId> {
        let place = self.scene.groups.iter().position(|group| group.name == name)?;
        u32::try_from(place).ok().map(GroupId)
    }

    /// Returns the shape that a group takes by a change.
    pub(super) fn form<Edit>(&self, change: &FormationChange) -> Option<Command<Edit>> {
        let group = self.group(&change.group)?;
        let spacing = || self.scene.groups.get(group.0 as usize)?.spacing;
        let spacing = change.spacing.or_else(spacing).unwrap_or(SceneGroup::DEFAULT_SPACING);
        Some(Command::Form { group, formation: change.formation.clone(), spacing })
    }

    /// Makes the groups of the scene, in its order, and gives them their first orders. The agents
    /// are there.
    pub(super) fn fall_in<W: Setting>(
        &self,
        simulation: &mut Simulation<W>,
    ) -> Result<(), WorldError> {
        for (index, group) in self.scene.groups.iter().enumerate() {
            let path = KeyPath::item("groups", index);
            let id = simulation
                .add_group(self.group_spec(group))
                .map_err(|fault| refused_group(&fault, path.clone()))?;
            let orders = path.then("orders");
            for to in points(simulation.world(), self.scene, &group.orders, &orders)? {
                simulation.order_group(id, Order::Then(to));
            }
        }
        Ok(())
    }

    fn group_spec(&self, group: &SceneGroup) -> GroupSpec {
        let members = group.members.iter().flat_map(|name| self.members(name)).collect();
        let plain = GroupSpec::new(group.name.clone(), members);
        let spacing = group.spacing.unwrap_or(SceneGroup::DEFAULT_SPACING);
        GroupSpec {
            formation: group.formation.clone(),
            spacing,
            patience: group.patience.unwrap_or(plain.patience.max(spacing)),
            ..plain
        }
    }

    /// Adds all agents to a simulation, and gives them their first orders. `classes` are those of
    /// the scene, in its order.
    pub(super) fn enter<W: Setting>(
        &self,
        simulation: &mut Simulation<W>,
        classes: &[(ClassId, ProfileId)],
    ) -> Result<(), WorldError> {
        let seed = simulation.settings().seed;
        for (index, agent) in self.scene.agents.iter().enumerate() {
            let path = KeyPath::item("agents", index);
            let (class, _) = classes.get(self.class_of(agent)).copied().unwrap_or_default();
            let at = point(simulation.world(), self.scene, &agent.at, path.clone().then("at"))?;
            let begin = |reason: String| {
                WorldError::new(WorldErrorKind::Value, reason).about(path.clone().then("at"))
            };
            let places = match agent.count {
                None => vec![at],
                Some(count) => {
                    let area = agent.area.as_ref();
                    let spread = match area {
                        Some(_) => Spread::Drawn(seed ^ ((index as u64) << 32)),
                        None => Spread::Near,
                    };
                    let is_inside = |at| area.is_none_or(|area| area.contains_from_above(at));
                    let find = |accepts: &dyn Fn(Vec3) -> bool| {
                        simulation.places(class, at, count as usize, spread, accepts)
                    };
                    // No place is given twice, unless there are too few.
                    let taken: BTreeSet<_> =
                        simulation.agents().map(|one| bits(one.position())).collect();
                    let free = find(&|at| is_inside(at) && !taken.contains(&bits(at)));
                    if free.len() < count as usize { find(&is_inside) } else { free }
                }
            };
            if places.is_empty() {
                return Err(begin(format!("there is no place in the area for '{}'", agent.name)));
            }
            let plain = self.spec(simulation.world(), index, class)?;
            // The orders of an agent that solves puzzles come after these.
            let mut puzzles = self.scene.puzzles.iter();
            let orders = match puzzles.any(|puzzle| puzzle.agent.as_ref() == Some(&agent.name)) {
                true => Vec::new(),
                false => {
                    let path = path.clone().then("orders");
                    points(simulation.world(), self.scene, &agent.orders, &path)?
                }
            };
            for number in 0..agent.number() {
                let place = places[number as usize % places.len()];
                let spec = one_of(agent, &plain, number, place);
                let id = simulation.add_agent(spec).map_err(|error| refused(&error, &path))?;
                for to in &orders {
                    simulation.order(id, Order::Then(*to));
                }
            }
        }
        Ok(())
    }

    /// Returns the index of the class of an agent.
    fn class_of(&self, agent: &SceneAgent) -> usize {
        let mut classes = self.scene.classes.iter();
        let named = agent.class.as_ref();
        named.and_then(|name| classes.position(|class| class.name == *name)).unwrap_or(0)
    }

    fn spec(
        &self,
        world: &dyn Land,
        index: usize,
        class: ClassId,
    ) -> Result<AgentSpec, WorldError> {
        let agent = &self.scene.agents[index];
        let path = KeyPath::item("agents", index).then("behaviours");
        let limits = limits(agent);
        let team = agent.team.as_deref().and_then(|team| self.team(team)).unwrap_or_default();
        let mut spec =
            AgentSpec::new(agent.name.clone(), class, Vec3::ZERO).team(team).limits(limits);
        spec.facing = agent.facing.to_radians();
        spec.phase = agent.phase;
        spec.algorithm = self.algorithm(agent, agent.class.as_deref());
        spec.avoidance = self.avoidance(agent);
        for (number, behaviour) in agent.behaviours.iter().enumerate() {
            spec.behaviours.push(self.does(world, behaviour, &path.clone().at(number))?);
        }
        Ok(spec)
    }

    fn does(
        &self,
        world: &dyn Land,
        behaviour: &SceneBehaviour,
        path: &KeyPath,
    ) -> Result<Does, WorldError> {
        Ok(match behaviour {
            SceneBehaviour::Patrol { points: spots, order, dwell, start } => Does::Patrol {
                points: points(world, self.scene, spots, &path.clone().then("points"))?,
                order: *order,
                dwell: *dwell,
                start: u16::try_from(*start).unwrap_or(u16::MAX),
            },
            SceneBehaviour::Pursue { target, aggro, give_up, predict, speed } => Does::Pursue {
                target: self.who(target, path.clone().then("target"))?,
                aggro: *aggro,
                give_up: give_up.unwrap_or(*aggro),
                predict: *predict,
                speed: *speed,
            },
            SceneBehaviour::Flee { from, radius, distance, speed } => Does::Flee {
                from: self.who(from, path.clone().then("from"))?,
                radius: *radius,
                distance: *distance,
                speed: *speed,
            },
            SceneBehaviour::Wander { radius, dwell } => {
                Does::Wander { radius: *radius, dwell: *dwell }
            }
            SceneBehaviour::Follow { target, distance } => Does::Follow {
                who: self.who(target, path.clone().then("target"))?,
                distance: *distance,
            },
            SceneBehaviour::Idle => Does::Idle,
        })
    }
}

/// Returns the agent of that number among those of an item.
fn one_of(agent: &SceneAgent, plain: &AgentSpec, number: u32, place: Vec3) -> AgentSpec {
    let mut spec = plain.clone();
    spec.at = place;
    if agent.count.is_some() {
        spec.name = format!("{} {}", agent.name, number + 1);
        out_of_phase(&mut spec.behaviours, number);
        spec.phase = agent.phase * number as f32;
    }
    spec
}

/// Returns what tells points apart.
fn bits(at: Vec3) -> [u32; 3] {
    at.to_array().map(f32::to_bits)
}

/// Returns the body of an agent.
fn limits(agent: &SceneAgent) -> AgentLimits {
    let plain = AgentLimits::default();
    AgentLimits {
        max_speed: agent.speed.unwrap_or(plain.max_speed),
        acceleration: agent.acceleration.unwrap_or(plain.acceleration),
        angular_speed: agent.turn_speed.map_or(plain.angular_speed, f32::to_radians),
        spot_turn_speed: agent.spot_turn_speed.map_or(plain.spot_turn_speed, f32::to_radians),
        stopping_distance: agent.stopping_distance.unwrap_or(plain.stopping_distance),
        auto_braking: agent.auto_braking.unwrap_or(plain.auto_braking),
        turn_radius: agent.turn_radius.unwrap_or(plain.turn_radius),
        radius: agent.radius.unwrap_or(plain.radius),
    }
}

/// Returns the model of steering of a class.
fn steering(class: &AgentClass) -> AvoidanceModel {
    match class.steering {
        None | Some(SceneSteering::Orca) => AvoidanceModel::Reciprocal,
        Some(SceneSteering::FreeSpeed) => {
            let plain = CollisionFreeSpeed::default();
            let time_gap = class.time_gap.unwrap_or(plain.time_gap);
            AvoidanceModel::FreeSpeed(CollisionFreeSpeed { time_gap, ..plain })
        }
    }
}

/// Lets each of a crowd begin its patrols one point later than the one before.
fn out_of_phase(behaviours: &mut [Does], number: u32) {
    for behaviour in behaviours {
        if let Does::Patrol { points, start, .. } = behaviour {
            let later = (u32::from(*start) + number) as usize % points.len().max(1);
            *start = u16::try_from(later).unwrap_or(0);
        }
    }
}

/// Returns a group that the engine does not take, by the value at fault.
fn refused_group(fault: &GroupFault, path: KeyPath) -> WorldError {
    let path = match fault {
        GroupFault::Members(_) | GroupFault::Member(_) | GroupFault::InGroup(_) => {
            path.then("members")
        }
        _ => path,
    };
    WorldError::new(WorldErrorKind::Value, fault.to_string()).about(path)
}

/// Returns an agent that the engine does not take, by the value at fault.
fn refused(error: &SpecError, path: &KeyPath) -> WorldError {
    let path = path.clone();
    let path = match error {
        SpecError::Place { .. } => path.then("at"),
        SpecError::Algorithm(_) => path.then("algorithm"),
        SpecError::Avoidance(_) => path.then("avoidance"),
        SpecError::Behaviour { number, .. } => path.then("behaviours").at(*number),
        SpecError::Limits(fault) => path.then(match fault.field {
            "maximum speed" => "speed",
            "angular speed" => "turn_speed",
            "speed of turns on the spot" => "spot_turn_speed",
            "acceleration" => "acceleration",
            "stopping distance" => "stopping_distance",
            "turn radius" => "turn_radius",
            "radius" => "radius",
            _ => "",
        }),
        _ => path,
    };
    WorldError::new(WorldErrorKind::Value, error.to_string()).about(path)
}
