//! Observers of searches, and recorded traces.

mod observer;
mod record;

pub use observer::{Event, EventKind, Observer, ObserverOf, Side};
pub use record::{Trace, TraceHash};
