//! Free ground beside links.

use glam::Vec3;

use super::graph::WaypointGraph;

/// The largest distance between the parallel lines that are looked at, as a part of the width.
const LINES: i32 = 4;
/// The distance between samples of the ground along a line, in world units.
const STRIDE: f32 = 0.5;
/// The largest difference in height between the ground beside a link and the link.
const STEP: f32 = 0.1;

impl WaypointGraph {
    /// Returns whether the [surroundings](Self::with_surroundings) are known.
    #[doc(hidden)]
    pub fn has_surroundings(&self) -> bool {
        self.surroundings.is_some()
    }

    /// Returns whether agents can be anywhere within that width of a straight line, to either side
    /// and beyond its ends, on ground as high as the line.
    ///
    /// Lines parallel to it are looked at, a quarter of the width apart, by the surroundings' own
    /// agents: nothing is overlooked that is not narrower than the space between two of them.
    /// False without surroundings, and for a line straight up or down.
    #[doc(hidden)]
    pub fn is_free_beside(&self, from: Vec3, to: Vec3, width: f32) -> bool {
        let Some(around) = &self.surroundings else { return false };
        let Some(ahead) = (to - from).with_y(0.0).try_normalize() else { return false };
        let right = Vec3::new(-ahead.z, 0.0, ahead.x);
        let (begin, end) = (from - ahead * width, to + ahead * width);
        let places = (begin.distance(end) / STRIDE).ceil().clamp(1.0, 4096.0) as u32;
        (-LINES..=LINES).all(|line| {
            let aside = right * (width * line as f32 / LINES as f32);
            let is_level = |place: u32| {
                let point = (begin + aside).lerp(end + aside, place as f32 / places as f32);
                around.stand(point.x, point.z).is_some_and(|at| (at.y - point.y).abs() <= STEP)
            };
            around.segment_is_clear(begin + aside, end + aside)
                && (line.abs() < LINES || (0..=places).all(is_level))
        })
    }
}
