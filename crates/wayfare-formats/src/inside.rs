//! Parts that `wayfare-scene` and the tests of this crate share. No promise: they change with any
//! version.

pub use crate::error::count;
pub use crate::file::{Folder, read_capped};
pub use crate::format::is_scene;
pub use crate::key_path::{KeyPath, Step};
pub use crate::open::losses_of;
#[cfg(feature = "fs")]
pub use crate::open::write;
pub use crate::terrain::{check_table, terrain_id};
pub use crate::text::{location, utf8};
#[cfg(feature = "toml")]
pub use crate::toml_reader::{TomlFault, read as read_toml};

/// For the tests of this crate.
pub mod tested {
    #[cfg(any(feature = "ldtk", feature = "tiled"))]
    pub mod conventions {
        pub use crate::conventions::is_wall;
    }
    #[cfg(feature = "tiled")]
    pub mod guess {
        pub use crate::tiled::guess::declared;
    }
    #[cfg(feature = "tiled")]
    pub mod object {
        pub use crate::tiled::object::{Extent, Object, Shape};
    }
    #[cfg(feature = "tiled")]
    pub mod orientation {
        pub use crate::tiled::orientation::Stagger;
    }
    #[cfg(feature = "vox")]
    pub mod place {
        pub use crate::vox::place::{Placing, rows_of};
    }
    pub mod voxel_rows {
        pub use crate::voxel_rows::{Rows, RowsAnyhow};
    }
}
