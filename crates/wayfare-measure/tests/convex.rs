//! Convex areas: what is refused, and how they are cut.

use glam::DVec2;
use wayfare_measure::{Convex, HalfPlane, NotConvex};

fn square() -> Convex {
    Convex::rectangle(DVec2::ZERO, DVec2::splat(2.0))
}

#[test]
fn what_is_no_polygon_is_refused() {
    let of = |corners: &[[f64; 2]]| Convex::new(corners.iter().copied().map(DVec2::from));
    assert_eq!(of(&[[0.0, 0.0], [1.0, 0.0]]), Err(NotConvex::TooFew));
    assert_eq!(of(&[[0.0, 0.0], [1.0, f64::NAN], [1.0, 1.0]]), Err(NotConvex::NotFinite(1)));
    assert_eq!(of(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]), Err(NotConvex::Flat));
    let dart = [[0.0, 0.0], [2.0, 0.0], [0.5, 0.5], [0.0, 2.0]];
    assert_eq!(of(&dart), Err(NotConvex::Turns(2)));
    let turned = of(&[[0.0, 0.0], [0.0, 2.0], [2.0, 2.0], [2.0, 0.0]]);
    assert_eq!(turned.map(|polygon| polygon.area()), Ok(4.0));
}

#[test]
fn cuts_leave_what_is_within() {
    let mut part = square();
    part.cut(&HalfPlane { normal: DVec2::X, offset: 0.5 });
    assert_eq!(part, Convex::rectangle(DVec2::ZERO, DVec2::new(0.5, 2.0)));
    part.cut(&HalfPlane { normal: DVec2::X, offset: 0.0 });
    assert_eq!(part.area(), 0.0);
    part.cut(&HalfPlane { normal: DVec2::Y, offset: -1.0 });
    assert_eq!((part.corners().len(), part.has(DVec2::ZERO)), (0, false));
    let other = Convex::rectangle(DVec2::splat(1.0), DVec2::splat(3.0));
    assert_eq!(square().common(&other).area(), 1.0);
    assert_eq!(square().common(&Convex::default()).area(), 0.0);
}

#[test]
fn lengths_of_lines_end_at_the_border() {
    let within = |from: [f64; 2], to: [f64; 2]| square().length_within(from.into(), to.into());
    assert_eq!(within([1.0, -3.0], [1.0, 5.0]), 2.0);
    assert_eq!(within([1.0, 1.0], [1.0, 1.5]), 0.5);
    assert_eq!(within([3.0, -3.0], [3.0, 5.0]), 0.0);
    assert_eq!(within([5.0, 1.0], [3.0, 1.0]), 0.0);
}
