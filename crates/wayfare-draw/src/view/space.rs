//! Pictures of things in space: triangles shaded by their slope, panes and lines over them.

use glam::{Mat3, Vec2, Vec3};

use crate::{Anchor, Colour, DrawError, Label, Picture, Shape, Theme, Tiles, Typeface};

/// Pixels are computed at this multiple of the picture's size and averaged, which smooths edges.
const FINE: u32 = 2;

/// The direction from which space is seen. The picture has no perspective.
///
/// ```
/// assert_ne!(wayfare_draw::Standpoint::Above, wayfare_draw::Standpoint::Corner);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Standpoint {
    /// From above; x runs to the right, z down.
    #[default]
    Above,
    /// From above a corner: x runs down to the right, z down to the left.
    Corner,
}

/// A picture of triangles in space, with translucent panes and lines over them.
///
/// y is up, lengths are metres. What is behind something else is hidden.
///
/// ```
/// use wayfare_draw::{Colour, SpaceView, Standpoint, Theme};
///
/// let mut view = SpaceView::new(Standpoint::Corner);
/// let corners = [[0.0, 0.0, 0.0], [0.0, 0.0, 4.0], [4.0, 1.0, 4.0]].map(Into::into);
/// view.triangle(corners, Colour::hex(0x9a968c));
/// view.line([corners[0], corners[2]], Colour::hex(0x202020), 2.0);
/// let picture = view.draw(200, &Theme::LIGHT, "a slope")?;
/// assert!(picture.width() <= 200);
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpaceView {
    /// From space to picture: right, down, and towards the eye.
    turned: Mat3,
    triangles: Vec<([Vec3; 3], Colour)>,
    panes: Vec<([Vec3; 3], Colour)>,
    lines: Vec<([Vec3; 2], Colour, f32)>,
}

impl SpaceView {
    /// An empty space.
    #[must_use]
    pub fn new(from: Standpoint) -> Self {
        let towards_eye = match from {
            Standpoint::Above => Vec3::Y,
            Standpoint::Corner => Vec3::new(1.0, 1.15, 1.0).normalize(),
        };
        let right = match from {
            Standpoint::Above => Vec3::X,
            Standpoint::Corner => Vec3::new(1.0, 0.0, -1.0).normalize(),
        };
        let down = right.cross(towards_eye);
        let turned = Mat3::from_cols(right, down, towards_eye).transpose();
        Self { turned, triangles: Vec::new(), panes: Vec::new(), lines: Vec::new() }
    }

    /// Adds a solid triangle. Its colour is darkened by its slope.
    pub fn triangle(&mut self, corners: [Vec3; 3], colour: Colour) {
        self.triangles.push((corners, colour));
    }

    /// Adds a translucent triangle, which lies a little in front of solid ones.
    pub fn pane(&mut self, corners: [Vec3; 3], colour: Colour) {
        self.panes.push((corners, colour));
    }

    /// Adds a line, which lies a little in front of solid triangles; `width` is in pixels.
    pub fn line(&mut self, ends: [Vec3; 2], colour: Colour, width: f32) {
        self.lines.push((ends, colour, width));
    }

    /// The picture: its longer side has `side` pixels. The caption stands below.
    ///
    /// # Errors
    /// [`DrawError::PictureSize`] if `side` is 0 or too large.
    pub fn draw(&self, side: u32, theme: &Theme, caption: &str) -> Result<Picture, DrawError> {
        const MARGIN: f32 = 12.0;
        const FOOT: f32 = 30.0;
        let solids = self.triangles.iter().chain(&self.panes).flat_map(|(corners, _)| corners);
        let all = solids.chain(self.lines.iter().flat_map(|(ends, ..)| ends));
        let turned = all.map(|&at| self.turned * at).filter(|at| at.is_finite());
        let (low, high) = turned.fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(low, high), at| {
            (low.min(at), high.max(at))
        });
        let size = (high - low).max(Vec3::splat(1e-3));
        let empty = low.x > high.x;
        let space = (side as f32 - 2.0 * MARGIN).max(1.0);
        let scale = if empty { 1.0 } else { space / size.x.max(size.y) };
        let extent = if empty { Vec2::splat(space) } else { size.truncate() * scale };
        let width = (extent.x + 2.0 * MARGIN).ceil() as u32;
        let height = (extent.y + 2.0 * MARGIN + FOOT).ceil() as u32;
        let mut picture = Picture::new(width, height, theme.background)?;
        let mut pixels = Pixels::new(width * FINE, height * FINE, theme.background);
        let fine = FINE as f32;
        let place = |at: Vec3| {
            let at = self.turned * at - low;
            let plane = (at.truncate() * scale + MARGIN) * fine;
            plane.extend(at.z)
        };
        // The light comes from above, over the left shoulder.
        let light = Vec3::new(-0.35, 0.85, 0.4).normalize();
        let depth = size.z.max(size.x).max(size.y);
        for (corners, colour) in &self.triangles {
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            let normal = normal.normalize_or(Vec3::Y);
            let facing = if (self.turned * normal).z < 0.0 { -normal } else { normal };
            let shade = 0.58 + 0.42 * facing.dot(light).max(0.0);
            pixels.fill(corners.map(place), shaded(*colour, shade), 1.0, 0.0);
        }
        for (corners, colour) in &self.panes {
            let share = f32::from(colour.alpha) / 255.0;
            pixels.fill(corners.map(place), shaded(*colour, 1.0), share, depth * 0.004);
        }
        for &(ends, colour, width) in &self.lines {
            let reach = width * fine * 0.5;
            pixels.line(ends.map(place), shaded(colour, 1.0), reach, depth * 0.006);
        }
        picture.push(Shape::Tiles(Tiles {
            corner: Vec2::ZERO,
            side: 1,
            columns: width,
            inset: 0,
            colours: pixels.averaged(width, height),
        }));
        picture.push(Shape::Text(Label {
            text: caption.to_owned(),
            at: Vec2::new(MARGIN, height as f32 - MARGIN),
            anchor: Anchor::Start,
            size: 15.0,
            face: Typeface::Sans,
            colour: theme.text,
        }));
        Ok(picture)
    }
}

fn shaded(colour: Colour, shade: f32) -> Vec3 {
    Vec3::new(f32::from(colour.red), f32::from(colour.green), f32::from(colour.blue)) * shade
}

/// Colours and depths.
struct Pixels {
    width: i32,
    height: i32,
    colours: Vec<Vec3>,
    depths: Vec<f32>,
    background: Vec3,
}

impl Pixels {
    fn new(width: u32, height: u32, background: Colour) -> Self {
        let count = width as usize * height as usize;
        let background = shaded(background, 1.0);
        Self {
            width: width as i32,
            height: height as i32,
            colours: vec![background; count],
            depths: vec![f32::NEG_INFINITY; count],
            background,
        }
    }

    /// Fills a triangle where it is no farther than what is there, by up to `lift`. Solid triangles
    /// (`share` 1) set the depth.
    fn fill(&mut self, corners: [Vec3; 3], colour: Vec3, share: f32, lift: f32) {
        let [a, mut b, mut c] = corners;
        let cross =
            |p: Vec3, q: Vec3, x: f32, y: f32| (q.x - p.x) * (y - p.y) - (q.y - p.y) * (x - p.x);
        let mut area = cross(a, b, c.x, c.y);
        if area < 0.0 {
            std::mem::swap(&mut b, &mut c);
            area = -area;
        }
        if area.is_nan() || area < 1e-6 {
            return;
        }
        let (low, high) = (a.min(b).min(c), a.max(b).max(c));
        let rows = (low.y.floor().max(0.0) as i32)..=(high.y.ceil() as i32).min(self.height - 1);
        for y in rows {
            let columns =
                (low.x.floor().max(0.0) as i32)..=(high.x.ceil() as i32).min(self.width - 1);
            for x in columns {
                let (px, py) = (x as f32 + 0.5, y as f32 + 0.5);
                let weights = [cross(b, c, px, py), cross(c, a, px, py), cross(a, b, px, py)];
                // A pixel on an edge belongs to one of the two triangles there.
                let edges = [(b, c), (c, a), (a, b)];
                let inside = weights.iter().zip(edges).all(|(&weight, (p, q))| {
                    weight > 0.0 || (weight == 0.0 && (p.y < q.y || (p.y == q.y && p.x > q.x)))
                });
                if !inside {
                    continue;
                }
                let depth = (weights[0] * a.z + weights[1] * b.z + weights[2] * c.z) / area;
                let pixel = y as usize * self.width as usize + x as usize;
                if depth + lift < self.depths[pixel] {
                    continue;
                }
                if share >= 1.0 {
                    self.depths[pixel] = depth;
                }
                self.colours[pixel] = self.colours[pixel].lerp(colour, share);
            }
        }
    }

    /// Draws a line of discs.
    fn line(&mut self, [from, to]: [Vec3; 2], colour: Vec3, reach: f32, lift: f32) {
        let length = (to - from).truncate().length();
        if !length.is_finite() {
            return;
        }
        let steps = length.ceil().clamp(1.0, 1e5) as i32;
        for step in 0..=steps {
            let at = from.lerp(to, step as f32 / steps as f32);
            let (x0, x1) = ((at.x - reach).floor() as i32, (at.x + reach).ceil() as i32);
            let (y0, y1) = ((at.y - reach).floor() as i32, (at.y + reach).ceil() as i32);
            for y in y0.max(0)..=y1.min(self.height - 1) {
                for x in x0.max(0)..=x1.min(self.width - 1) {
                    let (dx, dy) = (x as f32 + 0.5 - at.x, y as f32 + 0.5 - at.y);
                    let pixel = y as usize * self.width as usize + x as usize;
                    if dx * dx + dy * dy <= reach * reach && at.z + lift >= self.depths[pixel] {
                        self.colours[pixel] = colour;
                    }
                }
            }
        }
    }

    fn averaged(&self, width: u32, height: u32) -> Vec<Colour> {
        let mut colours = Vec::with_capacity(width as usize * height as usize);
        let fine = FINE as usize;
        for y in 0..height as usize {
            for x in 0..width as usize {
                let mut sum = Vec3::ZERO;
                let mut touched = false;
                for row in 0..fine {
                    for column in 0..fine {
                        let pixel = (y * fine + row) * self.width as usize + x * fine + column;
                        sum += self.colours[pixel];
                        touched |= self.colours[pixel] != self.background;
                    }
                }
                let mean = sum / (FINE * FINE) as f32;
                let [red, green, blue] = mean.to_array().map(|v| v.round().clamp(0.0, 255.0) as u8);
                let alpha = if touched { 255 } else { 0 };
                colours.push(Colour { red, green, blue, alpha });
            }
        }
        colours
    }
}
