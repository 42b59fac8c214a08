//! Navigation meshes as sites.
//!
//! # States
//!
//! A site gives each state an index. On a mesh, the indices from 0 up are polygons: searches are
//! drawn by them, and regions count them. Then come the vertices, where paths turn, and then the
//! requested points.

#[cfg(feature = "pictures")]
mod art;
mod points;
mod report;
mod search;

use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use wayfare::link::GateRemedy;
use wayfare::search::{NoPath, Query};
use wayfare::space::navmesh::{AreaId, HeightReach, MESH_COST_PER_METRE, NavMesh};
use wayfare::space::{Action, Obstruction, PolygonId, ProfileId, StateId};
use wayfare_formats::LinkedMesh;
use wayfare_scene::scene::{Scene, SceneNavLink, SceneNavMesh, Spot};
use wayfare_scene::{SceneLinks, SceneMesh};
#[cfg(feature = "pictures")]
use {
    crate::View,
    glam::Vec2,
    wayfare_draw::{DrawError, Scenery, Theme},
};

use self::points::{Asked, MeshWorld};
use self::search::{MeshSearcher, MeshSession};
use crate::movement::Change;
use crate::passages::{self, Passages};
use crate::place::{point, to_millimetre};
use crate::{
    About, Ending, Endpoints, FreeState, Layout, Level, LevelLayout, LinkLayout, MovementPart,
    NavMeshView, OpenedPath, OwnRoute, PathStep, Place, PolygonLayout, SearchReport, SearchRequest,
    SearchSession, Searcher, Site, SiteError,
};

/// The search radius for the nearest ground to a point off the mesh, in metres.
const REACH: f32 = 1e6;

/// A navigation mesh, from a `.mesh` or `.navmesh` file.
///
/// ```
/// use wayfare_site::{MeshSite, Site};
/// use wayfare_formats::polyanya_mesh;
///
/// let square = b"mesh\n2\n4 1\n0 0 1 0\n0 2 1 0\n2 2 1 0\n2 0 1 0\n4 3 2 1 0 -1 -1 -1 -1\n";
/// let site = MeshSite::new("square.mesh".as_ref(), polyanya_mesh::read(square)?);
/// assert_eq!((site.about().states, site.about().unit), (1, "metres"));
/// assert_eq!(site.place(site.find("0.5,1").expect("it is on the mesh")).to_string(), "0.5,1");
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshSite {
    about: About,
    world: Arc<MeshWorld>,
    passages: Arc<Passages<PolygonId>>,
    scene: Option<Arc<MeshScene>>,
    level: Option<Level>,
}

/// The scene that plays on a mesh.
#[derive(Debug)]
#[cfg_attr(not(feature = "pictures"), expect(dead_code, reason = "storeys are only drawn"))]
struct MeshScene {
    scene: Scene,
    settings: SceneNavMesh,
}

impl MeshSite {
    /// The kind of world, as [`About::kind`] has it.
    pub const KIND: &str = "navigation mesh";

    /// Returns the site of a mesh.
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
        let world = MeshWorld::new(mesh, ProfileId::default());
        let passages = Arc::default();
        Self { about, world: Arc::new(world), passages, scene: None, level: None }
    }

    /// Returns the site of a mesh with its links.
    ///
    /// # Errors
    /// When a link ends off the mesh.
    pub fn of_linked(file: &Path, mesh: LinkedMesh) -> Result<Self, SiteError> {
        let (nav_links, summary) = (SceneNavLink::of_mesh(&mesh.links), mesh.summary());
        let mut site = Self::new(file, mesh.mesh);
        if !nav_links.is_empty() {
            let mut scene = Scene::new(&site.about.name);
            scene.nav_links = nav_links;
            let world = wayfare::simulation::MeshWorld::new(site.mesh().clone());
            let links = SceneLinks::on_mesh(&world, ProfileId::default(), &scene);
            let links = links.map_err(|error| error.in_file(file))?;
            site.passages = Arc::new(Passages::new(links));
            site.about.details.push(format!("the mesh has links: {summary}"));
        }
        Ok(site)
    }

    /// Returns the site of a scene that plays on a mesh, as a class of its agents sees it; without
    /// a class, as the scene's terrains are.
    ///
    /// # Errors
    /// When the scene has no such class, or says something that means nothing on a mesh.
    pub fn of_scene(
        file: &Path,
        mesh: SceneMesh,
        scene: &Scene,
        class: Option<&str>,
    ) -> Result<Self, SiteError> {
        let SceneMesh { mut mesh, nav_links, settings, level } = mesh;
        let profile = scene.add_class_to_mesh(&mut mesh, class)?;
        let mut passages = Passages::default();
        let mut linked = scene.clone();
        linked.furnish(&[], &nav_links);
        if !linked.nav_links.is_empty() {
            let world = wayfare::simulation::MeshWorld::new(mesh.clone());
            passages = Passages::new(SceneLinks::on_mesh(&world, profile, &linked)?);
            passages.hold(class.map_or(&[], |class| scene.keys_of(class)))?;
        }
        let mut site = Self::new(file, mesh.clone());
        site.about.name.clone_from(&scene.scene.name);
        site.world = Arc::new(MeshWorld::new(mesh, profile));
        site.passages = Arc::new(passages);
        if let Some(level) = level {
            site = site.with_level(Level::of_scene(file, level, scene, &settings, class));
        }
        site.scene = Some(Arc::new(MeshScene { scene: scene.clone(), settings }));
        Ok(site)
    }

    /// Returns the site with the level that its mesh was baked from.
    #[must_use]
    pub(crate) fn with_level(mut self, level: Level) -> Self {
        self.about.remarks.push(level.remark());
        self.level = Some(level);
        self
    }

    /// Returns the mesh.
    #[must_use]
    pub fn mesh(&self) -> &NavMesh {
        &self.world.mesh
    }

    /// Returns the state of a point: the point of the mesh on the floor below it, or a point off
    /// the mesh.
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
        Box::new(MeshSearcher::new(Arc::clone(&self.world), Arc::clone(&self.passages)))
    }

    fn session(&self, request: &SearchRequest) -> Box<dyn SearchSession> {
        let (world, passages) = (Arc::clone(&self.world), Arc::clone(&self.passages));
        Box::new(MeshSession::new(world, passages, request))
    }

    fn nav_mesh(&self) -> Option<NavMeshView<'_>> {
        let (mesh, profile) = (self.mesh(), self.world.profile());
        Some(NavMeshView { mesh, profile, has_links: !self.passages.is_empty() })
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
        for change in Change::all(change)? {
            if !passages.adapt(change)? {
                return Err(change.foreign());
            }
        }
        self.passages = Arc::new(passages);
        Ok(())
    }

    fn fear(&mut self, _shape: &wayfare::simulation::Shape, _amount: f32) -> Result<(), SiteError> {
        let problem = "searches on navigation meshes know no danger";
        Err(SiteError::unsearchable(&self.about().file, &problem))
    }

    fn age_danger(&mut self, _seconds: f32) {}

    fn dangers(&self) -> Vec<(u32, f32)> {
        Vec::new()
    }

    fn set_dangers(&mut self, _dangers: &[(u32, f32)]) {}

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
            level: self.level.as_ref().map(level_layout),
        })
    }

    fn passages(&self) -> Vec<LinkLayout> {
        self.passages.in_space(&self.world.space())
    }

    fn level(&self) -> Option<&Level> {
        self.level.as_ref()
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

    fn has_state(&self, state: u32) -> bool {
        self.world.has_state(state)
    }

    fn position(&self, state: u32) -> Vec3 {
        self.world.position(state)
    }

    fn distance(&self, from: u32, to: u32) -> f64 {
        let [from, to] = [from, to].map(|state| self.position(state).with_y(0.0).as_dvec3());
        from.distance(to)
    }

    /// Links do not count.
    fn length(&self, path: &[PathStep]) -> f64 {
        let on_ground = path.windows(2).filter(|leg| !matches!(leg[1].action, Action::Link(_)));
        on_ground.map(|leg| self.distance(leg[0].state, leg[1].state)).sum()
    }

    fn place(&self, state: u32) -> Place {
        match self.has_state(state) {
            true => Place::Point { position: self.world.position(state).to_array() },
            false => Place::off_map(),
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
            let Some(nearest) = self.nearest_free(state) else {
                return format!("the {name} {place} lies off the mesh");
            };
            let at = |state: u32| self.world.position(state);
            let spelled = self.place(nearest);
            if spelled.to_string() != place.to_string() {
                return format!(
                    "the {name} {place} lies off the mesh; the nearest point is {spelled}"
                );
            }
            // Straight above or below: the height tells the two apart, and can be given as well.
            let Vec3 { x, y, z } = at(nearest);
            let [x, y, z, height] = [x, y, z, at(state).y].map(to_millimetre);
            format!(
                "the {name} {place} lies off the mesh at the height {height}; the nearest point is {x},{y},{z}"
            )
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
        if !self.has_state(state) || self.world.point(state).is_some() {
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
        // Between polygons it is known which links have to open; the path is that between points.
        for remedy in self.remedies(request.ends) {
            let passages = Arc::new(self.passages.opening(&remedy.links));
            let mut searcher = MeshSearcher::new(Arc::clone(&self.world), passages);
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
        art::scenery(self, theme, view)
    }
}

/// Returns the triangles of a level with their colours.
fn level_layout(level: &Level) -> LevelLayout {
    let triangles = level.triangles();
    let colours = level.colours();
    let bare = colours.len().saturating_sub(1);
    let material = |triangle| triangles.material(triangle).unwrap_or(bare);
    LevelLayout {
        vertices: triangles.vertices().to_vec(),
        triangles: triangles.triangles().to_vec(),
        materials: (0..triangles.triangles().len())
            .map(|triangle| u16::try_from(material(triangle)).unwrap_or_default())
            .collect(),
        colours,
    }
}

impl MeshSite {
    /// Returns the shut links that keep the agent from its goal.
    fn remedies(&self, ends: Endpoints) -> Vec<GateRemedy<PolygonId, u64>> {
        let [start, goal] = [ends.start, ends.goal].map(|state| self.world.point(state));
        let (Some(start), Some(goal)) = (start, goal) else { return Vec::new() };
        let query = Query::new(start.polygon, goal.polygon);
        self.passages.remedies(&self.world.space(), &query)
    }
}
