//! The shapes of obstacles.

use glam::Vec3;
use wayfare_sim::simulation::Shape;

#[test]
fn segments_meet_shapes_they_pass_and_no_others() {
    let block = Shape::Box { min: Vec3::new(2.0, 0.0, 2.0), max: Vec3::new(4.0, 1.0, 3.0) };
    let ball = Shape::Ball { centre: Vec3::new(3.0, 0.5, 2.5), radius: 0.4 };
    let at = |x, z| Vec3::new(x, 0.5, z);
    for shape in [block, ball] {
        assert!(shape.meets(at(0.0, 2.5), at(9.0, 2.5)));
        assert!(shape.meets(at(3.0, 2.5), at(3.0, 2.5)));
        assert!(!shape.meets(at(0.0, 2.5), at(1.0, 2.5)));
        assert!(!shape.meets(at(0.0, 4.0), at(9.0, 4.0)));
    }
    assert!(block.contains_from_above(Vec3::new(3.0, 70.0, 2.5)));
    assert!(!block.contains(Vec3::new(3.0, 70.0, 2.5)));
}
