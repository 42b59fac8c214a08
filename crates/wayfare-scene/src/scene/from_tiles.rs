//! Maps as scenes of waypoints: one a tile, linked to its neighbours by hand, so to speak.

use std::collections::BTreeSet;
use std::num::NonZeroU16;

use wayfare_core::link::{Crossing, Gate, JumpLink};
use wayfare_core::space::NegativeCosts;
use wayfare_formats::{
    HexagonMap, MapLink, MapPlace, TileMap, TilePosition, WorldError, WorldErrorKind,
};
use wayfare_grid::grid::Neighbours;

use crate::limits::MAX_SCENE_ITEMS;
use crate::scene::{
    CostRules, NamedPlace, QueryPlace, Scene, SceneLink, SceneNavLink, SceneQuery, SceneWaypoint,
    Spot,
};

impl Scene {
    /// Returns a waypoint in the middle of each tile, one metre apart, with links between
    /// neighbours that are walkable and in the same medium; a diagonal needs both tiles beside it
    /// open, too. Column x, row y of the map is the waypoint `x,y` at `(x + ½, 0, y + ½)`. Its cost
    /// is its terrain's penalty; negative ones are shifted.
    ///
    /// # Errors
    /// When the map has more tiles than a scene may have waypoints.
    pub fn from_tile_map(map: &TileMap, neighbours: Neighbours) -> Result<Scene, WorldError> {
        let mut scene = Scene::new(map.name());
        scene.costs = CostRules { negative_costs: NegativeCosts::Shift, ..CostRules::default() };
        scene.terrains = map.terrains().to_vec();
        if map.tiles().len() > MAX_SCENE_ITEMS {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!("the map has {} tiles, too many to be waypoints", map.tiles().len()),
            ));
        }
        let id = |x: u32, y: u32| format!("{x},{y}");
        // A link from a to b exists when both are open and of one medium.
        let joined = |a: (u32, u32), b: (u32, u32)| {
            let terrains = (map.terrain_at(a.0, a.1), map.terrain_at(b.0, b.1));
            matches!(terrains, (Some(a), Some(b))
                if a.walkable && b.walkable && a.medium == b.medium)
        };
        let link = |a: (u32, u32), b: (u32, u32)| SceneLink {
            from: id(a.0, a.1),
            to: id(b.0, b.1),
            one_way: false,
            cost: None,
            danger: 0.0,
        };
        for (y, row) in (0..).zip(map.rows()) {
            for (x, tile) in (0..).zip(row) {
                scene.waypoints.push(SceneWaypoint {
                    id: id(x, y),
                    at: [x as f32 + 0.5, 0.0, y as f32 + 0.5],
                    cost: None,
                    terrain: Some(map.terrain(*tile).name.clone()),
                });
                let (here, right, below) = ((x, y), (x + 1, y), (x, y + 1));
                let corner = (x + 1, y + 1);
                scene.links.extend(
                    [right, below]
                        .into_iter()
                        .filter(|next| joined(here, *next))
                        .map(|next| link(here, next)),
                );
                if neighbours == Neighbours::Eight {
                    if joined(here, corner) && joined(here, right) && joined(here, below) {
                        scene.links.push(link(here, corner));
                    }
                    if joined(right, below) && joined(right, here) && joined(right, corner) {
                        scene.links.push(link(right, below));
                    }
                }
            }
        }
        scene.validate()?;
        Ok(scene)
    }

    /// Returns the hexagons of a map as waypoints, one metre apart, linked to their six neighbours.
    /// The hexagon at column x and row y is the waypoint `x,y`.
    ///
    /// # Errors
    /// When the map has more hexagons than a scene may have waypoints.
    pub fn from_hexagons(hexagons: &HexagonMap) -> Result<Scene, WorldError> {
        let map = hexagons.tiles();
        if map.tiles().len() > MAX_SCENE_ITEMS {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!(
                    "the map has {} hexagons, but at most {MAX_SCENE_ITEMS} can be waypoints",
                    map.tiles().len()
                ),
            ));
        }
        let mut scene = Scene::new(map.name());
        scene.scene.description = std::iter::once("A map of hexagons.")
            .chain(map.remarks().iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(" ");
        scene.costs = CostRules { negative_costs: NegativeCosts::Shift, ..CostRules::default() };
        scene.terrains = map.terrains().to_vec();
        let id = |at: TilePosition| format!("{},{}", at.x, at.y);
        for (y, row) in (0..).zip(map.rows()) {
            for (x, tile) in (0..).zip(row) {
                let here = TilePosition { x, y };
                let terrain = map.terrain(*tile);
                let [along, across] = hexagons.middle(here);
                scene.waypoints.push(SceneWaypoint {
                    id: id(here),
                    at: [along, 0.0, across],
                    cost: None,
                    terrain: Some(terrain.name.clone()),
                });
                if !terrain.walkable {
                    continue;
                }
                let joined = hexagons.neighbours_after(here).filter(|next| {
                    let other = map.terrain_at(next.x, next.y);
                    other.is_some_and(|other| other.walkable && other.medium == terrain.medium)
                });
                scene.links.extend(joined.map(|next| SceneLink {
                    from: id(here),
                    to: id(next),
                    one_way: false,
                    cost: None,
                    danger: 0.0,
                }));
            }
        }
        let marks = map.marks();
        if let (Some(start), Some(goal)) = (marks.start, marks.goal) {
            let (from, to) = (QueryPlace::Waypoint(id(start)), QueryPlace::Waypoint(id(goal)));
            scene.queries.push(SceneQuery { name: "start to goal".to_string(), from, to });
        }
        scene.validate()?;
        Ok(scene)
    }
}

impl From<&MapPlace> for NamedPlace {
    fn from(place: &MapPlace) -> Self {
        Self { name: place.name.clone(), at: cell(place.at) }
    }
}

impl From<&MapLink> for SceneNavLink {
    fn from(link: &MapLink) -> Self {
        let (seconds, speed) = match link.crossing {
            Crossing::Seconds(seconds) => (Some(seconds), None),
            Crossing::Speed(speed) => (None, Some(speed)),
        };
        Self {
            name: link.name.clone(),
            from: cell(link.from),
            to: cell(link.to),
            kind: link.kind,
            seconds,
            speed,
            capacity: link.capacity.map(NonZeroU16::get),
            gate: link.gate,
            key: link.key.clone(),
            one_way: link.one_way,
            radius: None,
        }
    }
}

impl SceneNavLink {
    /// Returns the links of a mesh as a scene writes them, named from `#1` on.
    #[must_use]
    pub fn of_mesh(links: &[JumpLink]) -> Vec<Self> {
        let scene_link = |(number, link): (usize, &JumpLink)| Self {
            name: format!("#{}", number + 1),
            from: Spot::Point(link.from.to_array()),
            to: Spot::Point(link.to.to_array()),
            kind: link.kind,
            seconds: Some(link.seconds),
            speed: None,
            capacity: None,
            gate: Gate::Open,
            key: None,
            one_way: !link.two_way,
            radius: None,
        };
        links.iter().enumerate().map(scene_link).collect()
    }
}

fn cell(at: TilePosition) -> Spot {
    Spot::Cell([at.x, at.y])
}

impl Scene {
    /// Adds the places and links of the map that the scene plays on. Names that the scene itself
    /// gives keep their meaning.
    pub fn furnish(&mut self, places: &[NamedPlace], nav_links: &[SceneNavLink]) {
        let known: BTreeSet<String> = self.places.iter().map(|place| place.name.clone()).collect();
        let new = places.iter().filter(|place| !known.contains(&place.name));
        self.places.extend(new.cloned());
        let known: BTreeSet<String> = self.nav_links.iter().map(|link| link.name.clone()).collect();
        let new = nav_links.iter().filter(|link| !known.contains(&link.name));
        self.nav_links.extend(new.cloned());
    }
}
