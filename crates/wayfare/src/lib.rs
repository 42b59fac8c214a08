//! wayfare.
