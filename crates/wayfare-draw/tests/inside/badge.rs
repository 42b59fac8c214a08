//! The shapes of badges.

use glam::Vec2;
use wayfare_draw::inside::badge::Badge;
use wayfare_draw::{Colour, Paint, Shape};

#[test]
fn shapes_differ_and_have_about_the_area_of_a_disc() {
    for number in 1..5 {
        let paint = Paint::fill(Colour::hex(0));
        let Shape::Polygon { points, .. } = Badge::of_team(number).shape(Vec2::ZERO, 1.0, paint)
        else {
            panic!("not a polygon")
        };
        let next = points.iter().cycle().skip(1);
        let area: f32 = points.iter().zip(next).map(|(a, b)| a.perp_dot(*b) / 2.0).sum();
        assert!((2.7..3.6).contains(&area), "{number}: {area}");
        assert_ne!(Badge::of_team(number), Badge::of_team(number - 1));
    }
}
