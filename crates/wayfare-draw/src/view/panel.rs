//! A world with one search: one of the pictures on a sheet.

use glam::Vec2;
use wayfare_core::path::PathOf;
use wayfare_core::space::{Action, Cost, Space, StateId};
use wayfare_core::trace::TraceEventKind;

use super::{PropShot, Recording, SearchView, Sheet};
use crate::{DrawError, Leg, Picture, Scenery, Trail};

/// A world with an optional recorded search, path, title and figures.
///
/// The search is shown at its end, or at the point set by [`Panel::until_event`] or
/// [`Panel::until_expansion`].
///
/// ```
/// use wayfare_draw::{GridScenery, Panel, Terrain, Theme};
///
/// let world = GridScenery::new(4, 1, vec![Terrain::floor(&Theme::DARK)], &[0; 4])?;
/// let panel = Panel::new(&world).title("A walk").path_states([0, 1, 2, 3]).figure("time", "3 s");
/// assert!(panel.draw()?.to_svg()?.contains("A walk"));
/// # Ok::<(), wayfare_draw::DrawError>(())
/// ```
#[derive(Clone)]
pub struct Panel<'a> {
    pub(crate) scenery: &'a dyn Scenery,
    pub(crate) recording: Option<&'a dyn Recording>,
    pub(crate) title: String,
    pub(crate) caption: String,
    pub(crate) path: Vec<Vec2>,
    /// The places of the path with their actions; empty if only points are known.
    steps: Vec<(usize, Action)>,
    pub(crate) figures: Vec<[String; 2]>,
    pub(crate) props: Vec<PropShot>,
    stop: Stop,
    start: Option<Vec2>,
    goal: Option<Vec2>,
    cost: Option<f64>,
    /// Where numbers are wanted in cells.
    pub(crate) cost_per_unit: Option<f64>,
}

/// The point at which a search is shown.
#[derive(Clone, Copy)]
enum Stop {
    Never,
    Event(usize),
    Expansion(usize),
}

impl<'a> Panel<'a> {
    /// Returns a world without search or path.
    #[must_use]
    pub fn new(scenery: &'a dyn Scenery) -> Self {
        Self {
            scenery,
            recording: None,
            title: String::new(),
            caption: String::new(),
            path: Vec::new(),
            steps: Vec::new(),
            figures: Vec::new(),
            props: Vec::new(),
            stop: Stop::Never,
            start: None,
            goal: None,
            cost: None,
            cost_per_unit: None,
        }
    }

    /// Sets the title above it, such as the name of the algorithm.
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.title = title.into();
        self
    }

    /// Adds a short remark beside the title.
    #[must_use]
    pub fn caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// Shows a recorded search with its counters, such as a [`Trace`](wayfare_core::trace::Trace).
    #[must_use]
    pub fn search(mut self, recording: &'a dyn Recording) -> Self {
        self.recording = Some(recording);
        self
    }

    /// Shows the search after its first `events` events.
    #[must_use]
    pub fn until_event(mut self, events: usize) -> Self {
        self.stop = Stop::Event(events);
        self
    }

    /// Shows the search after its first `expansions` expansions.
    #[must_use]
    pub fn until_expansion(mut self, expansions: usize) -> Self {
        self.stop = Stop::Expansion(expansions);
        self
    }

    /// Shows a path through a space, and its cost as a length on the space's cheapest ground.
    #[must_use]
    pub fn path<S: Space>(self, space: &S, path: &PathOf<S>) -> Self {
        let panel =
            self.path_steps(path.steps.iter().map(|step| (step.state.index(), step.action)));
        if path.steps.is_empty() {
            return panel;
        }
        let unit = space.cost_per_unit();
        panel.cost(path.cost().to_u64() as f64 / unit).cost_per_unit(unit)
    }

    /// Writes g, h and f of the search into cells with room for them, 48 pixels wide or more, in
    /// units of length: costs are divided by this number. [`Panel::path`] includes this.
    #[must_use]
    pub fn cost_per_unit(mut self, unit: f64) -> Self {
        self.cost_per_unit = Some(unit);
        self
    }

    /// Shows the cost of the path, in any unit. [`Panel::path`] includes this.
    #[must_use]
    pub fn cost(mut self, cost: f64) -> Self {
        self.cost = Some(cost);
        self
    }

    /// Shows a path through states, given by their indices. States without a place are skipped.
    #[must_use]
    pub fn path_states(self, states: impl IntoIterator<Item = u32>) -> Self {
        self.path_steps(states.into_iter().map(|state| (state, Action::Walk)))
    }

    /// Shows a path through states, given by their indices with their incoming actions. States
    /// without a place are skipped.
    #[must_use]
    pub fn path_steps(self, steps: impl IntoIterator<Item = (u32, Action)>) -> Self {
        let scenery = self.scenery;
        let places = steps
            .into_iter()
            .filter_map(|(state, action)| Some((scenery.place_of(state)?, action)));
        let steps: Vec<(usize, Action)> = places.collect();
        let mut panel = self.path_points(steps.iter().map(|(place, _)| scenery.position(*place)));
        panel.steps = steps;
        panel
    }

    /// Shows a path through points of the scenery, such as a smoothed one. Points that are not
    /// finite are skipped.
    #[must_use]
    pub fn path_points(mut self, points: impl IntoIterator<Item = Vec2>) -> Self {
        self.path = points.into_iter().filter(|point| point.is_finite()).collect();
        self.steps = Vec::new();
        self
    }

    /// Marks the start and the goal, given by the indices of their states. By default the ends of
    /// the path are marked, or the first state of the search.
    #[must_use]
    pub fn endpoints(mut self, start: u32, goal: u32) -> Self {
        self.start = self.position_of(start);
        self.goal = self.position_of(goal);
        self
    }

    /// Adds a figure under the picture, such as ("time", "1.3 ms").
    #[must_use]
    pub fn figure(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.figures.push([name.into(), value.into()]);
        self
    }

    /// Shows the parts of a puzzle over the path, the lower ones first. The legend names each kind.
    ///
    /// ```
    /// use glam::Vec2;
    /// use wayfare_draw::{GridScenery, Panel, PropLook, PropShot, Terrain, Theme};
    ///
    /// let world = GridScenery::new(4, 1, vec![Terrain::floor(&Theme::DARK)], &[0; 4])?;
    /// let lever = PropLook::Lever { is_on: false };
    /// let lever = PropShot { look: lever, at: Vec2::new(1.5, 0.5), side: 1.0 };
    /// assert!(Panel::new(&world).props([lever]).draw()?.to_svg()?.contains("lever, off"));
    /// # Ok::<(), wayfare_draw::DrawError>(())
    /// ```
    #[must_use]
    pub fn props(mut self, props: impl IntoIterator<Item = PropShot>) -> Self {
        self.props.extend(props);
        self
    }

    /// Returns the panel alone as a picture, as a [`Sheet`] of one panel.
    ///
    /// # Errors
    /// As [`Sheet::draw`].
    pub fn draw(self) -> Result<Picture, DrawError> {
        Sheet::new(vec![self]).draw()
    }

    /// Returns the search at the point to be shown.
    pub(crate) fn view(&self) -> Option<SearchView<'a>> {
        let mut view = SearchView::new(self.scenery, self.recording?);
        match self.stop {
            Stop::Never => view.advance_to_end(),
            Stop::Event(events) => view.advance_to_event(events),
            Stop::Expansion(expansions) => view.advance_to_expansion(expansions),
        }
        Some(view)
    }

    /// Returns the line of the path.
    pub(crate) fn trail(&self) -> Trail {
        let trail = if self.steps.is_empty() { None } else { self.scenery.trail(&self.steps) };
        trail.unwrap_or_else(|| Trail {
            legs: vec![Leg { points: self.path.clone(), hidden: false }],
            signs: Vec::new(),
        })
    }

    /// Returns whether the path is known by its places, not by points alone.
    pub(crate) fn has_steps(&self) -> bool {
        !self.steps.is_empty()
    }

    /// Returns the actions of the path other than walks.
    pub(crate) fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        self.steps.iter().map(|(_, action)| *action).filter(|action| *action != Action::Walk)
    }

    /// Returns the position of the start mark.
    pub(crate) fn start_point(&self) -> Option<Vec2> {
        self.start
            .or(self.path.first().copied())
            .or_else(|| self.recording?.event(0).and_then(|event| self.position_of(event.state)))
    }

    /// Returns the position of the goal mark.
    pub(crate) fn goal_point(&self) -> Option<Vec2> {
        self.goal.or(self.path.last().copied()).or_else(|| {
            let recording = self.recording?;
            let last = recording.event(recording.len().checked_sub(1)?)?;
            (last.kind == TraceEventKind::Goal).then(|| self.position_of(last.state)).flatten()
        })
    }

    /// Returns the figures under the picture. The cost of the path is included only if the path is
    /// shown.
    pub(crate) fn all_figures(
        &self,
        view: Option<&SearchView<'_>>,
        arrived: bool,
    ) -> Vec<[String; 2]> {
        let mut figures = Vec::new();
        let mut add = |name: &str, value: String| figures.push([name.to_owned(), value]);
        if let Some(counters) = view.map(SearchView::counters) {
            add("expanded", grouped(counters.expanded));
            add("generated", grouped(counters.generated));
            add("open", grouped(counters.open));
            if counters.reopened > 0 {
                add("reopened", grouped(counters.reopened));
            }
            if counters.restarts > 0 {
                add("rounds", grouped(counters.restarts + 1));
            }
        }
        if let Some(cost) = self.cost {
            let tenths = (cost * 10.0).round() as usize;
            let cost = format!("{}.{}", grouped(tenths / 10), tenths % 10);
            add("cost", if arrived { cost } else { "–".to_owned() });
        }
        figures.extend(self.figures.iter().cloned());
        figures
    }

    /// Returns the number of figures to reserve room for.
    pub(crate) fn figure_count(&self) -> usize {
        let searched = if self.recording.is_some() { 3 } else { 0 };
        searched + usize::from(self.cost.is_some()) + self.figures.len()
    }

    fn position_of(&self, state: u32) -> Option<Vec2> {
        self.scenery.place_of(state).map(|place| self.scenery.position(place))
    }
}

/// Returns a number with a comma between its thousands.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}
