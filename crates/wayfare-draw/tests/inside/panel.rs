//! Numbers in panels.

use wayfare_draw::inside::panel::grouped;

#[test]
fn thousands_are_grouped() {
    let texts = [0, 999, 1000, 1_234_567].map(grouped);
    assert_eq!(texts, ["0", "999", "1,000", "1,234,567"]);
}
