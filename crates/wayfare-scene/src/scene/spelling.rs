//! How a file spells the enums of the engine.

use glam::Vec2;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};
use wayfare_core::link::{Gate, LinkKind};
use wayfare_core::navigate::Policy;
use wayfare_core::search::AlgorithmId;
use wayfare_core::space::NegativeCosts;
use wayfare_crowd::AvoidanceQuality;
use wayfare_grid::grid::{CornerRule, Neighbours};
use wayfare_sim::agent::{Formation, PatrolOrder};

/// Returns whether a value need not be written.
pub(super) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "NegativeCosts", rename_all = "snake_case")]
pub(super) enum NegativeCostsKey {
    Reject,
    Shift,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Gate", rename_all = "snake_case")]
pub(super) enum GateKey {
    Open,
    Closed,
    Locked,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "LinkKind", rename_all = "snake_case")]
pub(super) enum LinkKindKey {
    Passage,
    Door,
    Ladder,
    Teleport,
    Lift,
    Jump,
    Drop,
    Climb,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "PatrolOrder", rename_all = "snake_case")]
pub(super) enum PatrolOrderKey {
    Loop,
    PingPong,
    Random,
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "CornerRule")]
enum CornerRuleKey {
    #[serde(rename = "both")]
    BothFree,
    #[serde(rename = "one")]
    OneFree,
    #[serde(rename = "always")]
    Always,
}

/// `"both"`, `"one"`, `"always"` or none.
pub(super) mod corners {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Key(#[serde(with = "CornerRuleKey")] CornerRule);

    pub(in crate::scene) fn serialize<S: Serializer>(
        corners: &Option<CornerRule>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        corners.map(Key).serialize(to)
    }

    pub(in crate::scene) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<CornerRule>, D::Error> {
        Ok(Option::<Key>::deserialize(from)?.map(|Key(corners)| corners))
    }
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "AvoidanceQuality", rename_all = "snake_case")]
enum AvoidanceKey {
    Off,
    Low,
    Medium,
    High,
}

/// `"off"`, `"low"`, `"medium"`, `"high"` or none.
pub(super) mod avoidance {
    use super::*;

    #[derive(Serialize, Deserialize)]
    struct Key(#[serde(with = "AvoidanceKey")] AvoidanceQuality);

    pub(in crate::scene) fn serialize<S: Serializer>(
        quality: &Option<AvoidanceQuality>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        quality.map(Key).serialize(to)
    }

    pub(in crate::scene) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<AvoidanceQuality>, D::Error> {
        Ok(Option::<Key>::deserialize(from)?.map(|Key(quality)| quality))
    }
}

/// 4, 8 or none.
pub(super) mod neighbours {
    use super::*;

    pub(in crate::scene) fn serialize<S: Serializer>(
        neighbours: &Option<Neighbours>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let number = neighbours.map(|neighbours| match neighbours {
            Neighbours::Four => 4u8,
            Neighbours::Eight => 8,
        });
        number.serialize(to)
    }

    pub(in crate::scene) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Neighbours>, D::Error> {
        match u8::deserialize(from)? {
            4 => Ok(Some(Neighbours::Four)),
            8 => Ok(Some(Neighbours::Eight)),
            other => Err(D::Error::custom(format!("a cell has 4 or 8 neighbours, not {other}"))),
        }
    }
}

/// The name of an algorithm, however it is spelt, or none.
pub(super) mod algorithm {
    use super::*;

    pub(in crate::scene) fn serialize<S: Serializer>(
        algorithm: &Option<AlgorithmId>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        algorithm.map(|algorithm| algorithm.info().name).serialize(to)
    }

    pub(in crate::scene) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<AlgorithmId>, D::Error> {
        let name = Option::<String>::deserialize(from)?;
        name.map(|name| name.parse().map_err(D::Error::custom)).transpose()
    }
}

/// `"exact"`, `"first_leg"` or none.
pub(super) mod policy {
    use super::*;

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Key {
        Exact,
        FirstLeg,
    }

    pub(in crate::scene) fn serialize<S: Serializer>(
        policy: &Option<Policy>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let key = policy.map(|policy| match policy {
            Policy::FirstLeg => Key::FirstLeg,
            _ => Key::Exact,
        });
        key.serialize(to)
    }

    pub(in crate::scene) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Policy>, D::Error> {
        Ok(Option::<Key>::deserialize(from)?.map(|key| match key {
            Key::Exact => Policy::Exact,
            Key::FirstLeg => Policy::FirstLeg,
        }))
    }
}

/// `"line"`, `"column"`, `"wedge"`, `"box"`, or a list of slots `[ahead, right]`.
pub(super) mod formation {
    use super::*;

    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Name {
        Line,
        Column,
        Wedge,
        Box,
    }

    #[derive(Serialize, Deserialize)]
    #[serde(
        untagged,
        expecting = "expected \"line\", \"column\", \"wedge\", \"box\" or places [[ahead, right], …]"
    )]
    enum Key {
        Named(Name),
        Own(Vec<[f32; 2]>),
    }

    pub(in crate::scene) fn serialize<S: Serializer>(
        formation: &Formation,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let key = match formation {
            Formation::Line => Key::Named(Name::Line),
            Formation::Column => Key::Named(Name::Column),
            Formation::Box => Key::Named(Name::Box),
            Formation::Own(places) => Key::Own(places.iter().map(Vec2::to_array).collect()),
            _ => Key::Named(Name::Wedge),
        };
        key.serialize(to)
    }

    pub(in crate::scene) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Formation, D::Error> {
        Ok(match Key::deserialize(from)? {
            Key::Named(Name::Line) => Formation::Line,
            Key::Named(Name::Column) => Formation::Column,
            Key::Named(Name::Wedge) => Formation::Wedge,
            Key::Named(Name::Box) => Formation::Box,
            Key::Own(places) => Formation::Own(places.into_iter().map(Vec2::from).collect()),
        })
    }
}
