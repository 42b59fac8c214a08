//! What a search takes, on this machine.
//!
//! Time is that of the thread, which other threads hardly touch: shards need no core of their own,
//! and no thread is pinned. What several threads share, caches and the memory, they slow each other
//! down by; one thread a physical core is the most that still compares.

use std::sync::LazyLock;
use std::time::Duration;

use cpu_time::ThreadTime;
use sysinfo::{CpuRefreshKind, RefreshKind, System};
use wayfare_site::Clock;

/// Returns the clock of this thread's time, with the duration of a reading learnt once.
pub(super) fn thread_time() -> Clock {
    static CLOCK: LazyLock<Clock> =
        LazyLock::new(|| Clock::new(|| ThreadTime::now().as_duration()));
    *CLOCK
}

/// Returns the name and the processor of this machine.
pub(super) fn machine() -> &'static str {
    static MACHINE: LazyLock<String> = LazyLock::new(|| {
        let processors = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
        let system = System::new_with_specifics(processors);
        let host = System::host_name().unwrap_or_else(|| "unknown".to_owned());
        let brand = system.cpus().first().map_or("", |it| it.brand().trim());
        format!("{host}: {brand}, {} cores", system.cpus().len())
    });
    &MACHINE
}

/// Returns a clock whose nanoseconds are the instructions of this thread in user mode; `None` where
/// the kernel or the processor counts none. A search that it times has its instructions as
/// `elapsed`, without those of the check of its path.
pub(super) fn instructions() -> Option<Clock> {
    count::is_possible().then(|| {
        static CLOCK: LazyLock<Clock> =
            LazyLock::new(|| Clock::new(|| Duration::from_nanos(count::present())));
        *CLOCK
    })
}

#[cfg(target_os = "linux")]
mod count {
    use std::cell::RefCell;

    use perf_event::events::{Event, Hardware};
    use perf_event::{Builder, Counter};

    thread_local! {
        static COUNTER: RefCell<Option<Counter>> = RefCell::new(begun(Hardware::INSTRUCTIONS));
    }

    /// Returns a counter of this thread that counts; `None` where the kernel refuses it.
    pub(super) fn begun(event: impl Event) -> Option<Counter> {
        let mut counter = Builder::new(event).build().ok()?;
        counter.enable().ok()?;
        Some(counter)
    }

    pub(super) fn is_possible() -> bool {
        COUNTER.with_borrow(Option::is_some)
    }

    pub(super) fn present() -> u64 {
        COUNTER.with_borrow_mut(|counter| counter.as_mut()?.read().ok()).unwrap_or_default()
    }
}

#[cfg(not(target_os = "linux"))]
mod count {
    pub(super) fn is_possible() -> bool {
        false
    }

    pub(super) fn present() -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Instructions rise with the work, wherever they are counted at all.
    #[test]
    fn twice_the_work_is_twice_the_instructions() {
        let Some(clock) = instructions() else { return };
        let work = |rounds: u64| {
            let begun = clock.now();
            (0..rounds).for_each(|round| _ = std::hint::black_box(round));
            clock.since(begun).as_nanos() as f64
        };
        let ratio = work(2_000_000) / work(1_000_000);
        assert!((1.9..2.1).contains(&ratio), "{ratio}");
    }

    #[test]
    fn a_machine_has_a_name_and_cores() {
        assert!(machine().contains(": ") && machine().ends_with(" cores"), "{}", machine());
    }
}
