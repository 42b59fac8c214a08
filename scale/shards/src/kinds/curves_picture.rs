//! A picture of curves over runs: the median of each set of parameters, and the band around it.

use wayfare::glam::Vec2;
use wayfare_draw::{
    Anchor, Area, Colour, DrawError, Label, Paint, Picture, Ramp, Shape, Stroke, Theme, Typeface,
};

use super::curves::Curves;

const THEME: Theme = Theme::DARK;
const WIDTH: f32 = 1200.0;
const HEAD: f32 = 96.0;
const PLOT: f32 = 560.0;
const MARGINS: [f32; 2] = [84.0, 36.0];
/// The height of the axis with its captions, and of a line of the legend.
const AXIS: f32 = 74.0;
const LINE: f32 = 27.0;
const FOOT: f32 = 14.0;
/// The most lines of the legend.
const MOST_NAMED: usize = 24;
/// The colours of sets, as long as there are enough of them.
const COLOURS: [u32; 8] =
    [0x6fd3ff, 0xffb454, 0x7fe3a1, 0xff7ab2, 0xb79cff, 0xf2e15c, 0x5ad1c8, 0xff8a65];
/// The columns of the quantiles that are shown.
const LOW: usize = 1;
const MIDDLE: usize = 2;
const HIGH: usize = 3;

struct Plot<'c> {
    all: &'c [Curves],
    area: Area,
    /// The last second, and the distance of the lines across it.
    end: f64,
    step: f64,
}

/// Returns the picture as PNG. Some curve has a finite time.
pub(super) fn draw(name: &str, all: &[Curves]) -> Result<Vec<u8>, DrawError> {
    let named = all.len().min(MOST_NAMED);
    let lines = named + usize::from(all.len() > named);
    let height = HEAD + PLOT + AXIS + LINE * lines as f32 + FOOT;
    let mut picture = Picture::new(WIDTH as u32, height as u32, THEME.background)?;
    let runs: usize = all.iter().map(|curves| curves.runs).sum();
    let caption = format!(
        "share of the agents that have left or arrived for good; medians of {runs} runs, and the \
         bands in which 8 of 10 lie"
    );
    picture.push(text(name, Vec2::new(MARGINS[0], 42.0), Anchor::Start, 25.0, THEME.text));
    picture.push(text(
        &caption,
        Vec2::new(MARGINS[0], 70.0),
        Anchor::Start,
        15.0,
        THEME.text_muted,
    ));
    let plot = Plot::new(all);
    plot.draw_axes(&mut picture);
    // The first set lies on top.
    for (number, curves) in all.iter().enumerate().rev() {
        plot.draw_band(curves, plot.colour(number), &mut picture);
    }
    for (number, curves) in all.iter().enumerate().rev() {
        plot.draw_median(curves, plot.colour(number), &mut picture);
    }
    plot.draw_legend(named, &mut picture);
    picture.to_png()
}

fn text(text: &str, at: Vec2, anchor: Anchor, size: f32, colour: Colour) -> Shape {
    let (text, face) = (text.to_owned(), Typeface::Sans);
    Shape::Text(Label { text, at, anchor, size, face, colour })
}

/// Returns the distance of lines across a span: 1, 2 or 5 times a power of ten, for 5 to 12 lines.
fn step(span: f64) -> f64 {
    let power = 10f64.powi((span / 10.0).log10().floor() as i32);
    let steps = [1.0, 2.0, 5.0].map(|step| step * power);
    steps.into_iter().find(|step| span / step <= 12.0).unwrap_or(10.0 * power)
}

impl<'c> Plot<'c> {
    fn new(all: &'c [Curves]) -> Self {
        let shown = all.iter().flat_map(|curves| &curves.seconds).flat_map(|it| &it[LOW..=HIGH]);
        let last = shown.copied().filter(|time| time.is_finite()).fold(1e-3, f64::max);
        let step = step(last);
        let end = (last / step).ceil() * step;
        let size = Vec2::new(WIDTH - MARGINS[0] - MARGINS[1], PLOT);
        Self { all, area: Area::sized(Vec2::new(MARGINS[0], HEAD), size), end, step }
    }

    fn colour(&self, number: usize) -> Colour {
        match self.all.len() {
            count if count <= COLOURS.len() => Colour::hex(COLOURS[number]),
            count => Ramp::Fire.at(number as f32 / (count - 1) as f32),
        }
    }

    /// Returns the place of a time and a share in per cent; a time beyond the end is at the end.
    fn place(&self, seconds: f64, share: f32) -> Vec2 {
        let across = (seconds / self.end).min(1.0) as f32;
        let size = self.area.size();
        self.area.min + Vec2::new(across * size.x, (1.0 - share / 100.0) * size.y)
    }

    fn draw_axes(&self, picture: &mut Picture) {
        let paint = Paint::fill(THEME.panel);
        picture.push(Shape::Rect { area: self.area, radius: 4.0, paint });
        let stroke = Stroke { colour: THEME.grid_line, width: 1.0 };
        let mut label = |words: &str, at, anchor| {
            picture.push(text(words, at, anchor, 14.0, THEME.text_muted));
        };
        let times = (0..=(self.end / self.step).round() as u32).map(|it| f64::from(it) * self.step);
        let digits = (-self.step.log10().floor()).max(0.0) as usize;
        let mut ends = Vec::new();
        for time in times {
            let foot = self.place(time, 0.0);
            ends.push([foot, self.place(time, 100.0)]);
            label(&format!("{time:.digits$}"), foot + Vec2::new(0.0, 22.0), Anchor::Middle);
        }
        for share in (0..=100u8).step_by(10).map(f32::from) {
            let left = self.place(0.0, share);
            ends.push([left, self.place(self.end, share)]);
            label(&format!("{share} %"), left + Vec2::new(-12.0, 5.0), Anchor::End);
        }
        let below = Vec2::new(self.area.centre().x, self.area.max.y + 48.0);
        label("seconds", below, Anchor::Middle);
        picture.push(Shape::Segments { ends, stroke });
    }

    /// Draws the band between two quantiles; to the end where the later one is beyond it.
    fn draw_band(&self, curves: &Curves, colour: Colour, picture: &mut Picture) {
        if self.all.len() > COLOURS.len() {
            return;
        }
        let shown = || (1u8..).map(f32::from).zip(&curves.seconds);
        let shown = || shown().filter(|(_, times)| times[LOW].is_finite());
        let early = shown().map(|(share, times)| self.place(times[LOW], share));
        let late = shown().map(|(share, times)| self.place(times[HIGH], share));
        let (mut points, late): (Vec<Vec2>, Vec<Vec2>) = (early.collect(), late.collect());
        points.extend(late.into_iter().rev());
        if points.len() > 2 {
            let paint = Paint::fill(colour.with_alpha(48));
            picture.push(Shape::Polygon { points, paint });
        }
    }

    fn draw_median(&self, curves: &Curves, colour: Colour, picture: &mut Picture) {
        let shown = (1u8..).map(f32::from).zip(&curves.seconds);
        let shown = shown.filter(|(_, times)| times[MIDDLE].is_finite());
        let mut points: Vec<Vec2> =
            shown.map(|(share, times)| self.place(times[MIDDLE], share)).collect();
        let Some(&first) = points.first() else { return };
        points.insert(0, Vec2::new(first.x, self.area.max.y));
        picture.push(Shape::Polyline { points, stroke: Stroke { colour, width: 2.6 } });
    }

    fn draw_legend(&self, named: usize, picture: &mut Picture) {
        let mut at = Vec2::new(MARGINS[0], self.area.max.y + AXIS + 6.0);
        for (number, curves) in self.all.iter().take(named).enumerate() {
            let middle = at - Vec2::new(0.0, 5.0);
            let (colour, ends) = (self.colour(number), [middle, middle + Vec2::new(30.0, 0.0)]);
            picture
                .push(Shape::Segments { ends: vec![ends], stroke: Stroke { colour, width: 4.0 } });
            let words = match curves.parameters.as_str() {
                "" => "as the scene says",
                words => words,
            };
            picture.push(text(words, at + Vec2::new(44.0, 0.0), Anchor::Start, 15.0, THEME.text));
            let right = Vec2::new(self.area.max.x, at.y);
            picture.push(text(&remark(curves), right, Anchor::End, 15.0, THEME.text_muted));
            at.y += LINE;
        }
        if self.all.len() > named {
            let more = format!("and {} more sets of parameters", self.all.len() - named);
            picture.push(text(&more, at, Anchor::Start, 15.0, THEME.text_muted));
        }
    }
}

/// Returns the number of runs, and the median of their ends.
fn remark(curves: &Curves) -> String {
    let runs = match curves.runs {
        1 => "1 run".to_owned(),
        runs => format!("{runs} runs"),
    };
    let reached = |(_, times): &(u32, &[f64; 5])| times[MIDDLE].is_finite();
    match (1..).zip(&curves.seconds).filter(reached).last() {
        Some((100, times)) => format!("{runs}, everybody after {:.1} s", times[MIDDLE]),
        Some((share, times)) => format!("{runs}, {share} % after {:.1} s", times[MIDDLE]),
        None => format!("{runs}, nobody"),
    }
}
