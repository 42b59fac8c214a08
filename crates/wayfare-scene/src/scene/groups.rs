//! Groups of a scene: agents that go together and keep a formation.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wayfare_formats::WorldErrorKind;
use wayfare_sim::agent::Formation;

use crate::scene::document::Scene;
use crate::scene::rules::{self as rule, At, Checked, rules};
use crate::scene::simulation::Spot;
use crate::scene::spelling::{self, is_default};

/// A group of agents that goes where its leader goes, in formation. Grids and navigation meshes
/// only.
///
/// Missing values are the engine's own: see [`GroupSpec`](wayfare_sim::simulation::GroupSpec).
///
/// ```
/// use wayfare::agent::Formation;
/// use wayfare_scene::scene::{Scene, SceneAgent, SceneGroup, Spot};
///
/// let mut scene = Scene::new("watch");
/// scene.scene.map = Some("......\n......\n".to_string());
/// let (ann, guard) = (SceneAgent::new("Ann", Spot::Cell([0, 0])), SceneAgent::new("guard", Spot::Cell([1, 0])));
/// scene.agents = vec![ann, SceneAgent { count: Some(3), ..guard }];
/// let mut watch = SceneGroup::new("watch", ["Ann", "guard"]);
/// watch.formation = Formation::Column;
/// watch.orders.push(Spot::Cell([5, 1]));
/// scene.groups.push(watch);
/// assert!(scene.validate().is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneGroup {
    /// Unique, not empty, and not the name of an agent or a team.
    pub name: String,
    /// Agents, crowds and teams, the leader first. No agent is in two groups, or twice in one.
    pub members: Vec<String>,
    /// Its shape on open ground; default a wedge.
    #[serde(default, with = "spelling::formation", skip_serializing_if = "is_default")]
    pub formation: Formation,
    /// Distance between neighbours in the formation and in file, in metres, 0.01 to 1,000.
    pub spacing: Option<f32>,
    /// The distance of a follower from its slot at which the leader all but stands, in metres, at
    /// least the spacing and at most 10,000.
    pub patience: Option<f32>,
    /// Its first destinations, one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub orders: Vec<Spot>,
}

rules!(SceneGroup {
    name: rule::name,
    members: check_members,
    formation: check_formation,
    spacing: check_spacing,
    patience: rule::any,
    orders: rule::table,
} then |at: &At<'_>, group: &SceneGroup| {
    let spacing = group.spacing.unwrap_or(SceneGroup::DEFAULT_SPACING);
    rule::within(&at.key("patience"), &group.patience, spacing, 10_000.0)
});

fn check_members(at: &At<'_>, members: &[String]) -> Checked {
    if members.is_empty() {
        let error = at.value("this group has no members");
        return Err(error.advise("name agents, crowds or teams, the leader first"));
    }
    rule::each(at, members, rule::agent_crowd_or_team)
}

pub(super) fn check_formation(at: &At<'_>, formation: &Formation) -> Checked {
    let Formation::Own(places) = formation else { return Ok(()) };
    rule::each(at, places, |at, place| rule::within(at, &place.to_array(), -1_000.0f32, 1_000.0))
}

pub(super) fn check_spacing(at: &At<'_>, spacing: &Option<f32>) -> Checked {
    rule::within(at, spacing, 0.01f32, 1_000.0)
}

impl SceneGroup {
    /// Distance between neighbours where the scene gives none, in metres.
    pub const DEFAULT_SPACING: f32 = 1.0;

    /// Returns a group of these members, the leader first, with the engine's own values.
    pub fn new(name: impl Into<String>, members: impl IntoIterator<Item: Into<String>>) -> Self {
        Self {
            name: name.into(),
            members: members.into_iter().map(Into::into).collect(),
            formation: Formation::default(),
            spacing: None,
            patience: None,
            orders: Vec::new(),
        }
    }
}

/// A group takes another shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FormationChange {
    /// Name of the group.
    pub group: String,
    /// Its shape from then on.
    #[serde(with = "spelling::formation")]
    pub formation: Formation,
    /// Its spacing from then on, in metres, 0.01 to 1,000; default that of the group in the scene.
    pub spacing: Option<f32>,
}

rules!(FormationChange { group: rule::group, formation: check_formation, spacing: check_spacing });

/// Checks that an agent is in one group at most, and once.
pub(super) fn check_memberships(at: &At<'_>, scene: &Scene) -> Checked {
    let mut known: BTreeMap<&str, &str> = BTreeMap::new();
    for (index, group) in scene.groups.iter().enumerate() {
        for (number, member) in group.members.iter().enumerate() {
            let meant = scene.agents.iter().filter(|agent| agent.is_called(member));
            for agent in meant {
                let Some(other) = known.insert(&agent.name, &group.name) else { continue };
                let message = format!("'{}' is in the group '{other}' already", agent.name);
                let place = at.key("groups");
                let place = place.item(index);
                let place = place.key("members");
                return Err(place.item(number).error(WorldErrorKind::Duplicate, message));
            }
        }
    }
    Ok(())
}
