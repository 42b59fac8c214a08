//! The rules of a scene's keys.

mod keys;
