//! The search for links along the borders of a mesh.
//!
//! From points along each border edge of the mesh, rays run outwards, cell by cell. If a ray comes
//! over the mesh again, the two points are candidates:
//!
//! - lower by more than a step, and no further away than an edge and a wall keep them apart: a drop
//!   and its climb;
//! - level, or lower and further away: a leap.
//!
//! The body then passes along the arc, as a cylinder among the solid spans. A candidate whose
//! ends walk to each other within a small detour is dropped. Of candidates side by side the
//! shortest stays.
//!
//! Climbs need no rays of their own: each is a drop reversed, and the border of the upper ground
//! has rays.

use std::collections::BTreeMap;

use glam::{DVec2, DVec3, Vec3};
use wayfare_core::link::LinkKind;
use wayfare_mesh::navmesh::{HeightReach, MeshPoint, NavMesh};
use wayfare_mesh::search::{MeshOutcome, MeshQuery, MeshScratch, MeshSearch, Polyanya};

use super::sweep::{Body, Footing, LEAP_RISE};
use super::{JumpAbilities, JumpLink};
use crate::progress::Stage;
use crate::spans::Prepared;
use crate::tiles::{TileId, TileWindows};
use crate::{Bake, BakeError};

/// Acceleration of free fall, in metres a second squared.
const GRAVITY: f64 = 9.81;
/// The speed at which bodies walk over an edge, in metres a second.
const STRIDE: f64 = 3.0;
/// The speed of climbs, in metres a second.
const CLIMB_SPEED: f64 = 1.0;
/// Cells between the ends of a drop, besides the radius on each side: one for the ledge, two for
/// rounding, three for outlines that are simplified.
const EDGE_CELLS: f64 = 6.0;
/// How far from the border leaps may begin, in cells.
const SETBACKS: [f64; 3] = [0.1, 1.0, 2.0];
/// Places that are looked at together.
const BATCH: usize = 64;

/// A point on the border of the mesh.
#[derive(Clone, Copy)]
struct Lookout {
    at: DVec3,
    /// Away from the mesh, in plan, of length 1.
    outwards: DVec2,
}

impl Bake<'_> {
    /// Finds the leaps, drops and climbs between points of the level's mesh, for a body's
    /// abilities. `mesh` is the [navigation mesh](crate::PolygonMesh::nav_mesh) of this bake.
    ///
    /// Both ends of each link lie on the mesh. The body, with the radius and height of the
    /// settings, passes freely along its arc: a leap's is a parabola, a drop leads level over the
    /// edge and straight down, a climb is a drop reversed. A link is dropped if its ends are joined
    /// by a walk within [`JumpAbilities::detour`].
    ///
    /// Links are found along straight rays at 0° and 45° to edges, not in all directions.
    /// The solid spans are made again, by tiles if the settings have a tile side. The same input
    /// gives the same links on any number of threads. Time is O(border · reach · body), each in
    /// cells, and a short search a candidate.
    ///
    /// ```
    /// use wayfare::link::LinkKind;
    /// use wayfare_bake::{Bake, BakeSettings, JumpAbilities, LevelGeometry, WalkerShape};
    ///
    /// // Two floors of 4 m by 4 m, with a gap of 1 m between them.
    /// let (mut corners, mut triangles) = (Vec::new(), Vec::new());
    /// for x in [0.0, 5.0] {
    ///     let first = corners.len() as u32;
    ///     corners.extend([[x, 0.0, 0.0], [x, 0.0, 4.0], [x + 4.0, 0.0, 4.0], [x + 4.0, 0.0, 0.0]]);
    ///     triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 3]]);
    /// }
    /// let level = LevelGeometry::new(corners.into_iter().map(Into::into).collect(), triangles)?;
    /// let bake = Bake::new(&level, BakeSettings::new(WalkerShape::default()))?;
    /// let mesh = bake.run()?.polygons.nav_mesh().expect("it is near the origin");
    /// let links = bake.jumps(&mesh, &JumpAbilities { leap: 3.0, ..JumpAbilities::default() })?;
    /// assert_eq!((links[0].kind, links[0].two_way), (LinkKind::Jump, true));
    /// # Ok::<(), wayfare_bake::BakeError>(())
    /// ```
    ///
    /// # Errors
    /// [`BakeError::Setting`] for an ability outside its range; as [`run`](Bake::run).
    pub fn jumps(
        &self,
        mesh: &NavMesh,
        abilities: &JumpAbilities,
    ) -> Result<Vec<JumpLink>, BakeError> {
        abilities.check()?;
        if !abilities.are_any() {
            return Ok(Vec::new());
        }
        let settings = self.settings();
        let cell = self.lattice().cell_size();
        let edge = 2.0 * f64::from(settings.walker.radius) + EDGE_CELLS * cell;
        let reach = edge.max(f64::from(abilities.leap)) + f64::from(settings.walker.radius);
        let whole = self.lattice().whole();
        let side = settings.tile_side.unwrap_or(whole.width.max(whole.depth));
        let tiling = TileWindows::new(self.lattice(), side, (reach / cell).ceil() as u32);
        let finder = Finder { bake: self, mesh, abilities, edge };
        let prepared = self.prepared()?;
        let bins = tiling.bins(self.level(), &prepared, settings)?;
        let lookouts = finder.lookouts();
        let mut by_tile: BTreeMap<TileId, Vec<Lookout>> = BTreeMap::new();
        for lookout in lookouts {
            let place = (lookout.at - self.lattice().origin()) / cell;
            by_tile.entry(tiling.tile_of(place.x, place.z)).or_default().push(lookout);
        }
        let (mut found, all) = (Vec::new(), by_tile.len());
        for (done, (tile, lookouts)) in by_tile.iter().enumerate() {
            self.progress().at(Stage::Links, done, all)?;
            let own = bins.get(tile).map_or(&[][..], Vec::as_slice);
            found.extend(finder.in_tile(&prepared, own, tiling.outer(*tile), lookouts)?);
        }
        Ok(thinned(found, abilities.spacing))
    }
}

/// The search among the borders of one mesh.
struct Finder<'a> {
    bake: &'a Bake<'a>,
    mesh: &'a NavMesh,
    abilities: &'a JumpAbilities,
    /// The greatest distance in plan between the ends of a drop, in metres.
    edge: f64,
}

impl Finder<'_> {
    /// Returns points along all border edges of the mesh: four in the spacing of links, at least
    /// one an edge, and no closer than a cell.
    fn lookouts(&self) -> Vec<Lookout> {
        let apart = (f64::from(self.abilities.spacing) / 4.0).max(self.bake.lattice().cell_size());
        let mut lookouts = Vec::new();
        for polygon in self.mesh.polygons() {
            let outline: Vec<DVec3> = self.mesh.outline(polygon).map(DVec3::from).collect();
            for (index, next) in self.mesh.neighbours(polygon).enumerate() {
                let (from, to) = (outline[index], outline[(index + 1) % outline.len()]);
                let along = DVec2::new(to.x - from.x, to.z - from.z);
                let length = along.length();
                if next.is_some() || length <= 0.0 {
                    continue;
                }
                // The polygon lies to the left, seen from above.
                let outwards = DVec2::new(-along.y, along.x) / length;
                let parts = (length / apart).ceil().clamp(1.0, 65_536.0) as u32;
                lookouts.extend((0..parts).map(|part| {
                    let share = (f64::from(part) + 0.5) / f64::from(parts);
                    Lookout { at: from.lerp(to, share), outwards }
                }));
            }
        }
        lookouts
    }

    fn in_tile(
        &self,
        prepared: &Prepared,
        triangles: &[u32],
        window: crate::Window,
        lookouts: &[Lookout],
    ) -> Result<Vec<JumpLink>, BakeError> {
        let spans = self.bake.quiet().spans_of(prepared, triangles, window)?;
        let body = Body::new(&spans, self.bake.settings());
        let batch = |lookouts: &[Lookout]| {
            self.bake.quiet().progress().at(Stage::Links, 0, 1)?;
            let (mut found, mut scratch) = (Vec::new(), MeshScratch::new());
            for lookout in lookouts {
                self.look(&body, *lookout, &mut scratch, &mut found);
            }
            Ok(found)
        };
        #[cfg(feature = "rayon")]
        let batches: Vec<Vec<JumpLink>> = {
            use rayon::prelude::*;
            lookouts.par_chunks(BATCH).map(batch).collect::<Result<_, BakeError>>()?
        };
        #[cfg(not(feature = "rayon"))]
        let batches: Vec<Vec<JumpLink>> =
            lookouts.chunks(BATCH).map(batch).collect::<Result<_, BakeError>>()?;
        Ok(batches.into_iter().flatten().collect())
    }

    /// Returns the links that start at a point of the border.
    fn look(
        &self,
        body: &Body<'_>,
        Lookout { at, outwards }: Lookout,
        scratch: &mut MeshScratch,
        found: &mut Vec<JumpLink>,
    ) {
        let cell = self.bake.lattice().cell_size();
        let begin = SETBACKS.into_iter().find_map(|cells| {
            let back = outwards * (cells * cell);
            let place = DVec3::new(at.x - back.x, at.y, at.z - back.y).as_vec3();
            let point = self.mesh.locate(place, HeightReach { below: 0.5, above: 0.5 })?;
            let footing = self.footing(body, point)?;
            body.stands(footing).then_some(Begin { point, footing })
        });
        let Some(begin) = begin else { return };
        let mut wanted = Wanted {
            leaps: self.abilities.leap > 0.0,
            falls: self.abilities.leap > 0.0 && self.abilities.drop > 0.0,
            drops: self.abilities.drop.max(self.abilities.climb) > 0.0,
        };
        self.follow(body, begin, outwards, &mut wanted, scratch, found);
        // Askew is only needed where straight ahead found nothing.
        wanted.drops = false;
        for turn in [1.0, -1.0] {
            let aside = DVec2::new(-outwards.y, outwards.x) * turn;
            let direction = (outwards + aside).normalize();
            self.follow(body, begin, direction, &mut { wanted }, scratch, found);
        }
    }

    /// Follows a ray, and removes each kind of link that it finds from its search.
    fn follow(
        &self,
        body: &Body<'_>,
        begin: Begin,
        direction: DVec2,
        wanted: &mut Wanted,
        scratch: &mut MeshScratch,
        found: &mut Vec<JumpLink>,
    ) {
        let abilities = self.abilities;
        let step = self.bake.settings().walker.step;
        let cell = self.bake.lattice().cell_size();
        let leap = f64::from(abilities.leap);
        let by_leap = if wanted.leaps || wanted.falls { leap } else { 0.0 };
        let longest = if wanted.drops { by_leap.max(self.edge) } else { by_leap };
        let deepest = abilities.drop.max(abilities.climb).max(step);
        let reach = HeightReach { below: deepest + 0.01, above: step };
        for number in 1..=(longest / cell).floor() as u32 {
            let away = direction * (f64::from(number) * cell);
            let start = begin.point.place;
            let over = start.as_dvec3() + DVec3::new(away.x, 0.0, away.y);
            let Some(point) = self.mesh.locate(over.as_vec3(), reach) else { continue };
            let Some(footing) = self.footing(body, point) else { continue };
            let fall = start.y - point.place.y;
            let length = f64::from(number) * cell;
            let end = Begin { point, footing };
            if fall > step {
                if wanted.drops && length <= self.edge {
                    if body.descends(begin.footing, footing) {
                        (wanted.drops, wanted.falls) = (false, false);
                        if !self.is_walk_short(begin, end, scratch) {
                            self.add_drop(begin, end, length, found);
                        }
                    }
                } else if wanted.falls
                    && length <= leap
                    && fall <= abilities.drop
                    && body.leaps(begin.footing, footing)
                {
                    wanted.falls = false;
                    if !self.is_walk_short(begin, end, scratch) {
                        found.push(self.leap(begin, end, length, false));
                    }
                }
                continue;
            }
            // Ground that continues as it is ends the ray.
            if self.is_walk_short(begin, end, scratch) {
                break;
            }
            if wanted.leaps && length <= leap && body.leaps(begin.footing, footing) {
                *wanted = Wanted::default();
                found.push(self.leap(begin, end, length, true));
                break;
            }
        }
    }

    fn footing(&self, body: &Body<'_>, point: MeshPoint) -> Option<Footing> {
        let lattice = self.bake.lattice();
        let at = point.place.as_dvec3() - lattice.origin();
        body.footing(DVec2::new(at.x, at.z), at.y / lattice.cell_height())
    }

    /// Returns whether one walks from an end to the other within the detour.
    fn is_walk_short(&self, from: Begin, to: Begin, scratch: &mut MeshScratch) -> bool {
        let apart = (to.point.place - from.point.place).as_dvec3();
        let length = DVec2::new(apart.x, apart.z).length() + apart.y.abs();
        let most = length * f64::from(self.abilities.detour);
        let query = MeshQuery::new(from.point, to.point).max_length(most);
        let answer = Polyanya.search(query).finish(&self.mesh.space(), scratch, &mut ());
        matches!(answer.outcome, MeshOutcome::Found(path) if path.length <= most)
    }

    fn add_drop(&self, ledge: Begin, ground: Begin, length: f64, found: &mut Vec<JumpLink>) {
        let (from, to) = (ledge.point.place, ground.point.place);
        let fall = from.y - to.y;
        if fall <= self.abilities.drop {
            let seconds = length / STRIDE + fall_time(f64::from(fall));
            let (kind, seconds) = (LinkKind::Drop, seconds as f32);
            found.push(JumpLink { kind, from, to, seconds, two_way: false });
        }
        if fall <= self.abilities.climb {
            let seconds = (length / STRIDE + f64::from(fall) / CLIMB_SPEED) as f32;
            let (kind, from, to) = (LinkKind::Climb, to, from);
            found.push(JumpLink { kind, from, to, seconds, two_way: false });
        }
    }

    fn leap(&self, begin: Begin, end: Begin, length: f64, two_way: bool) -> JumpLink {
        let (from, to) = (begin.point.place, end.point.place);
        let top = f64::from(from.y.max(to.y)) + length * LEAP_RISE;
        let seconds = fall_time(top - f64::from(from.y)) + fall_time(top - f64::from(to.y));
        JumpLink { kind: LinkKind::Jump, from, to, seconds: seconds as f32, two_way }
    }
}

/// The kinds of links that a ray still looks for.
#[derive(Clone, Copy, Default)]
struct Wanted {
    /// Leaps to level ground.
    leaps: bool,
    /// Leaps to lower ground.
    falls: bool,
    /// Drops and climbs.
    drops: bool,
}

/// An end of a candidate: a point of the mesh, and the ground there.
#[derive(Clone, Copy)]
struct Begin {
    point: MeshPoint,
    footing: Footing,
}

fn fall_time(height: f64) -> f64 {
    (2.0 * height.max(0.0) / GRAVITY).sqrt()
}

/// Leaves out links of a kind that begin and end within `spacing` of a shorter one.
fn thinned(mut links: Vec<JumpLink>, spacing: f32) -> Vec<JumpLink> {
    // The sort is stable: of equally long ones the first stays.
    links.sort_by(|a, b| (a.to - a.from).length().total_cmp(&(b.to - b.from).length()));
    let square = |at: Vec3| [at.x, at.y, at.z].map(|value| (value / spacing).floor() as i64);
    let mut near: BTreeMap<[i64; 3], Vec<usize>> = BTreeMap::new();
    let mut kept: Vec<JumpLink> = Vec::new();
    for link in links {
        let is_near = |a: Vec3, b: Vec3| a.distance_squared(b) < spacing * spacing;
        let repeats = |other: &JumpLink| {
            let is_same = is_near(other.from, link.from) && is_near(other.to, link.to);
            let is_turned = is_near(other.to, link.from) && is_near(other.from, link.to);
            other.kind == link.kind
                && other.two_way == link.two_way
                && (is_same || (link.two_way && is_turned))
        };
        let [x, y, z] = square(link.from);
        let around = (0..27).map(|at| [x + at % 3 - 1, y + at / 3 % 3 - 1, z + at / 9 - 1]);
        let mut around = around.filter_map(|square| near.get(&square)).flatten();
        if around.any(|&other| repeats(&kept[other])) {
            continue;
        }
        let ends = if link.two_way { vec![link.from, link.to] } else { vec![link.from] };
        for end in ends {
            near.entry(square(end)).or_default().push(kept.len());
        }
        kept.push(link);
    }
    kept
}
