//! An agent as the simulation keeps it.

use glam::Vec3;
use wayfare_core::link::LinkId;
use wayfare_core::search::NamedAlgorithm;

use crate::agent::{Activity, AgentLimits, Behaviour, Body, GroupId, Mind, Rail, Source, TeamId};
use crate::plan::ClassId;
use crate::simulation::Trouble;
use crate::simulation::clock::Clock;
use crate::simulation::roster::Errand;
use crate::simulation::roster::evasion::Evasion;

/// The condition of an agent on its rail and at links.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(in crate::simulation) enum Way {
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
pub(in crate::simulation) struct Agent<State> {
    pub(in crate::simulation) name: String,
    /// The caller's. In no hash: it moves nothing.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(in crate::simulation) user_data: u64,
    pub(in crate::simulation) team: TeamId,
    pub(in crate::simulation) class: ClassId,
    pub(in crate::simulation) limits: AgentLimits,
    /// Its largest speed at present, if it is not that of its limits: pursuit and flight may have
    /// one of their own.
    pub(in crate::simulation) pace: Option<f32>,
    /// The largest speed that its group leaves it, if it is in one on the march.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(in crate::simulation) march: Option<f32>,
    /// The group that it is in.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(in crate::simulation) group: Option<GroupId>,
    /// The algorithm of its paths, if it is not the planner's.
    pub(in crate::simulation) algorithm: Option<NamedAlgorithm>,
    pub(in crate::simulation) behaviours: Vec<Behaviour>,
    pub(in crate::simulation) mind: Mind,
    pub(in crate::simulation) body: Body,
    pub(in crate::simulation) rail: Rail<State>,
    pub(in crate::simulation) errand: Errand<State>,
    /// Whether the world has changed near the rail, so that another path may be better.
    pub(in crate::simulation) is_doubtful: bool,
    pub(in crate::simulation) way: Way,
    pub(in crate::simulation) activity: Activity,
    /// Whether none of its behaviours' points has been looked at yet.
    #[cfg_attr(feature = "serde", serde(default))]
    pub(in crate::simulation) has_new_behaviours: bool,
    /// Why it does not carry out its intent.
    pub(in crate::simulation) trouble: Option<Trouble>,
    /// How often in a row its errands have failed.
    pub(in crate::simulation) failures: u8,
    /// Decides in this tick, out of turn.
    pub(in crate::simulation) is_alert: bool,
    /// Before this tick it does not decide anything.
    pub(in crate::simulation) asleep_until: u64,
    /// Had to stand still at once in this tick.
    pub(in crate::simulation) was_halted: bool,
    /// How it avoids others; `None` if it does not.
    pub(in crate::simulation) evasion: Option<Box<Evasion>>,
}

impl<State: wayfare_core::space::StateId> Agent<State> {
    pub(in crate::simulation) fn is_present(&self) -> bool {
        self.way != Way::Gone
    }

    /// Returns its limits at its present pace.
    pub(in crate::simulation) fn gait(&self) -> AgentLimits {
        let pace = self.pace.unwrap_or(self.limits.max_speed);
        AgentLimits { max_speed: self.march.map_or(pace, |march| pace.min(march)), ..self.limits }
    }

    /// Returns its limits at its present pace, on ground that leaves it that part of its speed.
    pub(in crate::simulation) fn gait_on(&self, ground_factor: f32) -> AgentLimits {
        let gait = self.gait();
        AgentLimits { max_speed: gait.max_speed * ground_factor, ..gait }
    }

    /// Returns the algorithm of a path that is wanted for that reason; `None` for the planner's.
    pub(in crate::simulation) fn algorithm_for(&self, source: Source) -> Option<NamedAlgorithm> {
        let ordered = (source == Source::Order).then(|| self.mind.algorithm()).flatten();
        ordered.or(self.algorithm)
    }

    pub(in crate::simulation) fn is_inside(&self) -> bool {
        matches!(self.way, Way::Inside { .. })
    }

    /// Returns its velocity in the world; in a link, none of its own.
    pub(in crate::simulation) fn velocity(&self) -> Vec3 {
        if self.is_inside() { Vec3::ZERO } else { self.body.velocity(&self.rail) }
    }

    /// Returns its speed in the world; in a link, none of its own.
    pub(in crate::simulation) fn own_speed(&self) -> f32 {
        if self.is_inside() { 0.0 } else { self.body.speed() }
    }

    /// Releases the body as far as the rail and its links allow, and not past the anchor of a
    /// requested path.
    pub(in crate::simulation) fn release(&mut self) {
        let past_link = usize::from(self.is_inside());
        self.rail.release(self.body.leg() + past_link);
        if let Some(asked) = self.errand.asked() {
            self.rail.hold_at(self.rail.end().min(asked.anchor.along));
        }
    }

    /// Handles the end of its rail. Returns whether that is its goal.
    pub(in crate::simulation) fn arrive(&mut self, clock: &Clock) -> bool {
        if self.errand.aim().is_none() {
            self.trouble = None; // whatever it was, it is over
        }
        let is_at_goal = self.errand.arrive();
        if is_at_goal {
            self.conclude(clock);
        }
        is_at_goal
    }

    /// Concludes its errand at the goal.
    pub(in crate::simulation) fn conclude(&mut self, clock: &Clock) {
        let Some(aim) = self.errand.aim() else { return };
        self.mind.arrived(aim.source, &self.behaviours, clock.now, clock.tick());
        (self.trouble, self.is_alert) = (None, true);
    }

    /// Returns whether its body has made hardly any progress for a second.
    pub(in crate::simulation) fn is_jammed(&self) -> bool {
        self.evasion.as_ref().is_some_and(|evasion| evasion.stuck >= 1.0)
    }
}
