//! Scenarios: a kind of world with its parameters, from an entry to an exit.

use wayfare_bake::WalkerShape;
use wayfare_formats::obj::TriangleMesh;
use wayfare_formats::{TilePosition, VoxelScene};
use wayfare_scene::scene::{Scene, ScenePuzzle};

use crate::{GenerateError, Parameter, Promise, Seed, Settings, TileDraft, Values};

/// A kind of world: its parameters, and how its parts stand between an entry and an exit.
///
/// ```
/// use wayfare_generate::{
///     GenerateError, Ground, Kinds, Opening, Parameter, Promise, Scenario, Seed, Settings,
///     TileDraft, TileScene, Values, WorldDraft, generate,
/// };
///
/// /// A hall with a door at either end.
/// struct Hall;
///
/// const PARAMETERS: &[Parameter] = &[Parameter::whole("length", "from end to end", "tiles", 4, 40)];
///
/// impl Scenario for Hall {
///     fn name(&self) -> &'static str {
///         "hall"
///     }
///     fn about(&self) -> &'static str {
///         "an empty hall"
///     }
///     fn families(&self) -> &'static [&'static str] {
///         &["indoor"]
///     }
///     fn parameters(&self) -> &'static [Parameter] {
///         PARAMETERS
///     }
///     fn build(&self, values: &Values, _: Seed) -> Result<WorldDraft, GenerateError> {
///         let mut draft = TileDraft::new(values.whole("length"), 5, Ground::Floor);
///         draft.whole().frame(Ground::Wall);
///         let [entry, exit] = [Opening::new(2, 1), Opening::new(2, 1)];
///         Ok(WorldDraft::Tiles(TileScene::new(draft, entry, exit)))
///     }
///     fn promises(&self, _: &Values) -> Vec<Promise> {
///         Vec::new() // that the exit can be reached is promised by all kinds
///     }
/// }
///
/// let kinds = Kinds::standard().with(Box::new(Hall))?;
/// let hall = generate(kinds.get("hall")?, &Settings::default(), Seed(7))?;
/// assert!(hall.prove()?.length >= 3.0);
/// # Ok::<(), GenerateError>(())
/// ```
pub trait Scenario: Send + Sync {
    /// Returns the name of the kind, in lower case.
    fn name(&self) -> &'static str;

    /// Returns the kind in a few words.
    fn about(&self) -> &'static str;

    /// Returns the version of its rules. A change that makes other worlds of old seeds raises it.
    fn version(&self) -> u32 {
        1
    }

    /// Returns the earlier versions, each a scenario of the same name and form: settings may ask
    /// for one of them ([`Settings::read`]), so that old seeds keep their worlds. Default: there
    /// are none.
    fn earlier(&self) -> &'static [&'static dyn Scenario] {
        &[]
    }

    /// Returns the families that it belongs to, the most general first: any of them may be named
    /// instead of the kind.
    fn families(&self) -> &'static [&'static str];

    /// Returns the material of its worlds. Default: tiles.
    fn form(&self) -> WorldForm {
        WorldForm::Tiles
    }

    /// Returns its parameters. None is called `version`: in settings that key is the version of the
    /// kind.
    fn parameters(&self) -> &'static [Parameter];

    /// Builds a world with these values. All that is random comes from `seed`.
    ///
    /// # Errors
    /// When the values contradict each other.
    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError>;

    /// Returns the promises for every world with these values, in addition to the promises of all
    /// kinds.
    fn promises(&self, values: &Values) -> Vec<Promise>;
}

impl<'k> dyn Scenario + 'k {
    /// Returns the scenario in one of its versions.
    ///
    /// ```
    /// use wayfare_generate::Kinds;
    ///
    /// let kinds = Kinds::standard();
    /// let city = kinds.get("city")?;
    /// assert_eq!((city.version(), city.in_version(2)?.version()), (2, 2));
    /// let error = city.in_version(3).err().unwrap();
    /// assert_eq!(error.to_string(), "city has no version 3; it has 2");
    /// # Ok::<(), wayfare_generate::GenerateError>(())
    /// ```
    ///
    /// # Errors
    /// When there is no such version.
    pub fn in_version(&self, version: u32) -> Result<&(dyn Scenario + 'k), GenerateError> {
        if version == self.version() {
            return Ok(self);
        }
        let earlier = self.earlier().iter().find(|earlier| earlier.version() == version);
        earlier.map(|earlier| *earlier as &(dyn Scenario + 'k)).ok_or_else(|| {
            let earlier = self.earlier().iter().map(|earlier| earlier.version());
            let mut known: Vec<u32> = earlier.chain([self.version()]).collect();
            known.sort_unstable();
            let known: Vec<String> = known.iter().map(u32::to_string).collect();
            let (name, known) = (self.name(), known.join(", "));
            GenerateError::Request(format!("{name} has no version {version}; it has {known}"))
        })
    }
}

/// The material of a world.
///
/// ```
/// use wayfare_generate::{Kinds, WorldForm};
/// assert_eq!(Kinds::standard().get("city")?.form(), WorldForm::Tiles);
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum WorldForm {
    /// Tiles: worlds fit beside each other.
    Tiles,
    /// Blocks.
    Blocks,
    /// Triangles, for a navigation mesh.
    Level,
    /// Surfaces and obstacles, to be sampled as a grid.
    Sampled,
}

/// A gap in the western or eastern border of a tile world, through which agents come and go.
///
/// ```
/// use wayfare_generate::Opening;
///
/// let gate = Opening::new(5, 3);
/// assert_eq!(gate.rows(), 5..8);
/// assert_eq!(gate.middle(), 6);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Opening {
    /// The first row.
    pub row: u32,
    /// The number of rows, at least 1.
    pub width: u32,
}

impl Opening {
    /// Returns a gap of `width` rows from `row` on.
    #[must_use]
    pub fn new(row: u32, width: u32) -> Self {
        Opening { row, width: width.max(1) }
    }

    /// Returns its rows.
    #[must_use]
    pub fn rows(self) -> std::ops::Range<u32> {
        self.row..self.row + self.width
    }

    /// Returns the row in the middle.
    #[must_use]
    pub fn middle(self) -> u32 {
        self.row + self.width / 2
    }
}

/// A locked door between two tiles, on a tile that no other agent enters.
///
/// ```
/// use wayfare_generate::{DoorPlan, KeyPlan};
/// use wayfare_formats::TilePosition;
///
/// let [from, to] = [3, 5].map(|x| TilePosition { x, y: 2 });
/// let door = DoorPlan { from, to, key: 0 };
/// let key = KeyPlan { name: "iron", at: TilePosition { x: 1, y: 1 } };
/// assert_eq!((door.key, key.name), (0, "iron"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoorPlan {
    /// The tile on one side.
    pub from: TilePosition,
    /// The tile on the other.
    pub to: TilePosition,
    /// The key that opens it: an index into [`TileScene::keys`].
    pub key: usize,
}

/// A key on a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyPlan {
    /// Its name: unique in its world.
    pub name: &'static str,
    /// Where it lies.
    pub at: TilePosition,
}

/// A tile world with its entry in the west and its exit in the east.
///
/// ```
/// use wayfare_generate::{Ground, Opening, TileDraft, TileScene};
///
/// let draft = TileDraft::new(6, 3, Ground::Wall);
/// let scene = TileScene::new(draft, Opening::new(1, 1), Opening::new(1, 1));
/// assert_eq!((scene.entry_tile().x, scene.exit_tile().x), (0, 5));
/// assert!(scene.draft.is_free(0, 1)); // a gap is open ground
/// ```
#[derive(Clone, PartialEq)]
pub struct TileScene {
    /// The tiles.
    pub draft: TileDraft,
    /// The gap in the western border.
    pub entry: Opening,
    /// The gap in the eastern border.
    pub exit: Opening,
    /// The locked doors.
    pub doors: Vec<DoorPlan>,
    /// The keys.
    pub keys: Vec<KeyPlan>,
    /// The number of rooms, where the kind has rooms.
    pub rooms: u32,
    /// Puzzles, in the order in which they are passed. Start and goal are cells.
    pub puzzles: Vec<ScenePuzzle>,
}

/// As derived, but without puzzles where there are none: hashes of worlds are made of this.
impl std::fmt::Debug for TileScene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let TileScene { draft, entry, exit, doors, keys, rooms, puzzles } = self;
        let mut text = f.debug_struct("TileScene");
        text.field("draft", draft).field("entry", entry).field("exit", exit);
        text.field("doors", doors).field("keys", keys).field("rooms", rooms);
        if !puzzles.is_empty() {
            text.field("puzzles", puzzles);
        }
        text.finish()
    }
}

impl TileScene {
    /// Returns a world with two gaps, which are opened where they are closed.
    #[must_use]
    pub fn new(mut draft: TileDraft, entry: Opening, exit: Opening) -> Self {
        let right = draft.width().saturating_sub(1);
        for (x, opening) in [(0, entry), (right, exit)] {
            for y in opening.rows().filter(|y| !draft.is_free(x, *y)).collect::<Vec<_>>() {
                draft.set(x, y, crate::Ground::Floor);
            }
        }
        TileScene {
            draft,
            entry,
            exit,
            doors: Vec::new(),
            keys: Vec::new(),
            rooms: 0,
            puzzles: Vec::new(),
        }
    }

    /// Returns the tile where one comes in.
    #[must_use]
    pub fn entry_tile(&self) -> TilePosition {
        TilePosition { x: 0, y: self.entry.middle() }
    }

    /// Returns the tile where one goes out.
    #[must_use]
    pub fn exit_tile(&self) -> TilePosition {
        TilePosition { x: self.draft.width().saturating_sub(1), y: self.exit.middle() }
    }
}

/// A world of blocks. Its first route goes from its entry to its exit; further ones go from the
/// entry to places that can be reached as well.
///
/// ```
/// use wayfare_generate::{Kinds, Seed, Settings, WorldDraft, generate};
///
/// let caves = generate(Kinds::standard().get("voxel-caves")?, &Settings::default(), Seed(7))?;
/// let WorldDraft::Blocks(blocks) = &caves.draft else { panic!("made of blocks") };
/// assert_eq!(blocks.scene.routes().len(), 1 + blocks.rooms as usize);
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct BlockScene {
    /// The blocks.
    pub scene: VoxelScene,
    /// The agent that gets through.
    pub profile: wayfare_voxel::VoxelProfile,
    /// The number of rooms: houses or halls.
    pub rooms: u32,
}

/// A level of triangles to bake a navigation mesh from. Lengths are metres, y is up.
///
/// ```
/// use wayfare_generate::{Kinds, Seed, Settings, WorldDraft, generate};
///
/// let house = generate(Kinds::standard().get("level")?, &Settings::default(), Seed(7))?;
/// let WorldDraft::Level(level) = &house.draft else { panic!("made of triangles") };
/// assert!(level.exit[1] > level.entry[1]); // upstairs
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LevelScene {
    /// The triangles.
    pub mesh: TriangleMesh,
    /// The body that gets through.
    pub walker: WalkerShape,
    /// Where one comes in.
    pub entry: [f32; 3],
    /// Where one goes out.
    pub exit: [f32; 3],
    /// A point in each room and on each terrace: all can be reached.
    pub rooms: Vec<[f32; 3]>,
}

/// Surfaces and obstacles that are sampled as a grid by the scene's own rules. The first query goes
/// from the entry to the exit; the ends of further ones can be reached as well.
///
/// ```
/// use wayfare_generate::{Kinds, Seed, Settings, WorldDraft, generate};
///
/// let hills = generate(Kinds::standard().get("hills")?, &Settings::default(), Seed(7))?;
/// let WorldDraft::Sampled(sampled) = &hills.draft else { panic!("a scene") };
/// assert!(sampled.scene.grid.is_some());
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SampledScene {
    /// The scene, with a `grid` section.
    pub scene: Scene,
}

/// A world of any form, as a scenario builds it.
///
/// ```
/// use wayfare_generate::{Kinds, Seed, Settings, WorldDraft, generate};
///
/// let maze = generate(Kinds::standard().get("maze")?, &Settings::default(), Seed(7))?;
/// assert!(matches!(maze.draft, WorldDraft::Tiles(_)));
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum WorldDraft {
    /// Tiles.
    Tiles(TileScene),
    /// Blocks.
    Blocks(BlockScene),
    /// Triangles, for a navigation mesh.
    Level(LevelScene),
    /// Surfaces and obstacles, to be sampled as a grid.
    Sampled(Box<SampledScene>),
}

/// A generated world, with its kind, values and seed.
///
/// ```
/// use wayfare_generate::{Kinds, Seed, Settings, generate};
///
/// let kinds = Kinds::standard();
/// let cave = generate(kinds.get("caves")?, &Settings::default(), Seed(7))?;
/// assert_eq!((cave.kind.as_str(), cave.seed), ("caves", Seed(7)));
/// assert!(cave.prove()?.statistics.iter().any(|(statistic, _)| statistic.name() == "free share"));
/// # Ok::<(), wayfare_generate::GenerateError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Generated {
    /// The name of the kind.
    pub kind: String,
    /// The version of the kind's rules.
    pub version: u32,
    /// The seed.
    pub seed: Seed,
    /// The values that were drawn.
    pub values: Values,
    /// The built world.
    pub draft: WorldDraft,
    /// Its promises.
    pub promises: Vec<Promise>,
}

/// Builds a world of a kind. The same settings and seed give the same world on every machine.
///
/// The settings may ask for an earlier version of the kind.
///
/// # Errors
/// When the values that were drawn contradict each other.
pub fn generate(
    scenario: &dyn Scenario,
    settings: &Settings,
    seed: Seed,
) -> Result<Generated, GenerateError> {
    let scenario = settings.version_of(scenario)?;
    let values = settings.draw(scenario, seed);
    let draft = scenario.build(&values, seed.child("build", 0))?;
    Ok(Generated {
        kind: scenario.name().to_owned(),
        version: scenario.version(),
        seed,
        promises: scenario.promises(&values),
        values,
        draft,
    })
}
