//! Passages with their gates, and the obstacles of a shot.

use glam::Vec2;

use super::layout::label;
use super::script::{Film, Passage, PassageGate, PassageShot, Shot};
use crate::{Anchor, Area, Colour, Paint, Picture, Shape, Stroke, Theme, Typeface, Viewport};

/// Returns the colour of a gate in each state.
fn gate_colour(gate: PassageGate) -> Colour {
    match gate {
        PassageGate::Open => Colour::hex(0x62e58b),
        PassageGate::Closed => Colour::hex(0xff6257),
        PassageGate::Locked => Colour::hex(0xffc24d),
    }
}

/// Draws all passages of a film below its agents.
pub(super) fn draw_passages(
    film: &Film<'_>,
    shot: &Shot,
    viewport: &Viewport,
    picture: &mut Picture,
) {
    for (number, passage) in film.passages.iter().enumerate() {
        let state = shot.passages.get(number).copied().unwrap_or_default();
        draw_passage(passage, state, viewport, &film.theme, picture);
    }
}

fn draw_passage(
    passage: &Passage,
    state: PassageShot,
    viewport: &Viewport,
    theme: &Theme,
    picture: &mut Picture,
) {
    let [from, to] = passage.ends.map(|end| viewport.pixel(end));
    let colour = gate_colour(state.gate);
    let radius = (viewport.scale() * 0.3).clamp(5.0, 9.0);
    // A dashed line between the rims of the two ends.
    let length = from.distance(to);
    if let Some(ahead) = (to - from).try_normalize()
        && length > 2.0 * radius
    {
        let mut ends = Vec::new();
        let mut done = radius + 2.0;
        while done + 3.0 < length - radius {
            ends.push([from + ahead * done, from + ahead * (done + 5.0).min(length - radius)]);
            done += 9.0;
        }
        for (colour, width) in [(theme.outline.with_alpha(190), 4.5), (colour, 2.2)] {
            picture.push(Shape::Segments { ends: ends.clone(), stroke: Stroke { colour, width } });
        }
    }
    draw_gate(state.gate, from, radius, theme, picture);
    draw_gate(state.gate, to, radius, theme, picture);
    if passage.one_way {
        picture.push_arrow_head(from, to - (to - from).normalize_or_zero() * radius, 9.0, colour);
    }
    let (text, at) = caption(passage, state, viewport);
    draw_plate(&text, at, colour, theme, picture);
}

/// Returns the text beside a passage, and its position.
fn caption(passage: &Passage, state: PassageShot, viewport: &Viewport) -> (String, Vec2) {
    let [from, to] = passage.ends.map(|end| viewport.pixel(end));
    let mut text = passage.name.clone();
    if let Some(capacity) = passage.capacity {
        text = format!("{text} {}/{capacity}", state.inside);
    }
    if state.waiting > 0 {
        text = format!("{text} +{}", state.waiting);
    }
    let middle = (from + to) / 2.0;
    // Beside the line, on the upper side.
    let aside = (to - from).normalize_or_zero().perp();
    let aside = if aside.y > 0.0 { -aside } else { aside };
    let aside = if aside == Vec2::ZERO { Vec2::NEG_Y } else { aside };
    let half = Typeface::Sans.width(&text, 12.0) / 2.0;
    let away = 12.0 + aside.x.abs() * half;
    let area = viewport.area();
    let mut at = middle + aside * away;
    at.x = at.x.max(area.min.x + half + 6.0).min(area.max.x - half - 6.0);
    at.y = at.y.max(area.min.y + 16.0);
    (text, at)
}

/// Returns the areas of the texts beside passages.
pub(super) fn passage_plates(film: &Film<'_>, shot: &Shot, viewport: &Viewport) -> Vec<Area> {
    let passages = film.passages.iter().enumerate();
    let plates = passages.map(|(number, passage)| {
        let state = shot.passages.get(number).copied().unwrap_or_default();
        let (text, at) = caption(passage, state, viewport);
        plate(&text, at)
    });
    plates.collect()
}

/// Draws the sign of a gate: a ring when open, with a bar when closed, with a dot when locked.
pub(super) fn draw_gate(
    gate: PassageGate,
    centre: Vec2,
    radius: f32,
    theme: &Theme,
    picture: &mut Picture,
) {
    let colour = gate_colour(gate);
    let paint = Paint::fill(theme.outline.with_alpha(210)).outlined(theme.outline, 5.0);
    picture.push(Shape::Circle { centre, radius, paint });
    let ring = Paint { fill: None, stroke: Some(Stroke { colour, width: 2.4 }) };
    picture.push(Shape::Circle { centre, radius, paint: ring });
    match gate {
        PassageGate::Open => {}
        PassageGate::Closed => {
            let reach = Vec2::new(radius * 0.62, 0.0);
            let points = vec![centre - reach, centre + reach];
            picture.push(Shape::Polyline { points, stroke: Stroke { colour, width: 3.0 } });
        }
        PassageGate::Locked => picture.push(Shape::Circle {
            centre,
            radius: radius * 0.42,
            paint: Paint::fill(colour),
        }),
    }
}

/// Draws a text on a dark plate, centred on a point.
pub(super) fn draw_plate(
    text: &str,
    at: Vec2,
    colour: Colour,
    theme: &Theme,
    picture: &mut Picture,
) {
    picture.push(Shape::Rect {
        area: plate(text, at),
        radius: 4.0,
        paint: Paint::fill(theme.outline.with_alpha(200)),
    });
    let light = colour.mix(Colour::hex(0xffffff), 0.35);
    picture.push(label(text, at + Vec2::new(0.0, 4.0), Anchor::Middle, 12.0, light));
}

/// Returns the size of such a plate.
pub(super) fn plate(text: &str, at: Vec2) -> Area {
    let half = Vec2::new(Typeface::Sans.width(text, 12.0) / 2.0 + 5.0, 8.5);
    Area { min: at - half, max: at + half }
}

/// Draws an obstacle: hatched.
pub(super) fn draw_barrier(corners: &[Vec2], picture: &mut Picture) {
    let Some(area) = Area::around(corners.iter().copied()) else { return };
    let paint =
        Paint::fill(Colour::hex(0x6d3b2e).with_alpha(225)).outlined(Colour::hex(0xf2a65a), 1.6);
    picture.push(Shape::Polygon { points: corners.to_vec(), paint });
    // Lines that fall to the left, clipped to the outline where it is convex.
    let mut ends = Vec::new();
    let mut sum = area.min.x + area.min.y + 5.0;
    while sum < area.max.x + area.max.y {
        if let Some(line) = cut(corners, sum) {
            ends.push(line);
        }
        sum += 8.0;
    }
    let stroke = Stroke { colour: Colour::hex(0xf2a65a).with_alpha(150), width: 1.4 };
    picture.push(Shape::Segments { ends, stroke });
}

/// Returns the points where the line of all points with a given sum of coordinates crosses a convex
/// outline.
fn cut(corners: &[Vec2], sum: f32) -> Option<[Vec2; 2]> {
    let mut found = Vec::new();
    for (number, to) in corners.iter().enumerate() {
        let from = corners[(number + corners.len() - 1) % corners.len()];
        let (a, b) = (from.x + from.y - sum, to.x + to.y - sum);
        if (a < 0.0) != (b < 0.0) {
            found.push(from.lerp(*to, a / (a - b)));
        }
    }
    match found[..] {
        [one, two] => Some([one, two]),
        _ => None,
    }
}
