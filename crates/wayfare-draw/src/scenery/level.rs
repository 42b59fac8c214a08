//! Levels of triangles with their navigation mesh, seen from above a corner.
//!
//! # Storeys
//!
//! A level may be parted at heights. All above such a height is lifted off, so far that the storeys
//! do not cover each other. Between the foot `f` of a storey and the height `h` where the next one
//! begins, a point at height `y` is lifted by the share `((y - f) / (h - f))³`: next to nothing on
//! the floor, all of it at the next storey, so stairs bend up to their upper end. Walls and
//! furniture of a storey are cut off at a third of the height to the next one, to show the rooms.
//! Stairs are left whole: their parts are low.

use glam::{Mat3, Vec2, Vec3};
use wayfare_core::space::Action;

use super::{Ground, Leg, LinkArc, Scenery, Trail, Viewport};
use crate::depth::{FINE, Pixels, lit, shaded};
use crate::{Area, Colour, DrawError, Picture, Shape, Theme, Tiles};

/// The share of a storey's height at which walls are cut off.
const CUT: f32 = 0.34;

/// Parts of the level that are no taller are left whole, in metres.
const LOW: f32 = 0.9;

/// The tallest part of a triangle or line that is drawn as one, in metres: lifted ones bend.
const BEND: f32 = 0.3;

/// The depth by which something has to lie in front of a point to hide it, in metres.
const HIDES: f32 = 0.3;

/// The most triangles that are asked whether they hide a point.
const MOST_ASKED: usize = 20_000;

/// A level and its navigation mesh, as they are.
///
/// ```
/// use wayfare_draw::{Colour, LevelArt};
///
/// let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0]].map(Into::into);
/// let art = LevelArt {
///     solids: vec![(floor, Colour::hex(0x9a968c))],
///     polygons: vec![(floor.to_vec(), Colour::hex(0x3fa7c4))],
///     ..LevelArt::default()
/// };
/// assert!(art.storeys.is_empty());
/// ```
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LevelArt {
    /// The triangles of the level.
    pub solids: Vec<([Vec3; 3], Colour)>,
    /// The polygons of the mesh: the first states of searches. Their colour may be translucent.
    pub polygons: Vec<(Vec<Vec3>, Colour)>,
    /// Further states of searches: ends and turning points of paths.
    pub points: Vec<Vec3>,
    /// The edges where the mesh ends.
    pub borders: Vec<[Vec3; 2]>,
    /// The links.
    pub links: Vec<LinkArc>,
    /// The heights at which the level is parted, in ascending order.
    pub storeys: Vec<f32>,
    /// Names of colours for the legend.
    pub legend: Vec<(String, Colour)>,
}

/// A drawable level in space, seen from above a corner: x runs down to the right, z down to the
/// left.
///
/// ```
/// use wayfare_draw::{Colour, LevelArt, LevelScenery, Panel, Scenery, Theme};
///
/// let floor = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 0.0, 4.0]].map(Into::into);
/// let scenery = LevelScenery::new(LevelArt {
///     polygons: vec![(floor.to_vec(), Colour::hex(0x3fa7c4))],
///     points: vec![[0.5, 0.0, 1.0].into(), [1.0, 0.0, 3.0].into()],
///     ..LevelArt::default()
/// })?;
/// assert!(Panel::new(&scenery).path_states([1, 2]).draw().is_ok());
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LevelScenery {
    /// From space to picture: right, down, and towards the eye.
    turned: Mat3,
    lift: Lift,
    /// Cut and turned.
    solids: Vec<([Vec3; 3], Vec3)>,
    panes: Vec<([Vec3; 3], Colour)>,
    lines: Vec<[Vec3; 2]>,
    arcs: Vec<([Vec3; 2], Colour)>,
    /// The positions of all places in space.
    places: Vec<Vec3>,
    outlines: Vec<Vec<Vec2>>,
    colours: Vec<Colour>,
    legend: Vec<(String, Colour)>,
    bounds: Area,
}

/// A storey: from a height up to the next one.
#[derive(Clone, Copy, Debug)]
struct Storey {
    /// The height of its lowest floor.
    foot: f32,
    /// The height at which the next one begins.
    next: f32,
    /// The height at which its walls are cut off.
    cut: f32,
    /// How far all above is lifted more.
    lift: f32,
}

/// The storeys of a level, if it is parted.
#[derive(Clone, Debug)]
struct Lift {
    storeys: Vec<Storey>,
}

impl Lift {
    fn at(&self, y: f32) -> f32 {
        let share = |storey: &Storey| {
            let height = (storey.next - storey.foot).max(1e-3);
            let share = ((y - storey.foot) / height).clamp(0.0, 1.0);
            storey.lift * share * share * share
        };
        self.storeys.iter().map(share).sum()
    }

    fn point(&self, point: Vec3) -> Vec3 {
        point + Vec3::Y * self.at(point.y)
    }

    /// Returns the height at which walls that begin at `y` are cut off.
    fn cut(&self, y: f32) -> Option<f32> {
        self.storeys.iter().find(|storey| y < storey.next).map(|storey| storey.cut)
    }
}

impl LevelScenery {
    /// Returns the scenery of a level.
    ///
    /// # Errors
    /// [`DrawError::NotFinite`].
    pub fn new(art: LevelArt) -> Result<Self, DrawError> {
        let is_broken = |corners: &[Vec3]| corners.iter().any(|corner| !corner.is_finite());
        let solid = art.solids.iter().position(|(corners, _)| is_broken(corners));
        let polygon = art.polygons.iter().position(|(corners, _)| is_broken(corners));
        let point = art.points.iter().position(|point| !point.is_finite());
        let link = art.links.iter().position(|link| !link.is_finite());
        let checks = [("triangle", solid), ("polygon", polygon), ("point", point), ("link", link)];
        for (what, found) in checks {
            if let Some(index) = found {
                return Err(DrawError::NotFinite { what, index });
            }
        }
        let towards_eye = Vec3::new(1.0, 1.15, 1.0).normalize();
        let right = Vec3::new(1.0, 0.0, -1.0).normalize();
        let turned = Mat3::from_cols(right, right.cross(towards_eye), towards_eye).transpose();
        let mean = |outline: &[Vec3]| outline.iter().sum::<Vec3>() / outline.len().max(1) as f32;
        let mut places: Vec<Vec3> = art.polygons.iter().map(|(outline, _)| mean(outline)).collect();
        places.extend(&art.points);
        let lift = lift_of(&art, turned);
        let mut scenery = Self {
            turned,
            lift,
            solids: Vec::new(),
            panes: Vec::new(),
            lines: Vec::new(),
            arcs: Vec::new(),
            places,
            outlines: Vec::new(),
            colours: art.polygons.iter().map(|(_, colour)| *colour).collect(),
            legend: art.legend,
            bounds: Area { min: Vec2::ZERO, max: Vec2::ONE },
        };
        for &(corners, colour) in &art.solids {
            let light = lit(turned, corners, colour);
            scenery.cut_down(corners, &mut |scenery, corners| {
                scenery.bent(corners, &mut |scenery, corners| {
                    let corners = corners.map(|corner| scenery.seen(corner));
                    scenery.solids.push((corners, light));
                });
            });
        }
        for (outline, colour) in art.polygons.iter().filter(|(outline, _)| outline.len() > 2) {
            for pair in outline[1..].windows(2) {
                scenery.bent([outline[0], pair[0], pair[1]], &mut |scenery, corners| {
                    let corners = corners.map(|corner| scenery.seen(corner));
                    scenery.panes.push((corners, *colour));
                });
            }
        }
        for (outline, _) in &art.polygons {
            let seen = outline.iter().map(|&corner| scenery.seen(corner).truncate()).collect();
            scenery.outlines.push(seen);
        }
        for &[from, to] in &art.borders {
            let points = scenery.line(from, to);
            let seen: Vec<Vec3> = points.map(|point| scenery.seen(point)).collect();
            scenery.lines.extend(seen.windows(2).map(|pair| [pair[0], pair[1]]));
        }
        for link in &art.links {
            for [from, to] in link.strokes() {
                let ends = [scenery.seen(from), scenery.seen(to)];
                scenery.arcs.push((ends, link.colour));
            }
        }
        let all = scenery.solids.iter().flat_map(|(corners, _)| corners);
        let all = all.chain(scenery.panes.iter().flat_map(|(corners, _)| corners));
        let all = all.map(|corner| corner.truncate());
        let points = scenery.places.iter().map(|&point| scenery.seen(point).truncate());
        if let Some(area) = Area::around(all.chain(points)) {
            let margin = (area.size().max_element() * 0.02).max(0.01);
            scenery.bounds = area.grown(margin);
        }
        Ok(scenery)
    }

    /// Returns a point as the picture shows it, and how near to the eye it is.
    fn seen(&self, point: Vec3) -> Vec3 {
        self.turned * self.lift.point(point)
    }

    /// Returns the points of a segment, close enough for it to bend.
    fn line(&self, from: Vec3, to: Vec3) -> impl Iterator<Item = Vec3> + use<> {
        let rise = if self.lift.storeys.is_empty() { 0.0 } else { (to.y - from.y).abs() };
        let parts = (rise / BEND).ceil().clamp(1.0, 64.0) as u32;
        (0..=parts).map(move |part| from.lerp(to, part as f32 / parts as f32))
    }

    /// Visits the part of a triangle that is left where walls are cut off.
    fn cut_down(&mut self, corners: [Vec3; 3], visit: &mut dyn FnMut(&mut Self, [Vec3; 3])) {
        let heights = corners.map(|corner| corner.y);
        let low = heights.iter().copied().fold(f32::INFINITY, f32::min);
        let high = heights.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let cut = self.lift.cut(low).filter(|&cut| high - low > LOW && high > cut);
        let Some(cut) = cut else { return visit(self, corners) };
        let mut left: Vec<Vec3> = Vec::new();
        for side in 0..3 {
            let (from, to) = (corners[side], corners[(side + 1) % 3]);
            if from.y <= cut {
                left.push(from);
            }
            if (from.y <= cut) != (to.y <= cut) {
                left.push(from.lerp(to, (cut - from.y) / (to.y - from.y)).with_y(cut));
            }
        }
        for corner in 2..left.len() {
            visit(self, [left[0], left[corner - 1], left[corner]]);
        }
    }

    /// Visits the parts of a triangle that are low enough to be drawn as one each.
    fn bent(&mut self, corners: [Vec3; 3], visit: &mut dyn FnMut(&mut Self, [Vec3; 3])) {
        let mut parts = vec![(corners, 0)];
        while let Some((corners, depth)) = parts.pop() {
            let rise = |side: usize| (corners[side].y - corners[(side + 1) % 3].y).abs();
            let steepest = (0..3).max_by(|&a, &b| rise(a).total_cmp(&rise(b))).unwrap_or(0);
            if self.lift.storeys.is_empty() || rise(steepest) <= BEND || depth > 10 {
                visit(self, corners);
                continue;
            }
            let [a, b, c] = [0, 1, 2].map(|side| corners[(steepest + side) % 3]);
            let middle = a.midpoint(b);
            parts.push(([a, middle, c], depth + 1));
            parts.push(([middle, b, c], depth + 1));
        }
    }

    /// Returns whether something lies in front of a point that was seen.
    fn covers(&self, seen: Vec3) -> bool {
        if self.solids.len() > MOST_ASKED {
            return false;
        }
        self.solids.iter().any(|([a, b, c], _)| {
            let cross = |p: &Vec3, q: &Vec3, r: &Vec3| {
                (q.truncate() - p.truncate()).perp_dot(r.truncate() - p.truncate())
            };
            let area = cross(a, b, c);
            let weights = [cross(b, c, &seen), cross(c, a, &seen), cross(a, b, &seen)];
            let is_inside = weights.iter().all(|weight| weight * area > 0.0);
            is_inside
                && (weights[0] * a.z + weights[1] * b.z + weights[2] * c.z) / area > seen.z + HIDES
        })
    }
}

/// Returns the storeys, each lifted just enough not to cover the ones below.
fn lift_of(art: &LevelArt, turned: Mat3) -> Lift {
    let corners = art.polygons.iter().flat_map(|(outline, _)| outline.iter().copied());
    // A metre up is less than a metre on the picture.
    let up = -(turned * Vec3::Y).y;
    let mut storeys: Vec<Storey> = Vec::new();
    if art.storeys.is_empty() {
        return Lift { storeys };
    }
    let begins = std::iter::once(f32::NEG_INFINITY).chain(art.storeys.iter().copied());
    let ends = art.storeys.iter().copied().chain([f32::INFINITY]);
    for (begin, next) in begins.zip(ends) {
        let own = corners.clone().filter(|corner| (begin..next).contains(&corner.y));
        let foot = own.clone().map(|corner| corner.y).fold(f32::INFINITY, f32::min);
        let foot = if foot.is_finite() { foot } else { begin.max(next.min(0.0) - 1.0) };
        let down = own.map(|corner| (turned * corner).y);
        let (low, high) = down
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)));
        if let Some(below) = storeys.last_mut() {
            below.lift = ((high - low) / up - (foot - below.foot)).max(0.0) * 1.04;
        }
        let height = match storeys.last() {
            _ if next.is_finite() => next - foot,
            Some(below) => below.next - below.foot,
            None => 0.0,
        };
        storeys.push(Storey { foot, next, cut: foot + height * CUT, lift: 0.0 });
    }
    Lift { storeys }
}

impl Scenery for LevelScenery {
    fn bounds(&self) -> Area {
        self.bounds
    }

    fn places(&self) -> usize {
        self.places.len()
    }

    fn place_of(&self, state: u32) -> Option<usize> {
        Some(state as usize).filter(|place| *place < self.places())
    }

    fn position(&self, place: usize) -> Vec2 {
        self.places.get(place).map_or(Vec2::ZERO, |&point| self.seen(point).truncate())
    }

    fn outline(&self, place: usize) -> Option<&[Vec2]> {
        self.outlines.get(place).map(Vec::as_slice)
    }

    fn place_radius(&self, _viewport: &Viewport) -> f32 {
        5.0
    }

    fn ground(&self, area: Area, theme: &Theme) -> Ground {
        let point = area.centre();
        let holds = |outline: &&Vec<Vec2>| {
            let ahead = outline.iter().cycle().skip(1);
            let mut sides = outline.iter().zip(ahead);
            let first = sides.next().map_or(0.0, |(a, b)| (*b - *a).perp_dot(point - *a));
            sides.all(|(a, b)| (*b - *a).perp_dot(point - *a) * first >= 0.0)
        };
        match self.outlines.iter().rposition(|outline| holds(&outline)) {
            Some(place) => Ground { colour: self.colours[place].over(theme.panel), solid: 0.0 },
            None => Ground { colour: theme.panel, solid: 1.0 },
        }
    }

    fn draw_base(&self, viewport: &Viewport, theme: &Theme, picture: &mut Picture) {
        let [width, height] = viewport.size();
        let area = viewport.area();
        let mut pixels = Pixels::new(width * FINE, height * FINE, theme.panel);
        let fine = FINE as f32;
        let place = |at: Vec3| ((viewport.pixel(at.truncate()) - area.min) * fine).extend(at.z);
        for &(corners, colour) in &self.solids {
            pixels.fill(corners.map(place), colour, 1.0, 0.0);
        }
        for &(corners, colour) in &self.panes {
            let share = f32::from(colour.alpha) / 255.0;
            pixels.fill(corners.map(place), shaded(colour, 1.0), share, HIDES);
        }
        let ink = shaded(theme.obstacle_edge, 1.0);
        for &ends in &self.lines {
            pixels.line(ends.map(place), ink, 0.6 * fine, HIDES);
        }
        for &(ends, colour) in &self.arcs {
            pixels.line(ends.map(place), shaded(colour, 1.0), 0.9 * fine, HIDES);
        }
        picture.push(Shape::Tiles(Tiles {
            corner: area.min,
            side: 1,
            columns: width,
            inset: 0,
            colours: pixels.averaged(width, height),
        }));
    }

    fn has_terrains(&self) -> bool {
        true
    }

    fn marks_turns(&self) -> bool {
        true
    }

    fn trail(&self, steps: &[(usize, Action)]) -> Option<Trail> {
        let mut trail = Trail::default();
        let point = |&(place, _): &(usize, Action)| self.places.get(place).copied();
        let mut before: Option<Vec3> = None;
        for (step, at) in steps.iter().filter_map(|step| Some((step, point(step)?))) {
            let Some(from) = before.replace(at) else { continue };
            if step.1 != Action::Walk {
                trail.signs.push((self.seen(from.midpoint(at)).truncate(), step.1));
            }
            let parts = (from.distance(at) / BEND).ceil().clamp(1.0, 256.0) as u32;
            for part in 0..parts {
                let ends = [part, part + 1]
                    .map(|part| self.seen(from.lerp(at, part as f32 / parts as f32)));
                let hidden = self.covers(ends[0].midpoint(ends[1]));
                let [begin, end] = ends.map(Vec3::truncate);
                match trail.legs.last_mut() {
                    Some(leg) if leg.hidden == hidden && leg.points.last() == Some(&begin) => {
                        leg.points.push(end);
                    }
                    _ => trail.legs.push(Leg { points: vec![begin, end], hidden }),
                }
            }
        }
        Some(trail)
    }

    fn project(&self, point: Vec3) -> Option<Vec2> {
        Some(self.seen(point).truncate())
    }

    fn hides(&self, point: Vec3) -> bool {
        // A body stands on the ground: its middle counts.
        self.covers(self.seen(point) + self.turned * Vec3::Y)
    }

    fn terrains_shown(&self, _theme: &Theme) -> Vec<(String, Colour)> {
        self.legend.clone()
    }
}
