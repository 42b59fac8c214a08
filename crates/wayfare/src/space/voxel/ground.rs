//! Moves over the ground: walking, jumping up and across, falling.
//!
//! All are of one form: up from where one stands, across at that level, down again. What the body passes must be free.

use super::bits::LEVEL;
use super::layout::At;
use super::{Voxel, VoxelSpace};
use crate::space::grid::{canonical_table, move_table};
use crate::space::{Action, CornerRule, Cost, Neighbours};

/// The directions across, along x and z, in the order of a grid's directions along x and y.
pub(crate) const ACROSS: [(i32, i32); 8] =
    [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)];

/// All directions, as bits.
pub(crate) const ALL_LEVEL_MOVES: u8 = u8::MAX;

/// The four straight ones.
pub(crate) const STRAIGHT_ACROSS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

impl<C: Cost> VoxelSpace<'_, C> {
    #[inline]
    pub(super) fn fits(&self, at: At) -> bool {
        self.layer.fits.get(&self.blocks.layout, at)
    }

    #[inline]
    pub(super) fn stands(&self, at: At) -> bool {
        self.layer.stands.get(&self.blocks.layout, at)
    }

    #[inline]
    pub(super) fn swims(&self, at: At) -> bool {
        self.layer.swims.get(&self.blocks.layout, at)
    }

    #[inline]
    pub(super) fn climbs(&self, at: At) -> bool {
        self.layer.climbs.get(&self.blocks.layout, at)
    }

    /// Of the directions across, those that have to be followed on the level where a state was entered on the level too: among
    /// neighbours to stand on at one height the rule is that of a grid. Only where every move costs just its length.
    #[inline]
    pub(super) fn needed_level_moves(&self, state: Voxel, dx: i32, dz: i32) -> u8 {
        if !self.layer.profile.abilities.walk || !self.layer.stands.get_voxel(state) {
            return ALL_LEVEL_MOVES;
        }
        let Some(entered) = ACROSS.iter().position(|&step| step == (dx, dz)) else {
            return ALL_LEVEL_MOVES;
        };
        let stands = self.layer.stands.near(state);
        let mut level = 0;
        for (direction, (x, z)) in ACROSS.into_iter().enumerate() {
            level |= ((stands.column(x, z) >> LEVEL & 1) as u8) << direction;
        }
        if level >> (7 - entered) & 1 == 0 {
            return ALL_LEVEL_MOVES;
        }
        // Diagonals past a corner where the body fits but nothing carries it are moves here, though not on a grid: they stay.
        let (neighbours, corners) = (Neighbours::Eight, CornerRule::BothFree);
        canonical_table(neighbours, corners)[entered][usize::from(level)]
            | !move_table(neighbours, corners)[usize::from(level)]
    }

    /// Visits the moves over the ground from a voxel where one stands; those on the level in the directions given.
    #[inline]
    pub(super) fn visit_ground_moves(
        &self,
        state: Voxel,
        at: At,
        level_moves: u8,
        visit: &mut impl FnMut(At, Action),
    ) {
        let profile = &self.layer.profile;
        let (fits, stands) = (self.layer.fits.near(state), self.layer.stands.near(state));
        let swims = profile.abilities.swim;
        let rise =
            profile.jumps_up().min((fits.column(0, 0) >> (LEVEL + 1)).trailing_ones() as i32);
        let falls = profile.falls();
        for (direction, (dx, dz)) in ACROSS.into_iter().enumerate() {
            let open = fits.column(dx, dz);
            // The levels at which the body gets across.
            let across = if dx != 0 && dz != 0 {
                open & fits.column(dx, 0) & fits.column(0, dz)
            } else {
                open
            };
            let over = |dy: i32| [at[0] + dx, at[1] + dy, at[2] + dz];
            let footing = stands.column(dx, dz);
            if across >> LEVEL & 1 == 1 {
                let is_wet = |dy: i32| swims && self.swims(over(dy));
                if footing >> LEVEL & 1 == 1 {
                    if profile.abilities.walk && level_moves >> direction & 1 == 1 {
                        visit(over(0), Action::Walk);
                    }
                } else if is_wet(0) {
                    visit(over(0), Action::Swim);
                } else if falls > 0 {
                    // Down to the first place that carries, as long as the body passes.
                    for drop in 1..=falls {
                        let (passes, carries) = if drop <= LEVEL as i32 {
                            let row = LEVEL as i32 - drop;
                            (open >> row & 1 == 1, footing >> row & 1 == 1)
                        } else {
                            (self.fits(over(-drop)), self.stands(over(-drop)))
                        };
                        if !passes {
                            break;
                        }
                        if carries || is_wet(-drop) {
                            visit(over(-drop), Action::Fall);
                            break;
                        }
                    }
                }
            }
            for dy in 1..=rise {
                if across & footing & 1 << (LEVEL as i32 + dy) != 0 {
                    visit(over(dy), Action::Jump);
                }
            }
        }
        if profile.jumps_across() > 0 {
            self.visit_leaps(at, rise, visit);
        }
    }

    /// Visits the jumps across gaps: along x or z, two blocks or more.
    fn visit_leaps(&self, [x, y, z]: At, rise: i32, visit: &mut impl FnMut(At, Action)) {
        let (across, falls) = (self.layer.profile.jumps_across(), self.layer.profile.falls());
        for (dx, dz) in STRAIGHT_ACROSS {
            for up in 0..=rise {
                for distance in 1..=across + 1 {
                    let over = |dy: i32| [x + dx * distance, y + up + dy, z + dz * distance];
                    if !self.fits(over(0)) {
                        break;
                    }
                    if distance == 1 {
                        continue;
                    }
                    if self.stands(over(0)) || up == 0 && self.swims(over(0)) {
                        visit(over(0), Action::Jump);
                    } else if up == 0 {
                        let landing = (1..=falls)
                            .take_while(|&drop| self.fits(over(-drop)))
                            .find(|&drop| self.stands(over(-drop)) || self.swims(over(-drop)));
                        if let Some(drop) = landing {
                            visit(over(-drop), Action::Jump);
                        }
                    }
                }
            }
        }
    }

    /// How the single move over the ground from one place to another is made, if there is one.
    pub(super) fn ground_move(&self, from: At, to: At) -> Option<Action> {
        let profile = &self.layer.profile;
        let [dx, dy, dz] = [0, 1, 2].map(|axis| to[axis] - from[axis]);
        let distance = dx.abs().max(dz.abs());
        let (step_x, step_z) = (dx.signum(), dz.signum());
        let is_diagonal = dx != 0 && dz != 0;
        let in_reach = distance >= 1
            && (distance == 1 || !is_diagonal && distance <= profile.jumps_across() + 1)
            && dy <= profile.jumps_up()
            && -dy <= profile.falls();
        let lands = self.stands(to) || dy <= 0 && self.swims(to);
        if !in_reach || !lands || !self.stands(from) {
            return None;
        }
        let level = from[1].max(to[1]);
        let rises = (from[1] + 1..=level).all(|y| self.fits([from[0], y, from[2]]));
        let crosses = (1..=distance)
            .all(|step| self.fits([from[0] + step_x * step, level, from[2] + step_z * step]))
            && (!is_diagonal
                || self.fits([to[0], level, from[2]]) && self.fits([from[0], level, to[2]]));
        let drops = (to[1] + 1..=level).all(|y| {
            let above = [to[0], y, to[2]];
            self.fits(above) && !self.stands(above) && !self.swims(above)
        });
        let action = if distance > 1 || dy > 0 {
            Action::Jump
        } else if dy < 0 {
            Action::Fall
        } else if self.swims(to) {
            Action::Swim
        } else if profile.abilities.walk {
            Action::Walk
        } else {
            return None;
        };
        (rises && crosses && drops).then_some(action)
    }
}
