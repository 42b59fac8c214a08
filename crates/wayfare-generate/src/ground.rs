//! The grounds that tile worlds are made of. All kinds share one table, so that worlds of any kinds
//! fit beside each other.

use wayfare_core::space::TerrainId;
use wayfare_formats::{Terrain, palette};

/// A kind of ground: a tile of a generated world.
///
/// ```
/// use wayfare_generate::Ground;
///
/// assert!(Ground::Bridge.is_walkable() && !Ground::Water.is_walkable());
/// assert_eq!(Ground::terrains().len(), Ground::ALL.len());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
pub enum Ground {
    /// Plain ground under a roof or between walls.
    Floor,
    /// A wall, or rock around a cave.
    #[default]
    Wall,
    /// Grass.
    Grass,
    /// Woods: walkable at one and a half times the cost.
    Woods,
    /// Water that is too deep to walk through.
    Water,
    /// A ford or shallow water: walkable at three times the cost.
    Shallows,
    /// A road, street or path.
    Road,
    /// A bridge.
    Bridge,
    /// Sand: walkable at 1.3 times the cost.
    Sand,
    /// Bare rock, too steep to walk on.
    Rock,
    /// Snow: walkable at twice the cost.
    Snow,
    /// A building.
    Building,
    /// A shelf of a warehouse.
    Shelf,
    /// A door: walkers cross it by its link alone.
    Door,
    /// Paved ground: squares, yards, stations.
    Paving,
}

impl Ground {
    /// All grounds, by their terrain id.
    pub const ALL: [Ground; 15] = [
        Ground::Floor,
        Ground::Wall,
        Ground::Grass,
        Ground::Woods,
        Ground::Water,
        Ground::Shallows,
        Ground::Road,
        Ground::Bridge,
        Ground::Sand,
        Ground::Rock,
        Ground::Snow,
        Ground::Building,
        Ground::Shelf,
        Ground::Door,
        Ground::Paving,
    ];

    /// Returns the terrain table of generated worlds, indexed by [`Ground::terrain`].
    #[must_use]
    pub fn terrains() -> Vec<Terrain> {
        Self::ALL.map(Ground::described).to_vec()
    }

    /// Returns the terrain id of the ground in the table.
    #[must_use]
    pub fn terrain(self) -> TerrainId {
        TerrainId(self as u8)
    }

    /// Returns its character in maps.
    #[must_use]
    pub fn glyph(self) -> char {
        self.described().glyph
    }

    /// Returns whether the default walker may be there.
    #[must_use]
    pub fn is_walkable(self) -> bool {
        !matches!(
            self,
            Ground::Wall
                | Ground::Water
                | Ground::Rock
                | Ground::Building
                | Ground::Shelf
                | Ground::Door
        )
    }

    pub(crate) fn described(self) -> Terrain {
        let terrain = match self {
            Ground::Floor => Terrain::new("floor", '.', palette::GROUND),
            Ground::Wall => Terrain::new("wall", '#', palette::BLOCKED),
            Ground::Grass => Terrain::new("grass", ',', palette::GRASS),
            Ground::Woods => Terrain::new("woods", 'w', palette::TREES).with_multiplier(1.5),
            Ground::Water => Terrain::new("water", '~', palette::WATER),
            Ground::Shallows => {
                Terrain::new("shallows", '-', [0x8F, 0xB3, 0xC9]).with_multiplier(3.0)
            }
            Ground::Road => Terrain::new("road", ':', palette::ROAD),
            Ground::Bridge => Terrain::new("bridge", '=', palette::BRIDGE),
            Ground::Sand => Terrain::new("sand", 's', palette::SAND).with_multiplier(1.3),
            Ground::Rock => Terrain::new("rock", '^', palette::MOUNTAIN),
            Ground::Snow => Terrain::new("snow", '*', palette::SNOW).with_multiplier(2.0),
            Ground::Building => Terrain::new("building", 'B', palette::TOWN),
            Ground::Shelf => Terrain::new("shelf", 'H', [0x8A, 0x6D, 0x4B]),
            Ground::Door => Terrain::new("door", 'D', [0xB0, 0x4A, 0x3A]),
            Ground::Paving => Terrain::new("paving", '_', [0xDD, 0xD3, 0xBD]),
        };
        if self.is_walkable() { terrain } else { terrain.blocked() }
    }
}
