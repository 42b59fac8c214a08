//! Parts that the upper crates of Wayfare share. No promise: they change with any version.

/// For the tests of this crate.
pub mod tested {
    pub mod ball {
        pub use crate::ball::{TOUCH, ball_sweep_is_clear};
    }
    pub mod bits {
        pub use crate::bits::{BitMap, Columns, LEVEL};
    }
    pub mod canonical {
        pub use crate::canonical::entered;
    }
    pub mod chunk {
        pub use crate::chunk::Chunk;
    }
    pub mod cost {
        pub use crate::cost::{ground_length, volume_length};
    }
    pub mod ground {
        pub use crate::ground::ACROSS;
    }
    pub mod layout {
        pub use crate::layout::{At, CHUNK_BLOCKS, Layout};
    }
    pub mod relief {
        pub use crate::relief::Relief;
    }
    pub mod steps {
        pub use crate::steps::{Gait, LENGTHS, Surroundings, direction};
    }
    pub mod volume {
        pub use crate::volume::{CENTRE, OPEN, bit, bounding_box, offset, reachable};
    }
}
