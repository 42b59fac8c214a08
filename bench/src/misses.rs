//! Cache misses of timed stretches, where the system lets a program count its own.

#[cfg(target_os = "linux")]
mod counter {
    use std::cell::RefCell;

    use perf_event::events::Hardware;
    use perf_event::{Builder, Counter};

    thread_local! {
        static COUNTER: RefCell<Option<Counter>> = const { RefCell::new(None) };
    }

    /// Begins to count on this thread from zero.
    ///
    /// # Errors
    /// Why the system does not count.
    pub(crate) fn open() -> std::io::Result<()> {
        let counter = Builder::new().kind(Hardware::CACHE_MISSES).build()?;
        COUNTER.set(Some(counter));
        Ok(())
    }

    fn with<T>(work: impl FnOnce(&mut Counter) -> std::io::Result<T>) -> Option<T> {
        COUNTER.with_borrow_mut(|counter| counter.as_mut().and_then(|counter| work(counter).ok()))
    }

    /// A timed stretch begins.
    pub(crate) fn start() {
        with(Counter::enable);
    }

    /// A timed stretch ends.
    pub(crate) fn stop() {
        with(Counter::disable);
    }

    /// Counts from zero again.
    pub(crate) fn forget() {
        with(Counter::reset);
    }

    /// The misses of all stretches so far; `None` if the system does not count them.
    pub(crate) fn counted() -> Option<u64> {
        with(Counter::read)
    }
}

#[cfg(not(target_os = "linux"))]
mod counter {
    pub(crate) fn open() -> std::io::Result<()> {
        Err(std::io::ErrorKind::Unsupported.into())
    }
    pub(crate) fn start() {}
    pub(crate) fn stop() {}
    pub(crate) fn forget() {}
    pub(crate) fn counted() -> Option<u64> {
        None
    }
}

pub(crate) use counter::{counted, forget, open, start, stop};
