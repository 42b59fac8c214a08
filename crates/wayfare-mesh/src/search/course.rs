//! The common course of all machines on meshes: they start once, continue while mesh and memory are
//! the same, and end.

use wayfare_core::search::{Interruption, Progress, Stats};
use wayfare_core::space::Revision;

use super::MeshScratch;
use crate::MeshObserver;
use crate::navmesh::NavMeshSpace;

/// How far a machine has come. `ticket` names the use of the scratch that its nodes lie in.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Course<Ending> {
    Fresh,
    Working { ticket: u64, revision: Revision },
    Ended { ticket: u64, ending: Ending },
}

/// Returns a started machine, or the ending if nothing is left to search.
pub(super) struct Begun<Ending> {
    pub(super) ticket: u64,
    pub(super) ending: Option<Ending>,
}

/// A resumable machine on a mesh. [`step`] drives it.
pub(super) trait Machine {
    type Ending: Copy;

    fn course(&mut self) -> &mut Course<Self::Ending>;

    fn counters(&self) -> &Stats;

    /// Returns the count of generated nodes beyond one for each expansion: an expansion that
    /// generates more takes longer.
    fn surplus(&mut self) -> &mut u64;

    fn interrupted(interruption: Interruption) -> Self::Ending;

    /// Takes the scratch, and generates the first nodes.
    fn begin<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
    ) -> Begun<Self::Ending>;

    /// Expands at most one node, or ends.
    fn advance<O: MeshObserver>(
        &mut self,
        space: &NavMeshSpace<'_>,
        scratch: &mut MeshScratch,
        observer: &mut O,
    ) -> Option<Self::Ending>;
}

/// The nodes that are generated in the time of one unit of work.
const NODES_A_UNIT: u64 = 2;

/// Returns the [units of work](wayfare_core::navigate::work) that a machine has done. `surplus`
/// counts the nodes generated beyond one for each expansion.
pub(super) fn work_of(stats: &Stats, surplus: u64) -> u64 {
    stats.expanded + surplus / NODES_A_UNIT
}

/// Lets a machine work for at most `budget` units, which the last expansion may exceed.
///
/// The next action depends only on the counters and the machine's own memory, so sliced and whole
/// searches do the same.
#[inline]
pub(super) fn step<M: Machine, O: MeshObserver>(
    machine: &mut M,
    space: &NavMeshSpace<'_>,
    scratch: &mut MeshScratch,
    observer: &mut O,
    budget: u64,
) -> Progress {
    let surplus = *machine.surplus();
    let last = work_of(machine.counters(), surplus).saturating_add(budget);
    let (ticket, ended) = match *machine.course() {
        Course::Ended { .. } => return Progress::Done,
        Course::Fresh => {
            let Begun { ticket, ending } = machine.begin(space, scratch, observer);
            let generated = machine.counters().generated;
            *machine.surplus() += generated;
            *machine.course() = Course::Working { ticket, revision: space.mesh().revision() };
            (ticket, ending)
        }
        Course::Working { ticket, revision } => {
            let interruption = if revision != space.mesh().revision() {
                Some(Interruption::SpaceEdited)
            } else if !scratch.serves(ticket) {
                Some(Interruption::ScratchReused)
            } else {
                None
            };
            (ticket, interruption.map(M::interrupted))
        }
    };
    let mut ended = ended;
    let mut surplus = *machine.surplus();
    let mut generated = machine.counters().generated;
    while ended.is_none() && work_of(machine.counters(), surplus) < last {
        ended = machine.advance(space, scratch, observer);
        let before = std::mem::replace(&mut generated, machine.counters().generated);
        surplus += (generated - before).saturating_sub(1);
    }
    *machine.surplus() = surplus;
    let Some(ending) = ended else { return Progress::Working };
    *machine.course() = Course::Ended { ticket, ending };
    Progress::Done
}
