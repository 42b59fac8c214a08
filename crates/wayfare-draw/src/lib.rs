//! wayfare-draw.
