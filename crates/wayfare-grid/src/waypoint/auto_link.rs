//! Links waypoints automatically wherever an agent can walk straight from one to the other.

use glam::Vec3;

use super::locate::Index;
use super::parts::{WaypointId, WaypointLink};
use super::surroundings::Surroundings;

/// Rules for linking waypoints automatically.
///
/// Links two waypoints in both directions if the segment between them is clear, not too steep, at
/// most `max_distance` long, and one is among the `nearest` waypoints of the other.
///
/// ```
/// use glam::Vec3;
/// use wayfare::space::waypoint::{AutoLink, AutoLinkCounts, AutoLinked, OpenGround};
/// use wayfare::space::{NegativeCosts, Waypoint, WaypointGraph};
///
/// let places = [0.0, 1.0, 2.5, 9.0].map(|x| Vec3::new(x, 0.0, 0.0));
/// let rules = AutoLink { max_distance: Some(2.0), ..AutoLink::default() };
/// let AutoLinked { links, counts } = rules.links(&places, &OpenGround::default())?;
/// assert_eq!(counts, AutoLinkCounts { tested: 2, linked: 2, ..AutoLinkCounts::default() });
/// let graph = WaypointGraph::new(places.map(Waypoint::at), links, NegativeCosts::Reject)?;
/// # assert_eq!(graph.links().count(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AutoLink {
    /// The longest link, in world units, above 0. Default `None`: no limit. Raising it adds longer
    /// links.
    pub max_distance: Option<f32>,
    /// The number of nearest other waypoints that a waypoint is paired with. At least 1, default
    /// `None`. Raising it adds links, and time in proportion.
    ///
    /// `None` is no limit for fewer than [`AutoLink::ALL_PAIRS_BELOW`] waypoints or with a
    /// `max_distance`; else it is [`AutoLink::DEFAULT_NEAREST`].
    pub nearest: Option<usize>,
    /// The steepest link, as height over horizontal distance (1 is 45°). At least 0, default
    /// `None`: no limit. Raising it adds steeper links.
    pub max_slope: Option<f32>,
    /// The surcharge for climbing one world unit, in world units of length. At least 0, default 0.
    /// Descending is free. Raising it makes paths go around hills.
    pub slope_cost: f32,
}

impl Default for AutoLink {
    fn default() -> Self {
        Self { max_distance: None, nearest: None, max_slope: None, slope_cost: 0.0 }
    }
}

/// The numbers of pairs that automatic linking tested. Each pair of waypoints counts once.
///
/// Example: [`AutoLink`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AutoLinkCounts {
    /// Pairs within the limits, whose segment was tested.
    pub tested: usize,
    /// Linked pairs.
    pub linked: usize,
    /// Pairs with an obstacle between them.
    pub blocked: usize,
    /// Pairs within the other limits that are too steep. They are not tested.
    pub too_steep: usize,
}

/// The result of linking automatically.
///
/// Example: [`AutoLink`].
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AutoLinked {
    /// The links, sorted by their ends.
    pub links: Vec<WaypointLink>,
    /// The numbers of pairs tested, linked and left apart.
    pub counts: AutoLinkCounts,
}

/// An invalid rule or place.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AutoLinkError {
    /// A number is NaN, negative, or 0 where that is impossible.
    #[error("`{field}` of the automatic links is {value}, which is not possible")]
    Number {
        /// The name of the field.
        field: &'static str,
        /// The number.
        value: f32,
    },
    /// A coordinate of a position is NaN or infinite.
    #[error("place {number} of the automatic links lies at {position}")]
    Place {
        /// The index of the position, from 0.
        number: usize,
        /// The position.
        position: Vec3,
    },
}

impl AutoLink {
    /// From this number of waypoints on, a default rule does not try all pairs.
    pub const ALL_PAIRS_BELOW: usize = 1000;
    /// The default of `nearest` from that number on.
    pub const DEFAULT_NEAREST: usize = 16;

    /// Links positions; the first is waypoint 0.
    ///
    /// Links are sorted by their ends. If climbing costs something, a pair at different heights
    /// gets a link for each direction, else one for both. With a limit O(n · log n + pairs), and
    /// one test of the surroundings for each pair; without O(n²).
    ///
    /// # Errors
    /// The first invalid rule or place.
    pub fn links(
        &self,
        places: &[Vec3],
        surroundings: &impl Surroundings,
    ) -> Result<AutoLinked, AutoLinkError> {
        self.links_with_danger(places, surroundings, |_, _| 0.0)
    }

    /// As [`AutoLink::links`], with `danger(from, to)` as a further surcharge in world units of
    /// length, at least 0. It is called once for each pair, the lower id first.
    ///
    /// # Errors
    /// The first invalid rule or place. A danger that is negative or NaN is reported when the graph
    /// is built.
    pub fn links_with_danger(
        &self,
        places: &[Vec3],
        surroundings: &impl Surroundings,
        danger: impl Fn(WaypointId, WaypointId) -> f32,
    ) -> Result<AutoLinked, AutoLinkError> {
        self.check(places)?;
        let mut counts = AutoLinkCounts::default();
        let mut links = Vec::new();
        for (a, b) in self.pairs(places) {
            let (from, to) = (places[a as usize], places[b as usize]);
            let rise = to.y - from.y;
            let run = from.with_y(0.0).distance(to.with_y(0.0));
            if self.max_slope.is_some_and(|max| rise.abs() > max * run) {
                counts.too_steep += 1;
                continue;
            }
            counts.tested += 1;
            if !surroundings.segment_is_clear(from, to) {
                counts.blocked += 1;
                continue;
            }
            counts.linked += 1;
            let (a, b) = (WaypointId(a), WaypointId(b));
            let danger = danger(a, b);
            let climb = rise.abs() * self.slope_cost;
            if climb == 0.0 {
                links.push(WaypointLink::new(a, b).with_surcharge(danger));
                continue;
            }
            let (up, down) = if rise > 0.0 { ((a, b), (b, a)) } else { ((b, a), (a, b)) };
            let mut ways = [
                WaypointLink::one_way(up.0, up.1).with_surcharge(danger + climb),
                WaypointLink::one_way(down.0, down.1).with_surcharge(danger),
            ];
            ways.sort_by_key(|link| link.from);
            links.extend(ways);
        }
        Ok(AutoLinked { links, counts })
    }

    fn check(&self, places: &[Vec3]) -> Result<(), AutoLinkError> {
        let numbers = [
            ("max_distance", self.max_distance, f32::MIN_POSITIVE),
            ("nearest", self.nearest.map(|nearest| nearest as f32), 1.0),
            ("max_slope", self.max_slope, 0.0),
            ("slope_cost", Some(self.slope_cost), 0.0),
        ];
        for (field, value, least) in numbers {
            match value {
                Some(value) if value.is_nan() || value < least => {
                    return Err(AutoLinkError::Number { field, value });
                }
                _ => {}
            }
        }
        match places.iter().position(|place| !place.is_finite()) {
            Some(number) => Err(AutoLinkError::Place { number, position: places[number] }),
            None => Ok(()),
        }
    }

    /// Returns the pairs of positions within the limits, the lower id first, in ascending order.
    fn pairs(&self, places: &[Vec3]) -> Vec<(u32, u32)> {
        let count = places.len() as u32;
        let limited = self.nearest.is_some() || self.max_distance.is_some();
        if !limited && places.len() < Self::ALL_PAIRS_BELOW {
            return (0..count).flat_map(|a| (a + 1..count).map(move |b| (a, b))).collect();
        }
        let nearest = match self.nearest {
            None if limited => usize::MAX,
            nearest => nearest.unwrap_or(Self::DEFAULT_NEAREST),
        };
        let reach = self.max_distance.unwrap_or(f32::INFINITY);
        let index = Index::new(places);
        let mut pairs = Vec::new();
        for (&place, a) in places.iter().zip(0..count) {
            let others = index.by_distance(place).filter(|&(id, _)| id.0 != a);
            let near = others.take_while(|&(_, square)| square.sqrt() <= reach).take(nearest);
            pairs.extend(near.map(|(WaypointId(b), _)| (a.min(b), a.max(b))));
        }
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }
}
