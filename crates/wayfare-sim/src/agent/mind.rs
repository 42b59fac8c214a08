//! The mind of an agent: its orders, and the progress of each behaviour.

use std::collections::VecDeque;

use glam::Vec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use wayfare_core::search::NamedAlgorithm;

use super::behaviour::{AgentId, Behaviour, Order, PatrolOrder};

/// The source of an intent: an order, a behaviour by its index in the list, or the group.
///
/// Example: [`Mind`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Source {
    /// An order.
    Order,
    /// The behaviour with that index.
    Behaviour(u16),
    /// Its slot in its group.
    Group,
}

/// The rest of an order.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Trip {
    pub(super) to: Vec3,
    pub(super) algorithm: Option<NamedAlgorithm>,
}

/// How far a behaviour has come.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Cursor {
    /// Nothing to remember.
    Plain,
    /// A trip that is made once.
    Trip { is_done: bool },
    /// The point of a patrol that is next, and until which tick the agent stays.
    Round { next: u16, is_back: bool, stays_until: u64 },
    /// The agent that is chased or fled from, and the tick until which none is, as it could not be
    /// reached.
    Other { who: Option<AgentId>, idle_until: u64 },
    /// The point of a stroll, once drawn, and the tick until which the agent stays.
    Stroll { home: Vec3, stays_until: u64, is_under_way: bool },
}

impl Cursor {
    /// Returns the cursor of a behaviour before its first tick.
    fn of(behaviour: &Behaviour, home: Vec3) -> Self {
        match behaviour {
            Behaviour::GoTo { .. } => Self::Trip { is_done: false },
            Behaviour::Patrol { start, .. } => {
                Self::Round { next: *start, is_back: false, stays_until: 0 }
            }
            Behaviour::Pursue { .. } | Behaviour::Flee { .. } => {
                Self::Other { who: None, idle_until: 0 }
            }
            Behaviour::Wander { .. } => Self::Stroll { home, stays_until: 0, is_under_way: false },
            Behaviour::Follow { .. } | Behaviour::Idle => Self::Plain,
        }
    }
}

/// The mind of an agent.
///
/// ```
/// use wayfare::agent::{AgentId, Glimpse, Intent, Mind, Sight, Situation, Source, TeamId, decide};
/// use wayfare::prelude::*;
///
/// /// Nobody else is there.
/// struct Alone;
/// impl Sight for Alone {
///     fn agent(&self, _: AgentId) -> Option<Glimpse> {
///         None
///     }
///     fn nearest(&self, _: TeamId, _: Vec3, _: f32, _: AgentId) -> Option<Glimpse> {
///         None
///     }
/// }
///
/// let errands = [Behaviour::GoTo { to: Vec3::X }];
/// let me = AgentId(0);
/// let mut mind = Mind::new(&errands, Vec3::ZERO, 7, me);
/// mind.take(Order::GoTo(Vec3::Z));
/// let now = Situation { me, at: Vec3::ZERO, radius: 0.3, max_speed: 3.0, tick: 0, leader: None };
/// let mut wish = |mind: &mut Mind| match decide(mind, &errands, &now, &Alone).intent {
///     Intent::Go { source, to, .. } => Some((source, to)),
///     _ => None,
/// };
/// assert_eq!(wish(&mut mind), Some((Source::Order, Vec3::Z))); // orders come first
/// mind.arrived(Source::Order, &errands, 1, 0.05);
/// assert_eq!(wish(&mut mind), Some((Source::Behaviour(0), Vec3::X)));
/// ```
#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mind {
    pub(super) orders: VecDeque<Trip>,
    pub(super) cursors: Vec<Cursor>,
    /// Who was chased until lately.
    pub(super) lost: Option<AgentId>,
    seed: u64,
    draws: u32,
}

impl Mind {
    /// Returns the mind of an agent at `home`. Random draws come from the seed and the id of the
    /// agent.
    #[must_use]
    pub fn new(behaviours: &[Behaviour], home: Vec3, seed: u64, agent: AgentId) -> Self {
        let cursors = behaviours.iter().map(|behaviour| Cursor::of(behaviour, home));
        // Agents next to each other must not draw alike.
        let seed = seed ^ u64::from(agent.0).wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        Self { orders: VecDeque::new(), cursors: cursors.collect(), lost: None, seed, draws: 0 }
    }

    /// Replaces the behaviours: each is restarted, at `home`. Orders are kept.
    pub(crate) fn change_behaviours(&mut self, behaviours: &[Behaviour], home: Vec3) {
        self.cursors = behaviours.iter().map(|behaviour| Cursor::of(behaviour, home)).collect();
        self.lost = None;
    }

    /// Returns whether a stay ends at that tick.
    pub(crate) fn wakes_at(&self, tick: u64) -> bool {
        self.cursors.iter().any(|cursor| match *cursor {
            Cursor::Round { stays_until, .. } | Cursor::Stroll { stays_until, .. } => {
                stays_until == tick
            }
            Cursor::Plain | Cursor::Trip { .. } | Cursor::Other { .. } => false,
        })
    }

    /// Returns whether it is a mind for these behaviours. A mind read from a file may not be.
    #[cfg(feature = "serde")]
    pub(crate) fn fits(&self, behaviours: &[Behaviour]) -> bool {
        self.cursors.len() == behaviours.len()
            && self.orders.iter().all(|order| order.to.is_finite())
            && self.cursors.iter().zip(behaviours).all(|(cursor, behaviour)| {
                match (cursor, behaviour) {
                    (Cursor::Round { next, is_back, .. }, Behaviour::Patrol { points, .. }) => {
                        usize::from(*next) < points.len() && !(*is_back && points.len() == 1)
                    }
                    (Cursor::Stroll { home, .. }, Behaviour::Wander { .. }) => home.is_finite(),
                    _ => {
                        let new = Cursor::of(behaviour, Vec3::ZERO);
                        std::mem::discriminant(cursor) == std::mem::discriminant(&new)
                    }
                }
            })
    }

    /// Takes an order.
    pub fn take(&mut self, order: Order) {
        if matches!(order, Order::GoTo(_) | Order::GoToBy { .. } | Order::Cancel) {
            self.orders.clear();
        }
        let algorithm = order.algorithm();
        match order {
            Order::GoTo(to)
            | Order::Then(to)
            | Order::GoToBy { to, .. }
            | Order::ThenBy { to, .. } => self.orders.push_back(Trip { to, algorithm }),
            Order::Cancel => {}
        }
    }

    /// Returns the goals of the orders, the present one first.
    pub fn orders(&self) -> impl ExactSizeIterator<Item = Vec3> + '_ {
        self.orders.iter().map(|order| order.to)
    }

    /// Returns the algorithm that the present order names.
    pub(crate) fn algorithm(&self) -> Option<NamedAlgorithm> {
        self.orders.front().and_then(|order| order.algorithm)
    }

    /// Gives up the present goal of that source, as it cannot be reached: the order, the point of
    /// the patrol, the point drawn; and, until that tick, the chase.
    pub fn give_up(&mut self, source: Source, behaviours: &[Behaviour], until: u64) {
        let place = match source {
            Source::Order => {
                self.orders.pop_front();
                return;
            }
            Source::Group => return,
            Source::Behaviour(place) => usize::from(place),
        };
        let draw = self.draw();
        match (behaviours.get(place), self.cursors.get_mut(place)) {
            (
                Some(Behaviour::Patrol { points, order, .. }),
                Some(Cursor::Round { next, is_back, .. }),
            ) => {
                go_round(next, is_back, (points.len() as u16, *order), draw);
            }
            (_, Some(Cursor::Stroll { is_under_way, .. })) => *is_under_way = false,
            (Some(Behaviour::Pursue { .. }), Some(Cursor::Other { who, idle_until })) => {
                self.lost = who.take();
                *idle_until = until;
            }
            _ => {}
        }
    }

    /// Visits all its content, as numbers in a fixed order: for a hash.
    pub(crate) fn words(&self, mut word: impl FnMut(u64)) {
        let id = |who: Option<AgentId>| who.map_or(0, |who| u64::from(who.0) + 1);
        let mut point = |at: Vec3| at.to_array().map(|part| word(u64::from(part.to_bits())));
        self.orders.iter().for_each(|order| {
            point(order.to);
        });
        self.orders.iter().filter_map(|order| order.algorithm).for_each(|one| word(one.word()));
        word(id(self.lost) << 32 | u64::from(self.draws));
        for cursor in &self.cursors {
            match *cursor {
                Cursor::Plain => word(0),
                Cursor::Trip { is_done } => word(1 + u64::from(is_done)),
                Cursor::Round { next, is_back, stays_until } => {
                    word(u64::from(next) << 1 | u64::from(is_back));
                    word(stays_until);
                }
                Cursor::Other { who, idle_until } => {
                    word(id(who));
                    word(idle_until);
                }
                Cursor::Stroll { stays_until, is_under_way, .. } => {
                    word(stays_until << 1 | u64::from(is_under_way));
                }
            }
        }
    }

    /// Notes that the agent has reached the goal of that source. Stays begin now.
    pub fn arrived(
        &mut self,
        source: Source,
        behaviours: &[Behaviour],
        tick: u64,
        tick_seconds: f32,
    ) {
        self.lost = None;
        let place = match source {
            Source::Order => {
                self.orders.pop_front();
                return;
            }
            Source::Group => return,
            Source::Behaviour(place) => usize::from(place),
        };
        let stay =
            |seconds: f32| tick + (f64::from(seconds) / f64::from(tick_seconds)).ceil() as u64;
        let draw = self.draw();
        let Some(cursor) = self.cursors.get_mut(place) else { return };
        match (behaviours.get(place), cursor) {
            (Some(Behaviour::GoTo { .. }), Cursor::Trip { is_done }) => *is_done = true,
            (
                Some(Behaviour::Patrol { points, order, dwell, .. }),
                Cursor::Round { next, is_back, stays_until },
            ) => {
                *stays_until = stay(*dwell);
                go_round(next, is_back, (points.len() as u16, *order), draw);
            }
            (
                Some(Behaviour::Wander { dwell, .. }),
                Cursor::Stroll { stays_until, is_under_way, .. },
            ) => {
                (*stays_until, *is_under_way) = (stay(*dwell), false);
            }
            _ => {}
        }
    }

    /// Returns the next random number of this agent's own sequence.
    pub fn draw(&mut self) -> u32 {
        self.draws = self.draws.wrapping_add(1);
        let place = u64::from(self.draws).wrapping_mul(0xd1b5_4a32_d192_ed03);
        Pcg32::seed_from_u64(self.seed ^ place).random()
    }
}

/// Advances to the next point of a patrol.
fn go_round(next: &mut u16, is_back: &mut bool, (count, order): (u16, PatrolOrder), draw: u32) {
    let here = *next;
    match order {
        PatrolOrder::Loop => *next = (here + 1) % count,
        _ if count == 1 => {}
        PatrolOrder::PingPong => {
            let is_at_turn = if *is_back { here == 0 } else { here + 1 == count };
            *is_back ^= is_at_turn;
            *next = if *is_back { here - 1 } else { here + 1 };
        }
        // Any but this one.
        PatrolOrder::Random => *next = (here + 1 + (draw % u32::from(count - 1)) as u16) % count,
    }
}
