//! The fixed parts of a film, such as card, title, world, marks and legend, and the layout of the
//! others.

use glam::Vec2;

use super::badge::Badge;
use super::script::{Film, PassageGate, Shot};
use crate::scenery::grid_lines;
use crate::{
    Anchor, Area, Colour, DrawError, Label, Paint, Picture, Shape, Stroke, Theme, Typeface,
    Viewport,
};

/// The space around the card and inside it, in pixels.
const GAP: f32 = 12.0;
const HEADER: f32 = 42.0;
/// The width at which a title is cut, if the world is no wider.
const WIDEST_TITLE: f32 = 900.0;
/// The width of the roster beside the world, and the height of its rows.
pub(super) const ROSTER: f32 = 186.0;
const ROW: f32 = 40.0;
/// The height that the bar of an agent's animations adds.
const GAIT: f32 = 14.0;
/// The height of a line of the legend.
const LINE: f32 = 24.0;
const LEGEND_TEXT: f32 = 14.0;

/// The layout of a film.
pub(super) struct Layout {
    pub(super) viewport: Viewport,
    /// Card, title, world, marks and legend.
    pub(super) fixed: Picture,
    /// The left end of the clock's base line.
    pub(super) clock: Vec2,
    /// The left upper corner of the roster.
    pub(super) roster: Vec2,
    /// The actors in the roster, from the top.
    pub(super) named: Vec<usize>,
}

/// An entry of the legend.
enum Entry {
    Team(String, Colour, Badge),
    Gate(&'static str, PassageGate),
    Mark(&'static str),
    Way,
    Barrier,
    Danger,
    Clip(String, Colour),
}

/// Returns the height of a row of the roster.
pub(super) fn row_height(film: &Film<'_>) -> f32 {
    if film.clips.is_empty() { ROW } else { ROW + GAIT }
}

impl Layout {
    /// Lays out a film of the given shots. Its legend explains the marks in them.
    pub(super) fn of(film: &Film<'_>, shots: &[Shot]) -> Result<Self, DrawError> {
        let theme = &film.theme;
        let viewport = Viewport::fit(film.scenery, film.longest, Vec2::ZERO);
        let [width, height] = viewport.size().map(|side| side as f32);
        let named: Vec<usize> =
            (0..film.actors.len()).filter(|actor| film.actors[*actor].is_named).collect();
        let rows = ((height - 8.0) / row_height(film)).max(1.0) as usize;
        let named: Vec<usize> = named.into_iter().take(rows).collect();
        let roster = if named.is_empty() { 0.0 } else { ROSTER + GAP };
        let title = (Typeface::Sans.width(&film.title, 20.0) + 110.0).min(WIDEST_TITLE);
        let inner = (width + roster).max(title).ceil();
        let title = Typeface::Sans.fitted(&film.title, 20.0, inner - 100.0);
        let lines = legend_lines(film, shots, inner);
        let legend = lines.len() as f32 * LINE + if lines.is_empty() { GAP } else { GAP * 1.3 };
        let card = Area::sized(
            Vec2::splat(GAP),
            Vec2::new(inner + 2.0 * GAP, (HEADER + height + legend).ceil()),
        );
        let size = card.max + GAP;
        let mut fixed = Picture::new(size.x as u32, size.y as u32, theme.background)?;
        fixed.push(Shape::Rect { area: card, radius: 10.0, paint: Paint::fill(theme.panel) });
        let corner = card.min + Vec2::new(GAP, HEADER);
        let viewport = viewport.moved_to(corner);
        let base = card.min.y + 28.0;
        fixed.push(text(&title, Vec2::new(corner.x, base), 20.0, theme.text));
        draw_world(film, &viewport, &mut fixed);
        for place in &film.places {
            place_mark(viewport.pixel(place.at), theme, &mut fixed);
        }
        let foot = viewport.area().max.y + GAP * 0.6;
        for (number, line) in lines.into_iter().enumerate() {
            for (x, entry) in line {
                let at = Vec2::new(corner.x + x, foot + (number as f32 + 0.5) * LINE);
                draw_entry(&entry, at, theme, &mut fixed);
            }
        }
        Ok(Self {
            clock: Vec2::new(card.max.x - GAP, base),
            roster: Vec2::new(corner.x + width + GAP, corner.y),
            viewport,
            fixed,
            named,
        })
    }
}

fn draw_world(film: &Film<'_>, viewport: &Viewport, picture: &mut Picture) {
    let scenery = film.scenery;
    scenery.draw_base(viewport, &film.theme, picture);
    if scenery.is_ruled()
        && let Some(lines) = grid_lines(viewport, &film.theme)
    {
        picture.push(lines);
    }
    if let Some(relief) = scenery.relief(viewport, &film.theme, &|_| None) {
        picture.push(Shape::Facets(relief.facets));
        relief.lines.into_iter().for_each(|line| picture.push(line));
    }
    scenery.draw_names(viewport, &film.theme, picture);
}

/// Draws the names of the places that agents go to, with a halo, readable on any ground.
pub(super) fn draw_names(film: &Film<'_>, viewport: &Viewport, picture: &mut Picture) {
    for place in film.places.iter().filter(|place| !place.name.is_empty()) {
        let centre = viewport.pixel(place.at);
        let half = Typeface::Sans.width(&place.name, 12.0) / 2.0;
        let area = viewport.area();
        let x = centre.x.max(area.min.x + half + 3.0).min(area.max.x - half - 3.0);
        let y = if centre.y + 24.0 > area.max.y { centre.y - 11.0 } else { centre.y + 18.0 };
        for (dx, dy) in [(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)] {
            let at = Vec2::new(x + dx, y + dy);
            let halo = film.theme.background.with_alpha(150);
            picture.push(label(&place.name, at, Anchor::Middle, 12.0, halo));
        }
        picture.push(label(&place.name, Vec2::new(x, y), Anchor::Middle, 12.0, film.theme.text));
    }
}

fn place_mark(centre: Vec2, theme: &Theme, picture: &mut Picture) {
    let tip = |offset: Vec2| centre + offset * 5.5;
    let points = [Vec2::NEG_Y, Vec2::X, Vec2::Y, Vec2::NEG_X].map(tip).to_vec();
    let paint =
        Paint::fill(theme.text.with_alpha(70)).outlined(theme.background.with_alpha(160), 3.0);
    picture.push(Shape::Polygon { points: points.clone(), paint });
    let paint = Paint { fill: None, stroke: Some(Stroke { colour: theme.text, width: 1.4 }) };
    picture.push(Shape::Polygon { points, paint });
}

fn legend_lines(film: &Film<'_>, shots: &[Shot], width: f32) -> Vec<Vec<(f32, Entry)>> {
    let mut entries: Vec<Entry> = Vec::new();
    for (number, team) in film.teams.iter().enumerate() {
        let count = film.actors.iter().filter(|actor| actor.team == number).count();
        if count > 0 && !team.name.is_empty() {
            let text =
                if count > 1 { format!("{} ({count})", team.name) } else { team.name.clone() };
            let room = width - 24.0;
            let text = Typeface::Sans.fitted(&text, LEGEND_TEXT, room).into_owned();
            entries.push(Entry::Team(text, team.colour, Badge::of_team(number)));
        }
    }
    if !film.actors.is_empty() {
        entries.push(Entry::Way);
    }
    if !film.places.is_empty() {
        entries.push(Entry::Mark("place to go"));
    }
    for (name, gate) in [
        ("open", PassageGate::Open),
        ("closed", PassageGate::Closed),
        ("locked", PassageGate::Locked),
    ] {
        if shots.iter().flat_map(|shot| &shot.passages).any(|passage| passage.gate == gate) {
            entries.push(Entry::Gate(name, gate));
        }
    }
    if shots.iter().any(|shot| !shot.barriers.is_empty()) {
        entries.push(Entry::Barrier);
    }
    if shots.iter().any(|shot| !shot.dangers.is_empty()) {
        entries.push(Entry::Danger);
    }
    if shots.iter().flat_map(|shot| &shot.actors).any(|actor| actor.gait.is_some()) {
        for (number, name) in film.clips.iter().enumerate() {
            let name = Typeface::Sans.fitted(name, LEGEND_TEXT, width - 24.0).into_owned();
            entries.push(Entry::Clip(name, film.clip_colour(number)));
        }
    }
    let mut lines: Vec<Vec<(f32, Entry)>> = Vec::new();
    let mut x = f32::INFINITY;
    for entry in entries {
        let needed = 24.0 + Typeface::Sans.width(entry.text(), LEGEND_TEXT);
        if x + needed > width {
            lines.push(Vec::new());
            x = 0.0;
        }
        if let Some(line) = lines.last_mut() {
            line.push((x, entry));
        }
        x += needed + 18.0;
    }
    lines
}

impl Entry {
    fn text(&self) -> &str {
        match self {
            Self::Team(name, ..) | Self::Clip(name, _) => name,
            Self::Gate(name, _) | Self::Mark(name) => name,
            Self::Way => "way ahead",
            Self::Barrier => "in the way",
            Self::Danger => "danger",
        }
    }
}

fn draw_entry(entry: &Entry, at: Vec2, theme: &Theme, picture: &mut Picture) {
    let centre = at + Vec2::new(9.0, 0.0);
    match entry {
        Entry::Team(_, colour, badge) => {
            let paint = Paint::fill(*colour).outlined(theme.outline, 1.5);
            picture.push(badge.shape(centre, 6.0, paint));
        }
        Entry::Clip(_, colour) => {
            let area = Area::sized(centre - Vec2::new(8.0, 4.0), Vec2::new(16.0, 8.0));
            picture.push(Shape::Rect { area, radius: 0.0, paint: Paint::fill(*colour) });
        }
        Entry::Gate(_, gate) => super::passages::draw_gate(*gate, centre, 6.0, theme, picture),
        Entry::Mark(_) => place_mark(centre, theme, picture),
        Entry::Way => {
            let ends = vec![centre - Vec2::new(9.0, 0.0), centre + Vec2::new(9.0, 0.0)];
            let stroke = Stroke { colour: theme.text_muted, width: 2.5 };
            picture.push(Shape::Polyline { points: ends, stroke });
        }
        Entry::Danger => {
            let area = Area::sized(centre - 6.0, Vec2::splat(12.0));
            let paint = Paint::fill(theme.heat.with_alpha(180));
            picture.push(Shape::Rect { area, radius: 0.0, paint });
        }
        Entry::Barrier => {
            let area = Area::sized(centre - 6.0, Vec2::splat(12.0));
            let corners = [
                area.min,
                Vec2::new(area.max.x, area.min.y),
                area.max,
                Vec2::new(area.min.x, area.max.y),
            ];
            super::passages::draw_barrier(&corners, picture);
        }
    }
    let base = centre + Vec2::new(15.0, LEGEND_TEXT * 0.35);
    picture.push(text(entry.text(), base, LEGEND_TEXT, theme.text_muted));
}

/// Returns a text that starts at a point.
pub(super) fn text(text: &str, at: Vec2, size: f32, colour: Colour) -> Shape {
    label(text, at, Anchor::Start, size, colour)
}

/// Returns a text with any anchor.
pub(super) fn label(text: &str, at: Vec2, anchor: Anchor, size: f32, colour: Colour) -> Shape {
    Shape::Text(Label { text: text.to_owned(), at, anchor, size, face: Typeface::Sans, colour })
}
