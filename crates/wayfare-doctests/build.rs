//! Gathers the examples in the documentation of the engine's crates.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// The crates whose examples are programs of the facade.
const CRATES: [&str; 8] = ["core", "crowd", "grid", "index", "mesh", "puzzle", "sim", "voxel"];

fn main() -> io::Result<()> {
    let mut examples = String::new();
    for name in CRATES {
        let source = PathBuf::from(format!("../wayfare-{name}/src"));
        println!("cargo::rerun-if-changed={}", source.display());
        gather(&source, name, &mut examples)?;
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

/// Adds the fenced blocks of the doc comments of a file: a module each, by file and line.
fn add(text: &str, name: &str, examples: &mut String) {
    let mut block: Option<(usize, String)> = None;
    for (line, text) in (1..).zip(text.lines()) {
        let text = text.trim_start();
        let Some(doc) = text.strip_prefix("///").or_else(|| text.strip_prefix("//!")) else {
            assert!(block.is_none(), "{name}: the block before line {line} has no end");
            continue;
        };
        let doc = doc.strip_prefix(' ').unwrap_or(doc);
        let is_fence = doc.trim_start().starts_with("```");
        match &mut block {
            None if is_fence => block = Some((line, format!("{doc}\n"))),
            None => {}
            Some((_, code)) => {
                code.push_str(doc);
                code.push('\n');
                if is_fence && let Some((line, code)) = block.take() {
                    writeln!(examples, "#[doc = {code:?}]\nmod {name}_{line} {{}}")
                        .expect("a string takes any text");
                }
            }
        }
    }
}
