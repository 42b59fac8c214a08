//! Faults on order, for tests of what happens after one.
//!
//! `WAYFARE_FAULTS` names a folder. At a point of a shard's life the worker looks for a token
//! there, a file `POINT-SHARD` as `begun-3`, and takes it by removing it: of several workers one
//! gets it, so each token makes one fault. Points: `begun`, before the first row; `tick`, before a
//! tick of a run, whose number follows the word in the token; `solved`, before the file is written;
//! `written`, after it. What the token says:
//!
//! | text | what happens |
//! |---|---|
//! | `fail` | the store fails |
//! | `wait` | `POINT-SHARD.waiting` is written, and the worker waits until it is removed |
//! | `wait 137` | the same at the point `tick`, before tick 137 |

use std::io;
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::BatchError;

/// The longest wait: a test that was killed leaves no worker behind.
const LONGEST: Duration = Duration::from_secs(120);

/// Takes the token of a point, if there is one, and does what it says.
pub(crate) fn at(point: &str, shard: usize) -> Result<(), BatchError> {
    let Some((token, order)) = token_of(point, shard) else { return Ok(()) };
    take(&token, order.trim())
}

/// Takes the token of a tick, if there is one for it, and does what it says.
pub(crate) fn at_tick(shard: usize, tick: u64) -> Result<(), BatchError> {
    let Some((token, order)) = token_of("tick", shard) else { return Ok(()) };
    match order.split_once(' ') {
        Some((word, number)) if number.trim().parse() == Ok(tick) => take(&token, word),
        _ => Ok(()),
    }
}

/// Returns the path and the text of a token, if it is there.
fn token_of(point: &str, shard: usize) -> Option<(PathBuf, String)> {
    let token = PathBuf::from(std::env::var_os("WAYFARE_FAULTS")?).join(format!("{point}-{shard}"));
    let order = std::fs::read_to_string(&token).ok()?;
    Some((token, order))
}

fn take(token: &Path, order: &str) -> Result<(), BatchError> {
    if std::fs::remove_file(token).is_err() {
        return Ok(()); // another worker was faster
    }
    match order {
        "fail" => {
            let error = io::Error::other("a fault that was ordered");
            Err(BatchError::store(token.display(), error))
        }
        "wait" => {
            let sign = token.with_extension("waiting");
            std::fs::write(&sign, std::process::id().to_string())
                .map_err(|error| BatchError::store(sign.display(), error))?;
            let begun = Instant::now();
            while sign.exists() && begun.elapsed() < LONGEST {
                sleep(Duration::from_millis(10));
            }
            Ok(())
        }
        other => {
            Err(BatchError::faulty(token.display(), format!("'{other}' is neither fail nor wait")))
        }
    }
}
