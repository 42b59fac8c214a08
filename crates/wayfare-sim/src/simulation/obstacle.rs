//! The description of a moving obstacle.

use glam::{Vec2, Vec3};
use wayfare_crowd::{AvoidanceQuality, CrowdAgent};

use super::{CarveId, CommandFault, Shape, ShapeBounds};

/// An obstacle that a program moves, such as a cart or a lift.
///
/// While it is not carved, agents that [avoid others](super::Avoidance) give way to it
/// as to a body that nothing stops, on grids, meshes and among voxels; all others walk through it.
/// It pushes no body through a wall: a body that cannot give way is overrun. Paths lead round it
/// only where it is carved.
///
/// It is seen from above, as a disc, or for a box as a row of up to eight discs around it. Bodies
/// that fly or swim see it as balls of their height.
///
/// ```
/// use wayfare::link::{Keys, NavLinks};
/// use wayfare::prelude::*;
/// use wayfare::simulation::{CarveId, CarveWhenStill, Command, MovingObstacle, Shape};
///
/// let grid = Grid::from_rows(&["........"])?;
/// let mut simulation = Simulation::new(grid, NavLinks::new(3.0), SimulationSettings::default())?;
/// for tick in 0..20 {
///     let centre = Vec3::new(1.5 + 0.2 * tick as f32, 0.0, 0.5);
///     let cart = MovingObstacle {
///         shape: Shape::Ball { centre, radius: 0.4 },
///         carves: Some(CarveWhenStill { seconds: 0.5, ..CarveWhenStill::default() }),
///     };
///     simulation.schedule(tick, Command::MoveObstacle { id: CarveId(1), to: cart });
/// }
/// let mut free = || {
///     simulation.tick();
///     let grid = simulation.world();
///     (0..8).filter(|&x| grid.space().is_free(grid.cell(x, 0).unwrap())).count()
/// };
/// // It moves for a second; half a second later, after ten ticks more, it is cut out.
/// assert!((0..29).all(|_| free() == 8));
/// assert_eq!(free(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MovingObstacle {
    /// Its present shape.
    pub shape: Shape,
    /// When it is carved; `None` for one that never is.
    pub carves: Option<CarveWhenStill>,
}

/// When an obstacle that a program moves is carved.
///
/// Example: [`MovingObstacle`].
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CarveWhenStill {
    /// The time that it has to stand, in seconds, 0 to 3,600; default 0.5. With 0 it is carved
    /// wherever it is, at the cost of an edit a move. Raising it makes agents go on longer towards
    /// one that has stopped.
    pub seconds: f32,
    /// The distance in world units, 0 to 1,000, beyond which it counts as moved; default 0.1.
    /// Raising it saves edits, and lets the ground that is cut lie beside the obstacle by as much.
    pub least_move: f32,
}

impl Default for CarveWhenStill {
    fn default() -> Self {
        Self { seconds: 0.5, least_move: 0.1 }
    }
}

/// An obstacle that a program moves, as it is now.
///
/// ```
/// # use wayfare::link::NavLinks;
/// # use wayfare::prelude::*;
/// # use wayfare::simulation::{CarveId, Command, MovingObstacle, Shape};
/// # let grid = Grid::from_rows(&["........"])?;
/// # let links = NavLinks::new(3.0);
/// let mut simulation = Simulation::new(grid, links, SimulationSettings::default())?;
/// let shape = Shape::Ball { centre: Vec3::new(1.5, 0.0, 0.5), radius: 0.4 };
/// let to = MovingObstacle { shape, carves: None };
/// simulation.schedule(0, Command::MoveObstacle { id: CarveId(1), to });
/// simulation.tick();
/// assert!(simulation.moving_obstacles().all(|one| one.id == CarveId(1) && !one.is_carved));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MovingObstacleView {
    /// Its id.
    pub id: CarveId,
    /// The obstacle.
    pub obstacle: MovingObstacle,
    /// The velocity by its last moves, in world units a second.
    pub velocity: Vec3,
    /// Whether it is carved.
    pub is_carved: bool,
}

impl MovingObstacle {
    /// Checks every value against its range.
    ///
    /// # Errors
    /// The first that is not. The bodies that stand for the shape keep to the ranges of a
    /// [`CrowdAgent`](wayfare_crowd::CrowdAgent): coordinates up to 10⁹, radii and heights up to
    /// 1,000.
    pub fn check(&self) -> Result<(), CommandFault> {
        if !self.shape.is_finite() {
            return Err(CommandFault::Shape);
        }
        bodies(&self.shape).try_for_each(|body| body.check())?;
        let CarveWhenStill { seconds, least_move } = self.carves.unwrap_or_default();
        let ranges = [
            ("time to stand before it is carved", seconds, 3600.0),
            ("least move", least_move, 1000.0),
        ];
        for (field, value, most) in ranges {
            if !(0.0..=most).contains(&value) {
                return Err(CommandFault::CarveWhenStill { field, value, most });
            }
        }
        Ok(())
    }
}

/// The most discs that stand for a box.
const MOST_DISCS: f32 = 8.0;

/// The least height of an obstacle, so that flat ones block too.
const LEAST_HEIGHT: f32 = 1e-2;

/// Returns the bodies of an obstacle at rest: a disc, or for a box a row of up to eight around it.
pub(super) fn bodies(shape: &Shape) -> impl Iterator<Item = CrowdAgent> + use<> {
    let ShapeBounds { min, max } = shape.bounds();
    let size = max - min;
    let (long, short) = (size.x.max(size.z), size.x.min(size.z));
    let (count, radius) = match *shape {
        Shape::Ball { radius, .. } => (1.0, radius.abs()),
        Shape::Box { .. } => {
            let count = (long / short.max(long / MOST_DISCS)).ceil().clamp(1.0, MOST_DISCS);
            (count, Vec2::new(long / count, short).length() * 0.5)
        }
    };
    let along = if size.x >= size.z { Vec3::X } else { Vec3::Z };
    let foot = min.midpoint(max).with_y(min.y);
    (0..count as u32).map(move |disc| {
        let place = (disc as f32 + 0.5) / count - 0.5;
        CrowdAgent {
            radius,
            height: size.y.max(LEAST_HEIGHT),
            quality: AvoidanceQuality::Off,
            layers: u32::MAX,
            ..CrowdAgent::at(foot + along * (long * place))
        }
    })
}
