//! Golden hashes: what every engine does in fixed worlds stays what it is, and a trace's hash sees
//! every part of it.

#[path = "common/golden.rs"]
mod golden;

use std::fmt::Write;

use wayfare::space::{Cell, StateId};
use wayfare::trace::{Observer, Side, TraceEvent, TraceEventKind, TraceHash};

/// Where the hashes lie. `WAYFARE_BLESS=1 cargo test --test hashes` writes them anew, after a
/// change of behaviour that is meant.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/hashes.txt");

#[test]
fn every_engine_does_what_it_did() {
    let mut now = String::new();
    for golden::Golden { name, hash } in golden::all() {
        writeln!(now, "{hash:016x} {name}").unwrap();
    }
    if std::env::var_os("WAYFARE_BLESS").is_some() {
        std::fs::write(FILE, &now).unwrap();
    }
    let golden = std::fs::read_to_string(FILE).unwrap();
    let changed: Vec<&str> =
        now.lines().filter(|line| !golden.lines().any(|known| known == *line)).collect();
    assert!(
        changed.is_empty() && now.lines().count() == golden.lines().count(),
        "these hashes are not those of testdata/hashes.txt; where the change is meant, write them anew \
         (WAYFARE_BLESS=1) and say why in the commit:\n{}",
        changed.join("\n")
    );
}

fn hash_of(events: &[TraceEvent<Cell, u64>]) -> u64 {
    let mut hash = TraceHash::default();
    events.iter().for_each(|&event| hash.observe(event));
    hash.value()
}

#[test]
fn a_trace_hash_sees_every_field_of_every_event_and_their_order() {
    let (state, parent) = (Cell::from_index(7), Cell::from_index(5));
    let (kind, side) = (TraceEventKind::Expand, Side::Forward);
    let sound = TraceEvent { kind, side, state, parent, g: 11482, h: 8119 };
    let first = TraceEvent { state: parent, g: 5741, ..sound };
    let far = 1 << 46;
    let changes = [
        ("kind", TraceEvent { kind: TraceEventKind::Generate, ..sound }),
        ("kind", TraceEvent { kind: TraceEventKind::Relax, ..sound }),
        ("kind", TraceEvent { kind: TraceEventKind::Reopen, ..sound }),
        ("kind", TraceEvent { kind: TraceEventKind::Goal, ..sound }),
        ("kind", TraceEvent { kind: TraceEventKind::Restart, ..sound }),
        ("side", TraceEvent { side: Side::Backward, ..sound }),
        ("state", TraceEvent { state: Cell::from_index(8), ..sound }),
        ("parent", TraceEvent { parent: Cell::from_index(6), ..sound }),
        ("state and parent", TraceEvent { state: parent, parent: state, ..sound }),
        ("g", TraceEvent { g: sound.g + 1, ..sound }),
        ("g, its upper half", TraceEvent { g: sound.g + far, ..sound }),
        ("h", TraceEvent { h: sound.h - 1, ..sound }),
        ("h, its upper half", TraceEvent { h: sound.h + far, ..sound }),
        ("g and h", TraceEvent { g: sound.h, h: sound.g, ..sound }),
        ("f alone kept", TraceEvent { g: sound.g - 1, h: sound.h + 1, ..sound }),
    ];
    let golden = hash_of(&[first, sound]);
    let mut seen = vec![golden];
    for (what, changed) in changes {
        for events in [[first, changed], [changed, first]] {
            let hash = hash_of(&events);
            assert!(!seen.contains(&hash), "{what}");
            seen.push(hash);
        }
    }
    assert_ne!(hash_of(&[sound, first]), golden, "order");
    assert_ne!(hash_of(&[first]), golden, "an event less");
    assert_ne!(hash_of(&[first, sound, sound]), golden, "an event more");
    assert_eq!(hash_of(&[first, sound]), golden);
    assert_eq!(
        golden, 0x8fad_91ef_131e_bc62,
        "hashes of other days are compared with those of today"
    );
}
