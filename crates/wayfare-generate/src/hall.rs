//! Halls in the making: tiles with the parts of a puzzle on them, and plots of halls.

use wayfare_formats::TilePosition;
use wayfare_scene::scene::ScenePuzzle;

use crate::{Area, Dice, PartCreator, Place, TileDraft, TilePlot};

/// The draws of a position before a hall counts as having no room for a part.
const DRAWS: u32 = 30;

/// A part that was built.
///
/// Example: [`HallDraft`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuiltPart {
    /// Its name: unique in its hall.
    pub name: String,
    /// Its tiles.
    pub area: Area,
    /// The condition that is true while it is used, as gates of scenes have it: `lever red`.
    pub condition: Option<String>,
}

/// An order for a part: its creator and its place.
///
/// Example: [`Place`].
#[derive(Clone, Copy)]
pub struct PartOrder<'o> {
    /// The name of the part: unique in its hall.
    pub name: &'o str,
    /// Its creator.
    pub creator: &'o dyn PartCreator,
    /// Its place.
    pub place: Place<'o>,
    /// Its least distance from the rim of a place, in tiles, if there is a choice of tiles.
    pub rim: u32,
}

impl<'o> PartOrder<'o> {
    /// Returns an order for a part that may touch the rim of its place.
    #[must_use]
    pub fn new(name: &'o str, creator: &'o dyn PartCreator, place: Place<'o>) -> Self {
        PartOrder { name, creator, place, rim: 0 }
    }

    /// Returns the same at a distance from the rim of its place, in tiles.
    #[must_use]
    pub fn rim(mut self, tiles: u32) -> Self {
        self.rim = tiles;
        self
    }
}

/// A hall in the making: its tiles, and a puzzle whose parts stand on them.
///
/// ```
/// use wayfare_generate::parts::LeverItem;
/// use wayfare_generate::{BuiltPart, Ground, HallDraft, PartOrder, Place, Seed, TileDraft};
///
/// let mut hall = HallDraft::new(TileDraft::new(9, 7, Ground::Floor), Default::default());
/// let order = PartOrder::new("red", &LeverItem { on: 0.0 }, Place::Anywhere).rim(1);
/// let lever: &BuiltPart = hall.furnish(&order, &mut Seed(7).dice()).expect("room for a lever");
/// assert_eq!(lever.condition.as_deref(), Some("lever red"));
/// let at = lever.area;
/// assert!(!hall.is_vacant(at));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct HallDraft {
    /// The tiles.
    pub draft: TileDraft,
    /// The puzzle.
    pub puzzle: ScenePuzzle,
    built: Vec<BuiltPart>,
    marks: Vec<(String, Area)>,
}

impl HallDraft {
    /// Returns a hall without parts.
    #[must_use]
    pub fn new(draft: TileDraft, puzzle: ScenePuzzle) -> Self {
        HallDraft { draft, puzzle, built: Vec::new(), marks: Vec::new() }
    }

    /// Returns the parts in the order of their building.
    #[must_use]
    pub fn parts(&self) -> &[BuiltPart] {
        &self.built
    }

    /// Returns the part of a name.
    #[must_use]
    pub fn part(&self, name: &str) -> Option<&BuiltPart> {
        self.built.iter().find(|part| part.name == name)
    }

    /// Gives tiles a name, by which [`Place`] finds them. They stay vacant.
    pub fn mark(&mut self, name: impl Into<String>, area: Area) {
        self.marks.push((name.into(), area));
    }

    /// Returns the tiles of a part or a [mark](Self::mark).
    #[must_use]
    pub fn area(&self, name: &str) -> Option<Area> {
        let marked = || self.marks.iter().find(|(known, _)| known == name).map(|(_, area)| *area);
        self.part(name).map(|part| part.area).or_else(marked)
    }

    /// Returns whether all tiles of an area are walkable and none of them is a part's.
    #[must_use]
    pub fn is_vacant(&self, area: Area) -> bool {
        area.tiles().all(|TilePosition { x, y }| self.draft.is_free(x, y))
            && !self.built.iter().any(|part| part.area.is_near(area, 0))
    }

    /// Builds a part. Where there are tiles to choose from, all are equally likely.
    ///
    /// Returns `None`, with the hall as it was, if a part of its place is missing or 30 draws find
    /// no room.
    pub fn furnish(&mut self, order: &PartOrder<'_>, dice: &mut Dice) -> Option<&BuiltPart> {
        let hall = Area::new(0, 0, self.draft.width(), self.draft.height());
        let place = order.place.area(hall, |name| self.area(name))?;
        let [width, height] = order.creator.size();
        let area = if order.place.is_fixed() {
            (place.width >= width && place.height >= height).then_some(place)?
        } else {
            let inner = place.shrunk(order.rim);
            if inner.width < width || inner.height < height {
                return None;
            }
            (0..DRAWS).find_map(|_| {
                let x = inner.x + dice.below(inner.width - width + 1);
                let y = inner.y + dice.below(inner.height - height + 1);
                let drawn = Area::new(x, y, width, height);
                self.is_vacant(drawn).then_some(drawn)
            })?
        };
        let mut plot = HallPlot {
            draft: &mut self.draft,
            puzzle: &mut self.puzzle,
            name: order.name,
            area,
            condition: None,
        };
        order.creator.furnish(&mut plot, dice);
        let condition = plot.condition;
        self.built.push(BuiltPart { name: order.name.to_owned(), area, condition });
        self.built.last()
    }
}

/// The part of a hall that a creator may build on. Coordinates count from its first tile.
///
/// Example: [`PartCreator`].
#[derive(Debug)]
pub struct HallPlot<'h> {
    draft: &'h mut TileDraft,
    puzzle: &'h mut ScenePuzzle,
    name: &'h str,
    area: Area,
    condition: Option<String>,
}

impl HallPlot<'_> {
    /// Returns the name of the part that is built.
    #[must_use]
    pub fn name(&self) -> &str {
        self.name
    }

    /// Returns the whole plot.
    #[must_use]
    pub fn area(&self) -> Area {
        Area::new(0, 0, self.area.width, self.area.height)
    }

    /// Returns its tiles.
    pub fn tiles(&mut self) -> TilePlot<'_> {
        self.draft.plot(self.area)
    }

    /// Returns column and row in the hall of a tile of the plot; `None` beyond it.
    #[must_use]
    pub fn cell(&self, x: u32, y: u32) -> Option<[u32; 2]> {
        let is_within = x < self.area.width && y < self.area.height;
        is_within.then(|| [self.area.x + x, self.area.y + y])
    }

    /// Returns the cells of all tiles, row by row.
    #[must_use]
    pub fn cells(&self) -> Vec<[u32; 2]> {
        self.area.tiles().map(|TilePosition { x, y }| [x, y]).collect()
    }

    /// Returns the puzzle of the hall, to which creators add parts.
    pub fn puzzle(&mut self) -> &mut ScenePuzzle {
        self.puzzle
    }

    /// Sets the condition that is true while the part is used.
    pub fn set_condition(&mut self, condition: String) {
        self.condition = Some(condition);
    }
}
