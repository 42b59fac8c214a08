//! Parts for the tests of this crate. No promise: they change with any version.

pub mod rules {
    pub use crate::scene::rules::Rules;
}
