//! The closed, locked and full links that keep an agent from its goal.

use super::{Gate, Keys, LinkId, NavLinks};
use crate::path::Path;
use crate::search::{AStar, QueryOf, solve};
use crate::space::{Action, Cost, Space, StateId};

/// Links that have to let an agent in for a path, and that path. Made by [`gate_remedies`].
///
/// Example: [`gate_remedies`].
#[derive(Clone, PartialEq, Debug)]
pub struct GateRemedy<State, C> {
    /// The links, in ascending order of id. Each is closed, locked to the agent, or full.
    pub links: Vec<LinkId>,
    /// The path that leads through all of them.
    pub path: Path<State, C>,
}

/// Finds the shut links that keep an agent with certain keys from its goal: closed ones, locked
/// ones, and [full](NavLinks::is_full) ones.
///
/// Returns a remedy for each link that opens a path by itself, the cheapest path first and ties by
/// id; at most `limit` shut links are tried, in ascending order of id. If no single link opens one,
/// returns the links on a cheapest path through any gates together. Returns nothing if all gates
/// together open no path, or none is needed.
///
/// Takes a search with all links open and empty, and one more for each shut link if that finds a
/// path.
///
/// ```
/// use wayfare::link::{Crossing, Gate, GateRemedy, Keys, NavLink, NavLinks, gate_remedies};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&["..#..", "..#..", "..#.."])?;
/// let (space, at) = (grid.space(), |x, y| grid.cell(x, y).unwrap());
/// let mut links = NavLinks::new(2.0);
/// let across = |y| NavLink::new(at(1, y), at(3, y), Crossing::Seconds(1.5));
/// let door = links.add(&space, across(0).locked(Keys(1)))?;
/// let bridge = links.add(&space, across(2).gate(Gate::Closed))?;
/// let query = Query::new(at(0, 0), at(4, 0));
/// let remedies = gate_remedies(&links, &space, Keys::NONE, &query, 64);
/// let links: Vec<_> = remedies.iter().map(|GateRemedy { links, .. }| &links[..]).collect();
/// assert_eq!(links, [[door], [bridge]]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn gate_remedies<S: Space + Clone>(
    links: &NavLinks<S::State>,
    space: &S,
    keys: Keys,
    query: &QueryOf<S>,
    limit: usize,
) -> Vec<GateRemedy<S::State, S::Cost>> {
    gate_remedies_by(links, keys, limit, |links| {
        let outcome = solve(&links.over(space.clone(), keys), &AStar::new(), query.clone()).outcome;
        outcome.is_found().then(|| outcome.into_path())
    })
}

/// As [`gate_remedies`], by a search of the caller's: `find` returns a cheapest path with links as
/// they are, if there is one.
///
/// ```
/// use wayfare::link::{Crossing, Gate, Keys, NavLink, NavLinks, gate_remedies_by};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// use wayfare::search::solve_erased;
/// let grid = Grid::from_rows(&["..#..", "..#.."])?;
/// let mut links = NavLinks::new(2.0);
/// let across = NavLink::new(grid.cell(1, 0).unwrap(), grid.cell(3, 0).unwrap(), Crossing::Seconds(1.0));
/// let door = links.add(&grid.space(), across.gate(Gate::Closed))?;
/// let query = Query::new(grid.cell(0, 0).unwrap(), grid.cell(4, 0).unwrap());
/// let remedies = gate_remedies_by(&links, Keys::NONE, 64, |links| {
///     let outcome = solve_erased(&links.over(grid.space(), Keys::NONE), query.clone()).outcome;
///     outcome.is_found().then(|| outcome.into_path())
/// });
/// assert_eq!(remedies[0].links, [door]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn gate_remedies_by<State: StateId, C: Cost>(
    links: &NavLinks<State>,
    keys: Keys,
    limit: usize,
    mut find: impl FnMut(&NavLinks<State>) -> Option<Path<State, C>>,
) -> Vec<GateRemedy<State, C>> {
    let shut: Vec<LinkId> =
        links.iter().map(|one| one.id).filter(|&id| !links.admits(id, keys)).collect();
    if shut.is_empty() {
        return Vec::new();
    }
    let mut through = |opened: &[LinkId]| {
        let mut links = links.clone();
        for &id in opened {
            links.set_gate(id, Gate::Open);
            links.set_occupants(id, 0);
        }
        find(&links)
    };
    let Some(path) = through(&shut) else { return Vec::new() };
    // A cheapest path through any gates. The shut links on it are enough.
    let mut needed: Vec<LinkId> = taken(&path).filter(|id| shut.contains(id)).collect();
    needed.sort_unstable();
    if needed.is_empty() {
        return Vec::new();
    }
    let alone = |&id: &LinkId| Some(GateRemedy { links: vec![id], path: through(&[id])? });
    let mut remedies: Vec<_> = shut.iter().take(limit).filter_map(alone).collect();
    // A path that is there in any case needs no remedy.
    remedies.retain(|remedy| taken(&remedy.path).any(|id| remedy.links.contains(&id)));
    remedies.sort_by_key(|remedy| (remedy.path.cost(), remedy.links[0]));
    if remedies.is_empty() {
        remedies.push(GateRemedy { links: needed, path });
    }
    remedies
}

/// Returns the links that a path leads through.
fn taken<State: StateId, C: Cost>(path: &Path<State, C>) -> impl Iterator<Item = LinkId> + '_ {
    path.steps.iter().filter_map(|step| match step.action {
        Action::Link(id) => Some(LinkId(id)),
        _ => None,
    })
}
