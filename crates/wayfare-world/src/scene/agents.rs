//! Agents of a scene: their classes, their bodies, and what they do.

use serde::Deserialize;
use wayfare::space::{CornerRule, Neighbours};

use crate::scene::document::Rectangle;
use crate::scene::simulation::Spot;

/// A class of agents: how they get about, and which locks they open.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentClass {
    /// Unique, not empty.
    pub name: String,
    /// Their width in cells, 1 to 64, or in blocks, 1 to 8; default 1. Not for waypoints.
    #[serde(default)]
    pub width: Option<u8>,
    /// How many neighbours a cell has for them; default eight. Grids only.
    #[serde(default, with = "neighbours_number")]
    pub neighbours: Option<Neighbours>,
    /// When a diagonal may pass a blocked corner; default when both cells beside it are free. Grids
    /// only.
    #[serde(default, with = "corners_key")]
    pub corners: Option<CornerRule>,
    /// What they can do in a world of blocks; default walk, jump and fall. Worlds of blocks only,
    /// like what follows.
    #[serde(default)]
    pub abilities: Option<Vec<Ability>>,
    /// How many blocks up they jump, 0 to 8; default 1.
    #[serde(default)]
    pub jump_height: Option<u8>,
    /// How wide a gap they jump across, 0 to 8 blocks; default 0.
    #[serde(default)]
    pub jump_distance: Option<u8>,
    /// How many blocks down they may fall, 0 to 1024; default 1.
    #[serde(default)]
    pub max_fall: Option<u16>,
    /// How many blocks high they are, 1 to 8; default 1.
    #[serde(default)]
    pub height: Option<u8>,
    /// Names of the keys that they carry.
    #[serde(default)]
    pub keys: Vec<String>,
}

/// A way of getting about in a world of blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
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

/// One agent, or a crowd of them.
///
/// Numbers of the body that are not given are the engine's own.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneAgent {
    /// Unique, not empty, and not the name of a team. In a crowd a number from 1 follows it.
    pub name: String,
    /// Teams have colours, and can be pursued, fled from and followed; default none.
    #[serde(default)]
    pub team: Option<String>,
    /// Name of a class; default the first, or agents without any peculiarity where there is none.
    #[serde(default)]
    pub class: Option<String>,
    /// Where it begins.
    pub at: Spot,
    /// How many there are, at least 1; default 1.
    #[serde(default)]
    pub count: Option<u32>,
    /// Where a crowd begins: all about the rectangle, wherever one gets from `at`. Default as near
    /// `at` as there is room.
    #[serde(default)]
    pub area: Option<Rectangle>,
    /// Which way it looks in degrees: 0 along x, 90 along z; default 0.
    #[serde(default)]
    pub facing: f32,
    /// Its highest speed in metres a second, greater than 0.
    #[serde(default)]
    pub speed: Option<f32>,
    /// How fast it gains and loses speed, in metres a second squared, greater than 0.
    #[serde(default)]
    pub acceleration: Option<f32>,
    /// How fast it turns, in degrees a second, greater than 0.
    #[serde(default)]
    pub turn_speed: Option<f32>,
    /// How far from its goal it may stop, in metres, at least 0.
    #[serde(default)]
    pub stopping_distance: Option<f32>,
    /// Whether it slows down before its goal.
    #[serde(default)]
    pub auto_braking: Option<bool>,
    /// The radius of its turns in metres, at least 0.
    #[serde(default)]
    pub turn_radius: Option<f32>,
    /// The radius of its body in metres, at least 0.
    #[serde(default)]
    pub radius: Option<f32>,
    /// Where it goes first, one after the other, before any behaviour.
    #[serde(default)]
    pub orders: Vec<Spot>,
    /// What it does: the first that applies.
    #[serde(default)]
    pub behaviours: Vec<SceneBehaviour>,
}

impl SceneAgent {
    /// An agent without behaviours, its body as the engine's own.
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
            stopping_distance: None,
            auto_braking: None,
            turn_radius: None,
            radius: None,
            orders: Vec::new(),
            behaviours: Vec::new(),
        }
    }

    /// How many there are of it.
    pub fn number(&self) -> u32 {
        self.count.unwrap_or(1)
    }
}

/// What an agent may do of its own accord. `target` and `from` name an agent or a team.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum SceneBehaviour {
    /// Going round the points.
    Patrol {
        /// At least one.
        points: Vec<Spot>,
        /// In which order; default loop.
        #[serde(default)]
        order: PatrolOrder,
        /// How long it stays at each, from its arrival on, in seconds; default 0.
        #[serde(default)]
        dwell: f32,
        /// The number of the point that it begins with, from 0; default 0. In a crowd each one begins
        /// one point later than the one before.
        #[serde(default)]
        start: u32,
    },
    /// Running after a target that comes near.
    Pursue {
        /// Whom.
        target: String,
        /// How near the target must come, in metres, greater than 0.
        aggro: f32,
        /// How far it must get to be left alone, in metres, at least `aggro`; default `aggro`.
        #[serde(default)]
        give_up: Option<f32>,
        /// How many seconds ahead of the target it heads; default 0.
        #[serde(default)]
        predict: f32,
    },
    /// Running away from who comes near.
    Flee {
        /// From whom.
        from: String,
        /// How near they must come, in metres, greater than 0.
        radius: f32,
        /// How far it runs, in metres, greater than 0.
        distance: f32,
    },
    /// Strolling around where it began.
    Wander {
        /// How far, in metres, greater than 0.
        radius: f32,
        /// How long it stays at each place, in seconds; default 0.
        #[serde(default)]
        dwell: f32,
    },
    /// Staying close to somebody.
    Follow {
        /// To whom.
        target: String,
        /// How close, in metres, greater than 0.
        distance: f32,
    },
    /// Standing still.
    Idle,
}

/// In which order an agent goes round its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PatrolOrder {
    /// From the last again to the first.
    #[default]
    Loop,
    /// There and back.
    PingPong,
    /// Any but the one where it is.
    Random,
}

mod neighbours_number {
    use serde::{Deserialize, Deserializer, de::Error};
    use wayfare::space::Neighbours;

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Neighbours>, D::Error> {
        match u8::deserialize(from)? {
            4 => Ok(Some(Neighbours::Four)),
            8 => Ok(Some(Neighbours::Eight)),
            other => Err(D::Error::custom(format!("a cell has 4 or 8 neighbours, not {other}"))),
        }
    }
}

mod corners_key {
    use serde::{Deserialize, Deserializer};
    use wayfare::space::CornerRule;

    #[derive(Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Key {
        Both,
        One,
        Always,
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<CornerRule>, D::Error> {
        Key::deserialize(from).map(|key| {
            Some(match key {
                Key::Both => CornerRule::BothFree,
                Key::One => CornerRule::OneFree,
                Key::Always => CornerRule::Always,
            })
        })
    }
}
