//! One question to one engine.

use std::time::Duration;

use wayfare::navigate::Policy;
use wayfare::search::Options;

use crate::{Endpoints, EngineName};

/// One question to one engine.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{Ending, NoFiles, OpenOptions, SearchRequest, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let ends = site.routes()[0].ends;
/// let mut request = SearchRequest::new(AlgorithmId::AStar, ends);
/// request.max_expansions = Some(1);
/// let report = site.searcher().run(&request, &mut |_expanded| ());
/// assert!(matches!(report.ending, Ending::Limit(_)));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SearchRequest {
    /// The engine that answers. One that is not [prepared](crate::Searcher::prepare), or does not
    /// suit the request, leaves it to a search.
    pub engine: EngineName,
    /// How good the answer has to be, and how soon. Default: a cheapest path. A request for the
    /// hierarchy by its name takes the first leg at once, and reports the whole route.
    pub policy: Policy,
    /// The options of a search.
    pub options: Options,
    /// The ends of the path.
    pub ends: Endpoints,
    /// Give up after that many expansions; default never.
    pub max_expansions: Option<u64>,
    /// Give up once that many states were generated; default never.
    pub max_generated: Option<u64>,
    /// Give up once the open list has that many states; default never.
    pub max_open: Option<u64>,
    /// Do not follow paths that cost more, in units of length on plain ground; default any.
    pub max_cost: Option<f64>,
    /// Go as near as possible where there is known to be no path. Default: end at once.
    pub approach: bool,
    /// Keep every event, for a picture or a replay. Default: no.
    pub record: bool,
    /// How the path's shape is refined. Default: not at all.
    pub refinement: Refinement,
    /// Measures [`SearchReport::elapsed`](crate::SearchReport::elapsed). Default: no clock, and
    /// zero.
    pub clock: Clock,
}

impl SearchRequest {
    /// Returns a request with default options and without limits.
    #[must_use]
    pub fn new(engine: impl Into<EngineName>, ends: Endpoints) -> Self {
        Self {
            engine: engine.into(),
            policy: Policy::Exact,
            options: Options::default(),
            ends,
            max_expansions: None,
            max_generated: None,
            max_open: None,
            max_cost: None,
            approach: false,
            record: false,
            refinement: Refinement::None,
            clock: Clock::NONE,
        }
    }

    /// Returns the same request, recorded or not.
    #[must_use]
    pub fn recorded(self, record: bool) -> Self {
        Self { record, ..self }
    }
}

/// A refinement of the shape of a path.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, Refinement, SearchRequest, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let ends = site.routes()[0].ends;
/// let mut request = SearchRequest::new(AlgorithmId::AStar, ends);
/// request.refinement = Refinement::Simplify;
/// let report = site.searcher().run(&request, &mut |_expanded| ());
/// assert_eq!(report.refined.expect("it was asked for").points.len(), 3); // one corner
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub enum Refinement {
    /// None: the path of the search.
    #[default]
    None,
    /// Only the turning points are kept.
    Simplify,
    /// Straight lines wherever there is line of sight.
    Shorten,
    /// Shortened, with corners turned on arcs.
    Round {
        /// The radius of the arcs in units of the world, above 0.
        turn_radius: f32,
    },
    /// Shortened, then a Catmull-Rom curve through the turning points.
    CatmullRom,
}

/// A clock that a front end passes in: this crate reads none of its own, since not every target has
/// one.
///
/// ```
/// use std::time::Duration;
/// use wayfare_site::Clock;
///
/// fn stopped() -> Duration {
///     Duration::from_secs(7)
/// }
/// assert_eq!(Clock::new(stopped).since(Duration::from_secs(5)), Duration::from_secs(2));
/// assert_eq!(Clock::NONE.since(Duration::ZERO), Duration::ZERO);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    now: fn() -> Duration,
    /// The least time between two readings, taken off each measurement.
    reading: Duration,
}

impl Clock {
    /// No clock: all measurements are zero.
    pub const NONE: Self = Self { now: || Duration::ZERO, reading: Duration::ZERO };

    /// Returns a clock that reads `now`: the time since some moment, never going back.
    ///
    /// Reads it 2,000 times to learn the duration of a reading, which can be as long as a short
    /// search.
    #[must_use]
    pub fn new(now: fn() -> Duration) -> Self {
        let nothing = || {
            let begun = now();
            now().saturating_sub(begun)
        };
        Self { now, reading: (0..1000).map(|_| nothing()).min().unwrap_or_default() }
    }

    /// Returns the present moment.
    #[must_use]
    pub fn now(self) -> Duration {
        (self.now)()
    }

    /// Returns the time since a moment, less the duration of a reading.
    #[must_use]
    pub fn since(self, begun: Duration) -> Duration {
        self.now().saturating_sub(begun).saturating_sub(self.reading)
    }
}
