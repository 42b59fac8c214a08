//! Paths through voxel worlds as moves in words.

use std::fmt;

use serde::Serialize;
use wayfare::space::Action;
use wayfare::space::voxel::BlockPosition;

/// Steps of one kind in one direction. North is where z grows less, east where x grows.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// walk, jump, fall, climb, swim, fly.
    pub action: &'static str,
    /// Null straight up or down.
    pub direction: Option<&'static str>,
    /// Blocks up, or down if negative, all steps together.
    pub rise: i64,
    /// Blocks across, all steps together, along the longer axis.
    pub blocks: u32,
    /// The count of steps of the path that the move covers.
    pub steps: u32,
}

impl Move {
    fn between(from: BlockPosition, to: BlockPosition, action: Action) -> Self {
        let away = |a: u32, b: u32| i64::from(b) - i64::from(a);
        let [x, y, z] = [away(from.x, to.x), away(from.y, to.y), away(from.z, to.z)];
        let direction = match (x.signum(), z.signum()) {
            (0, -1) => Some("north"),
            (1, -1) => Some("north-east"),
            (1, 0) => Some("east"),
            (1, 1) => Some("south-east"),
            (0, 1) => Some("south"),
            (-1, 1) => Some("south-west"),
            (-1, 0) => Some("west"),
            (-1, -1) => Some("north-west"),
            _ => None,
        };
        let action = match action {
            Action::Walk => "walk",
            Action::Jump => "jump",
            Action::Fall => "fall",
            Action::Climb => "climb",
            Action::Swim => "swim",
            Action::Fly => "fly",
            _ => "move",
        };
        let blocks = x.unsigned_abs().max(z.unsigned_abs()) as u32;
        Self { action, direction, rise: y, blocks, steps: 1 }
    }

    /// Returns whether more of another makes one move of both. Jumps and falls are told one by one.
    fn goes_on_as(&self, other: &Self) -> bool {
        self.action == other.action
            && !matches!(self.action, "jump" | "fall")
            && self.direction == other.direction
            && self.rise.signum() == other.rise.signum()
    }
}

/// Returns the moves of a path through these blocks, each with its incoming action.
pub fn tell(path: impl Iterator<Item = (BlockPosition, Action)>) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    let mut here = None;
    for (place, action) in path {
        if let Some(before) = here.replace(place) {
            let step = Move::between(before, place, action);
            match moves.last_mut() {
                Some(last) if last.goes_on_as(&step) => {
                    last.rise += step.rise;
                    last.blocks += step.blocks;
                    last.steps += 1;
                }
                _ => moves.push(step),
            }
        }
    }
    moves
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { action, direction, rise, blocks, .. } = self;
        let height = rise.unsigned_abs();
        match *action {
            "fall" => {
                write!(f, "drop {height}")?;
                return direction.map_or(Ok(()), |direction| write!(f, " {direction}"));
            }
            "jump" => {
                f.write_str("jump")?;
                match rise.signum() {
                    1 => f.write_str(" up")?,
                    -1 => f.write_str(" down")?,
                    _ => {}
                }
                if height > 1 {
                    write!(f, " {height}")?;
                }
                if let Some(direction) = direction {
                    write!(f, " {direction}")?;
                }
                // The count of blocks between the two sides.
                return if *blocks > 1 { write!(f, " over {}", blocks - 1) } else { Ok(()) };
            }
            _ => {}
        }
        f.write_str(action)?;
        match rise.signum() {
            1 => f.write_str(" up")?,
            -1 => f.write_str(" down")?,
            _ => {}
        }
        if let Some(direction) = direction {
            write!(f, " {direction}")?;
        }
        let far = u64::from(*blocks).max(height);
        if far > 1 { write!(f, " {far}") } else { Ok(()) }
    }
}
