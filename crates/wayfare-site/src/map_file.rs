//! A grid as a map file of other programs.

use std::str::FromStr;

use wayfare::space::{Cell, Space, StateId, TerrainId};
use wayfare_formats::{
    Marks, Terrain, TileMap, TilePosition, WorldError, ascii, movingai_map, palette, png, tiled,
};

use crate::{Endpoints, GridView, Site, SiteError};

/// A format of tile maps that grids are written in, by its extension.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MapFormat {
    /// `map`, Moving AI: each cell is a wall or open; all open cells cost the same.
    MovingAi,
    /// `txt`: a character a cell, with a legend of the grounds, start and goal.
    Text,
    /// `tmj`, Tiled: every ground with its costs.
    Tiled,
    /// `png`: a pixel a cell, and a legend of the grounds beside it.
    Png,
}

impl MapFormat {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::MovingAi, Self::Text, Self::Tiled, Self::Png];

    /// Returns the extension of its files, without a dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::MovingAi => "map",
            Self::Text => "txt",
            Self::Tiled => "tmj",
            Self::Png => "png",
        }
    }
}

impl FromStr for MapFormat {
    type Err = String;

    fn from_str(extension: &str) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|format| format.extension() == extension);
        known.ok_or_else(|| {
            let all = Self::ALL.map(Self::extension).join(", ");
            format!("no format of maps is called '{extension}'; known: {all}")
        })
    }
}

/// A map file: see [`map_file`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MapFile {
    /// The file.
    pub bytes: Vec<u8>,
    /// The legend of an image, to be kept beside it as `NAME.png.toml`.
    pub legend: Option<String>,
}

/// Returns a grid, as it is now, as a map file: its cells with the costs of their grounds, and in
/// text the ends. Links, danger and the blur of penalties have no place in it. O(cells).
///
/// ```
/// use wayfare_site::{MapFormat, NoFiles, OpenOptions, Site, map_file, open_bytes};
///
/// let mut yard = open_bytes("yard.txt", b"S..\n...\n..G\n", &NoFiles, &OpenOptions::default())?;
/// yard.set_ground(&[(yard.find("1,1")?, "blocked")])?;
/// let ends = yard.routes()[0].ends;
/// let text = map_file(yard.as_ref(), ends, MapFormat::Text)?;
/// assert_eq!(text.bytes, b"S..\n.#.\n..G\n");
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
///
/// # Errors
/// When the world is no grid, or the format cannot say what a ground costs.
pub fn map_file(site: &dyn Site, ends: Endpoints, format: MapFormat) -> Result<MapFile, SiteError> {
    let about = site.about();
    let view = site
        .grid()
        .ok_or_else(|| SiteError::unsearchable(&about.file, &"only grids are written as maps"))?;
    let map = tile_map(&about.name, &view, ends)?;
    let mut legend = None;
    let bytes = match format {
        MapFormat::MovingAi => movingai_map::write(&map)?,
        MapFormat::Text => ascii::write(&map)?.into_bytes(),
        MapFormat::Tiled => tiled::write_tmj(&map)?.into_bytes(),
        MapFormat::Png => {
            let (bytes, colours) = png::write(&map)?;
            legend = Some(colours.write()?);
            bytes
        }
    };
    Ok(MapFile { bytes, legend })
}

fn tile_map(name: &str, view: &GridView<'_>, ends: Endpoints) -> Result<TileMap, WorldError> {
    let grid = view.grid;
    let mut terrains: Vec<Terrain> = Vec::new();
    for terrain in view.terrains {
        let (glyph, color) = (glyph_for(terrain, &terrains), colour_for(terrain, &terrains));
        terrains.push(Terrain { glyph, color, ..terrain.clone() });
    }
    let mut tiles: Vec<TerrainId> = grid.cells().map(|cell| grid.terrain(cell)).collect();
    // Cells that are blocked without a ground of their own get one.
    let known = terrains.len();
    let is_own = |tile: &TerrainId| usize::from(tile.0) < known;
    if !tiles.iter().all(is_own) {
        let mut name = "blocked".to_owned();
        while terrains.iter().any(|terrain| terrain.name == name) {
            name.push('-');
        }
        let wall = Terrain::new(name, '#', palette::BLOCKED).blocked();
        let (glyph, color) = (glyph_for(&wall, &terrains), colour_for(&wall, &terrains));
        terrains.push(Terrain { glyph, color, ..wall });
        for tile in tiles.iter_mut().filter(|tile| !is_own(tile)) {
            *tile = TerrainId(known as u8);
        }
    }
    let at = |state: u32| {
        let is_cell = state < grid.space_for::<u64>(view.profile).state_bound() as u32;
        let place = is_cell.then(|| grid.coordinates(Cell::from_index(state)))?;
        let is_on_map = place.x < grid.width() && place.y < grid.height();
        is_on_map.then_some(TilePosition { x: place.x, y: place.y })
    };
    let marks = Marks { start: at(ends.start), goal: at(ends.goal) };
    let marks = if marks.start == marks.goal { Marks::default() } else { marks };
    TileMap::new(name, grid.width(), grid.height(), terrains, tiles)?.with_marks(marks)
}

/// Returns the character of a terrain; another one where that is taken, from its name if possible.
fn glyph_for(terrain: &Terrain, others: &[Terrain]) -> char {
    let usual = if terrain.walkable { '.' } else { '#' };
    let letters =
        terrain.name.chars().chain('a'..='z').chain('A'..='Z').chain('\u{e0}'..='\u{24f}');
    // Start and goal are marked by S and G.
    let letters = letters.filter(|glyph| glyph.is_alphabetic() && !"SG".contains(*glyph));
    let mut wishes = [terrain.glyph, usual].into_iter().chain(letters);
    let is_free = |glyph: &char| others.iter().all(|other| other.glyph != *glyph);
    wishes.find(is_free).unwrap_or(terrain.glyph)
}

/// Returns the colour of a terrain; the next one that is free where that is taken.
fn colour_for(terrain: &Terrain, others: &[Terrain]) -> [u8; 3] {
    let [red, green, blue] = terrain.color;
    let mut wishes = (0..=u8::MAX).map(|by| [red, green, blue.wrapping_add(by)]);
    let is_free = |colour: &[u8; 3]| others.iter().all(|other| other.color != *colour);
    wishes.find(is_free).unwrap_or(terrain.color)
}
