//! The parts of puzzles: doors, gaps, plates, levers, keys, crates, hooks, platforms.

use glam::Vec2;

use super::script::{PropLook, PropShot};
use crate::{Area, Colour, Paint, Picture, Shape, Stroke, Viewport};

const DARK: Colour = Colour::hex(0x20160e);
const WOOD: Colour = Colour::hex(0xb07a3c);
const LIGHT_WOOD: Colour = Colour::hex(0xd9a866);
const IRON: Colour = Colour::hex(0x5d6673);
const STEEL: Colour = Colour::hex(0xb9c4d0);
const GOLD: Colour = Colour::hex(0xf2c230);
const GREEN: Colour = Colour::hex(0x54c96b);
const RED: Colour = Colour::hex(0xe2574c);
const WATER: Colour = Colour::hex(0x2f6f9f);

/// Draws a part of a puzzle in its cell.
pub(in crate::view) fn draw_prop(prop: &PropShot, viewport: &Viewport, picture: &mut Picture) {
    draw_look(prop.look, viewport.pixel(prop.at), prop.side * viewport.scale(), picture);
}

/// Draws a part of a puzzle in a square of `side` pixels.
pub(in crate::view) fn draw_look(look: PropLook, centre: Vec2, side: f32, picture: &mut Picture) {
    // From the middle of the cell, in sides.
    let at = |x: f32, y: f32| centre + Vec2::new(x, y) * side;
    let thin = (side * 0.06).clamp(0.4, 3.0);
    let rect = |from: [f32; 2], to: [f32; 2], paint: Paint| Shape::Rect {
        area: Area { min: at(from[0], from[1]), max: at(to[0], to[1]) },
        radius: side * 0.06,
        paint,
    };
    let disc = |x: f32, y: f32, radius: f32, paint: Paint| Shape::Circle {
        centre: at(x, y),
        radius: radius * side,
        paint,
    };
    let line = |points: &[[f32; 2]], colour: Colour, width: f32| Shape::Polyline {
        points: points.iter().map(|[x, y]| at(*x, *y)).collect(),
        stroke: Stroke { colour, width },
    };
    let solid = |colour: Colour| Paint::fill(colour).outlined(DARK, thin);
    match look {
        PropLook::Door { is_open: false } => {
            picture.push(rect([-0.5, -0.5], [0.5, 0.5], solid(WOOD)));
            picture.push(line(&[[0.0, -0.5], [0.0, 0.5]], DARK, thin));
            picture.push(disc(0.2, 0.0, 0.08, Paint::fill(GOLD)));
        }
        PropLook::HeavyDoor { is_open: false } => {
            picture.push(rect([-0.5, -0.5], [0.5, 0.5], solid(IRON)));
            for x in [-0.25, 0.0, 0.25] {
                picture.push(line(&[[x, -0.45], [x, 0.45]], STEEL, thin * 1.3));
            }
            picture.push(line(&[[-0.45, 0.0], [0.45, 0.0]], STEEL, thin * 1.3));
        }
        PropLook::Door { is_open: true } | PropLook::HeavyDoor { is_open: true } => {
            // Its posts stay.
            let colour = if matches!(look, PropLook::Door { .. }) { WOOD } else { IRON };
            for y in [-0.5, 0.36] {
                picture.push(rect([-0.5, y], [0.5, y + 0.14], solid(colour)));
            }
        }
        PropLook::Gap { is_bridged: false } => {
            picture.push(rect([-0.5, -0.5], [0.5, 0.5], Paint::fill(WATER)));
            for y in [-0.2, 0.15] {
                let wave = [[-0.35, y], [-0.15, y - 0.08], [0.1, y + 0.04], [0.35, y - 0.06]];
                picture.push(line(&wave, STEEL.with_alpha(170), thin));
            }
        }
        PropLook::Gap { is_bridged: true } => {
            picture.push(rect([-0.5, -0.5], [0.5, 0.5], solid(LIGHT_WOOD)));
            for x in [-0.25, 0.0, 0.25] {
                picture.push(line(&[[x, -0.5], [x, 0.5]], WOOD, thin));
            }
        }
        PropLook::Plate { is_loaded } => {
            let colour = if is_loaded { GREEN } else { STEEL };
            picture.push(rect([-0.46, -0.46], [0.46, 0.46], solid(colour)));
            picture.push(rect([-0.3, -0.3], [0.3, 0.3], Paint::fill(IRON.with_alpha(120))));
        }
        PropLook::Lever { is_on } => {
            let (x, colour) = if is_on { (0.28, GREEN) } else { (-0.28, RED) };
            picture.push(rect([-0.36, 0.12], [0.36, 0.4], solid(IRON)));
            picture.push(line(&[[0.0, 0.2], [x, -0.28]], DARK, thin * 2.2));
            picture.push(disc(x, -0.28, 0.15, solid(colour)));
        }
        PropLook::Key => {
            picture.push(line(&[[-0.1, 0.0], [0.38, 0.0], [0.38, 0.18]], GOLD, thin * 2.0));
            picture.push(disc(-0.2, 0.0, 0.18, Paint::fill(DARK).outlined(GOLD, thin * 1.6)));
        }
        PropLook::Crate => {
            picture.push(rect([-0.42, -0.42], [0.42, 0.42], solid(LIGHT_WOOD)));
            picture.push(line(&[[-0.36, -0.36], [0.36, 0.36]], WOOD, thin * 1.6));
            picture.push(line(&[[-0.36, 0.36], [0.36, -0.36]], WOOD, thin * 1.6));
        }
        PropLook::Hook => {
            let dashes = Paint::fill(GOLD.with_alpha(60)).outlined(GOLD, thin);
            picture.push(rect([-0.46, -0.46], [0.46, 0.46], dashes));
            let bend = [[0.0, -0.4], [0.0, 0.1], [-0.12, 0.24], [-0.26, 0.1]];
            picture.push(line(&bend, GOLD, thin * 1.8));
        }
        PropLook::Winch => {
            picture.push(disc(0.0, 0.0, 0.36, solid(GOLD)));
            picture.push(line(&[[0.0, 0.0], [0.26, -0.26]], DARK, thin * 1.8));
        }
        PropLook::Platform { is_here } => {
            let colour = if is_here { GOLD } else { GOLD.with_alpha(60) };
            picture.push(rect(
                [-0.48, -0.48],
                [0.48, 0.48],
                Paint::fill(colour).outlined(GOLD, thin),
            ));
            picture.push(line(&[[-0.25, 0.12], [0.0, -0.16], [0.25, 0.12]], DARK, thin * 1.6));
        }
    }
}

/// Returns the name of a part in legends.
pub(in crate::view) fn look_name(look: PropLook) -> &'static str {
    match look {
        PropLook::Door { is_open: false } => "door",
        PropLook::Door { is_open: true } => "open door",
        PropLook::HeavyDoor { is_open: false } => "heavy door",
        PropLook::HeavyDoor { is_open: true } => "raised door",
        PropLook::Gap { is_bridged: false } => "gap",
        PropLook::Gap { is_bridged: true } => "bridge",
        PropLook::Plate { is_loaded: false } => "plate",
        PropLook::Plate { is_loaded: true } => "loaded plate",
        PropLook::Lever { is_on: false } => "lever, off",
        PropLook::Lever { is_on: true } => "lever, on",
        PropLook::Key => "key",
        PropLook::Crate => "crate",
        PropLook::Hook => "hook",
        PropLook::Winch => "winch",
        PropLook::Platform { is_here: true } => "platform",
        PropLook::Platform { is_here: false } => "its other end",
    }
}
