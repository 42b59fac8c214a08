//! The palettes of GIFs.

use wayfare_draw::inside::palette::{GifPalette, Histogram};

#[test]
fn few_colours_are_kept_exactly() {
    let mut histogram = Histogram::default();
    histogram.add(&[1, 2, 3, 255, 200, 0, 0, 255, 1, 2, 3, 255]);
    histogram.add(&[9, 9, 9, 255]);
    let mut palette = histogram.palette();
    for colour in [[1, 2, 3], [200, 0, 0], [9, 9, 9]] {
        let number = usize::from(palette.nearest(colour));
        assert_eq!(palette.bytes()[number * 3..number * 3 + 3], colour);
    }
}

#[test]
fn many_colours_never_reach_the_clear_number() {
    let mut histogram = Histogram::default();
    let pixels: Vec<u8> =
        (0..40_000u32).flat_map(|n| [n as u8, (n >> 8) as u8, (n >> 3) as u8, 255]).collect();
    histogram.add(&pixels);
    let mut palette = histogram.palette();
    assert_eq!(palette.bytes().len(), 768);
    for pixel in pixels.chunks_exact(4) {
        assert_ne!(palette.nearest([pixel[0], pixel[1], pixel[2]]), GifPalette::CLEAR);
    }
}
