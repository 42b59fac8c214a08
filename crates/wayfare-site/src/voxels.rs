//! Voxel worlds as sites.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use glam::Vec3;
use wayfare::explain::voxel::{Capability, Need, Why, why_by};
use wayfare::search::{AStar, NoPath, solve};
use wayfare::simulation::Shape;
use wayfare::space::voxel::{Abilities, BlockId, BlockKind, BlockPosition, VoxelSize};
use wayfare::space::{
    Edge, Obstruction, ProfileId, ReverseSpace, Space, StateId, VOXEL_STRAIGHT, Voxel, VoxelGrid,
    VoxelProfile, VoxelSpace,
};
use wayfare_world::scene::Scene;
use wayfare_world::{BlockType, SceneLinks, VoxelScene};
#[cfg(feature = "pictures")]
use {
    crate::View,
    glam::Vec2,
    wayfare_draw::{
        BlockArt, Colour, CutAway, DrawError, IsometricScenery, LayerScenery, Scenery, Theme,
        VoxelWorld,
    },
};

use crate::edge::ToTheEdge;
use crate::moves::tell;
use crate::owner::{NarrowOwner, Owner};
use crate::passages::{self, Passages};
use crate::prepare::NoOwnEngines;
use crate::searcher::NarrowSearcher;
use crate::session::OwnedSession;
use crate::{
    About, BlockLayout, Endpoints, FreeState, GroundLook, Heading, Lack, Layout, Move, OFF_MAP,
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
    /// The region of each state; made when somebody asks. Empty where the world is too large for
    /// that.
    regions: OnceCell<Vec<u32>>,
    explained: RefCell<Option<(Endpoints, Why)>>,
    /// The world in the colours of the theme that it was first drawn in, with the danger that the
    /// agent knows of.
    #[cfg(feature = "pictures")]
    drawn: OnceCell<Result<VoxelWorld<'static>, VoxelSize>>,
}

impl VoxelSite {
    /// The site of a document of blocks.
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

    /// The same as a class of a scene that plays here sees it.
    pub(crate) fn seen_by(mut self, scene: &Scene, class: &str) -> Result<Self, SiteError> {
        let grid = Arc::make_mut(&mut self.grid);
        self.profile = scene.add_class_to_blocks(grid, class)?;
        self.about.agent = grid.profile(self.profile).map(agent);
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
            unit_cost: f64::from(VOXEL_STRAIGHT),
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
            regions: OnceCell::new(),
            explained: RefCell::default(),
            #[cfg(feature = "pictures")]
            drawn: OnceCell::new(),
        }
    }

    /// The same with the links of a scene that plays here, and the danger that its agents know of.
    ///
    /// # Errors
    /// When a link ends off the map, or where the agent cannot stand.
    pub fn with_links(mut self, scene: &Scene) -> Result<Self, SiteError> {
        let links = SceneLinks::in_blocks(&self.grid, self.profile, scene)?;
        let passages = Passages::of_scene(links, scene, self.grid.as_ref(), self.profile);
        self.passages = Arc::new(passages);
        Ok(self)
    }

    /// The state of a block; [`OFF_MAP`] beside the map.
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

    /// All states on the map, in order.
    fn states(&self) -> impl Iterator<Item = Voxel> + '_ {
        let VoxelSize { width, height, depth } = self.grid.size();
        let bound = self.space().state_bound() as u32;
        let inside = move |at: BlockPosition| at.x < width && at.y < height && at.z < depth;
        (0..bound).map(Voxel::from_index).filter(move |voxel| inside(self.grid.position_of(*voxel)))
    }

    /// The least state that each one hangs together with, one-way moves counting both ways.
    fn regions(&self) -> &[u32] {
        /// Larger worlds are taken as one region.
        const MOST: usize = 1 << 22;
        self.regions.get_or_init(|| {
            let space = self.space();
            let bound = space.state_bound();
            if bound > MOST {
                return Vec::new();
            }
            let mut roots: Vec<u32> = (0..bound as u32).collect();
            for voxel in self.states().filter(|voxel| space.check(*voxel).is_ok()) {
                space.successors(voxel, |edge| {
                    let (a, b) =
                        (root(&mut roots, voxel.index()), root(&mut roots, edge.target.index()));
                    roots[a.max(b) as usize] = a.min(b);
                });
            }
            (0..bound as u32).map(|state| root(&mut roots, state)).collect()
        })
    }

    #[cfg(feature = "pictures")]
    fn world_drawn(&self, theme: &Theme) -> Result<&VoxelWorld<'static>, DrawError> {
        let VoxelSize { width, height, depth } = self.grid.size();
        let size = [width, height, depth];
        let made = self.drawn.get_or_init(|| {
            let look = |block: BlockId| {
                let kind = &self.kinds[usize::from(block.0)];
                let [red, green, blue] = kind.color;
                let own = Colour { red, green, blue, alpha: 255 };
                BlockArt::themed(&kind.name, see_through(kind.block.kind, own), theme)
            };
            let world = VoxelWorld::of_voxels(Arc::clone(&self.grid), look);
            let world = world.map_err(|_| self.grid.size())?;
            let known = self.passages.danger().iter();
            let most = known.fold(0.0, |most: f32, one| most.max(one.amount));
            if most <= 0.0 {
                return Ok(world);
            }
            let (grid, passages) = (Arc::clone(&self.grid), Arc::clone(&self.passages));
            Ok(world.with_heat(move |[x, y, z]| {
                let voxel = grid.voxel(BlockPosition::new(x, y, z));
                voxel.map_or(0.0, |voxel| passages.danger().get(voxel) / most)
            }))
        });
        made.as_ref().map_err(|_| DrawError::VoxelSize { size })
    }

    /// The path of an agent that has these needs met, and the options that meet them.
    fn opened_path(
        &self,
        needs: &[Need],
        request: &SearchRequest,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<Option<OpenedPath>, SiteError> {
        let Some(profile) = self.grid.profile(self.profile) else { return Ok(None) };
        let mut profile = profile.clone();
        let able = profile.abilities;
        let given: Vec<(&'static str, Option<String>)> =
            needs.iter().map(|need| give(&mut profile, need)).collect();
        let mut wanted: Vec<String> =
            given.iter().filter_map(|(_, option)| option.clone()).collect();
        if profile.abilities != able {
            wanted.insert(0, format!("abilities {}", list(profile.abilities)));
        }
        let options: Vec<String> = wanted.iter().map(|option| format!("--{option}")).collect();
        let change: Vec<String> = wanted.iter().map(|option| option.replace(' ', "=")).collect();
        let sentences: Vec<String> = needs.iter().map(better).collect();
        let lacks = needs.iter().zip(&given).map(|(need, (capability, _))| Lack {
            capability,
            needed: need.needed,
            has: need.has,
            at: block(need.at),
            sentence: need.to_string(),
        });
        let mut grid = VoxelGrid::clone(&self.grid);
        let id = grid.add_profile(profile);
        let profile = id.map_err(|error| SiteError::unsearchable(&self.about.file, &error))?;
        let (grid, passages) = (Arc::new(grid), Arc::clone(&self.passages));
        let owner = VoxelOwner { grid, profile, passages, unit: self.about.unit_cost };
        let report = NarrowSearcher::new(owner).run(request, on_progress);
        Ok(report.is_found().then(|| OpenedPath {
            sentence: match options.is_empty() {
                true => format!("if {}", sentences.join(" and ")),
                false => format!("if {} ({})", sentences.join(" and "), options.join(" ")),
            },
            change: change.join(" "),
            opened: None,
            lacks: lacks.collect(),
            length: report.length,
            path: report.path,
        }))
    }
}

fn block(BlockPosition { x, y, z }: BlockPosition) -> Place {
    Place::Block { x, y, z }
}

/// Up to so many numbers below a bound, evenly, the first and the last among them.
fn spread(bound: u32, most: u32) -> impl Iterator<Item = u32> {
    let count = most.min(bound);
    let last = u64::from(bound.saturating_sub(1));
    let gaps = u64::from(count.saturating_sub(1).max(1));
    (0..count).map(move |number| (u64::from(number) * last / gaps) as u32)
}

fn root(roots: &mut [u32], mut state: u32) -> u32 {
    while roots[state as usize] != state {
        let above = roots[roots[state as usize] as usize];
        roots[state as usize] = above;
        state = above;
    }
    state
}

/// Blocks that bodies pass through are translucent.
#[cfg(feature = "pictures")]
fn see_through(kind: BlockKind, colour: Colour) -> Colour {
    match kind {
        BlockKind::Water | BlockKind::Ladder | BlockKind::Door => colour.with_alpha(160),
        _ => colour,
    }
}

/// The abilities as the option takes them.
fn list(able: Abilities) -> String {
    let all = [
        ("walk", able.walk),
        ("jump", able.jump),
        ("fall", able.fall),
        ("swim", able.swim),
        ("climb", able.climb),
        ("fly", able.fly),
    ];
    let names: Vec<&str> = all.iter().filter(|(_, has)| *has).map(|(name, _)| *name).collect();
    names.join(",")
}

/// What an agent can do, for people.
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
    if parts.is_empty() { "does nothing".to_owned() } else { parts.join(", ") }
}

/// Gives a profile what it needs. Returns the capability's name and the option that asks for it,
/// where it is not an ability.
fn give(profile: &mut VoxelProfile, need: &Need) -> (&'static str, Option<String>) {
    let needed = need.needed;
    let able = &mut profile.abilities;
    // No need is above what a profile can have.
    let small = u8::try_from(needed).unwrap_or(u8::MAX);
    match need.capability {
        Capability::JumpHeight => {
            if !able.jump {
                profile.jump_distance = 0;
            }
            able.jump = true;
            profile.jump_height = small;
            ("jump-height", Some(format!("jump-height {needed}")))
        }
        Capability::JumpDistance => {
            if !able.jump {
                profile.jump_height = 0;
            }
            able.jump = true;
            profile.jump_distance = small;
            ("jump-distance", Some(format!("jump-distance {needed}")))
        }
        Capability::FallDistance => {
            able.fall = true;
            profile.max_fall_distance = needed;
            ("max-fall", Some(format!("max-fall {needed}")))
        }
        Capability::Height => {
            profile.height = small;
            ("character-height", Some(format!("character-height {needed}")))
        }
        Capability::Width => {
            profile.width = small;
            ("width", Some(format!("width {needed}")))
        }
        Capability::Doors => {
            profile.opens_doors = true;
            ("doors", None)
        }
        Capability::Walk => {
            able.walk = true;
            ("walk", None)
        }
        Capability::Climb => {
            able.climb = true;
            ("climb", None)
        }
        Capability::Swim => {
            able.swim = true;
            ("swim", None)
        }
        Capability::Lava => {
            able.swim = true;
            profile.endures_lava = true;
            ("endures-lava", Some("endures-lava".to_owned()))
        }
        Capability::Fly => {
            able.fly = true;
            ("fly", None)
        }
        _ => ("unknown", None),
    }
}

/// What would be different, as the middle of a sentence.
fn better(need: &Need) -> String {
    let needed = need.needed;
    match need.capability {
        Capability::JumpHeight => format!("it jumps {needed} high"),
        Capability::JumpDistance => format!("it jumps across gaps of {needed}"),
        Capability::FallDistance => format!("it may fall {needed}"),
        Capability::Height => format!("it is {needed} high"),
        Capability::Width => format!("it is {needed} wide"),
        Capability::Doors => "it opens doors".to_owned(),
        Capability::Walk => "it walks".to_owned(),
        Capability::Climb => "it climbs".to_owned(),
        Capability::Swim => "it swims".to_owned(),
        Capability::Lava => "it swims in lava".to_owned(),
        Capability::Fly => "it flies".to_owned(),
        _ => "it can do more".to_owned(),
    }
}

impl std::fmt::Debug for VoxelSite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("VoxelSite").field("about", &self.about).finish_non_exhaustive()
    }
}

/// A voxel world that searches hold on to.
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

    fn links(&self, path: &[PathStep]) -> Vec<String> {
        self.passages.taken(path)
    }

    fn find(&self, text: &str) -> Result<u32, SiteError> {
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

    fn layout(&self) -> Layout {
        /// More blocks than this would be no picture.
        const MOST_SEEN: usize = 1 << 20;
        /// More than this are not even looked at.
        const MOST_STATES: usize = 1 << 26;
        let VoxelSize { width, height, depth } = self.grid.size();
        let kinds: Vec<GroundLook> = self.kinds.iter().map(GroundLook::of_block).collect();
        let size = [width, height, depth];
        let mut layout = BlockLayout { size, kinds, ..BlockLayout::default() };
        if self.space().state_bound() > MOST_STATES {
            layout.is_cut = true;
            return Layout::Blocks(layout);
        }
        let hides = |at: BlockPosition| {
            let kind = self.kind(at).map(|(_, kind)| kind);
            matches!(kind, Some(BlockKind::Solid | BlockKind::Climbable))
        };
        for voxel in self.states() {
            let at = self.grid.position_of(voxel);
            let Some((block, kind)) = self.kind(at) else { continue };
            let BlockPosition { x, y, z } = at;
            // Numbers that wrap are no blocks, and hide nothing.
            let around = [
                [x.wrapping_sub(1), y, z],
                [x + 1, y, z],
                [x, y.wrapping_sub(1), z],
                [x, y + 1, z],
                [x, y, z.wrapping_sub(1)],
                [x, y, z + 1],
            ];
            let is_hidden = || around.iter().all(|&[x, y, z]| hides(BlockPosition::new(x, y, z)));
            if kind == BlockKind::Air || is_hidden() {
                continue;
            }
            if layout.places.len() == MOST_SEEN {
                layout.is_cut = true;
                break;
            }
            layout.places.push([x, y, z]);
            layout.kind.push(block.0);
        }
        Layout::Blocks(layout)
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
        /// So many places are looked at, and if one can stand at none, so many more.
        const STAGES: [u32; 2] = [1 << 20, 1 << 24];
        if self.knows_regions() {
            return None;
        }
        let VoxelSize { width, height, depth } = self.grid.size();
        let space = self.space();
        let mut sample = Sample { states: Vec::new(), looked_at: 0 };
        for most in STAGES {
            let across = (most / height).isqrt().max(2);
            for z in spread(depth, across) {
                for x in spread(width, across) {
                    // From the top: who walks stands on the ground rather than in a cave.
                    for y in (0..height).rev() {
                        sample.looked_at += 1;
                        let voxel = self.grid.voxel(BlockPosition { x, y, z });
                        let free = voxel.filter(|voxel| space.check(*voxel).is_ok());
                        sample.states.extend(free.map(Voxel::index));
                    }
                }
            }
            if !sample.states.is_empty() {
                break;
            }
        }
        Some(sample)
    }

    fn is_pocket(&self, state: u32, heading: Heading) -> bool {
        /// Of fewer places than that.
        const FEW: usize = 1 << 12;
        let space = self.space();
        let (mut seen, mut open) = (BTreeSet::from([state]), vec![Voxel::from_index(state)]);
        while let Some(voxel) = open.pop() {
            if seen.len() >= FEW {
                return false;
            }
            let visit = |edge: Edge<Voxel, u32>| {
                if seen.insert(edge.target.index()) {
                    open.push(edge.target);
                }
            };
            match heading {
                Heading::Outward => space.successors(voxel, visit),
                Heading::Inward => space.predecessors(voxel, visit),
            }
        }
        true
    }

    fn position(&self, state: u32) -> Vec3 {
        self.grid.centre(Voxel::from_index(state))
    }

    #[cfg(feature = "pictures")]
    fn on_picture(&self, _point: Vec3) -> Option<Vec2> {
        None
    }

    fn moves(&self, path: &[PathStep]) -> Option<Vec<Move>> {
        Some(tell(path.iter().map(|stop| (self.at(stop.state), stop.action))))
    }

    fn place(&self, state: u32) -> Place {
        if state == OFF_MAP {
            return Place::off_map();
        }
        block(self.at(state))
    }

    fn ground(&self, state: u32) -> String {
        let at = self.at(state);
        // In what one swims or holds on to; else what one stands on, be it under a corner of the
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
            NoPath::Exhausted | NoPath::Enclosed => {
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
        if state == OFF_MAP || space.check(Voxel::from_index(state)).is_ok() {
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
        let world = self.world_drawn(theme)?;
        if !view.layers {
            let mut scenery = IsometricScenery::new(world).with_blocks_explained();
            if let Some(y) = view.cut_above {
                scenery = scenery.cut(CutAway::Above(y));
            }
            return Ok(Box::new(scenery.cut(CutAway::Path(view.path))));
        }
        let heights = || view.path.iter().map(|state| self.at(*state).y);
        let most = view.cut_above.unwrap_or(u32::MAX).min(self.grid.size().height);
        let low = heights().min().unwrap_or(0);
        let high = heights().max().map_or(most, |high| high.saturating_add(1).min(most));
        let scenery = LayerScenery::new(world, low..high)?;
        Ok(Box::new(if view.in_terminal { scenery.columns(1) } else { scenery }))
    }
}

impl VoxelSite {
    /// Kept for the last pair of ends: the reason and the remedies both ask.
    fn why(&self, ends: Endpoints) -> Why {
        let known = self.explained.borrow().clone().filter(|(asked, _)| *asked == ends);
        if let Some((_, known)) = known {
            return known;
        }
        let (start, goal) = (Voxel::from_index(ends.start), Voxel::from_index(ends.goal));
        let found = why_by(&self.grid, self.profile, start, goal, |space, query| {
            solve(&self.passages.over(space), &AStar::new(), query).outcome
        });
        *self.explained.borrow_mut() = Some((ends, found.clone()));
        found
    }
}
