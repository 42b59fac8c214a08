//! Scenes of waypoints as sites.

use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use wayfare::explain::waypoint::{WaypointRelaxation, missing_ways, remedies_by};
use wayfare::geometry::KnownObstacle;
use wayfare::search::{AStar, NoPath, solve};
use wayfare::simulation::Shape;
use wayfare::space::waypoint::COST_PER_UNIT;
use wayfare::space::{
    Obstruction, ProfileId, Reachability, Space, StateId, TerrainId, WaypointGraph, WaypointId,
};
use wayfare_formats::Terrain;
use wayfare_scene::scene::Scene;
use wayfare_scene::{NamedRoute, SceneLinks, WaypointWorld};
#[cfg(feature = "pictures")]
use {
    crate::{View, look},
    glam::Vec2,
    wayfare_draw::{DrawError, Footprint, LinkArt, Scenery, Surface, Theme, WaypointScenery},
};

use crate::answered::{path_steps, query};
use crate::movement::Change;
use crate::numbers::tidy;
use crate::owner::{Measured, Owner};
use crate::passages::{self, Passages};
use crate::place::point;
use crate::searcher::WideSearcher;
use crate::session::OwnedSession;
use crate::{
    About, Endpoints, FreeState, GroundLook, Layout, LinkLayout, MovementPart, OpenedPath,
    OutlineLayout, OwnRoute, PathStep, Place, PointLayout, SearchRequest, SearchSession, Searcher,
    Site, SiteError,
};

/// More names than this would cover the picture.
#[cfg(feature = "pictures")]
const MOST_NAMES: usize = 80;

/// A waypoint graph with the scene that it was made from.
#[derive(Clone, Debug)]
pub struct WaypointSite {
    about: About,
    world: Arc<WaypointWorld>,
    passages: Arc<Passages<WaypointId>>,
}

impl WaypointSite {
    /// Returns the site of a scene.
    #[must_use]
    pub fn new(file: &Path, world: WaypointWorld) -> Self {
        let shift = f64::from(world.graph.cost_shift());
        let shifted = format!(
            "a waypoint costs less than nothing: the costs of all were raised by {}",
            tidy(shift)
        );
        let about = About {
            file: file.to_path_buf(),
            name: world.name.clone(),
            kind: "waypoint scene",
            unit: "metres",
            unit_cost: f64::from(COST_PER_UNIT),
            state: "waypoint",
            states: world.graph.len() as u64,
            bytes: None,
            agent: None,
            remarks: Vec::new(),
            details: if shift > 0.0 { vec![shifted] } else { Vec::new() },
        };
        Self { about, world: Arc::new(world), passages: Arc::default() }
    }

    /// Returns the same with the links of a scene that plays here, and the danger that its agents
    /// know of.
    ///
    /// # Errors
    /// When a link ends at no waypoint, or at a blocked one.
    pub fn with_links(mut self, scene: &Scene) -> Result<Self, SiteError> {
        let links = SceneLinks::among_waypoints(self.graph(), scene)?;
        let passages = Passages::of_scene(links, scene, self.graph(), ProfileId::default());
        self.passages = Arc::new(passages);
        Ok(self)
    }

    fn graph(&self) -> &WaypointGraph {
        &self.world.graph
    }

    fn owner(&self) -> GraphOwner {
        GraphOwner {
            world: Arc::clone(&self.world),
            passages: Arc::clone(&self.passages),
            unit: self.about.unit_cost,
        }
    }

    fn terrain(&self, state: u32) -> Option<(TerrainId, &Terrain)> {
        let id = (*self.world.ground.get(state as usize)?)?;
        Some((id, self.world.terrains.get(usize::from(id.0))?))
    }

    /// Returns the obstruction of an endpoint, as the end of a sentence.
    fn spell_obstruction(&self, state: u32, obstruction: Obstruction) -> String {
        match (obstruction, self.terrain(state)) {
            (Obstruction::Blocked, Some((_, terrain))) if !terrain.walkable => {
                format!("stands on '{}', which this walker cannot enter", terrain.name)
            }
            _ => obstruction.to_string(),
        }
    }
}

impl Site for WaypointSite {
    fn about(&self) -> &About {
        &self.about
    }

    fn searcher(&self) -> Box<dyn Searcher> {
        Box::new(WideSearcher::new(self.owner()))
    }

    fn session(&self, request: &SearchRequest) -> Box<dyn SearchSession> {
        Box::new(OwnedSession::new(self.owner(), request))
    }

    fn hold(&mut self, keys: &[String]) -> Result<(), SiteError> {
        Arc::make_mut(&mut self.passages).hold(keys)
    }

    fn fill(&mut self, links: &[String]) -> Result<(), SiteError> {
        Arc::make_mut(&mut self.passages).fill(links)
    }

    fn movement(&self) -> Vec<MovementPart> {
        self.passages.movement().into_iter().collect()
    }

    fn adapt(&mut self, change: &str, _from: u32) -> Result<(), SiteError> {
        let mut passages = Passages::clone(&self.passages);
        let mut world = WaypointWorld::clone(&self.world);
        for change in Change::all(change)? {
            match change.name {
                "enter" => {
                    let named = world.terrains.iter().position(|one| one.name == change.value);
                    let unknown = || SiteError::NoGround { name: change.value.to_owned() };
                    let named =
                        TerrainId(u8::try_from(named.ok_or_else(unknown)?).map_err(|_| unknown())?);
                    let ids: Vec<WaypointId> = world.graph.ids().collect();
                    for id in ids {
                        if world.ground.get(id.index() as usize) == Some(&Some(named)) {
                            let opened = world.graph.set_blocked(id, false);
                            opened.map_err(|fault| change.refused(&fault.to_string()))?;
                        }
                    }
                    world.terrains[usize::from(named.0)].walkable = true;
                }
                "one-way" => {
                    for link in missing_ways(&world.graph) {
                        let added = world.graph.add_link(link);
                        added.map_err(|fault| change.refused(&fault.to_string()))?;
                    }
                }
                _ if passages.adapt(change)? => {}
                _ => return Err(change.foreign()),
            }
        }
        (self.world, self.passages) = (Arc::new(world), Arc::new(passages));
        Ok(())
    }

    fn fear(&mut self, shape: &Shape, amount: f32) -> Result<(), SiteError> {
        let passages = Arc::make_mut(&mut self.passages);
        passages.fear(&self.world.graph, ProfileId::default(), shape, amount);
        Ok(())
    }

    fn age_danger(&mut self, seconds: f32) {
        let passages = Arc::make_mut(&mut self.passages);
        passages.age(&self.world.graph, ProfileId::default(), seconds);
    }

    fn dangers(&self) -> Vec<(u32, f32)> {
        self.passages.dangers()
    }

    fn set_dangers(&mut self, dangers: &[(u32, f32)]) {
        let passages = Arc::make_mut(&mut self.passages);
        passages.set_dangers(&self.world.graph, ProfileId::default(), dangers);
    }

    fn links(&self, path: &[PathStep]) -> Vec<String> {
        self.passages.taken(path)
    }

    fn find(&self, text: &str) -> Result<u32, SiteError> {
        if let Some(id) = self.world.ids.get(text) {
            return Ok(id.index());
        }
        let nearest = point(text).and_then(|point| self.graph().nearest(point));
        nearest.map(WaypointId::index).ok_or_else(|| {
            let some: Vec<&str> = self.world.ids.keys().take(5).map(String::as_str).collect();
            let more = if self.world.ids.len() > some.len() { ", …" } else { "" };
            SiteError::NoWaypoint {
                text: text.to_owned(),
                path: self.about.file.clone(),
                some: format!("{}{more}", some.join(", ")),
            }
        })
    }

    fn ignores_own_costs(&self) -> bool {
        self.world.ignores_own_costs
    }

    fn routes(&self) -> Vec<OwnRoute> {
        let route = |route: &NamedRoute<WaypointId>| OwnRoute {
            name: route.name.clone(),
            ends: Endpoints { start: route.start.index(), goal: route.goal.index() },
        };
        self.world.routes.iter().map(route).collect()
    }

    fn exact_cost(&self, path: &[PathStep]) -> Option<f64> {
        self.graph().exact_cost(path.iter().map(|step| WaypointId::from_index(step.state)))
    }

    fn passages(&self) -> Vec<LinkLayout> {
        self.passages.in_space(&self.graph())
    }

    fn layout(&self) -> Layout {
        let graph = self.graph();
        let bound = graph.state_bound() as u32;
        let outlines = self.world.obstacles.iter().filter_map(|KnownObstacle { id, kind }| {
            let corners = self.world.obstacles.footprint(id)?;
            let corners = corners.into_iter().map(|corner| corner.to_array()).collect();
            let known = |layer: &u8| usize::from(*layer) < self.world.terrains.len();
            let ground = kind.layer().map(|layer| layer.0).filter(known);
            Some(OutlineLayout { corners, ground })
        });
        Layout::Points(PointLayout {
            places: (0..bound).map(|state| self.position(state).to_array()).collect(),
            links: graph.links().map(|link| [link.from.index(), link.to.index()]).collect(),
            ground: (0..bound)
                .map(|state| self.terrain(state).map_or(u8::MAX, |(id, _)| id.0))
                .collect(),
            grounds: self.world.terrains.iter().map(GroundLook::of_terrain).collect(),
            outlines: outlines.collect(),
        })
    }

    fn moves_from(&self, state: u32) -> Vec<PathStep> {
        self.owner().moves_from(state)
    }

    fn penalty(&self, state: u32) -> f32 {
        let waypoint = self.graph().waypoint(WaypointId::from_index(state));
        waypoint.map_or(0.0, |waypoint| waypoint.cost)
    }

    fn for_each_free(&self, visit: &mut dyn FnMut(FreeState)) {
        let graph = self.graph();
        let free = || graph.ids().filter(|id| graph.check(*id).is_ok());
        let Some(first) = free().next() else { return };
        // The graph tells regions apart, and names them where two differ.
        let other = free().find_map(|id| match graph.reachability(first, id) {
            Reachability::DifferentIslands { from, .. } => Some(from),
            Reachability::Possible => None,
        });
        let home = other.unwrap_or(0);
        for id in free() {
            let region = match graph.reachability(id, first) {
                Reachability::DifferentIslands { from, .. } => from,
                Reachability::Possible => home,
            };
            visit(FreeState { state: id.index(), region });
        }
    }

    fn has_state(&self, state: u32) -> bool {
        (state as usize) < self.graph().state_bound()
    }

    fn position(&self, state: u32) -> Vec3 {
        match (state as usize) < self.graph().state_bound() {
            true => Space::position(self.graph(), WaypointId::from_index(state)),
            false => Vec3::ZERO,
        }
    }

    #[cfg(feature = "pictures")]
    fn on_picture(&self, point: Vec3) -> Option<Vec2> {
        Some(Vec2::new(point.x, point.z))
    }

    fn place(&self, state: u32) -> Place {
        if !self.has_state(state) {
            return Place::off_map();
        }
        let position = self.position(state).to_array();
        match self.graph().name(WaypointId::from_index(state)) {
            Some(name) => Place::Waypoint { waypoint: name.to_owned(), position },
            None => Place::Point { position },
        }
    }

    fn ground(&self, state: u32) -> String {
        self.terrain(state).map_or("open ground", |(_, terrain)| terrain.name.as_str()).to_owned()
    }

    fn reason(&self, reason: NoPath, ends: Endpoints) -> String {
        if let Some(shut) = passages::reason(&self.owner(), reason, ends) {
            return shut;
        }
        let (start, goal) = (self.place(ends.start), self.place(ends.goal));
        match reason {
            NoPath::Start(obstruction) => {
                format!("the start {start} {}", self.spell_obstruction(ends.start, obstruction))
            }
            NoPath::Goal(obstruction) => {
                format!("the goal {goal} {}", self.spell_obstruction(ends.goal, obstruction))
            }
            NoPath::DifferentIslands { .. } => {
                format!(
                    "the start {start} and the goal {goal} lie on different islands: no chain of links joins them"
                )
            }
            other => other.to_string(),
        }
    }

    fn nearest_free(&self, state: u32) -> Option<u32> {
        let id = WaypointId::from_index(state);
        if !self.has_state(state) || self.graph().check(id).is_ok() {
            return None;
        }
        self.graph().nearest(self.position(state)).map(WaypointId::index)
    }

    fn opened_paths(
        &self,
        request: &SearchRequest,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<OpenedPath>, SiteError> {
        let bound = self.graph().state_bound();
        if [request.ends.start, request.ends.goal].iter().any(|end| *end as usize >= bound) {
            return Ok(Vec::new());
        }
        let query = query(request, self.about.unit_cost);
        let on = |terrain: u8| {
            let ground = |id: &WaypointId| self.world.ground.get(id.index() as usize);
            let is_on = move |id: &WaypointId| ground(id) == Some(&Some(TerrainId(terrain)));
            self.graph().ids().filter(is_on).collect::<Vec<WaypointId>>()
        };
        let numbers = (0..=u8::MAX).take(self.world.terrains.len());
        let terrains: Vec<Vec<WaypointId>> = numbers.map(on).collect();
        let mut opened = passages::opened(&self.owner(), request);
        let search = |graph: &WaypointGraph, query| {
            solve(&self.passages.over(graph), &AStar::new(), query).outcome
        };
        for remedy in remedies_by(self.graph(), &query, &terrains, search) {
            let (sentence, change, ground) = match remedy.relaxation {
                WaypointRelaxation::Unblock(terrain) => {
                    let name = &self.world.terrains[terrain].name;
                    let sentence = format!("if it may enter '{name}'");
                    (sentence, format!("enter={name}"), Some(name.clone()))
                }
                _ => {
                    let sentence = "if it may walk one-way links both ways".to_owned();
                    (sentence, "one-way=ignored".to_owned(), None)
                }
            };
            opened.push(OpenedPath {
                sentence,
                change,
                opened: ground,
                lacks: Vec::new(),
                length: self.graph().path_length(&remedy.path),
                path: path_steps(&remedy.path),
            });
            on_progress(0);
        }
        Ok(opened)
    }

    #[cfg(feature = "pictures")]
    fn scenery(&self, theme: &Theme, _view: &View<'_>) -> Result<Box<dyn Scenery + '_>, DrawError> {
        let graph = self.graph();
        let flat = |position: Vec3| Vec2::new(position.x, position.z);
        let bound = graph.state_bound() as u32;
        let points = (0..bound).map(|state| flat(self.position(state))).collect();
        let waypoints = || (0..bound).map(|state| graph.waypoint(WaypointId::from_index(state)));
        // Own costs beyond those of the terrain, which is shown. The cost of a waypoint that cannot
        // be entered does not matter; shown, it would outshine all others.
        let costs = waypoints().zip(0..bound).map(|(waypoint, state)| {
            let of_terrain = self.terrain(state).map_or(0.0, |(_, terrain)| terrain.penalty);
            let free = waypoint.filter(|waypoint| !waypoint.blocked);
            let danger = self.passages.danger().get(WaypointId::from_index(state));
            free.map_or(0.0, |waypoint| waypoint.cost - of_terrain + danger)
        });
        let mut scenery = WaypointScenery::new(points, self.links())?.with_costs(costs);
        let grounds = || (0..bound).map(|state| self.terrain(state).map(|(id, _)| id.0));
        if grounds().any(|ground| ground.is_some()) {
            let terrains = self.world.terrains.iter();
            let terrains = terrains.map(|terrain| look::terrain(terrain, theme)).collect();
            scenery = scenery.with_terrains(terrains, grounds());
        }
        if graph.len() <= MOST_NAMES {
            let name = |waypoint: Option<wayfare::space::Waypoint>| waypoint?.name;
            scenery = scenery.with_names(waypoints().map(|it| name(it).unwrap_or_default()));
        }
        let (mut footprints, mut surfaces) = (Vec::new(), Vec::new());
        for KnownObstacle { id, kind } in self.world.obstacles.iter() {
            let Some(outline) = self.world.obstacles.footprint(id) else { continue };
            let terrain =
                kind.layer().and_then(|layer| self.world.terrains.get(usize::from(layer.0)));
            match terrain {
                Some(terrain) => {
                    surfaces
                        .push(Surface { outline, colour: look::terrain(terrain, theme).colour });
                }
                None => footprints.push(Footprint::Polygon(outline)),
            }
        }
        Ok(Box::new(scenery.with_surfaces(surfaces)?.with_obstacles(footprints)?))
    }
}

#[cfg(feature = "pictures")]
impl WaypointSite {
    /// Returns the links as they are drawn: once if they go both ways.
    fn links(&self) -> Vec<LinkArt> {
        let ways: std::collections::BTreeSet<(u32, u32)> =
            self.graph().links().map(|link| (link.from.index(), link.to.index())).collect();
        let art = |&(from, to): &(u32, u32)| match ways.contains(&(to, from)) {
            true if from > to => None,
            two_way => Some(LinkArt { from, to, one_way: !two_way }),
        };
        ways.iter().filter_map(art).collect()
    }
}

/// A graph that searches share.
#[derive(Clone)]
struct GraphOwner {
    world: Arc<WaypointWorld>,
    passages: Arc<Passages<WaypointId>>,
    unit: f64,
}

impl Owner for GraphOwner {
    type State = WaypointId;
    type Bare<'s> = &'s WaypointGraph;

    fn bare(&self) -> &WaypointGraph {
        &self.world.graph
    }

    fn passages(&self) -> &Passages<WaypointId> {
        &self.passages
    }

    fn unit(&self) -> f64 {
        self.unit
    }
}
