//! Groups of agents that keep a formation, and their view for callers.
//!
//! `march` brings the members to their slots.

use std::collections::{BTreeSet, VecDeque};

use glam::{Vec2, Vec3};
use wayfare_core::ops;
use wayfare_core::space::StateId;

use super::Roster;
use crate::agent::{AgentId, Formation, GroupId, Order};
use crate::simulation::group_spec::check_shape;
use crate::simulation::{CommandFault, Environment, GroupFault, GroupSpec};

/// The share of the spacing within which a follower is at its slot.
pub(in crate::simulation) const AT_PLACE: f32 = 0.25;

/// A member of a group other than the leader.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) struct Follower {
    pub(in crate::simulation) id: AgentId,
    /// Its slot about the leader; `None` in file.
    pub(in crate::simulation) slot: Option<Vec2>,
    /// Whether it goes in file at present.
    pub(in crate::simulation) is_in_file: bool,
    /// The distance to its slot, in metres; 0 while it has something else to do.
    pub(in crate::simulation) lag: f32,
    /// In file, how far behind the leader it is along the trail, in metres.
    pub(in crate::simulation) behind: f32,
}

/// A group as the simulation keeps it.
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) struct Group {
    pub(in crate::simulation) spec: GroupSpec,
    /// The first member that is present.
    pub(in crate::simulation) leader: Option<AgentId>,
    /// The other members, in the order of the file: the first one behind the leader.
    pub(in crate::simulation) file: Vec<Follower>,
    /// The direction that the formation looks in, in radians from the x axis towards the z axis.
    pub(in crate::simulation) heading: f32,
    /// The past positions of the leader, the latest first.
    pub(in crate::simulation) trail: VecDeque<Vec3>,
    /// Whether the whole group goes in file, as there is no room for its formation.
    pub(in crate::simulation) is_in_file: bool,
    /// For how many ticks the leader has all but stood.
    pub(in crate::simulation) waited: u32,
    /// Orders of the group, the present one first.
    pub(in crate::simulation) orders: VecDeque<Order>,
    /// Whether the leader has been given the present order.
    pub(in crate::simulation) is_under_way: bool,
}

impl Group {
    /// Deals the slots to the present members again.
    pub(in crate::simulation) fn fall_in(&mut self, is_here: impl Fn(AgentId) -> bool) {
        let GroupSpec { members, formation, spacing, .. } = &self.spec;
        let others = members.iter().filter(|&&id| Some(id) != self.leader && is_here(id));
        let count = 1 + others.clone().count();
        self.file.clear();
        self.file.extend((1..).zip(others).map(|(number, &id)| {
            let slot = formation.slot(number, count, *spacing);
            // Until it was looked at it is not at its slot.
            let lag = f32::from(u16::MAX);
            Follower { id, slot, is_in_file: slot.is_none(), lag, behind: 0.0 }
        }));
    }

    /// Followers exchange their slots so that each is near its own: of all pairs of a follower and
    /// a slot the nearest one first, then by exchanges between two. O(n³) for n followers; above 64
    /// they keep theirs.
    pub(in crate::simulation) fn deal_slots(&mut self, leader: Vec3, at: impl Fn(AgentId) -> Vec3) {
        let count = self.file.len();
        if count > 64 {
            return;
        }
        let places: Vec<_> = self.file.iter().map(|follower| at(follower.id) - leader).collect();
        let mut slots: Vec<_> = self.file.iter().filter_map(|follower| follower.slot).collect();
        let mut free: Vec<usize> = (0..count).collect();
        let mut dealt = vec![None; count];
        while !slots.is_empty() && !free.is_empty() {
            let pairs = free.iter().enumerate().flat_map(|(rank, &follower)| {
                slots.iter().enumerate().map(move |(slot, &offset)| (rank, follower, slot, offset))
            });
            let pairs = pairs.map(|(rank, follower, slot, offset)| {
                let off = places[follower] - self.turned(offset);
                (off.x * off.x + off.z * off.z, rank, slot)
            });
            let nearest = pairs.min_by(|a, b| a.0.total_cmp(&b.0));
            let Some((_, rank, slot)) = nearest else { break };
            dealt[free.remove(rank)] = Some(slots.remove(slot));
        }
        // The last ones may have been left with slots on the far side. Two exchange theirs as long
        // as that shortens the sum of the squared distances: then the lines of no two cross. The
        // sum falls with each exchange; the count of rounds is limited to bound the time.
        let far = |follower: usize, slot: Option<Vec2>| {
            slot.map_or(0.0, |slot| {
                let off = places[follower] - self.turned(slot);
                off.x * off.x + off.z * off.z
            })
        };
        for _ in 0..count {
            let mut is_better = false;
            for (a, b) in (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))) {
                let now = far(a, dealt[a]) + far(b, dealt[b]);
                if far(a, dealt[b]) + far(b, dealt[a]) < now * 0.9999 {
                    dealt.swap(a, b);
                    is_better = true;
                }
            }
            if !is_better {
                break;
            }
        }
        for (follower, slot) in self.file.iter_mut().zip(dealt) {
            follower.slot = slot;
        }
    }

    /// Returns the distance of the outermost slot from the leader.
    pub(in crate::simulation) fn reach(&self) -> f32 {
        let slots = self.file.iter().filter_map(|follower| follower.slot);
        slots.map(Vec2::length).fold(0.0, f32::max)
    }

    /// Returns a slot about the leader as an offset in the world.
    pub(in crate::simulation) fn turned(&self, slot: Vec2) -> Vec3 {
        let ops::SinCos { sin, cos } = ops::sin_cos(self.heading);
        Vec3::new(cos * slot.x - sin * slot.y, 0.0, sin * slot.x + cos * slot.y)
    }

    /// Returns whether all are at their slots.
    pub(in crate::simulation) fn is_formed(&self) -> bool {
        self.file.iter().all(|follower| follower.lag <= self.spec.spacing * AT_PLACE)
    }

    /// Returns whether its values are in range. Values read from a file may not be. The members are
    /// known to be agents.
    #[cfg(feature = "serde")]
    pub(in crate::simulation) fn is_sound(&self, is_present: impl Fn(&AgentId) -> bool) -> bool {
        let GroupSpec { members, formation, spacing, patience, .. } = &self.spec;
        let is_point = |point: Vec3| point.is_finite() && point.abs().max_element() < 1e9;
        let mut places = BTreeSet::new();
        let is_length = |length: f32| (0.0..1e9).contains(&length);
        let are_members = self.file.iter().map(|follower| follower.id).chain(self.leader);
        are_members.into_iter().all(|id| members.contains(&id) && places.insert(id))
            && (self.leader.is_some() || self.file.is_empty())
            && members.len() <= GroupSpec::MOST_MEMBERS
            && check_shape(formation, *spacing).is_ok()
            && (*spacing..=10_000.0).contains(patience)
            && self.heading.abs() <= std::f32::consts::PI
            && self.trail.len() <= (members.len() + 5) * 4
            && self.trail.iter().all(|&point| is_point(point))
            && self.orders.iter().all(|order| goal_of(order).is_some_and(is_point))
            && self.file.iter().all(|follower| {
                is_length(follower.lag)
                    && is_length(follower.behind)
                    && follower.slot.is_none_or(|slot| slot.is_finite() && slot.abs().max_element() <= 1e7)
            })
            // Before the first tick a group has no leader.
            && (self.leader.is_none()
                || members.iter().filter(|&id| is_present(id)).all(|id| places.contains(id)))
    }

    /// Visits all its content, as numbers in a fixed order: for a hash.
    pub(in crate::simulation) fn words(&self, mut word: impl FnMut(u64)) {
        let Self { spec, leader, file, heading, trail, waited, orders, .. } = self;
        word(leader.map_or(0, |id| u64::from(id.0) + 1));
        for number in [*heading, spec.spacing, spec.patience] {
            word(u64::from(number.to_bits()));
        }
        word(
            u64::from(*waited) << 2
                | u64::from(self.is_in_file) << 1
                | u64::from(self.is_under_way),
        );
        for follower in file {
            word(u64::from(follower.id.0) << 1 | u64::from(follower.is_in_file));
            let slot = follower.slot.unwrap_or(Vec2::MAX);
            word(u64::from(slot.x.to_bits()) << 32 | u64::from(slot.y.to_bits()));
            word(u64::from(follower.lag.to_bits()) << 32 | u64::from(follower.behind.to_bits()));
        }
        let goals = orders.iter().filter_map(goal_of);
        for point in trail.iter().copied().chain(goals) {
            point.to_array().iter().for_each(|part| word(u64::from(part.to_bits())));
        }
        word(trail.len() as u64);
        word(orders.len() as u64);
    }
}

/// Returns the goal of an order.
pub(in crate::simulation) fn goal_of(order: &Order) -> Option<Vec3> {
    match *order {
        Order::GoTo(to) | Order::Then(to) => Some(to),
        Order::GoToBy { to, .. } | Order::ThenBy { to, .. } => Some(to),
        Order::Cancel => None,
    }
}

impl<State: StateId> Roster<State> {
    /// Makes a group of agents.
    pub(in crate::simulation) fn add_group(
        &mut self,
        spec: GroupSpec,
    ) -> Result<GroupId, GroupFault> {
        let count = spec.members.len();
        if !(1..=GroupSpec::MOST_MEMBERS).contains(&count) {
            return Err(GroupFault::Members(count));
        }
        check_shape(&spec.formation, spec.spacing)?;
        if !(spec.spacing..=10_000.0).contains(&spec.patience) {
            let range = "from the spacing to 10,000";
            let (field, value) = ("patience", spec.patience);
            return Err(GroupFault::OutOfRange { field, value, range });
        }
        let mut seen = BTreeSet::new();
        for &id in &spec.members {
            let agent = self.present(id);
            let agent = agent.filter(|_| seen.insert(id)).ok_or(GroupFault::Member(id))?;
            if agent.group.is_some() {
                return Err(GroupFault::InGroup(id));
            }
        }
        let id = GroupId(u32::try_from(self.groups.len()).map_err(|_| GroupFault::Members(count))?);
        for &member in &spec.members {
            self.agents[member.0 as usize].group = Some(id);
        }
        self.groups.push(Group {
            spec,
            leader: None,
            file: Vec::with_capacity(count - 1),
            heading: 0.0,
            trail: VecDeque::new(),
            is_in_file: false,
            waited: 0,
            orders: VecDeque::new(),
            is_under_way: false,
        });
        Ok(id)
    }

    /// Gives an order to a group.
    pub(in crate::simulation) fn take_group_order<W: Environment<State = State>>(
        &mut self,
        id: GroupId,
        order: Order,
        world: &W,
    ) -> Result<(), CommandFault> {
        let group = self.known_group(id)?;
        if matches!(order, Order::GoTo(_) | Order::GoToBy { .. } | Order::Cancel) {
            group.orders.clear();
            group.is_under_way = false;
        }
        match group.leader {
            _ if order != Order::Cancel => group.orders.push_back(order),
            Some(leader) => return self.take_order(leader, order, world),
            None => {}
        }
        Ok(())
    }

    /// Gives a group another shape.
    pub(in crate::simulation) fn form(
        &mut self,
        id: GroupId,
        formation: Formation,
        spacing: f32,
    ) -> Result<(), CommandFault> {
        check_shape(&formation, spacing).map_err(CommandFault::Group)?;
        let group = self.known_group(id)?;
        (group.spec.formation, group.spec.spacing) = (formation, spacing);
        group.spec.patience = group.spec.patience.max(spacing);
        // It falls in again in the same tick.
        group.leader = None;
        Ok(())
    }

    /// Disbands a group; its members go on as single agents.
    pub(in crate::simulation) fn disband(
        &mut self,
        id: GroupId,
        tick: f32,
    ) -> Result<(), CommandFault> {
        let group = self.known_group(id)?;
        let members = std::mem::take(&mut group.spec.members);
        group.file.clear();
        group.trail.clear();
        group.orders.clear();
        (group.leader, group.is_under_way, group.is_in_file) = (None, false, false);
        for member in members {
            let number = member.0 as usize;
            (self.agents[number].group, self.agents[number].is_alert) = (None, true);
            self.set_march(number, None, tick);
        }
        Ok(())
    }

    /// Returns a group that was not disbanded.
    fn known_group(&mut self, id: GroupId) -> Result<&mut Group, GroupFault> {
        let group = self.groups.get_mut(id.0 as usize);
        let group = group.filter(|group| !group.spec.members.is_empty());
        group.ok_or(GroupFault::NoSuchGroup(id))
    }
}

/// A group as it is now.
///
/// Example: [`GroupSpec`].
#[derive(Debug)]
pub struct GroupView<'s, W: Environment> {
    pub(in crate::simulation) roster: &'s Roster<W::State>,
    pub(in crate::simulation) id: GroupId,
    pub(in crate::simulation) group: &'s Group,
}

/// The slot of a follower in its group.
///
/// Example: [`GroupSpec`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FollowerPlace {
    /// The follower.
    pub follower: AgentId,
    /// Where it is to be now.
    pub at: Vec3,
    /// Whether that is in the file behind the leader, as there is no room for the formation or the
    /// formation is a column.
    pub is_in_file: bool,
}

impl<'s, W: Environment> GroupView<'s, W> {
    /// Returns its id.
    #[must_use]
    pub fn id(&self) -> GroupId {
        self.id
    }

    /// Returns its name, members, shape and patience.
    #[must_use]
    pub fn spec(&self) -> &'s GroupSpec {
        &self.group.spec
    }

    /// Returns the leader; `None` before the first tick, and when all are gone.
    #[must_use]
    pub fn leader(&self) -> Option<AgentId> {
        self.group.leader
    }

    /// Returns the direction that the formation looks in, in radians from the x axis towards the z
    /// axis.
    #[must_use]
    pub fn heading(&self) -> f32 {
        self.group.heading
    }

    /// Returns whether the whole group goes in file, as there is no room for its formation.
    #[must_use]
    pub fn is_in_file(&self) -> bool {
        self.group.is_in_file
    }

    /// Returns the count of orders not yet carried out.
    #[must_use]
    pub fn orders(&self) -> usize {
        self.group.orders.len()
    }

    /// Returns whether all followers are within a quarter of the spacing of their slots, not
    /// counting followers with something else to do.
    #[must_use]
    pub fn is_formed(&self) -> bool {
        self.group.is_formed()
    }

    /// Returns the distance of the follower that is farthest from its slot, in metres.
    #[must_use]
    pub fn lag(&self) -> f32 {
        self.group.file.iter().map(|follower| follower.lag).fold(0.0, f32::max)
    }

    /// Returns the slots of the followers, in the order of the file.
    pub fn places(&self) -> impl Iterator<Item = FollowerPlace> + 's {
        let group = self.group;
        let leader = group.leader.and_then(|id| self.roster.present(id));
        group.file.iter().enumerate().filter_map(move |(number, follower)| {
            let leader = leader?.body.at();
            let slot = follower.slot.filter(|_| !follower.is_in_file);
            let file =
                || group.place_behind(leader, group.rank(number) as f32 * group.spec.spacing);
            let at = slot.map_or_else(file, |slot| leader + group.turned(slot));
            let (follower, is_in_file) = (follower.id, follower.is_in_file);
            Some(FollowerPlace { follower, at, is_in_file })
        })
    }
}
