//! Voronoi cells of people in a walkable area.
//!
//! The cell of a person is the ground that is nearer to it than to anybody else in a straight line.
//! Ground behind a wall is excluded: only the part connected to the person within the cell counts.
//! With a [`Cutoff`] the cell ends at a distance.
//!
//! # Computation
//!
//! A cell in free space is convex: a square around the person, cut by a half plane for each other
//! person, near ones first. Let `r` be the distance of its farthest corner. Somebody farther away
//! than `2 r` cannot cut it: each point of the cell is at most `r` from its person, and more than
//! `2 r - r` from the other. The walkable area comes in convex pieces; the cell is met with the
//! person's piece, then with those that its ground leads to. Nothing is approximated; numbers are
//! rounded.
//!
//! Source: B. Steffen, A. Seyfried, "Methods for measuring pedestrian density, flow, speed and
//! direction with minimal scatter", Physica A 389, 2010. Ground behind walls is excluded as by
//! PedPy.

use glam::DVec2;
use wayfare_core::ops::sin_cos;

use crate::area::{WalkableArea, aside};
use crate::convex::{Convex, HalfPlane};

/// The greatest extent of a cell: a regular polygon around the person.
///
/// ```
/// use glam::{DVec2, Vec3};
/// use wayfare_measure::{Cutoff, VoronoiCells, WalkableArea};
///
/// let [low, high] = [Vec3::ZERO, Vec3::new(9.0, 0.0, 9.0)];
/// let hall = WalkableArea::new([[low, low.with_x(9.0), high, low.with_z(9.0)]])?;
/// let cells = VoronoiCells::of(&hall, Some(Cutoff::at(1.0)), &[DVec2::new(4.0, 4.0)]);
/// let area = cells.get(0).map_or(0.0, |cell| cell.area());
/// assert!((area - 3.0).abs() < 1e-6); // a twelve-sided polygon in a circle of 1 m
/// # Ok::<(), wayfare_measure::AreaError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Cutoff {
    /// The distance of its corners from the person in metres, more than 0.
    pub radius: f64,
    /// The number of its sides in a quarter of a turn, 1 or more; more make it rounder.
    pub sides_per_quarter: u32,
}

impl Cutoff {
    /// Returns a polygon of twelve sides, the default of PedPy.
    #[must_use]
    pub fn at(radius: f64) -> Self {
        Self { radius, sides_per_quarter: 3 }
    }

    /// Returns its corners around the origin.
    fn corners(&self) -> Vec<DVec2> {
        let quarter = self.sides_per_quarter.max(1);
        let first = |at: u32| {
            let turn = sin_cos(std::f32::consts::FRAC_PI_2 * at as f32 / quarter as f32);
            DVec2::new(f64::from(turn.cos), f64::from(turn.sin)) * self.radius
        };
        let corners: Vec<DVec2> = (0..quarter).map(first).collect();
        let turned = |corner: &DVec2, quarters: u32| (0..quarters).fold(*corner, |c, _| c.perp());
        (0..4).flat_map(|quarters| corners.iter().map(move |c| turned(c, quarters))).collect()
    }
}

/// The ground of a person.
///
/// Example: [`VoronoiCells`].
#[derive(Clone, PartialEq, Debug)]
pub struct VoronoiCell {
    parts: Vec<Convex>,
    /// Its part in each piece has been summed up.
    area: f64,
    sharers: u32,
}

impl VoronoiCell {
    /// Returns its parts, each convex, side by side.
    #[must_use]
    pub fn parts(&self) -> &[Convex] {
        &self.parts
    }

    /// Returns its size in square metres, more than 0.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.area
    }

    /// Returns the number of people at exactly the same point, this one included: they share one
    /// cell.
    #[must_use]
    pub fn sharers(&self) -> u32 {
        self.sharers
    }

    /// Returns the individual density: people in the cell by its size, in 1/m².
    #[must_use]
    pub fn density(&self) -> f64 {
        f64::from(self.sharers) / self.area
    }

    /// Returns the area in square metres that it shares with a polygon, divided by the number of
    /// people who share the cell.
    #[must_use]
    pub fn share_in(&self, polygon: &Convex) -> f64 {
        let common: f64 = self.parts.iter().map(|part| part.common(polygon).area()).sum();
        common / f64::from(self.sharers)
    }

    /// Returns the length in metres of a straight line within it, divided by the number of people
    /// who share the cell. A line on the border between two cells belongs to the cell on its left,
    /// where x turns left into z.
    #[must_use]
    pub fn share_of_line(&self, from: DVec2, to: DVec2) -> f64 {
        let [from, to] = aside(from, to);
        let length: f64 = self.parts.iter().map(|part| part.length_within(from, to)).sum();
        length / f64::from(self.sharers)
    }
}

/// The cells of all people at a moment.
///
/// ```
/// use glam::{DVec2, Vec3};
/// use wayfare_measure::{Convex, VoronoiCells, WalkableArea};
///
/// let at = |x, z| Vec3::new(x, 0.0, z);
/// let room = WalkableArea::new([[at(0.0, 0.0), at(6.0, 0.0), at(6.0, 2.0), at(0.0, 2.0)]])?;
/// let cells = VoronoiCells::of(&room, None, &[DVec2::new(1.0, 1.0), DVec2::new(3.0, 1.0)]);
/// assert_eq!(cells.iter().map(|cell| cell.map(|c| c.area())).collect::<Vec<_>>(), [Some(4.0), Some(8.0)]);
/// // The middle third of the room: half of it is ground of the second.
/// let third = Convex::rectangle(DVec2::new(2.0, 0.0), DVec2::new(4.0, 2.0));
/// assert_eq!(cells.density_in(&third, 4.0), 0.125);
/// # Ok::<(), wayfare_measure::AreaError>(())
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct VoronoiCells {
    cells: Vec<Option<VoronoiCell>>,
}

impl VoronoiCells {
    /// Returns the cells of people at these points, in their order. A person off the ground has
    /// none, but takes ground from others.
    ///
    /// O((p + c) log p) for p people and c pieces of ground within their cells, where people are
    /// spread about evenly.
    #[must_use]
    pub fn of(area: &WalkableArea, cutoff: Option<Cutoff>, people: &[DVec2]) -> Self {
        let Some(bounds) = area.bounds() else {
            return Self { cells: vec![None; people.len()] };
        };
        let crowd = Neighbours::of(people);
        let cutoff = cutoff.map(|cutoff| cutoff.corners());
        let mut seen = vec![usize::MAX; area.pieces().len()];
        let cell = |(person, &place): (usize, &DVec2)| {
            let first = area.piece_at(place)?;
            let mut free = match &cutoff {
                Some(corners) => Convex::new(corners.iter().map(|corner| place + corner)).ok()?,
                None => {
                    let [low, high] = bounds;
                    Convex::rectangle(low.min(place), high.max(place))
                }
            };
            let sharers = crowd.cut(person, place, &mut free);
            let parts = parts(area, first, &free, person, &mut seen);
            let size: f64 = parts.iter().map(Convex::area).sum();
            (size > 0.0).then_some(VoronoiCell { parts, area: size, sharers })
        };
        Self { cells: people.iter().enumerate().map(cell).collect() }
    }

    /// Returns the cell of a person, by its index in the list.
    #[must_use]
    pub fn get(&self, person: usize) -> Option<&VoronoiCell> {
        self.cells.get(person)?.as_ref()
    }

    /// Returns the cells in the order of the people.
    pub fn iter(&self) -> impl Iterator<Item = Option<&VoronoiCell>> {
        self.cells.iter().map(Option::as_ref)
    }

    /// Returns the density in a polygon with `ground` square metres of walkable ground, in 1/m²:
    /// each person counts by the part of its cell that lies in the polygon.
    #[must_use]
    pub fn density_in(&self, polygon: &Convex, ground: f64) -> f64 {
        let people = self.iter().flatten();
        people.map(|cell| cell.share_in(polygon) * cell.density()).sum::<f64>() / ground
    }
}

/// Returns the parts of a convex cell in the pieces that it leads to from the first one.
fn parts(
    area: &WalkableArea,
    first: u32,
    cell: &Convex,
    mark: usize,
    seen: &mut [usize],
) -> Vec<Convex> {
    let (mut parts, mut open) = (Vec::new(), vec![first]);
    seen[first as usize] = mark;
    while let Some(number) = open.pop() {
        let piece = &area.pieces()[number as usize];
        let part = cell.common(&piece.shape);
        if !part.corners().is_empty() {
            parts.push(part);
        }
        for opening in &piece.openings {
            let [from, to] = opening.ends;
            let is_new = seen[opening.to as usize] != mark;
            if is_new && cell.length_within(from, to) > 0.0 {
                seen[opening.to as usize] = mark;
                open.push(opening.to);
            }
        }
    }
    parts
}

/// People by squares of the plane, about two in each.
struct Neighbours<'p> {
    people: &'p [DVec2],
    low: DVec2,
    side: f64,
    columns: i64,
    rows: i64,
    /// The beginning of each square in `order`.
    begins: Vec<u32>,
    order: Vec<u32>,
}

impl<'p> Neighbours<'p> {
    fn of(people: &'p [DVec2]) -> Self {
        let finite = || people.iter().copied().filter(|place| place.is_finite());
        let low = finite().reduce(DVec2::min).unwrap_or_default();
        let size = finite().reduce(DVec2::max).unwrap_or_default() - low;
        let count = people.len().max(1) as f64;
        let side = (size.x * size.y * 2.0 / count).sqrt().max(size.max_element() / count).max(1e-3);
        let (columns, rows) = ((size.x / side) as i64 + 1, (size.y / side) as i64 + 1);
        let mut crowd =
            Self { people, low, side, columns, rows, begins: Vec::new(), order: Vec::new() };
        let mut placed: Vec<(i64, u32)> = (0u32..)
            .zip(people)
            .filter(|(_, place)| place.is_finite())
            .map(|(number, place)| (crowd.square(*place), number))
            .collect();
        placed.sort_unstable();
        crowd.begins = vec![0; (columns * rows) as usize + 1];
        for (square, _) in &placed {
            crowd.begins[*square as usize + 1] += 1;
        }
        for square in 1..crowd.begins.len() {
            crowd.begins[square] += crowd.begins[square - 1];
        }
        crowd.order = placed.into_iter().map(|(_, number)| number).collect();
        crowd
    }

    fn place(&self, point: DVec2) -> [i64; 2] {
        let [x, y] = ((point - self.low) / self.side).to_array();
        [(x as i64).clamp(0, self.columns - 1), (y as i64).clamp(0, self.rows - 1)]
    }

    fn square(&self, point: DVec2) -> i64 {
        let [column, row] = self.place(point);
        row * self.columns + column
    }

    /// Cuts the cell of a person by all who can reach it, ring of squares by ring. Returns the
    /// number of people at exactly its point, itself included.
    fn cut(&self, person: usize, place: DVec2, cell: &mut Convex) -> u32 {
        let [column, row] = self.place(place);
        let mut sharers = 1;
        let mut reach = farthest(cell, place);
        for ring in 0..self.columns.max(self.rows) {
            // All in this ring and beyond are at least that far away.
            if (ring - 1) as f64 * self.side > 2.0 * reach {
                break;
            }
            for y in (row - ring).max(0)..=(row + ring).min(self.rows - 1) {
                let is_edge = (y - row).abs() == ring;
                let step = if is_edge || ring == 0 { 1 } else { 2 * ring };
                let mut x = column - ring;
                while x <= column + ring {
                    if (0..self.columns).contains(&x) {
                        let square = (y * self.columns + x) as usize;
                        let span = self.begins[square] as usize..self.begins[square + 1] as usize;
                        for &other in &self.order[span] {
                            let at = self.people[other as usize];
                            if other as usize == person {
                                continue;
                            }
                            if at == place {
                                sharers += 1;
                            } else if at.distance(place) <= 2.0 * reach {
                                cell.cut(&HalfPlane::nearer_to(place, at));
                                reach = farthest(cell, place);
                            }
                        }
                    }
                    x += step;
                }
            }
        }
        sharers
    }
}

/// Returns the distance of the farthest corner.
fn farthest(cell: &Convex, place: DVec2) -> f64 {
    let away = cell.corners().iter().map(|corner| corner.distance(place));
    away.fold(0.0, f64::max)
}
