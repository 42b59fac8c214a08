//! The shapes of teams, so that they differ without their colours too.

use glam::Vec2;

use crate::{Paint, Shape};

/// The shape of a team's agents.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Badge {
    /// A disc.
    Disc,
    /// A square.
    Square,
    /// A triangle that points up.
    Triangle,
    /// A square on a corner.
    Diamond,
    /// A hexagon.
    Hexagon,
}

impl Badge {
    /// Returns the shape of the team with that index.
    pub fn of_team(number: usize) -> Self {
        [Self::Disc, Self::Square, Self::Triangle, Self::Diamond, Self::Hexagon][number % 5]
    }

    /// Returns the shape about a centre, of about the area of a disc of that radius.
    pub fn shape(self, centre: Vec2, radius: f32, paint: Paint) -> Shape {
        // The first corner and the number of corners, on a circle that is wider the fewer they are.
        let (reach, first, corners) = match self {
            Self::Disc => return Shape::Circle { centre, radius, paint },
            Self::Square => (1.25, Vec2::new(-1.0, -1.0).normalize(), 4),
            Self::Triangle => (1.5, Vec2::NEG_Y, 3),
            Self::Diamond => (1.3, Vec2::NEG_Y, 4),
            Self::Hexagon => (1.12, Vec2::NEG_Y, 6),
        };
        let turn = match corners {
            3 => Vec2::new(-0.5, 0.866_025_4),
            4 => Vec2::Y,
            _ => Vec2::new(0.5, 0.866_025_4),
        };
        let mut corner = first;
        let points = (0..corners).map(|_| {
            let at = centre + corner * radius * reach;
            corner = turn.rotate(corner);
            at
        });
        Shape::Polygon { points: points.collect(), paint }
    }
}
