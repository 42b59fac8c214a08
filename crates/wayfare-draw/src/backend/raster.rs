//! Pixels: pictures rasterised by `tiny-skia`, text by `ab_glyph`.

use ab_glyph::Font;
use glam::Vec2;
use tiny_skia::{
    FillRule, LineCap, LineJoin, Path, PathBuilder, Pixmap, PremultipliedColorU8, Transform,
};

use crate::{Area, Colour, DrawError, Facets, Label, Paint, Picture, Shape, Stroke, Tiles};

/// An opaque image that shapes can be drawn on.
///
/// ```
/// use wayfare_draw::{Colour, Picture};
///
/// let white = Colour::hex(0xffffff);
/// let canvas = Picture::new(4, 4, white)?.to_canvas()?;
/// assert_eq!((canvas.pixel(3, 3), canvas.pixel(4, 4)), (Some(white), None));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone)]
pub struct Canvas {
    pixmap: Pixmap,
}

impl Picture {
    /// Returns the picture as pixels.
    ///
    /// # Errors
    /// [`DrawError::PictureSize`] if the image cannot be made. [`Picture::new`] has checked the
    /// size before.
    pub fn to_canvas(&self) -> Result<Canvas, DrawError> {
        let mut canvas = Canvas::new(self.width(), self.height(), self.background())?;
        canvas.draw_all(self.shapes());
        Ok(canvas)
    }
}

impl Canvas {
    /// Returns an image of one colour.
    ///
    /// # Errors
    /// [`DrawError::PictureSize`] as [`Picture::new`].
    pub fn new(width: u32, height: u32, background: Colour) -> Result<Self, DrawError> {
        Picture::new(width, height, background)?;
        let mut pixmap = Pixmap::new(width, height)
            .ok_or(DrawError::PictureSize { width: u64::from(width), height: u64::from(height) })?;
        pixmap.fill(tiny_skia::Color::from_rgba8(
            background.red,
            background.green,
            background.blue,
            255,
        ));
        Ok(Self { pixmap })
    }

    /// Returns the width in pixels.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.pixmap.width()
    }

    /// Returns the height in pixels.
    #[must_use]
    pub fn height(&self) -> u32 {
        self.pixmap.height()
    }

    /// Returns the pixels, four bytes each: red, green, blue and 255.
    #[must_use]
    pub fn rgba(&self) -> &[u8] {
        self.pixmap.data()
    }

    /// Returns the colour of a pixel, or `None` outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<Colour> {
        // The pixmap checks the index alone, which wraps into the next row.
        let pixel = if x < self.width() { self.pixmap.pixel(x, y) } else { None };
        pixel.map(|pixel| Colour {
            red: pixel.red(),
            green: pixel.green(),
            blue: pixel.blue(),
            alpha: pixel.alpha(),
        })
    }

    /// Draws shapes over the image.
    pub fn draw_all(&mut self, shapes: &[Shape]) {
        for shape in shapes {
            self.draw(shape);
        }
    }

    /// Draws a shape over the image.
    pub fn draw(&mut self, shape: &Shape) {
        match shape {
            Shape::Tiles(tiles) => self.tiles(tiles),
            Shape::Facets(facets) => self.facets(facets),
            Shape::Rect { area, radius, paint } => {
                let path = rounded(*area, *radius);
                self.closed(path.as_ref(), *paint);
            }
            // A circle far outside would have a hundred thousand points: its coordinates are as
            // coarse as the lines that it is made of.
            Shape::Circle { centre, radius, paint } if !self.meets(*centre, *radius, *paint) => {}
            Shape::Circle { centre, radius, paint } => {
                let path = PathBuilder::from_circle(centre.x, centre.y, *radius);
                self.closed(path.as_ref(), *paint);
            }
            Shape::Polygon { points, paint } => {
                let path = through(points, true);
                self.closed(path.as_ref(), *paint);
            }
            Shape::Polyline { points, stroke } => {
                let path = through(points, false);
                self.stroke(path.as_ref(), *stroke);
            }
            Shape::Segments { ends, stroke } => {
                let mut builder = PathBuilder::new();
                for [from, to] in ends {
                    builder.move_to(from.x, from.y);
                    builder.line_to(to.x, to.y);
                }
                self.stroke(builder.finish().as_ref(), *stroke);
            }
            Shape::Text(label) => self.text(label),
        }
    }

    /// Returns whether the square around a circle and its outline reaches into the image.
    fn meets(&self, centre: Vec2, radius: f32, paint: Paint) -> bool {
        let reach = Vec2::splat(radius + paint.stroke.map_or(0.0, |stroke| stroke.width) + 1.0);
        let size = Vec2::new(self.width() as f32, self.height() as f32);
        (centre + reach).cmpge(Vec2::ZERO).all() && (centre - reach).cmple(size).all()
    }

    /// Fills a rectangle of whole pixels, clipped to the image.
    pub fn fill_pixels(&mut self, x: i64, y: i64, width: u32, height: u32, colour: Colour) {
        let image_width = i64::from(self.width());
        let left = x.clamp(0, image_width) as usize;
        let right = x.saturating_add(i64::from(width)).clamp(0, image_width) as usize;
        let top = y.clamp(0, i64::from(self.height())) as usize;
        let bottom =
            y.saturating_add(i64::from(height)).clamp(0, i64::from(self.height())) as usize;
        let stride = image_width as usize;
        let pixels = self.pixmap.pixels_mut();
        for row in top..bottom {
            for pixel in &mut pixels[row * stride + left..row * stride + right] {
                blend(pixel, colour, 1.0);
            }
        }
    }

    /// Copies a rectangle of whole pixels from another image of the same size.
    pub(crate) fn restore(&mut self, from: &Self, x: i64, y: i64, side: u32) {
        if (self.width(), self.height()) != (from.width(), from.height()) {
            return;
        }
        let stride = self.width() as usize;
        let left = x.clamp(0, stride as i64) as usize;
        let right = x.saturating_add(i64::from(side)).clamp(0, stride as i64) as usize;
        let top = y.clamp(0, i64::from(self.height())) as usize;
        let bottom = y.saturating_add(i64::from(side)).clamp(0, i64::from(self.height())) as usize;
        for row in top..bottom {
            let span = row * stride + left..row * stride + right;
            self.pixmap.pixels_mut()[span.clone()].copy_from_slice(&from.pixmap.pixels()[span]);
        }
    }

    fn tiles(&mut self, tiles: &Tiles) {
        let corner = tiles.corner.round();
        for (row, colours) in tiles.colours.chunks_exact(tiles.columns as usize).enumerate() {
            let y = corner.y as i64 + row as i64 * i64::from(tiles.side);
            let mut column = 0;
            while column < colours.len() {
                let colour = colours[column];
                let run = match tiles.inset {
                    0 => colours[column..].iter().take_while(|other| **other == colour).count(),
                    _ => 1,
                };
                if colour.alpha > 0 {
                    let inset = i64::from(tiles.inset);
                    let x = corner.x as i64 + column as i64 * i64::from(tiles.side) + inset;
                    let (width, height) = (run as u32 * tiles.side, tiles.side);
                    let less = 2 * tiles.inset;
                    self.fill_pixels(x, y + inset, width - less, height - less, colour);
                }
                column += run;
            }
        }
    }

    fn facets(&mut self, facets: &Facets) {
        // Four samples a pixel, no two in one row or column of the finer lattice.
        const SAMPLES: [Vec2; 4] = [
            Vec2::new(0.125, 0.625),
            Vec2::new(0.375, 0.125),
            Vec2::new(0.625, 0.875),
            Vec2::new(0.875, 0.375),
        ];
        let area = facets.area();
        let width = self.width();
        let range = |from: f32, to: f32, most: u32| {
            (from.floor().max(0.0) as u32).min(most)..(to.ceil().max(0.0) as u32).min(most)
        };
        let columns = range(area.min.x, area.max.x, width);
        let rows = range(area.min.y, area.max.y, self.height());
        let pixels = self.pixmap.pixels_mut();
        for y in rows {
            for x in columns.clone() {
                let corner = Vec2::new(x as f32, y as f32);
                let samples = SAMPLES.map(|sample| facets.at(corner + sample));
                let pixel = &mut pixels[y as usize * width as usize + x as usize];
                let same = samples.iter().all(|sample| *sample == samples[0]);
                match samples[0] {
                    None if same => {}
                    Some(colour) if same => blend(pixel, colour, 1.0),
                    _ => {
                        let ground = opaque(*pixel);
                        let mut sum = [0u32; 3];
                        for sample in samples {
                            let colour = sample.map_or(ground, |colour| colour.over(ground));
                            let channels = [colour.red, colour.green, colour.blue];
                            for (sum, channel) in sum.iter_mut().zip(channels) {
                                *sum += u32::from(channel);
                            }
                        }
                        let [red, green, blue] = sum.map(|sum| ((sum + 2) / 4) as u8);
                        blend(pixel, Colour { red, green, blue, alpha: 255 }, 1.0);
                    }
                }
            }
        }
    }

    fn closed(&mut self, path: Option<&Path>, paint: Paint) {
        let Some(path) = path else { return };
        if let Some(fill) = paint.fill {
            let identity = Transform::identity();
            self.pixmap.fill_path(path, &ink(fill), FillRule::Winding, identity, None);
        }
        if let Some(stroke) = paint.stroke {
            self.stroke(Some(path), stroke);
        }
    }

    fn stroke(&mut self, path: Option<&Path>, stroke: Stroke) {
        let Some(path) = path else { return };
        let pen = tiny_skia::Stroke {
            width: stroke.width,
            line_cap: LineCap::Round,
            line_join: LineJoin::Round,
            ..tiny_skia::Stroke::default()
        };
        self.pixmap.stroke_path(path, &ink(stroke.colour), &pen, Transform::identity(), None);
    }

    fn text(&mut self, label: &Label) {
        let start = label.at.x - label.lead();
        let (width, height) = (self.width() as i32, self.height() as i32);
        let pixels = self.pixmap.pixels_mut();
        label.face.lay_out(&label.text, label.size, |font, glyph, x| {
            let position = ab_glyph::point(start + x, label.at.y);
            let placed = glyph.with_scale_and_position(label.size, position);
            let Some(outline) = font.outline_glyph(placed) else { return };
            let bounds = outline.px_bounds();
            let (left, top) = (bounds.min.x as i32, bounds.min.y as i32);
            outline.draw(|x, y, coverage| {
                let (x, y) = (left + x as i32, top + y as i32);
                if (0..width).contains(&x) && (0..height).contains(&y) {
                    blend(&mut pixels[(y * width + x) as usize], label.colour, coverage);
                }
            });
        });
    }
}

/// Blends a colour over an opaque pixel, with the given coverage.
fn blend(pixel: &mut PremultipliedColorU8, colour: Colour, coverage: f32) {
    let alpha = f32::from(colour.alpha) / 255.0 * coverage.clamp(0.0, 1.0);
    let ground = opaque(*pixel);
    let mixed = if alpha >= 1.0 { colour } else { ground.mix(colour.with_alpha(255), alpha) };
    if let Some(opaque) = PremultipliedColorU8::from_rgba(mixed.red, mixed.green, mixed.blue, 255) {
        *pixel = opaque;
    }
}

fn opaque(pixel: PremultipliedColorU8) -> Colour {
    Colour { red: pixel.red(), green: pixel.green(), blue: pixel.blue(), alpha: 255 }
}

fn ink(colour: Colour) -> tiny_skia::Paint<'static> {
    let mut paint = tiny_skia::Paint::default();
    paint.set_color_rgba8(colour.red, colour.green, colour.blue, colour.alpha);
    paint.anti_alias = true;
    paint
}

fn through(points: &[Vec2], closed: bool) -> Option<Path> {
    let mut builder = PathBuilder::new();
    for (number, point) in points.iter().enumerate() {
        if number == 0 {
            builder.move_to(point.x, point.y);
        } else {
            builder.line_to(point.x, point.y);
        }
    }
    if closed {
        builder.close();
    }
    builder.finish()
}

fn rounded(area: Area, radius: f32) -> Option<Path> {
    let (min, max) = (area.min, area.max);
    let radius = radius.min(area.size().min_element() / 2.0);
    if radius <= 0.0 {
        let rect = tiny_skia::Rect::from_ltrb(min.x, min.y, max.x, max.y)?;
        return Some(PathBuilder::from_rect(rect));
    }
    let mut builder = PathBuilder::new();
    builder.move_to(min.x + radius, min.y);
    builder.line_to(max.x - radius, min.y);
    builder.quad_to(max.x, min.y, max.x, min.y + radius);
    builder.line_to(max.x, max.y - radius);
    builder.quad_to(max.x, max.y, max.x - radius, max.y);
    builder.line_to(min.x + radius, max.y);
    builder.quad_to(min.x, max.y, min.x, max.y - radius);
    builder.line_to(min.x, min.y + radius);
    builder.quad_to(min.x, min.y, min.x + radius, min.y);
    builder.close();
    builder.finish()
}
