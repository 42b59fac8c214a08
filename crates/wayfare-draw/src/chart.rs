//! Charts of many measurements as points, with logarithmic axes.

use glam::Vec2;

use crate::{
    Anchor, Area, Colour, DrawError, Label, Paint, Picture, Shape, Stroke, Theme, Typeface,
};

/// The colours of series, distinct for colour-blind readers too: M. Okabe, K. Ito, "Color universal
/// design", 2008.
const COLOURS: [u32; 7] = [0xe69f00, 0x56b4e9, 0x009e73, 0xd55e00, 0xcc79a7, 0xf0e442, 0x0072b2];

const SIZE: Vec2 = Vec2::new(1100.0, 720.0);
/// Left, top, right and bottom of the plot.
const MARGINS: [f32; 4] = [92.0, 92.0, 28.0, 76.0];
/// The largest number of points of the line of medians.
const MEDIANS: usize = 24;
/// The fewest points that a median is drawn for.
const FEWEST: usize = 3;

/// Points of several series on two logarithmic axes, with a line of medians through each series.
///
/// Points that are not finite and above 0 cannot lie on such axes and are left out.
///
/// ```
/// use wayfare_draw::ScatterChart;
///
/// let chart = ScatterChart::new("Two searches")
///     .axes("length", "µs")
///     .series("astar", [(10.0, 40.0), (20.0, 90.0), (40.0, 300.0)])
///     .series("jps", [(10.0, 2.0), (20.0, 3.0), (40.0, 6.0)]);
/// assert!(chart.draw()?.to_svg()?.contains("astar"));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScatterChart {
    title: String,
    axes: [String; 2],
    series: Vec<(String, Vec<Vec2>)>,
    theme: Theme,
}

/// The plot's area and the powers of ten that it spans.
struct Frame {
    area: Area,
    /// The logarithms to base 10 at the lower left and at the upper right.
    low: Vec2,
    high: Vec2,
}

impl ScatterChart {
    /// Returns a chart without series.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            axes: [String::new(), String::new()],
            series: Vec::new(),
            theme: Theme::default(),
        }
    }

    /// Sets the captions of the horizontal and the vertical axis.
    #[must_use]
    pub fn axes(mut self, horizontal: impl Into<String>, vertical: impl Into<String>) -> Self {
        self.axes = [horizontal.into(), vertical.into()];
        self
    }

    /// Adds a series. The first seven differ in colour.
    #[must_use]
    pub fn series(
        mut self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let logarithms = points
            .into_iter()
            .filter(|&(x, y)| [x, y].iter().all(|value| *value > 0.0 && value.is_finite()))
            .map(|(x, y)| Vec2::new(x.log10() as f32, y.log10() as f32));
        self.series.push((name.into(), logarithms.collect()));
        self
    }

    /// Sets the colours; [`Theme::DARK`] by default.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Draws the chart.
    ///
    /// # Errors
    /// [`DrawError::NoPanels`] if no series has a point.
    pub fn draw(&self) -> Result<Picture, DrawError> {
        let points = self.series.iter().flat_map(|(_, points)| points.iter().copied());
        let extent = Area::around(points).ok_or(DrawError::NoPanels)?;
        let (low, high) = (extent.min.floor(), extent.max.ceil().max(extent.min.floor() + 1.0));
        let [left, top, right, bottom] = MARGINS;
        let area = Area { min: Vec2::new(left, top), max: SIZE - Vec2::new(right, bottom) };
        let frame = Frame { area, low, high };

        let theme = &self.theme;
        let mut picture = Picture::new(SIZE.x as u32, SIZE.y as u32, theme.background)?;
        picture.push(Shape::Rect { area, radius: 4.0, paint: Paint::fill(theme.panel) });
        self.draw_axes(&frame, &mut picture);
        // In turn, so that no series covers another entirely.
        let most = self.series.iter().map(|(_, points)| points.len()).max().unwrap_or(0);
        let alpha = if most > 800 { 70 } else { 130 };
        for place in 0..most {
            for (number, (_, points)) in self.series.iter().enumerate() {
                if let Some(&point) = points.get(place) {
                    let paint = Paint::fill(colour(number).with_alpha(alpha));
                    picture.push(Shape::Circle { centre: frame.place(point), radius: 2.4, paint });
                }
            }
        }
        for (number, (_, points)) in self.series.iter().enumerate() {
            let line: Vec<Vec2> =
                medians(points, &frame).into_iter().map(|at| frame.place(at)).collect();
            for (colour, width) in [(theme.background.with_alpha(200), 6.0), (colour(number), 3.0)]
            {
                picture.push(Shape::Polyline {
                    points: line.clone(),
                    stroke: Stroke { colour, width },
                });
            }
        }
        self.draw_legend(&mut picture);
        Ok(picture)
    }

    fn draw_axes(&self, frame: &Frame, picture: &mut Picture) {
        let theme = &self.theme;
        let text = |text: String, at: Vec2, anchor: Anchor, size: f32, face: Typeface| {
            Shape::Text(Label { text, at, anchor, size, face, colour: theme.text_muted })
        };
        let Frame { area, low, high } = *frame;
        for axis in 0..2 {
            for power in low[axis] as i32..=high[axis] as i32 {
                for digit in 1..10u8 {
                    let at = power as f32 + f32::from(digit).log10();
                    if at > high[axis] + 1e-3 {
                        break;
                    }
                    let mut ends = [low, high];
                    ends[0][axis] = at;
                    ends[1][axis] = at;
                    let ends = ends.map(|end| frame.place(end));
                    let strength = if digit == 1 { 255 } else { 70 };
                    let colour = theme.grid_line.with_alpha(strength);
                    picture.push(Shape::Segments {
                        ends: vec![ends],
                        stroke: Stroke { colour, width: 1.0 },
                    });
                    if digit == 1 {
                        let (at, anchor) = if axis == 0 {
                            (Vec2::new(ends[0].x, area.max.y + 22.0), Anchor::Middle)
                        } else {
                            (Vec2::new(area.min.x - 10.0, ends[0].y + 5.0), Anchor::End)
                        };
                        picture.push(text(power_of_ten(power), at, anchor, 14.0, Typeface::Mono));
                    }
                }
            }
        }
        let below = Vec2::new(area.centre().x, area.max.y + 52.0);
        picture.push(text(self.axes[0].clone(), below, Anchor::Middle, 15.0, Typeface::Sans));
        let above = Vec2::new(area.min.x, area.min.y - 12.0);
        picture.push(text(self.axes[1].clone(), above, Anchor::Start, 15.0, Typeface::Sans));
    }

    fn draw_legend(&self, picture: &mut Picture) {
        let title = Label {
            text: self.title.clone(),
            at: Vec2::new(MARGINS[0], 40.0),
            anchor: Anchor::Start,
            size: 24.0,
            face: Typeface::Sans,
            colour: self.theme.text,
        };
        picture.push(Shape::Text(title));
        let mut right = SIZE.x - MARGINS[2];
        for (number, (name, _)) in self.series.iter().enumerate().rev() {
            let width = Typeface::Sans.width(name, 15.0);
            picture.push(Shape::Text(Label {
                text: name.clone(),
                at: Vec2::new(right, MARGINS[1] - 12.0),
                anchor: Anchor::End,
                size: 15.0,
                face: Typeface::Sans,
                colour: self.theme.text,
            }));
            let centre = Vec2::new(right - width - 12.0, MARGINS[1] - 17.0);
            picture.push(Shape::Circle { centre, radius: 5.0, paint: Paint::fill(colour(number)) });
            right = centre.x - 22.0;
        }
    }
}

impl Frame {
    /// Returns the position of a point on the picture.
    fn place(&self, point: Vec2) -> Vec2 {
        let share = (point - self.low) / (self.high - self.low);
        let size = self.area.size();
        Vec2::new(self.area.min.x + share.x * size.x, self.area.max.y - share.y * size.y)
    }
}

/// Returns the colour of a series by its index.
pub(crate) fn colour(series: usize) -> Colour {
    Colour::hex(COLOURS[series % COLOURS.len()])
}

/// Returns the median height in each of several slices along the horizontal axis.
fn medians(points: &[Vec2], frame: &Frame) -> Vec<Vec2> {
    let width = (frame.high.x - frame.low.x) / MEDIANS as f32;
    let slice = |number: usize| {
        let left = frame.low.x + number as f32 * width;
        let inside = |point: &&Vec2| (left..left + width).contains(&point.x);
        let mut members: Vec<Vec2> = points.iter().filter(inside).copied().collect();
        members.sort_by(|a, b| a.y.total_cmp(&b.y));
        let x = members.iter().map(|point| point.x).sum::<f32>() / members.len().max(1) as f32;
        (members.len() >= FEWEST).then(|| Vec2::new(x, members[members.len() / 2].y))
    };
    (0..MEDIANS).filter_map(slice).collect()
}

/// Returns a power of ten in the usual notation.
pub fn power_of_ten(power: i32) -> String {
    match power {
        0..=3 => format!("{}", 10u32.pow(power.unsigned_abs())),
        -3..0 => format!("0.{}1", "0".repeat(power.unsigned_abs() as usize - 1)),
        _ => format!("1e{power}"),
    }
}
