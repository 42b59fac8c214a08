//! The navigation links of a scene: doors, lifts, bridges.

use std::num::NonZeroU16;

use wayfare_core::link::{Crossing, Keys, LinkId, NavLink, NavLinkError, NavLinks};
use wayfare_core::space::{Obstruction, ProfileId};
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{WorldError, WorldErrorKind};
use wayfare_grid::grid::{Cell, Grid};
use wayfare_grid::waypoint::{WaypointGraph, WaypointId};
use wayfare_mesh::navmesh::PolygonId;
use wayfare_sim::simulation::MeshWorld;
use wayfare_voxel::{Voxel, VoxelGrid};

use super::land::unsettled;
use super::setting::Setting;
use crate::scene::{Scene, SceneNavLink};

/// The navigation links of a scene, with the names that it gives them.
#[derive(Debug, Clone)]
pub struct SceneLinks<State> {
    /// The links, in the order of the scene.
    pub links: NavLinks<State>,
    /// Their names.
    pub names: Vec<String>,
    /// The names of all keys that the scene's classes carry; key `n` is bit `n` of
    /// [`Keys`](wayfare_core::link::Keys).
    pub keys: Vec<String>,
}

impl<State> SceneLinks<State> {
    pub(super) fn of<W: Setting<State = State>>(
        world: &W,
        scene: &Scene,
        profile: ProfileId,
    ) -> Result<Self, WorldError> {
        let names = scene.nav_links.iter().map(|link| link.name.clone()).collect();
        let keys = scene.key_names();
        Ok(Self { links: links(world, scene, profile)?, names, keys })
    }
}

impl SceneLinks<Cell> {
    /// Returns the links over a grid, for agents of a profile.
    ///
    /// # Errors
    /// When a link ends off the map or where no such agent can stand.
    pub fn on_grid(grid: &Grid, profile: ProfileId, scene: &Scene) -> Result<Self, WorldError> {
        Self::of(grid, scene, profile)
    }
}

impl SceneLinks<WaypointId> {
    /// Returns the links over a waypoint graph.
    ///
    /// # Errors
    /// When a link ends at no waypoint, or at a blocked one.
    pub fn among_waypoints(graph: &WaypointGraph, scene: &Scene) -> Result<Self, WorldError> {
        Self::of(graph, scene, ProfileId::default())
    }
}

impl SceneLinks<Voxel> {
    /// Returns the links in a world of blocks, for agents of a profile.
    ///
    /// # Errors
    /// When a link ends off the map or where no such agent can be.
    pub fn in_blocks(
        grid: &VoxelGrid,
        profile: ProfileId,
        scene: &Scene,
    ) -> Result<Self, WorldError> {
        Self::of(grid, scene, profile)
    }
}

impl SceneLinks<PolygonId> {
    /// Returns the links on a navigation mesh, for agents of a profile.
    ///
    /// # Errors
    /// When a link has no ground within its radius of use.
    pub fn on_mesh(
        world: &MeshWorld,
        profile: ProfileId,
        scene: &Scene,
    ) -> Result<Self, WorldError> {
        Self::of(world, scene, profile)
    }
}

impl Scene {
    /// Returns the names of the keys of its agents and its locks: key `n` is bit `n` of
    /// [`Keys`](wayfare_core::link::Keys).
    #[must_use]
    pub fn key_names(&self) -> Vec<String> {
        known_keys(self).into_iter().cloned().collect()
    }
}

/// The most different keys: a bit each.
const MAX_KEYS: usize = 32;

/// Returns the names of the keys, in the order in which the classes name them, then the ones that
/// only locks of the map name.
fn known_keys(scene: &Scene) -> Vec<&String> {
    let mut known: Vec<&String> = Vec::new();
    let carried = scene.classes.iter().flat_map(|class| &class.keys);
    for key in carried.chain(scene.nav_links.iter().filter_map(|link| link.key.as_ref())) {
        if !known.contains(&key) {
            known.push(key);
        }
    }
    known
}

/// Returns the keys with those names: their indices are in the order in which the classes name
/// them.
pub(super) fn keys<'k>(scene: &Scene, names: impl IntoIterator<Item = &'k String>) -> Keys {
    let known = known_keys(scene);
    let bit = |name: &String| {
        let place = known.iter().position(|known| *known == name)?;
        1u32.checked_shl(u32::try_from(place).ok()?)
    };
    Keys(names.into_iter().filter_map(bit).fold(0, |all, bit: u32| all | bit))
}

/// Returns the links of a scene, over the states of its world.
fn links<W: Setting>(
    world: &W,
    scene: &Scene,
    profile: ProfileId,
) -> Result<NavLinks<W::State>, WorldError> {
    if known_keys(scene).len() > MAX_KEYS {
        let message = format!("the scene and its map name more than {MAX_KEYS} different keys");
        let error = WorldError::new(WorldErrorKind::Limit, message);
        return Err(error.about(KeyPath::key("nav_links")));
    }
    // The worth of a second in a link: the distance that the agents of the scene go in it, on
    // average.
    let usual = wayfare_sim::agent::AgentLimits::default().max_speed;
    let speeds = scene.agents.iter().map(|agent| {
        let number = f64::from(agent.number());
        (f64::from(agent.speed.unwrap_or(usual)) * number, number)
    });
    let (sum, number) = speeds.fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
    let mut links = NavLinks::new((sum / f64::max(number, 1.0)) as f32);
    for index in 0..scene.nav_links.len() {
        add_link(&mut links, index, world, scene, profile)?;
    }
    Ok(links)
}

/// Adds the link of a scene with that index, over the states of a world.
pub(super) fn add_link<W: Setting>(
    links: &mut NavLinks<W::State>,
    index: usize,
    world: &W,
    scene: &Scene,
    profile: ProfileId,
) -> Result<LinkId, WorldError> {
    let (link, path) = (&scene.nav_links[index], KeyPath::item("nav_links", index));
    if link.radius.is_some() && !W::HAS_EXACT_LINKS {
        let message = "'radius' of a link means something on navigation meshes alone";
        let error = WorldError::new(WorldErrorKind::Value, message);
        return Err(error.about(path.then("radius")));
    }
    let end = |spot, key: &'static str| unsettled(world, scene, spot, path.clone().then(key));
    let ends = [end(&link.from, "from")?, end(&link.to, "to")?];
    let usual = wayfare_sim::agent::AgentLimits::default().max_speed;
    let crossing = match (link.seconds, link.speed) {
        (Some(seconds), _) => Crossing::Seconds(seconds),
        (None, speed) => Crossing::Speed(speed.unwrap_or(usual)),
    };
    let radius = link.radius.unwrap_or(SceneNavLink::DEFAULT_RADIUS);
    let joined = world.joined(profile, ends, radius).map_err(|error| match error {
        NavLinkError::From(Obstruction::OffMap) => off_map(link, path.clone().then("from")),
        NavLinkError::To(Obstruction::OffMap) => off_map(link, path.clone().then("to")),
        error => wrong(link, &error, path.clone()),
    })?;
    let made = NavLink {
        two_way: !link.one_way,
        kind: link.kind,
        capacity: link.capacity.and_then(NonZeroU16::new),
        gate: link.gate,
        key: keys(scene, &link.key),
        crossing,
        ..joined
    };
    links.add(&world.space(profile), made).map_err(|error| wrong(link, &error, path))
}

fn off_map(link: &SceneNavLink, path: KeyPath) -> WorldError {
    let message = format!("the link '{}' leads off the map", link.name);
    WorldError::new(WorldErrorKind::Value, message).about(path)
}

/// Returns the fault of a link, at its key.
fn wrong(link: &SceneNavLink, error: &NavLinkError, path: KeyPath) -> WorldError {
    let path = match error {
        NavLinkError::From(_) => path.then("from"),
        NavLinkError::To(_) | NavLinkError::Loop => path.then("to"),
        NavLinkError::Seconds(_) => path.then("seconds"),
        NavLinkError::Speed(_) => path.then("speed"),
        NavLinkError::Radius(_) => path.then("radius"),
        _ => path,
    };
    WorldError::new(WorldErrorKind::Value, format!("'{}': {error}", link.name)).about(path)
}
