//! Pictures of things in space: triangles shaded by their slope, panes and lines over them.

use glam::{Mat3, Vec2, Vec3};

use crate::depth::{FINE, Pixels, lit, shaded};
use crate::{Anchor, Colour, DrawError, Label, Picture, Shape, Theme, Tiles, Typeface};

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
/// y is up, lengths are metres. Nearer things hide the ones behind.
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
    /// Returns an empty space.
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

    /// Returns the picture: its longer side has `side` pixels. The caption stands below.
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
        let depth = size.z.max(size.x).max(size.y);
        for (corners, colour) in &self.triangles {
            let colour = lit(self.turned, *corners, *colour);
            pixels.fill(corners.map(place), colour, 1.0, 0.0);
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
