//! The ends of a route, and the choice of ends if none are given.

use std::collections::BTreeMap;

use glam::Vec3;
use wayfare::search::AlgorithmId;

use crate::numbers::counted;
use crate::{FreeState, Heading, Regions, Sample, SearchRequest, Site, SiteError};

/// The ends of a route. [`OFF_MAP`](crate::OFF_MAP) is a valid end; the answer names it as the
/// reason.
///
/// ```
/// use wayfare_site::{Endpoints, NoFiles, OFF_MAP, OpenOptions, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let ends = Endpoints { start: site.find("0,0")?, goal: site.find("2,2")? };
/// assert!(ends.are_on_map());
/// assert!(!Endpoints { goal: OFF_MAP, ..ends }.are_on_map());
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(serde::Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Endpoints {
    /// The state it begins at.
    pub start: u32,
    /// The state it ends at.
    pub goal: u32,
}

impl Endpoints {
    /// Returns whether both ends lie on the map.
    #[must_use]
    pub fn are_on_map(self) -> bool {
        self.start != crate::OFF_MAP && self.goal != crate::OFF_MAP
    }
}

/// A route that a world names itself.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let route = &site.routes()[0];
/// assert_eq!((&route.name, route.ends.start), (&None, site.find("0,0")?));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(serde::Serialize, Clone, PartialEq, Eq, Debug)]
pub struct OwnRoute {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its ends.
    pub ends: Endpoints,
}

/// The ends of a request, as text. Ends that are `None` are chosen.
///
/// ```
/// use wayfare_site::{EndpointTexts, NoFiles, OpenOptions, choose_ends, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let texts = EndpointTexts { to: Some("2,0"), ..EndpointTexts::default() };
/// assert_eq!(choose_ends(site.as_ref(), texts)?.ends.goal, site.find("2,0")?);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct EndpointTexts<'t> {
    /// The start, in the form of [`Site::find`].
    pub from: Option<&'t str>,
    /// The goal, in the same form.
    pub to: Option<&'t str>,
    /// The name of one of the world's own routes.
    pub route: Option<&'t str>,
}

/// Chosen ends.
///
/// ```
/// use wayfare_site::{EndpointTexts, NoFiles, OpenOptions, choose_ends, open_bytes};
///
/// let site = open_bytes("yard.txt", b"S..\n.#.\n..G\n", &NoFiles, &OpenOptions::default())?;
/// let chosen = choose_ends(site.as_ref(), EndpointTexts::default())?;
/// assert_eq!((chosen.ends, chosen.note), (site.routes()[0].ends, None));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChosenEnds {
    /// The ends.
    pub ends: Endpoints,
    /// How they were chosen, where the world is too large to look through; in words.
    pub note: Option<String>,
}

/// The most states that are tested for being pockets; the next one is accepted untested.
const MOST_ASKED: usize = 64;

/// Returns the requested ends; else the ends of the world's first own route; else two states far
/// apart in its largest region, the same ones every time.
///
/// ```
/// use wayfare_site::{EndpointTexts, NoFiles, OpenOptions, choose_ends, open_bytes};
///
/// let site = open_bytes("yard.txt", b"...\n.#.\n...\n", &NoFiles, &OpenOptions::default())?;
/// let texts = EndpointTexts { from: Some("1,0"), ..EndpointTexts::default() };
/// let chosen = choose_ends(site.as_ref(), texts)?;
/// assert_eq!((chosen.ends.start, chosen.ends.goal), (site.find("1,0")?, site.find("0,2")?));
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
///
/// # Errors
/// If a text names no place or route, or the agent has no free state.
pub fn choose_ends(site: &dyn Site, texts: EndpointTexts<'_>) -> Result<ChosenEnds, SiteError> {
    let from = texts.from.map(|text| site.find(text)).transpose()?;
    let to = texts.to.map(|text| site.find(text)).transpose()?;
    let plain = |ends| ChosenEnds { ends, note: None };
    if let (Some(start), Some(goal)) = (from, to) {
        return Ok(plain(Endpoints { start, goal }));
    }
    let routes = site.routes();
    let own = match texts.route {
        Some(name) => Some(named(site, &routes, name)?),
        None => routes.first().map(|route| route.ends),
    };
    if let Some(own) = own {
        let (start, goal) = (from.unwrap_or(own.start), to.unwrap_or(own.goal));
        return Ok(plain(Endpoints { start, goal }));
    }
    let Some(sample) = site.sample() else { return far_apart(site, from, to).map(plain) };
    let ends = far_apart_among(site, &sample, from, to)?;
    let (chosen, options) = match (from, to) {
        (None, None) => ("ends were", "--from and --to name others"),
        (None, Some(_)) => ("start was", "--from names another"),
        (Some(_), _) => ("goal was", "--to names another"),
    };
    let places = counted(sample.states.len() as u64, "place");
    let note = format!(
        "the world is large: the route's {chosen} chosen among {places} spread over it; {options}"
    );
    Ok(ChosenEnds { ends, note: Some(note) })
}

fn named(site: &dyn Site, routes: &[OwnRoute], name: &str) -> Result<Endpoints, SiteError> {
    let found = routes.iter().find(|route| route.name.as_deref() == Some(name));
    found.map(|route| route.ends).ok_or_else(|| {
        let known: Vec<String> =
            routes.iter().filter_map(|route| Some(format!("'{}'", route.name.as_ref()?))).collect();
        let known = match known.is_empty() {
            true => "it names none; say where with --from and --to".to_owned(),
            false => format!("it names {}", known.join(", ")),
        };
        SiteError::NoRoute { path: site.about().file.clone(), name: name.to_owned(), known }
    })
}

/// Returns two states far apart in one region: in that of the given state, else in the largest.
fn far_apart(site: &dyn Site, from: Option<u32>, to: Option<u32>) -> Result<Endpoints, SiteError> {
    let given = from.or(to);
    let mut label = None;
    site.for_each_free(&mut |free| {
        if Some(free.state) == given {
            label = Some(free.region);
        }
    });
    let region = label
        .or_else(|| largest(site))
        .ok_or_else(|| SiteError::NoFreePlace { path: site.about().file.clone() })?;
    let corners = corners(site, region);
    let apart = |a: u32, b: u32| site.position(a).distance_squared(site.position(b));
    let farthest_from = |place: u32| {
        // The first of equals, so that the choice does not depend on how comparison breaks ties.
        corners.iter().copied().reduce(|best, corner| {
            if apart(place, corner) > apart(place, best) { corner } else { best }
        })
    };
    let start = from.or_else(|| to.map_or(corners.first().copied(), &farthest_from));
    let start = start.unwrap_or_default();
    let goal = to.or_else(|| farthest_from(start)).unwrap_or(start);
    Ok(Endpoints { start, goal })
}

/// Returns two states far apart in a very large world: avoiding, if possible, states that reach
/// only a few others, or that only a few reach. The search finds out whether there is a path
/// between them.
fn far_apart_among(
    site: &dyn Site,
    sample: &Sample,
    from: Option<u32>,
    to: Option<u32>,
) -> Result<Endpoints, SiteError> {
    // The lowest score comes first; of equals, the one that the world names first.
    let first_by = |score: &dyn Fn(Vec3) -> f32, heading: Heading| {
        let mut places: Vec<(f32, u32)> =
            sample.states.iter().map(|&place| (score(site.position(place)), place)).collect();
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        let leads_far = |(_, place): &&(f32, u32)| !site.is_pocket(*place, heading);
        let found = places.iter().take(MOST_ASKED).find(leads_far).or(places.first());
        found.map(|(_, place)| *place)
    };
    let far_from = |place: u32, heading: Heading| {
        let here = site.position(place);
        first_by(&|there| -here.distance_squared(there), heading)
    };
    let start = from.or_else(|| match to {
        Some(to) => far_from(to, Heading::Outward),
        None => first_by(&|there| there.x + there.z, Heading::Outward),
    });
    let goal = to.or_else(|| far_from(start?, Heading::Inward));
    match (start, goal) {
        (Some(start), Some(goal)) if to.is_none() => Ok(reachable(site, Endpoints { start, goal })),
        (Some(start), Some(goal)) => Ok(Endpoints { start, goal }),
        _ => Err(SiteError::NoFreeSample {
            path: site.about().file.clone(),
            looked_at: sample.looked_at,
        }),
    }
}

/// Returns the ends, or where a short search finds no path between them, the start and the state
/// nearest to the goal that it reached.
fn reachable(site: &dyn Site, ends: Endpoints) -> Endpoints {
    /// About a second of searching.
    const MOST_EXPANDED: u64 = 1 << 20;
    let mut request = SearchRequest::new(AlgorithmId::AStar, ends);
    request.max_expansions = Some(MOST_EXPANDED);
    let report = site.searcher().run(&request, &mut |_| ());
    let nearest = report.path.last().map(|step| step.state);
    match nearest.filter(|&state| !report.is_found() && state != ends.start) {
        Some(goal) => Endpoints { goal, ..ends },
        None => ends,
    }
}

fn tally(site: &dyn Site) -> BTreeMap<u32, u64> {
    let mut sizes = BTreeMap::new();
    // States of one region follow each other: count runs, not states.
    let mut run: (u32, u64) = (0, 0);
    site.for_each_free(&mut |FreeState { region, .. }| {
        if region != run.0 {
            *sizes.entry(run.0).or_insert(0) += run.1;
            run = (region, 0);
        }
        run.1 += 1;
    });
    *sizes.entry(run.0).or_insert(0) += run.1;
    sizes.retain(|_, size| *size > 0);
    sizes
}

/// Returns the connected regions of a world.
///
/// ```
/// use wayfare_site::{NoFiles, OpenOptions, open_bytes, regions};
///
/// let site = open_bytes("yard.txt", b"S.#.\n..#G\n", &NoFiles, &OpenOptions::default())?;
/// assert_eq!(regions(site.as_ref()).count, 2);
/// # Ok::<(), wayfare_site::SiteError>(())
/// ```
#[must_use]
pub fn regions(site: &dyn Site) -> Regions {
    if !site.knows_regions()
        && let Some(total) = site.count_free()
    {
        return Regions { count: 1, largest: total, total };
    }
    let sizes = tally(site);
    Regions {
        count: sizes.len() as u64,
        largest: sizes.values().copied().max().unwrap_or(0),
        total: sizes.values().sum(),
    }
}

fn largest(site: &dyn Site) -> Option<u32> {
    let sizes = tally(site);
    let most = sizes.values().copied().max()?;
    sizes.into_iter().find(|(_, size)| *size == most).map(|(region, _)| region)
}

/// Returns the states of a region that are furthest to the four corners, the first of equals.
fn corners(site: &dyn Site, region: u32) -> Vec<u32> {
    let mut best: [Option<(f32, u32)>; 4] = [None; 4];
    site.for_each_free(&mut |FreeState { state, region: of }| {
        if of == region {
            let Vec3 { x, z, .. } = site.position(state);
            for (best, score) in best.iter_mut().zip([-x - z, x - z, z - x, x + z]) {
                if best.is_none_or(|(most, _)| score > most) {
                    *best = Some((score, state));
                }
            }
        }
    });
    best.into_iter().flatten().map(|(_, state)| state).collect()
}
