//! Animated GIFs: one palette for all frames; each frame contains only the pixels that changed.

use std::io::Write;

use super::{Canvas, GifPalette};
use crate::DrawError;

/// Writes frames one after the other.
pub(crate) struct GifWriter<W: Write> {
    encoder: gif::Encoder<W>,
    palette: GifPalette,
    /// The frame that waits for its delay, and the image that it leaves on the screen.
    waiting: Option<(gif::Frame<'static>, Canvas)>,
    frames: usize,
}

impl<W: Write> GifWriter<W> {
    /// Starts a GIF that plays forever.
    pub(crate) fn new(
        out: W,
        width: u32,
        height: u32,
        palette: GifPalette,
    ) -> Result<Self, DrawError> {
        let too_large =
            |_| DrawError::PictureSize { width: u64::from(width), height: u64::from(height) };
        let (width, height) =
            (u16::try_from(width).map_err(too_large)?, u16::try_from(height).map_err(too_large)?);
        let mut encoder = gif::Encoder::new(out, width, height, &palette.bytes())?;
        encoder.set_repeat(gif::Repeat::Infinite)?;
        Ok(Self { encoder, palette, waiting: None, frames: 0 })
    }

    /// Shows an image for `delay` hundredths of a second. An image equal to the one before prolongs
    /// that one instead.
    pub(crate) fn show(&mut self, canvas: &Canvas, delay: u16) -> Result<(), DrawError> {
        let Some((mut before, image)) = self.waiting.take() else {
            let whole = Changed { left: 0, top: 0, right: canvas.width(), bottom: canvas.height() };
            let frame = self.frame(canvas, None, whole, delay);
            self.waiting = Some((frame, canvas.clone()));
            return Ok(());
        };
        match changed(&image, canvas) {
            None => {
                before.delay = before.delay.saturating_add(delay);
                self.waiting = Some((before, image));
            }
            Some(area) => {
                self.write(&before)?;
                let frame = self.frame(canvas, Some(&image), area, delay);
                self.waiting = Some((frame, canvas.clone()));
            }
        }
        Ok(())
    }

    /// Writes the waiting frame and ends the file. Returns the number of frames.
    pub(crate) fn finish(mut self) -> Result<usize, DrawError> {
        if let Some((frame, _)) = self.waiting.take() {
            self.write(&frame)?;
        }
        self.encoder.into_inner()?;
        Ok(self.frames)
    }

    fn write(&mut self, frame: &gif::Frame<'_>) -> Result<(), DrawError> {
        self.frames += 1;
        Ok(self.encoder.write_frame(frame)?)
    }

    fn frame(
        &mut self,
        canvas: &Canvas,
        before: Option<&Canvas>,
        area: Changed,
        delay: u16,
    ) -> gif::Frame<'static> {
        let stride = canvas.width() as usize * 4;
        let mut pixels =
            Vec::with_capacity(((area.right - area.left) * (area.bottom - area.top)) as usize);
        for y in area.top as usize..area.bottom as usize {
            let span = y * stride + area.left as usize * 4..y * stride + area.right as usize * 4;
            let old = before.map(|before| before.rgba()[span.clone()].chunks_exact(4));
            let mut old = old.into_iter().flatten();
            for new in canvas.rgba()[span].chunks_exact(4) {
                pixels.push(if old.next() == Some(new) {
                    GifPalette::CLEAR
                } else {
                    self.palette.nearest([new[0], new[1], new[2]])
                });
            }
        }
        gif::Frame {
            delay,
            dispose: gif::DisposalMethod::Keep,
            transparent: before.is_some().then_some(GifPalette::CLEAR),
            left: area.left as u16,
            top: area.top as u16,
            width: (area.right - area.left) as u16,
            height: (area.bottom - area.top) as u16,
            buffer: pixels.into(),
            ..gif::Frame::default()
        }
    }
}

/// The bounds of the pixels that differ between two images; right and bottom are exclusive.
#[derive(Clone, Copy)]
struct Changed {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

fn changed(before: &Canvas, after: &Canvas) -> Option<Changed> {
    let stride = after.width() as usize * 4;
    let rows = before.rgba().chunks_exact(stride).zip(after.rgba().chunks_exact(stride));
    let mut area: Option<Changed> = None;
    for (y, (old, new)) in rows.enumerate() {
        if old == new {
            continue;
        }
        let differs = |(a, b): (&u8, &u8)| a != b;
        let first = old.iter().zip(new).position(differs).unwrap_or(0) / 4;
        let last = old.iter().zip(new).rposition(differs).unwrap_or(0) / 4;
        let row = y as u32;
        let here =
            Changed { left: first as u32, top: row, right: last as u32 + 1, bottom: row + 1 };
        area = Some(area.map_or(here, |area| Changed {
            left: area.left.min(here.left),
            right: area.right.max(here.right),
            bottom: here.bottom,
            ..area
        }));
    }
    area
}
