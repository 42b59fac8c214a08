//! Lists in one array, against a vector of vectors.

use proptest::prelude::*;
use wayfare_grid::inside::tested::spans::Spans;

proptest! {
    #[test]
    fn behaves_as_a_vector_of_vectors(
        edits in prop::collection::vec((0u32..6, 0u8..7, any::<prop::sample::Index>(), any::<u16>()), 0..600),
    ) {
        let mut model = vec![vec![1u16, 2], vec![], vec![3], vec![], vec![]];
        let items: Vec<_> = (model.iter().zip(0..)).flat_map(|(list, i)| list.iter().map(move |&x| (i, x))).collect();
        let mut spans = Spans::bucketed(model.len(), items.into_iter());
        spans.push_list();
        model.push(vec![]);
        for (list, kind, at, item) in edits {
            let expected = &mut model[list as usize];
            if kind < 5 {
                let at = at.index(expected.len() + 1);
                expected.insert(at, item);
                spans.insert(list, at, item);
            } else if !expected.is_empty() {
                let at = at.index(expected.len());
                expected.remove(at);
                spans.remove(list, at);
            }
            for (expected, list) in model.iter().zip(0..) {
                prop_assert_eq!(spans.get(list), expected.as_slice());
            }
        }
        let live: usize = model.iter().map(Vec::len).sum();
        prop_assert_eq!(spans.iter().count(), live);
    }
}
#[test]
fn the_last_of_equals_stays() {
    let items = [(1, (5, 'a')), (0, (2, 'b')), (1, (3, 'c')), (1, (5, 'd')), (1, (5, 'e'))];
    let mut spans = Spans::bucketed(2, items.into_iter());
    spans.sort_keeping_last(|item| item.0);
    assert_eq!((spans.get(0), spans.get(1)), (&[(2, 'b')][..], &[(3, 'c'), (5, 'e')][..]));
}
