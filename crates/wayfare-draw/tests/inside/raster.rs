//! Shapes as pixels.

use glam::Vec2;
use wayfare_draw::{Canvas, Colour, DrawError, Label, Paint, Shape, Tiles};

const WHITE: Colour = Colour::hex(0xffffff);
const BLACK: Colour = Colour::hex(0x000000);

#[test]
fn a_circle_is_drawn_where_any_of_it_shows() -> Result<(), DrawError> {
    let drawn = |x: f32, radius: f32| -> Result<usize, DrawError> {
        let mut canvas = Canvas::new(20, 20, WHITE)?;
        let paint = Paint::fill(BLACK).outlined(BLACK, 2.0);
        canvas.draw(&Shape::Circle { centre: Vec2::new(x, 10.0), radius, paint });
        Ok(canvas.rgba().chunks_exact(4).filter(|pixel| pixel[0] == 0).count())
    };
    for (x, radius) in [(10.0, 5.0), (-4.0, 6.0), (24.0, 6.0), (900_000.0, 899_990.0)] {
        assert!(drawn(x, radius)? > 0, "{x} {radius}");
    }
    for (x, radius) in [(-10.0, 5.0), (30.0, 5.0), (703_000.0, 3_000.0)] {
        assert_eq!(drawn(x, radius)?, 0, "{x} {radius}");
    }
    Ok(())
}

const RED: Colour = Colour::hex(0xff0000);

#[test]
fn tiles_fill_whole_pixels_and_leave_clear_ones() -> Result<(), DrawError> {
    let mut canvas = Canvas::new(6, 3, WHITE)?;
    let colours = vec![RED, Colour::CLEAR];
    canvas.draw(&Shape::Tiles(Tiles {
        corner: Vec2::ZERO,
        side: 3,
        columns: 2,
        inset: 0,
        colours,
    }));
    assert_eq!(canvas.pixel(2, 2), Some(RED));
    assert_eq!(canvas.pixel(3, 0), Some(WHITE));
    assert_eq!(canvas.pixel(6, 0), None);
    Ok(())
}

#[test]
fn shapes_beyond_the_edge_are_clipped() -> Result<(), DrawError> {
    let mut canvas = Canvas::new(8, 8, WHITE)?;
    canvas.fill_pixels(-5, -5, 100, 100, RED);
    assert_eq!(canvas.pixel(7, 7), Some(RED));
    canvas.draw(&Shape::Circle {
        centre: Vec2::splat(-900_000.0),
        radius: 5.0,
        paint: Paint::fill(WHITE),
    });
    Ok(())
}

#[test]
fn text_leaves_ink() -> Result<(), DrawError> {
    let mut canvas = Canvas::new(40, 20, WHITE)?;
    canvas.draw(&Shape::Text(Label {
        text: "A*\u{0}".into(),
        at: Vec2::new(38.0, 16.0),
        anchor: wayfare_draw::Anchor::End,
        size: 16.0,
        face: wayfare_draw::Typeface::Mono,
        colour: RED,
    }));
    assert!(canvas.rgba().chunks_exact(4).any(|pixel| pixel != [255; 4]));
    Ok(())
}
