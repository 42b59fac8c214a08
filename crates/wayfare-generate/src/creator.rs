//! Creators: each builds one kind of thing.

use crate::{Dice, TilePlot};

/// Builds one kind of thing, such as a house or a row of pillars, within the plot that a scenario
/// gives it.
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
    /// Its work, in a word or two.
    fn name(&self) -> &'static str;

    /// Builds on the plot. The same numbers give the same thing.
    fn create(&self, plot: &mut TilePlot<'_>, dice: &mut Dice);
}
