//! Agents of a scene: their classes, their bodies, and their behaviours.

use serde::{Deserialize, Serialize};
use wayfare_core::search::AlgorithmId;
use wayfare_crowd::AvoidanceQuality;
use wayfare_grid::grid::{CornerRule, Neighbours};
use wayfare_sim::agent::PatrolOrder;
use wayfare_voxel::MoveTimes;

use crate::scene::geometry::Rectangle;
use crate::scene::rules::{self as rule, At, Checked, rules};
use crate::scene::simulation::Spot;
use crate::scene::spelling::{self, PatrolOrderKey, is_default};

/// A class of agents: their profile in the space, and the keys they carry.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentClass {
    /// Unique, not empty.
    pub name: String,
    /// Width in cells, 1 to 64, or in blocks, 1 to 8; default 1. Not for waypoints.
    pub width: Option<u8>,
    /// Neighbours of a cell; default eight. Grids only.
    #[serde(default, with = "spelling::neighbours")]
    pub neighbours: Option<Neighbours>,
    /// When a diagonal may pass a blocked corner; default when both cells beside it are free. Grids
    /// only.
    #[serde(default, with = "spelling::corners")]
    pub corners: Option<CornerRule>,
    /// The cost of slopes beyond the length of the step, in straight steps for each unit of rise
    /// over run (1 is 45°), 0 to 10,000; default 0. Grids with heights only.
    pub slope_cost: Option<f32>,
    /// Moves in a world of blocks; default walk, jump and fall. Worlds of blocks only, as the next
    /// seven.
    pub abilities: Option<Vec<Ability>>,
    /// Height of a jump in blocks, 0 to 8; default 1.
    pub jump_height: Option<u8>,
    /// Width of the widest gap they jump across, in blocks, 0 to 8; default 0.
    pub jump_distance: Option<u8>,
    /// Depth of the deepest fall in blocks, 0 to 1024; default 1.
    pub max_fall: Option<u16>,
    /// Height of the body in blocks, 1 to 8; default 1.
    pub height: Option<u8>,
    /// Whether they open doors; default yes.
    pub opens_doors: Option<bool>,
    /// Whether they swim through lava; default no.
    pub endures_lava: Option<bool>,
    /// If given, paths cost the time that they take, as such bodies move; default the length.
    /// Worlds of blocks only.
    pub times: Option<SceneTimes>,
    /// Names of the keys that they carry.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub keys: Vec<String>,
    /// Name of the algorithm that finds their paths: one of `wayfare algorithms`; default `auto`.
    #[serde(default, with = "spelling::algorithm", skip_serializing_if = "is_default")]
    pub algorithm: Option<AlgorithmId>,
    /// How many others they look at to avoid them; default off: they pass through others. Among
    /// waypoints they follow each other, whatever the number.
    #[serde(default, with = "spelling::avoidance", skip_serializing_if = "is_default")]
    pub avoidance: Option<AvoidanceQuality>,
    /// How much others give way to them, 0 to 255; default 0.
    pub priority: Option<u8>,
    /// How agents that avoid others choose their velocity; default `orca`.
    pub steering: Option<SceneSteering>,
    /// Of `free_speed`: the time in which they cover the free distance ahead, in seconds, above 0
    /// and at most 60; default 0.5.
    pub time_gap: Option<f32>,
    /// Terrains that are to them something else than the world says. Not in worlds of blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terrains: Vec<ClassTerrain>,
}

rules!(AgentClass {
    name: rule::name,
    width: |at: &At<'_>, width| rule::within(at, width, 1u8, 64),
    neighbours: rule::any,
    corners: rule::any,
    slope_cost: |at: &At<'_>, cost| rule::within(at, cost, 0.0f32, 10_000.0),
    abilities: rule::any,
    jump_height: |at: &At<'_>, height| rule::within(at, height, 0u8, 8),
    jump_distance: |at: &At<'_>, distance| rule::within(at, distance, 0u8, 8),
    max_fall: |at: &At<'_>, fall| rule::within(at, fall, 0u16, 1024),
    height: |at: &At<'_>, height| rule::within(at, height, 1u8, 8),
    opens_doors: rule::any,
    endures_lava: rule::any,
    times: rule::any,
    keys: |at: &At<'_>, keys| rule::each(at, keys, rule::name),
    algorithm: rule::any,
    avoidance: rule::any,
    priority: rule::any,
    steering: rule::any,
    time_gap: |at: &At<'_>, gap| rule::within(at, gap, 0.001f32, 60.0),
    terrains: rule::table,
} then check_class);

fn check_class(at: &At<'_>, class: &AgentClass) -> Checked {
    if class.time_gap.is_some() && class.steering != Some(SceneSteering::FreeSpeed) {
        let error = at.key("time_gap").value("a time gap is for the steering 'free_speed'");
        return Err(error.advise("give steering = \"free_speed\" too"));
    }
    Ok(())
}

/// How agents that avoid others choose their velocity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SceneSteering {
    /// Reciprocal avoidance: they turn aside in time.
    Orca,
    /// The collision-free speed model: they queue as people do.
    FreeSpeed,
}

/// A terrain as a class of agents meets it. A missing key leaves the world's own value.
///
/// ```
/// use wayfare_scene::scene::ClassTerrain;
///
/// // A boat: water is open to it, at half the cost of its length.
/// let water = ClassTerrain { walkable: Some(true), multiplier: Some(0.5), ..ClassTerrain::of("water") };
/// assert_eq!(water.penalty, None);
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassTerrain {
    /// Name of a terrain of the world.
    pub terrain: String,
    /// Factor on the length of a step, from 0.
    pub multiplier: Option<f32>,
    /// Added on entering, in straight steps; may be negative, as
    /// [`CostRules`](super::CostRules) says.
    pub penalty: Option<f32>,
    /// Whether they can be there.
    pub walkable: Option<bool>,
    /// The part of their speed that they have there, 0.01 to 1; without it all of it. Grids and
    /// navigation meshes only.
    pub speed: Option<f32>,
}

rules!(ClassTerrain {
    terrain: rule::name,
    multiplier: rule::not_negative,
    penalty: rule::cost,
    walkable: rule::any,
    speed: |at: &At<'_>, speed| rule::within(at, speed, 0.01f32, 1.0),
});

impl ClassTerrain {
    /// Returns a terrain with the world's own values.
    pub fn of(terrain: impl Into<String>) -> Self {
        let terrain = terrain.into();
        Self { terrain, multiplier: None, penalty: None, walkable: None, speed: None }
    }
}

/// A move in a world of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ability {
    /// Along the ground.
    Walk,
    /// Up, and across gaps.
    Jump,
    /// Down.
    Fall,
    /// Through water.
    Swim,
    /// On ladders and climbable walls.
    Climb,
    /// Through the air.
    Fly,
}

/// How fast bodies move in a world of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SceneTimes {
    /// [`MoveTimes::PEOPLE`].
    People,
    /// [`MoveTimes::MINECRAFT`].
    Minecraft,
}

impl SceneTimes {
    /// Returns the times of moves.
    #[must_use]
    pub fn move_times(self) -> MoveTimes {
        match self {
            Self::People => MoveTimes::PEOPLE,
            Self::Minecraft => MoveTimes::MINECRAFT,
        }
    }
}

/// One agent, or a crowd of them.
///
/// Missing values of the body are the engine's own.
///
/// ```
/// use wayfare_scene::scene::{self, Scene, SceneAgent, SceneBehaviour, Spot};
///
/// let mut scene = Scene::new("watch");
/// scene.scene.map = Some("....\n....\n".to_string());
/// let mut ann = SceneAgent::new("Ann", Spot::Cell([0, 0]));
/// ann.speed = Some(2.5);
/// ann.behaviours.push(SceneBehaviour::Wander { radius: 4.0, dwell: 1.0 });
/// scene.agents.push(ann);
/// let text = scene::write(&scene)?;
/// assert!(text.contains("{ kind = \"wander\", radius = 4, dwell = 1 }"));
/// assert_eq!(scene::read(text.as_bytes())?, scene);
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneAgent {
    /// Unique, not empty, and not the name of a team. In a crowd a number from 1 follows it.
    pub name: String,
    /// Teams have colours, and can be pursued, fled from and followed; default none.
    pub team: Option<String>,
    /// Name of a class; default the first, or a class without peculiarities where there is none.
    pub class: Option<String>,
    /// Where it begins.
    pub at: Spot,
    /// Size of the crowd, at least 1; default a single agent.
    pub count: Option<u32>,
    /// Where a crowd begins: spread over the part of the rectangle that is reachable from `at`.
    /// Default as near `at` as there is room.
    pub area: Option<Rectangle>,
    /// Direction of view in degrees: 0 along x, 90 along z; default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub facing: f32,
    /// Highest speed in metres a second, greater than 0.
    pub speed: Option<f32>,
    /// Gain and loss of speed, in metres a second squared, greater than 0.
    pub acceleration: Option<f32>,
    /// Turning speed in degrees a second, greater than 0.
    pub turn_speed: Option<f32>,
    /// Turning speed on the spot, in degrees a second, greater than 0.
    pub spot_turn_speed: Option<f32>,
    /// Seconds that it stands before its first decision, at least 0; default 0. In a crowd each
    /// agent stands so much longer than the one before.
    #[serde(default, skip_serializing_if = "is_default")]
    pub phase: f32,
    /// Distance from its goal at which it may stop, in metres, at least 0.
    pub stopping_distance: Option<f32>,
    /// Whether it slows down before its goal.
    pub auto_braking: Option<bool>,
    /// Radius of its turns in metres, at least 0.
    pub turn_radius: Option<f32>,
    /// Radius of its body in metres, at least 0.
    pub radius: Option<f32>,
    /// Name of the algorithm that finds its paths; default that of its class.
    #[serde(default, with = "spelling::algorithm", skip_serializing_if = "is_default")]
    pub algorithm: Option<AlgorithmId>,
    /// How many others it looks at to avoid them; default that of its class.
    #[serde(default, with = "spelling::avoidance", skip_serializing_if = "is_default")]
    pub avoidance: Option<AvoidanceQuality>,
    /// How much others give way to it, 0 to 255; default that of its class.
    pub priority: Option<u8>,
    /// The layers that it is on, 1 to 32; default the first. An agent avoids others that are on a
    /// layer which it `avoids`, and is avoided by them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<u8>,
    /// The layers whose agents it avoids, 1 to 32; default all.
    pub avoids: Option<Vec<u8>>,
    /// Its first destinations, one after the other, before any behaviour.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<Spot>,
    /// Its behaviours, the most urgent first: the first that applies acts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub behaviours: Vec<SceneBehaviour>,
}

rules!(SceneAgent {
    name: rule::name,
    team: rule::name,
    class: rule::class,
    at: rule::table,
    count: rule::at_least_one,
    area: rule::table,
    facing: rule::coordinate,
    speed: rule::positive,
    acceleration: rule::positive,
    turn_speed: rule::positive,
    spot_turn_speed: rule::positive,
    phase: rule::not_negative,
    stopping_distance: rule::not_negative,
    auto_braking: rule::any,
    turn_radius: rule::not_negative,
    radius: rule::not_negative,
    algorithm: rule::any,
    avoidance: rule::any,
    priority: rule::any,
    layers: |at: &At<'_>, layers| rule::each(at, layers, layer),
    avoids: |at: &At<'_>, layers: &Option<Vec<u8>>| {
        rule::each(at, layers.as_deref().unwrap_or_default(), layer)
    },
    orders: rule::table,
    behaviours: rule::table,
} then check_agent);

fn layer(at: &At<'_>, layer: &u8) -> Checked {
    rule::within(at, layer, 1u8, 32)
}

fn check_agent(at: &At<'_>, agent: &SceneAgent) -> Checked {
    if agent.area.is_some() && agent.count.is_none() {
        let error = at.key("area").value("an area is for crowds");
        return Err(error.advise("give 'count' too"));
    }
    for (number, behaviour) in agent.behaviours.iter().enumerate() {
        let (key, other) = match behaviour {
            SceneBehaviour::Pursue { target, .. } | SceneBehaviour::Follow { target, .. } => {
                ("target", target)
            }
            SceneBehaviour::Flee { from, .. } => ("from", from),
            _ => continue,
        };
        if *other == agent.name {
            let message = format!("'{other}' cannot have itself for '{key}'");
            return Err(at.key("behaviours").item(number).key(key).value(message));
        }
    }
    Ok(())
}

impl SceneAgent {
    /// Returns an agent without behaviours, its body as the engine's own.
    pub fn new(name: impl Into<String>, at: Spot) -> Self {
        Self {
            name: name.into(),
            team: None,
            class: None,
            at,
            count: None,
            area: None,
            facing: 0.0,
            speed: None,
            acceleration: None,
            turn_speed: None,
            spot_turn_speed: None,
            phase: 0.0,
            stopping_distance: None,
            auto_braking: None,
            turn_radius: None,
            radius: None,
            algorithm: None,
            avoidance: None,
            priority: None,
            layers: Vec::new(),
            avoids: None,
            orders: Vec::new(),
            behaviours: Vec::new(),
        }
    }

    /// Returns whether a name means it: its own, or that of its team.
    pub(crate) fn is_called(&self, name: &str) -> bool {
        self.name == name || self.team.as_deref() == Some(name)
    }

    /// Returns the count of agents that it stands for.
    pub fn number(&self) -> u32 {
        self.count.unwrap_or(1)
    }
}

/// A behaviour of an agent. `target` and `from` name an agent or a team.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SceneBehaviour {
    /// Visiting points again and again.
    Patrol {
        /// At least one.
        points: Vec<Spot>,
        /// Their order; default loop.
        #[serde(default, with = "PatrolOrderKey", skip_serializing_if = "is_default")]
        order: PatrolOrder,
        /// Stay at each point, from the arrival on, in seconds; default 0.
        #[serde(default, skip_serializing_if = "is_default")]
        dwell: f32,
        /// Index of the first point; default 0. In a crowd each agent begins one point later than
        /// the one before.
        #[serde(default, skip_serializing_if = "is_default")]
        start: u32,
    },
    /// Running after a target that comes near.
    Pursue {
        /// The target.
        target: String,
        /// Distance at which the pursuit begins, in metres, greater than 0.
        aggro: f32,
        /// Distance at which it ends, in metres, at least `aggro`; default `aggro`.
        give_up: Option<f32>,
        /// Seconds ahead of the target to head for; default 0.
        #[serde(default, skip_serializing_if = "is_default")]
        predict: f32,
        /// Its highest speed meanwhile, in metres a second, greater than 0; default its usual one.
        speed: Option<f32>,
    },
    /// Running away from a threat that comes near.
    Flee {
        /// The threat.
        from: String,
        /// Distance at which the flight begins, in metres, greater than 0.
        radius: f32,
        /// Length of the flight, in metres, greater than 0.
        distance: f32,
        /// Its highest speed meanwhile, in metres a second, greater than 0; default its usual one.
        speed: Option<f32>,
    },
    /// Strolling around the point where it began.
    Wander {
        /// Distance from there, in metres, greater than 0.
        radius: f32,
        /// Stay at each point, in seconds; default 0.
        #[serde(default, skip_serializing_if = "is_default")]
        dwell: f32,
    },
    /// Staying close to a leader.
    Follow {
        /// The leader.
        target: String,
        /// Distance to keep within, in metres, greater than 0.
        distance: f32,
    },
    /// Standing still.
    Idle,
}

rules!(SceneBehaviour:
    Patrol { points: rule::table, order: rule::any, dwell: rule::not_negative, start: rule::any },
    Pursue { target: rule::agent_or_team, aggro: rule::positive, give_up: rule::positive, predict: rule::not_negative, speed: rule::positive },
    Flee { from: rule::agent_or_team, radius: rule::positive, distance: rule::positive, speed: rule::positive },
    Wander { radius: rule::positive, dwell: rule::not_negative },
    Follow { target: rule::agent_or_team, distance: rule::positive },
    Idle {};
    then check_behaviour
);

fn check_behaviour(at: &At<'_>, behaviour: &SceneBehaviour) -> Checked {
    match behaviour {
        SceneBehaviour::Patrol { points, .. } if points.is_empty() => {
            let error = at.key("points").value("this patrol has no points");
            Err(error.advise("give it at least one"))
        }
        SceneBehaviour::Patrol { points, start, .. } if *start as usize >= points.len() => {
            let last = points.len() - 1;
            let message = format!("'start' is {start}, but the points are numbered 0 to {last}");
            Err(at.key("start").value(message))
        }
        SceneBehaviour::Pursue { aggro, give_up: Some(give_up), .. } if give_up < aggro => {
            let message = format!("'give_up' is {give_up}, less than 'aggro', which is {aggro}");
            let error = at.key("give_up").value(message);
            Err(error.advise("a pursuit would end before it begins: raise it"))
        }
        _ => Ok(()),
    }
}
