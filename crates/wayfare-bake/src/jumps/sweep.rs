//! Whether the body passes along an arc: an upright cylinder among solid spans.
//!
//! Heights are counted in cells, positions in plan in metres from the lattice's origin.

use glam::DVec2;

use crate::{BakeSettings, SolidSpan, SpanField};

/// The rise of a leap above its higher end, as a share of its length in plan. A body that takes off
/// at 45° from level ground rises by a quarter, a long jumper by less than a tenth.
pub(super) const LEAP_RISE: f64 = 0.125;

/// Stations of the sweep a cell of its length in plan.
const STATIONS: f64 = 8.0;

/// An end of an arc.
#[derive(Clone, Copy, Debug)]
pub(super) struct Footing {
    /// In plan, from the lattice's origin, in metres.
    pub(super) place: DVec2,
    /// The top of the solid span that the body stands on, in cells.
    pub(super) feet: f64,
}

/// The body among the solid spans of a window.
pub(super) struct Body<'a> {
    spans: &'a SpanField,
    cell: f64,
    radius: f64,
    height: f64,
    step: f64,
}

impl<'a> Body<'a> {
    pub(super) fn new(spans: &'a SpanField, settings: &BakeSettings) -> Self {
        Self {
            spans,
            cell: spans.lattice.cell_size(),
            radius: f64::from(settings.walker.radius),
            height: f64::from(settings.height_cells()),
            step: f64::from(settings.step_cells()),
        }
    }

    fn column(&self, x: i64, z: i64) -> &'a [SolidSpan] {
        let cell = [x, z].map(|at| u32::try_from(at).ok());
        let [Some(x), Some(z)] = cell else { return &[] };
        self.spans.window.column(x, z).map_or(&[], |column| self.spans.column(column))
    }

    /// Returns the ground at a point where the mesh has the height `level` in cells: the top of the
    /// nearest span with head room, at most a step and two cells away from it.
    pub(super) fn footing(&self, place: DVec2, level: f64) -> Option<Footing> {
        let [x, z] = [place.x, place.y].map(|at| (at / self.cell).floor() as i64);
        let column = self.column(x, z);
        let ceiling =
            |index: usize| column.get(index + 1).map_or(f64::MAX, |above| above.bottom.into());
        let roomy = column.iter().enumerate().filter_map(|(index, span)| {
            let top = f64::from(span.top);
            (ceiling(index) - top >= self.height).then_some(top)
        });
        let nearest = roomy.min_by(|a, b| (a - level).abs().total_cmp(&(b - level).abs()))?;
        ((nearest - level).abs() <= self.step + 2.0).then_some(Footing { place, feet: nearest })
    }

    /// Returns whether no solid reaches from above `low` to below `high` within the radius of a
    /// point.
    fn is_free(&self, place: DVec2, low: f64, high: f64) -> bool {
        let range = |at: f64| {
            let first = ((at - self.radius) / self.cell).floor() as i64;
            first..=((at + self.radius) / self.cell).floor() as i64
        };
        let beyond = |at: f64, cell: i64| {
            let low = cell as f64 * self.cell;
            at - at.clamp(low, low + self.cell)
        };
        for z in range(place.y) {
            for x in range(place.x) {
                let away = DVec2::new(beyond(place.x, x), beyond(place.y, z));
                let is_in = away.length_squared() < self.radius * self.radius
                    || (away == DVec2::ZERO && self.radius == 0.0);
                let is_hit =
                    |span: &SolidSpan| f64::from(span.top) > low && f64::from(span.bottom) < high;
                if is_in && self.column(x, z).iter().any(is_hit) {
                    return false;
                }
            }
        }
        true
    }

    /// Returns whether the body stands there: ground up to a step higher is walked on.
    pub(super) fn stands(&self, at: Footing) -> bool {
        self.is_free(at.place, at.feet + self.step, at.feet + self.height)
    }

    /// Returns whether the body passes from a ledge to lower ground: level over the edge, then
    /// straight down. Reversed it is a climb.
    pub(super) fn descends(&self, ledge: Footing, ground: Footing) -> bool {
        let (feet, head) = (ledge.feet, ledge.feet + self.height);
        let parts = (ledge.place.distance(ground.place) / self.cell * STATIONS).ceil().max(1.0);
        let is_over = |part: u32| {
            let place = ledge.place.lerp(ground.place, f64::from(part) / parts);
            self.is_free(place, feet + self.step, head)
        };
        self.is_free(ground.place, ground.feet + self.step, head) && (0..=parts as u32).all(is_over)
    }

    /// Returns whether the body passes along the arc of a leap. Solids up to a step above the feet
    /// are walked on near the ends, while the body runs up to the edge and away from it.
    pub(super) fn leaps(&self, from: Footing, to: Footing) -> bool {
        let length = from.place.distance(to.place);
        let rise = (to.feet - from.feet).abs();
        let height = length / self.spans.lattice.cell_height() * LEAP_RISE + rise / 2.0;
        let parts = (length / self.cell * STATIONS).ceil().clamp(1.0, 65_536.0);
        let level = |share: f64| {
            let arc = 4.0 * height * share * (1.0 - share);
            from.feet + (to.feet - from.feet) * share + arc
        };
        let run = self.radius + 2.0 * self.cell;
        (0..=parts as u32).all(|part| {
            let share = f64::from(part) / parts;
            let place = from.place.lerp(to.place, share);
            let is_near = length * share.min(1.0 - share) <= run;
            let slack = if is_near { self.step.max(1.0) } else { 1.0 };
            // The heights up to half way to the stations on both sides.
            let around = [share - 0.5 / parts, share, share + 0.5 / parts].map(level);
            let low = around.into_iter().fold(f64::INFINITY, f64::min);
            let high = around.into_iter().fold(f64::NEG_INFINITY, f64::max);
            self.is_free(place, low + slack, high + self.height)
        })
    }
}
