//! Scenes: read, refused, played.

#[path = "../../../wayfare-formats/tests/file/any_map.rs"]
mod any_map;
#[path = "../../../wayfare-formats/tests/file/change.rs"]
mod change;
mod changes;
mod damage;
mod detour;
mod errors;
mod house;
mod playing;
mod puzzles;
mod reading;
mod refusals;
mod round_trip;
mod shipped_routes;
mod spaces;
mod support;
mod tiled;
mod worlds;
