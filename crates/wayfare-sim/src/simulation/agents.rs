//! An agent as the simulation keeps it.

use glam::Vec3;
use wayfare_core::link::LinkId;
use wayfare_core::search::NamedAlgorithm;

use super::Trouble;
use super::errand::Errand;
use super::evasion::Evasion;
use crate::agent::{Activity, AgentLimits, Behaviour, Body, GroupId, Mind, Rail, Source, TeamId};
use crate::plan::ClassId;

/// The condition of an agent on its rail and at links.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) enum Way {
    /// On its own feet.
    Free,
    /// In the queue at the entrance.
    Waiting(LinkId),
    /// Committed: it comes out at the other end.
    Inside { link: LinkId, since: u64, until: u64 },
    /// Built in, without open ground near: it stands until the world changes.
    Stuck,
    /// It was taken away.
    Gone,
}

#[derive(Clone, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Agent<State> {
    pub(super) name: String,
    pub(super) team: TeamId,
    pub(super) class: ClassId,
    pub(super) limits: AgentLimits,
    /// Its largest speed at present, if it is not that of its limits: pursuit and flight may have
    /// one of their own.
    pub(super) pace: Option<f32>,
    /// The largest speed that its group leaves it, if it is in one on the march.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(super) march: Option<f32>,
    /// The group that it is in.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(super) group: Option<GroupId>,
    /// The algorithm of its paths, if it is not the planner's.
    pub(super) algorithm: Option<NamedAlgorithm>,
    pub(super) behaviours: Vec<Behaviour>,
    pub(super) mind: Mind,
    pub(super) body: Body,
    pub(super) rail: Rail<State>,
    pub(super) errand: Errand<State>,
    /// Whether the world has changed near the rail, so that another path may be better.
    pub(super) is_doubtful: bool,
    pub(super) way: Way,
    pub(super) activity: Activity,
    /// Why it does not carry out its intent.
    pub(super) trouble: Option<Trouble>,
    /// How often in a row its errands have failed.
    pub(super) failures: u8,
    /// Decides in this tick, out of turn.
    pub(super) is_alert: bool,
    /// Before this tick it does not decide anything.
    pub(super) asleep_until: u64,
    /// Had to stand still at once in this tick.
    pub(super) was_halted: bool,
    /// How it avoids others; `None` if it does not.
    pub(super) evasion: Option<Box<Evasion>>,
}

impl<State: wayfare_core::space::StateId> Agent<State> {
    pub(super) fn is_present(&self) -> bool {
        self.way != Way::Gone
    }

    /// Returns its limits at its present pace.
    pub(super) fn gait(&self) -> AgentLimits {
        let pace = self.pace.unwrap_or(self.limits.max_speed);
        AgentLimits { max_speed: self.march.map_or(pace, |march| pace.min(march)), ..self.limits }
    }

    /// Returns its limits at its present pace, on ground that leaves it that part of its speed.
    pub(super) fn gait_on(&self, ground_factor: f32) -> AgentLimits {
        let gait = self.gait();
        AgentLimits { max_speed: gait.max_speed * ground_factor, ..gait }
    }

    /// Returns the algorithm of a path that is wanted for that reason; `None` for the planner's.
    pub(super) fn algorithm_for(&self, source: Source) -> Option<NamedAlgorithm> {
        let ordered = (source == Source::Order).then(|| self.mind.algorithm()).flatten();
        ordered.or(self.algorithm)
    }

    pub(super) fn is_inside(&self) -> bool {
        matches!(self.way, Way::Inside { .. })
    }

    /// Returns its velocity in the world; in a link, none of its own.
    pub(super) fn velocity(&self) -> Vec3 {
        if self.is_inside() { Vec3::ZERO } else { self.body.velocity(&self.rail) }
    }

    /// Returns its speed in the world; in a link, none of its own.
    pub(super) fn own_speed(&self) -> f32 {
        if self.is_inside() { 0.0 } else { self.body.speed() }
    }

    /// Releases the body as far as the rail and its links allow, and not past the anchor of a
    /// requested path.
    pub(super) fn release(&mut self) {
        let past_link = usize::from(self.is_inside());
        self.rail.release(self.body.leg() + past_link);
        if let Some(asked) = self.errand.asked() {
            self.rail.hold_at(self.rail.end().min(asked.anchor.along));
        }
    }
}
