//! The rules of movement on a grid, written down a second time for the validator.
//!
//! Looks at nothing but the terrain and the profile: no bit maps, no tables, no components.

use wayfare_core::space::{
    Cost, DIAGONAL, IllegalMove, Medium, MoveRules, Obstruction, STRAIGHT, Space,
};

use super::layer::footprint;
use super::{Cell, CornerRule, GridSpace, Neighbours};

impl<C: Cost> GridSpace<'_, C> {
    /// Returns the medium of the ground under an agent, if it can stand there.
    fn stands_in(&self, x: i64, y: i64) -> Result<Medium, Obstruction> {
        let on_map =
            |x: i64, y: i64| self.grid.cell(u32::try_from(x).ok()?, u32::try_from(y).ok()?);
        let centre = on_map(x, y).ok_or(Obstruction::OffMap)?;
        let terrain = self.grid.terrain(centre);
        let table = &self.layer.profile.costs;
        let medium = table.get(terrain).ok_or(Obstruction::Terrain { terrain: terrain.0 })?.medium;
        let width = self.layer.profile.width;
        let narrow = Obstruction::TooNarrow { needed: width };
        for (x, y) in footprint(width, x as u32, y as u32) {
            let under = on_map(i64::from(x), i64::from(y))
                .and_then(|cell| table.get(self.grid.terrain(cell)));
            if under.ok_or(narrow)?.medium != medium {
                return Err(narrow);
            }
        }
        Ok(medium)
    }
}

impl<C: Cost> MoveRules for GridSpace<'_, C> {
    fn check_move(&self, from: Cell, to: Cell) -> Result<C, IllegalMove> {
        let bound = self.state_bound();
        if [from, to].iter().any(|cell| cell.0 as usize >= bound) {
            return Err(Obstruction::OffMap.into());
        }
        let at = |cell| {
            let (x, y) = self.grid.layout.coordinates(cell);
            (i64::from(x), i64::from(y))
        };
        let ((fx, fy), (tx, ty)) = (at(from), at(to));
        let medium = self.stands_in(fx, fy)?;
        if self.stands_in(tx, ty)? != medium {
            return Err(IllegalMove::NotAdjacent);
        }
        let is_diagonal = match (fx.abs_diff(tx), fy.abs_diff(ty)) {
            (0, 1) | (1, 0) => false,
            (1, 1) if self.layer.profile.neighbours == Neighbours::Eight => true,
            _ => return Err(IllegalMove::NotAdjacent),
        };
        if is_diagonal {
            let free = |x, y| self.stands_in(x, y) == Ok(medium);
            let allowed = match self.layer.profile.corners {
                CornerRule::BothFree => free(tx, fy) && free(fx, ty),
                CornerRule::OneFree => free(tx, fy) || free(fx, ty),
                CornerRule::Always => true,
            };
            if !allowed {
                return Err(IllegalMove::CutsCorner);
            }
        }
        let terrain = self.grid.terrain(to);
        let multiplier = self.layer.profile.costs.get(terrain).map_or(1.0, |cost| cost.multiplier);
        let length = f64::from(if is_diagonal { DIAGONAL } else { STRAIGHT });
        let step = (length * f64::from(multiplier)).round() as u64;
        Ok(C::from_u64(step + u64::from(self.layer.penalty(to))))
    }
}
