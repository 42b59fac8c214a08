//! A world of any kind with its space.

use std::path::{Path, PathBuf};

use glam::Vec3;
use serde::Serialize;
use wayfare::search::NoPath;
use wayfare::simulation::Shape;
use wayfare::space::navmesh::{NavMesh, NavMeshSpace};
use wayfare::space::{Grid, GridSpace, ProfileId};
use wayfare_formats::Terrain;
use wayfare_scene::StagedPuzzle;
#[cfg(feature = "pictures")]
use {
    glam::Vec2,
    wayfare_draw::{DrawError, Scenery, Theme},
};

use crate::{
    Endpoints, GroundCost, Layout, Level, LinkLayout, Move, MovementPart, OwnRoute, PathStep,
    Place, SearchRequest, SearchSession, Searcher, SiteError,
};

/// A description of a world.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let about = site.about();
/// assert_eq!((about.kind, about.state, about.states), ("tile map", "cell", 9));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, Debug)]
pub struct About {
    /// The file, or the name that its bytes came under.
    pub file: PathBuf,
    /// The world's own name.
    pub name: String,
    /// "tile map", "waypoint scene", "sampled scene", "voxel world", "navigation mesh".
    pub kind: &'static str,
    /// The unit of lengths, in the plural.
    pub unit: &'static str,
    /// The cost of one such unit on plain ground; of a second, for agents that count costs in time.
    pub unit_cost: f64,
    /// The noun for a state: "cell", "waypoint", "voxel", "polygon".
    pub state: &'static str,
    /// The count of states.
    pub states: u64,
    /// The memory of the space, where it keeps count.
    pub bytes: Option<usize>,
    /// The agent's abilities in words, where agents differ much.
    pub agent: Option<String>,
    /// Remarks on the interpretation of the file, in sentences.
    pub remarks: Vec<String>,
    /// Remarks of interest only for questions about the file.
    pub details: Vec<String>,
}

/// The connected regions of a world.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, open_bytes, regions};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let regions = regions(site.as_ref());
/// assert_eq!((regions.count, regions.total), (1, 8));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Regions {
    /// Their count.
    pub count: u64,
    /// The states of the largest.
    pub largest: u64,
    /// The states of all.
    pub total: u64,
}

/// A free state and its region.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let mut free = 0;
/// site.for_each_free(&mut |_state| free += 1);
/// assert_eq!(free, 8);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FreeState {
    /// The state.
    pub state: u32,
    /// The region's id; connected states have the same.
    pub region: u32,
}

/// Free states, spread over a world.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// assert!(site.sample().is_none()); // small worlds are looked at state by state
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sample {
    /// The free states.
    pub states: Vec<u32>,
    /// The count of tested states.
    pub looked_at: u64,
}

/// A direction in which moves are followed.
///
/// ```
/// use wayfare_site::{Heading, NoFiles, OpenOptions, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// assert!(!site.is_pocket(site.find("0,0")?, Heading::Outward));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heading {
    /// Away from a state.
    Outward,
    /// Into a state.
    Inward,
}

/// A grid as one profile sees it.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let view = site.grid().expect("a tile map is a grid");
/// assert_eq!((view.grid.width(), view.space().grid().height()), (3, 3));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct GridView<'s> {
    /// The grid.
    pub grid: &'s Grid,
    /// The profile.
    pub profile: ProfileId,
    /// The terrain table; a cell's terrain is an index into it, or
    /// [`TerrainId::BLOCKED`](wayfare::space::TerrainId::BLOCKED).
    pub terrains: &'s [Terrain],
}

impl<'s> GridView<'s> {
    /// Returns the space with wide costs.
    #[must_use]
    pub fn space(&self) -> GridSpace<'s, u64> {
        self.grid.space_for(self.profile)
    }
}

/// The navigation mesh of a site, and the profile of its agent.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
///
/// let square = b"mesh\n2\n4 1\n0 0 1 0\n0 2 1 0\n2 2 1 0\n2 0 1 0\n4 3 2 1 0 -1 -1 -1 -1\n";
/// let site = open_bytes("square.mesh", square, &NoFiles, &OpenOptions::default())?;
/// let view = site.nav_mesh().expect("it is a mesh");
/// assert_eq!((view.mesh.len(), view.has_links), (1, false));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NavMeshView<'s> {
    /// The mesh.
    pub mesh: &'s NavMesh,
    /// The profile.
    pub profile: ProfileId,
    /// Whether links lie over the mesh.
    pub has_links: bool,
}

impl<'s> NavMeshView<'s> {
    /// Returns the mesh as the agent sees it.
    #[must_use]
    pub fn space(&self) -> NavMeshSpace<'s> {
        self.mesh.space_of(self.profile)
    }

    /// Fails if the site has links, which an index does not contain.
    pub(crate) fn check_no_links(&self, file: &Path) -> Result<(), SiteError> {
        if !self.has_links {
            return Ok(());
        }
        let problem = "links lie over this navigation mesh, and indexes know only the ground: leave \
                       the index away, and polyanya searches";
        Err(SiteError::unsearchable(file, &problem))
    }
}

/// A rule less, and the path that it opens.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S.#.\n..#G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
///
/// let opened = site.opened_paths(&request, &mut |_expanded| ())?;
/// let last = opened.last().expect("the wall may be opened");
/// assert!(last.opened.is_some() && last.sentence.starts_with("if it may enter"));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct OpenedPath {
    /// Finishes the sentence "There is a path …".
    pub sentence: String,
    /// The change, as JSON names it.
    pub change: String,
    /// The ground that a path may enter only after the change.
    pub opened: Option<String>,
    /// The capabilities that the agent lacks without it, where they are known.
    pub lacks: Vec<Lack>,
    /// The path.
    pub path: Vec<PathStep>,
    /// Its length in units of the world.
    pub length: f64,
}

/// A capability that an agent has too little of.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Lack {
    /// The option that gives it.
    pub capability: &'static str,
    /// The amount that is needed: blocks, or 1 for a capability without amounts.
    pub needed: u16,
    /// The amount that there is.
    pub has: u16,
    /// Where the first move begins that the agent cannot make.
    pub at: Place,
    /// In words.
    pub sentence: String,
}

/// The appearance of a world, where there is a choice.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, View, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let heat = View { heat: true, ..View::default() };
/// assert!(site.scenery(&wayfare_draw::Theme::DARK, &heat).is_ok());
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[cfg(feature = "pictures")]
#[derive(Clone, Copy, Debug, Default)]
pub struct View<'s> {
    /// Layer by layer, side by side or, in a terminal, below each other.
    pub layers: bool,
    /// For a terminal.
    pub in_terminal: bool,
    /// Nothing from that height on.
    pub cut_above: Option<u32>,
    /// The penalties of a grid's cells as heat.
    pub heat: bool,
    /// The gateways of a grid, and the rooms that the route from the first of these states to the
    /// last skips.
    pub rooms: bool,
    /// The states that have to be seen.
    pub path: &'s [u32],
}

/// A world with its space. Made by [`open`](crate::open) and [`open_bytes`](crate::open_bytes).
///
/// States are indices below [`u32::MAX`], which is [`OFF_MAP`](crate::OFF_MAP). Every method takes
/// any index; an unknown one counts as off the map or gives an arbitrary state's answer, but never
/// panics.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let corner = site.find("2,0")?;
/// assert_eq!(site.place(corner).to_string(), "2,0");
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
pub trait Site {
    /// Returns a description.
    fn about(&self) -> &About;

    /// Returns a searcher: the space with memory of its own.
    fn searcher(&self) -> Box<dyn Searcher>;

    /// Returns a search to be stepped and watched.
    fn session(&self, request: &SearchRequest) -> Box<dyn SearchSession>;

    /// Returns the grid, if the world is one.
    fn grid(&self) -> Option<GridView<'_>> {
        None
    }

    /// Returns the navigation mesh, if the world is one.
    fn nav_mesh(&self) -> Option<NavMeshView<'_>> {
        None
    }

    /// Gives keys of the scene's links to the agent, in exchange for its present ones.
    ///
    /// # Errors
    /// When no class of the scene carries a key of such a name.
    fn hold(&mut self, keys: &[String]) -> Result<(), SiteError>;

    /// Counts links of the scene as full: no agent can enter them. The others stay as they are.
    ///
    /// # Errors
    /// When the scene has no link of such a name, or the link has no capacity.
    fn fill(&mut self, links: &[String]) -> Result<(), SiteError>;

    /// Returns the agent's movement, part by part.
    fn movement(&self) -> Vec<MovementPart>;

    /// Makes changes of the agent's movement, or of what is open to it: those of a
    /// [`Remedy`](crate::Remedy), and others of the same names, as `neighbours=4`. Several are
    /// separated by spaces. `enter=sea` opens ground to the agent in the medium of the state
    /// `from`, at the ground's own cost. Searchers that began before keep the world as it was.
    ///
    /// # Errors
    /// If a change has no known name, is one of another kind of world, or has an impossible value;
    /// nothing is changed then.
    fn adapt(&mut self, change: &str, from: u32) -> Result<(), SiteError>;

    /// Tells the agent of danger: every state in the shape costs `amount` more to enter, in units
    /// of length; the shape is in world units. Adds to the known danger. NaN adds nothing.
    ///
    /// # Errors
    /// If the world is a navigation mesh, whose searches know no danger.
    fn fear(&mut self, shape: &Shape, amount: f32) -> Result<(), SiteError>;

    /// Shuts the gates of puzzles and puts their crates there, as they are at the beginning: paths
    /// avoid them, and reasons name them. Default: nothing, since only grids have puzzles.
    fn shut_gates(&mut self, _puzzles: &[StagedPuzzle]) {}

    /// Lets `seconds` go by for the danger that the agent knows of: it spreads and decays, as in a
    /// simulation with default settings.
    ///
    /// ```
    /// use wayfare::glam::Vec3;
    /// use wayfare::simulation::Shape;
    /// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
    ///
    /// let map = b"S..\n.#.\n..G\n";
    /// let mut site = open_bytes("yard.txt", map, &NoFiles, &OpenOptions::default())?;
    /// let corner = site.find("0,0")?;
    /// site.fear(&Shape::Ball { centre: site.position(corner), radius: 0.1 }, 5.0)?;
    /// assert_eq!(site.dangers(), [(corner, 5.0)]);
    /// site.age_danger(60.0);
    /// assert!(site.dangers().is_empty());
    /// # Ok::<(), wayfare_site::SiteError>(())
    /// ```
    fn age_danger(&mut self, seconds: f32);

    /// Returns the states that the agent knows to be dangerous, in order, each with its surcharge
    /// for entering, in units of length.
    fn dangers(&self) -> Vec<(u32, f32)>;

    /// Replaces the danger that the agent knows of: each state with its surcharge for entering, in
    /// units of length. Unknown states are skipped; a navigation mesh knows no danger, and stays as
    /// it is.
    ///
    /// ```
    /// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
    ///
    /// let map = b"S..\n.#.\n..G\n";
    /// let mut site = open_bytes("yard.txt", map, &NoFiles, &OpenOptions::default())?;
    /// let known = [(site.find("0,0")?, 5.0), (site.find("1,0")?, 2.5)];
    /// site.set_dangers(&known);
    /// assert_eq!(site.dangers(), known);
    /// site.set_dangers(&known[..1]);
    /// assert_eq!(site.dangers(), &known[..1]);
    /// # Ok::<(), wayfare_site::SiteError>(())
    /// ```
    fn set_dangers(&mut self, dangers: &[(u32, f32)]);

    /// Returns the links of the scene on a path, in its order: "door 'side door'".
    fn links(&self, path: &[PathStep]) -> Vec<String>;

    /// Returns the state that a text names: `3,4` for a cell, `3,1,4` for a block, a waypoint's
    /// name, or `x,z` in metres.
    ///
    /// # Errors
    /// When the text follows none of these forms. A well-formed text beside the map is
    /// [`OFF_MAP`](crate::OFF_MAP).
    fn find(&self, text: &str) -> Result<u32, SiteError>;

    /// Returns the routes that the world names itself.
    fn routes(&self) -> Vec<OwnRoute>;

    /// Returns the cost of a path in units of length, before costs were rounded to whole numbers.
    /// `None` where only the rounded cost is known.
    fn exact_cost(&self, _path: &[PathStep]) -> Option<f64> {
        None
    }

    /// Visits every free state with its region, in order.
    fn for_each_free(&self, visit: &mut dyn FnMut(FreeState));

    /// Returns whether the regions of [`Site::for_each_free`] mean anything: very large worlds
    /// count as one region.
    fn knows_regions(&self) -> bool {
        true
    }

    /// Returns the count of free states, if it is known without testing each.
    fn count_free(&self) -> Option<u64> {
        None
    }

    /// States all over a world that is too large to look at each; `None` where the world is not.
    fn sample(&self) -> Option<Sample> {
        None
    }

    /// Returns whether few states can be reached from that state of a very large world, or few
    /// reach it.
    fn is_pocket(&self, _state: u32, _heading: Heading) -> bool {
        false
    }

    /// Returns whether an index is that of a state, free or not: on the map, with a position. Front
    /// ends may keep indices of an earlier world.
    ///
    /// ```
    /// use wayfare_site::{NoFiles, OFF_MAP, OpenOptions, open_bytes};
    ///
    /// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
    /// assert!(site.has_state(site.find("1,1")?), "a wall");
    /// assert!(!site.has_state(1000) && !site.has_state(OFF_MAP));
    /// # Ok::<(), wayfare_site::SiteError>(())
    /// ```
    fn has_state(&self, state: u32) -> bool;

    /// Returns the position of a state in world units; y is up.
    fn position(&self, state: u32) -> Vec3;

    /// Returns whether the waypoint policies ignore the waypoints' own costs in this world, unless
    /// a request says otherwise.
    fn ignores_own_costs(&self) -> bool {
        false
    }

    /// Returns the distance of two states in a straight line, measured as lengths of paths are: on
    /// navigation meshes seen from above, elsewhere through space.
    fn distance(&self, from: u32, to: u32) -> f64 {
        f64::from(self.position(from).distance(self.position(to)))
    }

    /// Returns the length of a path or a part of one, as
    /// [`SearchReport::length`](crate::SearchReport::length) counts it.
    fn length(&self, path: &[PathStep]) -> f64 {
        path.windows(2).map(|leg| self.distance(leg[0].state, leg[1].state)).sum()
    }

    /// Returns a path as moves in words, if moves say more than places.
    fn moves(&self, _path: &[PathStep]) -> Option<Vec<Move>> {
        None
    }

    /// Returns the name of a state.
    fn place(&self, state: u32) -> Place;

    /// Returns the links that have both ends on the ground of the agent, by id.
    ///
    /// ```
    /// use wayfare_site::{MemoryFiles, OpenOptions, open_from};
    ///
    /// let files = MemoryFiles::new().with("yard.toml", *br#"
    ///     scene = { name = "yard", map = "..#..\n..#..\n" }
    ///     [[nav_links]]
    ///     name = "gate"
    ///     kind = "door"
    ///     from = [1, 0]
    ///     to = [3, 0]
    ///     seconds = 1
    ///     gate = "closed"
    /// "#);
    /// let yard = open_from("yard.toml", &files, &OpenOptions::default())?;
    /// let gate = &yard.passages()[0];
    /// assert_eq!((gate.name.as_str(), gate.is_open), ("door 'gate'", false));
    /// assert_eq!(gate.ends, [[1.5, 0.0, 0.5], [3.5, 0.0, 0.5]]);
    /// # Ok::<(), wayfare_site::SiteError>(())
    /// ```
    fn passages(&self) -> Vec<LinkLayout>;

    /// Returns the shape of the world as data. Takes time and memory in proportion to its size.
    fn layout(&self) -> Layout;

    /// Returns, for each cell of a grid, row by row, the distance from its centre to that of the
    /// nearest cell that is not free, in cells, within 6 %: 0 if it is not free itself. The edge of
    /// the map is not free. Empty in other worlds. O(cells).
    ///
    /// ```
    /// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
    ///
    /// let map = b"S..\n...\n..G\n";
    /// let site = open_bytes("yard.txt", map, &NoFiles, &OpenOptions::default())?;
    /// assert_eq!(site.clearances()[3..6], [1.0, 2.0, 1.0]);
    /// # Ok::<(), wayfare_site::SiteError>(())
    /// ```
    fn clearances(&self) -> Vec<f32> {
        Vec::new()
    }

    /// Returns the level of triangles that the mesh was baked from, where it was one.
    fn level(&self) -> Option<&Level> {
        None
    }

    /// Returns the moves out of a state: targets, costs in the space's units, and actions. None on
    /// a navigation mesh, whose searches go by intervals.
    ///
    /// ```
    /// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
    ///
    /// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
    /// let moves = site.moves_from(site.find("0,0")?);
    /// let places: Vec<String> =
    ///     moves.iter().map(|step| site.place(step.state).to_string()).collect();
    /// assert_eq!(places, ["1,0", "0,1"]);
    /// # Ok::<(), wayfare_site::SiteError>(())
    /// ```
    fn moves_from(&self, state: u32) -> Vec<PathStep>;

    /// Returns the cost of entering a state beyond distance and danger, in units of length: on
    /// grids the terrain's penalty, blurred, and the surcharge of the slope; on waypoint graphs the
    /// waypoint's own cost. 0 elsewhere.
    ///
    /// ```
    /// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
    ///
    /// let scene = br##"
    /// scene = { name = "toll", map = "..$." }
    /// terrains = [
    ///     { name = "road", glyph = ".", color = "#808080" },
    ///     { name = "toll", glyph = "$", color = "#c0a040", penalty = 3 },
    /// ]
    /// "##;
    /// let site = open_bytes("toll.toml", scene, &NoFiles, &OpenOptions::default())?;
    /// assert_eq!(site.penalty(site.find("1,0")?), 0.0);
    /// assert_eq!(site.penalty(site.find("2,0")?), 3.0);
    /// # Ok::<(), wayfare_site::SiteError>(())
    /// ```
    fn penalty(&self, _state: u32) -> f32 {
        0.0
    }

    /// Gives the ground at states other names, "blocked" or one of the world's terrains. Searches
    /// and searchers that began before keep the world as it was. Where one of them is still there,
    /// the world is copied once. States off the map are skipped.
    ///
    /// ```
    /// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
    ///
    /// let map = b"S..\n.#.\n..G\n";
    /// let mut site = open_bytes("yard.txt", map, &NoFiles, &OpenOptions::default())?;
    /// let beside = site.find("1,0")?;
    /// site.set_ground(&[(beside, "blocked")])?;
    /// assert_eq!(site.moves_from(site.find("0,0")?).len(), 1);
    /// assert!(site.set_ground(&[(beside, "lava")]).is_err());
    /// # Ok::<(), wayfare_site::SiteError>(())
    /// ```
    ///
    /// # Errors
    /// When the world is no grid, or has no ground of one of the names; nothing is changed then.
    fn set_ground(&mut self, _edits: &[(u32, &str)]) -> Result<(), SiteError> {
        Err(SiteError::NotEditable)
    }

    /// Changes the cost of one of the world's terrains. Searches and searchers that began before
    /// keep the old world. O(cells).
    ///
    /// ```
    /// use wayfare_site::{GroundCost, NoFiles, OpenOptions, open_bytes};
    ///
    /// let scene = br##"
    /// scene = { name = "toll", map = "..$." }
    /// terrains = [
    ///     { name = "road", glyph = ".", color = "#808080" },
    ///     { name = "toll", glyph = "$", color = "#c0a040" },
    /// ]
    /// "##;
    /// let mut site = open_bytes("toll.toml", scene, &NoFiles, &OpenOptions::default())?;
    /// let gate = site.find("2,0")?;
    /// let dear = GroundCost { is_open: true, multiplier: 1.0, penalty: 6.0 };
    /// site.set_ground_cost("toll", dear)?;
    /// assert_eq!(site.penalty(gate), 6.0);
    /// site.set_blur(1)?;
    /// assert_eq!(site.penalty(gate), 2.0);
    /// site.set_ground_cost("toll", GroundCost { is_open: false, ..dear })?;
    /// assert_eq!(site.moves_from(site.find("1,0")?).len(), 1);
    /// # Ok::<(), wayfare_site::SiteError>(())
    /// ```
    ///
    /// # Errors
    /// If the world is no grid, has no terrain of that name, or a value is out of range; nothing is
    /// changed then.
    fn set_ground_cost(&mut self, _ground: &str, _cost: GroundCost) -> Result<(), SiteError> {
        Err(SiteError::NotEditable)
    }

    /// Changes the radius of the box blur over the penalties, in cells, 0 to 64. Searches and
    /// searchers that began before keep the world as it was. O(cells).
    ///
    /// # Errors
    /// When the world is no grid, or the blur is above 64.
    fn set_blur(&mut self, _cells: u8) -> Result<(), SiteError> {
        Err(SiteError::NotEditable)
    }

    /// Returns, for each cell of a grid, row by row, the cost of entering it beyond the distance:
    /// its [`Site::penalty`]. Empty in other worlds. O(cells).
    fn penalties(&self) -> Vec<f32> {
        Vec::new()
    }

    /// Returns the name of the ground at a state.
    fn ground(&self, state: u32) -> String;

    /// Returns the reason why there is no path, for people.
    fn reason(&self, reason: NoPath, ends: Endpoints) -> String;

    /// Returns the free state nearest to another; `None` if that one is free itself, or no other is
    /// near.
    fn nearest_free(&self, state: u32) -> Option<u32>;

    /// Relaxes one rule of movement after another, the mildest first, and returns the ones that
    /// open a path for the request's ends. Of the request's limits, that of expansions applies.
    ///
    /// # Errors
    /// When a changed world cannot be built.
    fn opened_paths(
        &self,
        request: &SearchRequest,
        on_progress: &mut dyn FnMut(u64),
    ) -> Result<Vec<OpenedPath>, SiteError>;

    /// Returns the point of a picture at which a point of the world is; `None` where pictures show
    /// states only.
    #[cfg(feature = "pictures")]
    fn on_picture(&self, point: Vec3) -> Option<Vec2>;

    /// Returns the world to be drawn.
    ///
    /// # Errors
    /// If the world is too large for that view.
    #[cfg(feature = "pictures")]
    fn scenery(&self, theme: &Theme, view: &View<'_>) -> Result<Box<dyn Scenery + '_>, DrawError>;
}
