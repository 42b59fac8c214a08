//! Parts for the crate `wayfare-scene`. No promise to others.

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
