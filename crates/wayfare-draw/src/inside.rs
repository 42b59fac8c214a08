//! Parts for the tests of this crate. No promise: they change with any version.

pub mod badge {
    pub use crate::view::film::badge::Badge;
}
pub mod chart {
    pub use crate::chart::power_of_ten;
}
pub mod facets {
    pub use crate::facets::{points_left, triangle};
}
pub mod legend {
    pub use crate::view::legend::{Entry, MOST_LINES, lines, terrains};
}
pub mod palette {
    pub use crate::backend::palette::{GifPalette, Histogram};
}
pub mod panel {
    pub use crate::view::panel::grouped;
}
pub mod plot {
    pub use crate::plot::{number_text, step};
}
pub mod ray {
    pub use crate::scenery::voxels::ray::{Face, Ray};
}
pub mod stage {
    pub use crate::view::stage::{beginning, turning_points};
}
pub mod svg {
    pub use crate::backend::svg::{merge, short};
}
pub mod terminal {
    pub use crate::terminal::nearest;
}
pub mod waypoints {
    pub use crate::scenery::waypoints::{Patches, holds};
}
