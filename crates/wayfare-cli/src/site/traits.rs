//! What the commands need of a world.

use std::path::PathBuf;

use glam::{Vec2, Vec3};
use serde::Serialize;
use wayfare::search::NoPath;
use wayfare::space::{Grid, ProfileId};
use wayfare_draw::{DrawError, Scenery, Theme};

use super::run::{Ask, Run, Stop};
use super::{Endpoints, Move, Place};
use crate::failure::Failure;

/// What a world is.
#[derive(Clone, Debug)]
pub(crate) struct About {
    pub(crate) file: PathBuf,
    pub(crate) name: String,
    /// "tile map", "waypoint scene", "sampled scene", "voxel world".
    pub(crate) kind: &'static str,
    /// The unit of lengths, in the plural.
    pub(crate) unit: &'static str,
    /// The cost of one such unit on plain ground.
    pub(crate) unit_cost: f64,
    /// What a place is called: "cell", "waypoint".
    pub(crate) state: &'static str,
    /// The number of places.
    pub(crate) states: u64,
    /// The memory that the space holds, where it keeps count.
    pub(crate) bytes: Option<usize>,
    /// What the agent can do, where that is not much the same for all.
    pub(crate) agent: Option<String>,
    /// What the reader should know of how the world was taken.
    pub(crate) remarks: Vec<String>,
}

/// The connected regions of a world.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Region {
    /// How many there are.
    pub(crate) count: u64,
    /// The places of the largest.
    pub(crate) largest: u64,
    /// The places of all.
    pub(crate) total: u64,
}

/// Places that can be stood on, spread over a world.
pub(crate) struct Sample {
    pub(crate) places: Vec<u32>,
    /// How many were looked at.
    pub(crate) looked_at: u64,
}

/// Which moves of a place count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Heading {
    /// Those that lead away from it.
    Outward,
    /// Those that lead there.
    Inward,
}

/// One rule less, under which there may be a path.
pub(crate) struct Relaxation<'a> {
    /// Relaxations of one rule come mildest first: once one opens a path, those after it say nothing new.
    pub(crate) rule: Rule,
    /// Finishes the sentence "There is a path …".
    pub(crate) sentence: String,
    /// The change, as JSON names it.
    pub(crate) change: String,
    /// The world without the rule; made when it is needed.
    pub(crate) site: Box<dyn FnOnce() -> Result<Box<dyn Site>, Failure> + 'a>,
    /// The ground that a path may enter only under this relaxation.
    pub(crate) opened: Option<String>,
    /// What the agent lacks without it, where that is known.
    pub(crate) lacks: Vec<Lack>,
}

/// Something that an agent has too little of, as JSON names it.
#[derive(Serialize, Clone, PartialEq, Debug)]
pub(crate) struct Lack {
    /// The option that gives it.
    pub(crate) capability: &'static str,
    /// How much there has to be: blocks, or 1 for what one has or has not.
    pub(crate) needed: u16,
    pub(crate) has: u16,
    /// Where the first move begins that the agent cannot make.
    pub(crate) at: Place,
    /// In words.
    pub(crate) sentence: String,
}

/// How a world is to be drawn, where there is a choice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    /// Layer by layer, side by side or, in a terminal, below each other.
    pub(crate) layers: bool,
    pub(crate) in_terminal: bool,
    /// Nothing from that height on.
    pub(crate) cut_above: Option<u32>,
    /// The penalties of a grid's cells as heat.
    pub(crate) heat: bool,
    /// The gates of a grid, and what the way from the first of these states to the last leaves out.
    pub(crate) rooms: bool,
    /// The states that are to be seen.
    pub(crate) path: &'a [u32],
}

/// What a relaxation relaxes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    Neighbours,
    Corners,
    Width,
    /// Which ways links can be walked.
    Links,
    /// Which grounds can be entered; each for itself.
    Ground,
    /// What the agent can do; each for itself.
    Ability,
}

/// A world with its space.
pub(crate) trait Site {
    fn about(&self) -> &About;

    /// What answers queries: the space with memory of its own.
    fn searcher(&self) -> Box<dyn Searcher + '_>;

    /// The grid and how one moves on it, if it is one.
    fn grid_and_profile(&self) -> Option<(&Grid, ProfileId)> {
        None
    }

    /// The place that somebody means by a text.
    fn find(&self, text: &str) -> Result<u32, Failure>;

    /// The routes that the world names itself, with their names where they have any.
    fn own_routes(&self) -> Vec<(Option<String>, Endpoints)>;

    /// Every place that can be stood on, with its region, in order.
    fn for_each_place(&self, visit: &mut dyn FnMut(u32, u32));

    /// Whether the regions that [`Site::for_each_place`] names tell anything: very large worlds are taken as one.
    fn tells_regions(&self) -> bool {
        true
    }

    /// Places all over a world that is too large to look at each; `None` where the world is not.
    fn sample(&self) -> Option<Sample> {
        None
    }

    /// Whether that place of a very large world leads hardly anywhere, or can hardly be reached.
    fn is_pocket(&self, _state: u32, _heading: Heading) -> bool {
        false
    }

    /// Where a place is: y is up.
    fn position(&self, state: u32) -> Vec3;

    /// Where a point of the world is in pictures of it; `None` where they show states only.
    fn on_picture(&self, point: Vec3) -> Option<Vec2>;

    /// A path as moves that one can tell somebody, where moves have more to them than places.
    fn moves(&self, _path: &[Stop]) -> Option<Vec<Move>> {
        None
    }

    /// What a place is called.
    fn place(&self, state: u32) -> Place;

    /// What one stands on there.
    fn ground(&self, state: u32) -> String;

    /// Why there is no path, for people.
    fn spell_out(&self, reason: NoPath, ends: &Endpoints) -> String;

    /// The place nearest to another that can be stood on, if that one cannot.
    fn nearest_free(&self, state: u32) -> Option<u32>;

    /// The rules that can be relaxed one at a time, the mildest first.
    fn relaxations(&self, ends: &Endpoints) -> Vec<Relaxation<'_>>;

    /// The world to be drawn.
    fn scenery(&self, theme: &Theme, view: &View<'_>) -> Result<Box<dyn Scenery + '_>, DrawError>;
}

/// Answers queries, one after the other in the same memory.
pub(crate) trait Searcher {
    /// Answers a query. `beat` hears the number of expansions now and then.
    fn run(&mut self, ask: &Ask, beat: &mut dyn FnMut(u64)) -> Run;
}
