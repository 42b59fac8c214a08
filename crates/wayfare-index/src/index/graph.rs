//! The subgoal graph: an edge for each pair of subgoals between which a path may go without a turn
//! around another obstacle corner.

use wayfare_grid::grid::Cell;

use super::parallel;
use super::subgoals::Subgoals;

/// The neighbours of each node, one list after the other.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Graph {
    first: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// Returns the graph of the subgoals, each numbered by its position in [`Subgoals::cells`].
    pub(super) fn new(subgoals: &Subgoals) -> Self {
        let neighbours = parallel::map(
            subgoals.cells().len(),
            || (),
            |(), node| {
                let from = subgoals.cells()[node];
                let mut near = Vec::new();
                subgoals.reach_next(from, &mut |cell| near.push(subgoals.place(cell)));
                near
            },
        );
        // A scan may report an edge from one of its ends only.
        Self::both_ways(&neighbours)
    }

    /// Returns a graph with edges in both directions, of edges that are each in at least one list.
    pub(super) fn both_ways(neighbours: &[Vec<u32>]) -> Self {
        let mut lists = neighbours.to_vec();
        for (node, near) in neighbours.iter().enumerate() {
            near.iter().for_each(|&other| lists[other as usize].push(node as u32));
        }
        for list in &mut lists {
            list.sort_unstable();
            list.dedup();
        }
        Self::from_lists(&lists)
    }

    /// Returns the graph of the neighbours of each node.
    pub(super) fn from_lists(lists: &[Vec<u32>]) -> Self {
        let mut graph = Self { first: Vec::with_capacity(lists.len() + 1), targets: Vec::new() };
        graph.first.push(0);
        for list in lists {
            graph.targets.extend_from_slice(list);
            graph.first.push(graph.targets.len() as u32);
        }
        graph
    }

    /// Returns the same graph with the node at each position renumbered to `names[position]`, a
    /// permutation.
    pub(super) fn renamed(&self, names: &[u32]) -> Self {
        Self::from_lists(&self.lists(names, names.len()))
    }

    /// Returns the neighbours of each of `count` nodes, in ascending order, with the node at each
    /// position renumbered to `names[position]`.
    pub(super) fn lists(&self, names: &[u32], count: usize) -> Vec<Vec<u32>> {
        let mut lists = vec![Vec::new(); count];
        for (place, &name) in names.iter().enumerate() {
            let list = &mut lists[name as usize];
            list.extend(self.of(place as u32).iter().map(|&near| names[near as usize]));
            list.sort_unstable();
        }
        lists
    }

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.first.len().saturating_sub(1)
    }

    /// Returns the neighbours of a node in ascending order.
    #[inline]
    pub(super) fn of(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.first[node] as usize..self.first[node + 1] as usize]
    }
}

/// Returns the cell of each node after renumbering.
pub(super) fn renamed_cells(cells: &[Cell], names: &[u32]) -> Vec<Cell> {
    let mut renamed = cells.to_vec();
    for (&cell, &name) in cells.iter().zip(names) {
        renamed[name as usize] = cell;
    }
    renamed
}
