//! Dungeons: rooms with locked doors between them, and the keys in rooms before the doors.
//!
//! # Why every key can be reached before its door
//!
//! The corridors are the edges of a tree over the rooms, with the entry at its root: there is one
//! path into each room. Rooms are numbered in the order in which a walk from the root first meets
//! them. So the rooms before a number are all joined without the edges to later rooms. A door
//! stands in the edge into some room `d`, and its key lies in a room with a lower number than
//! `d`'s. By induction over the numbers: an agent that has visited all rooms below `d` has the key
//! of the door into `d`, if there is one, and enters.

use wayfare_formats::TilePosition;

use super::tools::{self, spans};
use crate::{
    Area, Dice, DoorPlan, GenerateError, Ground, KeyPlan, Opening, Parameter, Promise, Scenario,
    Seed, Statistic, TileDraft, TileScene, Values, WorldDraft,
};

pub(crate) struct Dungeon;

const PARAMETERS: &[Parameter] = &[
    Parameter::whole("columns", "rooms along x", "", 2, 40).by_default(4.0, 6.0),
    Parameter::whole("rows", "rooms along y", "", 1, 40).by_default(3.0, 5.0),
    Parameter::whole("cell", "side of the square that holds a room", "tiles", 8, 32)
        .by_default(12.0, 14.0),
    Parameter::whole("doors", "locked doors, each with a key of its own", "", 0, 8)
        .by_default(2.0, 4.0),
    Parameter::share("missing", "share of the squares without a room", 0.0, 0.4)
        .by_default(0.1, 0.25),
];

/// The names of keys.
const KEYS: [&str; 8] = ["iron", "brass", "silver", "gold", "jade", "bone", "ruby", "glass"];

impl Scenario for Dungeon {
    fn name(&self) -> &'static str {
        "dungeon"
    }

    fn about(&self) -> &'static str {
        "rooms with locked doors, and keys that lie before them"
    }

    fn families(&self) -> &'static [&'static str] {
        &["indoor", "puzzle"]
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let [columns, rows, cell] = ["columns", "rows", "cell"].map(|name| values.whole(name));
        let mut draft = TileDraft::new(columns * cell + 2, rows * cell + 2, Ground::Wall);
        let squares: Vec<Area> = spans(rows * cell, rows)
            .into_iter()
            .flat_map(|(y, height)| {
                spans(columns * cell, columns)
                    .into_iter()
                    .map(move |(x, width)| Area::new(1 + x, 1 + y, width, height))
            })
            .collect();
        let tree =
            Tree::grow(columns, rows, values.get("missing"), &mut seed.child("tree", 0).dice());
        let rooms: Vec<Area> = tree
            .rooms
            .iter()
            .map(|square| {
                let mut dice = seed.child("room", u64::from(*square)).dice();
                let room = room_in(squares[*square as usize], &mut dice);
                draft.whole().fill(room, Ground::Floor);
                room
            })
            .collect();
        let mut dice = seed.child("corridors", 0).dice();
        // The tiles of the corridor into each room, from its parent.
        let corridors: Vec<Vec<TilePosition>> = (0..rooms.len())
            .map(|room| match tree.parents[room] {
                Some(parent) => between(rooms[parent], rooms[room], &mut dice),
                None => Vec::new(),
            })
            .collect();
        for at in corridors.iter().flatten() {
            draft.set(at.x, at.y, Ground::Floor);
        }
        let (doors, keys) =
            locks(values.whole("doors"), &tree, &rooms, &corridors, &mut draft, seed);
        let (entry, exit) = openings(&mut draft, rooms[0], rooms[tree.last]);
        let mut scene = TileScene::new(draft, entry, exit);
        (scene.doors, scene.keys) = (doors, keys);
        scene.rooms = rooms.len() as u32;
        Ok(WorldDraft::Tiles(scene))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        vec![
            Promise::at_most(Statistic::Doors, values.get("doors")),
            Promise::at_most(Statistic::Rooms, values.get("columns") * values.get("rows")),
        ]
    }
}

/// Rooms in the order of a walk from the first.
struct Tree {
    /// The square of each room.
    rooms: Vec<u32>,
    /// The room from which each is entered.
    parents: Vec<Option<usize>>,
    /// A room of the last column: the one with the exit.
    last: usize,
}

impl Tree {
    /// Returns a random spanning tree over a lattice with holes, by a walk that goes on from the
    /// newest room or, one time in four, from any.
    fn grow(columns: u32, rows: u32, missing: f32, dice: &mut Dice) -> Self {
        let first = dice.below(rows) * columns;
        let exit = dice.below(rows) * columns + columns - 1;
        let mut squares = vec![true; (columns * rows) as usize];
        for square in 0..columns * rows {
            if square != first && square != exit && dice.happens(missing) {
                squares[square as usize] = false;
                if !is_joined(&squares, columns, first, exit) {
                    squares[square as usize] = true;
                }
            }
        }
        let mut rooms = vec![first];
        let mut parents = vec![None];
        let mut active = vec![0usize];
        let mut seen = vec![false; squares.len()];
        seen[first as usize] = true;
        while !active.is_empty() {
            let place = match dice.happens(0.25) {
                true => dice.below(active.len() as u32) as usize,
                false => active.len() - 1,
            };
            let room = active[place];
            let free: Vec<u32> = neighbours(rooms[room], columns, squares.len())
                .filter(|next| squares[*next as usize] && !seen[*next as usize])
                .collect();
            let Some(&next) = dice.pick(&free) else {
                active.remove(place);
                continue;
            };
            seen[next as usize] = true;
            active.push(rooms.len());
            rooms.push(next);
            parents.push(Some(room));
        }
        let last = rooms.iter().position(|square| *square == exit).unwrap_or(0);
        Tree { rooms, parents, last }
    }

    /// Returns whether the path from the root to `room` passes `through`.
    fn leads_through(&self, mut room: usize, through: usize) -> bool {
        loop {
            if room == through {
                return true;
            }
            match self.parents[room] {
                Some(parent) => room = parent,
                None => return false,
            }
        }
    }
}

fn neighbours(square: u32, columns: u32, count: usize) -> impl Iterator<Item = u32> {
    let x = square % columns;
    let around = [
        (x > 0).then(|| square - 1),
        (x + 1 < columns).then(|| square + 1),
        square.checked_sub(columns),
        ((square + columns) as usize).lt(&count).then_some(square + columns),
    ];
    around.into_iter().flatten()
}

/// Returns whether both squares are in one region.
fn is_joined(squares: &[bool], columns: u32, from: u32, to: u32) -> bool {
    let mut seen = vec![false; squares.len()];
    let mut stack = vec![from];
    seen[from as usize] = true;
    while let Some(square) = stack.pop() {
        for next in neighbours(square, columns, squares.len()) {
            if squares[next as usize] && !seen[next as usize] {
                seen[next as usize] = true;
                stack.push(next);
            }
        }
    }
    seen[to as usize]
}

/// Returns a room within its square, at least two tiles from its rim.
fn room_in(square: Area, dice: &mut Dice) -> Area {
    let most = square.shrunk(2);
    let width = dice.between((most.width / 2).max(3), most.width);
    let height = dice.between((most.height / 2).max(3), most.height);
    let x = most.x + dice.below(most.width - width + 1);
    let y = most.y + dice.below(most.height - height + 1);
    Area::new(x, y, width, height)
}

/// Returns the tiles of a corridor from a room to its neighbour, in order: straight out of a side,
/// along the border of the two squares, straight in. It touches no other corridor, since the others
/// lie along other borders; and of both rooms only the tiles at its ends.
fn between(from: Area, to: Area, dice: &mut Dice) -> Vec<TilePosition> {
    let sideways = from.right() <= to.x || to.right() <= from.x;
    let (turned_from, turned_to) = if sideways { (from, to) } else { (turned(from), turned(to)) };
    let mut tiles = Vec::new();
    let row = |room: Area, dice: &mut Dice| room.y + dice.below(room.height);
    let (start, end) = (row(turned_from, dice), row(turned_to, dice));
    let (left, right) = if turned_from.x < turned_to.x {
        (turned_from.right(), turned_to.x)
    } else {
        (turned_to.right(), turned_from.x)
    };
    // Two tiles at least lie between a room and the border of its square on either side.
    let middle = left + (right - left) / 2;
    let eastwards = turned_from.x < turned_to.x;
    let (first_row, last_row) = if eastwards { (start, end) } else { (end, start) };
    tiles.extend((left..=middle).map(|x| (x, first_row)));
    let (low, high) = (first_row.min(last_row), first_row.max(last_row));
    let mut along: Vec<u32> = (low..=high).collect();
    if first_row > last_row {
        along.reverse();
    }
    tiles.extend(along.into_iter().map(|y| (middle, y)));
    tiles.extend((middle..right).map(|x| (x, last_row)));
    tiles.dedup();
    if !eastwards {
        tiles.reverse();
    }
    let tile = |(x, y): (u32, u32)| {
        if sideways { TilePosition { x, y } } else { TilePosition { x: y, y: x } }
    };
    tiles.into_iter().map(tile).collect()
}

fn turned(area: Area) -> Area {
    Area::new(area.y, area.x, area.height, area.width)
}

/// Places doors in corridors and keys in rooms; the first door stands on the path to the exit.
fn locks(
    count: u32,
    tree: &Tree,
    rooms: &[Area],
    corridors: &[Vec<TilePosition>],
    draft: &mut TileDraft,
    seed: Seed,
) -> (Vec<DoorPlan>, Vec<KeyPlan>) {
    let mut dice = seed.child("locks", 0).dice();
    let mut locked: Vec<usize> = (1..rooms.len()).collect();
    dice.shuffle(&mut locked);
    // Doors on the path to the exit come first: they have to be opened.
    locked.sort_by_key(|room| !tree.leads_through(tree.last, *room));
    locked.truncate(count as usize);
    locked.sort_unstable();
    let (mut doors, mut keys) = (Vec::new(), Vec::new());
    let mut taken: Vec<TilePosition> = Vec::new();
    for (number, room) in locked.into_iter().enumerate() {
        let corridor = &corridors[room];
        // In the middle of the corridor, which has four tiles at least.
        let place = corridor.len() / 2;
        let door = corridor[place];
        draft.set(door.x, door.y, Ground::Door);
        doors.push(DoorPlan { from: corridor[place - 1], to: corridor[place + 1], key: number });
        // Of the rooms before the door, one that is far from it in numbers is a longer errand.
        let holder = rooms[dice.below(room as u32) as usize];
        let mut places: Vec<TilePosition> = holder.tiles().collect();
        places.retain(|at| !taken.contains(at));
        let at = dice.pick(&places).copied().unwrap_or(holder.middle());
        taken.push(at);
        keys.push(KeyPlan { name: KEYS[number], at });
    }
    (doors, keys)
}

/// Gaps in the borders beside the first room and the last.
fn openings(draft: &mut TileDraft, first: Area, last: Area) -> (Opening, Opening) {
    let (entry, exit) = (first.middle().y, last.middle().y);
    for x in 1..first.x {
        tools::dig(draft, TilePosition { x, y: entry }, 1, tools::FLOOR);
    }
    for x in last.right()..draft.width() - 1 {
        tools::dig(draft, TilePosition { x, y: exit }, 1, tools::FLOOR);
    }
    (Opening::new(entry, 1), Opening::new(exit, 1))
}
