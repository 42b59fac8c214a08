//! A voxel world as one profile sees it: the space that searches run on.

use std::marker::PhantomData;

use glam::Vec3;
use wayfare_core::inside::EditLog;
use wayfare_core::space::{
    Action, Cost, Edge, EdgeOf, Measure, Metric, Obstruction, Reachability, Revision, Space,
};

use super::cost::Offset;
use super::expander::VoxelExpander;
use super::grid::Blocks;
use super::half::SUNK;
use super::layer::{Layer, reach};
use super::layout::{At, by_axis};
use super::touched::last_edit_along;
use super::transfer::transfers;
use super::volume::{LENGTHS, bit, bits, offset, reachable};
use super::{BlockId, BlockKind, Voxel, VoxelFrame, VoxelGrid, VoxelProfile};
use crate::VOXEL_STRAIGHT;

/// A [`VoxelGrid`] with one of its profiles: the space that searches run on. Free to make and copy.
///
/// ```
/// use wayfare::prelude::*;
/// let size = VoxelSize { width: 3, height: 3, depth: 3 };
/// let world = VoxelGrid::new(size, VoxelProfile::flyer())?;
/// let middle = world.voxel(BlockPosition::new(1, 1, 1)).unwrap();
/// let mut moves = 0;
/// world.space().successors(middle, |_| moves += 1);
/// assert_eq!(moves, 26);
/// # Ok::<(), wayfare::space::voxel::VoxelError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct VoxelSpace<'g, C = u32> {
    pub(super) blocks: &'g Blocks,
    pub(super) layer: &'g Layer,
    frame: VoxelFrame,
    revision: Revision,
    edits: &'g EditLog,
    /// Whether the profile that was asked for is one of the world.
    has_profile: bool,
    /// See [`Self::for_bodies`].
    pub(super) is_for_bodies: bool,
    costs: PhantomData<C>,
}

impl<'g, C: Cost> VoxelSpace<'g, C> {
    pub(super) fn new(grid: &'g VoxelGrid, layer: &'g Layer, has_profile: bool) -> Self {
        Self {
            blocks: &grid.blocks,
            layer,
            frame: grid.frame,
            revision: grid.revision,
            edits: &grid.edits,
            has_profile,
            is_for_bodies: false,
            costs: PhantomData,
        }
    }

    /// Returns the space as bodies that avoid each other see it.
    ///
    /// * Lines may cross ground of different costs, and areas where actions cost differently.
    /// * Sweeps also prove the room of bodies one block wide that fly or swim, for a ball. The ball
    ///   may reach out of the water into the air, but into no block, not even the ground that such
    ///   a body walks on: on land there is no room for one with a radius above half a block. The
    ///   room above the ball, up to the height of the body, is proved as that of the ball.
    ///
    /// Moves and their costs are the same.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::LineOfSight;
    /// let size = VoxelSize { width: 4, height: 3, depth: 3 };
    /// let world = VoxelGrid::from_fn(size, &[], VoxelProfile::flyer(), |at| {
    ///     if at == BlockPosition::new(2, 1, 1) { BlockId::SOLID } else { BlockId::AIR }
    /// })?;
    /// let (space, from, to) = (world.space(), Vec3::splat(0.9), Vec3::new(3.5, 0.9, 0.9));
    /// assert!(space.sweep_is_clear(from, to, 0.3), "the middle passes the block");
    /// assert!(!space.for_bodies().sweep_is_clear(from, to, 0.3), "0.14 m away");
    /// # Ok::<(), wayfare::space::voxel::VoxelError>(())
    /// ```
    #[must_use]
    pub fn for_bodies(self) -> Self {
        Self { is_for_bodies: true, ..self }
    }

    /// Returns the profile.
    #[must_use]
    pub fn profile(&self) -> &'g VoxelProfile {
        &self.layer.profile
    }

    pub(super) fn frame(&self) -> VoxelFrame {
        self.frame
    }

    /// Returns whether a body at a state touches a chunk that is not loaded.
    #[must_use]
    pub fn is_at_edge(&self, state: Voxel) -> bool {
        let [x, y, z] = self.blocks.layout.at(state);
        let (low, high) = reach(self.layer.profile.width);
        let height = i32::from(self.layer.profile.height);
        let is_inside = |part: i32, before: i32, after: i32| {
            let within = part & 15;
            within >= before && within + after <= 15
        };
        if is_inside(x, 1 - low, high + 1)
            && is_inside(y, 1, height)
            && is_inside(z, 1 - low, high + 1)
        {
            return self.blocks.get([x, y, z]).is_none(); // all around is the same chunk
        }
        let around = [
            [x + low - 1, y, z],
            [x + high + 1, y, z],
            [x, y - 1, z],
            [x, y + height, z],
            [x, y, z + low - 1],
            [x, y, z + high + 1],
        ];
        around
            .into_iter()
            .any(|at| self.blocks.layout.contains(at) && self.blocks.get(at).is_none())
    }

    /// Returns the offset from one voxel to another.
    #[inline]
    fn offset_of(&self, from: At, to: At) -> Offset {
        let half = if self.layer.halves.is_some() {
            i8::from(self.is_half(to)) - i8::from(self.is_half(from))
        } else {
            0
        };
        let across = [from[0].abs_diff(to[0]), from[2].abs_diff(to[2])];
        Offset { across, rise: to[1] - from[1], half }
    }

    /// Returns the length in world units of a path, given as its states, each with its incoming
    /// action.
    ///
    /// Exact: the sum of the counts of moves along one, two and three axes, times 1, √2 and √3, and
    /// of half blocks up and down.
    #[must_use]
    pub fn length(&self, moves: impl IntoIterator<Item = (Voxel, Action)>) -> f64 {
        let mut counts = [0u64; 3];
        let mut halves = 0i64;
        let mut moves =
            moves.into_iter().map(|(state, action)| (self.blocks.layout.at(state), action));
        let mut before = moves.next();
        for (to, action) in moves {
            let from = before.replace((to, action)).map_or(to, |(from, _)| from);
            let away = by_axis(|axis| u64::from(from[axis].abs_diff(to[axis])));
            if self.is_volume_move(from, to, action) {
                counts[away.iter().filter(|&&part| part > 0).count().clamp(1, 3) - 1] += 1;
            } else {
                counts[0] += away[0].abs_diff(away[2]);
                counts[1] += away[0].min(away[2]);
                halves += i64::from((self.level(to) - self.level(from)).abs());
            }
        }
        let [straight, diagonal, space_diagonal] = counts.map(|count| count as f64);
        (straight
            + halves as f64 / 2.0
            + diagonal * std::f64::consts::SQRT_2
            + space_diagonal * 3f64.sqrt())
            * f64::from(self.frame.block_size)
    }

    /// Returns whether a move between two voxels runs through a volume.
    fn is_volume_move(&self, from: At, to: At, action: Action) -> bool {
        match action {
            Action::Fly => true,
            // Getting into and out of the water is a move over the ground.
            Action::Swim => self.is_in_volume(from) && self.is_in_volume(to),
            _ => false,
        }
    }

    fn is_in_volume(&self, at: At) -> bool {
        self.layer.profile.moves_in_volume() && self.layer.volume().get(&self.blocks.layout, at)
    }

    /// Returns whether a body at a state moves through a volume: it flies, or swims there.
    #[inline]
    #[doc(hidden)]
    pub fn moves_in_volume(&self, state: Voxel) -> bool {
        self.layer.profile.moves_in_volume() && self.layer.volume().get_voxel(state)
    }

    /// Returns the action of a move through a volume, by its end.
    #[inline]
    pub(super) fn volume_action(&self, to: At) -> Action {
        if self.layer.profile.abilities.swim && self.swims(to) { Action::Swim } else { Action::Fly }
    }

    /// Returns the blocks that a move ending at a voxel is charged for: those around the feet, and
    /// the ground below where the feet are in air.
    fn ground(&self, [x, y, z]: At, action: Action) -> impl Iterator<Item = BlockId> {
        let (low, high) = reach(self.layer.profile.width);
        let blocks = self.blocks;
        let places =
            (z + low..=z + high).flat_map(move |z| (x + low..=x + high).map(move |x| (x, z)));
        places.filter_map(move |(x, z)| {
            let feet = blocks.get([x, y, z])?;
            let is_air = blocks.palette[usize::from(feet.0)].kind == BlockKind::Air;
            if is_air && action != Action::Fly { blocks.get([x, y - 1, z]) } else { Some(feet) }
        })
    }

    /// Returns the cost of a move between two voxels by an action.
    #[inline]
    pub(super) fn price(&self, from: At, to: At, action: Action) -> C {
        let (offset, in_volume) = (self.offset_of(from, to), self.is_volume_move(from, to, action));
        C::from_u64(if self.layer.costs.is_uniform {
            offset.length(in_volume)
        } else {
            self.layer.costs.price(offset, (action, in_volume), self.ground(to, action))
        })
    }

    /// Returns the cheapest of the moves that join two voxels.
    ///
    /// If several actions join them at different costs, each is reported as the cheapest: a search
    /// that keeps the first path it finds knows of one move between two states.
    #[inline]
    pub(super) fn cheapest(&self, from: At, to: At, action: Action) -> (C, Action) {
        if self.layer.has_rivals {
            self.cheapest_of_all(from, to)
        } else {
            (self.price(from, to, action), action)
        }
    }

    fn cheapest_of_all(&self, from: At, to: At) -> (C, Action) {
        let mut best = (C::INFINITY, Action::default());
        let mut consider = |to: At, action: Action| {
            let cost = self.price(from, to, action);
            if cost < best.0 {
                best = (cost, action);
            }
        };
        let step = by_axis(|axis| to[axis] - from[axis]);
        if step.iter().all(|part| part.abs() <= 1) && self.is_in_volume(from) {
            let cube = self.layer.volume().near(self.blocks.layout.voxel(from)).cube();
            if reachable(cube) >> bit(step) & 1 == 1 {
                consider(to, self.volume_action(to));
            }
        }
        if let Some(action) = self.ground_move(from, to) {
            consider(to, action);
        }
        if transfers().any(|other| other == step) {
            self.visit_transfer(from, to, &mut consider);
        }
        if step[0] == 0 && step[2] == 0 && step[1] < 0 && self.climbs(from) {
            self.visit_letting_go(from, &mut |end, action| {
                if end == to {
                    consider(end, action);
                }
            });
        }
        best
    }

    /// Visits the moves through volumes among `wanted`.
    #[inline]
    pub(super) fn visit_volume_moves(
        &self,
        state: Voxel,
        at: At,
        wanted: u32,
        visit: &mut impl FnMut(EdgeOf<Self>),
    ) {
        let [x, y, z] = self.blocks.layout.around(state);
        let is_plain = self.layer.costs.is_uniform && !self.layer.has_rivals;
        let is_flyer = !self.layer.profile.abilities.swim;
        for bit in bits(wanted) {
            let (ix, iy, iz) = (bit as usize / 3 % 3, bit as usize % 3, bit as usize / 9);
            let target = Voxel(x[ix] | y[iy] | z[iz]);
            let step = offset(bit);
            let to = by_axis(|axis| at[axis] + step[axis]);
            let action = if is_flyer { Action::Fly } else { self.volume_action(to) };
            let (cost, action) = if is_plain {
                (C::from_u64(u64::from(LENGTHS[bit as usize])), action)
            } else {
                self.cheapest(at, to, action)
            };
            visit(Edge { target, cost, action });
        }
    }

    /// Visits all moves but the moves through volumes. Moves over the ground are pruned as after a
    /// move by `step`.
    #[inline]
    pub(super) fn visit_other_moves(
        &self,
        state: Voxel,
        at: At,
        step: Option<At>,
        visit: &mut impl FnMut(EdgeOf<Self>),
    ) {
        let abilities = self.layer.profile.abilities;
        if !(abilities.walk || abilities.jump || abilities.fall || self.has_transfers()) {
            return;
        }
        if self.layer.stands.get_voxel(state) {
            self.visit_ground_moves(state, at, step, visit);
        }
        if self.layer.halves.is_some() {
            self.visit_half_moves(at, visit);
        }
        let lets_go = abilities.climb && self.layer.climbs.get_voxel(state);
        if lets_go || self.has_transfers() {
            self.visit_rare_moves(at, lets_go, visit);
        }
    }

    /// Visits moves into water, onto ladders and out of them. Compiled once, not once per search:
    /// each such move reads several voxels.
    #[inline(never)]
    fn visit_rare_moves(&self, at: At, lets_go: bool, visit: &mut dyn FnMut(EdgeOf<Self>)) {
        let mut found = |to: At, action: Action| {
            let (cost, action) = self.cheapest(at, to, action);
            visit(Edge { target: self.blocks.layout.voxel(to), cost, action });
        };
        if self.has_transfers() {
            for step in transfers() {
                let to = by_axis(|axis| at[axis] + step[axis]);
                self.visit_transfer(at, to, &mut found);
            }
        }
        if lets_go {
            self.visit_letting_go(at, &mut found);
        }
    }

    /// Returns whether agents of the profile can be at a voxel: stand, swim, cling or fly.
    #[inline]
    pub(super) fn is_state(&self, at: At) -> bool {
        let can_fly = self.layer.profile.abilities.fly;
        self.fits(at) && (can_fly || self.stands(at) || self.swims(at) || self.climbs(at))
            || self.is_half(at)
    }
}

impl<C: Cost> Space for VoxelSpace<'_, C> {
    type State = Voxel;
    type Cost = C;
    type Expander = VoxelExpander;

    fn state_bound(&self) -> usize {
        self.blocks.layout.bound()
    }

    fn revision(&self) -> Revision {
        self.revision
    }

    /// Looks up edits by chunks of 16³ blocks.
    fn last_edit(&self, from: Voxel, to: Voxel) -> Revision {
        let layout = &self.blocks.layout;
        match layout.place(from).zip(layout.place(to)) {
            Some((from, to)) => last_edit_along(self.blocks, self.edits, from, to),
            None => self.revision, // off the map no edits are logged
        }
    }

    fn check(&self, state: Voxel) -> Result<(), Obstruction> {
        let Some(at) = self.blocks.layout.place(state) else { return Err(Obstruction::OffMap) };
        if !self.has_profile {
            return Err(Obstruction::NoSuchProfile);
        }
        if self.is_state(at) {
            return Ok(());
        }
        let Some(block) = self.blocks.get(at) else { return Err(Obstruction::NotLoaded) };
        if self.fits(at) {
            return Err(Obstruction::NoFooting);
        }
        let profile = &self.layer.profile;
        let passes = match self.blocks.palette[usize::from(block.0)].kind {
            BlockKind::Air | BlockKind::Ladder => true,
            BlockKind::Door => profile.opens_doors,
            BlockKind::Water => profile.abilities.swim,
            BlockKind::Lava => profile.abilities.swim && profile.endures_lava,
            BlockKind::Half | BlockKind::Stairs(_) => !profile.abilities.fly,
            BlockKind::Solid | BlockKind::Climbable => false,
        };
        if passes {
            Err(Obstruction::NoRoom { width: profile.width, height: profile.height })
        } else {
            Err(Obstruction::Block { block: block.0 })
        }
    }

    #[inline]
    fn successors(&self, state: Voxel, mut visit: impl FnMut(EdgeOf<Self>)) {
        let at = self.blocks.layout.at(state);
        if self.moves_in_volume(state) {
            let cube = self.layer.volume().near(state).cube();
            self.visit_volume_moves(state, at, reachable(cube), &mut visit);
        }
        self.visit_other_moves(state, at, None, &mut visit);
    }

    /// Returns the same as [`Metric::distance`] by [`Measure::Octile`].
    #[inline]
    fn estimate(&self, from: Voxel, to: Voxel) -> C {
        let (from, to) = (self.blocks.layout.at(from), self.blocks.layout.at(to));
        let offset = self.offset_of(from, to);
        let (costs, in_volume) = (&self.layer.costs, self.layer.profile.moves_in_volume());
        C::from_u64(if costs.is_uniform {
            offset.length(in_volume)
        } else {
            costs.least_along(offset, in_volume)
        })
    }

    /// Is exact after [`VoxelGrid::prepare_regions`] for the profile: "no" exactly for unreachable
    /// goals. A component is then named by the least state of a region: the states of a chunk that
    /// moves within the chunk join in both directions.
    fn reachability(&self, from: Voxel, to: Voxel) -> Reachability {
        let regions = self.layer.regions.as_ref();
        regions.map_or(Reachability::Possible, |regions| regions.reachability(from, to))
    }

    /// Returns the middle of the voxel. On a half block the point half a block higher, less 1/64 of
    /// a block: so it lies in the voxel.
    fn position(&self, state: Voxel) -> Vec3 {
        let at = self.blocks.layout.at(state);
        let [x, mut y, z] = at.map(|part| part as f32 + 0.5);
        if self.is_half(at) {
            y += 0.5 - SUNK;
        }
        self.frame.origin + Vec3::new(x, y, z) * self.frame.block_size
    }

    fn cost_per_unit(&self) -> f64 {
        f64::from(VOXEL_STRAIGHT) / f64::from(self.frame.block_size)
    }

    /// An expansion looks at the blocks of some ten columns.
    fn units_an_expansion(&self) -> u64 {
        4
    }
}

impl<C: Cost> Metric for VoxelSpace<'_, C> {
    /// Is exact in an empty world for [`Measure::Octile`]: for flyers and swimmers with diagonals
    /// along three axes, else with diagonals along the ground and straight moves up and down.
    fn distance(&self, measure: Measure, start: Voxel, end: Voxel) -> C {
        let (from, to) = (self.blocks.layout.at(start), self.blocks.layout.at(end));
        let offset = self.offset_of(from, to);
        let straight = u64::from(VOXEL_STRAIGHT);
        let [x, z] = offset.across.map(|part| u64::from(part) * straight);
        let y = offset.upright();
        let length = match measure {
            Measure::Octile => return self.estimate(start, end),
            Measure::Manhattan => x + y + z,
            Measure::Chebyshev => x.max(y).max(z),
            // The integer diagonals are at most 9·10⁻⁷ shorter than exact ones.
            Measure::Euclidean => {
                let blocks = [x, y, z].map(|part| part as f64 / straight as f64);
                let squares = blocks.map(|part| part * part);
                let sum = squares[0] + squares[1] + squares[2];
                (sum.sqrt() * straight as f64 * (1.0 - 1e-6)) as u64
            }
        };
        C::from_u64(self.layer.costs.least(length))
    }

    fn own_cost(&self, state: Voxel) -> C {
        let at = self.blocks.layout.at(state);
        C::from_u64(self.layer.costs.penalty(self.ground(at, Action::Walk)))
    }
}

wayfare_core::inside::fast_space!(VoxelSpace);
