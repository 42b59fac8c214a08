//! Bodies that keep to the edges of a graph: the order of bodies, and the distances between them.
//!
//! Off its edges a graph has no known ground, so a body cannot turn aside. It follows: it goes no
//! farther than to where it touches the one ahead. Distances are measured along the edges.
//!
//! # Who is ahead
//!
//! Bodies meet at nodes. Each body is sorted into the list of each node that it comes to, with its
//! remaining distance, and into the list of the node that it has left last. Of two bodies heading
//! for one node the nearer one is ahead; at equal distance the one with the lower id. One edge or
//! two makes no difference: two streams merge like the teeth of a zip. A body that has left the
//! node is ahead of bodies that come to it.
//!
//! A body is not blocked by
//! * one in the opposite direction along one of its edges: an edge has a lane in each direction,
//!   and if its width is unknown, both are drawn as one line;
//! * one that stands at the end of its path, or in line for it, unless its own path ends there too;
//! * one on an edge off its own path, which has been waiting there.
//!
//! # Why bodies keep apart
//!
//! Let `b` be blocked by `a`, let `R` be the sum of their radii, and `d` their distance along the
//! edges before a step. In the step `b` goes at most `d - R`, and `a` does not go back. So they are
//! at least `R` apart after it, for any move of `a` and any count of others. All bodies read
//! positions of before the step, so neither order nor threads matter. A body that is nearer than
//! `R` already, since it has come from elsewhere, stands until the other has gone on.
//!
//! Two points at the distances `x` and `y` from a node, on edges with the angle `φ` between them,
//! are at least `(x + y) · sin(φ/2)` apart. So round a corner `R / sin(φ/2)` replaces `R`; for
//! angles below 60°, `2 R` does. Two bodies at distances from a node that differ by `R` are at
//! least `R` apart as well, by the triangle inequality.
//!
//! # Narrow edges
//!
//! Where two cannot pass each other beside an edge, it is a bridge: one direction at a time. A body
//! waits some way before it, so that those who come out have room to step aside,
//! * while others come along the edge;
//! * while another claims it from the other end before it. First claims who can no longer wait,
//!   then who has waited longer, then the nearer one, then the one with the lower id.
//!
//! Claims are ordered totally, and whoever waits comes first in the end: no stream starves the one
//! against it.
//!
//! # Jams
//!
//! At one node the order is total, so one body is first. Round a ring of edges each may wait for
//! the next. Such a ring is looked for among waiting bodies, and one of them passes the one ahead.

use glam::Vec3;

/// No node, or no body.
pub const NONE: u32 = u32::MAX;

/// A body on an edge, before a step.
#[derive(Clone, Debug)]
pub struct LineBody {
    /// Its id. Bodies are added in ascending order of it.
    #[doc(hidden)]
    pub number: u32,
    #[doc(hidden)]
    pub radius: f32,
    #[doc(hidden)]
    pub layers: u32,
    #[doc(hidden)]
    pub mask: u32,
    /// Whether others block it.
    #[doc(hidden)]
    pub yields: bool,
    /// The node at the end of its path for now.
    #[doc(hidden)]
    pub end: u32,
    /// Whether it stands there, or in line for it.
    #[doc(hidden)]
    pub is_parked: bool,
    /// Whether it has been waiting for the one ahead.
    #[doc(hidden)]
    pub waits: bool,
    /// For how long, in seconds.
    #[doc(hidden)]
    pub waited: f32,
    /// The body that it is after: neither blocks the other.
    #[doc(hidden)]
    pub quarry: u32,
    /// The body that it passes, to end a jam.
    #[doc(hidden)]
    pub past: u32,
    #[doc(hidden)]
    pub speed: f32,
    /// How far ahead it looks, in world units: it can stop within that distance.
    #[doc(hidden)]
    pub reach: f32,
    /// The node that it has left last, the distance since, and the direction of its edge.
    #[doc(hidden)]
    pub left: Option<NodeLeft>,
    /// The distance to its bridge; 0 on it.
    #[doc(hidden)]
    pub to_bridge: f32,
    /// Whether it is on its bridge.
    #[doc(hidden)]
    pub is_on_bridge: bool,
}

/// The node where a body's edge begins.
#[derive(Clone, Copy, Debug)]
pub struct NodeLeft {
    #[doc(hidden)]
    pub node: u32,
    /// The node where the edge ends.
    #[doc(hidden)]
    pub to: u32,
    #[doc(hidden)]
    pub distance: f32,
    /// Of length 1.
    #[doc(hidden)]
    pub direction: Vec3,
}

/// A node that a body comes to.
#[derive(Clone, Copy, Debug)]
pub struct NodeAhead {
    #[doc(hidden)]
    pub node: u32,
    #[doc(hidden)]
    pub distance: f32,
    /// The node where the edge to it begins; `NONE` if the body is on no edge.
    #[doc(hidden)]
    pub from: u32,
    /// The node after it; `NONE` if the path ends here for now.
    #[doc(hidden)]
    pub next: u32,
    /// That of the edge to it, of length 1.
    #[doc(hidden)]
    pub direction: Vec3,
}

/// A body met without being blocked by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Meets {
    /// None.
    Nobody,
    /// One that comes towards it, and steps aside as well.
    Counter,
    /// One that stands.
    Parked,
}

/// The body that blocks another.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeldBy {
    /// The distance that it may go, in world units; infinity if it is not blocked.
    #[doc(hidden)]
    pub room: f32,
    /// The index in the network of the blocking body, or `NONE`.
    #[doc(hidden)]
    pub by: u32,
    /// Whether the body that it passes is still beside or ahead of it.
    #[doc(hidden)]
    pub is_passing: bool,
    /// The body that it is about to meet or just passes.
    #[doc(hidden)]
    pub meets: Meets,
}

/// An entry of the list of a node.
#[derive(Clone, Copy, Debug)]
struct Entry<At> {
    body: u32,
    at: At,
}

/// Bodies on the edges of a graph. Keeps nothing from step to step but its memory.
#[derive(Clone, Debug, Default)]
pub struct Network {
    bodies: Vec<LineBody>,
    ahead: Vec<Entry<NodeAhead>>,
    left: Vec<Entry<NodeLeft>>,
    held: Vec<HeldBy>,
    /// The edges of bridges, from node to node, each with the body whose path leads over it.
    bridges: Vec<([u32; 2], u32)>,
    /// For each body the walk that has come to it last.
    walks: Vec<u32>,
    rings: Vec<[u32; 2]>,
}

/// Entries by node, the nearest ones first, then by index. Distances are not negative, so their
/// bits sort as they do.
fn key(node: u32, distance: f32, body: u32) -> (u64, u32) {
    (u64::from(node) << 32 | u64::from(distance.max(0.0).to_bits()), body)
}

/// Returns the least distance of two bodies on two edges of a node, as a multiple of the sum of
/// their radii. `straightness`: 1 for a straight continuation, -1 for a U-turn.
fn corner(straightness: f32) -> f32 {
    ((1.0 + straightness) / 2.0).max(0.25).sqrt().recip()
}

impl Network {
    /// Removes all bodies.
    #[doc(hidden)]
    pub fn clear(&mut self) {
        self.bodies.clear();
        self.ahead.clear();
        self.left.clear();
        self.bridges.clear();
    }

    /// Adds a body, with the nodes that it comes to, and the edges of its bridge.
    #[doc(hidden)]
    pub fn add(
        &mut self,
        body: LineBody,
        ahead: impl Iterator<Item = NodeAhead>,
        bridge: impl Iterator<Item = [u32; 2]>,
    ) {
        let place = self.bodies.len() as u32;
        self.bridges.extend(bridge.map(|edge| (edge, place)));
        self.ahead.extend(ahead.map(|at| Entry { body: place, at }));
        self.left.extend(body.left.map(|at| Entry { body: place, at }));
        self.bodies.push(body);
    }

    /// Returns the bodies, in the order in which they were added.
    #[doc(hidden)]
    pub fn bodies(&self) -> &[LineBody] {
        &self.bodies
    }

    /// Returns the blocking body of each body, since the last [`look`](Self::look).
    #[doc(hidden)]
    pub fn held(&self) -> &[HeldBy] {
        &self.held
    }

    /// Finds the body that blocks each body and, if `looks_aside`, the body that it meets.
    #[doc(hidden)]
    pub fn look(&mut self, looks_aside: bool) {
        let Self { bodies, ahead, left, held, .. } = self;
        held.clear();
        held.resize(
            bodies.len(),
            HeldBy { room: f32::INFINITY, by: NONE, is_passing: false, meets: Meets::Nobody },
        );
        ahead.sort_unstable_by_key(|entry| key(entry.at.node, entry.at.distance, entry.body));
        left.sort_unstable_by_key(|entry| key(entry.at.node, entry.at.distance, entry.body));
        let widest = bodies.iter().map(|body| body.radius).fold(0.0, f32::max);
        let (mut first, mut first_left) = (0, 0);
        while let Some(entry) = ahead.get(first) {
            let node = entry.at.node;
            let count = ahead[first..].iter().take_while(|entry| entry.at.node == node).count();
            first_left +=
                left[first_left..].iter().take_while(|entry| entry.at.node < node).count();
            let after = &left[first_left..];
            let after = &after[..after.iter().take_while(|entry| entry.at.node == node).count()];
            let coming = &ahead[first..first + count];
            for (place, own) in coming.iter().enumerate() {
                if bodies[own.body as usize].yields {
                    let hold = &mut held[own.body as usize];
                    behind_coming(bodies, coming, place, widest, hold);
                    behind_gone(bodies, own, after, widest, hold);
                    if looks_aside {
                        meeting(bodies, coming, place, after, hold);
                    }
                }
            }
            if looks_aside {
                beside_parked(bodies, coming, after, held);
            }
            first += count;
        }
        self.wait_for_bridges();
    }

    /// Lets bodies wait before their bridges for those who come over them, and for others that
    /// claim them against them before them.
    fn wait_for_bridges(&mut self) {
        let Self { bodies, bridges, held, .. } = self;
        bridges.sort_unstable();
        for &([from, to], place) in &*bridges {
            let own = &bodies[place as usize];
            if own.is_on_bridge || !own.yields {
                continue;
            }
            let first = bridges.partition_point(|(edge, _)| *edge < [to, from]);
            let against = bridges[first..].iter().take_while(|(edge, _)| *edge == [to, from]);
            for &(_, by) in against {
                let other = &bodies[by as usize];
                let gap = BEFORE_BRIDGE * (own.radius + other.radius);
                let claim = |body: &LineBody| {
                    let waited = if body.to_bridge < gap { f32::INFINITY } else { body.waited };
                    (body.is_on_bridge, waited, -body.to_bridge, std::cmp::Reverse(body.number))
                };
                if minds(own, other) && !other.is_parked && claim(other) > claim(own) {
                    held[place as usize].take(own, other, by, own.to_bridge - gap);
                }
            }
        }
    }

    /// Returns, for each ring of bodies that wait for each other, the lowest id and the id of the
    /// one ahead of it.
    #[doc(hidden)]
    pub fn rings(&mut self) -> &[[u32; 2]] {
        let Self { bodies, held, walks, rings, .. } = self;
        walks.clear();
        walks.resize(bodies.len(), NONE);
        rings.clear();
        for start in 0..bodies.len() as u32 {
            let mut at = start;
            let goes_on = |at: u32| at != NONE && bodies[at as usize].waits;
            while goes_on(at) && walks[at as usize] == NONE {
                walks[at as usize] = start;
                at = held[at as usize].by;
            }
            if goes_on(at) && walks[at as usize] == start {
                // Every body of the ring is blocked by the next.
                let (end, mut lowest) = (at, at);
                loop {
                    at = held[at as usize].by;
                    if at == end {
                        break;
                    }
                    lowest = lowest.min(at);
                }
                let ahead = held[lowest as usize].by;
                rings.push([lowest, ahead].map(|place| bodies[place as usize].number));
            }
        }
        rings
    }
}

/// Returns whether two bodies block each other at all.
fn minds(own: &LineBody, other: &LineBody) -> bool {
    let sees = own.mask & other.layers != 0 || other.mask & own.layers != 0;
    sees && own.quarry != other.number && other.quarry != own.number
}

impl HeldBy {
    fn take(&mut self, own: &LineBody, other: &LineBody, by: u32, room: f32) {
        // Between the one that it passes and the next one there may be no room.
        if own.past == other.number || own.past != NONE && room < 0.0 {
            self.is_passing = true;
        } else if room < self.room {
            (self.room, self.by) = (room, by);
        }
    }
}

/// Blocks a body by bodies nearer to a node that it comes to.
fn behind_coming(
    bodies: &[LineBody],
    coming: &[Entry<NodeAhead>],
    place: usize,
    widest: f32,
    hold: &mut HeldBy,
) {
    let own_entry = &coming[place];
    let (own, at) = (&bodies[own_entry.body as usize], &own_entry.at);
    let is_counter = |other: &NodeAhead| {
        at.next != NONE && at.next == other.from || other.next != NONE && other.next == at.from
    };
    for entry in coming[..place].iter().rev() {
        let (other, there) = (&bodies[entry.body as usize], &entry.at);
        let apart = at.distance - there.distance;
        if apart > own.reach + own.radius + widest {
            break;
        }
        let passes = other.is_parked && other.end != own.end;
        // A body that turns at the node has the same path until then.
        let is_same_edge = at.from == there.from && at.from != NONE;
        let passes = passes || !is_same_edge && is_counter(there);
        if entry.body == own_entry.body || passes || !minds(own, other) {
            continue;
        }
        let together = own.radius + other.radius;
        let room = if is_same_edge || !other.is_parked {
            apart - together
        } else if there.distance > 0.0 {
            let straightness = -at.direction.dot(there.direction);
            at.distance + there.distance - together * corner(straightness)
        } else {
            at.distance - together
        };
        if is_same_edge || at.distance <= own.reach + together {
            hold.take(own, other, entry.body, room);
        }
    }
}

/// How far before its bridge a body waits, in sums of two radii: those who come out step aside
/// within that distance.
const BEFORE_BRIDGE: f32 = 2.0;

/// The time ahead in which a body looks for others that it meets, in seconds.
const FORESIGHT: f32 = 1.2;

/// Looks for the bodies that a body meets as it comes to a node.
fn meeting(
    bodies: &[LineBody],
    coming: &[Entry<NodeAhead>],
    place: usize,
    gone: &[Entry<NodeLeft>],
    hold: &mut HeldBy,
) {
    let own_entry = &coming[place];
    let (own, at) = (&bodies[own_entry.body as usize], &own_entry.at);
    let mut meet = |body: u32, ahead: f32, meets: Meets| {
        let other = &bodies[body as usize];
        let together = own.radius + other.radius;
        let closing = own.speed + if meets == Meets::Counter { other.speed } else { 0.0 };
        let is_near = -together < ahead && ahead < closing * FORESIGHT + 2.0 * together;
        if is_near && body != own_entry.body && minds(own, other) {
            hold.meets = hold.meets.max(meets);
        }
    };
    let range = |speed: f32| (own.speed + speed) * FORESIGHT + 4.0 * own.radius;
    // Bodies on the other side of the node, or standing on this one.
    for entry in coming {
        let there = &entry.at;
        let other = &bodies[entry.body as usize];
        let is_counter =
            at.next != NONE && at.next == there.from || there.next != NONE && there.next == at.from;
        let is_same_edge = at.from == there.from && at.from != NONE;
        if there.distance > at.distance + range(own.speed * 2.0) {
            break;
        }
        if other.is_parked && other.end != own.end && (is_same_edge || there.from == NONE) {
            meet(entry.body, at.distance - there.distance, Meets::Parked);
        } else if is_counter && !is_same_edge {
            meet(entry.body, at.distance + there.distance, Meets::Counter);
        }
    }
    // Bodies that come along the same edge from the node.
    let widest = range(own.speed * 2.0);
    let first = gone.partition_point(|entry| entry.at.distance < at.distance - widest);
    for entry in &gone[first..] {
        if entry.at.distance > at.distance + widest {
            break;
        }
        if at.from != NONE && entry.at.to == at.from {
            let parked = bodies[entry.body as usize].is_parked;
            let meets = if parked { Meets::Parked } else { Meets::Counter };
            meet(entry.body, at.distance - entry.at.distance, meets);
        }
    }
}

/// Bodies that have just left a node have not yet passed the one that stands there.
fn beside_parked(
    bodies: &[LineBody],
    coming: &[Entry<NodeAhead>],
    gone: &[Entry<NodeLeft>],
    held: &mut [HeldBy],
) {
    let stands = |entry: &&Entry<NodeAhead>| entry.at.from == NONE && entry.at.distance == 0.0;
    for entry in coming.iter().take_while(stands) {
        let other = &bodies[entry.body as usize];
        for left in gone {
            let own = &bodies[left.body as usize];
            if left.at.distance > own.radius * 4.0 {
                break;
            }
            let is_beside = left.at.distance < own.radius + other.radius;
            if is_beside && other.is_parked && minds(own, other) {
                held[left.body as usize].meets = Meets::Parked;
            }
        }
    }
}

/// Blocks a body by bodies that have left a node that it comes to.
fn behind_gone(
    bodies: &[LineBody],
    own_entry: &Entry<NodeAhead>,
    gone: &[Entry<NodeLeft>],
    widest: f32,
    hold: &mut HeldBy,
) {
    let (own, at) = (&bodies[own_entry.body as usize], &own_entry.at);
    for entry in gone {
        let (other, there) = (&bodies[entry.body as usize], &entry.at);
        if at.distance + there.distance > own.reach + (own.radius + widest) * 2.0 {
            break;
        }
        let is_off_way = there.to != at.next;
        let is_counter = there.to == at.from;
        let is_aside = if other.is_parked { other.end != own.end } else { other.waits };
        let passes = is_aside && (other.is_parked || is_off_way);
        if entry.body == own_entry.body || passes || is_counter || !minds(own, other) {
            continue;
        }
        let together = own.radius + other.radius;
        let apart = together * corner(at.direction.dot(there.direction));
        hold.take(own, other, entry.body, at.distance + there.distance - apart);
    }
}
