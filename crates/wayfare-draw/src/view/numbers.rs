//! g, h and f in the cells that a search has reached, where there is room for them: g and h above,
//! f below and larger.

use glam::Vec2;

use super::search::SearchView;
use super::stage::Stage;
use crate::{Anchor, Colour, Label, Picture, Shape, Typeface};

/// Cells of at least that side have room for numbers, in pixels.
const LEAST_SIDE: f32 = 48.0;

/// The most cells with numbers: more are not read.
const MOST: usize = 600;

/// The text on light and on dark cells.
const INK: [Colour; 2] = [Colour::hex(0x10_14_1a), Colour::hex(0xf4_f6_f8)];

impl Stage<'_, '_> {
    /// Draws the numbers of a search.
    pub(crate) fn draw_numbers(&self, view: &SearchView<'_>, picture: &mut Picture) {
        let lattice = self.panel.scenery.lattice();
        let (Some(lattice), Some(unit)) = (lattice, self.panel.cost_per_unit) else { return };
        let side = self.viewport().scale();
        // Marks that leave a rim of the ground have less room.
        let room = side - 2.0 * self.inset() as f32;
        if room < LEAST_SIDE || self.viewport().block() != 1 {
            return;
        }
        for place in view.marked().take(MOST) {
            let Some(mark) = view.mark(place) else { continue };
            let columns = lattice.columns as usize;
            let (column, row) = ((place % columns) as u32, (place / columns) as u32);
            let Some(cell) = self.tile(view, lattice, column, row) else { continue };
            let [on_light, on_dark] = INK;
            let is_light = cell.contrast(on_light) >= cell.contrast(on_dark);
            let ink = if is_light { on_light } else { on_dark };
            let corner = self.viewport().pixel(Vec2::new(column as f32, row as f32));
            let [g, h] = [mark.g, mark.h].map(|cost| f64::from(cost) / unit);
            let small = (side * 0.2).min(13.0);
            let mut write = |number: f64, at: Vec2, anchor: Anchor, size: f32| {
                let text = short(number);
                let text = Typeface::Sans.fitted(&text, size, side * 0.84).into_owned();
                let at = corner + at * side;
                let label = |at: Vec2, colour: Colour| {
                    let (text, face) = (text.clone(), Typeface::Sans);
                    Shape::Text(Label { text, at, anchor, size, face, colour })
                };
                // A path may lead through it.
                for offset in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
                    picture.push(label(at + offset, cell));
                }
                picture.push(label(at, ink));
            };
            let above = 0.08 + small / side * 0.8;
            write(g, Vec2::new(0.08, above), Anchor::Start, small);
            write(h, Vec2::new(0.92, above), Anchor::End, small);
            write(g + h, Vec2::new(0.5, 0.86), Anchor::Middle, (side * 0.3).min(20.0));
        }
    }
}

/// Returns a number with as many digits as a cell has room for.
fn short(number: f64) -> String {
    match number {
        whole if whole.fract() == 0.0 => format!("{whole}"),
        small if small < 100.0 => format!("{small:.1}"),
        large => format!("{large:.0}"),
    }
}
