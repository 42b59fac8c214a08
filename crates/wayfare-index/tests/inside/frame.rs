//! The frame of index files, and forgeries of it.

use wayfare_index::index::IndexKind;
use wayfare_index::inside::tested::frame::{SUM, checksum, letters};

/// The bytes with the checksum that goes with them.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let contents = bytes.len() - SUM;
    let sum = checksum(&bytes[..contents]).to_le_bytes();
    bytes[contents..].copy_from_slice(&sum);
    bytes
}

/// The bytes with the words at some places overwritten, behind the letters, and the checksum
/// that goes with them.
pub(crate) fn forged(mut bytes: Vec<u8>, forgeries: &[(proptest::sample::Index, u32)]) -> Vec<u8> {
    for (at, word) in forgeries {
        let at = 8 + 4 * at.index((bytes.len() - 8 - SUM) / 4);
        bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    sealed(bytes)
}

/// Words that forgeries put in: small numbers and very large ones.
pub(crate) fn forgeries()
-> impl proptest::strategy::Strategy<Value = Vec<(proptest::sample::Index, u32)>> {
    use proptest::prelude::*;
    let word = (0u32..40, any::<bool>())
        .prop_map(|(number, is_large)| if is_large { u32::MAX - number } else { number });
    prop::collection::vec((any::<prop::sample::Index>(), word), 1..4)
}

#[test]
fn letters_tell_the_kinds_apart() {
    for kind in IndexKind::ALL {
        assert_eq!(IndexKind::of(kind.magic()), Some(kind));
        assert_eq!(letters(kind).len(), 7);
    }
    assert_eq!(IndexKind::of(b"WAYFNAV\0"), None);
}
