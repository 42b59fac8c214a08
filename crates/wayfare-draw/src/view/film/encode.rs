//! Films as animated GIFs.

use std::io::Write;
use std::path::Path;

use super::layout::Layout;
use super::script::{Film, Shot};
use crate::view::gif::{AnimationReport, encode_frames, in_range};
use crate::{Canvas, DrawError, Picture, write_whole};

impl Film<'_> {
    /// Writes the film to a file, whole or not at all. `progress` receives the number of finished
    /// images and of all.
    ///
    /// # Errors
    /// As [`Film::encode_gif`], or [`DrawError::Write`].
    pub fn write_gif(
        &self,
        path: &Path,
        shots: &[Shot],
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<AnimationReport, DrawError> {
        write_whole(path, |file| self.encode_gif(file, shots, progress))
    }

    /// Writes the film to a stream as an animated GIF. `progress` receives the number of finished
    /// images and of all.
    ///
    /// # Errors
    /// [`DrawError::OutOfRange`] for a setting out of range, [`DrawError::NoPanels`] without any
    /// shot, [`DrawError::PictureSize`] or [`DrawError::Gif`].
    pub fn encode_gif(
        &self,
        out: impl Write,
        shots: &[Shot],
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<AnimationReport, DrawError> {
        in_range("the images a second", self.rate, 1.0, 50.0)?;
        in_range("the seconds of rest", self.hold, 0.0, 60.0)?;
        if shots.is_empty() {
            return Err(DrawError::NoPanels);
        }
        let layout = Layout::of(self, shots)?;
        let base = layout.fixed.to_canvas()?;
        let size = (layout.fixed.width(), layout.fixed.height());
        let rest = |number: usize| if number + 1 == shots.len() { self.hold * 100.0 } else { 0.0 };
        encode_frames(
            out,
            shots.len(),
            &|number| (self.delay(number) + rest(number)) as u16,
            &mut |wanted, show| {
                for (_, shot) in shots.iter().enumerate().filter(|(number, _)| wanted(*number)) {
                    show(&self.image(shot, &layout, &base)?)?;
                }
                Ok(size)
            },
            progress,
        )
    }

    /// Returns the duration of an image in hundredths of a second, rounded so that the whole takes
    /// its time.
    fn delay(&self, number: usize) -> f32 {
        let at = |number: usize| (number as f32 * 100.0 / self.rate).round();
        at(number + 1) - at(number)
    }

    fn image(&self, shot: &Shot, layout: &Layout, base: &Canvas) -> Result<Canvas, DrawError> {
        let (width, height) = (layout.fixed.width(), layout.fixed.height());
        let mut over = Picture::new(width, height, layout.fixed.background())?;
        self.draw_shot(shot, layout, &mut over);
        let mut image = base.clone();
        image.draw_all(over.shapes());
        Ok(image)
    }
}
