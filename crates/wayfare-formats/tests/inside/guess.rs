//! Properties of tiles that say whether they can be walked.

use wayfare_formats::inside::tested::guess::declared;

#[test]
fn properties_that_declare() {
    assert_eq!(declared("walkable", "false"), Some(false));
    assert_eq!(declared("Collides", "true"), Some(false));
    assert_eq!(declared("solid", "false"), Some(true));
    assert_eq!(declared("solid", "3"), None);
    assert_eq!(declared("sound", "true"), None);
}
