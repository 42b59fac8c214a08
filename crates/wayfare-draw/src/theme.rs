//! The colours of everything.

use crate::{Colour, Ramp, SearchLook};

/// A choice of colours for searches and paths.
///
/// ```
/// use wayfare_draw::{Colour, Palette, Ramp, Theme};
///
/// let theme = Theme::LIGHT.with_palette(Palette::VisitedBlack);
/// assert_eq!(theme.closed(Ramp::Fire, 0.5), Colour::hex(0x000000));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Palette {
    /// Open and expanded places in the colours of their costs, expanded ones dimmed; in worlds of
    /// blocks as [`Palette::OpenClosed`].
    #[default]
    ByCost,
    /// As in a tutorial of waypoint maps: open places from yellow to red by cost, expanded ones
    /// black, the goal blue and the path green.
    VisitedBlack,
    /// As in a tutorial of grid searches: open places green, expanded ones blue, the path red, and
    /// a line from each place to its parent.
    OpenClosed,
}

/// The colours of a picture.
///
/// ```
/// use wayfare_draw::{Colour, Theme};
///
/// let mine = Theme { path: Colour::hex(0xff00ff), ..Theme::LIGHT };
/// assert_eq!(mine.terrain("grass"), Theme::LIGHT.terrain("meadow"));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Theme {
    /// The background of a sheet.
    pub background: Colour,
    /// A panel's card.
    pub panel: Colour,
    /// Titles and figures.
    pub text: Colour,
    /// Captions and the names of figures.
    pub text_muted: Colour,
    /// Ground without a terrain.
    pub floor: Colour,
    /// Cells that block.
    pub wall: Colour,
    /// The lines between large cells.
    pub grid_line: Colour,
    /// The full heat of penalties: over the floor on grids, blended over the blocks of worlds of
    /// them.
    pub heat: Colour,
    /// The colour that the cost colour of an expanded place is dimmed towards.
    pub closed_shade: Colour,
    /// The share of that colour in the dimmed one, in percent.
    pub closed_dimming: u8,
    /// The share of the terrain that shows through a searched cell if cells are too small to show
    /// it around, in percent.
    pub terrain_share: u8,
    /// The path.
    pub path: Colour,
    /// The outline of the path and the markers.
    pub outline: Colour,
    /// The start's disc.
    pub start: Colour,
    /// The goal's diamond.
    pub goal: Colour,
    /// Waypoints that the search has not reached.
    pub waypoint: Colour,
    /// Links between waypoints.
    pub link: Colour,
    /// The footprint of an obstacle.
    pub obstacle: Colour,
    /// The edge of that footprint.
    pub obstacle_edge: Colour,
    /// The look of searches in every world. `None`: the one that suits the world,
    /// [`Scenery::search_look`](crate::Scenery::search_look).
    pub search_look: Option<SearchLook>,
    /// States that a search has reached, in [`SearchLook::Plain`] and in worlds of blocks.
    pub voxel_open: Colour,
    /// States that it has expanded there.
    pub voxel_closed: Colour,
    /// The path there.
    pub voxel_path: Colour,
    /// The outline of that path.
    pub voxel_outline: Colour,
    /// The colour that layers of blocks darken towards with depth.
    pub voxel_depth: Colour,
}

impl Theme {
    /// Slate, on which the frontier of a search glows. The default.
    pub const DARK: Self = Self {
        background: Colour::hex(0x0f141b),
        panel: Colour::hex(0x171e28),
        text: Colour::hex(0xeef2f6),
        text_muted: Colour::hex(0xb3bfcc),
        floor: Colour::hex(0x3a4657),
        wall: Colour::hex(0x10151d),
        grid_line: Colour::hex(0x313c4b),
        heat: Colour::hex(0xb05cff),
        closed_shade: Colour::hex(0x1a0d10),
        closed_dimming: 58,
        terrain_share: 30,
        path: Colour::hex(0x4dffa0),
        outline: Colour::hex(0x07120c),
        start: Colour::hex(0xffffff),
        goal: Colour::hex(0x6fd3ff),
        waypoint: Colour::hex(0x8494a8),
        link: Colour::hex(0x445266),
        obstacle: Colour::hex(0x0c1017),
        obstacle_edge: Colour::hex(0x4a5a70),
        voxel_depth: Colour::hex(0x10151d),
        search_look: None,
        voxel_open: Colour::hex(0x8df27c),
        voxel_closed: Colour::hex(0x2747c4),
        voxel_path: Colour::hex(0xf5222d),
        voxel_outline: Colour::hex(0xffffff),
    };

    /// Paper, for print and light pages.
    pub const LIGHT: Self = Self {
        background: Colour::hex(0xe9e6df),
        panel: Colour::hex(0xfaf8f4),
        text: Colour::hex(0x1d2430),
        text_muted: Colour::hex(0x414a56),
        floor: Colour::hex(0xe4e2dc),
        wall: Colour::hex(0x3b424d),
        grid_line: Colour::hex(0xd4d1c9),
        heat: Colour::hex(0x8a2be2),
        closed_shade: Colour::hex(0x2b1420),
        closed_dimming: 60,
        terrain_share: 25,
        path: Colour::hex(0x3dff94),
        outline: Colour::hex(0x06130c),
        start: Colour::hex(0xffffff),
        goal: Colour::hex(0x6fd3ff),
        waypoint: Colour::hex(0x76808e),
        link: Colour::hex(0xb9bcbf),
        obstacle: Colour::hex(0x4a525e),
        obstacle_edge: Colour::hex(0x2c333d),
        voxel_depth: Colour::hex(0x3b424d),
        search_look: None,
        voxel_open: Colour::hex(0x8df27c),
        voxel_closed: Colour::hex(0x2747c4),
        voxel_path: Colour::hex(0xf5222d),
        voxel_outline: Colour::hex(0xffffff),
    };

    /// Returns the same theme with other colours for searches and paths.
    #[must_use]
    pub fn with_palette(self, palette: Palette) -> Self {
        match palette {
            Palette::ByCost => self,
            Palette::VisitedBlack => {
                let black = Colour::hex(0x000000);
                // Dark walls would look like visited places.
                let wall = if self.wall.luminance() < 0.02 {
                    self.wall.mix(self.text, 0.55)
                } else {
                    self.wall
                };
                Self {
                    wall,
                    closed_shade: black,
                    closed_dimming: 100,
                    terrain_share: 0,
                    path: Colour::hex(0x2ee65c),
                    goal: Colour::hex(0x2f6bff),
                    voxel_open: Colour::hex(0xffb02e),
                    voxel_closed: black,
                    voxel_path: Colour::hex(0x2ee65c),
                    voxel_outline: Colour::hex(0x07120c),
                    ..self
                }
            }
            Palette::OpenClosed => Self { search_look: Some(SearchLook::Plain), ..self },
        }
    }

    /// Returns the colour of a reached, not expanded place, at a cost from 0 to 1.
    #[must_use]
    pub fn open(&self, ramp: Ramp, cost: f32) -> Colour {
        ramp.at(cost)
    }

    /// Returns the colour of an expanded place, at a cost from 0 to 1.
    #[must_use]
    pub fn closed(&self, ramp: Ramp, cost: f32) -> Colour {
        ramp.at(cost).mix(self.closed_shade, f32::from(self.closed_dimming) / 100.0)
    }

    /// Returns the colour of a terrain by its English name: grass, sand, snow, water and some
    /// thirty more. `None` if the name is unknown. Muted, so that a search over it stands out.
    #[must_use]
    pub fn terrain(&self, name: &str) -> Option<Colour> {
        let name = name.to_ascii_lowercase();
        let colour = match name.as_str() {
            "floor" | "ground" | "open" | "free" => return Some(self.floor),
            "wall" | "blocked" | "out" | "void" => return Some(self.wall),
            "grass" | "meadow" | "plain" | "plains" | "field" => Colour::hex(0x4c6b4a),
            "forest" | "tree" | "trees" | "wood" | "woods" => Colour::hex(0x2d4a38),
            "sand" | "beach" | "desert" | "dune" => Colour::hex(0x8f7f5a),
            "snow" | "ice" => Colour::hex(0x9fb0c0),
            "mountain" | "hill" | "hills" | "cliff" | "stone" | "rock" => Colour::hex(0x5b5560),
            "water" | "sea" | "lake" | "river" | "ocean" | "deep" => Colour::hex(0x234a73),
            "shallow" | "shallows" | "ford" => Colour::hex(0x3a6a86),
            "swamp" | "mud" | "marsh" | "bog" => Colour::hex(0x4a4a38),
            "town" | "village" | "house" | "city" | "building" => Colour::hex(0x84605a),
            "road" | "path" | "street" | "track" => Colour::hex(0x8a8378),
            "bridge" | "plank" | "planks" | "pier" => Colour::hex(0x77593e),
            "lava" | "fire" => Colour::hex(0x6e3030),
            "door" | "gate" => Colour::hex(0x8a6d3b),
            _ => return None,
        };
        // On paper the same hues are lighter.
        let light = self.panel.luminance() > 0.5;
        Some(if light { colour.mix(Colour::hex(0xffffff), 0.5) } else { colour })
    }

    /// Returns the colour of a kind of block by its English name: grass, stone, planks, water and
    /// some more. `None` if the name is unknown. Livelier than [`Theme::terrain`], since shaded
    /// faces darken it.
    #[must_use]
    pub fn block(&self, name: &str) -> Option<Colour> {
        let colour = match name.to_ascii_lowercase().as_str() {
            "grass" | "meadow" => Colour::hex(0x8fae6b),
            "dirt" | "earth" | "soil" => Colour::hex(0x8d6f52),
            "stone" | "rock" | "solid" | "cobblestone" => Colour::hex(0xa3a09a),
            "brick" | "bricks" | "roof" | "tiles" => Colour::hex(0xb0664f),
            "plaster" | "wall" | "limestone" => Colour::hex(0xe3d8c0),
            "wood" | "log" | "trunk" => Colour::hex(0x86633f),
            "planks" | "plank" | "bridge" | "stairs" => Colour::hex(0xb58a58),
            "sand" | "beach" => Colour::hex(0xdcca94),
            "gravel" | "path" | "road" => Colour::hex(0xbdb3a2),
            "leaves" | "bush" => Colour::hex(0x5d8a4c),
            "snow" => Colour::hex(0xf0f3f6),
            "ice" => Colour::hex(0xb5d6e8).with_alpha(200),
            "water" => Colour::hex(0x5aa6cf).with_alpha(165),
            "lava" => Colour::hex(0xe8762c),
            "glass" => Colour::hex(0xcfe3ea).with_alpha(80),
            "ladder" | "vines" => Colour::hex(0xc79a4e).with_alpha(150),
            "door" | "gate" => Colour::hex(0x7a4a24).with_alpha(150),
            _ => return None,
        };
        Some(colour)
    }

    /// Returns a colour given by a map, muted like those of [`Theme::terrain`].
    #[must_use]
    pub fn muted(&self, colour: Colour) -> Colour {
        colour.mix(self.floor, 0.5)
    }

    /// Returns a colour for a terrain of which only the id is known. Sixteen colours differ.
    #[must_use]
    pub fn numbered_terrain(&self, number: u8) -> Colour {
        const NAMES: [&str; 8] =
            ["grass", "sand", "shallow", "town", "snow", "swamp", "road", "mountain"];
        let colour = self.terrain(NAMES[usize::from(number % 8)]).unwrap_or(self.floor);
        if number % 16 < 8 { colour } else { colour.mix(self.text, 0.15) }
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::DARK
    }
}
