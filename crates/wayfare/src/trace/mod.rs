//! Observers of searches, and recorded traces.

mod mesh;
mod observer;
mod record;

pub use mesh::{MeshEvent, MeshObserver, MeshTrace};
pub use observer::{Observer, ObserverOf, Side, TraceEvent, TraceEventKind};
pub use record::{Trace, TraceHash};
