//! How a planner is set up.

/// How a planner is set up.
///
/// A planner uses the memory of one [`Scratch`](wayfare_core::search::Scratch) for each slot, for
/// the local lane and for each kept field.
///
/// Example: [`Planner`](super::Planner).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PlannerSettings {
    /// The count of concurrent searches, at least 1. They share the budget equally; with the
    /// feature `rayon`, each may run on a thread of its own. Default: 4.
    pub slots: usize,
    /// The share of each tick's budget, in per cent, that goes to the lane for short queries first:
    /// 0 to 100. The unused rest goes to the other queries. At 0 there is no such lane. Default:
    /// 25.
    pub local_percent: u8,
    /// How many [units of work](wayfare_core::navigate::work) a query in the lane for short queries
    /// may take before it moves to the normal lane. Default: 2,000.
    pub local_work: u64,
    /// How many ticks of waiting a step of priority is worth. A request is overtaken by none that
    /// arrives later than that many ticks times the difference of their priorities, so that none
    /// starves. Default: 1.
    pub ticks_per_priority: u32,
    /// The least count of waiting requests of one class and goal that one backward field answers,
    /// unless past searches were so short that separate ones cost less. 0: never. Default: 4.
    pub coalesce_from: usize,
    /// How many fields are kept for later requests to the same goals. Default: 4.
    pub kept_fields: usize,
    /// The most [units of work](wayfare_core::navigate::work) owed for the repair of fields after
    /// edits. Ticks pay the debt with up to half their budgets. A field whose repair would exceed
    /// it is dropped. Raising it keeps fields across larger edits, and makes such an edit take
    /// longer. 0: a field that an edit touched is dropped. Default: 20,000.
    pub repair_work: u64,
    /// The largest region, in states, that is remembered as cut off from everything else. Default:
    /// 4,096.
    pub negative_states: u64,
    /// How many such regions are remembered. Default: 32.
    pub negative_regions: usize,
}

impl Default for PlannerSettings {
    fn default() -> Self {
        Self {
            slots: 4,
            local_percent: 25,
            local_work: 2_000,
            ticks_per_priority: 1,
            coalesce_from: 4,
            kept_fields: 4,
            repair_work: 20_000,
            negative_states: 4_096,
            negative_regions: 32,
        }
    }
}
