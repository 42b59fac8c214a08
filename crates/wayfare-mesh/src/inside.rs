//! Parts that the upper crates of Wayfare share. No promise: they change with any version.

pub use crate::engine::{between_points, push_corridor};
pub use crate::navmesh::build::NO_TWIN;
pub use crate::navmesh::edited::{BaseId, base_of, corner_of_base, is_harder, polygon_on_base};
pub use crate::navmesh::layer::NO_FAN;
pub use crate::navmesh::mesh::Span;
pub use crate::navmesh::plan::turn;
pub use crate::search::machine::inner_place as mesh_inner_place;
pub use crate::search::query::preflight as mesh_preflight;

/// For the tests of this crate.
pub mod tested {
    pub use crate::navmesh::index_set::IndexSet;

    pub mod join {
        pub use crate::navmesh::carve::join::{Joint, Loose, LooseCorner, NO_LINE, join};
    }
    pub mod pieces {
        pub use crate::navmesh::carve::pieces::{Carver, Cutting, Hole, Piece, Pieces};
    }
}
