//! The legend: a strip that explains colours and shapes.

use glam::Vec2;

use wayfare_core::space::Action;

use super::PropLook;
use super::film::{draw_look, look_name};
use super::signs::{action_name, sign};
use super::stage::{goal_marker, parent_stroke, path_colours, start_marker};
use crate::{
    Anchor, Area, Colour, Label, Paint, Picture, Ramp, SearchLook, Shape, Stroke, Theme, Typeface,
};

/// An entry of the legend.
pub enum Entry {
    /// The start.
    Start,
    /// The goal.
    Goal,
    /// The path.
    Path(SearchLook),
    /// The line from a place to its parent.
    Parent,
    /// The sign of an action.
    Sign(Action),
    /// The single colour of open or expanded places.
    Plain(&'static str, Colour),
    /// The costs of open places, along a ramp.
    Open(Ramp),
    /// The costs of closed places, along a ramp.
    Closed(Ramp),
    /// A part of a puzzle.
    Prop(PropLook),
    /// A terrain.
    Terrain(String, Colour),
    /// The count of entries that are left out.
    More(String),
}

/// The height of a line of the legend.
pub(crate) const LINE: f32 = 26.0;
const SIZE: f32 = 14.0;
/// The most lines. Further entries are counted.
pub const MOST_LINES: usize = 5;
const GAP: f32 = 24.0;

impl Entry {
    /// The text.
    pub fn text(&self) -> &str {
        match self {
            Self::Start => "start",
            Self::Goal => "goal",
            Self::Path(_) => "path",
            Self::Parent => "to the parent",
            Self::Sign(action) => action_name(*action),
            Self::Plain(name, _) => name,
            Self::Prop(look) => look_name(*look),
            Self::Open(Ramp::Fire) => "open, by cost",
            Self::Closed(Ramp::Fire) => "expanded, by cost",
            Self::Open(Ramp::Ice) => "open, from the goal",
            Self::Closed(Ramp::Ice) => "expanded, from the goal",
            Self::Terrain(name, _) | Self::More(name) => name,
        }
    }

    fn symbol_width(&self) -> f32 {
        match self {
            Self::Start | Self::Goal | Self::Sign(_) | Self::Plain(..) | Self::Terrain(..) => 16.0,
            Self::Prop(_) => 18.0,
            Self::Path(_) => 28.0,
            Self::Parent => 20.0,
            Self::More(_) => 0.0,
            Self::Open(_) | Self::Closed(_) => 64.0,
        }
    }

    /// Returns the width of everything but the text.
    fn lead(&self) -> f32 {
        self.symbol_width() + if let Self::More(_) = self { 0.0 } else { 8.0 }
    }

    /// The width in pixels.
    pub fn width(&self) -> f32 {
        self.lead() + Typeface::Sans.width(self.text(), SIZE)
    }

    /// Returns the entry with its text cut to a width, if it is a name that a map gives.
    fn cut(self, width: f32) -> Self {
        let room = width - self.lead();
        match self {
            Self::Terrain(name, colour) => {
                Self::Terrain(Typeface::Sans.fitted(&name, SIZE, room).into_owned(), colour)
            }
            other => other,
        }
    }

    fn draw(&self, at: Vec2, theme: &Theme, picture: &mut Picture) {
        let middle = at + Vec2::new(0.0, LINE / 2.0);
        match self {
            Self::Start => picture.push(start_marker(middle + Vec2::new(8.0, 0.0), 7.0, theme)),
            Self::Goal => picture.push(goal_marker(middle + Vec2::new(8.0, 0.0), 6.5, theme)),
            Self::Sign(action) => sign(*action, middle + Vec2::new(8.0, 0.0), 7.0, picture),
            Self::Path(look) => {
                let [path, outline] = path_colours(*look, theme);
                let points = vec![middle + Vec2::new(4.0, 0.0), middle + Vec2::new(24.0, 0.0)];
                for (colour, width) in [(outline, 8.0), (path, 5.0)] {
                    let stroke = Stroke { colour, width };
                    picture.push(Shape::Polyline { points: points.clone(), stroke });
                }
            }
            Self::Open(ramp) | Self::Closed(ramp) => {
                for step in 0..8u8 {
                    let cost = f32::from(step) / 7.0;
                    let colour = match self {
                        Self::Open(_) => theme.open(*ramp, cost),
                        _ => theme.closed(*ramp, cost),
                    };
                    let corner = middle + Vec2::new(f32::from(step) * 8.0, -6.0);
                    let area = Area::sized(corner, Vec2::new(8.0, 12.0));
                    picture.push(Shape::Rect { area, radius: 0.0, paint: Paint::fill(colour) });
                }
            }
            Self::More(_) => {}
            Self::Prop(look) => draw_look(*look, middle + Vec2::new(9.0, 0.0), 18.0, picture),
            Self::Parent => {
                let ends = [2.0, 18.0].map(|x| middle + Vec2::new(x, 0.0));
                let stroke = parent_stroke(theme, 1.4);
                picture.push(Shape::Segments { ends: vec![ends], stroke });
            }
            Self::Plain(_, colour) | Self::Terrain(_, colour) => {
                let area = Area::sized(middle + Vec2::new(1.0, -7.0), Vec2::splat(14.0));
                let paint = Paint::fill(*colour).outlined(theme.text_muted.with_alpha(90), 1.0);
                picture.push(Shape::Rect { area, radius: 3.0, paint });
            }
        }
        picture.push(Shape::Text(Label {
            text: self.text().to_owned(),
            at: middle + Vec2::new(self.lead(), SIZE * 0.35),
            anchor: Anchor::Start,
            size: SIZE,
            face: Typeface::Sans,
            colour: theme.text_muted,
        }));
    }
}

/// Terrains as entries, each once.
///
/// The states of a block have one entry under its name: of `minecraft:oak_stairs[facing=east]` and
/// `minecraft:oak_stairs[facing=west]`, `oak stairs` is left, in the colour of the first.
pub fn terrains(shown: impl Iterator<Item = (String, Colour)>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    for (name, colour) in shown {
        let bare = name.split_once('[').map_or(name.as_str(), |(bare, _)| bare);
        let is_one_word = !bare.contains(char::is_whitespace);
        let bare = bare.split_once(':').filter(|_| is_one_word).map_or(bare, |(_, bare)| bare);
        let is_block = bare.len() < name.len();
        let text = if is_block { bare.replace('_', " ") } else { name };
        let known = entries.iter().any(|entry| {
            matches!(entry, Entry::Terrain(known, same) if *known == text && (is_block || *same == colour))
        });
        if !known {
            entries.push(Entry::Terrain(text, colour));
        }
    }
    entries
}

/// Breaks entries into lines of at most `width` pixels. Each entry has its offset from the left.
/// Of many entries the last line counts the rest.
pub fn lines(entries: Vec<Entry>, width: f32) -> Vec<Vec<(f32, Entry)>> {
    let entries = entries.into_iter().map(|entry| entry.cut(width)).collect();
    let mut lines = broken(entries, width);
    if lines.len() <= MOST_LINES {
        return lines;
    }
    let mut left_out: usize = lines.drain(MOST_LINES..).map(|line| line.len()).sum();
    while let Some(last) = lines.last_mut().filter(|last| !last.is_empty()) {
        let more = Entry::More(format!("and {left_out} more"));
        let end = last.last().map_or(0.0, |(x, entry)| x + entry.width() + GAP);
        if end + more.width() <= width {
            last.push((end, more));
            break;
        }
        last.pop();
        left_out += 1;
    }
    lines
}

fn broken(entries: Vec<Entry>, width: f32) -> Vec<Vec<(f32, Entry)>> {
    let mut lines: Vec<Vec<(f32, Entry)>> = Vec::new();
    let mut x = f32::INFINITY;
    for entry in entries {
        let needed = entry.width();
        if x + needed > width {
            lines.push(Vec::new());
            x = 0.0;
        }
        if let Some(line) = lines.last_mut() {
            line.push((x, entry));
        }
        x += needed + GAP;
    }
    lines
}

/// Draws the lines below each other.
pub(crate) fn draw(
    lines: &[Vec<(f32, Entry)>],
    corner: Vec2,
    theme: &Theme,
    picture: &mut Picture,
) {
    for (number, line) in lines.iter().enumerate() {
        for (x, entry) in line {
            entry.draw(corner + Vec2::new(*x, number as f32 * LINE), theme, picture);
        }
    }
}
