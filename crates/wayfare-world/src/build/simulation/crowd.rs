//! Where the members of a crowd begin.

use std::collections::{BTreeSet, VecDeque};

use glam::Vec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use wayfare::space::{Space, StateId};

use crate::scene::Rectangle;

/// A crowd is not spread over more states than this.
const MOST_SEEN: usize = 1 << 20;

/// Whether a place lies in an area, seen from above. Without an area all do.
pub(super) fn is_inside(area: Option<&Rectangle>, at: Vec3) -> bool {
    area.is_none_or(|Rectangle { min, max }| {
        (min[0]..=max[0]).contains(&at.x) && (min[1]..=max[1]).contains(&at.z)
    })
}

/// Places that can be reached from a state, at most the number asked for: drawn at random from
/// those in the area, or the nearest ones without an area.
pub(super) fn places<S: Space>(
    space: &S,
    from: S::State,
    count: usize,
    area: Option<&Rectangle>,
    seed: u64,
) -> Vec<Vec3> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::from([from.index()]);
    let mut queue = VecDeque::from([from]);
    while let Some(state) = queue.pop_front() {
        let at = space.position(state);
        if is_inside(area, at) {
            found.push(at);
            if area.is_none() && found.len() == count {
                break;
            }
        }
        if seen.len() < MOST_SEEN {
            space.successors(state, |edge| {
                if seen.insert(edge.target.index()) {
                    queue.push_back(edge.target);
                }
            });
        }
    }
    if area.is_some() {
        let mut dice = Pcg32::seed_from_u64(seed);
        for place in 0..found.len().min(count) {
            let other = dice.random_range(place..found.len());
            found.swap(place, other);
        }
    }
    found.truncate(count);
    found
}
