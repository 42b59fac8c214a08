//! wayfare-world.
