//! The plain document of every tile format: a rectangle of terrain.

use std::num::NonZeroU16;

use wayfare_core::link::{Crossing, Gate, LinkKind};
use wayfare_core::space::TerrainId;

use crate::error::{WorldError, WorldErrorKind, count};
use crate::terrain::{Terrain, check_table};

/// A cell of a tile map: `(0, 0)` is the top left, `x` grows to the right, `y` downwards.
///
/// ```
/// use wayfare_formats::{TilePosition, ascii};
///
/// let map = ascii::read(b"S..\n..G\n", "yard")?;
/// assert_eq!(map.marks().goal, Some(TilePosition { x: 2, y: 1 }));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TilePosition {
    /// Column, from 0 at the left.
    pub x: u32,
    /// Row, from 0 at the top.
    pub y: u32,
}

/// The start and the goal that a file marks.
///
/// ```
/// use wayfare_formats::{Marks, ascii};
///
/// assert_eq!(ascii::read(b"...\n", "field")?.marks(), Marks::default());
/// assert!(ascii::read(b"S.G\n", "field")?.marks().start.is_some());
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Marks {
    /// The start, if the file marks one.
    pub start: Option<TilePosition>,
    /// The goal, if the file marks one.
    pub goal: Option<TilePosition>,
}

/// A named cell of a map.
///
/// ```
/// use wayfare_formats::tiled::read_tmx;
///
/// let map = br#"<map width="2" height="1" tilewidth="16" tileheight="16">
///   <tileset firstgid="1"/><layer width="2" height="1"><data encoding="csv">1,1</data></layer>
///   <objectgroup><object name="well" x="20" y="4"><point/></object></objectgroup>
/// </map>"#;
/// let yard = read_tmx(map, "yard", "".as_ref())?;
/// let well = &yard.places()[0];
/// assert_eq!((well.name.as_str(), well.at.x), ("well", 1));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapPlace {
    /// The name, unique on the map.
    pub name: String,
    /// Where it is.
    pub at: TilePosition,
}

/// A link between two tiles of a map: a door, a ladder, a teleport.
///
/// ```
/// use wayfare::link::{Gate, LinkKind};
/// use wayfare_formats::tiled::read_tmx;
///
/// let map = br#"<map width="3" height="1" tilewidth="16" tileheight="16">
///   <tileset firstgid="1"/><layer width="3" height="1"><data encoding="csv">1,1,1</data></layer>
///   <objectgroup><object id="5" name="side door" type="door" x="8" y="8">
///     <properties><property name="key" value="brass"/></properties>
///     <polyline points="0,0 32,0"/>
///   </object></objectgroup>
/// </map>"#;
/// let yard = read_tmx(map, "yard", "".as_ref())?;
/// let door = &yard.links()[0];
/// assert_eq!((door.kind, door.gate, door.to.x), (LinkKind::Door, Gate::Locked, 2));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MapLink {
    /// The name.
    pub name: String,
    /// Where it begins.
    pub from: TilePosition,
    /// Where it ends: another tile.
    pub to: TilePosition,
    /// Its kind.
    pub kind: LinkKind,
    /// The crossing time; values are finite and above 0.
    pub crossing: Crossing,
    /// The capacity in agents; `None`: unlimited.
    pub capacity: Option<NonZeroU16>,
    /// Whether it is open.
    pub gate: Gate,
    /// The key that opens it when it is locked.
    pub key: Option<String>,
    /// Whether it can be used only from `from` to `to`.
    pub one_way: bool,
}

/// A rectangle of tiles, each of one [`Terrain`]. Contains no search code.
///
/// Always consistent: there are `width × height` tiles (at least one), each of a terrain of the
/// table, whose names are unique and whose costs are finite; marks lie on the map.
///
/// ```
/// use wayfare_formats::{Terrain, TerrainId, TileMap, palette};
///
/// let terrains = vec![
///     Terrain::new("grass", '.', palette::GRASS),
///     Terrain::new("wall", '#', palette::BLOCKED).blocked(),
/// ];
/// let tiles = [0, 0, 1, 0].map(TerrainId).to_vec();
/// let map = TileMap::new("tiny", 2, 2, terrains, tiles)?;
/// assert_eq!(map.terrain_at(0, 1).map(|terrain| terrain.name.as_str()), Some("wall"));
/// # Ok::<(), wayfare_formats::WorldError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TileMap {
    name: String,
    width: u32,
    height: u32,
    terrains: Vec<Terrain>,
    tiles: Vec<TerrainId>,
    marks: Marks,
    places: Vec<MapPlace>,
    links: Vec<MapLink>,
    remarks: Vec<String>,
}

impl TileMap {
    /// Returns a map from its parts; `tiles` are row-major from the top left.
    ///
    /// # Errors
    /// If the count of tiles is not `width × height` or zero, a tile names no terrain, or the
    /// terrain table has a bad value or a name twice.
    pub fn new(
        name: impl Into<String>,
        width: u32,
        height: u32,
        terrains: Vec<Terrain>,
        tiles: Vec<TerrainId>,
    ) -> Result<Self, WorldError> {
        check_table(&terrains).map_err(|(_, _, error)| error)?;
        if width == 0 || height == 0 {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!("the map is {width} wide and {height} high, but needs at least one tile"),
            ));
        }
        if tiles.len() as u64 != u64::from(width) * u64::from(height) {
            return Err(WorldError::new(
                WorldErrorKind::Dimensions,
                format!(
                    "a map {width} wide and {height} high needs {} tiles, but there are {}",
                    u64::from(width) * u64::from(height),
                    tiles.len()
                ),
            ));
        }
        // One pass over a byte a tile; the maximum is all that can be wrong.
        let highest = tiles.iter().max().copied().unwrap_or_default();
        if usize::from(highest.0) >= terrains.len() {
            return Err(WorldError::new(
                WorldErrorKind::UnknownTerrain,
                format!(
                    "a tile is of terrain number {}, but there {}",
                    highest.0,
                    match terrains.len() {
                        1 => "is only 1 terrain".to_string(),
                        n => format!("are only {}", count(n, "terrain")),
                    }
                ),
            ));
        }
        Ok(TileMap {
            name: name.into(),
            width,
            height,
            terrains,
            tiles,
            marks: Marks::default(),
            places: Vec::new(),
            links: Vec::new(),
            remarks: Vec::new(),
        })
    }

    /// Returns the same map with a marked start and goal.
    ///
    /// # Errors
    /// When a mark lies outside the map.
    pub fn with_marks(mut self, marks: Marks) -> Result<Self, WorldError> {
        for mark in [marks.start, marks.goal].into_iter().flatten() {
            if self.index(mark.x, mark.y).is_none() {
                return Err(WorldError::new(
                    WorldErrorKind::Dimensions,
                    format!(
                        "a mark at {},{} lies outside the map, which is {} wide and {} high",
                        mark.x, mark.y, self.width, self.height
                    ),
                ));
            }
        }
        self.marks = marks;
        Ok(self)
    }

    /// Adds places and links, which lie on the map.
    #[must_use]
    #[cfg(feature = "tiled")]
    pub(crate) fn with_places(mut self, places: Vec<MapPlace>, links: Vec<MapLink>) -> Self {
        (self.places, self.links) = (places, links);
        self
    }

    /// Returns the same map with remarks on how it was read.
    #[must_use]
    #[cfg(any(feature = "ldtk", feature = "png", feature = "tiled"))]
    pub(crate) fn with_remarks(mut self, remarks: Vec<String>) -> Self {
        self.remarks = remarks;
        self
    }

    /// Returns the same map under another name.
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Returns the name of the map: by default the file's name without its extension.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the count of columns, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Returns the count of rows, at least 1.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Returns the terrain table, indexed by [`TerrainId`].
    pub fn terrains(&self) -> &[Terrain] {
        &self.terrains
    }

    /// Returns all tiles, row-major from the top left.
    pub fn tiles(&self) -> &[TerrainId] {
        &self.tiles
    }

    /// Returns the marked start and goal.
    pub fn marks(&self) -> Marks {
        self.marks
    }

    /// Returns the named places of the file. Tiled maps have them.
    pub fn places(&self) -> &[MapPlace] {
        &self.places
    }

    /// Returns the links between tiles. Tiled maps have them.
    pub fn links(&self) -> &[MapLink] {
        &self.links
    }

    /// Returns remarks for users on how the map was read, in sentences: guesses where the file is
    /// ambiguous. They are not written.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }

    /// Returns the tile at column `x`, row `y`; `None` outside the map.
    pub fn tile(&self, x: u32, y: u32) -> Option<TerrainId> {
        self.index(x, y).map(|index| self.tiles[index])
    }

    /// Returns the terrain at column `x`, row `y`; `None` outside the map.
    pub fn terrain_at(&self, x: u32, y: u32) -> Option<&Terrain> {
        self.tile(x, y).map(|id| self.terrain(id))
    }

    /// Returns the terrain of an id of this map.
    ///
    /// # Panics
    /// When the id is of another map and beyond this one's table.
    pub fn terrain(&self, id: TerrainId) -> &Terrain {
        &self.terrains[usize::from(id.0)]
    }

    /// Returns the rows from top to bottom.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[TerrainId]> {
        self.tiles.chunks_exact(self.width as usize)
    }

    /// Returns the count of tiles of each terrain, in table order.
    pub fn histogram(&self) -> Vec<usize> {
        let mut counts = [0usize; 256];
        for tile in &self.tiles {
            counts[usize::from(tile.0)] += 1;
        }
        counts[..self.terrains.len()].to_vec()
    }

    fn index(&self, x: u32, y: u32) -> Option<usize> {
        (x < self.width && y < self.height).then(|| y as usize * self.width as usize + x as usize)
    }
}
