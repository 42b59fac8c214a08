//! The golden hashes as a module for WebAssembly: `run.mjs` asks for one after the other.

#[path = "../../../crates/wayfare/tests/common/golden.rs"]
mod golden;

use std::sync::OnceLock;

use golden::Golden;

static LIST: OnceLock<Vec<Golden>> = OnceLock::new();

fn golden(number: usize) -> Option<&'static Golden> {
    LIST.get_or_init(golden::all).get(number)
}

/// The number of hashes.
#[unsafe(no_mangle)]
pub extern "C" fn count() -> usize {
    LIST.get_or_init(golden::all).len()
}

/// The hash of that number; 0 beyond the last.
#[unsafe(no_mangle)]
pub extern "C" fn hash(number: usize) -> u64 {
    golden(number).map_or(0, |golden| golden.hash)
}

/// Where the name of that number begins.
#[unsafe(no_mangle)]
pub extern "C" fn name(number: usize) -> *const u8 {
    golden(number).map_or(std::ptr::null(), |golden| golden.name.as_ptr())
}

/// The length of that name in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn name_length(number: usize) -> usize {
    golden(number).map_or(0, |golden| golden.name.len())
}
