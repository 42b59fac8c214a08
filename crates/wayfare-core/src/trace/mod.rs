//! Observers of searches, and recorded traces.

mod observer;
mod record;

pub use observer::{Observer, ObserverOf, Side, TraceEvent, TraceEventKind};
pub use record::{Trace, TraceHash};
