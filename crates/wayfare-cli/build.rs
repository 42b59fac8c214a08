//! Packs the built page into the program, where the feature `studio` asks for it.
//!
//! Writes `page.rs`: the list `PACKED` of the page's files, by path, each compressed by gzip.
//! Without the feature the list is empty.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var("OUT_DIR")?;
    let mut list = String::from("const PACKED: &[(&str, &[u8])] = &[\n");
    for (path, packed) in packed(Path::new(&out))? {
        list += &format!("    ({path:?}, include_bytes!({packed:?})),\n");
    }
    fs::write(Path::new(&out).join("page.rs"), list + "];\n")?;
    Ok(())
}

#[cfg(not(feature = "studio"))]
fn packed(_: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    Ok(Vec::new())
}

/// The files of the page by path, and where each lies compressed.
#[cfg(feature = "studio")]
fn packed(out: &Path) -> Result<Vec<(String, String)>, Box<dyn Error>> {
    use std::io::Write;

    println!("cargo::rerun-if-env-changed=WAYFARE_STUDIO_PAGE");
    // In a clone a link to where studio/build puts the page; in the published package its files.
    let own = || Some(Path::new(&env::var_os("CARGO_MANIFEST_DIR")?).join("page"));
    let page = env::var_os("WAYFARE_STUDIO_PAGE").map(Into::into).or_else(own);
    let page = page.ok_or("cargo sets CARGO_MANIFEST_DIR")?;
    // Cargo does not look behind the link for changes.
    let page = fs::canonicalize(&page).unwrap_or(page);
    println!("cargo::rerun-if-changed={}", page.display());
    if !page.join("index.html").is_file() {
        println!(
            "cargo::error=the feature `studio` packs the built page into the program, and {} holds \
             none: run studio/build first (Node 20 and npm), or name the folder of a built page in \
             WAYFARE_STUDIO_PAGE",
            page.display()
        );
        return Ok(Vec::new());
    }
    let mut files = Vec::new();
    let mut folders = vec![page.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.push(path);
            }
        }
    }
    files.sort();
    let mut packed = Vec::new();
    for (number, file) in files.iter().enumerate() {
        let name: Vec<&str> =
            file.strip_prefix(&page)?.iter().filter_map(|part| part.to_str()).collect();
        let to = out.join(format!("{number}.gz"));
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&fs::read(file)?)?;
        fs::write(&to, encoder.finish()?)?;
        packed.push((name.join("/"), to.display().to_string()));
    }
    Ok(packed)
}
