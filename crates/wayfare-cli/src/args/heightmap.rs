//! How heightmaps become worlds.

use clap::Args;
use wayfare_world::heightmap::HeightmapOptions;

#[derive(Args, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct HeightmapArgs {
    /// How many blocks high the world of a heightmap is, 2 to 4096 [default: 64]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(2..=4096))]
    #[arg(help_heading = "Heightmaps")]
    pub(crate) map_height: Option<u32>,

    /// Water fills what lies lower than so many blocks [default: 0]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=4096))]
    #[arg(help_heading = "Heightmaps")]
    pub(crate) water_level: Option<u32>,
}

impl HeightmapArgs {
    /// What was asked for; what is not said is as usual.
    pub(crate) fn options(&self) -> HeightmapOptions {
        let plain = HeightmapOptions::default();
        HeightmapOptions {
            height: self.map_height.unwrap_or(plain.height),
            water: self.water_level.unwrap_or(plain.water),
        }
    }
}
