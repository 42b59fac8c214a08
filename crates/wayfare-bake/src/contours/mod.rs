//! Stage 5, contours: the outlines of the regions, simplified.
//!
//! # Why neighbours have the same border
//!
//! Outlines run along the sides of cells. A *node* is a corner where the other side of an outline
//! changes, or where more than two sides of regions meet. Between two nodes an outline has one
//! region, wall or tile on its other side; that part is a *chain*. The neighbour runs through the
//! same corners the other way, with the same nodes. A chain is simplified in the direction that
//! does not depend on the region (its lower end first), so both get the same corners.
//!
//! # Why outlines stay sound
//!
//! Outlines of cells do not cross themselves. Simplified ones may. Each region is therefore checked
//! with exact arithmetic ([`sound`]); where it fails, its chains, and so its neighbours', are
//! simplified less, down to every corner.

mod chain;
mod sound;
mod trace;

use crate::progress::{Progress, Stage};
use crate::{BakeError, BakeSettings, Ground, Lattice, LatticePoint, RegionId, Regions, WalkField};
use chain::Detail;
use trace::{Step, Traced};

/// A closed outline of a region, with the region on its left seen from above: counter-clockwise
/// around the region, clockwise around a hole in it.
///
/// ```
/// # use wayfare_bake::{Bake, BakeSettings, LevelGeometry, WalkerShape};
/// # let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0], [4.0, 0.0, 0.0]];
/// # let level =
/// #     LevelGeometry::new(corners.map(Into::into).to_vec(), vec![[0, 1, 2], [0, 2, 3]])?;
/// let bake = Bake::new(&level, BakeSettings::new(WalkerShape::default()))?;
/// let field = bake.field()?;
/// let contours = bake.contours(&field, &bake.regions(&field)?)?;
/// assert_eq!(contours.outlines()[0].corners.len(), 4);
/// # Ok::<(), wayfare_bake::BakeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outline {
    /// The region.
    pub region: RegionId,
    /// The kind of the region: ground of its area.
    pub ground: Ground,
    /// The corners, as indices into [`Contours::vertices`].
    pub corners: Vec<u32>,
}

/// The outlines of all regions, in ascending order of their regions.
///
/// The example of [`Outline`] makes one.
#[derive(Debug, Clone, PartialEq)]
pub struct Contours {
    pub(crate) lattice: Lattice,
    pub(crate) vertices: Vec<LatticePoint>,
    pub(crate) outlines: Vec<Outline>,
}

impl Contours {
    /// Returns the outlines of all regions of a field.
    ///
    /// O(floors), and O(n log n) in the number of corners, unless many edges lie side by side.
    pub(crate) fn new(
        field: &WalkField,
        regions: &Regions,
        settings: &BakeSettings,
        progress: &Progress<'_>,
    ) -> Result<Self, BakeError> {
        progress.at(Stage::Contours, 0, 2)?;
        let traced = Traced::new(field, regions);
        progress.at(Stage::Contours, 1, 2)?;
        let simplified = simplify(field, &traced, regions.len(), settings);

        // A corner of the lattice may be several vertices, one above the other, or side by side
        // with a wall between them. All floors around it that are linked name the same one.
        let mut keys: Vec<u64> =
            simplified.iter().flatten().map(|&step| trace::vertex_key(field, step)).collect();
        let named = keys.clone();
        keys.sort_unstable();
        keys.dedup();
        let vertices = keys.iter().map(|&key| trace::vertex_of_key(field, key)).collect();
        let mut named = named.into_iter();
        let mut outlines = Vec::new();
        for (steps, traced) in simplified.iter().zip(traced.loops()) {
            let corners: Vec<u32> = named
                .by_ref()
                .take(steps.len())
                .map(|key| keys.binary_search(&key).unwrap_or_default() as u32)
                .collect();
            if let [first, ..] = traced {
                let floor = first.floor as usize;
                let (region, ground) = (regions.of(floor), field.ground(floor));
                outlines.push(Outline { region, ground, corners });
            }
        }
        outlines.sort_by_key(|outline| outline.region);
        Ok(Contours { lattice: field.lattice, vertices, outlines })
    }

    /// Returns the lattice that corners are counted by.
    #[must_use]
    pub fn lattice(&self) -> &Lattice {
        &self.lattice
    }

    /// Returns the corners that outlines share.
    #[must_use]
    pub fn vertices(&self) -> &[LatticePoint] {
        &self.vertices
    }

    /// Returns the outlines, in ascending order of their regions.
    #[must_use]
    pub fn outlines(&self) -> &[Outline] {
        &self.outlines
    }
}

/// Returns the corners that each traced loop keeps.
fn simplify(
    field: &WalkField,
    traced: &Traced,
    regions: usize,
    settings: &BakeSettings,
) -> Vec<Vec<Step>> {
    let mut details = vec![Detail::FIRST; regions + 1];
    let mut kept: Vec<Vec<Step>> = vec![Vec::new(); traced.len()];
    let loops_of = traced.loops_by_region(regions);
    let mut due: Vec<u32> = (1..=regions as u32).collect();
    let mut points = Vec::new();
    while !due.is_empty() {
        let mut again = Vec::new();
        for &region in &due {
            let detail = details[region as usize];
            for &index in &loops_of[region as usize] {
                let index = index as usize;
                let of_chain = |other: u32| match RegionId(other).is_region() {
                    true => detail.max(details[other as usize]),
                    false => detail,
                };
                kept[index] = chain::simplify_loop(field, traced.get(index), of_chain, settings);
            }
            points.clear();
            for &index in &loops_of[region as usize] {
                points.push(
                    kept[index as usize].iter().map(|&step| trace::corner(field, step)).collect(),
                );
            }
            if !detail.is_last() && !sound::is_sound(&points) {
                details[region as usize] = detail.finer();
                again.push(region);
                for &index in &loops_of[region as usize] {
                    let others = traced.get(index as usize).iter().map(|step| step.other);
                    again.extend(others.filter(|&other| RegionId(other).is_region()));
                }
            }
        }
        again.sort_unstable();
        again.dedup();
        due = again;
    }
    kept
}
