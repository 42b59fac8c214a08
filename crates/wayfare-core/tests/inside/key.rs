//! The order of heap keys.

use proptest::prelude::*;
use wayfare_core::expert::Key;

proptest! {
    #[test]
    fn orders_by_low_priority_then_high_g_then_low_state(
        a in (0u64..1 << 48, 0u64..=1 << 47, any::<u32>()),
        b in (0u64..1 << 48, 0u64..=1 << 47, any::<u32>()),
        same_priority: bool,
        same_g: bool,
    ) {
        let b = (if same_priority { a.0 } else { b.0 }, if same_g { a.1 } else { b.1 }, b.2);
        let (ka, kb) = (Key::new(a.0, a.1, a.2), Key::new(b.0, b.1, b.2));
        prop_assert_eq!((ka.priority(), ka.g(), ka.state()), a);
        prop_assert_eq!(ka.cmp(&kb), a.0.cmp(&b.0).then(b.1.cmp(&a.1)).then(a.2.cmp(&b.2)));
    }
}
