//! Voxel worlds as sites.

#[cfg(feature = "pictures")]
pub(crate) mod art;
mod needs;
mod survey;

use std::cell::{OnceCell, RefCell};
use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use wayfare::explain::voxel::{Need, Why};
use wayfare::search::NoPath;
use wayfare::simulation::Shape;
use wayfare::space::voxel::{BlockId, BlockKind, BlockPosition, VoxelSize};
use wayfare::space::{
    Obstruction, ProfileId, Space, StateId, VOXEL_STRAIGHT, Voxel, VoxelGrid, VoxelProfile,
    VoxelSpace,
};
use wayfare_formats::{BlockType, VoxelScene};
use wayfare_scene::SceneLinks;
use wayfare_scene::scene::{NamedPlace, Scene, Spot};
#[cfg(feature = "pictures")]
use {
    crate::View,
    glam::Vec2,
    wayfare_draw::{DrawError, Scenery, Theme, VoxelWorld},
};

use crate::edge::ToTheEdge;
use crate::movement::{self, Change};
use crate::moves::tell;
use crate::owner::{NarrowOwner, Owner};
use crate::passages::{self, Passages};
use crate::place::named;
use crate::prepare::NoOwnEngines;
use crate::searcher::NarrowSearcher;
use crate::session::OwnedSession;
use crate::{
    About, Endpoints, FreeState, Heading, Layout, LinkLayout, Move, MovementPart, OFF_MAP,
    OpenedPath, OwnRoute, PathStep, Place, Sample, SearchRequest, SearchSession, Searcher, Site,
    SiteError,
};

/// A voxel world as one profile sees it.
pub struct VoxelSite {
    about: About,
    grid: Arc<VoxelGrid>,
    profile: ProfileId,
    passages: Arc<Passages<Voxel>>,
    kinds: Vec<BlockType>,
    routes: Vec<OwnRoute>,
    /// The places of the scene that plays here.
    places: Vec<NamedPlace>,
    /// The region of each state, computed on demand. Empty if the world is too large for that.
    regions: OnceCell<Vec<u32>>,
    explained: RefCell<Option<(Endpoints, Why)>>,
    /// The world in the colours of the theme that it was first drawn in, with the danger that the
    /// agent knows of.
    #[cfg(feature = "pictures")]
    drawn: OnceCell<Result<VoxelWorld<'static>, VoxelSize>>,
}

impl VoxelSite {
    /// Returns the site of a document of blocks.
    ///
    /// # Errors
    /// When the world is too large, or the profile has an impossible value.
    pub fn new(file: &Path, world: &VoxelScene, profile: VoxelProfile) -> Result<Self, SiteError> {
        let grid = world.to_grid(profile);
        let grid = grid.map_err(|error| SiteError::unsearchable(file, &error))?;
        let state = |at: BlockPosition| grid.voxel(at).map_or(OFF_MAP, Voxel::index);
        let routes = world.routes().iter().map(|route| OwnRoute {
            name: Some(route.name.clone()).filter(|name| !name.is_empty()),
            ends: Endpoints { start: state(route.start), goal: state(route.goal) },
        });
        let routes = routes.collect();
        let mut kinds = world.palette().to_vec();
        for kind in &mut kinds {
            // Nearly all blocks of schematics come from there: that says nothing to people.
            if let Some(name) = kind.name.strip_prefix("minecraft:") {
                kind.name = name.to_owned();
            }
        }
        let name = world.name().to_owned();
        Ok(Self::with_profile(file, name, grid, ProfileId::default(), kinds, routes))
    }

    /// Returns the same as a class of a scene that plays here sees it.
    pub(crate) fn seen_by(mut self, scene: &Scene, class: &str) -> Result<Self, SiteError> {
        let grid = Arc::make_mut(&mut self.grid);
        self.profile = scene.add_class_to_blocks(grid, class)?;
        self.about.agent = grid.profile(self.profile).map(agent);
        self.about.unit_cost = unit_cost(grid.profile(self.profile));
        Ok(self)
    }

    fn with_profile(
        file: &Path,
        name: String,
        grid: VoxelGrid,
        profile: ProfileId,
        kinds: Vec<BlockType>,
        routes: Vec<OwnRoute>,
    ) -> Self {
        let VoxelSize { width, height, depth } = grid.size();
        let about = About {
            file: file.to_path_buf(),
            name,
            kind: "voxel world",
            unit: "blocks",
            unit_cost: unit_cost(grid.profile(profile)),
            state: "voxel",
            states: u64::from(width) * u64::from(height) * u64::from(depth),
            bytes: Some(grid.size_in_bytes()),
            agent: grid.profile(profile).map(agent),
            remarks: Vec::new(),
            details: Vec::new(),
        };
        Self {
            about,
            grid: Arc::new(grid),
            profile,
            passages: Arc::default(),
            kinds,
            routes,
            places: Vec::new(),
            regions: OnceCell::new(),
            explained: RefCell::default(),
            #[cfg(feature = "pictures")]
            drawn: OnceCell::new(),
        }
    }

    /// Returns the same with the places of a scene that plays here.
    pub(crate) fn with_places(mut self, scene: &Scene) -> Self {
        self.places.clone_from(&scene.places);
        self
    }

    /// Returns the same with the links of a scene that plays here, and the danger that its agents
    /// know of.
    ///
    /// # Errors
    /// When a link ends off the map, or where the agent cannot stand.
    pub fn with_links(mut self, scene: &Scene) -> Result<Self, SiteError> {
        let links = SceneLinks::in_blocks(&self.grid, self.profile, scene)?;
        let passages = Passages::of_scene(links, scene, self.grid.as_ref(), self.profile);
        self.passages = Arc::new(passages);
        Ok(self)
    }

    /// Returns the state of a block; [`OFF_MAP`] beside the map.
    #[must_use]
    pub fn voxel(&self, at: BlockPosition) -> u32 {
        self.grid.voxel(at).map_or(OFF_MAP, Voxel::index)
    }

    fn space(&self) -> VoxelSpace<'_> {
        self.grid.space_for(self.profile)
    }

    fn owner(&self) -> VoxelOwner {
        let grid = Arc::clone(&self.grid);
        let passages = Arc::clone(&self.passages);
        VoxelOwner { grid, profile: self.profile, passages, unit: self.about.unit_cost }
    }

    fn at(&self, state: u32) -> BlockPosition {
        self.grid.position_of(Voxel::from_index(state))
    }

    fn block_name(&self, block: BlockId) -> &str {
        self.kinds.get(usize::from(block.0)).map_or("unknown", |kind| kind.name.as_str())
    }

    fn kind(&self, at: BlockPosition) -> Option<(BlockId, BlockKind)> {
        let block = self.grid.block(at)?;
        Some((block, self.grid.palette().get(usize::from(block.0))?.kind))
    }

    /// Returns all states on the map, in order.
    fn states(&self) -> impl Iterator<Item = Voxel> + '_ {
        let VoxelSize { width, height, depth } = self.grid.size();
        let bound = self.space().state_bound() as u32;
        let inside = move |at: BlockPosition| at.x < width && at.y < height && at.z < depth;
        (0..bound).map(Voxel::from_index).filter(move |voxel| inside(self.grid.position_of(*voxel)))
    }
}

fn block(BlockPosition { x, y, z }: BlockPosition) -> Place {
    Place::Block { x, y, z }
}

/// Returns the cost of a block on plain ground, or of a second where costs are times.
fn unit_cost(profile: Option<&VoxelProfile>) -> f64 {
    let times = profile.and_then(|profile| profile.times);
    times.map_or(f64::from(VOXEL_STRAIGHT), |times| times.cost_of_second())
}

/// Returns the abilities of an agent, for people.
fn agent(profile: &VoxelProfile) -> String {
    let able = profile.abilities;
    let mut parts = Vec::new();
    let mut add = |has: bool, part: String| {
        if has {
            parts.push(part);
        }
    };
    add(able.walk, "walks".to_owned());
    add(able.jump && profile.jump_height > 0, format!("jumps {} high", profile.jump_height));
    add(able.jump && profile.jump_distance > 0, format!("{} far", profile.jump_distance));
    add(able.fall, format!("falls {}", profile.max_fall_distance));
    add(able.swim, "swims".to_owned());
    add(able.climb, "climbs".to_owned());
    add(able.fly, "flies".to_owned());
    add(!profile.opens_doors, "opens no doors".to_owned());
    add(profile.height > 1, format!("{} high", profile.height));
    add(profile.width > 1, format!("{} wide", profile.width));
    add(profile.times.is_some(), "counts costs in seconds".to_owned());
    if parts.is_empty() { "does nothing".to_owned() } else { parts.join(", ") }
}

impl std::fmt::Debug for VoxelSite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VoxelSite").field("about", &self.about).finish_non_exhaustive()
    }
}

/// A voxel world that searches share.
#[derive(Clone)]
pub(crate) struct VoxelOwner {
    grid: Arc<VoxelGrid>,
    profile: ProfileId,
    passages: Arc<Passages<Voxel>>,
    unit: f64,
}

impl Owner for VoxelOwner {
    type State = Voxel;
    type Bare<'s> = VoxelSpace<'s, u64>;

    fn bare(&self) -> VoxelSpace<'_, u64> {
        self.grid.space_for(self.profile)
    }

    fn passages(&self) -> &Passages<Voxel> {
        &self.passages
    }

    fn unit(&self) -> f64 {
        self.unit
    }
}

impl NarrowOwner for VoxelOwner {
    type Narrow<'s> = VoxelSpace<'s>;
    type Engines = NoOwnEngines;

    fn narrow(&self) -> VoxelSpace<'_> {
        self.grid.space_for(self.profile)
    }
}

impl Site for VoxelSite {
    fn about(&self) -> &About {
        &self.about
    }

    fn searcher(&self) -> Box<dyn Searcher> {
        let owner = self.owner();
        Box::new(ToTheEdge { searches: NarrowSearcher::new(owner.clone()), owner })
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
        let of_agent = self.grid.profile(self.profile).map(movement::of_blocks);
        of_agent.into_iter().flatten().chain(self.passages.movement()).collect()
    }

    fn adapt(&mut self, change: &str, _from: u32) -> Result<(), SiteError> {
        let mut profile = self.grid.profile(self.profile).cloned().unwrap_or_default();
        let mut passages = Passages::clone(&self.passages);
        for change in Change::all(change)? {
            if !change.of_blocks(&mut profile)? && !passages.adapt(change)? {
                return Err(change.foreign());
            }
        }
        // Whoever goes back to a movement finds its view of the blocks again.
        let known = |id: &ProfileId| self.grid.profile(*id) == Some(&profile);
        let id = match self.grid.profiles().find(known) {
            Some(id) => id,
            None => {
                let added = Arc::make_mut(&mut self.grid).add_profile(profile);
                added.map_err(|error| SiteError::unsearchable(&self.about.file, &error))?
            }
        };
        self.profile = id;
        self.passages = Arc::new(passages);
        self.about.agent = self.grid.profile(id).map(agent);
        self.about.unit_cost = unit_cost(self.grid.profile(id));
        (self.regions, self.explained) = (OnceCell::new(), RefCell::default());
        Ok(())
    }

    fn fear(&mut self, shape: &Shape, amount: f32) -> Result<(), SiteError> {
        let passages = Arc::make_mut(&mut self.passages);
        passages.fear(self.grid.as_ref(), self.profile, shape, amount);
        #[cfg(feature = "pictures")]
        {
            // Drawn without it.
            self.drawn = OnceCell::new();
        }
        Ok(())
    }

    fn age_danger(&mut self, seconds: f32) {
        let passages = Arc::make_mut(&mut self.passages);
        passages.age(self.grid.as_ref(), self.profile, seconds);
        #[cfg(feature = "pictures")]
        {
            self.drawn = OnceCell::new();
        }
    }

    fn dangers(&self) -> Vec<(u32, f32)> {
        self.passages.dangers()
    }

    fn set_dangers(&mut self, dangers: &[(u32, f32)]) {
        let passages = Arc::make_mut(&mut self.passages);
        passages.set_dangers(self.grid.as_ref(), self.profile, dangers);
        #[cfg(feature = "pictures")]
        {
            self.drawn = OnceCell::new();
        }
    }

    fn links(&self, path: &[PathStep]) -> Vec<String> {
        self.passages.taken(path)
    }

    fn find(&self, text: &str) -> Result<u32, SiteError> {
        if let Some(place) = named(&self.places, text)? {
            return Ok(match place.at {
                Spot::Point(at) => self.grid.voxel_at(at.into()).map_or(OFF_MAP, Voxel::index),
                Spot::Cell(_) | Spot::Named(_) => OFF_MAP,
            });
        }
        let wrong = || SiteError::NoBlock { text: text.to_owned() };
        let parts: Result<Vec<i64>, _> =
            text.split(',').map(|part| part.trim().parse::<i64>().map_err(|_| wrong())).collect();
        let [x, y, z] = parts?[..] else { return Err(wrong()) };
        match (u32::try_from(x), u32::try_from(y), u32::try_from(z)) {
            (Ok(x), Ok(y), Ok(z)) => Ok(self.voxel(BlockPosition::new(x, y, z))),
            _ => Ok(OFF_MAP),
        }
    }

    fn routes(&self) -> Vec<OwnRoute> {
        self.routes.clone()
    }

    fn passages(&self) -> Vec<LinkLayout> {
        self.passages.in_space(&self.space())
    }

    fn layout(&self) -> Layout {
        Layout::Blocks(self.block_layout())
    }

    fn moves_from(&self, state: u32) -> Vec<PathStep> {
        self.owner().moves_from(state)
    }

    fn for_each_free(&self, visit: &mut dyn FnMut(FreeState)) {
        let space = self.space();
        let regions = self.regions();
        for voxel in self.states().filter(|voxel| space.check(*voxel).is_ok()) {
            let region = regions.get(voxel.index() as usize).copied().unwrap_or(0);
            visit(FreeState { state: voxel.index(), region });
        }
    }

    fn knows_regions(&self) -> bool {
        !self.regions().is_empty()
    }

    fn count_free(&self) -> Option<u64> {
        Some(self.grid.free_voxels(self.profile))
    }

    fn sample(&self) -> Option<Sample> {
        self.sample_places()
    }

    fn is_pocket(&self, state: u32, heading: Heading) -> bool {
        self.is_in_pocket(state, heading)
    }

    fn has_state(&self, state: u32) -> bool {
        let space = self.grid.space_for::<u64>(self.profile);
        Space::check(&space, Voxel::from_index(state)) != Err(Obstruction::OffMap)
    }

    fn length(&self, path: &[PathStep]) -> f64 {
        let steps = path.iter().map(|step| (Voxel::from_index(step.state), step.action));
        self.space().length(steps)
    }

    fn position(&self, state: u32) -> Vec3 {
        match self.has_state(state) {
            true => self.grid.centre(Voxel::from_index(state)),
            false => Vec3::ZERO,
        }
    }

    #[cfg(feature = "pictures")]
    fn on_picture(&self, _point: Vec3) -> Option<Vec2> {
        None
    }

    fn moves(&self, path: &[PathStep]) -> Option<Vec<Move>> {
        Some(tell(path.iter().map(|stop| (self.at(stop.state), stop.action))))
    }

    fn place(&self, state: u32) -> Place {
        if !self.has_state(state) {
            return Place::off_map();
        }
        block(self.at(state))
    }

    fn ground(&self, state: u32) -> String {
        let at = self.at(state);
        // The block to swim in or cling to; else the one to stand on, even under a corner of the
        // feet; else the air.
        if let Some((block, _)) = self.kind(at).filter(|(_, kind)| *kind != BlockKind::Air) {
            return self.block_name(block).to_owned();
        }
        let below = at.y.checked_sub(1).and_then(|y| self.kind(BlockPosition { y, ..at }));
        let carries = |found: &(BlockId, BlockKind)| found.1.carries();
        below.filter(carries).map_or("air", |(block, _)| self.block_name(block)).to_owned()
    }

    fn reason(&self, reason: NoPath, ends: Endpoints) -> String {
        if let Some(shut) = passages::reason(&self.owner(), reason, ends) {
            return shut;
        }
        let (end, state, obstruction) = match reason {
            NoPath::Start(obstruction) => ("start", ends.start, obstruction),
            NoPath::Goal(obstruction) => ("goal", ends.goal, obstruction),
            NoPath::DifferentIslands { .. } | NoPath::Exhausted | NoPath::Enclosed => {
                let explained = self.why(ends);
                let needs = match &explained {
                    Why::NeedsOneOf(needs) => needs.first().map(ToString::to_string),
                    Why::NeedsAllOf(_) | Why::Sealed => Some(explained.to_string()),
                    _ => None,
                };
                return needs.unwrap_or_else(|| reason.to_string());
            }
            other => return other.to_string(),
        };
        let place = self.place(state);
        match obstruction {
            Obstruction::OffMap => {
                let VoxelSize { width, height, depth } = self.grid.size();
                format!(
                    "the {end} lies off the map, which is {width} blocks wide, {height} high and {depth} deep"
                )
            }
            Obstruction::Block { block } => format!(
                "the {end} {place} is filled by '{}', which this agent cannot enter",
                self.block_name(BlockId(block))
            ),
            other => format!("the {end} {place} {other}"),
        }
    }

    fn nearest_free(&self, state: u32) -> Option<u32> {
        /// As far as a slip of the finger goes.
        const FAR: i64 = 8;
        let space = self.space();
        if !self.has_state(state) || space.check(Voxel::from_index(state)).is_ok() {
            return None;
        }
        let here = self.at(state);
        let around = || -FAR..=FAR;
        let offsets =
            around().flat_map(|y| around().flat_map(move |z| around().map(move |x| [x, y, z])));
        let free = offsets.filter_map(|[x, y, z]| {
            let part = |from: u32, by: i64| u32::try_from(i64::from(from) + by).ok();
            let at = BlockPosition::new(part(here.x, x)?, part(here.y, y)?, part(here.z, z)?);
            let voxel = self.grid.voxel(at).filter(|voxel| space.check(*voxel).is_ok())?;
            Some((x * x + y * y + z * z, voxel.index()))
        });
        free.min().map(|(_, state)| state)
    }

    fn opened_paths(
        &self,
        request: &SearchRequest,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<OpenedPath>, SiteError> {
        let groups: Vec<Vec<Need>> = match self.why(request.ends) {
            Why::NeedsOneOf(needs) => needs.into_iter().map(|need| vec![need]).collect(),
            Why::NeedsAllOf(needs) => vec![needs],
            _ => Vec::new(),
        };
        let mut opened = passages::opened(&self.owner(), request);
        for needs in groups {
            opened.extend(self.opened_path(&needs, request, on_progress)?);
        }
        Ok(opened)
    }

    #[cfg(feature = "pictures")]
    fn scenery(&self, theme: &Theme, view: &View<'_>) -> Result<Box<dyn Scenery + '_>, DrawError> {
        self.block_scenery(theme, view)
    }
}
