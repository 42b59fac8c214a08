//! The 256 colours of terminals.

use wayfare_draw::Colour;
use wayfare_draw::inside::terminal::nearest;

#[test]
fn the_cube_and_the_greys_are_met() {
    assert_eq!(nearest(Colour::hex(0xff0000)), 196);
    assert_eq!(nearest(Colour::hex(0x808080)), 244);
    assert_eq!(nearest(Colour::hex(0)), 16);
    assert_eq!(nearest(Colour::hex(0xffffff)), 231);
}
