//! Staggered maps as diamonds.

use wayfare_formats::inside::tested::orientation::Stagger;

/// Tiles that touch along a side are neighbours after turning, for all four ways to stagger.
#[test]
fn diamonds_keep_their_neighbours() {
    for (rows, odd) in [(true, true), (true, false), (false, true), (false, false)] {
        let stagger = Stagger { rows, odd };
        for column in -3..4i64 {
            for row in -3..4i64 {
                // In halves of a tile.
                let middle = |column: i64, row: i64| match rows {
                    true => [2 * column + stagger.of(row), row],
                    false => [column, 2 * row + stagger.of(column)],
                };
                let ([x, y], here) = (middle(column, row), stagger.diamond(column, row));
                for (to_column, to_row) in
                    (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)))
                {
                    let [to_x, to_y] = middle(to_column, to_row);
                    let touches = (to_x - x).abs() == 1 && (to_y - y).abs() == 1;
                    let there = stagger.diamond(to_column, to_row);
                    let steps = (there[0] - here[0]).abs() + (there[1] - here[1]).abs();
                    assert_eq!(
                        touches,
                        steps == 1,
                        "{stagger:?} {column},{row} {to_column},{to_row}"
                    );
                }
            }
        }
    }
}
