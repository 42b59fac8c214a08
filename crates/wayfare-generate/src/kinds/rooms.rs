//! Rooms and corridors: halls that do not touch, joined by corridors with a corner each.
//!
//! The corridors of a minimum spanning tree over the middles of the rooms join them all; further
//! ones between neighbours make loops.

use wayfare_formats::TilePosition;

use super::tools::{self, FLOOR, corridor, height, passage, spanning_tree, width};
use crate::parts::Pillars;
use crate::{
    Area, Creator, Dice, GenerateError, Ground, Parameter, Promise, Range, Scenario, Seed,
    Statistic, TileDraft, TileScene, Values, WorldDraft,
};

pub(crate) struct Rooms;

const PARAMETERS: &[Parameter] = &[
    width(32, 72, 104),
    height(32, 56, 80),
    Parameter::whole("rooms", "rooms that are tried; crowded worlds hold fewer", "", 2, 4000)
        .by_default(14.0, 26.0),
    Parameter::whole("shortest", "shortest side of a room", "tiles", 3, 64).by_default(5.0, 6.0),
    Parameter::whole("longest", "longest side of a room", "tiles", 3, 128).by_default(10.0, 16.0),
    Parameter::share("loops", "corridors beyond those that join all, by rooms", 0.0, 1.0)
        .by_default(0.1, 0.4),
    Parameter::share("pillars", "share of large rooms with pillars", 0.0, 1.0).by_default(0.2, 0.5),
    passage(4, 1, 2),
];

impl Scenario for Rooms {
    fn name(&self) -> &'static str {
        "rooms"
    }

    fn about(&self) -> &'static str {
        "rooms and corridors, with loops"
    }

    fn families(&self) -> &'static [&'static str] {
        &["indoor"]
    }

    fn parameters(&self) -> &'static [Parameter] {
        PARAMETERS
    }

    fn build(&self, values: &Values, seed: Seed) -> Result<WorldDraft, GenerateError> {
        let passage = values.whole("passage");
        let mut draft = TileDraft::new(values.whole("width"), values.whole("height"), Ground::Wall);
        let rooms = place(values, &draft, &mut seed.child("rooms", 0).dice());
        for (number, room) in rooms.iter().enumerate() {
            let mut dice = seed.child("room", number as u64).dice();
            draft.whole().fill(*room, Ground::Floor);
            // A body as wide as a corridor gets around the pillars, which stand in the inner part.
            let inner = room.shrunk(passage);
            if inner.width.min(inner.height) >= 5 && dice.happens(values.get("pillars")) {
                let gap = passage.max(2);
                Pillars { side: 1, gap }.create(&mut draft.plot(inner), &mut dice);
            }
        }
        let middles: Vec<TilePosition> = rooms.iter().map(|room| room.middle()).collect();
        let mut dice = seed.child("corridors", 0).dice();
        let mut pairs = spanning_tree(&middles);
        pairs.extend(loops(values.get("loops"), &middles, &mut dice));
        for (one, other) in pairs {
            let sideways = dice.happens(0.5);
            corridor(&mut draft, middles[one], middles[other], passage, sideways, FLOOR);
        }
        let ends = [false, true].map(|east| tools::outermost(&middles, east));
        let openings =
            tools::dig_through(&mut draft, ends, ends.map(|at| at.y), passage, FLOOR, |ground| {
                Some(if ground.is_walkable() { 1.0 } else { 1.5 })
            })?;
        let mut scene = TileScene::new(draft, openings[0], openings[1]);
        scene.rooms = rooms.len() as u32;
        Ok(WorldDraft::Tiles(scene))
    }

    fn promises(&self, values: &Values) -> Vec<Promise> {
        vec![
            Promise::between(Statistic::Rooms, Range::new(1.0, values.get("rooms"))),
            Promise::exactly(Statistic::Regions, 1.0),
            Promise::at_least(Statistic::Passage, values.get("passage")),
        ]
    }
}

/// Rooms at random, each with at least two tiles of wall to the next.
fn place(values: &Values, draft: &TileDraft, dice: &mut Dice) -> Vec<Area> {
    /// Tries for each room before it is given up.
    const TRIES: u32 = 30;
    let shortest = values.whole("shortest").max(values.whole("passage"));
    let longest = values.whole("longest").max(shortest);
    let most = |side: u32| longest.min(side - 4);
    let mut rooms: Vec<Area> = Vec::new();
    for _ in 0..values.whole("rooms") {
        for _ in 0..TRIES {
            let width = dice.between(shortest.min(most(draft.width())), most(draft.width()));
            let height = dice.between(shortest.min(most(draft.height())), most(draft.height()));
            let x = dice.between(2, draft.width() - width - 2);
            let y = dice.between(2, draft.height() - height - 2);
            let room = Area::new(x, y, width, height);
            if rooms.iter().all(|other| !room.is_near(*other, 2)) {
                rooms.push(room);
                break;
            }
        }
    }
    rooms
}

/// Pairs of rooms for further corridors: one of some rooms to one of its three nearest.
fn loops(share: f32, middles: &[TilePosition], dice: &mut Dice) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for one in 0..middles.len() {
        if !dice.happens(share) {
            continue;
        }
        let mut others: Vec<usize> = (0..middles.len()).filter(|other| *other != one).collect();
        others.sort_by_key(|other| {
            middles[one].x.abs_diff(middles[*other].x) + middles[one].y.abs_diff(middles[*other].y)
        });
        others.truncate(3);
        pairs.extend(dice.pick(&others).map(|other| (one, *other)));
    }
    pairs
}
