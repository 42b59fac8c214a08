//! Triangles of an outline with holes, by cutting ears.
//!
//! A bridge joins a hole to its surroundings: a line from its westernmost corner to a visible
//! corner. The result is one loop that may touch itself. An *ear* is a left turn whose triangle
//! holds no other corner. Any such loop has one, so cutting ears ends with triangles. All tests are
//! exact: corners are whole numbers.
//!
//! Corners on straight edges are kept, since neighbours have them too: no ear is cut there, nor one
//! whose third side would pass through them.
//!
//! Source: Meisters, "Polygons have ears", 1975; bridges as in Eberly, "Triangulation by ear
//! clipping", 2002.

use crate::LatticePoint;

/// A corner of the loop. Ends of bridges are in it twice.
#[derive(Clone, Copy)]
struct Corner {
    at: LatticePoint,
    vertex: u32,
    before: u32,
    after: u32,
    /// No left turn: only such corners can lie in an ear.
    reflex: bool,
}

/// Triangles by their vertices, counter-clockwise.
pub(super) struct Ears {
    pub(super) triangles: Vec<[u32; 3]>,
    /// The number of triangles that were cut although the outlines cross themselves.
    pub(super) forced: u32,
}

/// Cuts the area left of all outlines, given as vertices, into triangles.
pub(super) fn cut(vertices: &[LatticePoint], outlines: &[&[u32]]) -> Ears {
    let mut ring = Ring { corners: Vec::new() };
    let mut ears = Ears { triangles: Vec::new(), forced: 0 };
    let doubled = |outline: &[u32]| {
        let at = |index: usize| vertices[outline[index % outline.len()] as usize];
        let origin = vertices[outline[0] as usize];
        (0..outline.len()).map(|index| origin.turn(at(index), at(index + 1))).sum::<i64>()
    };
    let (outer, mut holes): (Vec<&[u32]>, Vec<&[u32]>) =
        outlines.iter().filter(|outline| outline.len() >= 3).partition(|o| doubled(o) > 0);
    let westernmost = |outline: &[u32]| {
        let place = |index: &usize| vertices[outline[*index] as usize].plan();
        (0..outline.len()).min_by_key(|index| (place(index), *index)).unwrap_or_default()
    };
    holes.sort_by_key(|hole| vertices[hole[westernmost(hole)] as usize].plan());
    let mut starts = Vec::new();
    for outline in outer {
        starts.push(ring.insert(vertices, outline, 0));
    }
    for (index, hole) in holes.iter().enumerate() {
        if !ring.bridge(vertices, hole, westernmost(hole), &holes[index + 1..]) {
            ears.forced += 1;
        }
    }
    for start in starts {
        ring.cut_all(start, &mut ears);
    }
    ears
}

struct Ring {
    corners: Vec<Corner>,
}

impl Ring {
    /// Adds a loop of its own. Returns its first corner.
    fn insert(&mut self, vertices: &[LatticePoint], outline: &[u32], start: usize) -> u32 {
        let (base, count) = (self.corners.len() as u32, outline.len() as u32);
        for index in 0..count {
            let vertex = outline[(start + index as usize) % outline.len()];
            self.corners.push(Corner {
                at: vertices[vertex as usize],
                vertex,
                before: base + (index + count - 1) % count,
                after: base + (index + 1) % count,
                reflex: false,
            });
        }
        base
    }

    fn get(&self, corner: u32) -> Corner {
        self.corners[corner as usize]
    }

    fn link(&mut self, before: u32, after: u32) {
        self.corners[before as usize].after = after;
        self.corners[after as usize].before = before;
    }

    /// Joins a hole to the loop so far: to the nearest visible corner.
    ///
    /// Holes come from west to east, so that nothing that is still to come lies west of the
    /// westernmost corner.
    fn bridge(
        &mut self,
        vertices: &[LatticePoint],
        hole: &[u32],
        start: usize,
        to_come: &[&[u32]],
    ) -> bool {
        let count = self.corners.len() as u32;
        let from = vertices[hole[start] as usize];
        let mut candidates: Vec<(i64, u32)> = (0..count)
            .filter(|&corner| self.get(corner).at.plan() != from.plan())
            .map(|corner| (squared_distance(from, self.get(corner).at), corner))
            .collect();
        candidates.sort_unstable();
        let edges_to_come = |outline: &[u32]| -> Vec<[LatticePoint; 2]> {
            let at = |index: usize| vertices[outline[index % outline.len()] as usize];
            (0..outline.len()).map(|index| [at(index), at(index + 1)]).collect()
        };
        let mut others = edges_to_come(hole);
        let mut all_others = false;
        let mut found = None;
        for &(_, corner) in &candidates {
            let candidate = self.get(corner);
            let west = candidate.at.plan() < from.plan();
            if !west && !all_others {
                others.extend(to_come.iter().flat_map(|outline| edges_to_come(outline)));
                all_others = true;
            }
            if self.opens_towards(candidate, from)
                && (0..count).all(|edge| {
                    let edge = self.get(edge);
                    !blocks([candidate.at, from], [edge.at, self.get(edge.after).at])
                })
                && others.iter().all(|&edge| !blocks([candidate.at, from], edge))
            {
                found = Some(corner);
                break;
            }
        }
        let Some(corner) = found else { return false };
        let first = self.insert(vertices, hole, start);
        let last = self.get(first).before;
        // corner → hole … hole → its first corner again → corner again → what came after.
        let again = self.corners.len() as u32;
        let (first_corner, bridge_corner) = (self.get(first), self.get(corner));
        self.corners.push(first_corner);
        self.corners.push(bridge_corner);
        self.link(last, again);
        self.link(again, again + 1);
        self.link(again + 1, bridge_corner.after);
        self.link(corner, first);
        true
    }

    /// Returns whether the inside at a corner contains the direction towards a point.
    fn opens_towards(&self, corner: Corner, point: LatticePoint) -> bool {
        let (before, after) = (self.get(corner.before).at, self.get(corner.after).at);
        let left_of_next = corner.at.turn(after, point) > 0;
        let left_of_previous = before.turn(corner.at, point) > 0;
        if before.turn(corner.at, after) > 0 {
            left_of_next && left_of_previous
        } else {
            left_of_next || left_of_previous
        }
    }

    fn is_reflex(&self, corner: u32) -> bool {
        let Corner { at, before, after, .. } = self.get(corner);
        self.get(before).at.turn(at, self.get(after).at) <= 0
    }

    /// Cuts all ears of a loop.
    fn cut_all(&mut self, start: u32, ears: &mut Ears) {
        let mut reflex = Vec::new();
        let mut left = 0;
        let mut corner = start;
        loop {
            self.corners[corner as usize].reflex = self.is_reflex(corner);
            if self.get(corner).reflex {
                reflex.push(corner);
            }
            left += 1;
            corner = self.get(corner).after;
            if corner == start {
                break;
            }
        }
        let mut refused = 0;
        while left > 2 {
            let Corner { before, after, at, vertex, .. } = self.get(corner);
            let (previous, next) = (self.get(before), self.get(after));
            if previous.at.plan() == next.at.plan() {
                // A bridge that has been cut free on both sides: there and back along one line.
                let beyond = next.after;
                self.link(before, beyond);
                left -= 2;
                self.renew(&[before, beyond], &mut reflex, &[corner, after]);
                corner = before;
                refused = 0;
                continue;
            }
            let forced = refused > left;
            if forced || self.is_ear(corner, &reflex) {
                if previous.at.turn(at, next.at) > 0 {
                    ears.triangles.push([previous.vertex, vertex, next.vertex]);
                }
                ears.forced += u32::from(forced);
                self.link(before, after);
                left -= 1;
                self.renew(&[before, after], &mut reflex, &[corner]);
                corner = next.after;
                refused = 0;
            } else {
                corner = after;
                refused += 1;
            }
        }
    }

    /// Decides again which corners are reflex, and forgets corners that were cut off.
    fn renew(&mut self, changed: &[u32], reflex: &mut Vec<u32>, cut: &[u32]) {
        let mut stale = false;
        for &corner in cut {
            stale |= std::mem::take(&mut self.corners[corner as usize].reflex);
        }
        for &corner in changed {
            let was = self.get(corner).reflex;
            let is = self.is_reflex(corner);
            self.corners[corner as usize].reflex = is;
            if is && !was {
                reflex.push(corner);
            }
            stale |= was && !is;
        }
        if stale {
            reflex.retain(|&corner| self.corners[corner as usize].reflex);
        }
    }

    /// Returns whether the triangle at a corner can be cut off: no other corner lies in it or on
    /// it, unless at one of its own.
    ///
    /// Only reflex corners need to be looked at: of an outline that enters the triangle, the corner
    /// farthest from its third side is one.
    fn is_ear(&self, corner: u32, reflex: &[u32]) -> bool {
        let Corner { at: b, before, after, reflex: own, .. } = self.get(corner);
        if own {
            return false;
        }
        let (a, c) = (self.get(before).at, self.get(after).at);
        let (x0, x1) = (a.x.min(b.x).min(c.x), a.x.max(b.x).max(c.x));
        let (z0, z1) = (a.z.min(b.z).min(c.z), a.z.max(b.z).max(c.z));
        reflex.iter().all(|&other| {
            let p = self.get(other).at;
            if p.x < x0 || p.x > x1 || p.z < z0 || p.z > z1 {
                return true;
            }
            let own = [a, b, c].iter().any(|corner| corner.plan() == p.plan());
            own || a.turn(b, p) < 0 || b.turn(c, p) < 0 || c.turn(a, p) < 0
        })
    }
}

fn squared_distance(a: LatticePoint, b: LatticePoint) -> i64 {
    let (dx, dz) = (i64::from(a.x - b.x), i64::from(a.z - b.z));
    dx * dx + dz * dz
}

/// Returns whether an edge meets a line of sight anywhere except at a common end.
fn blocks([from, to]: [LatticePoint; 2], [a, b]: [LatticePoint; 2]) -> bool {
    if a.x.max(b.x) < from.x.min(to.x)
        || a.x.min(b.x) > from.x.max(to.x)
        || a.z.max(b.z) < from.z.min(to.z)
        || a.z.min(b.z) > from.z.max(to.z)
    {
        return false;
    }
    let is_end =
        |p: LatticePoint, [q, r]: [LatticePoint; 2]| p.plan() == q.plan() || p.plan() == r.plan();
    let between = |p: LatticePoint, [q, r]: [LatticePoint; 2]| {
        q.turn(r, p) == 0
            && !is_end(p, [q, r])
            && (q.x.min(r.x)..=q.x.max(r.x)).contains(&p.x)
            && (q.z.min(r.z)..=q.z.max(r.z)).contains(&p.z)
    };
    if between(a, [from, to]) || between(b, [from, to]) {
        return true;
    }
    if between(from, [a, b]) || between(to, [a, b]) {
        return true;
    }
    let sides =
        [from.turn(to, a), from.turn(to, b), a.turn(b, from), a.turn(b, to)].map(i64::signum);
    sides[0] * sides[1] < 0 && sides[2] * sides[3] < 0
}
