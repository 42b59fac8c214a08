//! Bodies that keep to the edges of a graph: who is ahead of whom, and how far away.
//!
//! Off its edges a graph knows nothing, so a body cannot turn aside. It follows: it goes no farther
//! than to where it touches the one ahead. Distances are those along the edges.
//!
//! # Who is ahead
//!
//! Bodies meet at nodes. Each body is sorted into the list of each node that it comes to, with the
//! way that is left to it, and into the list of the node that it has left last. Of two on their way
//! to one node the nearer one is ahead; of two as near, the one with the lower number. It does not
//! matter whether they come by one edge or by two: two streams merge as the teeth of a zip. A body
//! that has left the node is ahead of those who come to it.
//!
//! Nobody is held by
//! * one who goes the other way along one of its edges: an edge has a lane in each direction, and
//!   where nothing is known of its width, both are drawn in one place;
//! * one who stands where its way ends, or in line for that place, unless its own way ends there
//!   too;
//! * one on an edge off its own way, who has been waiting there.
//!
//! # Why bodies keep apart
//!
//! Let `b` be held by `a`, let `R` be the sum of their radii, and `d` their distance along the
//! edges before a step. In the step `b` goes at most `d - R`, and `a` does not go back. So they are
//! at least `R` apart after it, whatever `a` does, and however many others there are. All read
//! where all were before the step, so neither order nor threads count. A body that is nearer than
//! `R` already, since it has come from elsewhere, stands until the other has gone on.
//!
//! Two points at the distances `x` and `y` from a node, on edges with the angle `φ` between them,
//! are at least `(x + y) · sin(φ/2)` apart. So round a corner `R / sin(φ/2)` takes the place of
//! `R`; for angles below 60°, `2 R`. Two who come to a node at distances that differ by `R` are at
//! least `R` apart as well, by the inequality of the triangle.
//!
//! # Jams
//!
//! At one node the order is total, so somebody is first. Round a ring of edges each may wait for
//! the next. Such a ring is looked for among those who wait, and one of them passes the one ahead.

use glam::Vec3;

/// No node, or nobody.
pub const NONE: u32 = u32::MAX;

/// A body on an edge, before a step.
#[derive(Clone, Debug)]
pub struct LineBody {
    /// Its number, of those added in ascending order.
    #[doc(hidden)]
    pub number: u32,
    #[doc(hidden)]
    pub radius: f32,
    #[doc(hidden)]
    pub layers: u32,
    #[doc(hidden)]
    pub mask: u32,
    /// Whether it is held by others.
    #[doc(hidden)]
    pub yields: bool,
    /// The node where its way ends for now.
    #[doc(hidden)]
    pub end: u32,
    /// Whether it stands there, or in line for that place.
    #[doc(hidden)]
    pub is_parked: bool,
    /// Whether it has been waiting for the one ahead.
    #[doc(hidden)]
    pub waits: bool,
    /// The one whom it is after: neither holds the other.
    #[doc(hidden)]
    pub quarry: u32,
    /// The one whom it passes, to end a jam.
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
    /// The node after it; `NONE` if the way ends here for now.
    #[doc(hidden)]
    pub next: u32,
    /// That of the edge to it, of length 1.
    #[doc(hidden)]
    pub direction: Vec3,
}

/// Whom a body meets, that it is not held by.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Meets {
    /// Nobody.
    Nobody,
    /// One who comes towards it, and steps aside as well.
    Counter,
    /// One who stands.
    Parked,
}

/// What holds a body.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct HeldBy {
    /// The distance that it may go, in world units; infinity where nobody holds it.
    #[doc(hidden)]
    pub room: f32,
    /// The place in the network of the one who does, or `NONE`.
    #[doc(hidden)]
    pub by: u32,
    /// Whether the one whom it passes is still beside or ahead of it.
    #[doc(hidden)]
    pub is_passing: bool,
    /// Whom it is about to meet or just passes.
    #[doc(hidden)]
    pub meets: Meets,
}

/// An entry of the list of a node.
#[derive(Clone, Copy, Debug)]
struct Entry<At> {
    body: u32,
    at: At,
}

/// Bodies on the edges of a graph. Holds nothing from step to step but its memory.
#[derive(Clone, Debug, Default)]
pub struct Network {
    bodies: Vec<LineBody>,
    ahead: Vec<Entry<NodeAhead>>,
    left: Vec<Entry<NodeLeft>>,
    held: Vec<HeldBy>,
    /// For each body the walk that has come to it last.
    walks: Vec<u32>,
    rings: Vec<[u32; 2]>,
}

/// Entries by node, the nearest ones first, then by number. Distances are not negative, so that
/// their bits sort as they do.
fn key(node: u32, distance: f32, body: u32) -> (u64, u32) {
    (u64::from(node) << 32 | u64::from(distance.max(0.0).to_bits()), body)
}

/// Returns the number of times the sum of two radii that two bodies keep apart who are on two edges
/// of a node. `straightness`: 1 where one edge goes on as the other, -1 where it leads back.
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
    }

    /// Adds a body, with the nodes that it comes to.
    #[doc(hidden)]
    pub fn add(&mut self, body: LineBody, ahead: impl Iterator<Item = NodeAhead>) {
        let place = self.bodies.len() as u32;
        self.ahead.extend(ahead.map(|at| Entry { body: place, at }));
        self.left.extend(body.left.map(|at| Entry { body: place, at }));
        self.bodies.push(body);
    }

    /// Returns the bodies, in the order in which they were added.
    #[doc(hidden)]
    pub fn bodies(&self) -> &[LineBody] {
        &self.bodies
    }

    /// Returns what holds each body, since the last [`look`](Self::look).
    #[doc(hidden)]
    pub fn held(&self) -> &[HeldBy] {
        &self.held
    }

    /// Looks for what holds each body and, if it `looks_aside`, for whom it meets.
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
    }

    /// Of each ring of bodies that wait for each other the one with the lowest number, and the one
    /// ahead of it: their numbers.
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
                // Every body of the ring is held by the next.
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

/// Returns whether two bodies hold each other at all.
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

/// Has a body held by those who are nearer to a node that it comes to.
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
        // Who turns at the node goes the same way until then.
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

/// For how many seconds ahead a body looks for those whom it meets.
const FORESIGHT: f32 = 1.2;

/// Looks for those whom a body meets that comes to a node.
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
    // Those on the other side of the node, or who stand on this one.
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
    // Those who come along the same edge from the node.
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

/// Those who have just left a node have not passed the one who stands there yet.
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

/// Has a body held by those who have left a node that it comes to.
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
