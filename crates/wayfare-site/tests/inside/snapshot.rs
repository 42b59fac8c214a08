//! Damaged snapshots.

use wayfare::hash::Fnv1a;
use wayfare_site::inside::snapshot::{Fingerprint, MAGIC, VERSION, state};

fn file(state: &[u8], fingerprint: u64) -> Vec<u8> {
    let mut sum = Fnv1a::default();
    sum.bytes(state);
    let numbers = [VERSION, fingerprint, state.len() as u64, sum.value()];
    let numbers = numbers.iter().flat_map(|number| number.to_le_bytes());
    MAGIC.iter().copied().chain(numbers).chain(state.iter().copied()).collect()
}

#[test]
fn damage_is_noticed_wherever_it_is() {
    let sound = file(b"the state of things", 77);
    assert_eq!(state(&sound, Fingerprint(77)), Ok(&b"the state of things"[..]));
    assert!(state(&sound, Fingerprint(78)).is_err());
    for place in 0..sound.len() {
        let mut damaged = sound.clone();
        damaged[place] ^= 0x10;
        assert!(state(&damaged, Fingerprint(77)).is_err(), "{place}");
        assert!(state(&sound[..place], Fingerprint(77)).is_err(), "{place}");
    }
}
