//! How a hierarchy of sectors is built and walked.

use super::names::within;
use clap::Args;
use wayfare::hierarchy::{HierarchySettings, SectorSide};

#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct HierarchyArgs {
    /// The side of a sector in cells, 8 to 128. Large ones make cheaper routes, and take longer to
    /// build and to repair
    #[arg(long, value_name = "CELLS", default_value_t = HierarchySettings::default().sector_side)]
    #[arg(requires = "hierarchy", help_heading = "Hierarchy")]
    sector_side: SectorSide,

    /// The sectors that a leg looks ahead for a cheaper path, 0 to 64; at 0 it follows the plan
    #[arg(long, value_name = "SECTORS", default_value_t = HierarchySettings::default().lookahead)]
    #[arg(value_parser = within(0u32, 64))]
    #[arg(requires = "hierarchy", help_heading = "Hierarchy")]
    lookahead: u32,
}

impl HierarchyArgs {
    pub(crate) fn settings(&self) -> HierarchySettings {
        HierarchySettings { sector_side: self.sector_side, lookahead: self.lookahead }
    }
}
