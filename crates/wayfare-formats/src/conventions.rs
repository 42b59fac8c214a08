//! Names in maps that commonly mean walls, starts and goals.

/// Words in names of blocking things, without their endings.
const WALL_WORDS: [&str; 11] = [
    "wall",
    "collision",
    "collide",
    "collider",
    "solid",
    "block",
    "blocked",
    "blocking",
    "obstacle",
    "barrier",
    "impassable",
];

/// Names of a cell where routes start.
const START_NAMES: [&str; 6] = ["start", "spawn", "player", "playerstart", "player start", "entry"];
/// Names of a cell where they end.
const GOAL_NAMES: [&str; 6] = ["goal", "end", "exit", "finish", "target", "destination"];

/// Returns whether the name of a layer or of a class says that it blocks: `Walls`,
/// `collision_layer`, `SolidTiles`.
pub fn is_wall(name: &str) -> bool {
    let mut before = ' ';
    let mut words = String::with_capacity(name.len());
    for character in name.chars() {
        if before.is_lowercase() && character.is_uppercase() {
            words.push(' ');
        }
        before = character;
        words.extend(character.to_lowercase());
    }
    let mut words = words.split(|character: char| !character.is_alphabetic());
    words.any(|word| {
        let singular = word.strip_suffix('s').unwrap_or(word);
        WALL_WORDS.contains(&singular) || WALL_WORDS.contains(&word)
    })
}

/// Returns whether a name marks the start of a route.
pub(crate) fn is_start(name: &str) -> bool {
    START_NAMES.contains(&name.trim().to_lowercase().as_str())
}

/// Returns whether a name marks the goal of a route.
pub(crate) fn is_goal(name: &str) -> bool {
    GOAL_NAMES.contains(&name.trim().to_lowercase().as_str())
}
