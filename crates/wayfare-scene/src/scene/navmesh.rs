//! Scenes that play on a navigation mesh.

use serde::{Deserialize, Serialize};

use crate::scene::rules::{self as rule, At, Checked, rules};
use crate::scene::spelling::is_default;

/// The navigation mesh that a scene plays on: how its level is baked, and how pictures show it.
///
/// Terrain `n` of the scene, from 1, is area `n` of the mesh. Triangles of a level whose material
/// has the name of a terrain are ground of that terrain.
///
/// ```
/// use wayfare_scene::scene::{Scene, SceneNavMesh};
///
/// let mut scene = Scene::new("house");
/// scene.scene.world = Some("house.obj".to_owned());
/// scene.navmesh = Some(SceneNavMesh { radius: Some(0.3), ..SceneNavMesh::default() });
/// assert!(scene.validate().is_ok());
/// ```
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneNavMesh {
    /// Radius of the bodies that the mesh is for, in metres, 0 to 100; default 0.4. Of wider
    /// bodies, the rest keeps clear of the mesh's border.
    pub radius: Option<f32>,
    /// Height of the bodies in metres, above 0; default 1.8.
    pub height: Option<f32>,
    /// Highest step in metres, at least 0; default 0.5. Levels only, as the next two.
    pub step: Option<f32>,
    /// Steepest slope in degrees, 0 to below 90; default 45.
    pub slope: Option<f32>,
    /// Side of the cells that the level is sampled by, in metres, above 0; default half the radius.
    pub cell_size: Option<f32>,
    /// Longest leap over a gap in metres, 0 to 1000; default 0. Links are found from the level's
    /// geometry, and named `#1`, `#2`, …: see [`JumpAbilities`](wayfare_bake::JumpAbilities).
    /// Levels only, as the next four.
    pub leap: Option<f32>,
    /// Greatest height of a drop off a ledge in metres, 0 to 1000; default 0.
    pub drop: Option<f32>,
    /// Greatest height of a climb up a ledge in metres, 0 to 1000; default 0.
    pub climb: Option<f32>,
    /// Distance between two such links side by side in metres, 0.01 to 1000; default 2.
    pub link_spacing: Option<f32>,
    /// Such a link is left out where the walk between its ends is at most this many times as long,
    /// 0 to 1000; default 3.
    pub link_detour: Option<f32>,
    /// Heights in metres, ascending, at which pictures part the level: all above is lifted off, so
    /// that the storeys below are seen. Default none.
    #[serde(default, skip_serializing_if = "is_default")]
    pub storeys: Vec<f32>,
}

rules!(SceneNavMesh {
    radius: |at: &At<'_>, radius| rule::within(at, radius, 0.0f32, 100.0),
    height: rule::positive,
    step: rule::not_negative,
    slope: |at: &At<'_>, slope| rule::within(at, slope, 0.0f32, 89.9),
    cell_size: rule::positive,
    leap: |at: &At<'_>, leap| rule::within(at, leap, 0.0f32, 1000.0),
    drop: |at: &At<'_>, drop| rule::within(at, drop, 0.0f32, 1000.0),
    climb: |at: &At<'_>, climb| rule::within(at, climb, 0.0f32, 1000.0),
    link_spacing: |at: &At<'_>, spacing| rule::within(at, spacing, 0.01f32, 1000.0),
    link_detour: |at: &At<'_>, detour| rule::within(at, detour, 0.0f32, 1000.0),
    storeys: |at: &At<'_>, storeys| rule::each(at, storeys, rule::coordinate),
} then check_storeys);

fn check_storeys(at: &At<'_>, mesh: &SceneNavMesh) -> Checked {
    match mesh.storeys.windows(2).position(|pair| pair[0] >= pair[1]) {
        None => Ok(()),
        Some(below) => {
            let [low, high] = [mesh.storeys[below], mesh.storeys[below + 1]];
            let message = format!("the storey at {high} is not above that at {low}");
            Err(at.key("storeys").item(below + 1).value(message))
        }
    }
}

impl SceneNavMesh {
    /// The radius of the bodies that the mesh is for, where none is given.
    pub const DEFAULT_RADIUS: f32 = 0.4;

    /// The height of the bodies, where none is given.
    pub const DEFAULT_HEIGHT: f32 = 1.8;
}
