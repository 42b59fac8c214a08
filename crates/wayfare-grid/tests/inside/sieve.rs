//! Sieves that follow edits, against new ones.

use proptest::prelude::*;
use wayfare_core::inside::Gateway;
use wayfare_grid::inside::Layout;
use wayfare_grid::inside::tested::sieve::{Sieve, keep_apart};

proptest! {
    #[test]
    fn a_sieve_answers_as_a_new_one(
        lines in prop::collection::vec((any::<bool>(), 0u16..40, 0u16..40, 0u16..12), 1..80),
        moves in prop::collection::vec((any::<usize>(), any::<usize>(), 0u8..3), 0..6),
        spacing in 0u16..4,
    ) {
        let layout = Layout::new(60, 60);
        let mut lines: Vec<Gateway> = lines
            .into_iter()
            .map(|(is_column, line, first, more)| {
                Gateway { is_column, line, first, last: first + more }
            })
            .collect();
        lines.dedup();
        let mut sieve = Sieve::default();
        sieve.follow(&layout, lines.clone(), spacing);
        for (from, to, kind) in moves {
            // Moved, dropped, or cut off.
            let mut line = lines.remove(from % lines.len());
            line.last = if kind == 2 { line.first } else { line.last };
            if kind != 1 {
                lines.insert(to % (lines.len() + 1), line);
            }
            if lines.is_empty() {
                break;
            }
            sieve.follow(&layout, lines.clone(), spacing);
            let expected = keep_apart(&layout, &lines, spacing);
            prop_assert_eq!(&sieve.is_kept, &expected);
            if let Some(compared) = sieve.compare(&lines, spacing) {
                prop_assert_eq!(compared, expected);
            }
        }
    }
}
