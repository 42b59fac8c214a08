//! The legend: a strip that explains colours and shapes.

use glam::Vec2;

use wayfare::space::Action;

use super::signs::{action_name, sign};
use super::stage::{goal_marker, path_colours, start_marker};
use crate::{
    Anchor, Area, Colour, Label, Paint, Picture, Ramp, SearchLook, Shape, Stroke, Theme, Typeface,
};

/// An entry of the legend.
pub(crate) enum Entry {
    Start,
    Goal,
    Path(SearchLook),
    /// The sign of an action.
    Sign(Action),
    /// The single colour of open or expanded places.
    Plain(&'static str, Colour),
    /// The costs of open places, along a ramp.
    Open(Ramp),
    /// The costs of closed places, along a ramp.
    Closed(Ramp),
    /// A terrain.
    Terrain(String, Colour),
}

/// The height of a line of the legend.
pub(crate) const LINE: f32 = 26.0;
const SIZE: f32 = 13.0;
const GAP: f32 = 24.0;

impl Entry {
    fn text(&self) -> &str {
        match self {
            Self::Start => "start",
            Self::Goal => "goal",
            Self::Path(_) => "path",
            Self::Sign(action) => action_name(*action),
            Self::Plain(name, _) => name,
            Self::Open(Ramp::Fire) => "open, by cost",
            Self::Closed(Ramp::Fire) => "expanded, by cost",
            Self::Open(Ramp::Ice) => "open, from the goal",
            Self::Closed(Ramp::Ice) => "expanded, from the goal",
            Self::Terrain(name, _) => name,
        }
    }

    fn symbol_width(&self) -> f32 {
        match self {
            Self::Start | Self::Goal | Self::Sign(_) | Self::Plain(..) | Self::Terrain(..) => 16.0,
            Self::Path(_) => 28.0,
            Self::Open(_) | Self::Closed(_) => 64.0,
        }
    }

    fn width(&self) -> f32 {
        self.symbol_width() + 8.0 + Typeface::Sans.width(self.text(), SIZE)
    }

    fn draw(&self, at: Vec2, theme: &Theme, picture: &mut Picture) {
        let middle = at + Vec2::new(0.0, LINE / 2.0);
        let width = self.symbol_width();
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
            Self::Plain(_, colour) | Self::Terrain(_, colour) => {
                let area = Area::sized(middle + Vec2::new(1.0, -7.0), Vec2::splat(14.0));
                let paint = Paint::fill(*colour).outlined(theme.text_muted.with_alpha(90), 1.0);
                picture.push(Shape::Rect { area, radius: 3.0, paint });
            }
        }
        picture.push(Shape::Text(Label {
            text: self.text().to_owned(),
            at: middle + Vec2::new(width + 8.0, SIZE * 0.35),
            anchor: Anchor::Start,
            size: SIZE,
            face: Typeface::Sans,
            colour: theme.text_muted,
        }));
    }
}

/// Breaks entries into lines of at most `width` pixels. Each entry has its offset from the left.
pub(crate) fn lines(entries: Vec<Entry>, width: f32) -> Vec<Vec<(f32, Entry)>> {
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
