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

/// How a machine of some kind ends.
pub(super) trait Ends: Copy {
    /// Returns the end of a search that could not go on.
    fn interrupted(interruption: Interruption) -> Self;
}

/// The memory of every machine: its course and its counters.
#[derive(Clone, Debug)]
pub(super) struct Run<Ending> {
    pub(super) course: Course<Ending>,
    pub(super) stats: Stats,
    /// The count of generated nodes beyond one for each expansion: an expansion that generates more
    /// takes longer.
    pub(super) surplus: u64,
}

impl<Ending> Run<Ending> {
    pub(super) fn new() -> Self {
        Self { course: Course::Fresh, stats: Stats::default(), surplus: 0 }
    }

    /// Returns the [units of work](wayfare_core::navigate::work) so far.
    #[inline]
    pub(super) fn work(&self) -> u64 {
        self.stats.expanded + self.surplus / NODES_A_UNIT
    }
}

/// A resumable machine on a mesh. [`step`] drives it.
pub(super) trait Machine {
    type Ending: Ends;

    fn run(&mut self) -> &mut Run<Self::Ending>;

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
    let last = machine.run().work().saturating_add(budget);
    let (ticket, mut ended) = match machine.run().course {
        Course::Ended { .. } => return Progress::Done,
        Course::Fresh => {
            let Begun { ticket, ending } = machine.begin(space, scratch, observer);
            let run = machine.run();
            run.surplus += run.stats.generated;
            run.course = Course::Working { ticket, revision: space.mesh().revision() };
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
            (ticket, interruption.map(M::Ending::interrupted))
        }
    };
    let mut generated = machine.run().stats.generated;
    while ended.is_none() && machine.run().work() < last {
        ended = machine.advance(space, scratch, observer);
        let run = machine.run();
        let before = std::mem::replace(&mut generated, run.stats.generated);
        run.surplus += (generated - before).saturating_sub(1);
    }
    let Some(ending) = ended else { return Progress::Working };
    machine.run().course = Course::Ended { ticket, ending };
    Progress::Done
}
