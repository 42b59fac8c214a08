//! Writes the JavaScript and the TypeScript types that go with a WebAssembly module.
//!
//! `wayfare-bindgen MODULE.wasm FOLDER`. The program `wasm-bindgen` does the same, but does not
//! install from its lock file; these lines do.

use std::error::Error;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

fn run(module: &str, folder: &str) -> Result<(), Box<dyn Error>> {
    // One module for the page, its worker and Node: each loads the bytes in its own way.
    Ok(Bindgen::new()
        .input_path(module)
        .web(true)?
        .typescript(true)
        .remove_name_section(true)
        .remove_producers_section(true)
        .generate(folder)?)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, folder] = &arguments[..] else {
        eprintln!("usage: wayfare-bindgen MODULE.wasm FOLDER");
        return ExitCode::from(2);
    };
    match run(module, folder) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
