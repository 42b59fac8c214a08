//! Plots of measurements on linear axes, several below each other.

use glam::Vec2;

use crate::chart::colour;
use crate::{
    Anchor, Area, Colour, DrawError, Label, Paint, Picture, Shape, Stroke, Theme, Typeface,
};

const WIDTH: f32 = 1100.0;
/// The height of the title.
const TOP: f32 = 62.0;
/// A panel with its captions.
const PANEL: f32 = 330.0;
/// Left, top, right and bottom of the area of a panel.
const MARGINS: [f32; 4] = [78.0, 40.0, 28.0, 62.0];
/// The most panels of a plot.
const MOST_PANELS: usize = 24;

/// How a series is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SeriesLook {
    Line,
    Dots,
    /// Something known, to compare with.
    Curve,
}

#[derive(Clone, Debug)]
struct Series {
    name: String,
    look: SeriesLook,
    /// Points; NaN ones are gaps.
    points: Vec<Vec2>,
}

/// One pair of axes with its series.
///
/// Example: [`Plot`].
#[derive(Clone, Debug)]
pub struct PlotPanel {
    axes: [String; 2],
    series: Vec<Series>,
}

impl PlotPanel {
    /// Returns a panel with these captions of its axes.
    #[must_use]
    pub fn new(horizontal: impl Into<String>, vertical: impl Into<String>) -> Self {
        Self { axes: [horizontal.into(), vertical.into()], series: Vec::new() }
    }

    /// Adds a line through points. It is broken at NaN.
    #[must_use]
    pub fn line(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        self.with(name.into(), SeriesLook::Line, points)
    }

    /// Adds single points.
    #[must_use]
    pub fn dots(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        self.with(name.into(), SeriesLook::Dots, points)
    }

    /// Adds something known to compare with: a line in the colour of the captions.
    #[must_use]
    pub fn curve(
        self,
        name: impl Into<String>,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        self.with(name.into(), SeriesLook::Curve, points)
    }

    fn with(
        mut self,
        name: String,
        look: SeriesLook,
        points: impl IntoIterator<Item = (f64, f64)>,
    ) -> Self {
        let points = points.into_iter().map(|(x, y)| Vec2::new(x as f32, y as f32)).collect();
        self.series.push(Series { name, look, points });
        self
    }

    /// Returns the points that can be shown.
    fn shown(&self) -> impl Iterator<Item = Vec2> + '_ {
        let points = self.series.iter().flat_map(|series| series.points.iter().copied());
        points.filter(|point| point.is_finite())
    }
}

/// Panels below each other, each with linear axes that begin at 0 or below.
///
/// ```
/// use wayfare_draw::{Plot, PlotPanel};
///
/// let density = PlotPanel::new("s", "persons/m²").line("hall", [(1.0, 0.5), (2.0, 0.7)]);
/// let plot = Plot::new("A door").panel(density);
/// assert!(plot.draw()?.to_svg()?.contains("persons/m²"));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Plot {
    title: String,
    panels: Vec<PlotPanel>,
    theme: Theme,
}

impl Plot {
    /// Returns a plot without panels.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), panels: Vec::new(), theme: Theme::default() }
    }

    /// Adds a panel below the others; of more than 24 the rest is left out.
    #[must_use]
    pub fn panel(mut self, panel: PlotPanel) -> Self {
        self.panels.push(panel);
        self
    }

    /// Sets the colours; [`Theme::DARK`] by default.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Draws the plot. Panels without any point are left out.
    ///
    /// # Errors
    /// [`DrawError::NoPanels`] if no panel has a point.
    pub fn draw(&self) -> Result<Picture, DrawError> {
        let panels = self.panels.iter().filter(|panel| panel.shown().next().is_some());
        let panels: Vec<&PlotPanel> = panels.take(MOST_PANELS).collect();
        if panels.is_empty() {
            return Err(DrawError::NoPanels);
        }
        let height = TOP + PANEL * panels.len() as f32;
        let mut picture = Picture::new(WIDTH as u32, height as u32, self.theme.background)?;
        let label = self.label(&self.title, Vec2::new(MARGINS[0], 40.0), Anchor::Start, 24.0);
        picture.push(Shape::Text(Label { colour: self.theme.text, ..label }));
        let [left, top, right, bottom] = MARGINS;
        for (number, panel) in panels.into_iter().enumerate() {
            let upper = TOP + PANEL * number as f32;
            let min = Vec2::new(left, upper + top);
            let max = Vec2::new(WIDTH - right, upper + PANEL - bottom);
            self.draw_panel(panel, Area { min, max }, &mut picture);
        }
        Ok(picture)
    }

    fn label(&self, text: &str, at: Vec2, anchor: Anchor, size: f32) -> Label {
        let (text, colour) = (text.to_owned(), self.theme.text_muted);
        Label { text, at, anchor, size, face: Typeface::Sans, colour }
    }

    fn draw_panel(&self, panel: &PlotPanel, area: Area, picture: &mut Picture) {
        let theme = &self.theme;
        picture.push(Shape::Rect { area, radius: 4.0, paint: Paint::fill(theme.panel) });
        let span = |axis: usize| {
            let numbers = || panel.shown().map(|point| point[axis]);
            let (low, high) = (numbers().fold(0.0, f32::min), numbers().fold(0.0, f32::max));
            let step = step(high - low);
            let ends = [(low / step).floor() * step, (high / step).ceil() * step];
            (ends, step)
        };
        let spans = [span(0), span(1)];
        let place = |point: Vec2| {
            let share = |axis: usize| {
                let ([low, high], _) = spans[axis];
                (point[axis] - low) / (high - low)
            };
            let size = area.size();
            Vec2::new(area.min.x + share(0) * size.x, area.max.y - share(1) * size.y)
        };
        for (axis, &([low, high], step)) in spans.iter().enumerate() {
            for number in 0..=((high - low) / step).round() as u32 {
                let value = low + number as f32 * step;
                let [from, to] = [0, 1].map(|end| {
                    let ([least, most], _) = spans[1 - axis];
                    let mut point = Vec2::splat(if end == 0 { least } else { most });
                    point[axis] = value;
                    place(point)
                });
                let stroke = Stroke { colour: theme.grid_line, width: 1.0 };
                picture.push(Shape::Segments { ends: vec![[from, to]], stroke });
                let (at, anchor) = match axis {
                    0 => (from + Vec2::new(0.0, 21.0), Anchor::Middle),
                    _ => (from + Vec2::new(-10.0, 5.0), Anchor::End),
                };
                let label = self.label(&number_text(value, step), at, anchor, 14.0);
                picture.push(Shape::Text(Label { face: Typeface::Mono, ..label }));
            }
        }
        let below = Vec2::new(area.centre().x, area.max.y + 46.0);
        picture.push(Shape::Text(self.label(&panel.axes[0], below, Anchor::Middle, 15.0)));
        let above = Vec2::new(area.min.x, area.min.y - 12.0);
        picture.push(Shape::Text(self.label(&panel.axes[1], above, Anchor::Start, 15.0)));
        // From right to left, so that the first stands first.
        let mut right = area.max.x;
        let mut measured = 0..;
        let mut own = |series: &Series| match series.look {
            SeriesLook::Curve => theme.text_muted,
            SeriesLook::Line | SeriesLook::Dots => colour(measured.next().unwrap_or(0)),
        };
        let colours: Vec<Colour> = panel.series.iter().map(&mut own).collect();
        for (series, &colour) in panel.series.iter().zip(&colours) {
            match series.look {
                SeriesLook::Dots => {
                    for point in series.points.iter().filter(|point| point.is_finite()) {
                        let paint = Paint::fill(colour.with_alpha(170));
                        picture.push(Shape::Circle { centre: place(*point), radius: 3.2, paint });
                    }
                }
                SeriesLook::Line | SeriesLook::Curve => {
                    for part in series.points.split(|point| !point.is_finite()) {
                        if let [point] = part {
                            let paint = Paint::fill(colour);
                            let centre = place(*point);
                            picture.push(Shape::Circle { centre, radius: 2.0, paint });
                        }
                        let points = part.iter().map(|point| place(*point)).collect();
                        let stroke = Stroke { colour, width: 2.2 };
                        picture.push(Shape::Polyline { points, stroke });
                    }
                }
            }
        }
        for (series, &colour) in panel.series.iter().zip(&colours).rev() {
            let at = Vec2::new(right, area.min.y - 12.0);
            let label = self.label(&series.name, at, Anchor::End, 15.0);
            picture.push(Shape::Text(Label { colour: theme.text, ..label }));
            let width = Typeface::Sans.width(&series.name, 15.0);
            let centre = Vec2::new(right - width - 12.0, area.min.y - 17.0);
            picture.push(Shape::Circle { centre, radius: 5.0, paint: Paint::fill(colour) });
            right = centre.x - 22.0;
        }
    }
}

/// Returns the distance of the lines across a span: 1, 2 or 5 times a power of ten, for 4 to 10
/// lines.
pub fn step(span: f32) -> f32 {
    if !(span > 0.0 && span.is_finite()) {
        return 1.0;
    }
    let power = 10f32.powi((span / 5.0).log10().floor() as i32);
    let rough = span / 5.0 / power;
    power
        * if rough > 5.0 {
            10.0
        } else if rough > 2.0 {
            5.0
        } else if rough > 1.0 {
            2.0
        } else {
            1.0
        }
}

/// Returns a number with as many digits as steps have.
pub fn number_text(value: f32, step: f32) -> String {
    let digits = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    // No negative zero.
    format!("{:.digits$}", value + 0.0)
}
