//! Steps: the cheapest step on the map, and whether all steps cost their length.
//!
//! Both follow from the terrains that occur, so the cells of each terrain are counted. An edit
//! moves one count for each changed cell. The rest is looked at only when a count leaves or reaches
//! zero.

use super::accelerator::{Accelerator, Edit, Ground, Stage};
use super::penalty::PenaltyField;
use crate::space::grid::TerrainId;
use crate::space::terrain::{StepCost, StepCosts};
use crate::space::{DIAGONAL, STRAIGHT};

/// The costs of steps on a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::space::grid) struct StepFacts {
    /// The number of cells of each terrain.
    counts: Vec<u32>,
    /// The least cost of a straight and of a diagonal step on any terrain that occurs.
    pub(in crate::space::grid) least: LeastStep,
    /// Whether every step costs its length alone: 5741 straight, 8119 diagonal.
    pub(in crate::space::grid) is_uniform: bool,
}

/// The cost of the cheapest steps, without penalties.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(in crate::space::grid) struct LeastStep {
    pub(in crate::space::grid) straight: u32,
    pub(in crate::space::grid) diagonal: u32,
}

impl StepFacts {
    /// Counts the terrains of a ground. O(cells).
    pub(super) fn new(costs: &StepCosts, penalties: &PenaltyField, ground: Ground<'_>) -> Self {
        let least = LeastStep { straight: STRAIGHT, diagonal: DIAGONAL };
        let mut steps = Self { counts: vec![0; 256], least, is_uniform: true };
        for cell in ground.layout.cells() {
            steps.counts[usize::from(ground.terrain(cell).0)] += 1;
        }
        steps.summarise(costs, penalties);
        steps
    }

    /// Looks at the terrains that occur. O(terrains).
    pub(super) fn summarise(&mut self, costs: &StepCosts, penalties: &PenaltyField) {
        let occurs = |terrain: &u8| self.counts[usize::from(*terrain)] > 0;
        let steps =
            (0..=u8::MAX).filter(occurs).filter_map(|terrain| costs.get(TerrainId(terrain)));
        let cost = |cost: StepCost| LeastStep { straight: cost.straight, diagonal: cost.diagonal };
        let least = steps.clone().map(cost).min();
        self.is_uniform = penalties.is_zero() && steps.into_iter().all(StepCost::is_length_alone);
        self.least = least.unwrap_or(LeastStep { straight: STRAIGHT, diagonal: DIAGONAL });
    }
}

impl Accelerator for StepFacts {
    const STAGE: Stage = Stage::Steps;
    const READS: &'static [Stage] = &[Stage::Penalties];
    type Input<'a> = (&'a StepCosts, &'a PenaltyField);

    /// O(changed cells + terrains).
    fn follow(&mut self, (costs, penalties): Self::Input<'_>, edit: &mut Edit<'_>) -> u64 {
        let mut has_news = false;
        for change in edit.changes {
            let before = &mut self.counts[usize::from(change.before.0)];
            *before -= 1;
            has_news |= *before == 0;
            let after = &mut self.counts[usize::from(edit.ground.terrain(change.cell).0)];
            *after += 1;
            has_news |= *after == 1;
        }
        if has_news {
            self.summarise(costs, penalties);
        }
        edit.changes.len() as u64
    }
}
