//! The links of a world, beside the spaces that they join.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::danger::Danger;
use super::exact_ends::Places;
use super::filter::Filter;
use super::jams::Jams;
use super::linked_space::LinkedSpace;
use super::{Gate, Keys, LinkId, LinkPoints, NavLink, NavLinkError};
use crate::link::Crossing;
use crate::space::{Revision, Space, StateId};

/// One direction of a link, as seen from one of its ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Arc<State> {
    /// The end that it is seen from.
    pub(super) here: State,
    pub(super) link: LinkId,
    /// The other end.
    pub(super) there: State,
    /// Whether it leads from the second end of the link to the first.
    pub(super) backward: bool,
}

impl<State> Arc<State> {
    /// Returns the same direction, seen from its other end.
    pub(super) fn turned(self) -> Self {
        Self { here: self.there, there: self.here, ..self }
    }
}

/// A link as seen from the state at one of its ends.
///
/// Example: [`KnownLink`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinkEnd<State> {
    /// The link.
    pub link: LinkId,
    /// The state at its other end.
    pub far: State,
}

/// A link with its number.
///
/// ```
/// use wayfare::link::{Crossing, LinkEnd, LinkId, NavLink, NavLinks};
/// use wayfare::prelude::*;
/// let grid = Grid::from_rows(&["..#.."])?;
/// let at = |x| grid.cell(x, 0).unwrap();
/// let mut links = NavLinks::new(2.0);
/// let door = NavLink::new(at(1), at(3), Crossing::Seconds(1.5));
/// let door: LinkId = links.add(&grid.space(), door)?;
/// let known: Vec<_> = links.iter().map(|one| (one.id, one.link.from)).collect();
/// assert_eq!(known, [(door, at(1))]);
/// let exits: Vec<LinkEnd<Cell>> = links.leaving(at(1)).collect();
/// assert_eq!(exits, [LinkEnd { link: door, far: at(3) }]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct KnownLink<'l, State> {
    /// Its number.
    pub id: LinkId,
    /// The link.
    pub link: &'l NavLink<State>,
}

/// The largest number of links: the ids and the two directions of each fit `u32`.
const MOST_LINKS: usize = 1 << 20;

/// The links of a world.
///
/// Links lie beside the space: grids, waypoint graphs and voxel worlds use them alike, and a door
/// that closes does not edit the world.
///
/// ```
/// use wayfare::link::{Crossing, Keys, LinkedSpace, NavLink, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::search::Query;
/// let grid = Grid::from_rows(&["..#..", "..#..", "..#.."])?;
/// let at = |x, y| grid.cell(x, y).unwrap();
/// let mut links = NavLinks::new(2.0); // two metres a second on foot
/// let door = links.add(&grid.space(), NavLink::new(at(1, 1), at(3, 1), Crossing::Seconds(1.5)).locked(Keys(1)))?;
/// let query = || Query::new(at(0, 0), at(4, 2));
/// assert!(!solve(&links.over(grid.space(), Keys::NONE), &AStar::new(), query()).outcome.is_found());
/// let with_key: LinkedSpace<_> = links.over(grid.space(), Keys(1));
/// assert!(solve(&with_key, &AStar::new(), query()).outcome.is_found());
/// links.set_gate(door, wayfare::link::Gate::Closed);
/// assert!(!solve(&links.over(grid.space(), Keys(1)), &AStar::new(), query()).outcome.is_found());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct NavLinks<State> {
    reference_speed: f32,
    pub(super) links: Vec<NavLink<State>>,
    /// The posted wait of each link, in seconds.
    waits: Vec<u32>,
    /// The agents inside each link, as far as searches are told.
    occupants: Vec<u16>,
    /// The exact ends of each link that has some.
    pub(super) places: Vec<Option<Places>>,
    /// How often exact ends of links were elsewhere, or in other states, when they were found
    /// again.
    pub(super) moves: u64,
    /// Every direction of every link, by its first end, then by id.
    pub(super) out: Vec<Arc<State>>,
    /// Every direction of every link, by its second end, then by id.
    pub(super) back: Vec<Arc<State>>,
    filter: Filter,
    pub(super) revision: u64,
    /// The revision of the last change of each link.
    changed: Vec<u64>,
    pub(super) danger: Danger<State>,
    /// The revision of the last change of the danger of each state.
    pub(super) danger_changed: BTreeMap<State, u64>,
    /// The longest move out of any state that was ever in danger.
    pub(super) danger_reach: f32,
    /// Shared with searches under way.
    pub(super) jams: std::sync::Arc<Jams>,
}

impl<State: StateId> NavLinks<State> {
    /// Returns a set without links. `reference_speed`, in metres a second, turns the time of a
    /// crossing into the length of a walk that takes as long. A speed that is not finite and above
    /// 0 counts as 1: the set is then usable, and only the exchange between time and length
    /// differs.
    #[must_use]
    pub fn new(reference_speed: f32) -> Self {
        let is_speed = reference_speed.is_finite() && reference_speed > 0.0;
        Self {
            reference_speed: if is_speed { reference_speed } else { 1.0 },
            links: Vec::new(),
            waits: Vec::new(),
            occupants: Vec::new(),
            places: Vec::new(),
            moves: 0,
            out: Vec::new(),
            back: Vec::new(),
            filter: Filter::over(std::iter::empty()),
            revision: 0,
            changed: Vec::new(),
            danger: Danger::default(),
            danger_changed: BTreeMap::new(),
            danger_reach: 0.0,
            jams: std::sync::Arc::default(),
        }
    }

    /// Adds a link. O(links).
    ///
    /// # Errors
    /// If an end is blocked, both ends are the same, or the time, the speed or the radius of use is
    /// out of range.
    pub fn add<S: Space<State = State>>(
        &mut self,
        space: &S,
        link: NavLink<State>,
    ) -> Result<LinkId, NavLinkError> {
        space.check(link.from).map_err(NavLinkError::From)?;
        space.check(link.to).map_err(NavLinkError::To)?;
        if link.points.map_or(link.from == link.to, |points| points.from == points.to) {
            return Err(NavLinkError::Loop);
        }
        if let Some(LinkPoints { radius, .. }) = link.points
            && !(radius.is_finite() && radius >= 0.0)
        {
            return Err(NavLinkError::Radius(radius));
        }
        match link.crossing {
            Crossing::Seconds(seconds) if !(seconds.is_finite() && seconds >= 0.0) => {
                return Err(NavLinkError::Seconds(seconds));
            }
            Crossing::Speed(speed) if !(speed.is_finite() && speed > 0.0) => {
                return Err(NavLinkError::Speed(speed));
            }
            _ if self.links.len() >= MOST_LINKS => return Err(NavLinkError::TooMany(MOST_LINKS)),
            _ => {}
        }
        let id = self.push(link);
        self.filter_again();
        self.note_change(id, true);
        Ok(id)
    }

    /// Adds the links of `other` that come after those of this set, `count` links in all at most:
    /// as they are, since they had ground when they were added. O(links · links added).
    #[doc(hidden)]
    pub fn add_later(&mut self, other: &Self, count: usize) {
        let known = self.links.len();
        for link in other.links.iter().take(count).skip(known) {
            self.push(*link);
        }
        if self.links.len() > known {
            self.filter_again();
        }
    }

    fn push(&mut self, link: NavLink<State>) -> LinkId {
        let id = LinkId(self.links.len() as u32);
        self.links.push(link);
        self.waits.push(0);
        self.occupants.push(0);
        self.changed.push(0);
        self.places.push(
            link.points.map(|points| Places { places: [points.from, points.to], is_lost: false }),
        );
        self.join(id);
        id
    }

    /// Enters the directions of a link into the lists; none if an end has no ground.
    pub(super) fn join(&mut self, id: LinkId) {
        if self.is_lost(id) {
            return;
        }
        let NavLink { from, to, two_way, .. } = self.links[id.0 as usize];
        let mut join = |from, to, backward| {
            let arc = Arc { here: from, link: id, there: to, backward };
            insert(&mut self.out, arc);
            insert(&mut self.back, arc.turned());
        };
        join(from, to, false);
        if two_way {
            join(to, from, true);
        }
    }

    pub(super) fn filter_again(&mut self) {
        let ends = self.out.iter().chain(&self.back).map(|arc| arc.here.index());
        self.filter = Filter::over(ends.collect::<Vec<_>>().into_iter());
    }

    /// Returns the link with the given id.
    #[must_use]
    pub fn get(&self, id: LinkId) -> Option<&NavLink<State>> {
        self.links.get(id.0 as usize)
    }

    /// Returns all links in order of id.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = KnownLink<'_, State>> + '_ {
        let numbered = self.links.iter().enumerate();
        numbered.map(|(number, link)| KnownLink { id: LinkId(number as u32), link })
    }

    /// Returns the number of links.
    #[must_use]
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Returns whether there are no links.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// Returns the two ends of a link: the states that its changes affect. `None` for an unknown
    /// link, and for one without ground within the radius of use of an end.
    #[must_use]
    pub fn ends(&self, id: LinkId) -> Option<[State; 2]> {
        self.get(id).filter(|_| !self.is_lost(id)).map(|link| [link.from, link.to])
    }

    /// Returns the speed that turns time into length, in metres a second.
    #[must_use]
    pub fn reference_speed(&self) -> f32 {
        self.reference_speed
    }

    /// Sets the gate of a link. Returns whether that changed it.
    pub fn set_gate(&mut self, id: LinkId, gate: Gate) -> bool {
        let Some(link) = self.links.get_mut(id.0 as usize) else { return false };
        let changed = link.gate != gate;
        link.gate = gate;
        self.note_change(id, changed)
    }

    /// Posts the expected wait at a link, in seconds. Searches add it to the time of the crossing.
    /// Returns whether that changed it.
    ///
    /// The wait is rounded to whole seconds, so that small changes do not restart searches, and
    /// clamped to 0 to a day. NaN counts as 0.
    pub fn post_wait(&mut self, id: LinkId, seconds: f32) -> bool {
        const DAY: f32 = 86_400.0;
        let Some(wait) = self.waits.get_mut(id.0 as usize) else { return false };
        let seconds = seconds.clamp(0.0, DAY).round() as u32; // what is not a number becomes 0
        let changed = *wait != seconds;
        *wait = seconds;
        self.note_change(id, changed)
    }

    /// Tells searches the number of agents inside a link. A link with as many as its capacity is
    /// full, and admits nobody; a link without a capacity is never full. Default 0. Returns whether
    /// that changed it.
    ///
    /// For a single answer at this moment. Agents of a simulation wait in line for a full link
    /// instead: there the links count nobody, and [`NavLinks::post_wait`] tells searches the wait.
    ///
    /// ```
    /// use std::num::NonZeroU16;
    /// use wayfare::link::{Crossing, Keys, NavLink, NavLinks};
    /// use wayfare::prelude::*;
    /// use wayfare::search::Query;
    /// let grid = Grid::from_rows(&["..#.."])?;
    /// let [near, far] = [1, 3].map(|x| grid.cell(x, 0).unwrap());
    /// let mut links = NavLinks::new(2.0);
    /// let ladder = NavLink::new(near, far, Crossing::Seconds(4.0)).capacity(NonZeroU16::MIN);
    /// let ladder = links.add(&grid.space(), ladder)?;
    /// links.set_occupants(ladder, 1);
    /// assert!(links.is_full(ladder));
    /// let space = links.over(grid.space(), Keys::NONE);
    /// assert!(!solve(&space, &AStar::new(), Query::new(near, far)).outcome.is_found());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_occupants(&mut self, id: LinkId, agents: u16) -> bool {
        let Some(inside) = self.occupants.get_mut(id.0 as usize) else { return false };
        let changed = *inside != agents;
        *inside = agents;
        self.note_change(id, changed)
    }

    /// Returns the number of agents inside a link: see [`NavLinks::set_occupants`].
    #[must_use]
    pub fn occupants(&self, id: LinkId) -> u16 {
        self.occupants.get(id.0 as usize).copied().unwrap_or(0)
    }

    /// Returns whether a link has no room for another agent: see [`NavLinks::set_occupants`].
    #[must_use]
    pub fn is_full(&self, id: LinkId) -> bool {
        let room = self.get(id).and_then(|link| link.capacity);
        room.is_some_and(|room| self.occupants(id) >= room.get())
    }

    /// Returns whether an agent with the given keys may enter a link: its gate admits the agent,
    /// and it is not full. An unknown link admits nobody.
    #[must_use]
    pub fn admits(&self, id: LinkId, keys: Keys) -> bool {
        self.get(id).is_some_and(|link| link.admits(keys)) && !self.is_full(id)
    }

    /// Takes the next revision for a link, if it changed.
    pub(super) fn note_change(&mut self, id: LinkId, changed: bool) -> bool {
        if changed {
            self.revision += 1;
            self.changed[id.0 as usize] = self.revision;
        }
        changed
    }

    /// Returns the revision after the last change of a link.
    pub(super) fn last_change(&self, id: LinkId) -> Revision {
        Revision(self.changed[id.0 as usize])
    }

    /// Returns the posted wait of a link, in seconds.
    #[must_use]
    pub fn wait(&self, id: LinkId) -> u32 {
        self.waits.get(id.0 as usize).copied().unwrap_or(0)
    }

    /// Returns the number of changes since the set was made.
    #[must_use]
    pub fn revision(&self) -> Revision {
        Revision(self.revision)
    }

    /// Returns the links that leave a state when open, in order of id.
    pub fn leaving(&self, state: State) -> impl Iterator<Item = LinkEnd<State>> + '_ {
        let arcs = self.arcs(&self.out, state).iter();
        arcs.map(|arc| LinkEnd { link: arc.link, far: arc.there })
    }

    /// Returns the links that enter a state when open, in order of id.
    pub fn entering(&self, state: State) -> impl Iterator<Item = LinkEnd<State>> + '_ {
        let arcs = self.arcs(&self.back, state).iter();
        arcs.map(|arc| LinkEnd { link: arc.link, far: arc.there })
    }

    /// States whose moves an edit of the world changed, and the far ends of their links: an edit
    /// that opens or blocks one end of a link changes the moves of the other end too. In ascending
    /// order. O(n log n) for n states and links at them; without links the states as given.
    #[must_use]
    pub fn with_far_ends<'s>(&self, states: &'s [State]) -> Cow<'s, [State]> {
        if self.is_empty() {
            return Cow::Borrowed(states);
        }
        let links =
            states.iter().flat_map(|&state| self.leaving(state).chain(self.entering(state)));
        let mut all: Vec<State> = states.iter().copied().chain(links.map(|end| end.far)).collect();
        all.sort_unstable();
        all.dedup();
        Cow::Owned(all)
    }

    /// Lays the links over a space, as an agent with the given keys sees them. O(links) time, no
    /// memory: call it once a search, not once a move.
    pub fn over<S: Space<State = State>>(&self, space: S, keys: Keys) -> LinkedSpace<'_, S> {
        LinkedSpace::new(self, space, keys)
    }

    /// Returns the directions of links that start at a state.
    #[inline]
    pub(super) fn out_of(&self, state: State) -> &[Arc<State>] {
        self.arcs(&self.out, state)
    }

    /// Returns the directions of links that end at a state.
    #[inline]
    pub(super) fn into(&self, state: State) -> &[Arc<State>] {
        self.arcs(&self.back, state)
    }

    /// Returns every direction of every link.
    pub(super) fn all_out(&self) -> &[Arc<State>] {
        &self.out
    }

    /// Returns the time of the crossing in seconds, without any wait.
    #[doc(hidden)]
    pub fn seconds<S: Space<State = State>>(&self, space: &S, id: LinkId) -> f64 {
        let link = &self.links[id.0 as usize];
        match link.crossing {
            Crossing::Seconds(seconds) => f64::from(seconds),
            Crossing::Speed(speed) => {
                let [from, to] = match self.places[id.0 as usize] {
                    Some(Places { places, .. }) => places,
                    None => [link.from, link.to].map(|state| space.position(state)),
                };
                (to.as_dvec3() - from.as_dvec3()).length() / f64::from(speed)
            }
        }
    }

    #[inline]
    fn arcs<'a>(&self, arcs: &'a [Arc<State>], state: State) -> &'a [Arc<State>] {
        if !self.filter.may_hold(state.index()) {
            return &[];
        }
        let first = arcs.partition_point(|arc| arc.here < state);
        let count = arcs[first..].iter().take_while(|arc| arc.here == state).count();
        &arcs[first..first + count]
    }
}

fn insert<State: StateId>(arcs: &mut Vec<Arc<State>>, arc: Arc<State>) {
    let place = arcs.partition_point(|other| *other < arc);
    arcs.insert(place, arc);
}
