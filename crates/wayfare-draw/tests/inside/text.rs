//! The width of texts.

use wayfare_draw::Typeface;

#[test]
fn figures_in_mono_are_equally_wide() {
    assert_eq!(Typeface::Mono.width("111", 14.0), Typeface::Mono.width("888", 14.0));
    assert!(Typeface::Sans.width("A*", 20.0) > 10.0);
    assert_eq!(Typeface::Sans.width("\n", 20.0), 0.0);
}

#[test]
fn long_texts_are_cut_to_the_width() {
    let text = "a very long name of a very small thing";
    let cut = Typeface::Sans.fitted(text, 13.0, 100.0);
    assert!(cut.ends_with('…') && Typeface::Sans.width(&cut, 13.0) <= 100.0, "{cut}");
    assert_eq!(Typeface::Sans.fitted(text, 13.0, 1000.0), text);
    assert_eq!(Typeface::Sans.fitted("", 13.0, 0.0), "");
}
