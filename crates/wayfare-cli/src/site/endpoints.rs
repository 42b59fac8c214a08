//! Where a route begins and ends when nobody says so.

use std::collections::BTreeMap;

use super::traits::{Heading, Region, Sample, Site};
use crate::args::EndpointArgs;
use crate::failure::Failure;
use crate::report::{Printer, counted};
use glam::Vec3;

/// Where a route begins and ends.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Endpoints {
    pub(crate) start: u32,
    pub(crate) goal: u32,
}

/// So many places are asked whether they are pockets before one is taken as it is.
const MOST_ASKED: usize = 64;

/// The endpoints that were asked for; else those of the world's own first route; else two places far apart in its largest
/// region, the same ones every time. Very large worlds are not looked through for that: the printer says how they were chosen.
pub(crate) fn choose(
    site: &dyn Site,
    args: &EndpointArgs,
    printer: &Printer,
) -> Result<Endpoints, Failure> {
    let from = args.from.as_deref().map(|text| site.find(text)).transpose()?;
    let to = args.to.as_deref().map(|text| site.find(text)).transpose()?;
    if let (Some(start), Some(goal)) = (from, to) {
        return Ok(Endpoints { start, goal });
    }
    let routes = site.own_routes();
    let own = match &args.query {
        Some(name) => Some(named(site, &routes, name)?),
        None => routes.first().map(|(_, route)| route.clone()),
    };
    if let Some(own) = own {
        return Ok(Endpoints { start: from.unwrap_or(own.start), goal: to.unwrap_or(own.goal) });
    }
    match site.sample() {
        Some(sample) => {
            let ends = far_apart_among(site, &sample, from, to)?;
            let (chosen, options) = match (from, to) {
                (None, None) => ("ends were", "--from and --to name others"),
                (None, Some(_)) => ("start was", "--from names another"),
                (Some(_), _) => ("goal was", "--to names another"),
            };
            printer.note(format!(
                "the world is large: the route's {chosen} chosen among {} spread over it; {options}",
                counted(sample.places.len() as u64, "place")
            ));
            Ok(ends)
        }
        None => far_apart(site, from, to),
    }
}

fn named(
    site: &dyn Site,
    routes: &[(Option<String>, Endpoints)],
    name: &str,
) -> Result<Endpoints, Failure> {
    let found = routes.iter().find(|(known, _)| known.as_deref() == Some(name));
    found.map(|(_, route)| route.clone()).ok_or_else(|| {
        let known: Vec<String> =
            routes.iter().filter_map(|(name, _)| Some(format!("'{}'", name.as_ref()?))).collect();
        let known = match known.is_empty() {
            true => "it names none; say where with --from and --to".to_owned(),
            false => format!("it names {}", known.join(", ")),
        };
        let file = site.about().file.display();
        Failure::Usage(format!("{file} names no route '{name}': {known}"))
    })
}

/// Two places far apart in one region: in that of the given place, else in the largest.
fn far_apart(site: &dyn Site, from: Option<u32>, to: Option<u32>) -> Result<Endpoints, Failure> {
    let given = from.or(to);
    let mut label = None;
    site.for_each_place(&mut |state, region| {
        if Some(state) == given {
            label = Some(region);
        }
    });
    let region = label.or_else(|| largest(site)).ok_or_else(|| {
        let file = site.about().file.display();
        Failure::Usage(format!("{file}: there is no place that this walker can stand on"))
    })?;
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

/// Two places far apart in a very large world: none from which, or to which, one gets from next to nowhere, if that can be
/// had. Whether there is a way between them is for the search to find out.
fn far_apart_among(
    site: &dyn Site,
    sample: &Sample,
    from: Option<u32>,
    to: Option<u32>,
) -> Result<Endpoints, Failure> {
    // Those that score least come first, and of equals those that the world names first.
    let first_by = |score: &dyn Fn(Vec3) -> f32, heading: Heading| {
        let mut places: Vec<(f32, u32)> =
            sample.places.iter().map(|&place| (score(site.position(place)), place)).collect();
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
        (Some(start), Some(goal)) => Ok(Endpoints { start, goal }),
        _ => Err(Failure::Usage(format!(
            "{}: this walker can stand at none of the {} looked at, spread over this large world; say where with \
             --from and --to",
            site.about().file.display(),
            counted(sample.looked_at, "place")
        ))),
    }
}

fn tally(site: &dyn Site) -> BTreeMap<u32, u64> {
    let mut sizes = BTreeMap::new();
    // Places of one region follow each other: count runs, not places.
    let mut run: (u32, u64) = (0, 0);
    site.for_each_place(&mut |_, region| {
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

/// The connected regions of a world.
pub(crate) fn regions(site: &dyn Site) -> Region {
    let sizes = tally(site);
    Region {
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

/// The places of a region that lie furthest to the four corners, the first of equals.
fn corners(site: &dyn Site, region: u32) -> Vec<u32> {
    let mut best: [Option<(f32, u32)>; 4] = [None; 4];
    site.for_each_place(&mut |state, of| {
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
