//! Platforms.

use wayfare_scene::scene::{PuzzleLift, PuzzleTimetable};

use crate::{Dice, HallPlot, PartCreator};

/// The drive of a platform: its variation.
///
/// Example: [`PlatformItem`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PlatformDrive {
    /// A counterweight: it goes up while all conditions are true, at least one.
    Counterweight {
        /// The conditions.
        up: Vec<String>,
    },
    /// A motor that runs to a timetable.
    Timetable(PuzzleTimetable),
}

/// A platform between the western and the eastern end of its plot, over all that lies between.
///
/// ```
/// use wayfare_generate::parts::{PlatformDrive, PlatformItem, PlateItem};
/// use wayfare_generate::{Area, Ground, HallDraft, PartOrder, Place, Seed, TileDraft};
///
/// let mut hall = HallDraft::new(TileDraft::new(9, 5, Ground::Floor), Default::default());
/// let drive = PlatformDrive::Counterweight { up: vec!["plate pan".into()] };
/// let lift = PlatformItem { cost: 6.0, drive };
/// let over = Place::At(Area::new(5, 2, 3, 1));
/// for order in [
///     PartOrder::new("pan", &PlateItem, Place::InFrontOf("shaft")),
///     PartOrder::new("platform", &lift, over),
/// ] {
///     hall.mark("shaft", Area::new(6, 0, 1, 5));
///     hall.furnish(&order, &mut Seed(7).dice()).expect("room for it");
/// }
/// let platform = &hall.puzzle.platforms[0];
/// assert_eq!((platform.low, platform.high), ([5, 2], [7, 2]));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PlatformItem {
    /// The cost of a ride in steps.
    pub cost: f32,
    /// Its drive.
    pub drive: PlatformDrive,
}

impl PartCreator for PlatformItem {
    fn kind(&self) -> &'static str {
        "platform"
    }

    fn size(&self) -> [u32; 2] {
        [2, 1]
    }

    fn furnish(&self, plot: &mut HallPlot<'_>, _: &mut Dice) {
        let last = plot.area().right().saturating_sub(1);
        let (Some(low), Some(high)) = (plot.cell(0, 0), plot.cell(last, 0)) else { return };
        let (up, timetable) = match &self.drive {
            PlatformDrive::Counterweight { up } => (up.clone(), None),
            PlatformDrive::Timetable(timetable) => (Vec::new(), Some(*timetable)),
        };
        let (name, cost) = (plot.name().to_owned(), self.cost);
        plot.puzzle().platforms.push(PuzzleLift { name, low, high, cost, up, timetable });
    }
}
