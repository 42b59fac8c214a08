//! Wayfare beside its peers, in one run.
//!
//! ```text
//! cargo run --release -p wayfare-bench            # every map found
//! cargo run --release -p wayfare-bench -- brc202d # maps whose name contains the word
//! cargo run --release -p wayfare-bench -- voxel [WORD] [QUERIES] [first] # flying in voxel worlds, beside a dense A*
//! cargo run --release -p wayfare-bench -- voxel-walk # walking over a voxel terrain of 512 x 128 x 512 blocks
//! ```
//!
//! Maps come from the folder named by `WAYFARE_DATA` (Moving AI maps with their queries under `grid/`) and, where that is unset, from the
//! project's own `worlds/`. Every query is answered by both, one after the other, under the same rules: eight neighbours,
//! corners not cut, lengths checked against the file's. Times are of the thread that answers; the ratio is what counts.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a program that prints a table")]

mod dense3d;
mod maps;
mod ours;
mod peer;
mod report;
mod terrain3d;
mod voxels;

use std::process::ExitCode;

/// At most this many queries a map, spread evenly over the file: the peer takes 20 ms for some of them.
const QUERIES: usize = 300;

fn main() -> ExitCode {
    let filter = std::env::args().nth(1).unwrap_or_default();
    if filter == "voxel" {
        return voxel_worlds();
    }
    if filter == "voxel-walk" {
        return match terrain3d::run(QUERIES) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => {
                eprintln!("error: {message}");
                ExitCode::from(3)
            }
        };
    }
    let maps = match maps::find(&filter) {
        Ok(maps) => maps,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(3);
        }
    };
    report::head();
    let mut all_optimal = true;
    for path in maps {
        match maps::load(&path, QUERIES) {
            Ok(map) => all_optimal &= report::row(&map, &ours::measure(&map), &peer::measure(&map)),
            Err(message) => {
                eprintln!("error: {message}");
                return ExitCode::from(3);
            }
        }
    }
    report::foot();
    if all_optimal { ExitCode::SUCCESS } else { ExitCode::from(4) }
}

fn voxel_worlds() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(2).collect();
    let word = arguments.first().map_or("", String::as_str);
    let most = arguments.get(1).and_then(|count| count.parse().ok()).unwrap_or(QUERIES);
    match voxels::run(word, most, arguments.iter().any(|argument| argument == "first")) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(4),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::from(3)
        }
    }
}
