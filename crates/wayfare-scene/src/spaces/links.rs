//! The links of a scene: automatic links, then explicit ones, which replace them.

use wayfare_core::ops;
use wayfare_core::space::{Medium, StateId};
use wayfare_formats::inside::KeyPath;
use wayfare_formats::{Terrain, WorldError, WorldErrorKind};
use wayfare_grid::waypoint::{
    AutoLink, AutoLinkCounts, AutoLinked, ObstacleProbe, WaypointError, WaypointId, WaypointLink,
    WaypointLinkCost, WaypointLinkFault, Ways,
};

use super::places::Places;
use crate::limits::MAX_LINKED_PAIRS;
use crate::scene::{AutoLinks, Scene};

/// Links, and which line of the scene each comes from.
#[derive(Default)]
pub(super) struct Links {
    pub(super) links: Vec<WaypointLink>,
    /// The index of the first explicit link, and for each from there on the index of its item.
    written: (usize, Vec<usize>),
    pub(super) counts: AutoLinkCounts,
}

impl Links {
    /// Returns the links of a scene over terrains that may differ from its own.
    pub(super) fn of(
        scene: &Scene,
        terrains: &[Terrain],
        places: &Places,
        probe: &ObstacleProbe,
    ) -> Result<Self, WorldError> {
        let mut made = Self::default();
        let terrain = |id: WaypointId| {
            let ground = places.ground[id.index() as usize]?;
            terrains.get(usize::from(ground.0))
        };
        if let Some(auto) = &scene.auto_links {
            let AutoLinked { links, counts } = auto_links(auto, places, probe)?;
            made.counts = counts;
            let medium = |id| terrain(id).map_or(Medium::GROUND, |terrain| terrain.medium);
            for link in links.into_iter().filter(|link| medium(link.from) == medium(link.to)) {
                made.links.extend(over_ground(link, terrain));
            }
        }
        made.written.0 = made.links.len();
        for (index, link) in scene.links.iter().enumerate() {
            let end = |key: &'static str, id: &str| {
                places.ids.get(id).copied().ok_or_else(|| {
                    WorldError::new(
                        WorldErrorKind::Dangling,
                        format!("there is no waypoint '{id}'"),
                    )
                    .about(KeyPath::item("links", index).then(key))
                })
            };
            let (from, to) = (end("from", &link.from)?, end("to", &link.to)?);
            let ways = if link.one_way { Ways::One } else { Ways::Both };
            let plain =
                WaypointLink { ways, ..WaypointLink::new(from, to) }.with_surcharge(link.danger);
            let before = made.links.len();
            match link.cost {
                Some(cost) => made.links.push(plain.with_cost(WaypointLinkCost::Fixed(cost))),
                None => made.links.extend(over_ground(plain, terrain)),
            }
            made.written.1.extend(std::iter::repeat_n(index, made.links.len() - before));
        }
        Ok(made)
    }

    /// Converts the graph's error about a waypoint or link to one that names its key path in the
    /// scene.
    pub(super) fn explain(
        &self,
        scene: &Scene,
        places: &Places,
        error: WaypointError,
    ) -> WorldError {
        let (path, fault) = match error {
            WaypointError::Waypoint { number, fault } => {
                let hand_placed = number < scene.waypoints.len();
                let path = match places.ground.get(number) {
                    Some(Some(ground)) if !hand_placed => {
                        KeyPath::item("terrains", usize::from(ground.0)).then("penalty")
                    }
                    _ if hand_placed => KeyPath::item("waypoints", number).then("cost"),
                    _ => KeyPath::key("placements"),
                };
                let name = places.names.get(number).map_or("?", String::as_str);
                (path, format!("waypoint '{name}': {fault}"))
            }
            WaypointError::Link { number, fault } => {
                let path = match number.checked_sub(self.written.0) {
                    Some(number) => {
                        let index = self.written.1.get(number).copied().unwrap_or_default();
                        KeyPath::item("links", index)
                    }
                    None => KeyPath::key("auto_links"),
                };
                let what = match fault {
                    WaypointLinkFault::TooExpensive(_) => "this makes a link that is too long",
                    _ => "this link cannot be",
                };
                (path, format!("{what}: {fault}"))
            }
            other => (KeyPath::default(), other.to_string()),
        };
        WorldError::new(WorldErrorKind::Value, fault).about(path)
    }
}

fn auto_links(
    auto: &AutoLinks,
    places: &Places,
    probe: &ObstacleProbe,
) -> Result<AutoLinked, WorldError> {
    let path = KeyPath::key("auto_links");
    let count = places.positions.len();
    let nearest = match auto.k_nearest {
        Some(k) => Some(k as usize),
        None => (count >= AutoLink::ALL_PAIRS_BELOW).then_some(AutoLink::DEFAULT_NEAREST),
    };
    let most = nearest.unwrap_or(count).min(count);
    if count.saturating_mul(most) > MAX_LINKED_PAIRS {
        return Err(WorldError::new(
            WorldErrorKind::Limit,
            format!(
                "links from {count} waypoints to their nearest {most} are more than the \
                 {MAX_LINKED_PAIRS} that are tried"
            ),
        )
        .about(path.then("k_nearest"))
        .advise("lower k_nearest or place fewer waypoints"));
    }
    let rules = AutoLink {
        max_distance: Some(auto.max_distance),
        nearest,
        // Nothing is steeper than a right angle.
        max_slope: (auto.max_slope < 90.0).then(|| ops::tan(auto.max_slope.to_radians())),
        slope_cost: auto.slope_cost,
    };
    rules
        .links(&places.positions, probe)
        .map_err(|fault| WorldError::new(WorldErrorKind::Value, fault.to_string()).about(path))
}

/// Returns the link at the cost of the ground at each exit: one link if that is the same, else one
/// for each direction.
fn over_ground<'t>(
    link: WaypointLink,
    terrain: impl Fn(WaypointId) -> Option<&'t Terrain>,
) -> impl Iterator<Item = WaypointLink> {
    let multiplier = |id| terrain(id).map_or(1.0, |terrain| terrain.multiplier);
    let at = |link: WaypointLink, multiplier: f32| {
        link.with_cost(WaypointLinkCost::Length { multiplier })
    };
    let (there, back) = (multiplier(link.to), multiplier(link.from));
    let (first, second) = match link.ways {
        Ways::Both if there != back => {
            let return_way = WaypointLink { from: link.to, to: link.from, ..link };
            let one = |link: WaypointLink| WaypointLink { ways: Ways::One, ..link };
            (at(one(link), there), Some(at(one(return_way), back)))
        }
        _ => (at(link, there), None),
    };
    std::iter::once(first).chain(second)
}
