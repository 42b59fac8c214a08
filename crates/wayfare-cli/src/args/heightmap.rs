//! How heightmaps become worlds.

use super::names::within;
use clap::Args;
use wayfare_formats::heightmap::HeightmapOptions;

#[derive(Args, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct HeightmapArgs {
    /// The height of a heightmap's world in blocks, 2 to 4096 [default: 64]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(2u32, 4096))]
    #[arg(help_heading = "Heightmaps")]
    pub(crate) map_height: Option<u32>,

    /// Fill the ground below that many blocks with water [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(0u32, 4096))]
    #[arg(help_heading = "Heightmaps")]
    pub(crate) water_level: Option<u32>,

    /// Let a rough heightmap take that many stretches of ground, some 100 bytes each [default: 2
    /// million, and 64 for each byte of the file]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = within(1u32, u32::MAX))]
    #[arg(help_heading = "Heightmaps")]
    pub(crate) map_pieces: Option<u32>,
}

impl HeightmapArgs {
    /// Returns the options of these arguments; the default ones where an argument is missing.
    pub(crate) fn options(&self) -> HeightmapOptions {
        let plain = HeightmapOptions::default();
        HeightmapOptions {
            height: self.map_height.unwrap_or(plain.height),
            water: self.water_level.unwrap_or(plain.water),
            pieces: self.map_pieces,
        }
    }
}
