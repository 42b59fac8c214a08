//! One run of a simulation: its record while it goes on, and its outcome.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use wayfare::agent::{Activity, AgentId};
use wayfare::simulation::{Event, TickEvents};
use wayfare_site::SimulationSession;

/// The outcome of a run. All numbers are integers: they are the same after a checkpoint.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Outcome {
    pub(super) seed: u64,
    pub(super) result: Result<Finished, String>,
}

/// The outcome of a run that could be played.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Finished {
    pub(super) ticks: u64,
    /// The length of a tick in seconds, as the bits of a 32-bit float.
    tick: u32,
    /// The agents at the beginning.
    pub(super) agents: u32,
    pub(super) arrived: u32,
    pub(super) removed: u32,
    /// The ticks after which agents arrived for good or were removed, ascending.
    gone: Vec<u64>,
    pub(super) hash: u64,
    /// Why agents have no path at the end.
    pub(super) no_way: Option<String>,
}

impl Finished {
    fn seconds_of(&self, ticks: u64) -> f64 {
        ticks as f64 * f64::from(f32::from_bits(self.tick))
    }

    /// Returns the simulated time in seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.seconds_of(self.ticks)
    }

    /// Returns the seconds after which agents arrived for good or were removed, ascending.
    pub(super) fn gone(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        self.gone.iter().map(|&ticks| self.seconds_of(ticks) as f32)
    }

    /// Returns the seconds after which all agents of the beginning were gone; `None` if some stay.
    pub(super) fn cleared(&self) -> Option<f32> {
        if self.gone.len() < self.agents as usize { None } else { self.gone().last() }
    }
}

/// The events of a run, agent by agent.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub(super) struct Watch {
    /// The agents at the beginning.
    agents: u32,
    fates: BTreeMap<u32, Fate>,
}

/// What became of an agent, as far as its last events tell.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Default, Debug)]
struct Fate {
    /// The tick after which it was at its goal, unless it set out again.
    arrived: Option<u64>,
    /// The tick after which it was removed.
    removed: Option<u64>,
    /// Why it has no path.
    no_way: Option<String>,
    /// Whether it has more to do than its last order.
    is_busy: bool,
}

impl Watch {
    /// Returns the record of a run that begins.
    pub(super) fn new(simulation: &dyn SimulationSession) -> Self {
        let mut agents = 0;
        simulation.for_each_agent(&mut |_| agents += 1);
        Self { agents, fates: BTreeMap::new() }
    }

    /// Records the events of a tick, after which `now` ticks are completed.
    pub(super) fn follow(&mut self, events: &TickEvents, now: u64) {
        for event in &events.events {
            let Some(AgentId(agent)) = event.agent() else { continue };
            let fate = self.fates.entry(agent);
            match event {
                Event::Arrived(_) => {
                    let fate = fate.or_default();
                    (fate.arrived, fate.no_way) = (Some(now), None);
                }
                Event::Departed(_) => {
                    let fate = fate.or_default();
                    (fate.arrived, fate.no_way) = (None, None);
                }
                Event::NoPath { reason, .. } => {
                    let fate = fate.or_default();
                    (fate.arrived, fate.no_way) = (None, Some(reason.to_string()));
                }
                Event::Decided(_, activity) => {
                    let is_done =
                        matches!(activity, Activity::Idle | Activity::Ordered { left: 1 });
                    fate.or_default().is_busy = !is_done;
                }
                Event::Removed(_) => fate.or_default().removed = Some(now),
                _ => {}
            }
        }
    }

    /// Returns the outcome of a run that is over.
    pub(super) fn finish(self, simulation: &dyn SimulationSession) -> Finished {
        let present = || self.fates.values().filter(|fate| fate.removed.is_none());
        let removed = self.fates.values().filter_map(|fate| fate.removed);
        let arrived = present().filter(|fate| !fate.is_busy).filter_map(|fate| fate.arrived);
        let (mut gone, arrived): (Vec<u64>, Vec<u64>) = (removed.collect(), arrived.collect());
        let counts = [arrived.len(), gone.len()].map(|count| count as u32);
        gone.extend(arrived);
        gone.sort_unstable();
        Finished {
            ticks: simulation.now(),
            tick: simulation.settings().tick_seconds.to_bits(),
            agents: self.agents,
            arrived: counts[0],
            removed: counts[1],
            gone,
            hash: simulation.hash(),
            no_way: self.no_way(simulation),
        }
    }

    /// Returns why agents have no path: the words of the first of them, and how many there are.
    fn no_way(&self, simulation: &dyn SimulationSession) -> Option<String> {
        if let Some(told) = simulation.unsolved().into_iter().next() {
            return Some(told);
        }
        let stuck = self.fates.iter().filter(|(_, fate)| fate.removed.is_none());
        let mut stuck = stuck.filter_map(|(&agent, fate)| Some((agent, fate.no_way.as_ref()?)));
        let (agent, why) = stuck.next()?;
        let others = stuck.count();
        let mut name = format!("agent {agent}");
        simulation.for_each_agent(&mut |record| {
            if record.agent == agent {
                record.name.clone_into(&mut name);
            }
        });
        // The session knows which door is shut, as long as the agent has not given up.
        let told = simulation.occupation(agent).filter(|occupation| occupation.is_troubled);
        let told = told.map_or_else(|| why.clone(), |occupation| occupation.text);
        Some(match others {
            0 => format!("{name}: {told}"),
            _ => format!("{name} and {others} more: {told}"),
        })
    }
}
