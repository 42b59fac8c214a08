//! Damage to files.

use proptest::prelude::*;

/// A change to a file: overwrite, insert, remove or double a piece, or claim a huge number.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    Overwrite(prop::sample::Index, u8),
    Insert(prop::sample::Index, Vec<u8>),
    Remove(prop::sample::Index, usize),
    Double(prop::sample::Index, usize),
    Huge(prop::sample::Index),
    Cut(prop::sample::Index),
}

pub(crate) fn change() -> impl Strategy<Value = Change> {
    let at = any::<prop::sample::Index>;
    prop_oneof![
        (at(), any::<u8>()).prop_map(|(at, byte)| Change::Overwrite(at, byte)),
        (at(), prop::collection::vec(any::<u8>(), 1..6))
            .prop_map(|(at, new)| Change::Insert(at, new)),
        (at(), 1usize..20).prop_map(|(at, length)| Change::Remove(at, length)),
        (at(), 1usize..40).prop_map(|(at, length)| Change::Double(at, length)),
        at().prop_map(Change::Huge),
        at().prop_map(Change::Cut),
    ]
}

pub(crate) fn apply(bytes: &mut Vec<u8>, change: &Change) {
    if bytes.is_empty() {
        return;
    }
    let piece = |at: usize, length: usize, end: usize| at..(at + length).min(end);
    let end = bytes.len();
    match change {
        Change::Overwrite(at, byte) => bytes[at.index(end)] = *byte,
        Change::Insert(at, new) => {
            let at = at.index(end);
            bytes.splice(at..at, new.iter().copied());
        }
        Change::Remove(at, length) => {
            bytes.drain(piece(at.index(end), *length, end));
        }
        Change::Double(at, length) => {
            let piece = piece(at.index(end), *length, end);
            let copy = bytes[piece.clone()].to_vec();
            bytes.splice(piece.start..piece.start, copy);
        }
        Change::Huge(at) => {
            // The digits at or after the place become the largest u32.
            let from = at.index(end);
            if let Some(digit) = bytes[from..].iter().position(u8::is_ascii_digit) {
                let start = from + digit;
                let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                bytes.splice(start..start + length, *b"4294967295");
            }
        }
        Change::Cut(at) => bytes.truncate(at.index(end)),
    }
}
