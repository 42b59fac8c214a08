//! The signs of actions on a path.

use glam::Vec2;
use wayfare_core::space::Action;

use crate::{Colour, Paint, Picture, Shape, Stroke};

/// Returns the name of an action.
pub(crate) fn action_name(action: Action) -> &'static str {
    match action {
        Action::Walk => "walk",
        Action::Jump => "jump",
        Action::Fall => "fall",
        Action::Climb => "climb",
        Action::Swim => "swim",
        Action::Fly => "fly",
        Action::Link(_) => "link",
        _ => "move",
    }
}

const INK: Colour = Colour::hex(0x1a1f2b);
const PAPER: Colour = Colour::hex(0xffffff);

/// Draws the sign of an action: a white badge with a dark shape, recognisable by its form.
pub(crate) fn sign(action: Action, centre: Vec2, size: f32, picture: &mut Picture) {
    let badge = Paint::fill(PAPER).outlined(INK, (size * 0.18).max(1.0));
    picture.push(Shape::Circle { centre, radius: size, paint: badge });
    let at = |x: f32, y: f32| centre + Vec2::new(x, y) * size;
    let stroke = Stroke { colour: INK, width: (size * 0.26).max(1.0) };
    let line = |points: &[[f32; 2]]| Shape::Polyline {
        points: points.iter().map(|[x, y]| at(*x, *y)).collect(),
        stroke,
    };
    let area = |points: &[[f32; 2]]| Shape::Polygon {
        points: points.iter().map(|[x, y]| at(*x, *y)).collect(),
        paint: Paint::fill(INK),
    };
    match action {
        Action::Jump => picture.push(area(&[[0.0, -0.62], [0.56, 0.38], [-0.56, 0.38]])),
        Action::Fall => picture.push(area(&[[0.0, 0.62], [0.56, -0.38], [-0.56, -0.38]])),
        Action::Swim => {
            for y in [-0.22, 0.28] {
                picture.push(line(&[
                    [-0.6, y + 0.1],
                    [-0.3, y - 0.12],
                    [0.0, y + 0.1],
                    [0.3, y - 0.12],
                    [0.6, y + 0.1],
                ]));
            }
        }
        Action::Climb => {
            for x in [-0.28, 0.28] {
                picture.push(line(&[[x, -0.55], [x, 0.55]]));
            }
            for y in [-0.28, 0.02, 0.32] {
                picture.push(line(&[[-0.28, y], [0.28, y]]));
            }
        }
        Action::Fly => {
            picture.push(line(&[
                [-0.6, -0.3],
                [-0.25, -0.28],
                [0.0, 0.3],
                [0.25, -0.28],
                [0.6, -0.3],
            ]));
        }
        Action::Link(_) => {
            picture.push(area(&[[0.0, -0.5], [0.5, 0.0], [0.0, 0.5], [-0.5, 0.0]]));
        }
        _ => {}
    }
}
