//! Repairs an index after edits.
//!
//! Corners appear and vanish within a step of the cells that changed, and only corners whose scans
//! come there have other edges. The order by importance is kept: new corners are inserted where
//! they divide what is divided below them ([`Order::place_beside`]). Then each step of the build is
//! done again where its input changed.
//!
//! # Why the order may stay
//!
//! Any order gives exact answers. Edges between parts that the order meant to be divided only join
//! more pairs of corners. When there are twice as many pairs as at the last dissection, all corners
//! are ordered anew.

use std::ops::ControlFlow;

use wayfare_core::space::Cost;
use wayfare_grid::grid::{Cell, GridSpace};
use wayfare_grid::inside::BitMap;

use super::arrivals::Corners;
use super::build::{GridIndex, IndexError, OtherGrid, check, fingerprint};
use super::contraction::{Joined, Stopped};
use super::dissection;
use super::graph::Graph;
use super::order::Order;
use super::sight::Sight;

/// What repairs need: the graph with all pairs that are joined.
#[derive(Clone, Debug)]
pub(super) struct Repairs {
    joined: Joined,
    /// Numbers without a node.
    spare: Vec<u32>,
    /// The number of pairs above which corners are ordered anew.
    most: usize,
}

/// What a repair did.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::index::{GridIndex, IndexRepair};
/// let mut grid = Grid::from_rows(&["..#..", "..#..", "....."])?;
/// let mut index = GridIndex::new(&grid.space())?;
/// grid.set_terrain(grid.cell(2, 0).unwrap(), TerrainId::GROUND);
/// let repair: IndexRepair = index.repair(&grid.space())?;
/// assert!(repair.changed > 0 && !repair.is_reordered);
/// while !index.repair(&grid.space())?.is_complete {} // renews what a repair left, if anything
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct IndexRepair {
    /// The number of corners that were searched from again for others in sight.
    pub scanned: usize,
    /// The number of corners whose hubs changed.
    pub changed: usize,
    /// Whether all corners were ordered anew: it takes as long as building.
    pub is_reordered: bool,
    /// Whether queries are as fast as before the edit. Otherwise some lists of hubs or of corners
    /// in sight are missing: the next repair goes on with them, also without an edit.
    pub is_complete: bool,
}

/// Why an index cannot be repaired.
///
/// Example: [`GridIndex::repair`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum IndexRepairError {
    /// The grid differs in size, neighbours or media. The index is left as it was.
    #[error(transparent)]
    OtherGrid(#[from] OtherGrid),
    /// The edited grid cannot be indexed. After [`IndexError::CostRange`] the index is of no grid.
    #[error(transparent)]
    Index(#[from] IndexError),
}

/// The limits of work of a repair that only makes queries faster.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Hubs that are looked at to renew lists of hubs.
    pub hubs: usize,
    /// Cells that are scanned from to renew the corners in sight.
    pub cells: usize,
}

impl Limits {
    /// Together a few milliseconds.
    const USUAL: Self = Self { hubs: 1 << 19, cells: 1 << 11 };

    /// Returns the limits of a repair after an edit, which has other work as well. A query that
    /// lacks a list of hubs loses more time than one that scans.
    fn after_edit(self) -> Self {
        Self { hubs: self.hubs / 2, cells: self.cells / 8 }
    }
}

/// See [`GridIndex::repair`].
///
/// # Errors
/// See [`GridIndex::repair`].
pub fn repair_within<C: Cost>(
    index: &mut GridIndex,
    space: &GridSpace<'_, C>,
    mut limits: Limits,
) -> Result<IndexRepair, IndexRepairError> {
    check(space)?;
    if !index.subgoals.fits(space) || index.fingerprint.is_none() {
        return Err(OtherGrid.into());
    }
    let known = index.fingerprint.replace(fingerprint(space));
    let mut repair = IndexRepair::none();
    if known != index.fingerprint {
        limits = limits.after_edit();
        let free: Vec<&BitMap> = space.free_cells().collect();
        let readers = index.subgoals.update(&free);
        let touched = index.follow(&readers, &mut repair);
        index.contract(touched, limits.hubs, &mut repair).inspect_err(|_| {
            (index.fingerprint, index.repairs) = (None, None);
        })?;
        if index.cells.len() > Sight::MAX_NODES {
            index.sight = None;
        }
        if let Some(sight) = &mut index.sight {
            sight.outdate(&readers);
        }
    }
    repair.is_complete = index.renew_within(limits, known == index.fingerprint);
    Ok(repair)
}

impl Repairs {
    /// Most pairs, of some after a dissection.
    fn most(pairs: usize) -> usize {
        2 * pairs + 1024
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        self.joined.size_in_bytes() + 4 * self.spare.capacity()
    }
}

impl GridIndex {
    /// Repairs the index after an edit. Afterwards all answers are those of the grid as it is.
    ///
    /// It compares the grid with the one that it knows, so the changed cells need not be told.
    /// Without a change it only renews what earlier repairs left. Costs of paths are those of an
    /// index built anew; of several cheapest paths another may be returned.
    ///
    /// The first repair prepares for further ones, unless [`prepare_repair`](Self::prepare_repair)
    /// did.
    ///
    /// Time: O(cells / 64 + corners + hubs), and what is in sight of the edit; for each corner that
    /// the edit changes paths to or from, O(k²) with k hubs. Each repair has a limit for work that
    /// only makes queries faster.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::index::{GridIndex, IndexScratch};
    /// let mut grid = Grid::from_rows(&["..#..", "..#..", "....."])?;
    /// let mut index = GridIndex::new(&grid.space())?;
    /// grid.set_terrain(grid.cell(2, 0).unwrap(), TerrainId::GROUND);
    /// let repair = index.repair(&grid.space())?;
    /// assert!(repair.is_complete && !repair.is_reordered);
    /// let (a, b) = (grid.cell(0, 0).unwrap(), grid.cell(4, 0).unwrap());
    /// let outcome = index.of(&grid.space())?.path(a, b, &mut IndexScratch::new());
    /// assert_eq!(outcome.path().unwrap().len(), 4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the grid is of another size, or cannot be indexed any more: see [`IndexRepairError`].
    pub fn repair<C: Cost>(
        &mut self,
        space: &GridSpace<'_, C>,
    ) -> Result<IndexRepair, IndexRepairError> {
        repair_within(self, space, Limits::USUAL)
    }

    /// Prepares for repairs, so that the first one is as fast as later ones.
    ///
    /// Time: as for building, without the order and the lists of hubs. Memory: 20 bytes for each
    /// pair of corners that are joined, of which hubs are a part; as much as the index itself on
    /// most maps.
    ///
    /// # Errors
    /// If the grid is not the one that was indexed.
    pub fn prepare_repair<C: Cost>(&mut self, space: &GridSpace<'_, C>) -> Result<(), OtherGrid> {
        self.of(space)?;
        if self.repairs.is_none() {
            let touched = self.prepare();
            let contracted = self.contract(touched, usize::MAX, &mut IndexRepair::none());
            contracted.inspect_err(|_| self.repairs = None).map_err(|_| OtherGrid)?;
        }
        Ok(())
    }

    /// Loads the graph of the grid as it is. Returns that all nodes are touched.
    fn prepare(&mut self) -> Vec<bool> {
        let graph = Graph::new(&self.subgoals);
        let joined = Joined::new(graph.lists(&self.names, self.cells.len()));
        self.repairs = Some(Repairs { joined, spare: Vec::new(), most: usize::MAX });
        vec![true; self.cells.len()]
    }

    /// Follows changes of the subgoals: numbers new ones, finds the edges of those whose scans
    /// changed, and puts new ones in order. Returns for each node
    /// whether its edges to more important ones changed.
    fn follow(&mut self, readers: &[Cell], repair: &mut IndexRepair) -> Vec<bool> {
        let [gone, added] = self.rename();
        let Some(Repairs { joined, .. }) = &mut self.repairs else {
            // The graph is not known: nodes are put in order without it.
            let lowest = self.order.nodes.len() as u32;
            let added = added.into_iter().map(|node| (lowest, node)).collect();
            self.order.insert(added, self.cells.len());
            self.forget();
            if let Some(hubs) = &mut self.hubs {
                hubs.forget_arrivals(0..self.cells.len() as u32);
            }
            repair.scanned = self.names.len();
            return self.prepare();
        };
        let count = self.cells.len();
        joined.resize(count);
        let (mut touched, mut reads) = (vec![false; count], vec![false; count]);
        let mut again: Vec<u32> = Vec::new();
        // Edges removed and edges added; an edge that is as before appears twice.
        let mut edges: Vec<[u32; 2]> = Vec::new();
        let subgoals = &self.subgoals;
        let seen = readers.iter().filter_map(|&cell| subgoals.find(cell));
        let reading: Vec<u32> = seen.map(|place| self.names[place as usize]).collect();
        reading.iter().for_each(|&node| reads[node as usize] = true);
        // An edge is found from at least one end. Those of the others are looked for as well.
        for &node in gone.iter().chain(&reading) {
            for near in joined.near()[node as usize].clone() {
                joined.set_edge([node, near], false);
                edges.push([node.min(near), node.max(near)]);
                again.push(near);
            }
        }
        gone.iter().for_each(|&node| reads[node as usize] = true);
        again.retain(|&node| !reads[node as usize]);
        again.extend(&reading);
        again.sort_unstable();
        again.dedup();
        for &node in &again {
            subgoals.reach_next(self.cells[node as usize], &mut |cell| {
                let near = self.names[subgoals.place(cell) as usize];
                if (reads[node as usize] || reads[near as usize])
                    && joined.set_edge([node, near], true)
                {
                    edges.push([node.min(near), node.max(near)]);
                }
            });
        }
        repair.scanned = again.len();
        if let Some(hubs) = &mut self.hubs {
            hubs.forget_arrivals(again.iter().chain(edges.as_flattened()).copied());
        }
        self.order.rank.resize(count, Order::NONE);
        let parent = |node: u32| joined.of(node).first().map(|up| up.to);
        let place =
            |&node: &u32| (self.order.place_beside(&joined.near()[node as usize], parent), node);
        let added = added.iter().map(place).collect();
        self.order.insert(added, count);
        edges.sort_unstable();
        for same in edges.chunk_by(|one, other| one == other).filter(|same| same.len() == 1) {
            let [a, b] = same[0];
            let lower = if self.order.rank(a) > self.order.rank(b) { a } else { b };
            touched[lower as usize] = true;
        }
        touched
    }

    /// Names the subgoals as they are now. Returns the nodes that have none any more, and new ones.
    fn rename(&mut self) -> [Vec<u32>; 2] {
        let mut spare = Vec::new();
        if let Some(repairs) = &mut self.repairs {
            spare = std::mem::take(&mut repairs.spare);
        }
        let (mut gone, mut added) = (Vec::new(), Vec::new());
        let mut names = vec![Order::NONE; self.subgoals.cells().len()];
        for &node in &self.order.nodes {
            match self.subgoals.find(self.cells[node as usize]) {
                Some(place) => names[place as usize] = node,
                None => gone.push(node),
            }
        }
        for (name, &cell) in names.iter_mut().zip(self.subgoals.cells()) {
            if *name == Order::NONE {
                *name = spare.pop().unwrap_or(self.cells.len() as u32);
                match self.cells.get_mut(*name as usize) {
                    Some(known) => *known = cell,
                    None => self.cells.push(cell),
                }
                added.push(*name);
            }
        }
        self.names = names;
        spare.extend(&gone);
        if let Some(repairs) = &mut self.repairs {
            repairs.spare = spare;
        }
        [gone, added]
    }

    /// Takes nodes without a subgoal out of the order.
    fn forget(&mut self) {
        let Self { order, names, cells, subgoals, .. } = self;
        if order.nodes.len() > names.len() {
            let is_named = |&node: &u32| {
                subgoals.find(cells[node as usize]).is_some_and(|at| names[at as usize] == node)
            };
            let nodes = order.nodes.iter().copied().filter(is_named).collect();
            *order = Order::of(nodes, cells.len());
        }
    }

    /// Contracts the graph where it changed, and derives arcs and hubs from that.
    fn contract(
        &mut self,
        touched: Vec<bool>,
        most_hubs: usize,
        repair: &mut IndexRepair,
    ) -> Result<(), IndexError> {
        let Some(Repairs { joined, most, .. }) = &mut self.repairs else { return Ok(()) };
        let (subgoals, cells) = (&self.subgoals, &self.cells);
        let cost = |a: u32, b: u32| subgoals.distance(cells[a as usize], cells[b as usize]);
        let mut on_progress = |_| ControlFlow::Continue(());
        let mut made = joined.contract(&self.order, touched, &cost, *most, &mut on_progress);
        if made == Err(Stopped::TooMany) {
            joined.part();
            let at = |node: u32| {
                let (x, y) = subgoals.layout().coordinates(cells[node as usize]);
                [x as i32, y as i32]
            };
            let graph = Graph::from_lists(joined.near());
            let ControlFlow::Continue(ranks) = dissection::ranks(&graph, at, &mut on_progress)
            else {
                return Err(IndexError::Cancelled);
            };
            let mut nodes = std::mem::take(&mut self.order.nodes);
            nodes.sort_unstable_by_key(|&node| ranks[node as usize]);
            self.order = Order::of(nodes, cells.len());
            let touched = vec![true; cells.len()];
            made = joined.contract(&self.order, touched, &cost, usize::MAX, &mut on_progress);
            *most = usize::MAX;
            repair.is_reordered = true;
        }
        let computed = made.map_err(|_| IndexError::CostRange)?;
        if *most == usize::MAX {
            *most = Repairs::most(joined.pairs());
        }
        let changed = self.arcs.update(joined, &computed);
        repair.changed = changed.iter().filter(|&&it| it).count();
        self.forget();
        self.renew_hubs(&changed, most_hubs);
        Ok(())
    }

    /// Renews lists that repairs left, within the usual limits. Returns whether none is left.
    pub(crate) fn renew(&mut self) -> bool {
        self.renew_within(Limits::USUAL, true)
    }

    /// Renews corners in sight, and `and_hubs` lists of hubs. Returns whether none is left.
    fn renew_within(&mut self, limits: Limits, and_hubs: bool) -> bool {
        if and_hubs && self.hubs.as_ref().is_some_and(|hubs| !hubs.is_whole) {
            self.renew_hubs(&[], limits.hubs);
        }
        if let Some(sight) = &mut self.sight {
            sight.renew(&self.subgoals, &self.names, limits.cells);
        }
        self.hubs.as_ref().is_none_or(|hubs| hubs.is_whole)
            && self.sight.as_ref().is_none_or(Sight::is_whole)
    }

    fn renew_hubs(&mut self, changed: &[bool], most: usize) {
        let Some(Repairs { joined, .. }) = &self.repairs else { return };
        let near = |node: u32| joined.near()[node as usize].as_slice();
        let corners = Corners { subgoals: &self.subgoals, cells: &self.cells, near };
        if let Some(hubs) = &mut self.hubs
            && !hubs.renew(&self.arcs, &self.order, &corners, changed, most)
        {
            self.hubs = None;
        }
    }
}

impl IndexRepair {
    fn none() -> Self {
        Self { scanned: 0, changed: 0, is_reordered: false, is_complete: true }
    }
}
