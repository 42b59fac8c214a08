//! The tiles under objects.

use wayfare_formats::inside::tested::object::{Extent, Object, Shape};

fn covered(object: &Object) -> Vec<(u32, u32)> {
    let extent = Extent { left: 0, top: 0, width: 4, height: 3, tile: [16.0, 16.0] };
    let mut tiles = Vec::new();
    object.cover(&extent, &mut 0, |x, y| tiles.push((x, y))).expect("few tests");
    tiles
}

#[test]
fn tiles_under_shapes() {
    let object =
        |shape| Object { x: 16.0, y: 16.0, width: 32.0, height: 8.0, shape, ..Object::default() };
    assert_eq!(covered(&object(Shape::Rectangle)), [(1, 1), (2, 1)]);
    assert_eq!(covered(&object(Shape::Ellipse)), []);
    assert_eq!(
        covered(&Object { height: 32.0, ..object(Shape::Ellipse) }),
        [(1, 1), (2, 1), (1, 2), (2, 2)]
    );
    let triangle = Shape::Polygon(vec![[0.0, 0.0], [32.0, 0.0], [0.0, 32.0]]);
    assert_eq!(covered(&object(triangle)), [(1, 1)]);
    assert_eq!(covered(&object(Shape::Point)), []);
    // Beside the map, and without end.
    let far = Object { x: -1e300, width: f64::NAN, ..object(Shape::Rectangle) };
    assert_eq!(covered(&far), []);
    let all = Object { x: -1e9, y: -1e9, width: 1e300, height: 1e300, ..Object::default() };
    assert_eq!(covered(&all).len(), 12);
}

#[test]
fn work_is_limited() {
    let extent = Extent { left: 0, top: 0, width: 4096, height: 4096, tile: [1.0, 1.0] };
    let all = Object { width: 4096.0, height: 4096.0, ..Object::default() };
    let mut tests = 0;
    let done = (0..).take_while(|_| all.cover(&extent, &mut tests, |_, _| ()).is_ok()).count();
    assert_eq!(done, 4);
}
