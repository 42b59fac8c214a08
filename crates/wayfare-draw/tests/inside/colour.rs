//! Ramps and mixtures of colours.

use wayfare_draw::{Colour, Ramp};

#[test]
fn ramps_darken_all_the_way() {
    for ramp in [Ramp::Fire, Ramp::Ice] {
        for step in 1..Ramp::STEPS {
            let value = |step: u8| f32::from(step) / f32::from(Ramp::STEPS - 1);
            let (before, after) = (ramp.at(value(step - 1)), ramp.at(value(step)));
            assert!(after.luminance() < before.luminance(), "{ramp:?} {step}");
        }
    }
}

#[test]
fn odd_values_are_clamped() {
    assert_eq!(Ramp::Fire.at(f32::NAN), Ramp::Fire.at(0.0));
    assert_eq!(Ramp::Ice.at(7.0), Ramp::Ice.at(1.0));
    assert_eq!(Colour::hex(0).mix(Colour::hex(0xffffff), f32::INFINITY), Colour::hex(0xffffff));
}

#[test]
fn black_on_white_is_the_greatest_contrast() {
    assert!((Colour::hex(0).contrast(Colour::hex(0xffffff)) - 21.0).abs() < 0.01);
}
