//! Pictures in a terminal.
