//! Panels side by side on one picture.

use glam::Vec2;
use wayfare_core::space::Action;
use wayfare_core::trace::Side;

use super::legend::Entry;
use super::search::largest_cost;
use super::{Panel, ParentLines, PropLook, Stage, legend};
use crate::{Anchor, DrawError, Label, Picture, Ramp, SearchLook, Shape, Theme, Typeface};

/// The space around and between panels, in pixels.
const GAP: f32 = 14.0;
const TITLE: f32 = 24.0;
/// The longer side of the world of a panel alone, in pixels.
const ALONE: u32 = 900;

/// One or more panels laid out as one picture or, by [`Animation`](crate::Animation), one film.
///
/// All panels share one colour scale: a colour stands for the same cost everywhere.
///
/// ```
/// use wayfare_draw::{Colour, GridScenery, Panel, Sheet, Terrain};
///
/// let grass = Terrain::new("grass", Colour::hex(0x4c6b4a), false);
/// let world = GridScenery::new(2, 2, vec![grass], &[0; 4])?;
/// let left = Panel::new(&world).title("left");
/// let both = vec![left, Panel::new(&world).title("right").path_states([0, 3])];
/// let picture = Sheet::new(both).title("Two of them").draw()?;
/// assert!(picture.width() > picture.height());
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone)]
pub struct Sheet<'a> {
    panels: Vec<Panel<'a>>,
    title: String,
    columns: Option<u32>,
    longest: Option<u32>,
    legend: bool,
    theme: Theme,
}

/// A sheet laid out.
pub(crate) struct Layout<'s, 'a> {
    pub(crate) stages: Vec<Stage<'s, 'a>>,
    /// The part that no search changes.
    pub(crate) fixed: Picture,
}

impl<'a> Sheet<'a> {
    /// Panels from left to right, then downwards.
    #[must_use]
    pub fn new(panels: Vec<Panel<'a>>) -> Self {
        let (title, theme) = (String::new(), Theme::default());
        Self { panels, title, columns: None, longest: None, legend: true, theme }
    }

    /// Sets a title over all panels.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Sets the number of panels in a row. By default up to three stand in one row, four in two
    /// rows, more in a square.
    #[must_use]
    pub fn columns(mut self, columns: u32) -> Self {
        self.columns = Some(columns.max(1));
        self
    }

    /// Sets the longest side of a world in pixels. Default 900 for one panel in a row (640 in an
    /// animation), 560 for two, 420 for more.
    #[must_use]
    pub fn world_pixels(mut self, longest: u32) -> Self {
        self.longest = Some(longest);
        self
    }

    /// Leaves out the legend.
    #[must_use]
    pub fn without_legend(mut self) -> Self {
        self.legend = false;
        self
    }

    /// Sets the colours; [`Theme::DARK`] by default.
    #[must_use]
    pub fn theme(mut self, theme: Theme) -> Self {
        self.theme = theme;
        self
    }

    /// Returns the panels.
    #[must_use]
    pub fn panels(&self) -> &[Panel<'a>] {
        &self.panels
    }

    /// Draws the picture.
    ///
    /// # Errors
    /// [`DrawError::NoPanels`], or [`DrawError::PictureSize`] if the panels do not fit a picture.
    pub fn draw(&self) -> Result<Picture, DrawError> {
        let Layout { stages, fixed: mut picture } = self.lay_out(ALONE)?;
        for stage in &stages {
            let view = stage.panel.view();
            stage.draw_search(view.as_ref(), &mut picture);
            stage.draw_lines(&mut picture);
            if let Some(view) = &view {
                ParentLines::of(stage, view).draw(stage, &mut picture);
            }
            stage.draw_over(view.as_ref(), 1.0, &mut picture);
        }
        Ok(picture)
    }

    /// Returns the look of the search of a panel.
    fn look(&self, panel: &Panel<'a>) -> SearchLook {
        self.theme.search_look.unwrap_or_else(|| panel.scenery.search_look())
    }

    /// Returns the cost at the top of the ramp that all panels share.
    fn most(&self) -> f32 {
        let recordings = self.panels.iter().filter_map(|panel| panel.recording);
        recordings.map(largest_cost).fold(0.0, f32::max)
    }

    /// Lays the sheet out. A panel alone in its row is at most `alone` pixels wide unless the sheet
    /// sets another limit.
    pub(crate) fn lay_out(&self, alone: u32) -> Result<Layout<'_, 'a>, DrawError> {
        let count = self.panels.len() as u32;
        if count == 0 {
            return Err(DrawError::NoPanels);
        }
        let columns = self.columns.unwrap_or(match count {
            1..=3 => count,
            4 => 2,
            _ => count.isqrt() + u32::from(count.isqrt() * count.isqrt() < count),
        });
        let columns = columns.min(count);
        let longest = self.longest.unwrap_or(match columns {
            1 => alone,
            2 => 560,
            _ => 420,
        });
        let most = self.most();
        let mut stages: Vec<Stage<'_, 'a>> =
            self.panels.iter().map(|panel| Stage::new(panel, &self.theme, longest, most)).collect();

        // Cards of a row have one height, cards of a column one width.
        let rows = count.div_ceil(columns);
        let mut widths = vec![0.0_f32; columns as usize];
        let mut heights = vec![0.0_f32; rows as usize];
        for (number, stage) in stages.iter().enumerate() {
            let (column, row) = (number % columns as usize, number / columns as usize);
            widths[column] = widths[column].max(stage.card().size().x);
            heights[row] = heights[row].max(stage.card().size().y);
        }
        let head = if self.title.is_empty() { GAP } else { GAP + 38.0 };
        let reach = |sides: &[f32]| sides.iter().map(|side| side + GAP).sum::<f32>();
        let width = GAP + reach(&widths);
        let shows_parents = stages.iter().any(Stage::shows_parents);
        let entries = if self.legend { self.entries(shows_parents) } else { Vec::new() };
        let legend = legend::lines(entries, width - 2.0 * GAP);
        let foot = head + reach(&heights);
        let height = foot
            + legend.len() as f32 * legend::LINE
            + if legend.is_empty() { 0.0 } else { GAP * 0.6 };
        let mut fixed = Picture::new(width as u32, height as u32, self.theme.background)?;
        for (number, stage) in stages.iter_mut().enumerate() {
            let (column, row) = (number % columns as usize, number / columns as usize);
            let corner = Vec2::new(GAP + reach(&widths[..column]), head + reach(&heights[..row]));
            stage.place(corner, Vec2::new(widths[column], heights[row]));
            stage.draw_card(&mut fixed);
        }
        let title = Typeface::Sans.fitted(&self.title, TITLE, width - 2.0 * GAP);
        fixed.push(Shape::Text(Label {
            text: title.into_owned(),
            at: Vec2::new(GAP + 2.0, GAP + 24.0),
            anchor: Anchor::Start,
            size: TITLE,
            face: Typeface::Sans,
            colour: self.theme.text,
        }));
        legend::draw(&legend, Vec2::new(GAP + 2.0, foot - GAP * 0.3), &self.theme, &mut fixed);
        Ok(Layout { stages, fixed })
    }

    /// Returns the entries of the legend: only for visible things.
    fn entries(&self, shows_parents: bool) -> Vec<Entry> {
        let any = |what: &dyn Fn(&Panel<'a>) -> bool| self.panels.iter().any(what);
        let mut entries = Vec::new();
        if any(&|panel| panel.start_point().is_some()) {
            entries.push(Entry::Start);
        }
        if any(&|panel| panel.goal_point().is_some()) {
            entries.push(Entry::Goal);
        }
        for look in [SearchLook::ByCost, SearchLook::Plain] {
            if any(&|panel| panel.path.len() > 1 && self.look(panel) == look) {
                entries.push(Entry::Path(look));
            }
        }
        let mut actions: Vec<Action> = Vec::new();
        let signed = self.panels.iter().filter(|panel| !panel.trail().signs.is_empty());
        for action in signed.flat_map(Panel::actions) {
            let action = if let Action::Link(_) = action { Action::Link(0) } else { action };
            if !actions.contains(&action) {
                actions.push(action);
            }
        }
        entries.extend(actions.into_iter().map(Entry::Sign));
        let plain = |panel: &Panel<'a>| self.look(panel) == SearchLook::Plain;
        if any(&|panel| plain(panel) && panel.recording.is_some_and(|search| !search.is_empty())) {
            entries.push(Entry::Plain("open", self.theme.voxel_open));
            entries.push(Entry::Plain("expanded", self.theme.voxel_closed));
            if shows_parents {
                entries.push(Entry::Parent);
            }
        }
        for (side, ramp) in [(Side::Forward, Ramp::Fire), (Side::Backward, Ramp::Ice)] {
            let shown = any(&|panel| {
                !plain(panel)
                    && panel.recording.is_some_and(|recording| {
                        (0..recording.len()).any(|number| {
                            recording.event(number).is_some_and(|event| event.side == side)
                        })
                    })
            });
            if shown {
                entries.push(Entry::Open(ramp));
                entries.push(Entry::Closed(ramp));
            }
        }
        let mut looks: Vec<PropLook> = Vec::new();
        for prop in self.panels.iter().flat_map(|panel| &panel.props) {
            if !looks.contains(&prop.look) {
                looks.push(prop.look);
            }
        }
        entries.extend(looks.into_iter().map(Entry::Prop));
        let shown = self.panels.iter().map(|panel| panel.scenery.terrains_shown(&self.theme));
        entries.extend(legend::terrains(shown.flatten()));
        entries
    }
}
