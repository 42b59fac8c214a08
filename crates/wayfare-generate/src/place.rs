//! Places: the position of a part relative to others.

use crate::Area;

/// Where a part stands relative to parts that were built before it, by their names.
///
/// Agents come from the west and go east. *In front of* a part is west of it, *behind* it is east.
///
/// ```
/// use wayfare_generate::parts::{CrateItem, CrossWall, DoorItem, LeverItem, PlateItem};
/// use wayfare_generate::{Area, Ground, HallDraft, PartOrder, Place, Seed, TileDraft};
///
/// let mut draft = TileDraft::new(16, 9, Ground::Floor);
/// draft.whole().frame(Ground::Wall);
/// let mut hall = HallDraft::new(draft, Default::default());
/// let wall = Place::At(Area::new(10, 0, 1, 9));
/// let door = DoorItem::heavy("plate");
/// let orders = [
///     PartOrder::new("wall", &CrossWall(Ground::Wall), wall),
///     PartOrder::new("plate", &PlateItem, Place::InFrontOf("wall")).rim(2),
///     PartOrder::new("crate", &CrateItem, Place::Between("entry", "plate")).rim(1),
///     PartOrder::new("lever", &LeverItem { on: 0.0 }, Place::Anywhere).rim(1),
///     PartOrder::new("door", &door, Place::OnTopOf("gap")),
/// ];
/// hall.mark("entry", Area::new(0, 0, 1, 9));
/// hall.mark("gap", Area::new(10, 4, 1, 1));
/// for order in &orders {
///     hall.furnish(order, &mut Seed(7).dice()).expect("room for it");
/// }
/// let [one, plate, wall] = ["crate", "plate", "wall"].map(|name| hall.part(name).unwrap().area);
/// assert!(one.x < plate.x && plate.x < wall.x);
/// assert_eq!(hall.puzzle.gates[0].cells, [[10, 4]]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place<'n> {
    /// On vacant tiles of the hall.
    Anywhere,
    /// On vacant tiles west of a part.
    InFrontOf(&'n str),
    /// On vacant tiles east of a part.
    Behind(&'n str),
    /// On vacant tiles east of the first part and west of the second.
    Between(&'n str, &'n str),
    /// On the tiles of a part, which it takes as well.
    OnTopOf(&'n str),
    /// On tiles of the hall, vacant or not.
    At(Area),
}

impl Place<'_> {
    /// Returns the tiles that it means in a hall: all in which a part may be, or, of
    /// [`OnTopOf`](Self::OnTopOf) and [`At`](Self::At), the tiles of the part itself. `part`: the
    /// tiles of a part. `None` if a part is not there.
    #[must_use]
    pub fn area(self, hall: Area, part: impl Fn(&str) -> Option<Area>) -> Option<Area> {
        let columns = |from: u32, to: u32| {
            let from = from.max(hall.x);
            let width = to.min(hall.right()).saturating_sub(from);
            Area::new(from, hall.y, width, hall.height)
        };
        Some(match self {
            Place::Anywhere => hall,
            Place::InFrontOf(name) => columns(hall.x, part(name)?.x),
            Place::Behind(name) => columns(part(name)?.right(), hall.right()),
            Place::Between(first, second) => columns(part(first)?.right(), part(second)?.x),
            Place::OnTopOf(name) => part(name)?,
            Place::At(area) => area,
        })
    }

    /// Returns whether it means certain tiles, rather than tiles to choose from.
    pub(crate) fn is_fixed(self) -> bool {
        matches!(self, Place::OnTopOf(_) | Place::At(_))
    }
}
