//! Changes of the world, made once and repeated when a snapshot is resumed.

use super::Carvings;
use crate::simulation::{CarveId, CommandFault, Environment, Shape};

/// A change of the world that was made, to be made again when a snapshot is resumed.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) enum Change<Edit> {
    Edit(Edit),
    Carve(CarveId, Shape),
    Restore(CarveId),
}

impl<Edit> Change<Edit> {
    /// Returns whether it replaces all ground.
    pub(in crate::simulation) fn is_new_ground<W: Environment<Edit = Edit>>(&self) -> bool {
        matches!(self, Self::Edit(edit) if W::is_new_ground(edit))
    }
}

/// Makes a change. Adds the states whose moves it changes to `affected`.
pub(in crate::simulation) fn make_change<W: Environment>(
    world: &mut W,
    carvings: &mut Carvings<W::Place, W::Fill>,
    change: &Change<W::Edit>,
    affected: &mut Vec<W::State>,
) -> Result<(), CommandFault> {
    match change {
        Change::Edit(edit) => {
            world.check(edit)?;
            let fills = W::fills(edit);
            if fills.is_empty() {
                world.apply(edit, affected)?;
            } else {
                carvings.fill(world, fills, affected);
            }
        }
        Change::Carve(_, shape) if !shape.is_finite() => {
            return Err(CommandFault::Shape);
        }
        Change::Carve(id, shape) => carvings.carve(world, *id, shape, affected),
        Change::Restore(id) => {
            if !carvings.restore(world, *id, affected) {
                return Err(CommandFault::NoSuchObstacle(*id));
            }
        }
    }
    affected.sort_unstable();
    affected.dedup();
    Ok(())
}
