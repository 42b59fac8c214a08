//! Stage 3, the walkable field: floors that can be stood on, each with its four neighbours.

use glam::Vec2;

use crate::distance::Boundary;
use crate::{
    AreaVolume, BakeError, BakeSettings, Ground, Lattice, LatticePoint, SpanField, Window, distance,
};

/// No neighbour in a direction.
pub(crate) const NONE: u32 = u32::MAX;

/// The four sides of a cell, counter-clockwise seen from above.
///
/// Side `d` runs from corner `d` to corner `d + 1` of the cell, with the cell on its left.
/// Corners are counted the same way from the cell's lowest x and z.
///
/// ```
/// use wayfare_bake::CellSide;
///
/// assert_eq!(CellSide::ALL[2], CellSide::East);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum CellSide {
    /// Towards smaller x.
    West = 0,
    /// Towards larger z.
    South = 1,
    /// Towards larger x.
    East = 2,
    /// Towards smaller z.
    North = 3,
}

impl CellSide {
    /// All sides, in the order of their numbers.
    pub const ALL: [CellSide; 4] =
        [CellSide::West, CellSide::South, CellSide::East, CellSide::North];
}

/// Walkable floors and their neighbours: the nodes of regions.
///
/// A *floor* is the top of a span that can be stood on. Two floors of neighbouring columns are
/// linked if they differ by no more than a step and the opening between them is high enough. Links
/// are mutual, and a floor has at most one on each side.
///
/// ```
/// use wayfare_bake::{Bake, BakeSettings, CellSide, LevelGeometry, WalkerShape};
///
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
/// let level =
///     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let bake = Bake::new(&level, BakeSettings::new(WalkerShape::default()))?;
/// let field = bake.field()?;
/// // 20 cells a side, less one to the drop and two to the radius on each side.
/// assert_eq!(field.len(), 14 * 14);
/// assert_eq!(field.neighbour(0, CellSide::West), None);
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct WalkField {
    pub(crate) lattice: Lattice,
    pub(crate) window: Window,
    /// The first floor of each column, and the number of floors at the end.
    pub(crate) first: Vec<u32>,
    pub(crate) column: Vec<u32>,
    pub(crate) height: Vec<u16>,
    pub(crate) area: Vec<Ground>,
    pub(crate) links: Vec<[u32; 4]>,
}

impl WalkField {
    /// Returns the walkable floors of a span field: linked, with volumes applied, and with the
    /// floors nearer than a radius to the edge left out.
    ///
    /// O(spans).
    ///
    /// # Errors
    /// [`BakeError::Memory`].
    pub fn new(
        spans: &SpanField,
        volumes: &[AreaVolume],
        settings: &BakeSettings,
    ) -> Result<Self, BakeError> {
        let walkable = spans.spans.iter().filter(|span| span.ground.is_walkable()).count();
        settings
            .allow("the walkable field", spans.first.len() as u64 * 4 + walkable as u64 * 34)?;
        let (mut field, ceilings) = WalkField::unlinked(spans, walkable);
        field.link(&ceilings, settings.height_cells(), settings.step_cells());
        drop(ceilings);
        let radius = settings.radius_cells();
        if radius > 0 {
            field.erode(radius);
        }
        for volume in volumes {
            field.apply(volume);
        }
        field.compact();
        field.cut_helices();
        Ok(field)
    }

    fn unlinked(spans: &SpanField, walkable: usize) -> (Self, Vec<u16>) {
        let mut field = WalkField {
            lattice: spans.lattice,
            window: spans.window,
            first: Vec::with_capacity(spans.first.len()),
            column: Vec::with_capacity(walkable),
            height: Vec::with_capacity(walkable),
            area: Vec::with_capacity(walkable),
            links: vec![[NONE; 4]; walkable],
        };
        let mut ceilings = Vec::with_capacity(walkable);
        field.first.push(0);
        for column in 0..spans.window.columns() {
            let solids = spans.column(column);
            for (index, span) in solids.iter().enumerate() {
                if span.ground.is_walkable() {
                    field.column.push(column as u32);
                    field.height.push(span.top);
                    field.area.push(span.ground);
                    ceilings.push(solids.get(index + 1).map_or(u16::MAX, |above| above.bottom));
                }
            }
            field.first.push(field.height.len() as u32);
        }
        (field, ceilings)
    }

    /// Returns the lattice that cells are counted by.
    #[must_use]
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Returns the cells that are covered.
    #[must_use]
    pub fn window(&self) -> Window {
        self.window
    }

    /// Returns the number of floors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.height.len()
    }

    /// Returns whether nothing is walkable.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.height.is_empty()
    }

    /// Returns the floors of a column of the window, in ascending order of height.
    #[must_use]
    pub fn floors(&self, column: usize) -> std::ops::Range<usize> {
        match (self.first.get(column), self.first.get(column + 1)) {
            (Some(&from), Some(&to)) => from as usize..to as usize,
            _ => 0..0,
        }
    }

    /// Returns the cell of a floor, and its height: its corner with the lowest x and z.
    ///
    /// Panics if `floor` is not below [`len`](Self::len).
    #[must_use]
    pub fn place(&self, floor: usize) -> LatticePoint {
        let [x, z] = self.window.cell(self.column[floor] as usize);
        LatticePoint { x: x as i32, y: i32::from(self.height[floor]), z: z as i32 }
    }

    /// Returns the kind of a floor: ground of its area.
    ///
    /// Panics if `floor` is not below [`len`](Self::len).
    #[must_use]
    pub fn ground(&self, floor: usize) -> Ground {
        self.area[floor]
    }

    /// Returns the floor that is linked on a side.
    ///
    /// Panics if `floor` is not below [`len`](Self::len).
    #[must_use]
    pub fn neighbour(&self, floor: usize, side: CellSide) -> Option<usize> {
        let linked = self.links[floor][side as usize];
        (linked != NONE).then_some(linked as usize)
    }

    /// Returns the distance of each floor to the nearest floor without all four neighbours, in half
    /// cells: 0 there. At most 6 % more and 8 % less than in a straight line. O(floors).
    ///
    /// ```
    /// use wayfare_bake::{Bake, BakeSettings, LevelGeometry, WalkerShape};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
    /// let level =
    ///     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
    /// let field = Bake::new(&level, BakeSettings::new(WalkerShape::default()))?.field()?;
    /// // 14 cells a side: six steps from the edge to the middle, two half cells each.
    /// assert_eq!(field.edge_distances().into_iter().max(), Some(12));
    /// # Ok::<(), wayfare_bake::BakeError>(())
    /// ```
    #[must_use]
    pub fn edge_distances(&self) -> Vec<u16> {
        distance::to_boundary(self, Boundary::Edge)
    }

    /// Links the floors of neighbouring columns: east and south, which gives west and north.
    fn link(&mut self, ceilings: &[u16], height: u16, step: u16) {
        let (width, depth) = (self.window.width as usize, self.window.depth as usize);
        let fit = Fit { ceilings, height, step };
        for z in 0..depth {
            for x in 0..width {
                let column = z * width + x;
                if self.first[column] == self.first[column + 1] {
                    continue;
                }
                if x + 1 < width {
                    self.link_columns([column, column + 1], CellSide::East, &fit);
                }
                if z + 1 < depth {
                    self.link_columns([column, column + width], CellSide::South, &fit);
                }
            }
        }
    }

    /// Links each floor of one column to the nearest of the other that is mutual: of two floors
    /// in reach the nearer one, and of equally near ones the lower.
    #[inline(always)]
    fn link_columns(&mut self, [here, there]: [usize; 2], side: CellSide, fit: &Fit<'_>) {
        let [ours, theirs] = [here, there]
            .map(|column| self.first[column] as usize..self.first[column + 1] as usize);
        if theirs.is_empty() {
            return;
        }
        if ours.len() == 1 && theirs.len() == 1 {
            if fit.apart(&self.height, ours.start, theirs.start).is_some() {
                self.join(ours.start, theirs.start, side);
            }
            return;
        }
        for a in ours.clone() {
            let Some(b) = fit.nearest(&self.height, a, theirs.clone()) else { continue };
            if fit.nearest(&self.height, b, ours.clone()) == Some(a) {
                self.join(a, b, side);
            }
        }
    }

    /// Links a floor to the one on a side of it, and that one to it.
    #[inline(always)]
    fn join(&mut self, floor: usize, other: usize, side: CellSide) {
        self.links[floor][side as usize] = other as u32;
        self.links[other][(side as usize + 2) % 4] = floor as u32;
    }

    /// Blocks floors that are nearer than `radius` cells to the edge.
    fn erode(&mut self, radius: u32) {
        let distances = distance::to_boundary(self, Boundary::Edge);
        for (area, distance) in self.area.iter_mut().zip(&distances) {
            if u32::from(*distance) < radius * 2 {
                *area = Ground::BLOCKED;
            }
        }
    }

    /// Gives the floors in a volume its area, judged by the middle of each cell.
    fn apply(&mut self, volume: &AreaVolume) {
        let origin = self.lattice.origin();
        let [cell, up] = [self.lattice.cell_size(), self.lattice.cell_height()];
        for floor in 0..self.len() {
            let place = self.place(floor);
            let x = origin.x + (f64::from(place.x) + 0.5) * cell;
            let z = origin.z + (f64::from(place.z) + 0.5) * cell;
            let y = origin.y + f64::from(place.y) * up;
            let between = (f64::from(volume.bottom)..=f64::from(volume.top)).contains(&y);
            if between
                && self.area[floor].is_walkable()
                && volume.holds(Vec2::new(x as f32, z as f32))
            {
                self.area[floor] = volume.ground;
            }
        }
    }

    /// Leaves out the blocked floors, so that a link says that one can walk.
    fn compact(&mut self) {
        let mut renamed = Vec::with_capacity(self.len());
        let mut kept = 0_u32;
        for area in &self.area {
            renamed.push(if area.is_walkable() { kept } else { NONE });
            kept += u32::from(area.is_walkable());
        }
        if kept as usize == self.len() {
            return;
        }
        let mut before = 0;
        let mut floor = 0;
        for first in &mut self.first {
            while floor < *first as usize {
                before += u32::from(renamed[floor] != NONE);
                floor += 1;
            }
            *first = before;
        }
        for (floor, &name) in renamed.iter().enumerate() {
            if name != NONE {
                let to = name as usize;
                self.column[to] = self.column[floor];
                self.height[to] = self.height[floor];
                self.area[to] = self.area[floor];
                self.links[to] = self.links[floor].map(|linked| match linked {
                    NONE => NONE,
                    linked => renamed[linked as usize],
                });
            }
        }
        let kept = kept as usize;
        self.column.truncate(kept);
        self.height.truncate(kept);
        self.area.truncate(kept);
        self.links.truncate(kept);
    }

    /// Cuts links so that four steps around a corner of the lattice come back to the same floor.
    ///
    /// Four platforms around a corner, each a step higher than the last, would lead to the next
    /// storey. The corner then had two heights, and the outline of a region no inside. One of the
    /// links is cut; the agent walks around the corner a cell further out.
    ///
    /// From the only floor of a column four steps come back to it.
    fn cut_helices(&mut self) {
        for ends in self.first.windows(2).filter(|ends| ends[1] - ends[0] > 1) {
            for floor in ends[0] as usize..ends[1] as usize {
                (0..4).for_each(|corner| cut_helix(&mut self.links, floor, corner));
            }
        }
    }
}

/// Cuts a link of a floor if four steps around a corner come back to another floor.
fn cut_helix(links: &mut [[u32; 4]], floor: usize, corner: usize) {
    let (mut at, mut side) = (floor, corner);
    for _ in 0..4 {
        match links[at][side] {
            NONE => return,
            next => (at, side) = (next as usize, (side + 3) % 4),
        }
    }
    if at != floor {
        let other = links[floor][corner] as usize;
        links[floor][corner] = NONE;
        links[other][(corner + 2) % 4] = NONE;
    }
}

/// Which floors of neighbouring columns are linked.
struct Fit<'a> {
    ceilings: &'a [u16],
    height: u16,
    step: u16,
}

impl Fit<'_> {
    /// Returns the difference in height of two floors that can be linked.
    #[inline(always)]
    fn apart(&self, heights: &[u16], a: usize, b: usize) -> Option<u16> {
        let (low, high) = (heights[a].min(heights[b]), heights[a].max(heights[b]));
        let ceiling = self.ceilings[a].min(self.ceilings[b]);
        let fits = high - low <= self.step && ceiling > high && ceiling - high >= self.height;
        fits.then_some(high - low)
    }

    /// Returns the floor that a floor could be linked to with the least difference in height.
    fn nearest(
        &self,
        heights: &[u16],
        from: usize,
        among: std::ops::Range<usize>,
    ) -> Option<usize> {
        let nearest =
            among.filter_map(|to| self.apart(heights, from, to).map(|difference| (difference, to)));
        nearest.min().map(|(_, to)| to)
    }
}
