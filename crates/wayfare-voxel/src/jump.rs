//! Jumps through volumes: from a voxel straight to the next ones where a path may have to turn.
//!
//! Jumps follow the canonical moves of [`super::canonical`]: first along three axes at once, then
//! along two, then along one. A blocked voxel can force another turn after a move along one or two
//! axes, never after one along three: its free bounding box already frees every detour.
//!
//! # Why a jump may end early
//!
//! * **At a voxel that raises the estimate of the whole path by more than a limit** ([`SLACK`] and
//!   [`RISE_SHARE`]), or lies further away than the square root of the number of expansions. The
//!   voxel is pushed onto the open list and continued when it is popped. No move is lost.
//! * **At once, in the first [`NEIGHBOURS_FIRST`] expansions.** A search without much in its way
//!   goes straight to its goal, state by state. Jumps would sweep all that lies beside.
//! * **At a voxel that another jump passed as cheaply.** The other one follows all moves that are
//!   needed after its own entry. The rule of canonical moves is valid for any of the best parents
//!   of a state.
//! * **When coming back is cheaper.** Let a jump of length `l` from `s` end at `e`, and let `e` be
//!   known at a cost lower by `saved` than the jump's. Moves through volumes are reversible, so `s`
//!   costs at most `g(s) - saved + 2 · l`. If that is less than `g(s)`, the latter is not its least
//!   cost. The proof in [`super::canonical`] needs only moves out of states at their least cost, so
//!   all jumps of `s` stop until it is reached at a lower cost.
//!
//! Source: T. Nobes, D. Harabor, M. Wybrow, S. Walsh, "The JPS pathfinding system in 3D", 2022.

use wayfare_core::expert::{JumpCourse, JumpVisitor, Jumping};
use wayfare_core::inside::{EndsOf, JumpEnds, LINE_SCANS, NOTED_SCANS};
use wayfare_core::space::{Action, Cost, Edge, EdgeOf};

use super::bits::BitMap;
use super::canonical::{Entered, entered};
use super::cost::volume_length;
use super::expander::VoxelExpander;
use super::layout::{At, Layout, by_axis};
use super::lines::Lines;
use super::volume::{LENGTHS, bit, bits, offset, reachable};
use super::{VOXEL_DIAGONAL, VOXEL_SPACE_DIAGONAL, VOXEL_STRAIGHT, Voxel, VoxelSpace};

/// The least limit of that rise, in cost units. Raising it makes jumps longer and the open list
/// shorter.
const SLACK: u64 = VOXEL_STRAIGHT as u64;

/// By what share of the rise since the start the limit grows. A search that has gone far out of its
/// way goes further still: longer jumps then save more of the open list than they pass in vain.
const RISE_SHARE: u64 = 8;

/// The number of states that a search expands from neighbour to neighbour before it jumps.
const NEIGHBOURS_FIRST: u64 = 320;

/// The jumps out of one voxel.
struct Jumps<'a, R: ?Sized> {
    layout: &'a Layout,
    volume: &'a BitMap,
    lines: &'a Lines,
    entered: &'static [Entered; 27],
    goals: Goals<'a>,
    /// See [`JumpVisitor::scanned`].
    scanned: u32,
    reach: &'a mut R,
}

/// The goals of a query, and the range of jumps.
struct Goals<'a> {
    /// In ascending order of their ids.
    states: &'a [Voxel],
    /// In order of the lines along each axis, if there are several.
    across: [&'a [Voxel]; 3],
    /// The corners of their bounding box.
    corners: [At; 2],
    /// The largest estimate of a path over a voxel that a jump passes.
    most: u64,
    /// The greatest cost of a diagonal from the state.
    reach: u64,
}

/// Returns a voxel with its axes rotated so that `AXIS` is in the middle.
#[inline]
fn turn<const AXIS: usize>(at: At) -> At {
    [at[(AXIS + 2) % 3], at[AXIS], at[(AXIS + 1) % 3]]
}

/// Returns the index of a voxel in the order of the lines along an axis.
fn line_order<const AXIS: usize>(layout: &Layout, at: At) -> Voxel {
    let size = [layout.size.width, layout.size.height, layout.size.depth].map(|side| side as i32);
    let ([x, y, z], [width, height, _]) = (turn::<AXIS>(at), turn::<AXIS>(size));
    Voxel(((z * width + x) * height + y) as u32)
}

/// Returns the length of the shortest path between two voxels in empty space.
#[inline]
fn length_between(from: At, to: At) -> u64 {
    volume_length(by_axis(|axis| from[axis].abs_diff(to[axis])))
}

impl<'a> Goals<'a> {
    fn new(
        layout: &Layout,
        (states, across): (&'a [Voxel], &'a [Voxel]),
        from: At,
        JumpCourse { expanded, rise }: JumpCourse,
    ) -> Self {
        let mut corners = [[i32::MAX; 3], [i32::MIN; 3]];
        for at in states.iter().map(|&goal| layout.at(goal)) {
            let [low, high] = corners;
            corners =
                [by_axis(|axis| low[axis].min(at[axis])), by_axis(|axis| high[axis].max(at[axis]))];
        }
        let (x, rest) = across.split_at(across.len() / 3);
        let (y, z) = rest.split_at(rest.len() / 2);
        let reach = expanded.isqrt() * u64::from(VOXEL_STRAIGHT);
        let mut goals = Self { states, across: [x, y, z], corners, most: 0, reach };
        goals.most = goals.at_least(from) + SLACK + rise / RISE_SHARE;
        goals
    }

    /// Returns the length of the shortest path to the bounding box of the goals in empty space.
    #[inline(always)]
    fn at_least(&self, from: At) -> u64 {
        let [low, high] = self.corners;
        length_between(from, by_axis(|axis| from[axis].max(low[axis]).min(high[axis])))
    }

    /// Returns the number of steps, at least 1, to the next goal on a line.
    #[inline]
    fn next<const AXIS: usize, const UP: bool>(&self, layout: &Layout, from: At) -> u32 {
        if let [_] = self.states {
            let (from, goal) = (turn::<AXIS>(from), turn::<AXIS>(self.corners[0]));
            let ahead = if UP { goal[1] - from[1] } else { from[1] - goal[1] };
            let is_ahead = from[0] == goal[0] && from[2] == goal[2] && ahead > 0;
            return if is_ahead { ahead as u32 } else { u32::MAX };
        }
        // A goal on another line is further away than the end of this one.
        let (from, goals) = (line_order::<AXIS>(layout, from), self.across[AXIS]);
        let after = goals.partition_point(|goal| if UP { *goal <= from } else { *goal < from });
        let next = if UP { goals.get(after) } else { goals[..after].last() };
        next.map_or(u32::MAX, |goal| goal.0.abs_diff(from.0))
    }

    /// Returns whether a jump ends at a voxel that it reaches at `cost`: a goal, or too far from
    /// all goals.
    #[inline(always)]
    fn are_met(&self, layout: &Layout, at: At, cost: u64) -> bool {
        let left = self.at_least(at);
        let is_goal = || match self.states {
            [_] => true,
            goals => goals.binary_search(&layout.voxel(at)).is_ok(),
        };
        cost + left > self.most || cost > self.reach || left == 0 && is_goal()
    }
}

const fn sign(up: bool) -> i32 {
    if up { 1 } else { -1 }
}

/// A jump returns the amount by which its start is known to be reached more cheaply than by the
/// path taken; 0 if it is not. The remaining jumps are then given up.
impl<R: JumpEnds<Voxel> + ?Sized> Jumps<'_, R> {
    /// Ends a jump at a distance `length` from its start.
    #[inline]
    fn end(&mut self, at: At, cost: u64, length: u64) -> u64 {
        let saved = self.reach.end(self.layout.voxel(at), cost + length, 0);
        saved.saturating_sub(2 * length)
    }

    /// Jumps along an axis. `cost` is that of the path up to `from`, counted from the state.
    fn line<const AXIS: usize, const UP: bool>(&mut self, from: At, cost: u64) -> u64 {
        let stop = self.lines.follow::<AXIS, UP>(self.layout, self.volume, from);
        let goal = self.goals.next::<AXIS, UP>(self.layout, from);
        self.scanned += LINE_SCANS + stop.steps / 32;
        if goal > stop.steps && !stop.is_turn {
            return 0;
        }
        let steps = goal.min(stop.steps);
        let mut to = from;
        to[AXIS] += sign(UP) * steps as i32;
        self.end(to, cost, u64::from(steps * VOXEL_STRAIGHT))
    }

    /// Like [`line`](Self::line), if the first voxel is free.
    #[inline(always)]
    fn line_if_free<const AXIS: usize, const UP: bool>(
        &mut self,
        from: At,
        cost: u64,
        cube: u32,
    ) -> u64 {
        let mut step = [0; 3];
        step[AXIS] = sign(UP);
        if cube >> bit(step) & 1 == 1 { self.line::<AXIS, UP>(from, cost) } else { 0 }
    }

    /// Returns whether a diagonal continues at a voxel at a distance `length` from its start.
    ///
    /// `Ok` is the cube around the voxel. `Err` is the return value of the ended jump: at a goal,
    /// at a forced turn, or at a state that another path has passed as cheaply.
    #[inline(always)]
    fn pass<const MAY_TURN: bool>(
        &mut self,
        at: At,
        (cost, length): (u64, u64),
        entered: &Entered,
    ) -> Result<u32, u64> {
        let layout = self.layout;
        self.scanned += 2 * NOTED_SCANS;
        if self.goals.are_met(layout, at, cost + length) {
            return Err(self.end(at, cost, length));
        }
        let cube = self.volume.cube(layout, at);
        if MAY_TURN && entered.turns(cube) {
            return Err(self.end(at, cost, length));
        }
        let is_first = self.reach.part(layout.voxel(at), cost + length);
        if is_first { Ok(cube) } else { Err(0) }
    }

    /// Jumps along two axes at once, and from each voxel along both.
    fn plane<const A: usize, const A_UP: bool, const B: usize, const B_UP: bool>(
        &mut self,
        from: At,
        cost: u64,
        mut cube: u32,
    ) -> u64 {
        let mut step = [0; 3];
        (step[A], step[B]) = (sign(A_UP), sign(B_UP));
        let entered = &self.entered[bit(step) as usize];
        let (mut at, mut length) = (from, 0);
        while !cube & entered.ahead == 0 {
            at[A] += step[A];
            at[B] += step[B];
            length += u64::from(VOXEL_DIAGONAL);
            cube = match self.pass::<true>(at, (cost, length), entered) {
                Ok(cube) => cube,
                Err(saved) => return saved,
            };
            let here = cost + length;
            let mut saved = self.line_if_free::<A, A_UP>(at, here, cube);
            if saved == 0 {
                saved = self.line_if_free::<B, B_UP>(at, here, cube);
            }
            if saved > 0 {
                return saved.saturating_sub(2 * length);
            }
        }
        0
    }

    /// Jumps along three axes at once, and from each voxel along one and two. Nothing forces a
    /// turn.
    fn space<const X_UP: bool, const Y_UP: bool, const Z_UP: bool>(
        &mut self,
        from: At,
        mut cube: u32,
    ) -> u64 {
        let step = [sign(X_UP), sign(Y_UP), sign(Z_UP)];
        let entered = &self.entered[bit(step) as usize];
        let (mut at, mut length) = (from, 0);
        while !cube & entered.ahead == 0 {
            at = by_axis(|axis| at[axis] + step[axis]);
            length += u64::from(VOXEL_SPACE_DIAGONAL);
            cube = match self.pass::<false>(at, (0, length), entered) {
                Ok(cube) => cube,
                Err(saved) => return saved,
            };
            let mut saved = self.line_if_free::<0, X_UP>(at, length, cube);
            if saved == 0 {
                saved = self.line_if_free::<1, Y_UP>(at, length, cube);
            }
            if saved == 0 {
                saved = self.line_if_free::<2, Z_UP>(at, length, cube);
            }
            if saved == 0 {
                saved = self.plane::<0, X_UP, 1, Y_UP>(at, length, cube);
            }
            if saved == 0 {
                saved = self.plane::<0, X_UP, 2, Z_UP>(at, length, cube);
            }
            if saved == 0 {
                saved = self.plane::<1, Y_UP, 2, Z_UP>(at, length, cube);
            }
            if saved > 0 {
                return saved.saturating_sub(2 * length);
            }
        }
        0
    }

    /// Jumps in one direction, given as a bit of a cube.
    fn go(&mut self, direction: u32, from: At, cube: u32) -> u64 {
        match offset(direction) {
            [-1, 0, 0] => self.line::<0, false>(from, 0),
            [1, 0, 0] => self.line::<0, true>(from, 0),
            [0, -1, 0] => self.line::<1, false>(from, 0),
            [0, 1, 0] => self.line::<1, true>(from, 0),
            [0, 0, -1] => self.line::<2, false>(from, 0),
            [0, 0, 1] => self.line::<2, true>(from, 0),
            [-1, -1, 0] => self.plane::<0, false, 1, false>(from, 0, cube),
            [-1, 1, 0] => self.plane::<0, false, 1, true>(from, 0, cube),
            [1, -1, 0] => self.plane::<0, true, 1, false>(from, 0, cube),
            [1, 1, 0] => self.plane::<0, true, 1, true>(from, 0, cube),
            [-1, 0, -1] => self.plane::<0, false, 2, false>(from, 0, cube),
            [-1, 0, 1] => self.plane::<0, false, 2, true>(from, 0, cube),
            [1, 0, -1] => self.plane::<0, true, 2, false>(from, 0, cube),
            [1, 0, 1] => self.plane::<0, true, 2, true>(from, 0, cube),
            [0, -1, -1] => self.plane::<1, false, 2, false>(from, 0, cube),
            [0, -1, 1] => self.plane::<1, false, 2, true>(from, 0, cube),
            [0, 1, -1] => self.plane::<1, true, 2, false>(from, 0, cube),
            [0, 1, 1] => self.plane::<1, true, 2, true>(from, 0, cube),
            [-1, -1, -1] => self.space::<false, false, false>(from, cube),
            [-1, -1, 1] => self.space::<false, false, true>(from, cube),
            [-1, 1, -1] => self.space::<false, true, false>(from, cube),
            [-1, 1, 1] => self.space::<false, true, true>(from, cube),
            [1, -1, -1] => self.space::<true, false, false>(from, cube),
            [1, -1, 1] => self.space::<true, false, true>(from, cube),
            [1, 1, -1] => self.space::<true, true, false>(from, cube),
            _ => self.space::<true, true, true>(from, cube),
        }
    }
}

/// The data that jumps read.
type Place<'a> = (&'a Layout, &'a BitMap, &'a Lines);

/// Like [`visit_jumps`], compiled once and here.
#[inline(never)]
fn visit_shared_jumps(
    place: Place<'_>,
    ends: (Voxel, Voxel),
    goals: (&[Voxel], &[Voxel]),
    reach: &mut dyn JumpEnds<Voxel>,
) -> u32 {
    visit_jumps(place, ends, goals, reach)
}

/// Visits the ends of the jumps out of `state`. Returns their work: see [`JumpVisitor::scanned`].
fn visit_jumps(
    (layout, volume, lines): Place<'_>,
    (parent, state): (Voxel, Voxel),
    goals: (&[Voxel], &[Voxel]),
    reach: &mut (impl JumpEnds<Voxel> + ?Sized),
) -> u32 {
    let cube = volume.near(state).cube();
    let possible = reachable(cube);
    let course = reach.course();
    // The start was not entered by a move, so all of its own are needed.
    if course.expanded <= NEIGHBOURS_FIRST {
        let entry = bit(layout.step(parent, state));
        let needed = entered()[entry as usize].needed(possible, cube);
        let [x, y, z] = layout.around(state);
        for bit in bits(needed) {
            let (ix, iy, iz) = (bit as usize / 3 % 3, bit as usize % 3, bit as usize / 9);
            reach.end(Voxel(x[ix] | y[iy] | z[iz]), u64::from(LENGTHS[bit as usize]), 0);
        }
        return 0;
    }
    let at = layout.at(state);
    let entry = bit(last_step(layout.at(parent), at));
    let needed = entered()[entry as usize].needed(possible, cube);
    let goals = Goals::new(layout, goals, at, course);
    let mut jumps = Jumps { layout, volume, lines, entered: entered(), goals, scanned: 0, reach };
    for direction in bits(needed) {
        if jumps.go(direction, at, cube) > 0 {
            break;
        }
    }
    jumps.scanned
}

/// Returns the last step of a jump: along the axes of its greatest extent.
fn last_step(from: At, to: At) -> At {
    let away: At = by_axis(|axis| to[axis] - from[axis]);
    let most = away.iter().fold(0, |most, part| part.abs().max(most));
    by_axis(|axis| if away[axis].abs() == most { away[axis].signum() } else { 0 })
}

impl<C: Cost> Jumping<VoxelSpace<'_, C>> for VoxelExpander {
    /// The goals in the order of the lines along each axis in turn, if there are several.
    type Memory = Vec<Voxel>;

    const IS_SYMMETRIC: bool = true;

    /// Returns true for agents that only fly, if every move costs its length.
    fn is_possible(space: &VoxelSpace<'_, C>) -> bool {
        space.layer.lines.is_some() && space.layer.costs.is_uniform
    }

    fn prepare(space: &VoxelSpace<'_, C>, goals: &[Voxel], across: &mut Vec<Voxel>) {
        across.clear();
        if goals.len() < 2 {
            return;
        }
        let layout = &space.blocks.layout;
        let orders: [fn(&Layout, At) -> Voxel; 3] =
            [line_order::<0>, line_order::<1>, line_order::<2>];
        for order in orders {
            let begin = across.len();
            across.extend(goals.iter().map(|&goal| order(layout, layout.at(goal))));
            across[begin..].sort_unstable();
        }
    }

    #[inline]
    fn jumps(
        space: &VoxelSpace<'_, C>,
        parent: Voxel,
        state: Voxel,
        goals: &[Voxel],
        across: &Vec<Voxel>,
        reach: &mut impl JumpVisitor<Voxel, C>,
    ) {
        let Some(lines) = &space.layer.lines else { return };
        let place = (&space.blocks.layout, &space.layer.fits, lines);
        let mut ends = EndsOf::new(reach);
        let scanned = visit_jumps(place, (parent, state), (goals, across), &mut ends);
        reach.scanned(scanned);
    }

    fn shared_jumps(
        space: &VoxelSpace<'_, C>,
        parent: Voxel,
        state: Voxel,
        goals: &[Voxel],
        across: &Vec<Voxel>,
        reach: &mut impl JumpVisitor<Voxel, C>,
    ) {
        let Some(lines) = &space.layer.lines else { return };
        let place = (&space.blocks.layout, &space.layer.fits, lines);
        let mut ends = EndsOf::new(reach);
        let scanned = visit_shared_jumps(place, (parent, state), (goals, across), &mut ends);
        reach.scanned(scanned);
    }

    /// Tests one path: that of a jump.
    fn in_sight(space: &VoxelSpace<'_, C>, from: Voxel, goal: Voxel) -> Option<Voxel> {
        let (layout, volume) = (&space.blocks.layout, &space.layer.fits);
        let (mut at, to) = (layout.at(from), layout.at(goal));
        while at != to {
            // Along all axes that are left, as a jump goes.
            let step = by_axis(|axis| (to[axis] - at[axis]).signum());
            if reachable(volume.near(layout.voxel(at)).cube()) >> bit(step) & 1 == 0 {
                return None;
            }
            at = by_axis(|axis| at[axis] + step[axis]);
        }
        Some(goal)
    }

    #[inline]
    fn position(space: &VoxelSpace<'_, C>, state: Voxel) -> At {
        space.blocks.layout.at(state)
    }

    #[inline]
    fn estimate(space: &VoxelSpace<'_, C>, from: Voxel, to: At) -> C {
        C::from_u64(length_between(space.blocks.layout.at(from), to))
    }

    fn retrace(
        space: &VoxelSpace<'_, C>,
        from: Voxel,
        to: Voxel,
        mut visit: impl FnMut(EdgeOf<VoxelSpace<'_, C>>),
    ) {
        let layout = &space.blocks.layout;
        let (from, mut at) = (layout.at(from), layout.at(to));
        while at != from {
            let cost = C::from_u64(length_between(from, at));
            visit(Edge { target: layout.voxel(at), cost, action: Action::Fly });
            let step = last_step(from, at);
            at = by_axis(|axis| at[axis] - step[axis]);
        }
    }
}
