//! Why there is no path and how to open one, or the parts of a path's cost.

use serde::Serialize;
use wayfare::search::{AlgorithmId, Limit};

use crate::numbers::{grouped, rounded, tidy};
use crate::{
    Ending, Endpoints, Lack, PathStep, Place, SearchReport, SearchRequest, Site, SiteError,
};

/// The answer to "why?". Lengths are in the world's unit; costs are 1 a unit of plain ground.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, explain, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
/// let why = explain(site.as_ref(), &request, &mut |_expanded| ())?;
///
/// assert!(why.reason.is_none() && why.remedies.is_empty());
/// assert_eq!((why.report.length, why.shares[0].moves), (4.0, 4));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The search: with the path, or the one to the state nearest to the goal.
    pub report: SearchReport,
    /// The reason why there is no path; `None` where there is one.
    pub reason: Option<String>,
    /// The distance from start to goal in a straight line; `None` where one of them lies off the
    /// map.
    pub straight_line: Option<f64>,
    /// The state nearest to the goal that can be reached; `None` where there is a path, or not even
    /// a start.
    pub nearest: Option<NearestPlace>,
    /// The changes that open a path, one at a time.
    pub remedies: Vec<Remedy>,
    /// The grounds of the path, the most expensive first.
    pub shares: Vec<GroundShare>,
}

/// The reachable place that is nearest to the goal.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, explain, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S.#.\n..#G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
/// let why = explain(site.as_ref(), &request, &mut |_expanded| ())?;
///
/// let nearest = why.nearest.expect("there is no path");
/// assert_eq!((nearest.place.to_string(), nearest.distance_to_goal), ("1,1".to_owned(), 2.0));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct NearestPlace {
    /// The place.
    pub place: Place,
    /// The straight distance from there to the goal.
    pub distance_to_goal: f64,
    /// The length of the path to the place.
    pub length: f64,
}

/// A change that opens a path.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, explain, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S.#.\n..#G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
/// let why = explain(site.as_ref(), &request, &mut |_expanded| ())?;
///
/// let remedy = why.remedies.last().expect("the wall may be opened");
/// assert!(remedy.change.starts_with("enter=") && remedy.length >= 3.0);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct Remedy {
    /// The change, as JSON names it.
    pub change: String,
    /// Finishes the sentence "There is a path …".
    #[serde(skip)]
    pub sentence: String,
    /// The length of the path that it opens.
    pub length: f64,
    /// The cost of that path; `None` if it crosses ground without a cost of its own.
    pub cost: Option<f64>,
    /// The ground on it that the present rules forbid.
    pub crossing: Option<GroundCrossing>,
    /// The capabilities that the agent lacks; only in voxel worlds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub lacks: Vec<Lack>,
}

/// The part of a path on ground that was closed before.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, explain, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S.#.\n..#G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
/// let why = explain(site.as_ref(), &request, &mut |_expanded| ())?;
///
/// let crossing = why.remedies.iter().find_map(|remedy| remedy.crossing.as_ref());
/// let crossing = crossing.expect("the wall may be opened");
/// assert_eq!((crossing.places, &crossing.first), (1, &crossing.last));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct GroundCrossing {
    /// The ground.
    pub ground: String,
    /// The count of places on it.
    pub places: usize,
    /// The first of them.
    pub first: Place,
    /// The last of them.
    pub last: Place,
}

/// One ground's share of a path.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, explain, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
/// let why = explain(site.as_ref(), &request, &mut |_expanded| ())?;
///
/// let most = &why.shares[0];
/// assert_eq!((most.moves, most.length, most.cost), (4, 4.0, 4.0));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Serialize, Clone, PartialEq, Debug)]
pub struct GroundShare {
    /// The ground.
    pub ground: String,
    /// The moves onto it.
    pub moves: u64,
    /// Their length.
    pub length: f64,
    /// Their cost.
    pub cost: f64,
}

/// Explains the answer to a request: by A*, whatever algorithm it names, within its limits.
///
/// Without a path, tries one change after another: the nearest free ends, each rule of movement
/// relaxed, each closed ground opened, each ability given. Takes a search a change. With a path,
/// adds up its cost by ground.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, explain, open_bytes};
///
/// let map = b"S.#.\n..#G\n";
/// let site = open_bytes("yard.txt", map, &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
/// let why = explain(site.as_ref(), &request, &mut |_expanded| ())?;
/// assert!(why.reason.expect("no path").contains("different islands"));
/// assert!(why.remedies[0].change.starts_with("enter="));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
///
/// # Errors
/// When a changed world cannot be built.
pub fn explain(
    site: &dyn Site,
    request: &SearchRequest,
    on_progress: &mut dyn FnMut(u64),
) -> Result<Explanation, SiteError> {
    let ends = request.ends;
    let on_map = are_states(site, ends);
    let request = SearchRequest { engine: AlgorithmId::AStar.into(), ..*request };
    // The nearest state to a goal off the map is not defined.
    let approaching = SearchRequest { approach: on_map, ..request };
    let report = site.searcher().run(&approaching, on_progress);
    let unrecorded = request.recorded(false);
    let remedies = match report.ending {
        Ending::Found | Ending::Interrupted(_) => Vec::new(),
        Ending::Limit(limit) => without_limit(site, ends, limit, on_progress).into_iter().collect(),
        Ending::NoPath(_) => remedies(site, &unrecorded, on_progress)?,
    };
    let found = report.is_found();
    let straight = |a, b| rounded(site.distance(a, b));
    let nearest = report.path.last().filter(|_| !found && on_map).map(|last| NearestPlace {
        place: site.place(last.state),
        distance_to_goal: straight(last.state, ends.goal),
        length: rounded(report.length),
    });
    Ok(Explanation {
        reason: reason_of(site, &report, ends),
        straight_line: on_map.then(|| straight(ends.start, ends.goal)),
        nearest,
        remedies,
        shares: if found { shares(site, &report) } else { Vec::new() },
        report,
    })
}

/// Returns the reason why a search found no path, for people; `None` where it did.
///
/// ```
/// use wayfare::search::AlgorithmId;
/// use wayfare_site::{NoFiles, OpenOptions, SearchRequest, open_bytes, reason_of};
///
/// let site = open_bytes("yard.txt", b"S.#.\n..#G\n", &NoFiles, &OpenOptions::default())?;
/// let request = SearchRequest::new(AlgorithmId::AStar, site.routes()[0].ends);
///
/// let report = site.searcher().run(&request, &mut |_expanded| ());
/// let reason = reason_of(site.as_ref(), &report, request.ends).expect("no path");
/// assert!(reason.contains("different islands"));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[must_use]
pub fn reason_of(site: &dyn Site, report: &SearchReport, ends: Endpoints) -> Option<String> {
    match report.ending {
        Ending::Found => None,
        Ending::NoPath(reason) => Some(site.reason(reason, ends)),
        Ending::Limit(limit) => Some(limit.to_string()),
        Ending::Interrupted(interruption) => Some(interruption.to_string()),
    }
}

/// Returns a path beyond the limit that ended the search.
fn without_limit(
    site: &dyn Site,
    ends: Endpoints,
    limit: Limit,
    on_progress: &mut dyn FnMut(u64),
) -> Option<Remedy> {
    let request = SearchRequest::new(AlgorithmId::AStar, ends);
    let report = site.searcher().run(&request, on_progress);
    let cost = report.cost() as f64 / site.about().unit_cost;
    let (change, sentence) = match limit {
        Limit::Expansions => {
            let needed = report.stats.expanded;
            let sentence = format!("if the search may make {} expansions", grouped(needed));
            (format!("max-expansions={needed}"), format!("{sentence} (--max-expansions)"))
        }
        // These searches give up at the limit, and not beyond it.
        Limit::Generated => {
            let needed = report.stats.generated + 1;
            let sentence = format!("if the search may generate {} states", grouped(needed));
            (format!("max-generated={needed}"), format!("{sentence} (--max-generated)"))
        }
        Limit::Open => {
            let needed = report.stats.heap_peak as u64 + 1;
            let sentence = format!("if the open list may hold {} states", grouped(needed));
            (format!("max-open={needed}"), format!("{sentence} (--max-open)"))
        }
        _ => {
            let sentence = format!("if it may cost {} (--max-cost)", tidy(cost));
            (format!("max-cost={}", rounded(cost)), sentence)
        }
    };
    report.is_found().then(|| Remedy {
        change,
        sentence,
        length: rounded(report.length),
        cost: Some(rounded(cost)),
        crossing: None,
        lacks: Vec::new(),
    })
}

/// Returns whether both ends are states of the site: only then are there places to approach.
fn are_states(site: &dyn Site, ends: Endpoints) -> bool {
    site.has_state(ends.start) && site.has_state(ends.goal)
}

/// Tries one change after another.
fn remedies(
    site: &dyn Site,
    request: &SearchRequest,
    on_progress: &mut dyn FnMut(u64),
) -> Result<Vec<Remedy>, SiteError> {
    let mut found = Vec::new();
    if !are_states(site, request.ends) {
        return Ok(found);
    }
    found.extend(beside(site, request, on_progress));
    // The toll of ground that is closed would count against the limit of the cost.
    let unpriced = SearchRequest { max_cost: None, ..*request };
    for opened in site.opened_paths(&unpriced, on_progress)? {
        let cost = opened.path.last().map_or(0, |step| step.cost) as f64 / site.about().unit_cost;
        let crossing = opened.opened.and_then(|ground| crossing(site, &opened.path, ground));
        found.push(Remedy {
            change: opened.change,
            sentence: opened.sentence,
            length: rounded(opened.length),
            cost: crossing.is_none().then(|| rounded(cost)),
            crossing,
            lacks: opened.lacks,
        });
    }
    Ok(found)
}

/// Returns a path between the nearest free states, where an end is not free.
fn beside(
    site: &dyn Site,
    request: &SearchRequest,
    on_progress: &mut dyn FnMut(u64),
) -> Option<Remedy> {
    let ends = request.ends;
    let (start, goal) = (site.nearest_free(ends.start), site.nearest_free(ends.goal));
    let moved = Endpoints { start: start.unwrap_or(ends.start), goal: goal.unwrap_or(ends.goal) };
    if moved == ends {
        return None;
    }
    let report = site.searcher().run(&SearchRequest { ends: moved, ..*request }, on_progress);
    let from = start.map(|state| format!("it starts at {}", site.place(state)));
    let to = goal.map(|state| format!("it ends at {}", site.place(state)));
    let changes: Vec<String> = [from, to].into_iter().flatten().collect();
    let options = [("from", start), ("to", goal)]
        .into_iter()
        .filter_map(|(name, state)| state.map(|state| format!("{name}={}", site.place(state))));
    report.is_found().then(|| Remedy {
        change: options.collect::<Vec<_>>().join(" "),
        sentence: format!("if {}, the nearest place to stand on", changes.join(" and ")),
        length: rounded(report.length),
        cost: Some(rounded(report.cost() as f64 / site.about().unit_cost)),
        crossing: None,
        lacks: Vec::new(),
    })
}

/// Returns the part of a path on ground of that name.
fn crossing(site: &dyn Site, path: &[PathStep], ground: String) -> Option<GroundCrossing> {
    let on_it: Vec<u32> =
        path.iter().map(|step| step.state).filter(|state| site.ground(*state) == ground).collect();
    let (first, last) = (on_it.first()?, on_it.last()?);
    Some(GroundCrossing {
        places: on_it.len(),
        first: site.place(*first),
        last: site.place(*last),
        ground,
    })
}

/// Returns each ground's share of a path, the most expensive first.
fn shares(site: &dyn Site, report: &SearchReport) -> Vec<GroundShare> {
    let mut shares: Vec<GroundShare> = Vec::new();
    for leg in report.path.windows(2) {
        let through = site.links(&leg[1..]).into_iter().next();
        let ground = through.unwrap_or_else(|| site.ground(leg[1].state));
        let length = site.length(leg);
        let cost = (leg[1].cost - leg[0].cost) as f64 / site.about().unit_cost;
        match shares.iter_mut().find(|share| share.ground == ground) {
            Some(share) => {
                share.moves += 1;
                share.length += length;
                share.cost += cost;
            }
            None => shares.push(GroundShare { ground, moves: 1, length, cost }),
        }
    }
    for share in &mut shares {
        (share.length, share.cost) = (rounded(share.length), rounded(share.cost));
    }
    shares.sort_by(|a, b| b.cost.total_cmp(&a.cost).then_with(|| a.ground.cmp(&b.ground)));
    shares
}
