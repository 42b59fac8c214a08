//! Waypoints of a scene: placed by hand or by a rule, linked by hand or automatically.

use serde::{Deserialize, Serialize};

use crate::scene::geometry::Rectangle;
use crate::scene::rules::{self as rule, At, Checked, Rules, rules};
use crate::scene::spelling::is_default;

/// A point of routes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneWaypoint {
    /// Unique, not empty.
    pub id: String,
    /// Where it is.
    pub at: [f32; 3],
    /// Its own cost, added on arrival; default: the penalty of its terrain, else 0.
    pub cost: Option<f32>,
    /// Name of the terrain it stands on; default none, which is walkable and free.
    pub terrain: Option<String>,
}

rules!(SceneWaypoint {
    id: rule::name,
    at: rule::coordinate,
    cost: rule::cost,
    terrain: rule::terrain
});

/// Waypoints to be placed by a rule.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Placement {
    /// Where they may be: on the highest surface, if that is walkable; on the plane y = 0 in a
    /// scene without surfaces.
    pub area: Rectangle,
    /// Beginning of their ids. A counter from 1 follows it, counted on through all placements of
    /// one prefix; default "p".
    #[serde(default = "prefix", skip_serializing_if = "is_prefix")]
    pub prefix: String,
    /// Distance from obstacles at the height of [`AutoLinks::eye_height`], at least 0; default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub agent_radius: f32,
    /// The rule.
    pub generate: PlacementKind,
}

rules!(Placement {
    area: rule::table,
    prefix: rule::any,
    agent_radius: rule::not_negative,
    generate: rule::table
});

impl Placement {
    /// Returns the key that decides the count of waypoints, and their largest count.
    pub(super) fn most(&self) -> (&'static str, f64) {
        let Rectangle { min, max } = self.area;
        match self.generate {
            PlacementKind::Random { count, .. } => ("count", f64::from(count)),
            // A square each on a raster, and nearly as many at random.
            PlacementKind::Poisson { spacing, .. } | PlacementKind::Grid { spacing } => {
                let along = |axis: usize| {
                    let side = f64::from(max[axis]) - f64::from(min[axis]);
                    (side / f64::from(spacing)).floor() + 1.0
                };
                ("spacing", along(0) * along(1))
            }
            PlacementKind::Corners => ("kind", 0.0),
        }
    }
}

/// The rules that place waypoints.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum PlacementKind {
    /// Anywhere free, uniformly distributed.
    Random {
        /// Waypoints to place, at least 1.
        count: u32,
        /// Seed of the random numbers; default 0.
        #[serde(default, skip_serializing_if = "is_default")]
        seed: u32,
    },
    /// Random, with at least the spacing between any two (Poisson disk).
    Poisson {
        /// Least distance between two, greater than 0.
        spacing: f32,
        /// Seed of the random numbers; default 0.
        #[serde(default, skip_serializing_if = "is_default")]
        seed: u32,
    },
    /// On a regular raster.
    Grid {
        /// Distance between neighbours, greater than 0.
        spacing: f32,
    },
    /// At the corners of obstacles, which shortest routes bend around.
    Corners,
}

rules!(PlacementKind:
    Random { count: rule::at_least_one, seed: rule::any },
    Poisson { spacing: rule::positive, seed: rule::any },
    Grid { spacing: rule::positive },
    Corners {},
);

/// A link made by hand.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneLink {
    /// Id of a waypoint.
    pub from: String,
    /// Id of another waypoint.
    pub to: String,
    /// Whether it can be used only from `from` to `to`; default false.
    #[serde(default, skip_serializing_if = "is_default")]
    pub one_way: bool,
    /// Cost instead of the distance, at least 0; default the distance.
    pub cost: Option<f32>,
    /// Added to the cost, at least 0; default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub danger: f32,
}

rules!(SceneLink { from: rule::waypoint, to: rule::waypoint, one_way: rule::any, cost: rule::price, danger: rule::price } then
|at: &At<'_>, link: &SceneLink| match link.from == link.to {
    true => Err(at.key("to").value(format!("this links waypoint '{}' to itself", link.to))),
    false => Ok(()),
});

/// How to link waypoints that see each other.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AutoLinks {
    /// Length of the longest link, in metres, greater than 0.
    pub max_distance: f32,
    /// Nearest neighbours: a link joins two waypoints of which one is among the `k_nearest` of the
    /// other. At least 1; default no limit below 1,000 waypoints, 16 from there on.
    pub k_nearest: Option<u32>,
    /// Radius of the ball that must pass between the two, at least 0; default 0, a mere ray.
    #[serde(default, skip_serializing_if = "is_default")]
    pub agent_radius: f32,
    /// Height of the ray or ball above the waypoints, in metres, at least 0; default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub eye_height: f32,
    /// Cost added for each metre climbed, at least 0; default 0.
    #[serde(default, skip_serializing_if = "is_default")]
    pub slope_cost: f32,
    /// Slope of the steepest link, in degrees from 0 to 90; default 90.
    #[serde(default = "max_slope", skip_serializing_if = "is_max_slope")]
    pub max_slope: f32,
}

rules!(AutoLinks {
    max_distance: rule::positive,
    k_nearest: rule::at_least_one,
    agent_radius: rule::not_negative,
    eye_height: rule::not_negative,
    slope_cost: rule::price,
    max_slope: |at: &At<'_>, degrees| rule::within(at, degrees, 0.0f32, 90.0),
});

/// A route worth asking for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneQuery {
    /// Unique, not empty.
    pub name: String,
    /// Where it starts.
    pub from: QueryPlace,
    /// Where it ends.
    pub to: QueryPlace,
}

rules!(SceneQuery { name: rule::name, from: rule::table, to: rule::table });

/// A waypoint by its id, or a point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged, expecting = "expected the id of a waypoint or a point [x, y, z]")]
pub enum QueryPlace {
    /// The waypoint of that id.
    Waypoint(String),
    /// A point, in metres.
    Point([f32; 3]),
}

impl Rules for QueryPlace {
    fn check(&self, at: &At<'_>) -> Checked {
        match self {
            QueryPlace::Point(point) => rule::coordinate(at, point),
            // Generated waypoints are not there yet, so their ids cannot be checked.
            QueryPlace::Waypoint(id) if at.names.will_be_placed(id) => Ok(()),
            QueryPlace::Waypoint(id) => rule::waypoint(at, id),
        }
    }
}

fn prefix() -> String {
    "p".to_string()
}

fn is_prefix(text: &str) -> bool {
    text == prefix()
}

fn max_slope() -> f32 {
    90.0
}

fn is_max_slope(degrees: &f32) -> bool {
    *degrees == max_slope()
}
