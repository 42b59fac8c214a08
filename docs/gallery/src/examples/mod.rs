//! The examples, a file each.

use crate::shared::Result;

/// An example of the page.
#[derive(Clone, Copy, Debug)]
pub struct Example {
    /// The name of its files.
    pub name: &'static str,
    /// The file in Rust.
    pub source: &'static str,
    /// The file in JavaScript.
    pub script: &'static str,
    /// Draws it.
    pub draw: fn() -> Result,
}

/// Declares the modules, in the order of the page.
macro_rules! examples {
    ($($name:ident)*) => {
        $(mod $name;)*
        /// All examples, in the order of the page.
        pub const ALL: &[Example] = &[$(Example {
            name: stringify!($name),
            source: include_str!(concat!(stringify!($name), ".rs")),
            script: include_str!(concat!("../../scripts/", stringify!($name), ".mjs")),
            draw: $name::draw,
        }),*];
    };
}

examples! {
    first_path
    weighted_terrain
    big_unit
    jump_points
    bidirectional
    greedy
    race
    any_angle
    reachable
    distance_field
    flow_field
    nearest_goal
    no_path
    door_and_key
    teleport
    edited_map
    waypoints
    voxel_leaps
    voxel_swimming
    level_mesh
    danger
    dungeon
    crowd
    formation
    chase
    drawbridge
}
