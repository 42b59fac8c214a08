//! A space with links, danger and jams laid over it.

use glam::Vec3;

use super::expander::Linked;
use super::jams::DelaysFrom;
use super::nav_links::Arc;
use super::shortcuts::Shortcuts;
use super::{Keys, KnownLink, LinkId, NavLinks};
use crate::search::GroundDelays;
use crate::space::{
    Action, Cost, Edge, EdgeOf, IllegalMove, LineOfSight, Measure, Metric, MoveRules, Obstruction,
    OpenSwath, Plain, Pruning, Reachability, ReverseSpace, Revision, Space, Sweep,
};

/// A space with links, [danger](super::Danger) and [jams](super::Jams) laid over it, as seen by
/// agents with certain keys. Made by [`NavLinks::over`]; cheap to copy.
///
/// A link is an edge like any other. It costs the length of a walk on plain ground that takes as
/// long as its crossing and its posted wait. It is missing if it is closed, locked without the key,
/// [full](NavLinks::is_full), blocked at an end, or without ground within the radius of use of an
/// [exact end](super::LinkPoints). Searches jump and follow guidance only while
/// there are no links at all.
///
/// # Danger
///
/// Each move into a state in danger, also through a link, costs the danger of that state in
/// addition. Surcharges are never negative, so the estimates of the space stay consistent lower
/// bounds. Pruning, jumps and guidance compare costs of the space alone. So while any state is in
/// danger, searches do without them ([`Pruning`](crate::space::Pruning)). A straight line that may
/// pass a state in danger has no cost.
///
/// # Jams
///
/// Every move on foot costs the delay of its ground more; a link has its wait instead. The rest is
/// as with danger, but a straight line has a cost: with the delay on it.
///
/// Example: [`NavLinks`].
#[derive(Debug)]
pub struct LinkedSpace<'l, S: Space> {
    links: &'l NavLinks<S::State>,
    space: S,
    keys: Keys,
    shortcuts: Shortcuts<S::Cost>,
}

impl<S: Space + Clone> Clone for LinkedSpace<'_, S> {
    fn clone(&self) -> Self {
        Self { space: self.space.clone(), ..*self }
    }
}

impl<S: Space + Copy> Copy for LinkedSpace<'_, S> {}

/// A direction of a link that an agent can enter.
#[derive(Clone, Copy, Debug)]
pub struct LinkWay<State, C> {
    /// The state where it is entered.
    #[doc(hidden)]
    pub entry: State,
    /// The state where it is left.
    #[doc(hidden)]
    pub exit: State,
    /// The points where it is entered and left.
    #[doc(hidden)]
    pub places: [Vec3; 2],
    /// The link.
    #[doc(hidden)]
    pub link: LinkId,
    /// Its present cost, the posted wait included.
    #[doc(hidden)]
    pub cost: C,
}

/// The surcharges that jams add to straight moves on foot out of a state.
struct MoveDelays<'s, S> {
    space: &'s S,
    /// `None` without jams.
    delays: Option<DelaysFrom<'s>>,
}

impl<S: Space> MoveDelays<'_, S> {
    #[inline]
    fn to(&self, state: S::State) -> S::Cost {
        let Some(delays) = &self.delays else { return S::Cost::ZERO };
        let metres = delays.to(self.space.position(state));
        if metres == 0.0 {
            return S::Cost::ZERO;
        }
        cost_of_length(self.space, metres)
    }
}

/// The largest number of links that are followed to tell islands apart.
const MOST_FERRIES: usize = 256;

impl<'l, S: Space> LinkedSpace<'l, S> {
    pub(super) fn new(links: &'l NavLinks<S::State>, space: S, keys: Keys) -> Self {
        let shortcuts = Shortcuts::among(links, &space, |arc| cost_of(links, &space, arc.link, 0));
        Self { links, space, keys, shortcuts }
    }

    /// Returns the space beneath.
    #[must_use]
    pub fn space(&self) -> &S {
        &self.space
    }

    /// Returns the links.
    #[must_use]
    pub fn links(&self) -> &'l NavLinks<S::State> {
        self.links
    }

    /// Returns the keys that the agent holds.
    #[must_use]
    pub fn keys(&self) -> Keys {
        self.keys
    }

    /// Returns the surcharge that the danger of a state adds to each move into it.
    #[inline]
    fn surcharge(&self, state: S::State) -> S::Cost {
        match self.links.danger().get(state) {
            0.0 => S::Cost::ZERO,
            danger => cost_of_length(&self.space, danger),
        }
    }

    /// Returns whether no state is in danger and no ground in a jam.
    #[inline]
    pub(crate) fn is_safe(&self) -> bool {
        self.links.danger().is_empty() && self.links.jams().is_empty()
    }

    /// Returns the delays of ground by jams; `None` where there are none.
    #[doc(hidden)]
    pub fn delays(&self) -> Option<std::sync::Arc<dyn GroundDelays>> {
        (!self.links.jams().is_empty()).then(|| self.links.jams.clone() as _)
    }

    /// Returns the surcharges that jams add to straight moves on foot out of a state.
    #[inline]
    fn delays_from(&self, state: S::State) -> MoveDelays<'_, S> {
        let jams = self.links.jams();
        let delays = (!jams.is_empty()).then(|| jams.from(self.space.position(state)));
        MoveDelays { space: &self.space, delays }
    }

    /// Returns the surcharge that jams add to a straight move on foot.
    #[inline]
    fn delay(&self, from: S::State, to: S::State) -> S::Cost {
        self.delays_from(from).to(to)
    }

    /// Returns the cost of the straight line on foot from one state to another, with the delay on
    /// it; `None` where it may pass a state in danger, that it starts at left aside.
    #[doc(hidden)]
    pub fn line_on_foot(&self, from: S::State, to: S::State) -> Option<S::Cost>
    where
        S: LineOfSight,
    {
        let danger = self.links.danger();
        if !danger.is_empty() {
            let [here, there] = [from, to].map(|state| self.space.position(state));
            if danger.is_near(from, here, there) {
                return None;
            }
        }
        self.space.line_cost(from, to).map(|cost| cost.plus(self.delay(from, to)))
    }

    /// Visits the moves out of a state that `P` does not leave out, with its links, the surcharge
    /// of danger and the delay of jams.
    ///
    /// Compiled once a space, and not once more for each search: few states have links.
    #[inline(never)]
    pub(super) fn visit_overlaid<P: Pruning<S>>(
        &self,
        parent: S::State,
        state: S::State,
        visit: &mut dyn FnMut(EdgeOf<S>),
    ) {
        let (arcs, is_safe) = (self.links.out_of(state), self.is_safe());
        let mut visit = |edge: EdgeOf<S>| {
            if is_safe {
                return visit(edge);
            }
            let cost = edge.cost.plus(self.surcharge(edge.target));
            visit(Edge { cost, ..edge });
        };
        let delays = self.delays_from(state);
        P::successors(&self.space, parent, state, |edge| {
            let edge = Edge { cost: edge.cost.plus(delays.to(edge.target)), ..edge };
            visit(if arcs.is_empty() { edge } else { self.or_link(state, edge) });
        });
        for arc in arcs.iter().filter(|arc| self.is_usable(arc)) {
            let (cost, action) = self.best_move(arc);
            visit(Edge { target: arc.there, cost, action });
        }
    }

    /// Returns whether the moves out of a state are exactly the moves of the space.
    #[inline]
    pub(super) fn is_bare(&self, state: S::State) -> bool {
        self.is_safe() && self.links.out_of(state).is_empty()
    }

    /// Returns the present cost of a link.
    fn cost(&self, link: LinkId) -> S::Cost {
        cost_of(self.links, &self.space, link, self.links.wait(link))
    }

    /// Returns the directions of links that the agent can enter now.
    #[doc(hidden)]
    pub fn ways(&self) -> impl Iterator<Item = LinkWay<S::State, S::Cost>> + '_ {
        let usable = self.links.all_out().iter().filter(|arc| self.is_usable(arc));
        usable.map(|arc| LinkWay {
            entry: arc.here,
            exit: arc.there,
            places: self.links.way_places(&self.space, arc),
            link: arc.link,
            cost: self.cost(arc.link),
        })
    }

    /// Returns the entrance and the exit of each direction of a link that leads from one state to
    /// another, if the link has exact ends.
    #[doc(hidden)]
    pub fn exact_places(
        &self,
        id: LinkId,
        from: S::State,
        to: S::State,
    ) -> impl Iterator<Item = [Vec3; 2]> + '_ {
        let has_points = self.links.get(id).is_some_and(|link| link.points.is_some());
        let arcs = if has_points { self.links.out_of(from) } else { &[] };
        let arcs = arcs.iter().filter(move |arc| arc.link == id && arc.there == to);
        arcs.map(|arc| self.links.way_places(&self.space, arc))
    }

    /// Returns whether the agent can enter a link in a direction now.
    fn is_usable(&self, arc: &Arc<S::State>) -> bool {
        self.links.admits(arc.link, self.keys)
            && !self.links.is_lost(arc.link)
            && self.space.check(arc.here).is_ok()
            && self.space.check(arc.there).is_ok()
    }

    /// Returns the cheapest usable link from one state to another.
    fn best_link(&self, from: S::State, to: S::State) -> Option<(S::Cost, Action)> {
        let arcs = self.links.out_of(from).iter();
        arcs.filter(|arc| arc.there == to && self.is_usable(arc))
            .map(|arc| (self.cost(arc.link), arc.link))
            .min()
            .map(|(cost, link)| (cost, Action::Link(link.0)))
    }

    /// Returns the edge, or a cheaper link beside it. If several moves join two states, each is
    /// reported as the cheapest: a search that keeps the first path it finds knows of one move
    /// between two states.
    pub(super) fn or_link(&self, from: S::State, edge: EdgeOf<S>) -> EdgeOf<S> {
        match self.best_link(from, edge.target) {
            Some((cost, action)) if cost < edge.cost => Edge { cost, action, ..edge },
            _ => edge,
        }
    }

    /// Returns the cheapest move between two states, by a link or without.
    fn best_move(&self, arc: &Arc<S::State>) -> (S::Cost, Action) {
        let mut best = (self.cost(arc.link), Action::Link(arc.link.0));
        self.space.successors(arc.here, |edge| {
            let cost = || edge.cost.plus(self.delay(arc.here, arc.there));
            if edge.target == arc.there && cost() <= best.0 {
                best = (cost(), edge.action);
            }
        });
        match self.best_link(arc.here, arc.there) {
            Some(link) if link.0 < best.0 => link,
            _ => best,
        }
    }

    /// Visits the states from which a usable link leads into a state.
    pub(super) fn visit_link_entries(&self, state: S::State, mut visit: impl FnMut(S::State)) {
        for arc in self.links.into(state) {
            let arc = arc.turned();
            if self.is_usable(&arc) {
                visit(arc.here);
            }
        }
    }

    /// Visits the moves into a state with its links, the surcharge of danger and the delay of
    /// jams. Compiled once a space.
    #[inline(never)]
    fn visit_overlaid_backwards(&self, state: S::State, visit: &mut dyn FnMut(EdgeOf<S>))
    where
        S: ReverseSpace,
    {
        let surcharge = self.surcharge(state);
        let mut visit = |edge: EdgeOf<S>| {
            let cost = edge.cost.plus(surcharge);
            visit(Edge { cost, ..edge });
        };
        let arcs = self.links.into(state);
        self.space.predecessors(state, |edge| {
            let edge = Edge { cost: edge.cost.plus(self.delay(edge.target, state)), ..edge };
            if arcs.is_empty() {
                return visit(edge);
            }
            let forward = self.or_link(edge.target, Edge { target: state, ..edge });
            visit(Edge { target: edge.target, ..forward });
        });
        for arc in arcs {
            let arc = arc.turned();
            if self.is_usable(&arc) {
                let (cost, action) = self.best_move(&arc);
                visit(Edge { target: arc.here, cost, action });
            }
        }
    }
}

/// Returns a length as a cost, to the nearest whole number. `f64::round` is a call on the baseline
/// of x86-64, and this is asked for every move.
#[inline]
fn cost_of_length<S: Space>(space: &S, length: f32) -> S::Cost {
    let cost = f64::from(length) * space.cost_per_unit();
    let whole = cost as i64;
    S::Cost::from_u64((whole + i64::from(cost - whole as f64 >= 0.5)).cast_unsigned())
}

/// Returns the time as the cost of a walk that takes as long; at least 1, so that no link is free.
fn cost_of<S: Space>(links: &NavLinks<S::State>, space: &S, link: LinkId, wait: u32) -> S::Cost {
    let seconds = links.seconds(space, link) + f64::from(wait);
    let cost = seconds * f64::from(links.reference_speed()) * space.cost_per_unit();
    S::Cost::from_u64((cost.ceil() as u64).max(1))
}

impl<S: Space> Space for LinkedSpace<'_, S> {
    type State = S::State;
    type Cost = S::Cost;
    type Expander = Linked<S::Expander>;

    fn state_bound(&self) -> usize {
        self.space.state_bound()
    }

    /// That of the space with the number of the links' changes: see [`Revision`].
    fn revision(&self) -> Revision {
        self.space.revision().with_links(self.links.revision())
    }

    /// The last edit of the space along the line, the last change of a link that joins the two
    /// states (of any link at the state, if both are the same), and the last changes of danger and
    /// jams.
    fn last_edit(&self, from: S::State, to: S::State) -> Revision {
        let leaving = self.links.out_of(from).iter();
        let entering = self.links.into(to).iter();
        let joins = |arc: &&Arc<S::State>| from == to || arc.there == to;
        let changes = leaving.filter(joins).chain(entering.filter(|_| from == to));
        let last = changes.map(|arc| self.links.last_change(arc.link)).max().unwrap_or_default();
        let away = || self.space.position(from).distance(self.space.position(to));
        let last = last.max(self.links.last_danger_change(to, away));
        let ends = [from, to].map(|state| self.space.position(state));
        let last = last.max(self.links.jams().last_change(ends[0], ends[1]));
        self.space.last_edit(from, to).with_links(last)
    }

    fn check(&self, state: S::State) -> Result<(), Obstruction> {
        self.space.check(state)
    }

    #[inline]
    fn successors(&self, state: S::State, mut visit: impl FnMut(EdgeOf<Self>)) {
        if self.is_bare(state) {
            return self.space.successors(state, visit);
        }
        self.visit_overlaid::<Plain>(state, state, &mut visit);
    }

    fn action(&self, from: S::State, to: S::State) -> Action {
        let arcs = self.links.out_of(from).iter();
        let usable = |arc: &&Arc<S::State>| arc.there == to && self.is_usable(arc);
        match arcs.filter(usable).map(|arc| self.best_move(arc)).min_by_key(|best| best.0) {
            Some((_, action)) => action,
            None => self.space.action(from, to),
        }
    }

    #[inline]
    fn estimate(&self, from: S::State, to: S::State) -> S::Cost {
        self.shortcuts.estimate(self.links, from, to, |a, b| self.space.estimate(a, b))
    }

    /// Follows usable links from island to island. O(links²), whatever the size of the space.
    fn reachability(&self, from: S::State, to: S::State) -> Reachability {
        let are_apart = self.space.reachability(from, to);
        let arcs = self.links.all_out();
        if are_apart == Reachability::Possible || arcs.is_empty() {
            return are_apart;
        }
        if arcs.len() > MOST_FERRIES {
            return Reachability::Possible;
        }
        let joined = |a, b| self.space.reachability(a, b) == Reachability::Possible;
        let (mut reached, mut pending) = ([0u64; MOST_FERRIES / 64], [0u64; MOST_FERRIES / 64]);
        let mut here = from;
        loop {
            for (number, arc) in arcs.iter().enumerate() {
                let (word, bit) = (number / 64, 1 << (number % 64));
                if reached[word] & bit != 0 || !joined(here, arc.here) || !self.is_usable(arc) {
                    continue;
                }
                if joined(arc.there, to) {
                    return Reachability::Possible;
                }
                reached[word] |= bit;
                pending[word] |= bit;
            }
            let Some(word) = pending.iter().position(|&word| word != 0) else { return are_apart };
            here = arcs[word * 64 + pending[word].trailing_zeros() as usize].there;
            pending[word] &= pending[word] - 1;
        }
    }

    #[inline]
    fn position(&self, state: S::State) -> Vec3 {
        self.space.position(state)
    }

    fn cost_per_unit(&self) -> f64 {
        self.space.cost_per_unit()
    }

    /// That of the space, with one unit more for looks at danger and three for looks at jams.
    fn units_an_expansion(&self) -> u64 {
        let danger = u64::from(!self.links.danger().is_empty());
        let jams = 3 * u64::from(!self.links.jams().is_empty());
        self.space.units_an_expansion() + danger + jams
    }
}

impl<S: ReverseSpace> ReverseSpace for LinkedSpace<'_, S> {
    #[inline]
    fn predecessors(&self, state: S::State, mut visit: impl FnMut(EdgeOf<Self>)) {
        if self.is_safe() && self.links.into(state).is_empty() {
            return self.space.predecessors(state, visit);
        }
        self.visit_overlaid_backwards(state, &mut visit);
    }
}

impl<S: Metric> Metric for LinkedSpace<'_, S> {
    /// Shortened as shortcuts require, so that a lower bound in the space is one here.
    fn distance(&self, measure: Measure, from: S::State, to: S::State) -> S::Cost {
        let distance = |a, b| self.space.distance(measure, a, b);
        self.shortcuts.estimate(self.links, from, to, distance)
    }

    fn own_cost(&self, state: S::State) -> S::Cost {
        self.space.own_cost(state).plus(self.surcharge(state))
    }
}

impl<S: LineOfSight> LineOfSight for LinkedSpace<'_, S> {
    const PULLS_TAUT: bool = S::PULLS_TAUT;

    /// Returns the straight line on foot, or a cheaper link that joins the two. No line continues
    /// through a link, or near danger.
    fn line_cost(&self, from: S::State, to: S::State) -> Option<S::Cost> {
        let line = self.line_on_foot(from, to);
        let link = self.best_link(from, to).map(|(cost, _)| cost.plus(self.surcharge(to)));
        line.into_iter().chain(link).min()
    }

    fn segment_is_clear(&self, from: Vec3, to: Vec3) -> bool {
        self.space.segment_is_clear(from, to)
    }

    fn sweep_is_clear(&self, from: Vec3, to: Vec3, radius: f32) -> bool {
        self.space.sweep_is_clear(from, to, radius)
    }

    fn sweep(&self, from: Vec3, to: Vec3, radius: f32) -> Sweep {
        self.space.sweep(from, to, radius)
    }

    fn open_swath(&self, from: Vec3, to: Vec3, radius: f32) -> Option<OpenSwath> {
        self.space.open_swath(from, to, radius)
    }

    fn taut(
        &self,
        from: Vec3,
        states: &[Self::State],
        to: Option<Vec3>,
        radius: f32,
    ) -> Option<Vec<Vec3>> {
        self.space.taut(from, states, to, radius)
    }

    fn follow_ground(&self, from: Vec3, to: Vec3, visit: &mut dyn FnMut(Vec3)) {
        self.space.follow_ground(from, to, visit);
    }
}

impl<S: MoveRules> MoveRules for LinkedSpace<'_, S> {
    /// From the links as described, one by one.
    fn check_move(&self, from: S::State, to: S::State) -> Result<S::Cost, IllegalMove> {
        let on_foot = self.space.check_move(from, to);
        let mut verdict = on_foot.map(|cost| cost.plus(self.delay(from, to)));
        if self.space.check(from).is_err() || self.space.check(to).is_err() {
            return verdict;
        }
        for KnownLink { id, link } in self.links.iter() {
            let leads_there = (link.from, link.to) == (from, to)
                || link.two_way && (link.to, link.from) == (from, to);
            if leads_there && self.links.admits(id, self.keys) && !self.links.is_lost(id) {
                let cost = self.cost(id);
                verdict = Ok(verdict.map_or(cost, |other| other.min(cost)));
            }
        }
        verdict.map(|cost| cost.plus(self.surcharge(to)))
    }
}
