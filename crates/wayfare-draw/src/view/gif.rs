//! Films as animated GIFs with one palette.

use std::io::Write;

use crate::backend::{GifWriter, Histogram};
use crate::{Canvas, DrawError};

/// The size of a written animation.
///
/// ```
/// use wayfare_draw::{Animation, GridScenery, Panel, Sheet, Terrain, Theme};
///
/// let world = GridScenery::new(4, 1, vec![Terrain::floor(&Theme::DARK)], &[0; 4])?;
/// let sheet = Sheet::new(vec![Panel::new(&world).path_states([0, 1, 2, 3])]);
/// let mut gif = Vec::new();
/// let film = Animation::new(sheet).seconds(0.2).frames_per_second(5.0);
/// let report = film.encode(&mut gif, &mut |_, _| ())?;
/// assert_eq!(report.bytes, gif.len());
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnimationReport {
    /// The number of different images.
    pub frames: usize,
    /// The size of the file in bytes.
    pub bytes: usize,
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
}

/// The number of images that the palette is made from.
const SAMPLES: usize = 12;

/// Receives an image of a film.
pub(super) type Show<'s> = dyn FnMut(&Canvas) -> Result<(), DrawError> + 's;

/// Plays a film: shows the wanted images, by index, and returns their common size.
pub(super) type Play<'p> =
    dyn FnMut(&dyn Fn(usize) -> bool, &mut Show<'_>) -> Result<(u32, u32), DrawError> + 'p;

/// Plays a film twice: once to collect its colours, once to write it. `delay` returns the duration
/// of an image in hundredths of a second. `progress` receives the number of finished images and of
/// all.
pub(super) fn encode_frames(
    out: impl Write,
    frames: usize,
    delay: &dyn Fn(usize) -> u16,
    play: &mut Play<'_>,
    progress: &mut dyn FnMut(usize, usize),
) -> Result<AnimationReport, DrawError> {
    let every = frames.div_ceil(SAMPLES).max(1);
    let is_sample = |frame: usize| frame.is_multiple_of(every) || frame + 1 == frames;
    let all = frames + (0..frames).filter(|frame| is_sample(*frame)).count();
    let mut histogram = Histogram::default();
    let mut done = 0;
    let (width, height) = play(&is_sample, &mut |image| {
        histogram.add(image.rgba());
        done += 1;
        progress(done, all);
        Ok(())
    })?;
    let mut counting = Counting { out, bytes: 0 };
    let mut writer = GifWriter::new(&mut counting, width, height, histogram.palette())?;
    let mut frame = 0;
    play(&|_| true, &mut |image| {
        writer.show(image, delay(frame))?;
        frame += 1;
        progress(done + frame, all);
        Ok(())
    })?;
    let frames = writer.finish()?;
    Ok(AnimationReport { frames, bytes: counting.bytes, width, height })
}

pub(super) fn in_range(
    what: &'static str,
    given: f32,
    least: f32,
    most: f32,
) -> Result<(), DrawError> {
    if (least..=most).contains(&given) {
        Ok(())
    } else {
        Err(DrawError::OutOfRange { what, least, most, given })
    }
}

/// Counts the written bytes.
struct Counting<W> {
    out: W,
    bytes: usize,
}

impl<W: Write> Write for Counting<W> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.bytes += written;
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.out.flush()
    }
}
