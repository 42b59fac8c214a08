//! All names that a scene gives, each of them once.

use std::collections::BTreeSet;

use wayfare_formats::inside::KeyPath;
use wayfare_formats::{WorldError, WorldErrorKind};

use crate::scene::document::Scene;
use crate::scene::rules::Checked;

/// How many different keys there can be: a bit each.
const MAX_KEYS: usize = 32;

/// The names that something in a scene may refer to.
#[derive(Default)]
pub(super) struct Names<'s> {
    pub(super) terrains: BTreeSet<&'s str>,
    pub(super) waypoints: BTreeSet<&'s str>,
    /// Beginnings of the ids of waypoints that placements will make.
    pub(super) prefixes: BTreeSet<&'s str>,
    /// Waypoints and places.
    pub(super) spots: BTreeSet<&'s str>,
    pub(super) classes: BTreeSet<&'s str>,
    pub(super) keys: BTreeSet<&'s str>,
    pub(super) links: BTreeSet<&'s str>,
    pub(super) puzzles: BTreeSet<&'s str>,
    /// Single agents, not crowds.
    pub(super) agents: BTreeSet<&'s str>,
    pub(super) teams: BTreeSet<&'s str>,
    /// Agents that stand for several.
    pub(super) crowds: BTreeSet<&'s str>,
    pub(super) groups: BTreeSet<&'s str>,
    pub(super) blocks: BTreeSet<&'s str>,
    /// Whether the scene plays on a map of another file, which may name more places and links. They
    /// are looked for when the scene is staged.
    pub(super) has_map: bool,
}

impl<'s> Names<'s> {
    /// # Errors
    /// When a name is used twice, or an agent is called like a team.
    pub(super) fn of(scene: &'s Scene) -> Result<Self, WorldError> {
        let has_map = scene.scene.world.as_deref().is_some_and(|file| {
            let file = file.to_ascii_lowercase();
            [".tmx", ".tmj", ".json"].iter().any(|ending| file.ends_with(ending))
        });
        let mut names = Self { has_map, ..Self::default() };
        names.terrains.extend(scene.terrains.iter().map(|terrain| terrain.name.as_str()));
        let waypoints = scene.waypoints.iter().map(|waypoint| &waypoint.id);
        unique("waypoints", "id", waypoints, &mut names.waypoints)?;
        names.prefixes.extend(scene.placements.iter().map(|placed| placed.prefix.as_str()));
        let queries = scene.queries.iter().map(|query| &query.name);
        unique("queries", "name", queries, &mut BTreeSet::new())?;
        names.spots = names.waypoints.clone();
        unique("places", "name", scene.places.iter().map(|place| &place.name), &mut names.spots)?;
        let classes = scene.classes.iter().map(|class| &class.name);
        unique("classes", "name", classes, &mut names.classes)?;
        for (index, class) in scene.classes.iter().enumerate() {
            names.keys.extend(class.keys.iter().map(String::as_str));
            if names.keys.len() > MAX_KEYS {
                let message = format!("there are more than {MAX_KEYS} different keys");
                return Err(WorldError::new(WorldErrorKind::Limit, message)
                    .about(KeyPath::item("classes", index).then("keys")));
            }
        }
        let links = scene.nav_links.iter().map(|link| &link.name);
        unique("nav_links", "name", links, &mut names.links)?;
        let puzzles = scene.puzzles.iter().map(|puzzle| &puzzle.name);
        unique("puzzles", "name", puzzles, &mut names.puzzles)?;
        unique("clips", "name", scene.clips.iter().map(|clip| &clip.name), &mut BTreeSet::new())?;
        let agents = scene.agents.iter().map(|agent| &agent.name);
        unique("agents", "name", agents, &mut BTreeSet::new())?;
        let single = scene.agents.iter().filter(|agent| agent.count.is_none());
        names.agents.extend(single.map(|agent| agent.name.as_str()));
        let crowds = scene.agents.iter().filter(|agent| agent.count.is_some());
        names.crowds.extend(crowds.map(|agent| agent.name.as_str()));
        names.teams.extend(scene.agents.iter().filter_map(|agent| agent.team.as_deref()));
        let both = scene.agents.iter().position(|agent| names.teams.contains(agent.name.as_str()));
        if let Some((index, agent)) = both.map(|index| (index, &scene.agents[index])) {
            let message = format!("'{}' is a team and cannot be an agent too", agent.name);
            return Err(WorldError::new(WorldErrorKind::Duplicate, message)
                .about(KeyPath::item("agents", index).then("name"))
                .advise("rename one of them"));
        }
        unique("groups", "name", scene.groups.iter().map(|group| &group.name), &mut names.groups)?;
        let meant = |name: &str| scene.agents.iter().any(|agent| agent.is_called(name));
        if let Some(index) = scene.groups.iter().position(|group| meant(&group.name)) {
            let name = &scene.groups[index].name;
            let message = format!("'{name}' is an agent or a team and cannot be a group too");
            return Err(WorldError::new(WorldErrorKind::Duplicate, message)
                .about(KeyPath::item("groups", index).then("name"))
                .advise("rename one of them"));
        }
        let blocks = scene.events.iter().filter_map(|event| event.block.as_ref());
        names.blocks.extend(blocks.map(|block| block.id.as_str()));
        let driven = scene.events.iter().filter_map(|event| event.drive.as_ref());
        names.blocks.extend(driven.map(|drive| drive.id.as_str()));
        Ok(names)
    }

    /// Returns whether a placement will make waypoints with ids like that one.
    pub(super) fn will_be_placed(&self, id: &str) -> bool {
        let numbered = |prefix: &&str| {
            id.strip_prefix(prefix).is_some_and(|number| number.parse::<u32>().is_ok())
        };
        self.prefixes.iter().any(numbered)
    }
}

/// Adds the names of a list; empty ones are left to their rule.
fn unique<'s>(
    list: &'static str,
    key: &'static str,
    items: impl Iterator<Item = &'s String>,
    names: &mut BTreeSet<&'s str>,
) -> Checked {
    for (index, name) in items.enumerate() {
        if !name.trim().is_empty() && !names.insert(name) {
            let message = format!("'{name}' is used twice");
            return Err(WorldError::new(WorldErrorKind::Duplicate, message)
                .about(KeyPath::item(list, index).then(key))
                .advise("rename one of them"));
        }
    }
    Ok(())
}
