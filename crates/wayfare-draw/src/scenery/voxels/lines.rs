//! The lines between the faces of blocks.

use glam::Vec2;

use super::ray::Face;
use crate::{Colour, Facets, Shape, Stroke};

/// The border between two triangles, the faintest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Line {
    None,
    /// Two blocks of one surface.
    Joint,
    /// Two faces of blocks that touch.
    Edge,
    /// One thing in front of another.
    Outline,
}

/// The least width of a column with lines between blocks of one surface.
const SMALLEST_JOINTED: f32 = 9.0;
/// The least width with lines between faces.
const SMALLEST_EDGED: f32 = 3.0;

type Surface = Option<([i32; 3], Face)>;

/// Finds the lines from the triangles in their order.
pub(super) struct Outlines {
    rows: u32,
    /// The number of parts of a block along each axis. Surfaces count in parts.
    detail: i32,
    surfaces: Vec<Surface>,
}

impl Outlines {
    pub(super) fn new(rows: u32, detail: i32) -> Self {
        Self { rows, detail, surfaces: Vec::new() }
    }

    pub(super) fn see(&mut self, surface: Surface) {
        self.surfaces.push(surface);
    }

    /// Returns the lines, the faintest first.
    pub(super) fn shapes(&self, facets: &Facets) -> Vec<Shape> {
        if facets.side < SMALLEST_EDGED {
            return Vec::new();
        }
        let fine = (facets.side / 12.0).clamp(0.5, 1.1);
        let looks = [
            (Line::Joint, Colour::hex(0x0a0d18).with_alpha(26), fine),
            (Line::Edge, Colour::hex(0x0a0d18).with_alpha(80), fine),
            (Line::Outline, Colour::hex(0x0a0d18).with_alpha(190), fine * 1.3),
        ];
        let mut shapes = Vec::new();
        for (line, colour, width) in looks {
            if line == Line::Joint && facets.side < SMALLEST_JOINTED {
                continue;
            }
            let ends = self.segments(facets, line);
            shapes.push(Shape::Segments { ends, stroke: Stroke { colour, width } });
        }
        shapes.retain(|shape| !matches!(shape, Shape::Segments { ends, .. } if ends.is_empty()));
        shapes
    }

    /// Returns all lines of one kind, merged where they continue each other.
    fn segments(&self, facets: &Facets, line: Line) -> Vec<[Vec2; 2]> {
        let mut segments = Vec::new();
        let columns = (self.surfaces.len() / self.rows.max(1) as usize) as u32;
        // The lines that fall and rise to the right end of the previous column, by the row of that
        // end.
        let size = self.rows as usize + 2;
        let (mut falling, mut rising) = (vec![None; size], vec![None; size]);
        for column in 0..columns {
            let (mut next_falling, mut next_rising) = (vec![None; size], vec![None; size]);
            let mut upright: Option<[i64; 2]> = None;
            for row in 0..self.rows {
                let here = self.at(column, row);
                let left = Facets::points_left(column, row);
                let (x, y) = (i64::from(column), i64::from(row));
                // The vertical side is the right one of triangles that point left.
                if left {
                    let is = between(here, self.at(column + 1, row), self.detail) == line;
                    if is && upright.is_none() {
                        upright = Some([x + 1, y - 1]);
                    } else if let Some(from) = upright.filter(|_| !is) {
                        segments.push([from, [x + 1, y - 1]].map(|end| facets.pixel(end)));
                        upright = None;
                    }
                }
                if between(here, self.at(column, row + 1), self.detail) != line {
                    continue;
                }
                // The lower side.
                let (before, next, from, to) = if left {
                    (&mut falling, &mut next_falling, y, y + 1)
                } else {
                    (&mut rising, &mut next_rising, y + 1, y)
                };
                let start = before[from as usize].take().unwrap_or([x, from]);
                next[to as usize] = Some(start);
            }
            if let Some(from) = upright {
                let end = [i64::from(column) + 1, i64::from(self.rows)];
                segments.push([from, end].map(|end| facets.pixel(end)));
            }
            for (open, next) in [(&mut falling, next_falling), (&mut rising, next_rising)] {
                for (row, start) in open.iter().enumerate() {
                    if let Some(start) = start {
                        let end = [i64::from(column), row as i64];
                        segments.push([*start, end].map(|end| facets.pixel(end)));
                    }
                }
                *open = next;
            }
        }
        for open in [falling, rising] {
            for (row, start) in open.into_iter().enumerate() {
                if let Some(start) = start {
                    let end = [i64::from(columns), row as i64];
                    segments.push([start, end].map(|end| facets.pixel(end)));
                }
            }
        }
        segments
    }

    fn at(&self, column: u32, row: u32) -> Surface {
        if row >= self.rows {
            return None;
        }
        *self.surfaces.get(column as usize * self.rows as usize + row as usize)?
    }
}

fn between(one: Surface, two: Surface, detail: i32) -> Line {
    let (Some((a, one)), Some((b, two))) = (one, two) else {
        return if one == two { Line::None } else { Line::Outline };
    };
    let plane = |at: [i32; 3], face: Face| match face {
        Face::Top => at[1],
        Face::Right => at[0],
        Face::Left => at[2],
    };
    if one == two && plane(a, one) == plane(b, two) {
        return if a == b { Line::None } else { Line::Joint };
    }
    // Blocks that touch are at most a step of a stair apart in depth.
    let apart: i32 = (0..3).map(|axis| a[axis] - b[axis]).sum();
    let touch = (0..3).all(|axis| (a[axis] - b[axis]).abs() <= detail);
    if touch && apart.abs() <= 2 * detail { Line::Edge } else { Line::Outline }
}
