//! A small world and a recorded search through it.

use wayfare_core::space::StateId;
use wayfare_core::trace::{Side, Trace, TraceEvent, TraceEventKind};
use wayfare_draw::{GridScenery, Terrain, Theme};

/// A state that is its index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Node(pub(crate) u32);

impl StateId for Node {
    fn index(self) -> u32 {
        self.0
    }

    fn from_index(index: u32) -> Self {
        Self(index)
    }
}

/// An event of the search from the start.
pub(crate) fn event(
    kind: TraceEventKind,
    state: u32,
    parent: u32,
    g: u64,
) -> TraceEvent<Node, u64> {
    TraceEvent { kind, side: Side::Forward, state: Node(state), parent: Node(parent), g, h: 0 }
}

/// Six by three cells with a wall in the middle.
pub(crate) fn world(theme: &Theme) -> GridScenery<'static> {
    let cells = [
        0, 0, 0, 0, 0, 0, //
        0, 1, 1, 1, 1, 0, //
        0, 0, 0, 0, 0, 0,
    ];
    let terrains = vec![Terrain::floor(theme), Terrain::wall(theme)];
    GridScenery::new(6, 3, terrains, &cells).expect("the parts fit")
}

/// A walk along the upper row: cells 0 to 4 are expanded, 5 is left open.
pub(crate) fn walk() -> Trace<Node, u64> {
    let mut trace = Trace::new();
    trace.events.push(event(TraceEventKind::Generate, 0, 0, 0));
    for cell in 0..5u32 {
        let g = u64::from(cell) * 5741;
        trace.events.push(event(TraceEventKind::Expand, cell, cell.saturating_sub(1), g));
        trace.events.push(event(TraceEventKind::Generate, cell + 1, cell, g + 5741));
    }
    trace
}
