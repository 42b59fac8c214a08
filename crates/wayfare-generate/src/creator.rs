//! Creators: each builds one kind of thing.

use crate::{Dice, HallPlot, TilePlot};

/// Builds one kind of thing of ground, such as a house or a row of pillars, within the plot that a
/// scenario gives it.
///
/// ```
/// use wayfare_generate::{Area, Creator, Dice, Ground, Seed, TileDraft, TilePlot};
///
/// /// A pond that leaves a rim of its plot free.
/// struct Pond;
///
/// impl Creator for Pond {
///     fn name(&self) -> &'static str {
///         "pond"
///     }
///     fn create(&self, plot: &mut TilePlot<'_>, dice: &mut Dice) {
///         let shore = plot.area().shrunk(1);
///         plot.fill(shore, Ground::Water);
///         if dice.happens(0.5) {
///             plot.set(shore.x, shore.y, Ground::Sand);
///         }
///     }
/// }
///
/// let mut draft = TileDraft::new(12, 12, Ground::Grass);
/// Pond.create(&mut draft.plot(Area::new(2, 2, 8, 8)), &mut Seed(7).dice());
/// assert_eq!(draft.at(5, 5), Ground::Water);
/// ```
pub trait Creator: Send + Sync {
    /// Returns its work, in a word or two.
    fn name(&self) -> &'static str;

    /// Builds on the plot. The same random numbers give the same thing.
    fn create(&self, plot: &mut TilePlot<'_>, dice: &mut Dice);
}

/// Builds one kind of part of a puzzle, such as a lever or a door, within the plot of a hall.
///
/// It is the common base of all creators: each [`Creator`] of ground is one too. The shared pool is
/// in [`parts`](crate::parts). A scenario says which of them it wants and where, by
/// [`PartOrder`](crate::PartOrder).
///
/// ```
/// use wayfare_generate::{
///     Area, Dice, Ground, HallDraft, HallPlot, PartCreator, PartOrder, Place, Seed, TileDraft,
/// };
/// use wayfare_scene::scene::PuzzleThing;
///
/// /// A key on a square of paving.
/// struct KeyOnPlinth;
///
/// impl PartCreator for KeyOnPlinth {
///     fn kind(&self) -> &'static str {
///         "key"
///     }
///     fn size(&self) -> [u32; 2] {
///         [3, 3]
///     }
///     fn furnish(&self, plot: &mut HallPlot<'_>, _: &mut Dice) {
///         let all = plot.area();
///         plot.tiles().fill(all, Ground::Paving);
///         if let Some(at) = plot.cell(1, 1) {
///             let name = plot.name().to_owned();
///             plot.set_condition(format!("key {name}"));
///             plot.puzzle().keys.push(PuzzleThing { name, at });
///         }
///     }
/// }
///
/// let mut hall = HallDraft::new(TileDraft::new(12, 9, Ground::Floor), Default::default());
/// let order = PartOrder::new("iron", &KeyOnPlinth, Place::Anywhere);
/// hall.furnish(&order, &mut Seed(7).dice()).expect("room for it");
/// assert_eq!(hall.part("iron").and_then(|part| part.condition.as_deref()), Some("key iron"));
/// ```
pub trait PartCreator: Send + Sync {
    /// Returns the kind of part, in a word or two.
    fn kind(&self) -> &'static str;

    /// Columns and rows that it takes at least. Default: a tile.
    fn size(&self) -> [u32; 2] {
        [1, 1]
    }

    /// Builds on the plot, which has at least that size. The same random numbers give the same
    /// part.
    fn furnish(&self, plot: &mut HallPlot<'_>, dice: &mut Dice);
}

impl<C: Creator> PartCreator for C {
    fn kind(&self) -> &'static str {
        self.name()
    }

    fn furnish(&self, plot: &mut HallPlot<'_>, dice: &mut Dice) {
        self.create(&mut plot.tiles(), dice);
    }
}
