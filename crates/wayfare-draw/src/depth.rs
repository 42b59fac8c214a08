//! Things in space as pixels: nearer ones hide the ones behind.

use glam::{Mat3, Vec3};

use crate::Colour;

/// Pixels are computed at this multiple of the picture's size and averaged, which smooths edges.
pub(crate) const FINE: u32 = 2;

/// Returns the colour of a triangle in light from above, over the left shoulder. `turned` maps
/// space to the picture: right, down, towards the eye.
pub(crate) fn lit(turned: Mat3, corners: [Vec3; 3], colour: Colour) -> Vec3 {
    let light = Vec3::new(-0.35, 0.85, 0.4).normalize();
    let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
    let normal = normal.normalize_or(Vec3::Y);
    let facing = if (turned * normal).z < 0.0 { -normal } else { normal };
    shaded(colour, 0.58 + 0.42 * facing.dot(light).max(0.0))
}

pub(crate) fn shaded(colour: Colour, shade: f32) -> Vec3 {
    Vec3::new(f32::from(colour.red), f32::from(colour.green), f32::from(colour.blue)) * shade
}

/// Colours and depths.
pub(crate) struct Pixels {
    width: i32,
    height: i32,
    colours: Vec<Vec3>,
    depths: Vec<f32>,
    background: Vec3,
}

impl Pixels {
    pub(crate) fn new(width: u32, height: u32, background: Colour) -> Self {
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

    /// Fills a triangle where it is no farther than the present content, by up to `lift`. Solid
    /// triangles (`share` 1) set the depth.
    pub(crate) fn fill(&mut self, corners: [Vec3; 3], colour: Vec3, share: f32, lift: f32) {
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
    pub(crate) fn line(&mut self, [from, to]: [Vec3; 2], colour: Vec3, reach: f32, lift: f32) {
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

    pub(crate) fn averaged(&self, width: u32, height: u32) -> Vec<Colour> {
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
