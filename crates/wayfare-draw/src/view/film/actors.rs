//! Agents: the shapes of their teams with a direction, the path ahead of them, and their present
//! activity.

use glam::Vec2;

use super::badge::Badge;
use super::layout::{Layout, ROSTER, draw_names, row_height, text};
use super::passages::{draw_plate, passage_plates, plate};
use super::script::{ActorShot, Film, Gait, Shot};
use crate::view::stage::{inner, turning_points};
use crate::{Area, Paint, Picture, Shape, Stroke, Typeface};

/// From this count of agents on, paths are drawn thin.
const CROWD: usize = 24;

/// The least distance between marks of turning points, in pixels.
const LEAST_APART: f32 = 12.0;

/// Draws the paths, then the agents, then the texts beside them.
pub(super) fn draw_actors(film: &Film<'_>, shot: &Shot, layout: &Layout, picture: &mut Picture) {
    let is_crowd = shot.actors.len() > CROWD;
    for actor in &shot.actors {
        draw_way(film, actor, layout, is_crowd, picture);
    }
    // Agents further down are nearer to the viewer.
    let mut order: Vec<&ActorShot> = shot.actors.iter().collect();
    order.sort_by(|a, b| a.at.y.total_cmp(&b.at.y).then(a.actor.cmp(&b.actor)));
    for actor in &order {
        draw_actor(film, actor, layout, picture);
    }
    draw_names(film, &layout.viewport, picture);
    draw_labels(film, shot, layout, picture);
}

/// Returns the shape of an actor's team.
fn badge(film: &Film<'_>, actor: usize) -> Badge {
    Badge::of_team(film.actors.get(actor).map_or(0, |actor| actor.team))
}

fn radius(film: &Film<'_>, actor: &ActorShot, layout: &Layout) -> f32 {
    let scale = layout.viewport.scale();
    let own = film.actors.get(actor.actor).map_or(0.3, |actor| actor.radius) * scale;
    let least = if film.actors.len() > CROWD { 3.2 } else { 7.0 };
    own.clamp(least, 14.0)
}

fn draw_way(
    film: &Film<'_>,
    actor: &ActorShot,
    layout: &Layout,
    is_crowd: bool,
    picture: &mut Picture,
) {
    if actor.ahead.len() < 2 {
        return;
    }
    let points: Vec<Vec2> = actor.ahead.iter().map(|point| layout.viewport.pixel(*point)).collect();
    let colour = film.colour(actor.actor);
    if is_crowd {
        // Opaque: where paths overlap, their count need not show, and a GIF stays small.
        let stroke = Stroke { colour: colour.mix(film.theme.outline, 0.35), width: 1.0 };
        picture.push(Shape::Polyline { points, stroke });
        return;
    }
    let end = points[points.len() - 1];
    let corners = turning_points(points.iter().copied());
    let dark = Stroke { colour: film.theme.outline.with_alpha(140), width: 4.6 };
    picture.push(Shape::Polyline { points: points.clone(), stroke: dark });
    picture.push(Shape::Polyline {
        points,
        stroke: Stroke { colour: colour.with_alpha(225), width: 2.4 },
    });
    // Where it turns; on small cells the marks would touch each other.
    let mut last = Vec2::INFINITY;
    for &centre in inner(&corners) {
        if centre.distance(last) >= LEAST_APART {
            let paint = Paint::fill(film.theme.outline).outlined(colour, 1.4);
            picture.push(Shape::Circle { centre, radius: 2.6, paint });
            last = centre;
        }
    }
    let paint = Paint::fill(colour).outlined(film.theme.outline, 1.4);
    picture.push(badge(film, actor.actor).shape(end, 3.6, paint));
}

fn draw_actor(film: &Film<'_>, actor: &ActorShot, layout: &Layout, picture: &mut Picture) {
    let centre = layout.viewport.pixel(actor.at);
    let radius = radius(film, actor, layout);
    let colour = film.colour(actor.actor);
    let alpha = if actor.is_hidden { 120 } else { 255 };
    let outline = film.theme.outline.with_alpha(alpha);
    let edge = (radius * 0.22).clamp(1.0, 1.8);
    if let Some(ahead) = actor.heading.try_normalize() {
        // A nose that starts where its sides touch the disc.
        let (tip, side) = (centre + ahead * radius * 1.95, ahead.perp() * radius * 0.86);
        let root = centre + ahead * radius * 0.51;
        let paint = Paint::fill(colour.with_alpha(alpha)).outlined(outline, edge);
        picture.push(Shape::Polygon { points: vec![tip, root + side, root - side], paint });
    }
    if actor.is_inside {
        let paint = Paint::fill(outline).outlined(colour, (radius * 0.35).max(1.6));
        picture.push(badge(film, actor.actor).shape(centre, radius * 0.8, paint));
        return;
    }
    let paint = Paint::fill(colour.with_alpha(alpha)).outlined(outline, edge);
    picture.push(badge(film, actor.actor).shape(centre, radius, paint));
}

fn draw_labels(film: &Film<'_>, shot: &Shot, layout: &Layout, picture: &mut Picture) {
    let world = layout.viewport.area();
    let mut taken = passage_plates(film, shot, &layout.viewport);
    for actor in &shot.actors {
        let centre = layout.viewport.pixel(actor.at);
        let radius = radius(film, actor, layout);
        if film.actors.len() <= CROWD {
            taken.push(Area { min: centre - radius, max: centre + radius });
        }
    }
    for actor in &shot.actors {
        let Some(own) = film.actors.get(actor.actor).filter(|own| own.is_named) else { continue };
        let words = match actor.label.as_str() {
            "" => own.name.clone(),
            label => format!("{}: {label}", own.name),
        };
        let centre = layout.viewport.pixel(actor.at);
        let away = radius(film, actor, layout) + 13.0;
        let half = Typeface::Sans.width(&words, 12.0) / 2.0 + 5.0;
        let beside = away + half - 6.0;
        let candidates = [
            Vec2::new(0.0, -away - 3.0),
            Vec2::new(0.0, away + 3.0),
            Vec2::new(beside, 0.0),
            Vec2::new(-beside, 0.0),
            Vec2::new(0.0, -away - 21.0),
            Vec2::new(0.0, away + 21.0),
        ];
        let inside = |at: Vec2| {
            let (min, max) = (world.min + Vec2::new(half, 10.0), world.max - Vec2::new(half, 10.0));
            at.max(min).min(max.max(min))
        };
        let places = candidates.map(|offset| inside(centre + offset));
        let is_free = |at: &Vec2| taken.iter().all(|other| !overlap(plate(&words, *at), *other));
        // If necessary over anything but another text.
        let at = places.into_iter().find(is_free).unwrap_or(places[0]);
        taken.push(plate(&words, at));
        draw_plate(&words, at, film.colour(actor.actor), &film.theme, picture);
    }
}

fn overlap(a: Area, b: Area) -> bool {
    a.min.x < b.max.x && b.min.x < a.max.x && a.min.y < b.max.y && b.min.y < a.max.y
}

/// Draws the roster: names and activities.
pub(super) fn draw_roster(film: &Film<'_>, shot: &Shot, layout: &Layout, picture: &mut Picture) {
    let theme = &film.theme;
    for (row, number) in layout.named.iter().enumerate() {
        let Some(actor) = film.actors.get(*number) else { continue };
        let now = shot.actors.iter().find(|shot| shot.actor == *number);
        let corner = layout.roster + Vec2::new(0.0, row as f32 * row_height(film));
        let (colour, label) = match now {
            Some(now) => (film.colour(*number), now.label.as_str()),
            None => (theme.text_muted, "gone"),
        };
        let paint = Paint::fill(colour).outlined(theme.outline, 1.5);
        let centre = corner + Vec2::new(8.0, 11.0);
        picture.push(badge(film, *number).shape(centre, 6.5, paint));
        let mut line = |words: &str, y, size, colour| {
            let words = Typeface::Sans.fitted(words, size, ROSTER - 22.0);
            picture.push(text(&words, corner + Vec2::new(22.0, y), size, colour));
        };
        line(&actor.name, 16.0, 15.0, theme.text);
        line(label, 32.0, 14.0, theme.text_muted);
        if let Some(gait) = now.and_then(|now| now.gait.as_ref()) {
            draw_gait(film, gait, corner + Vec2::new(22.0, 38.0), picture);
        }
    }
}

/// Draws the shares of the clips as a bar, and the playback speed beside it.
fn draw_gait(film: &Film<'_>, gait: &Gait, corner: Vec2, picture: &mut Picture) {
    const SIZE: Vec2 = Vec2::new(110.0, 8.0);
    let mut left = corner;
    for (clip, weight) in gait.weights.iter().enumerate().take(film.clips.len()) {
        let width = SIZE.x * weight.clamp(0.0, 1.0);
        if width > 0.0 {
            let area = Area::sized(left, Vec2::new(width, SIZE.y));
            let paint = Paint::fill(film.clip_colour(clip));
            picture.push(Shape::Rect { area, radius: 0.0, paint });
            left.x += width;
        }
    }
    let at = corner + Vec2::new(SIZE.x + 8.0, 8.5);
    picture.push(text(&format!("×{:.2}", gait.playback), at, 13.0, film.theme.text_muted));
}
