//! The page and its pictures are what the examples draw and say.
//!
//! `WAYFARE_BLESS=1 cargo test -p wayfare-gallery` writes them.

use std::fmt::Write as _;
use std::path::Path;

use wayfare_gallery::{ALL, Drawn, Example};

/// The largest picture, in bytes.
const LARGEST: usize = 40 * 1024;

/// What stands before the examples.
const HEAD: &str = "\
# Gallery

Small programs and what they draw. Each picture is drawn by the code beside it, and each line of
output is what both languages say: `cargo test -p wayfare-gallery` checks the page, the package for
JavaScript its half of it.

[shared.rs](src/shared.rs) has what the examples in Rust share: the yard, its colours, how a moment of
a simulation is drawn. In JavaScript `wayfare` is the package of [bindings/web](../../bindings/web/README.md).
Both run in the folder of the project.
";

#[test]
fn the_page_shows_what_the_examples_draw() {
    std::env::set_current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).unwrap();
    let is_blessed = std::env::var_os("WAYFARE_BLESS").is_some();
    let folder = Path::new("docs/gallery");
    let (mut page, mut contents, mut stale) = (String::new(), String::new(), Vec::new());
    assert!(ALL.len() >= 20, "{} examples", ALL.len());
    for example in ALL {
        let Drawn { picture, says } =
            (example.draw)().unwrap_or_else(|error| panic!("{}: {error}", example.name));
        let png = picture.to_png().unwrap();
        assert!(png.len() <= LARGEST, "{}.png has {} bytes", example.name, png.len());
        let (title, section) = section(example, &says);
        let anchor: String = title.to_lowercase().replace(' ', "-");
        let anchor: String =
            anchor.chars().filter(|sign| sign.is_alphanumeric() || *sign == '-').collect();
        writeln!(contents, "* [{title}](#{anchor})").unwrap();
        page += &section;

        let file = folder.join(format!("{}.png", example.name));
        if std::fs::read(&file).ok().as_ref() != Some(&png) {
            stale.push(file.display().to_string());
            if is_blessed {
                std::fs::write(&file, png).unwrap();
            }
        }
    }
    let (file, page) = (folder.join("README.md"), format!("{HEAD}\n{contents}{page}"));
    if std::fs::read_to_string(&file).ok().as_ref() != Some(&page) {
        stale.push(file.display().to_string());
        if is_blessed {
            std::fs::write(&file, page).unwrap();
        }
    }
    assert!(
        is_blessed || stale.is_empty(),
        "{stale:?} differ from what the examples draw: WAYFARE_BLESS=1 cargo test -p wayfare-gallery"
    );
}

/// The title of an example, and its part of the page.
fn section(example: &Example, says: &str) -> (String, String) {
    let (head, code) = example.source.split_once("\n\n").unwrap();
    let lines = head.lines().map(|line| line.trim_start_matches("//!").trim());
    let mut lines = lines.filter(|line| !line.is_empty());
    let title = lines.next().unwrap().trim_start_matches("# ").to_owned();
    let text: Vec<&str> = lines.collect();
    let (name, script) = (example.name, example.script.trim_end());
    let (text, code) = (text.join("\n"), code.trim());
    let section = format!(
        "\n## {title}\n\n{text}\n\n![{title}]({name}.png)\n\n```rust,ignore\n{code}\n```\n\n```js\n{script}\n```\n\n\
         Both say: `{says}`\n"
    );
    (title, section)
}
