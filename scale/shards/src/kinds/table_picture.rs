//! A picture of a table of travel times: how long the way is from everywhere to the best connected
//! place.

use wayfare::glam::Vec2;
use wayfare_draw::{
    Anchor, Area, Colour, DrawError, Label, Paint, Picture, Ramp, Shape, Theme, Tiles, Typeface,
};

/// The longest side of the map, in pixels.
const LONGEST: u32 = 1200;
const MARGIN: f32 = 28.0;
const HEAD: f32 = 84.0;
const FOOT: f32 = 76.0;

/// A grid with the seconds from each cell to one place; NaN where there is no way, or a wall.
pub(super) struct TimedMap {
    pub(super) title: String,
    pub(super) columns: u32,
    pub(super) rows: u32,
    pub(super) seconds: Vec<f32>,
    /// The cells of the places, as column and row, and the best connected one.
    pub(super) places: Vec<[u32; 2]>,
    pub(super) best: usize,
    /// The mean time to that place.
    pub(super) mean: f32,
}

/// Returns a time in words.
fn words(seconds: f32) -> String {
    match seconds.round() as u64 {
        whole @ 0..120 => format!("{whole} s"),
        whole @ 120..7200 => format!("{} min", (whole + 30) / 60),
        whole => format!("{:.1} h", whole as f64 / 3600.0),
    }
}

impl TimedMap {
    pub(super) fn draw(&self) -> Result<Picture, DrawError> {
        let theme = Theme::DARK;
        let side = (LONGEST / self.columns.max(self.rows)).max(1);
        let size = Vec2::new((side * self.columns) as f32, (side * self.rows) as f32);
        let width = size.x + 2.0 * MARGIN;
        let height = HEAD + size.y + FOOT;
        let mut picture = Picture::new(width as u32, height as u32, theme.background)?;
        let text = |text: String, at: Vec2, anchor, size, colour| {
            Shape::Text(Label { text, at, anchor, size, face: Typeface::Sans, colour })
        };
        picture.push(text(
            self.title.clone(),
            Vec2::new(MARGIN, 40.0),
            Anchor::Start,
            24.0,
            theme.text,
        ));
        let caption = format!(
            "the way to the best connected of {} places: {} on average from the others",
            self.places.len(),
            words(self.mean)
        );
        picture.push(text(caption, Vec2::new(MARGIN, 66.0), Anchor::Start, 15.0, theme.text_muted));

        let longest =
            self.seconds.iter().copied().filter(|time| !time.is_nan()).fold(1.0, f32::max);
        let colours = self.seconds.iter().map(|time| match time.is_nan() {
            true => theme.wall,
            false => Ramp::Fire.at(time / longest),
        });
        let corner = Vec2::new(MARGIN, HEAD);
        let columns = self.columns;
        picture.push(Shape::Tiles(Tiles {
            corner,
            side,
            columns,
            inset: 0,
            colours: colours.collect(),
        }));

        let dot = (side as f32 * 0.9).clamp(2.2, 7.0);
        let middle =
            |[x, y]: [u32; 2]| corner + (Vec2::new(x as f32, y as f32) + 0.5) * side as f32;
        for &place in &self.places {
            let paint = Paint::fill(Colour::hex(0xffffff)).outlined(theme.outline, 1.0);
            picture.push(Shape::Circle { centre: middle(place), radius: dot, paint });
        }
        let (at, reach) = (middle(self.places[self.best]), dot + 8.0);
        let around = [Vec2::Y, Vec2::X, -Vec2::Y, -Vec2::X].map(|way| at + way * reach);
        let paint = Paint::fill(theme.goal).outlined(theme.outline, 2.0);
        picture.push(Shape::Polygon { points: around.to_vec(), paint });

        self.legend(&mut picture, longest, width, HEAD + size.y + 22.0);
        Ok(picture)
    }

    fn legend(&self, picture: &mut Picture, longest: f32, width: f32, top: f32) {
        let theme = Theme::DARK;
        let (left, span) = (MARGIN, (width - 2.0 * MARGIN).min(420.0));
        let steps = u32::from(Ramp::STEPS);
        for step in 0..steps {
            let share = step as f32 / (steps - 1) as f32;
            let min = Vec2::new(left + span * step as f32 / steps as f32, top);
            let area = Area::sized(min, Vec2::new(span / steps as f32 + 1.0, 12.0));
            picture.push(Shape::Rect {
                area,
                radius: 0.0,
                paint: Paint::fill(Ramp::Fire.at(share)),
            });
        }
        for (share, anchor) in [(0.0, Anchor::Start), (0.5, Anchor::Middle), (1.0, Anchor::End)] {
            picture.push(Shape::Text(Label {
                text: words(longest * share),
                at: Vec2::new(left + span * share, top + 32.0),
                anchor,
                size: 14.0,
                face: Typeface::Sans,
                colour: theme.text_muted,
            }));
        }
    }
}
