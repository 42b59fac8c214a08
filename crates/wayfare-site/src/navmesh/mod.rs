//! Navigation meshes as sites.
//!
//! # States
//!
//! A site numbers its states. On a mesh, the numbers from 0 up are polygons: searches are drawn by
//! them, and regions count them. Then come the vertices, where paths turn, and then the points that
//! somebody asked for, each with a number of its own.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use glam::Vec3;
use wayfare::link::{CrossedLink, GateRemedy, GroundSearch, MeshWay, MeshWayAnswer, MeshWaySearch};
use wayfare::navigate::{Coverage, EngineId, Reason, Took};
use wayfare::path::{MeshPath, Polyline, validate_mesh_path};
use wayfare::search::{
    Corridor, Guarantee, MeshAnswer, MeshOutcome, MeshQuery, MeshScratch, MeshSearch, NoPath,
    Polyanya, PolyanyaSearch, Progress, Query, Stats,
};
use wayfare::space::navmesh::{
    AreaId, HeightReach, MESH_COST_PER_METRE, MeshPoint, NavMesh, NavMeshSpace,
};
use wayfare::space::{Action, Obstruction, PolygonId, ProfileId, StateId};
use wayfare::trace::{MeshEvent, MeshObserver, Side};
use wayfare_world::obj::TriangleMesh;
use wayfare_world::scene::{Scene, SceneNavMesh, Spot};
use wayfare_world::{SceneLinks, SceneMesh};
#[cfg(feature = "pictures")]
use {
    crate::View,
    glam::Vec2,
    wayfare_draw::{
        Colour, DrawError, LevelArt, LevelScenery, MeshScenery, PolygonArt, Scenery, Theme,
    },
    wayfare_world::Terrain,
};

use crate::passages::{self, Passages};
use crate::place::point;
use crate::trace::Recorder;
use crate::{
    About, Clock, Ending, Endpoints, EngineName, FreeState, Layout, OFF_MAP, OpenedPath, OwnRoute,
    PathStep, Place, PolygonLayout, Preparation, PreparedEngine, SearchEvent, SearchReport,
    SearchRequest, SearchSession, Searcher, Site, SiteError,
};

/// How far from a point off the mesh the nearest place is looked for, in metres.
const REACH: f32 = 1e6;

/// A place that somebody asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Asked {
    place: Vec3,
    /// The point of the mesh there, if there is one.
    on_mesh: Option<MeshPoint>,
}

/// A mesh, and the places that were asked for.
#[derive(Debug)]
struct MeshWorld {
    mesh: NavMesh,
    profile: ProfileId,
    asked: Mutex<Asking>,
}

/// The places that were asked for, with their numbers.
#[derive(Debug, Default)]
struct Asking {
    places: Vec<Asked>,
    /// By the bits of the coordinates, and the polygon.
    numbers: BTreeMap<([u32; 3], Option<PolygonId>), u32>,
}

impl MeshWorld {
    fn space(&self) -> NavMeshSpace<'_> {
        self.mesh.space_of(self.profile)
    }

    /// The numbers of the first vertex and of the first place that was asked for.
    fn offsets(&self) -> (u32, u32) {
        let polygons = self.mesh.bound() as u32;
        (polygons, polygons + self.mesh.vertices().len() as u32)
    }

    /// The state of a place. Places that were asked for before keep their number.
    fn intern(&self, asked: Asked) -> u32 {
        let mut known = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let Asking { places, numbers } = &mut *known;
        let polygon = asked.on_mesh.map(|point| point.polygon);
        let key = (asked.place.to_array().map(f32::to_bits), polygon);
        let number = *numbers.entry(key).or_insert_with(|| {
            places.push(asked);
            places.len() as u32 - 1
        });
        self.offsets().1 + number
    }

    fn asked(&self, state: u32) -> Option<Asked> {
        let number = state.checked_sub(self.offsets().1)?;
        let known = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        known.places.get(number as usize).copied()
    }

    fn position(&self, state: u32) -> Vec3 {
        let (vertices, _) = self.offsets();
        if let Some(polygon) = self.mesh.polygon(state) {
            return self.mesh.middle(polygon);
        }
        match self.mesh.vertices().get(state.wrapping_sub(vertices) as usize) {
            Some(place) => *place,
            None => self.asked(state).map_or(Vec3::ZERO, |asked| asked.place),
        }
    }

    /// The point of the mesh that a state stands for.
    fn point(&self, state: u32) -> Option<MeshPoint> {
        if let Some(polygon) = self.mesh.polygon(state) {
            let place = self.mesh.middle(polygon);
            let place = Vec3 { y: self.mesh.height_at(polygon, place), ..place };
            return Some(MeshPoint { polygon, place });
        }
        let (vertices, asked) = self.offsets();
        if state >= asked {
            return self.asked(state)?.on_mesh;
        }
        let place = *self.mesh.vertices().get((state - vertices) as usize)?;
        self.mesh.locate(place, HeightReach { below: 0.01, above: 0.01 })
    }

    /// The state of a point of a path.
    fn state_of(&self, point: MeshPoint) -> u32 {
        let corners = self.mesh.corners(point.polygon);
        let vertex = corners.iter().find(|&&at| self.mesh.vertices()[at as usize] == point.place);
        match vertex {
            Some(vertex) => self.offsets().0 + vertex,
            None => self.intern(Asked { place: point.place, on_mesh: Some(point) }),
        }
    }
}

/// A navigation mesh, from a `.mesh` or `.navmesh` file.
///
/// ```
/// use wayfare_site::{MeshSite, Site};
/// use wayfare_world::polyanya_mesh;
///
/// let square = b"mesh\n2\n4 1\n0 0 1 0\n0 2 1 0\n2 2 1 0\n2 0 1 0\n4 3 2 1 0 -1 -1 -1 -1\n";
/// let site = MeshSite::new("square.mesh".as_ref(), polyanya_mesh::read(square)?);
/// assert_eq!((site.about().states, site.about().unit), (1, "metres"));
/// assert_eq!(site.place(site.find("0.5,1").expect("it is on the mesh")).to_string(), "0.5,1");
/// # Ok::<(), wayfare_world::WorldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshSite {
    about: About,
    world: Arc<MeshWorld>,
    passages: Arc<Passages<PolygonId>>,
    scene: Option<Arc<MeshScene>>,
}

/// The scene that plays on a mesh.
#[derive(Debug)]
#[cfg_attr(not(feature = "pictures"), expect(dead_code, reason = "the level is only drawn"))]
struct MeshScene {
    scene: Scene,
    settings: SceneNavMesh,
    level: Option<TriangleMesh>,
}

impl MeshSite {
    /// The kind of world, as [`About::kind`] has it.
    pub const KIND: &str = "navigation mesh";

    /// The site of a mesh.
    #[must_use]
    pub fn new(file: &Path, mesh: NavMesh) -> Self {
        let areas = mesh.polygons().map(|polygon| mesh.plan_area(polygon)).sum::<f64>();
        let about = About {
            file: file.to_path_buf(),
            name: file.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            kind: Self::KIND,
            unit: "metres",
            unit_cost: MESH_COST_PER_METRE as f64,
            state: "polygon",
            states: mesh.len() as u64,
            bytes: Some(mesh.size_in_bytes()),
            agent: None,
            remarks: Vec::new(),
            details: vec![format!("the mesh covers {areas:.1} square metres, seen from above")],
        };
        let world = MeshWorld { mesh, profile: ProfileId::default(), asked: Mutex::default() };
        Self { about, world: Arc::new(world), passages: Arc::default(), scene: None }
    }

    /// The site of a scene that plays on a mesh, as a class of its agents sees it; without a class,
    /// as the scene's terrains are.
    ///
    /// # Errors
    /// When the scene has no such class, or says something that means nothing on a mesh.
    pub fn of_scene(
        file: &Path,
        mesh: SceneMesh,
        scene: &Scene,
        class: Option<&str>,
    ) -> Result<Self, SiteError> {
        let SceneMesh { mut mesh, settings, level } = mesh;
        let profile = scene.add_class_to_mesh(&mut mesh, class)?;
        let mut passages = Passages::default();
        if !scene.nav_links.is_empty() {
            let world = wayfare::simulation::MeshWorld::new(mesh.clone());
            passages = Passages::new(SceneLinks::on_mesh(&world, profile, scene)?);
            passages.hold(class.map_or(&[], |class| scene.keys_of(class)))?;
        }
        let mut site = Self::new(file, mesh.clone());
        site.about.name.clone_from(&scene.scene.name);
        if level.is_some() {
            site.about.remarks.push(crate::baked::remark(settings.walker()));
        }
        site.world = Arc::new(MeshWorld { mesh, profile, asked: Mutex::default() });
        site.passages = Arc::new(passages);
        site.scene = Some(Arc::new(MeshScene { scene: scene.clone(), settings, level }));
        Ok(site)
    }

    /// The site with a remark about where its mesh comes from.
    #[must_use]
    pub(crate) fn with_remark(mut self, remark: String) -> Self {
        self.about.remarks.push(remark);
        self
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &NavMesh {
        &self.world.mesh
    }

    /// The state of a place: the point of the mesh on the floor below it, or a place off the mesh.
    #[must_use]
    pub fn state_at(&self, place: Vec3, reach: HeightReach) -> u32 {
        let on_mesh = self.world.space().locate(place, reach);
        let place = on_mesh.map_or(place, |point| point.place);
        self.world.intern(Asked { place, on_mesh })
    }
}

impl Site for MeshSite {
    fn about(&self) -> &About {
        &self.about
    }

    fn searcher(&self) -> Box<dyn Searcher> {
        Box::new(MeshSearcher {
            world: Arc::clone(&self.world),
            passages: Arc::clone(&self.passages),
            scratch: MeshScratch::new(),
        })
    }

    fn session(&self, request: &SearchRequest) -> Box<dyn SearchSession> {
        let query = query(&self.world, request);
        Box::new(MeshSession {
            world: Arc::clone(&self.world),
            passages: Arc::clone(&self.passages),
            request: SearchRequest { engine: EngineName::Polyanya, ..*request },
            query,
            search: query.ok().map(|query| match self.passages.is_empty() {
                true => Stepped::Ground(Polyanya.search(query)),
                false => {
                    Stepped::Links(Box::new(MeshWaySearch::new(query, GroundSearch::Polyanya)))
                }
            }),
            scratch: MeshScratch::new(),
            recorder: Recorder::new(true),
        })
    }

    fn hold(&mut self, keys: &[String]) -> Result<(), SiteError> {
        Arc::make_mut(&mut self.passages).hold(keys)
    }

    fn fill(&mut self, links: &[String]) -> Result<(), SiteError> {
        Arc::make_mut(&mut self.passages).fill(links)
    }

    fn fear(&mut self, _shape: &wayfare::simulation::Shape, _amount: f32) -> Result<(), SiteError> {
        let problem = "searches on navigation meshes know no danger";
        Err(SiteError::unsearchable(&self.about().file, &problem))
    }

    fn links(&self, path: &[PathStep]) -> Vec<String> {
        self.passages.taken(path)
    }

    fn find(&self, text: &str) -> Result<u32, SiteError> {
        if let Some(scene) = &self.scene
            && let Some(named) = scene.scene.places.iter().find(|place| place.name == text)
            && let Spot::Point(place) = named.at
        {
            return Ok(self.state_at(Vec3::from(place), HeightReach::default()));
        }
        let place = point(text).ok_or_else(|| SiteError::NoMeshPoint { text: text.to_owned() })?;
        // Without a height the highest floor counts.
        let is_flat = text.split(',').count() == 2;
        let reach = if is_flat { HeightReach::ANY } else { HeightReach::default() };
        Ok(self.state_at(place, reach))
    }

    fn routes(&self) -> Vec<OwnRoute> {
        Vec::new()
    }

    fn layout(&self) -> Layout {
        let mesh = self.mesh();
        let polygons = (0..mesh.bound() as u32).map(|number| mesh.polygon(number));
        Layout::Polygons(PolygonLayout {
            vertices: mesh.vertices().iter().map(Vec3::to_array).collect(),
            areas: polygons
                .clone()
                .map(|it| it.map_or(0, |polygon| mesh.area(polygon).0))
                .collect(),
            polygons: polygons
                .map(|it| it.map_or_else(Vec::new, |polygon| mesh.corners(polygon).to_vec()))
                .collect(),
        })
    }

    fn moves_from(&self, _state: u32) -> Vec<PathStep> {
        Vec::new()
    }

    fn for_each_free(&self, visit: &mut dyn FnMut(FreeState)) {
        let space = self.world.space();
        for polygon in self.mesh().polygons().filter(|&polygon| space.is_free(polygon)) {
            visit(FreeState { state: polygon.index(), region: space.component(polygon) });
        }
    }

    fn position(&self, state: u32) -> Vec3 {
        self.world.position(state)
    }

    fn place(&self, state: u32) -> Place {
        match state {
            OFF_MAP => Place::off_map(),
            _ => Place::Point { position: self.world.position(state).to_array() },
        }
    }

    fn ground(&self, state: u32) -> String {
        let area = self.world.point(state).map(|point| self.mesh().area(point.polygon));
        match area {
            None => "no mesh".to_owned(),
            Some(AreaId::WALKABLE) => "open ground".to_owned(),
            Some(area) => area.to_string(),
        }
    }

    fn reason(&self, reason: NoPath, ends: Endpoints) -> String {
        if passages::may_be_shut(reason)
            && let Some(shut) = self.passages.spell_remedies(&self.remedies(ends))
        {
            return shut;
        }
        let (start, goal) = (self.place(ends.start), self.place(ends.goal));
        let off = |name: &str, place: Place, state: u32| {
            let nearest = self.nearest_free(state);
            let nearest =
                nearest.map(|nearest| format!("; the nearest point is {}", self.place(nearest)));
            format!("the {name} {place} lies off the mesh{}", nearest.unwrap_or_default())
        };
        match reason {
            NoPath::Start(Obstruction::OffMap) => off("start", start, ends.start),
            NoPath::Goal(Obstruction::OffMap) => off("goal", goal, ends.goal),
            NoPath::DifferentIslands { .. } => format!(
                "the start {start} and the goal {goal} lie on different islands of the mesh: no polygon joins them"
            ),
            other => other.to_string(),
        }
    }

    fn nearest_free(&self, state: u32) -> Option<u32> {
        if state == OFF_MAP || self.world.point(state).is_some() {
            return None;
        }
        let point = self.world.space().nearest_point(self.world.position(state), REACH)?;
        Some(self.world.intern(Asked { place: point.place, on_mesh: Some(point) }))
    }

    fn opened_paths(
        &self,
        request: &SearchRequest,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<OpenedPath>, SiteError> {
        let mut opened = Vec::new();
        let mut searcher = MeshSearcher {
            world: Arc::clone(&self.world),
            passages: Arc::clone(&self.passages),
            scratch: MeshScratch::new(),
        };
        // Between polygons it is known which links have to open; the path is that between points.
        for remedy in self.remedies(request.ends) {
            searcher.passages = Arc::new(self.passages.opening(&remedy.links));
            let SearchReport { ending, path, length, .. } = searcher.run(request, on_progress);
            if ending == Ending::Found {
                opened.push(self.passages.opened(&remedy.links, path, length));
            }
        }
        Ok(opened)
    }

    #[cfg(feature = "pictures")]
    fn on_picture(&self, point: Vec3) -> Option<Vec2> {
        Some(Vec2::new(point.x, point.z))
    }

    #[cfg(feature = "pictures")]
    fn scenery(&self, theme: &Theme, view: &View<'_>) -> Result<Box<dyn Scenery + '_>, DrawError> {
        if let Some(scene) = &self.scene
            && let Some(level) = &scene.level
            && !view.layers
        {
            return Ok(Box::new(LevelScenery::new(self.level_art(theme, scene, level))?));
        }
        let mesh = self.mesh();
        let flat = |place: Vec3| Vec2::new(place.x, place.z);
        let heights = mesh.vertices().iter().map(|place| place.y);
        let (low, high) = heights
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        let space = self.world.space();
        let home = self.largest_island();
        let art = |polygon: PolygonId| {
            let area = mesh.area(polygon);
            let ground = match area {
                AreaId::WALKABLE => theme.floor,
                AreaId(number) => theme.numbered_terrain(number),
            };
            // Higher floors are lighter; small islands are dimmed.
            let height = (mesh.middle(polygon).y - low) / (high - low).max(f32::MIN_POSITIVE);
            let lit = ground.mix(theme.text, 0.22 * height.clamp(0.0, 1.0));
            let is_home = space.component(polygon) == home;
            let colour = if is_home { lit } else { lit.mix(theme.wall, 0.45) };
            PolygonArt { outline: mesh.outline(polygon).map(flat).collect(), colour }
        };
        let polygons: Vec<PolygonArt> = mesh.polygons().map(art).collect();
        let numbers: Vec<PolygonId> = mesh.polygons().collect();
        let mut order: Vec<u32> = (0..mesh.len() as u32).collect();
        let lowest = |polygon: &u32| {
            let polygon = numbers[*polygon as usize];
            mesh.outline(polygon).map(|place| place.y).fold(f32::INFINITY, f32::min)
        };
        order.sort_by(|a, b| lowest(a).total_cmp(&lowest(b)).then(a.cmp(b)));
        let mut borders = Vec::new();
        for polygon in mesh.polygons() {
            let outline: Vec<Vec2> = mesh.outline(polygon).map(flat).collect();
            for (index, next) in mesh.neighbours(polygon).enumerate() {
                if next.is_none() {
                    borders.push([outline[index], outline[(index + 1) % outline.len()]]);
                }
            }
        }
        let mut areas: Vec<AreaId> = mesh.polygons().map(|polygon| mesh.area(polygon)).collect();
        areas.sort_unstable();
        areas.dedup();
        let legend = areas.iter().filter(|area| **area != AreaId::WALKABLE);
        let legend = legend.map(|area| (area.to_string(), theme.numbered_terrain(area.0)));
        let (_, first) = self.world.offsets();
        let known = self.world.asked.lock().unwrap_or_else(PoisonError::into_inner).places.len();
        let asked = known as u32;
        let points = (mesh.bound() as u32..first + asked).map(|state| flat(self.position(state)));
        let scenery = MeshScenery::new(polygons, points.collect())?;
        let legend = legend.collect();
        Ok(Box::new(scenery.in_order(order).with_borders(borders).with_legend(legend)))
    }
}

#[cfg(feature = "pictures")]
fn of_terrain(terrain: &Terrain) -> Colour {
    let [red, green, blue] = terrain.color;
    Colour { red, green, blue, alpha: 255 }
}

/// The colours of materials that say what they are made of; others are stone.
#[cfg(feature = "pictures")]
const MATERIALS: [(&str, u32); 15] = [
    ("bed", 0xa65d57),
    ("carpet", 0xa4584e),
    ("door", 0x6e4a2e),
    ("floor", 0xc9ab82),
    ("furniture", 0x8a6242),
    ("garden", 0x7fa66b),
    ("grass", 0x7fa66b),
    ("metal", 0x8d969c),
    ("mud", 0x7d6248),
    ("path", 0xd2c8ae),
    ("road", 0x6f7276),
    ("stairs", 0xd8c19c),
    ("wall", 0xe8e2d4),
    ("water", 0x4f8fb8),
    ("wood", 0x9c7448),
];

#[cfg(feature = "pictures")]
impl MeshSite {
    /// The level with the mesh on it.
    fn level_art(&self, theme: &Theme, scene: &MeshScene, level: &TriangleMesh) -> LevelArt {
        let stone = Colour::hex(0xa8a39a);
        let colours: Vec<Colour> = level
            .materials()
            .iter()
            .map(|material| {
                let known = MATERIALS.iter().find(|(name, _)| name == material);
                match scene.scene.terrain(material) {
                    Some(terrain) => of_terrain(terrain),
                    None => known.map_or(stone, |&(_, colour)| Colour::hex(colour)),
                }
            })
            .collect();
        let corner = |at: &u32| Vec3::from(level.vertices()[*at as usize]);
        let solids = level.triangles().iter().enumerate().map(|(number, corners)| {
            let colour = level.material(number).map_or(stone, |material| colours[material]);
            (corners.each_ref().map(corner), colour)
        });
        let mesh = self.mesh();
        let pane = theme.text.with_alpha(16);
        let polygons = mesh.polygons().map(|polygon| (mesh.outline(polygon).collect(), pane));
        let mut borders = Vec::new();
        for polygon in mesh.polygons() {
            let outline: Vec<Vec3> = mesh.outline(polygon).collect();
            for (index, next) in mesh.neighbours(polygon).enumerate() {
                if next.is_none() {
                    borders.push([outline[index], outline[(index + 1) % outline.len()]]);
                }
            }
        }
        let (_, first) = self.world.offsets();
        let known = self.world.asked.lock().unwrap_or_else(PoisonError::into_inner).places.len();
        let points = (mesh.bound() as u32..first + known as u32).map(|state| self.position(state));
        let walkable = scene.scene.terrains.iter();
        let legend = walkable.map(|terrain| (terrain.name.clone(), of_terrain(terrain))).collect();
        LevelArt {
            solids: solids.collect(),
            polygons: polygons.collect(),
            points: points.collect(),
            borders,
            storeys: scene.settings.storeys.clone(),
            legend,
        }
    }

    /// The island with the most polygons.
    fn largest_island(&self) -> u32 {
        let mut sizes = BTreeMap::new();
        self.for_each_free(&mut |free| *sizes.entry(free.region).or_insert(0_u32) += 1);
        let most = sizes.iter().max_by_key(|(island, size)| (**size, std::cmp::Reverse(**island)));
        most.map_or(0, |(island, _)| *island)
    }
}

impl MeshSite {
    /// The shut links that keep the agent from its goal.
    fn remedies(&self, ends: Endpoints) -> Vec<GateRemedy<PolygonId, u64>> {
        let [start, goal] = [ends.start, ends.goal].map(|state| self.world.point(state));
        let (Some(start), Some(goal)) = (start, goal) else { return Vec::new() };
        let query = Query::new(start.polygon, goal.polygon);
        self.passages.remedies(&self.world.space(), &query)
    }
}

/// The query of a request.
///
/// # Errors
/// The end that lies off the mesh.
fn query(world: &MeshWorld, request: &SearchRequest) -> Result<MeshQuery, NoPath> {
    let ends = request.ends;
    let start = world.point(ends.start).ok_or(NoPath::Start(Obstruction::OffMap))?;
    let goal = world.point(ends.goal).ok_or(NoPath::Goal(Obstruction::OffMap))?;
    let mut query = MeshQuery::new(start, goal);
    if let Some(expansions) = request.max_expansions {
        query = query.max_expansions(expansions);
    }
    if let Some(length) = request.max_cost {
        query = query.max_length(length);
    }
    Ok(query)
}

/// Searches on a mesh.
struct MeshSearcher {
    world: Arc<MeshWorld>,
    passages: Arc<Passages<PolygonId>>,
    scratch: MeshScratch,
}

impl Searcher for MeshSearcher {
    fn run(&mut self, request: &SearchRequest, _on_progress: &mut dyn FnMut(u64)) -> SearchReport {
        let Self { world, passages, scratch } = self;
        let query = match query(world, request) {
            Ok(query) => query,
            Err(reason) => {
                return report(world, request, None, refusal(reason), Recorder::new(false));
            }
        };
        let mut recorder = Recorder::new(request.record);
        let space = world.space();
        let begun = request.clock.now();
        let is_corridor = request.engine == EngineName::Corridor;
        if !passages.is_empty() {
            let ground = if is_corridor { GroundSearch::Corridor } else { GroundSearch::Polyanya };
            let linked = passages.over(space);
            let mut search = MeshWaySearch::new(query, ground);
            let MeshWayAnswer { way, stats } = match request.record {
                true => search.finish(&linked, scratch, &mut recorder),
                false => search.finish(&linked, scratch, &mut ()),
            };
            let elapsed = request.clock.since(begun);
            let scratch_bytes = scratch.bytes();
            let report = match way {
                Ok(way) => way_report(world, request, &way, stats, recorder),
                Err(outcome) => {
                    let mut answer = MeshAnswer { outcome, stats };
                    approach(&space, request, query, &mut answer, scratch);
                    report(world, request, Some(query), answer, recorder)
                }
            };
            return SearchReport { elapsed, scratch_bytes, ..report };
        }
        let mut answer = match (is_corridor, request.record) {
            (false, true) => Polyanya.search(query).finish(&space, scratch, &mut recorder),
            (false, false) => Polyanya.search(query).finish(&space, scratch, &mut ()),
            (true, true) => Corridor.search(query).finish(&space, scratch, &mut recorder),
            (true, false) => Corridor.search(query).finish(&space, scratch, &mut ()),
        };
        approach(&space, request, query, &mut answer, scratch);
        let elapsed = request.clock.since(begun);
        let scratch_bytes = scratch.bytes();
        let report = report(world, request, Some(query), answer, recorder);
        SearchReport { elapsed, scratch_bytes, ..report }
    }

    fn prepare(
        &mut self,
        preparation: Preparation,
        _clock: Clock,
    ) -> Result<PreparedEngine, SiteError> {
        Err(SiteError::NoSuchEngine { engine: preparation.engine().name() })
    }

    fn set_ground(&mut self, _state: u32, _ground: &str) -> Result<(), SiteError> {
        Err(SiteError::NotEditable)
    }
}

/// Where start and goal lie on different islands: finds a path as near to the goal as possible. The
/// ending stays that there is no path.
fn approach(
    space: &NavMeshSpace<'_>,
    request: &SearchRequest,
    query: MeshQuery,
    answer: &mut MeshAnswer,
    scratch: &mut MeshScratch,
) {
    let MeshOutcome::Unreachable { reason: NoPath::DifferentIslands { .. }, nearest } =
        &mut answer.outcome
    else {
        return;
    };
    if request.approach
        && let MeshOutcome::Found(path) =
            Polyanya.search(query.approach(space)).finish(space, scratch, &mut ()).outcome
    {
        *nearest = path;
    }
}

/// The answer to a query that cannot be asked.
fn refusal(reason: NoPath) -> MeshAnswer {
    let outcome = MeshOutcome::Unreachable { reason, nearest: MeshPath::default() };
    MeshAnswer { outcome, stats: Stats::default() }
}

/// The report of an answer, with the path checked.
fn report(
    world: &MeshWorld,
    request: &SearchRequest,
    query: Option<MeshQuery>,
    answer: MeshAnswer,
    recorder: Recorder,
) -> SearchReport {
    let space = world.space();
    let MeshAnswer { outcome, stats } = answer;
    let ending = match &outcome {
        MeshOutcome::Found(_) => Ending::Found,
        MeshOutcome::Unreachable { reason, .. } => Ending::NoPath(*reason),
        MeshOutcome::LimitReached { limit, .. } => Ending::Limit(*limit),
        MeshOutcome::Interrupted(interruption) => Ending::Interrupted(*interruption),
    };
    let fault = match (outcome.path(), query) {
        (Some(path), Some(query)) => {
            validate_mesh_path(&space, path, query.start, query.goal).err()
        }
        _ => None,
    };
    let path = outcome.into_path();
    let mut cost = 0.0;
    let mut before = path.points.first().map(|point| point.place);
    let steps = path.points.iter().enumerate().map(|(number, point)| {
        let last = before.replace(point.place).unwrap_or(point.place);
        let leg = (point.place - last).as_dvec3();
        cost += (leg.x * leg.x + leg.z * leg.z).sqrt() * MESH_COST_PER_METRE as f64;
        let is_end = ending == Ending::Found && number + 1 == path.points.len();
        let state = match number {
            0 => request.ends.start,
            _ if is_end => request.ends.goal,
            _ => world.state_of(*point),
        };
        PathStep { state, cost: cost.round() as u64, action: Action::Walk }
    });
    let steps: Vec<PathStep> = steps.collect();
    let (length, fault) = (path.length, fault.map(|fault| fault.to_string()));
    let walked = Walked { path: steps, length, fault };
    filed(request, ending, walked, stats, recorder)
}

/// The report of a way, with its paths checked.
fn way_report(
    world: &MeshWorld,
    request: &SearchRequest,
    way: &MeshWay,
    stats: Stats,
    recorder: Recorder,
) -> SearchReport {
    let space = world.space();
    let mut walked = Walked { path: Vec::new(), length: way.length(), fault: None };
    let (mut gone, mut action) = (0, Action::Walk);
    for stretch in &way.stretches {
        let points = &stretch.path.points;
        let (Some(&first), Some(&last)) = (points.first(), points.last()) else { continue };
        let fault = validate_mesh_path(&space, &stretch.path, first, last).err();
        walked.fault = walked.fault.or(fault.map(|fault| fault.to_string()));
        let mut along = 0.0;
        for (number, &point) in points.iter().enumerate() {
            let is_first = number == 0;
            if let Some(before) = number.checked_sub(1).map(|before| points[before].place) {
                if before == point.place && number + 1 < points.len() {
                    continue;
                }
                along += (point.place - before).with_y(0.0).as_dvec3().length();
            }
            let is_last = number + 1 == points.len();
            let share = if is_last {
                stretch.cost
            } else {
                (along / stretch.path.length.max(f64::MIN_POSITIVE) * stretch.cost as f64) as u64
            };
            let state = match (walked.path.is_empty(), is_last && stretch.link.is_none()) {
                (true, _) => request.ends.start,
                (_, true) => request.ends.goal,
                _ => world.state_of(point),
            };
            let action = if is_first { action } else { Action::Walk };
            // A link may begin where the path or another link ends.
            let is_same = action == Action::Walk
                && walked.path.last().is_some_and(|step| step.state == state);
            if !is_same {
                walked.path.push(PathStep { state, cost: gone + share, action });
            }
        }
        gone += stretch.cost;
        if let Some(CrossedLink { link, cost }) = stretch.link {
            gone += cost;
            action = Action::Link(link.0);
        }
    }
    filed(request, Ending::Found, walked, stats, recorder)
}

/// A path as a report has it.
struct Walked {
    path: Vec<PathStep>,
    length: f64,
    fault: Option<String>,
}

/// The report of a search.
fn filed(
    request: &SearchRequest,
    ending: Ending,
    walked: Walked,
    stats: Stats,
    recorder: Recorder,
) -> SearchReport {
    let engine = match request.engine {
        EngineName::Corridor => EngineName::Corridor,
        _ => EngineName::Polyanya,
    };
    let took = Took {
        engine: if stats.expanded == 0 && ending != Ending::Found {
            EngineId::Preflight
        } else {
            EngineId::Search
        },
        reason: Reason::NothingElseSuits,
        guarantee: engine.guarantee(),
        loss_bound: if engine.guarantee() == Guarantee::Optimal { 1.0 } else { f32::INFINITY },
        coverage: Coverage::Whole,
        work: stats.expanded,
    };
    SearchReport {
        method: engine.name(),
        took,
        ending,
        path: walked.path,
        length: walked.length,
        stats,
        chosen_because: None,
        refused: None,
        elapsed: std::time::Duration::ZERO,
        scratch_bytes: 0,
        trace: recorder.whole(),
        fault: walked.fault,
        refined: None::<Polyline>,
        sectors: None,
    }
}

/// A stepped search on a mesh. Always by Polyanya.
struct MeshSession {
    world: Arc<MeshWorld>,
    passages: Arc<Passages<PolygonId>>,
    request: SearchRequest,
    query: Result<MeshQuery, NoPath>,
    search: Option<Stepped>,
    scratch: MeshScratch,
    recorder: Recorder,
}

/// A search under way, over the ground alone or through links.
enum Stepped {
    Ground(PolyanyaSearch),
    Links(Box<MeshWaySearch>),
}

impl SearchSession for MeshSession {
    fn step(&mut self, expansions: u64) -> Progress {
        let Some(search) = &mut self.search else { return Progress::Done };
        let space = self.world.space();
        let (scratch, recorder) = (&mut self.scratch, &mut self.recorder);
        match search {
            Stepped::Ground(search) => search.step(&space, scratch, recorder, expansions),
            Stepped::Links(search) => {
                search.step(&self.passages.over(space), scratch, recorder, expansions)
            }
        }
    }

    fn events(&self) -> &[SearchEvent] {
        self.recorder.events()
    }

    fn finish(mut self: Box<Self>) -> SearchReport {
        while self.step(u64::MAX) == Progress::Working {}
        let Self { world, passages: _, request, query, search, mut scratch, recorder } = *self;
        let answer = match (search, query) {
            (Some(Stepped::Ground(mut search)), _) => search.answer(&world.space(), &mut scratch),
            (Some(Stepped::Links(mut search)), _) => match search.answer() {
                MeshWayAnswer { way: Ok(way), stats } => {
                    let report = way_report(&world, &request, &way, stats, recorder);
                    return SearchReport { scratch_bytes: scratch.bytes(), ..report };
                }
                MeshWayAnswer { way: Err(outcome), stats } => MeshAnswer { outcome, stats },
            },
            (None, Err(reason)) => refusal(reason),
            (None, Ok(_)) => refusal(NoPath::NoGoal),
        };
        let report = report(&world, &request, query.ok(), answer, recorder);
        SearchReport { scratch_bytes: scratch.bytes(), ..report }
    }
}

impl MeshObserver for Recorder {
    fn observe(&mut self, event: MeshEvent) {
        let millimetres = |length: f64| (length * MESH_COST_PER_METRE as f64).round() as u64;
        self.record(SearchEvent {
            kind: event.kind,
            side: Side::Forward,
            state: event.polygon.index(),
            parent: event.from.index(),
            g: millimetres(event.g),
            h: millimetres(event.h),
        });
    }
}
