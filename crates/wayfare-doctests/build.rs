//! Gathers the examples in the documentation of the engine's crates, the READMEs and the guides.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The crates whose examples are programs of the facade.
const CRATES: [&str; 15] = [
    "bake", "core", "crowd", "draw", "formats", "generate", "grid", "index", "mapf", "measure",
    "mesh", "puzzle", "scene", "sim", "voxel",
];

/// The condition of the examples with SQLite.
const SQLITE: &str = "#[cfg(feature = \"sqlite\")]\n";

fn main() -> io::Result<()> {
    let mut examples = String::new();
    for name in CRATES {
        let source = PathBuf::from(format!("../wayfare-{name}/src"));
        println!("cargo::rerun-if-changed={}", source.display());
        gather(&source, name, &mut examples)?;
        add_document(Path::new(&format!("../wayfare-{name}/README.md")), name, &mut examples)?;
    }
    gather(Path::new("../wayfare/src"), "wayfare", &mut examples)?;
    add_document(Path::new("../../README.md"), "root", &mut examples)?;
    add_document(Path::new("../wayfare/README.md"), "facade", &mut examples)?;
    for entry in fs::read_dir("../../docs/guides")? {
        add_document(&entry?.path(), "guide", &mut examples)?;
    }
    assert!(examples.matches("mod ").count() > 300, "hardly any example: has the source moved?");
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(folder.join("examples.rs"), examples)
}

/// Adds the examples below a folder, in a fixed order.
fn gather(folder: &Path, name: &str, examples: &mut String) -> io::Result<()> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    paths.sort_unstable();
    for path in paths {
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let name = format!("{name}_{stem}");
        if path.is_dir() {
            gather(&path, &name, examples)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            add(&fs::read_to_string(&path)?, &name, examples);
        }
    }
    Ok(())
}

/// Adds the fenced blocks of a document, if there is one.
fn add_document(path: &Path, name: &str, examples: &mut String) -> io::Result<()> {
    println!("cargo::rerun-if-changed={}", path.display());
    if !path.exists() {
        return Ok(());
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().replace('-', "_");
    let commented: String =
        fs::read_to_string(path)?.lines().map(|line| format!("/// {line}\n")).collect();
    add(&commented, &format!("{name}_{}", stem.to_lowercase()), examples);
    Ok(())
}

/// Adds the fenced blocks of the doc comments of a file: a module each, by file and line.
fn add(text: &str, name: &str, examples: &mut String) {
    let (mut block, mut is_skipped): (Option<(usize, String)>, bool) = (None, false);
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim_start();
        let Some(doc) = text.strip_prefix("///").or_else(|| text.strip_prefix("//!")) else {
            // The example of a macro, in parts: a test of its crate has it.
            let is_of_macro = text.starts_with("#[doc = concat!");
            assert!(
                block.is_none() || is_of_macro,
                "{name}: the block before line {line} has no end"
            );
            is_skipped |= is_of_macro && block.take().is_some();
            continue;
        };
        let doc = doc.strip_prefix(' ').unwrap_or(doc);
        let is_fence = doc.trim_start().starts_with("```");
        match &mut block {
            None if is_skipped => is_skipped = !is_fence,
            None if is_fence => block = Some((line, format!("{doc}\n"))),
            None => {}
            Some((_, code)) => {
                code.push_str(doc);
                code.push('\n');
                if is_fence && let Some((line, code)) = block.take() {
                    // A feature that compiles a database.
                    let condition = if name.ends_with("_sqlite") { SQLITE } else { "" };
                    writeln!(examples, "{condition}#[doc = {code:?}]\nmod {name}_{line} {{}}")
                        .expect("a string takes any text");
                }
            }
        }
    }
}
