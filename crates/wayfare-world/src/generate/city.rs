//! Cities: streets, blocks, plazas, and buildings with courtyards and doors.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use crate::error::WorldError;
use crate::generate::open_ground::{OpenGround, random};
use crate::tile_map::TileMap;

/// A span of tiles: from, and up to but not including.
type Span = (usize, usize);

/// A city of `width` × `height` tiles (64 to 8192 each), closed all around; every open tile can be
/// reached from every other. Streets are 3 to 8 wide. Of the blocks between them, some are plazas
/// with a fountain; the others are lots with solid buildings, or hollow ones with doors.
///
/// # Errors
/// When a side is out of range.
pub fn city(width: u32, height: u32, seed: u64) -> Result<TileMap, WorldError> {
    let mut ground = OpenGround::new(width, height, 64, true)?;
    let mut random = random(seed);
    let columns = blocks(ground.width, &mut random);
    let rows = blocks(ground.height, &mut random);
    for &row in &rows {
        for &column in &columns {
            if random.random_bool(0.1) {
                plaza(&mut ground, column, row);
            } else {
                block(&mut ground, column, row, &mut random);
            }
        }
    }
    let (right, bottom) = (ground.width, ground.height);
    ground.fill((0, 0), (right, 1), false);
    ground.fill((0, bottom - 1), (right, bottom), false);
    ground.fill((0, 0), (1, bottom), false);
    ground.fill((right - 1, 0), (right, bottom), false);
    ground.keep_largest_region();
    ground.into_map("city")
}

/// Where the blocks are along one side, with streets between them: every fourth an avenue.
fn blocks(length: usize, random: &mut Pcg64Mcg) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut from = 4;
    while from + 12 < length {
        let to = (from + random.random_range(18..=46)).min(length - 4);
        spans.push((from, to));
        let street = if spans.len() % 4 == 0 {
            random.random_range(6..=8)
        } else {
            random.random_range(3..=4)
        };
        from = to + street;
    }
    spans
}

/// Open ground with a round fountain in the middle.
fn plaza(ground: &mut OpenGround, columns: Span, rows: Span) {
    let (x, y) = ((columns.0 + columns.1) / 2, (rows.0 + rows.1) / 2);
    let radius = ((columns.1 - columns.0).min(rows.1 - rows.0) / 8).max(1);
    for dy in 0..=2 * radius {
        for dx in 0..=2 * radius {
            let square = dx.abs_diff(radius).pow(2) + dy.abs_diff(radius).pow(2);
            if square <= radius * radius {
                ground.set(x + dx - radius, y + dy - radius, false);
            }
        }
    }
}

/// Lots, some apart by an alley, with a building each.
fn block(ground: &mut OpenGround, columns: Span, rows: Span, random: &mut Pcg64Mcg) {
    for column in lots(columns, random) {
        for row in lots(rows, random) {
            building(ground, column, row, random);
        }
    }
}

fn lots((from, to): Span, random: &mut Pcg64Mcg) -> Vec<Span> {
    const SMALLEST: usize = 8;
    let mut lots = Vec::new();
    let mut start = from;
    while to - start >= 2 * SMALLEST + 2 {
        let end = start + random.random_range(SMALLEST..=(to - start - SMALLEST).min(20));
        lots.push((start, end));
        // Wall to wall, or an alley two wide.
        start = if random.random_bool(0.5) { (end + 2).min(to) } else { end };
    }
    lots.push((start, to));
    lots
}

fn building(ground: &mut OpenGround, columns: Span, rows: Span, random: &mut Pcg64Mcg) {
    let ((left, right), (top, bottom)) = (columns, rows);
    ground.fill((left, top), (right, bottom), false);
    let (width, height) = (right - left, bottom - top);
    if width < 8 || height < 8 || random.random_bool(0.55) {
        return;
    }
    let wall = if width.min(height) >= 14 { 4 } else { 2 };
    ground.fill((left + wall, top + wall), (right - wall, bottom - wall), true);
    for _ in 0..random.random_range(1..=2) {
        const DOOR: usize = 2;
        let x = random.random_range(left + wall..right - wall - 1);
        let y = random.random_range(top + wall..bottom - wall - 1);
        match random.random_range(0..4) {
            0 => ground.fill((left, y), (left + wall, y + DOOR), true),
            1 => ground.fill((right - wall, y), (right, y + DOOR), true),
            2 => ground.fill((x, top), (x + DOOR, top + wall), true),
            _ => ground.fill((x, bottom - wall), (x + DOOR, bottom), true),
        }
    }
}
