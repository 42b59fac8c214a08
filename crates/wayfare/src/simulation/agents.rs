//! An agent as the simulation keeps it.

use glam::Vec3;

use super::Trouble;
use crate::agent::{Activity, AgentLimits, Anchor, Behaviour, Body, Mind, Rail, Source, TeamId};
use crate::link::LinkId;
use crate::plan::{ClassId, Ticket};

/// How far an aim has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Stage {
    /// A path is being looked for.
    Planning,
    /// The rail leads there.
    UnderWay,
    /// The agent is there.
    Reached,
    /// There was no path.
    Failed,
}

/// Where an agent wants to be, and for whom.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Aim {
    pub(super) source: Source,
    pub(super) to: Vec3,
    pub(super) short: f32,
    pub(super) stage: Stage,
}

/// A path that was asked for.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Pending<State> {
    pub(super) ticket: Ticket,
    /// Where it is to begin.
    pub(super) anchor: Anchor<State>,
    /// The rail leads to the aim as it is: without an answer it is good enough.
    pub(super) is_spare: bool,
}

/// How an agent stands to links.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Way {
    /// On its own feet.
    Free,
    /// In the queue at the entrance.
    Waiting(LinkId),
    /// Committed: it comes out at the other end.
    Inside { link: LinkId, since: u64, until: u64 },
}

/// What a change of the world means for the rail.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Rethink {
    /// Nothing.
    #[default]
    No,
    /// Another path may be better.
    Perhaps,
    /// The rail does not lead there any more.
    Must,
}

#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Agent<State> {
    pub(super) name: String,
    pub(super) team: TeamId,
    pub(super) class: ClassId,
    pub(super) limits: AgentLimits,
    pub(super) behaviours: Vec<Behaviour>,
    pub(super) mind: Mind,
    pub(super) body: Body,
    pub(super) rail: Rail<State>,
    pub(super) aim: Option<Aim>,
    pub(super) pending: Option<Pending<State>>,
    pub(super) way: Way,
    pub(super) activity: Activity,
    /// Why it does not do what it wants.
    pub(super) trouble: Option<Trouble>,
    pub(super) failures: u8,
    pub(super) retry_at: u64,
    /// Decides in this tick, whoever's turn it is.
    pub(super) is_alert: bool,
    pub(super) rethink: Rethink,
    /// Before this tick it does not decide anything.
    pub(super) asleep_until: u64,
    pub(super) is_present: bool,
    /// Was built in, and there is no open ground near: it stands until the world changes.
    pub(super) is_stuck: bool,
    /// Had to stand still at once in this tick.
    pub(super) was_halted: bool,
}

impl<State: crate::space::StateId> Agent<State> {
    pub(super) fn is_inside(&self) -> bool {
        matches!(self.way, Way::Inside { .. })
    }

    /// Its velocity in the world; in a link, none of its own.
    pub(super) fn velocity(&self) -> Vec3 {
        if self.is_inside() { Vec3::ZERO } else { self.body.velocity(&self.rail) }
    }

    /// Lets the body go on as far as the rail and its links allow, and not past where the path that was asked for is to begin.
    pub(super) fn release(&mut self) {
        let past_link = usize::from(self.is_inside());
        self.rail.release(self.body.leg() + past_link);
        if let Some(pending) = &self.pending {
            self.rail.hold_at(self.rail.end().min(pending.anchor.along));
        }
    }
}
