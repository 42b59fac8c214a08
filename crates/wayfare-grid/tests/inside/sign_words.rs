//! The transposition of eight by eight bits.

use wayfare_grid::inside::tested::sign_words::transposed;

#[test]
fn bits_change_places_across_the_diagonal() {
    for place in 0..64 {
        let (byte, bit) = (place / 8, place % 8);
        assert_eq!(transposed(1 << place), 1 << (8 * bit + byte));
    }
}
