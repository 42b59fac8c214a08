//! Obstacles and areas of level designers: prisms that change the ground inside them.

use glam::{DVec2, Vec2, Vec3};
use wayfare_core::inside::convex_hull;
use wayfare_core::ops;

use super::carve::{Hole, around_circle, coarsely_around_circle};
use super::plan::plan;
use super::recut::Holes;
use super::{AreaId, NavMesh, PolygonId};

/// Why a prism cannot be made.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PrismError {
    /// A value is NaN, infinite or beyond ±16,777,216.
    #[error("the prism has the number {value}; it must lie within ±16777216")]
    Number {
        /// The value.
        value: f32,
    },
    /// The outline has no area, or a size is 0 or less.
    #[error("the prism is thinner than a millimetre seen from above")]
    Thin,
    /// The lowest height is above the highest one.
    #[error("the prism ends at height {highest}, below its beginning at {lowest}")]
    UpsideDown {
        /// The lowest height.
        lowest: f32,
        /// The highest height.
        highest: f32,
    },
}

/// The largest radius in metres of a cylinder with 8 sides: its corners lie 8.24 % outside, 10 cm.
const COARSE: f32 = 1.2;

/// An upright prism over a convex outline, in metres; y is up.
///
/// ```
/// use wayfare::prelude::*;
/// use wayfare::space::navmesh::Prism;
/// let pillar = Prism::cylinder(Vec3::new(4.0, 0.0, 2.0), 0.5, 3.0)?;
/// assert!(pillar.grown(0.3, 1.8).contains(Vec3::new(4.7, -1.0, 2.0)));
/// assert!(!pillar.contains(Vec3::new(4.7, 0.0, 2.0)));
/// # Ok::<(), wayfare::space::navmesh::PrismError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Prism {
    /// Counter-clockwise, in plan.
    outline: Vec<DVec2>,
    lowest: f32,
    highest: f32,
}

impl Prism {
    /// Returns the prism from height `lowest` to `highest` over the convex hull of points, seen
    /// from above.
    ///
    /// # Errors
    /// If a value is out of range, the hull is thinner than a millimetre, or `lowest` is above
    /// `highest`.
    pub fn over(points: &[Vec3], lowest: f32, highest: f32) -> Result<Self, PrismError> {
        let numbers = points.iter().flat_map(|point| [point.x, point.z]);
        let is_wrong = |value: &f32| value.is_nan() || value.abs() > 16_777_216.0;
        if let Some(value) = numbers.chain([lowest, highest]).find(is_wrong) {
            return Err(PrismError::Number { value });
        }
        if lowest > highest {
            return Err(PrismError::UpsideDown { lowest, highest });
        }
        let outline = convex_hull(points.iter().map(|&point| plan(point)).collect());
        let is_thick = (0..outline.len()).all(|side| {
            let (a, b) = (outline[side], outline[(side + 1) % outline.len()]);
            let inwards = (b - a).perp().normalize_or_zero();
            outline.iter().any(|&corner| (corner - a).dot(inwards) >= 1e-3)
        });
        if outline.len() < 3 || !is_thick {
            return Err(PrismError::Thin);
        }
        Ok(Self { outline, lowest, highest })
    }

    /// Returns a box with these sides, turned about the vertical axis by `yaw` radians from x
    /// towards -z.
    ///
    /// # Errors
    /// As [`Prism::over`].
    pub fn cuboid(centre: Vec3, half_extents: Vec3, yaw: f32) -> Result<Self, PrismError> {
        let ops::SinCos { sin, cos } = ops::sin_cos(yaw);
        let corners = [[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0], [-1.0, 1.0]].map(|[x, z]| {
            let (x, z) = (x * half_extents.x, z * half_extents.z);
            centre + Vec3::new(cos * x + sin * z, 0.0, cos * z - sin * x)
        });
        Self::over(&corners, centre.y - half_extents.y, centre.y + half_extents.y)
    }

    /// Returns an upright cylinder that stands on a point. Its circle becomes 8 sides around it, at
    /// most 10 cm farther out; with a radius above 1.2 m it becomes 16 sides, at most 2 % farther
    /// out. Each side is a polygon of the carved mesh: few sides make edits and searches fast.
    /// [`Prism::over`] takes any outline.
    ///
    /// # Errors
    /// As [`Prism::over`].
    pub fn cylinder(foot: Vec3, radius: f32, height: f32) -> Result<Self, PrismError> {
        if radius <= 0.0 {
            return Err(PrismError::Thin);
        }
        let outline: Vec<DVec2> = match radius <= COARSE {
            true => coarsely_around_circle(f64::from(radius)).collect(),
            false => around_circle(f64::from(radius)).collect(),
        };
        let corner = |offset: &DVec2| foot + Vec3::new(offset.x as f32, 0.0, -offset.y as f32);
        let corners: Vec<Vec3> = outline.iter().map(corner).collect();
        Self::over(&corners, foot.y, foot.y + height)
    }

    /// Returns the prism that the middle of a body must stay out of: `radius` metres wider on all
    /// sides, with corners rounded to at most 2 % more, and `height` metres deeper, since obstacles
    /// that hang lower than a body's head stop it. Values below 0 count as 0.
    #[must_use]
    pub fn grown(&self, radius: f32, height: f32) -> Self {
        let mut outline = self.outline.clone();
        if radius > 0.0 {
            let corners = self.outline.iter();
            outline = convex_hull(
                corners
                    .flat_map(|&corner| {
                        around_circle(f64::from(radius)).map(move |offset| corner + offset)
                    })
                    .collect(),
            );
        }
        Self { outline, lowest: self.lowest - height.max(0.0), highest: self.highest }
    }

    /// Returns the outline in plan, counter-clockwise.
    pub(super) fn outline(&self) -> &[DVec2] {
        &self.outline
    }

    /// Returns whether a point lies inside.
    #[must_use]
    pub fn contains(&self, point: Vec3) -> bool {
        let at = plan(point);
        let sides = (0..self.outline.len())
            .map(|side| (self.outline[side], self.outline[(side + 1) % self.outline.len()]));
        (self.lowest..=self.highest).contains(&point.y)
            && sides.into_iter().all(|(a, b)| (b - a).perp_dot(at - a) >= 0.0)
    }
}

/// The ground inside a prism.
///
/// Example: [`NavMesh::carved`](super::NavMesh::carved).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CarvedGround {
    /// Blocked: an obstacle.
    Blocked,
    /// Ground of that area: mud, a road, a forbidden zone.
    Area(AreaId),
}

/// A prism, and the ground inside it.
///
/// Example: [`NavMesh::carved`](super::NavMesh::carved).
#[derive(Clone, PartialEq, Debug)]
pub struct Carving {
    /// Where the ground changes: where its height lies between the prism's lowest and highest one.
    pub prism: Prism,
    /// The ground inside.
    pub ground: CarvedGround,
}

impl NavMesh {
    /// Returns this mesh with other ground inside prisms, in the same profiles. Where prisms
    /// overlap, blocked ground stays blocked; of areas the last one counts.
    ///
    /// A prism takes effect on the polygons with ground inside it: a crate on one floor changes
    /// nothing on the floor above. To leave room for bodies, carve [grown](Prism::grown) prisms, or
    /// [narrow](Self::narrowed) the carved mesh.
    ///
    /// Time: O(n log n) for n corners of the mesh, and O(p × s²) for the p pieces that s sides of
    /// prisms cut a polygon into.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// use wayfare::space::navmesh::{CarvedGround, Carving, MeshDraft, NavMesh, Prism};
    ///
    /// let grid = Grid::from_rows(&["....", "....", "...."]).unwrap();
    /// let mesh = NavMesh::new(MeshDraft::of_grid(&grid, &CostTable::default())).unwrap();
    /// let prism = Prism::cuboid(Vec3::new(2.0, 0.0, 1.5), Vec3::new(0.2, 1.0, 5.0), 0.0)?;
    /// let wall = Carving { prism, ground: CarvedGround::Blocked };
    /// let carved = mesh.carved(&[wall]);
    /// let islands = [&mesh, &carved].map(|mesh| mesh.space().count_islands().islands);
    /// assert_eq!(islands, [1, 2]);
    /// # Ok::<(), wayfare::space::navmesh::PrismError>(())
    /// ```
    #[must_use]
    pub fn carved(&self, carvings: &[Carving]) -> Self {
        let mut holes = Holes::new(self);
        let mut memory = Default::default();
        for Carving { prism, ground } in carvings {
            let hole = Hole::new(prism.outline.clone());
            self.touched(&hole, prism, &mut memory, |polygon| holes.next_takes(polygon));
            holes.push(
                hole,
                match ground {
                    CarvedGround::Blocked => None,
                    CarvedGround::Area(area) => Some(*area),
                },
            );
        }
        holes.cut(self)
    }

    /// Visits the polygons that have ground in a hole at heights of the prism.
    pub(super) fn touched(
        &self,
        hole: &Hole,
        prism: &Prism,
        memory: &mut [Vec<DVec2>; 2],
        mut visit: impl FnMut(PolygonId),
    ) {
        let middle = prism.outline.iter().sum::<DVec2>() / prism.outline.len() as f64;
        let distance = |corner: &DVec2| corner.distance(middle);
        let reach = prism.outline.iter().map(distance).fold(0.0, f64::max) as f32;
        let at = Vec2::new(middle.x as f32, -middle.y as f32);
        // A margin for rounding.
        let reach = reach * 1.001 + at.abs().max_element() * f32::EPSILON;
        self.locator.near(at, reach, |polygon| {
            if self.has_ground_in(PolygonId(polygon), hole, prism, memory) {
                visit(PolygonId(polygon));
            }
            reach * reach
        });
    }

    /// Returns whether a polygon has ground in a hole at heights of the prism. `memory` is
    /// overwritten.
    pub(super) fn has_ground_in(
        &self,
        polygon: PolygonId,
        hole: &Hole,
        prism: &Prism,
        [common, memory]: &mut [Vec<DVec2>; 2],
    ) -> bool {
        // Heights of points are between those of the corners.
        let heights = self.outline(polygon).map(|corner| corner.y);
        let (low, high) = span(heights);
        if low > prism.highest || high < prism.lowest {
            return false;
        }
        common.clear();
        common.extend(self.outline(polygon).map(plan));
        if !hole.may_reach(common) {
            return false;
        }
        let is_level = low >= prism.lowest && high <= prism.highest;
        if is_level && hole.is_centred_in(common) {
            return true;
        }
        hole.clip(common, memory);
        if is_level {
            return !common.is_empty();
        }
        let heights = common
            .iter()
            .map(|at| self.height_at(polygon, Vec3::new(at.x as f32, 0.0, -at.y as f32)));
        let (low, high) = span(heights);
        low <= prism.highest && high >= prism.lowest
    }
}

/// Returns the lowest and the highest of some heights.
fn span(heights: impl Iterator<Item = f32>) -> (f32, f32) {
    heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
}
