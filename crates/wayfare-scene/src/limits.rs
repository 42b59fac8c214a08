//! How large a scene may be.

/// Most cells that a scene may ask to sample from its geometry: 16 Mi, a grid of 4096².
pub const MAX_SAMPLED_CELLS: usize = 16 << 20;

/// Most pairs of waypoints that the automatic links of a scene may try: 4 Mi. There are at most as
/// many as waypoints times `k_nearest`.
pub const MAX_LINKED_PAIRS: usize = 4 << 20;

/// Most waypoints, links, obstacles, surfaces or queries in a scene: 1 Mi of each. Waypoints that
/// placements make count too.
pub const MAX_SCENE_ITEMS: usize = 1 << 20;

/// Most cells on which the puzzles of a scene are played, together: 4 Mi, a grid of 2048².
pub const MAX_PUZZLE_CELLS: usize = 4 << 20;

/// Most parts of a kind, and cells of gates, in a puzzle of a scene.
pub const MAX_PUZZLE_ITEMS: usize = 1024;

/// Most agents that a scene may put into a simulation.
pub const MAX_AGENTS: usize = 1 << 16;

/// Most ticks that a scene may ask to be simulated: 16 Mi, nine days of 20 ticks a second.
pub const MAX_TICKS: u64 = 16 << 20;
