//! Searches as animated GIFs.

use std::io::Write;
use std::path::Path;

use super::gif::{AnimationReport, encode_frames, in_range};
use super::{Panel, ParentLines, SearchView, Sheet, Stage};
use crate::{Canvas, DrawError, Picture, Relief, Shape, write_whole};

/// The searches of a sheet's panels playing in step, each with its path drawn at its end.
///
/// All panels make the same number of expansions a frame, so that the longest search takes the
/// given time. A search that needs fewer ends earlier and waits with its path.
///
/// ```no_run
/// # use wayfare_draw::{Animation, DrawError, Sheet};
/// # fn film(sheet: Sheet<'_>) -> Result<(), DrawError> {
/// let mut progress = |done, all| eprintln!("{done} of {all} frames");
/// let film = Animation::new(sheet).seconds(6.0);
/// let report = film.write_gif("search.gif".as_ref(), &mut progress)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Animation<'a> {
    sheet: Sheet<'a>,
    seconds: f32,
    rate: f32,
    hold: f32,
}

/// The time of drawing a path, in seconds.
const PATH_SECONDS: f32 = 0.9;

/// The longer side of the world of a panel alone, in pixels. Keeps files small.
const ALONE: u32 = 640;

impl<'a> Animation<'a> {
    /// Returns the sheet in motion: 6 seconds of search at 25 images a second, then 2.5 seconds of
    /// pause.
    #[must_use]
    pub fn new(sheet: Sheet<'a>) -> Self {
        Self { sheet, seconds: 6.0, rate: 25.0, hold: 2.5 }
    }

    /// Sets the duration of the longest search in seconds. 0.1 to 120. Raising it makes larger
    /// files.
    #[must_use]
    pub fn seconds(mut self, seconds: f32) -> Self {
        self.seconds = seconds;
        self
    }

    /// Sets the images a second. 1 to 50. Raising it makes motion smoother and files larger.
    #[must_use]
    pub fn frames_per_second(mut self, rate: f32) -> Self {
        self.rate = rate;
        self
    }

    /// Sets the pause at the end before the film restarts, in seconds. 0 to 60.
    #[must_use]
    pub fn hold(mut self, seconds: f32) -> Self {
        self.hold = seconds;
        self
    }

    /// Writes the GIF to a file, whole or not at all. `progress` receives the number of finished
    /// images and of all.
    ///
    /// # Errors
    /// As [`Animation::encode`], or [`DrawError::Write`].
    pub fn write_gif(
        &self,
        path: &Path,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<AnimationReport, DrawError> {
        write_whole(path, |file| self.encode(file, progress))
    }

    /// Writes the GIF to a stream. `progress` receives the number of finished images and of all.
    ///
    /// # Errors
    /// [`DrawError::OutOfRange`] for a setting out of range, [`DrawError::NoPanels`],
    /// [`DrawError::PictureSize`] or [`DrawError::Gif`].
    pub fn encode(
        &self,
        out: impl Write,
        progress: &mut dyn FnMut(usize, usize),
    ) -> Result<AnimationReport, DrawError> {
        in_range("the seconds of an animation", self.seconds, 0.1, 120.0)?;
        in_range("the images a second", self.rate, 1.0, 50.0)?;
        in_range("the seconds of rest", self.hold, 0.0, 60.0)?;
        let frames = self.frames();
        encode_frames(
            out,
            frames,
            &|frame| self.delay(frame, frames),
            &mut |wanted, show| self.play(wanted, show),
            progress,
        )
    }

    fn search_frames(&self) -> usize {
        (self.seconds * self.rate).round().max(1.0) as usize
    }

    fn path_frames(&self) -> usize {
        (PATH_SECONDS * self.rate).round().max(1.0) as usize
    }

    /// Returns the number of images, equal ones included: one before the search, the search, the
    /// last path.
    fn frames(&self) -> usize {
        1 + self.search_frames() + self.path_frames()
    }

    /// Returns the duration of an image in hundredths of a second, rounded so that the whole takes
    /// its time.
    fn delay(&self, frame: usize, frames: usize) -> u16 {
        let at = |frame: usize| (frame as f32 * 100.0 / self.rate).round();
        let rest = if frame + 1 == frames { self.hold * 100.0 } else { 0.0 };
        (at(frame + 1) - at(frame) + rest) as u16
    }

    /// Plays all images and shows the wanted ones. Returns the size of an image.
    fn play(
        &self,
        wanted: &dyn Fn(usize) -> bool,
        show: &mut dyn FnMut(&Canvas) -> Result<(), DrawError>,
    ) -> Result<(u32, u32), DrawError> {
        let layout = self.sheet.lay_out(ALONE)?;
        let (width, height) = (layout.fixed.width(), layout.fixed.height());
        let mut fixed = layout.fixed;
        for stage in &layout.stages {
            stage.draw_lines(&mut fixed);
        }
        let base = fixed.to_canvas()?;
        let mut canvas = base.clone();
        let mut players: Vec<Player<'_, '_>> = layout.stages.iter().map(Player::new).collect();
        let longest = players.iter().map(|player| player.expansions).max().unwrap_or(0);
        for frame in 0..self.frames() {
            let share = frame as f64 / self.search_frames() as f64;
            let expansions = (longest as f64 * share).ceil() as usize;
            let mut over = Picture::new(width, height, fixed.background())?;
            for player in &mut players {
                player.advance(frame, expansions, &base, &mut canvas);
                if wanted(frame) {
                    player.draw(frame, self.path_frames(), &mut over);
                }
            }
            if wanted(frame) {
                let mut image = canvas.clone();
                image.draw_all(over.shapes());
                show(&image)?;
            }
        }
        Ok((width, height))
    }
}

/// A panel being played.
struct Player<'l, 'a> {
    stage: &'l Stage<'l, 'a>,
    view: Option<SearchView<'a>>,
    expansions: usize,
    /// The world, if it is in relief.
    relief: Option<Relief>,
    parents: ParentLines,
    /// The image at which the search ended.
    over_at: Option<usize>,
}

impl<'l, 'a> Player<'l, 'a> {
    fn new(stage: &'l Stage<'l, 'a>) -> Self {
        let panel: &Panel<'a> = stage.panel;
        let view = panel.recording.map(|recording| {
            let mut view = SearchView::new(panel.scenery, recording);
            view.keep_touched();
            view
        });
        let expansions = panel.view().map_or(0, |view| view.counters().expanded);
        let relief = stage.relief(view.as_ref());
        let parents = ParentLines::default();
        Self { stage, view, expansions, relief, parents, over_at: None }
    }

    fn advance(&mut self, frame: usize, expansions: usize, base: &Canvas, canvas: &mut Canvas) {
        if let Some(view) = &mut self.view {
            view.advance_to_expansion(expansions.min(self.expansions));
            let mut touched = view.take_touched();
            touched.sort_unstable();
            touched.dedup();
            let shows_parents = self.stage.shows_parents();
            for place in touched {
                if shows_parents {
                    self.parents.refresh(self.stage, view, place);
                }
                match &mut self.relief {
                    Some(relief) => self.stage.refresh(view, place, relief),
                    None => self.stage.repaint(view, place, base, canvas),
                }
            }
        }
        if expansions >= self.expansions && frame > 0 {
            self.over_at.get_or_insert(frame);
        }
    }

    fn draw(&self, frame: usize, path_frames: usize, picture: &mut Picture) {
        let since = self.over_at.map_or(0, |over| frame - over);
        let shown = since as f32 / path_frames as f32;
        if let Some(relief) = &self.relief {
            picture.push(Shape::Facets(relief.facets.clone()));
            relief.lines.iter().for_each(|line| picture.push(line.clone()));
        } else if let Some(view) = &self.view
            && self.stage.panel.scenery.lattice().is_none()
        {
            self.stage.draw_marks(view, picture);
        }
        self.parents.draw(self.stage, picture);
        self.stage.draw_over(self.view.as_ref(), shown, picture);
    }
}
