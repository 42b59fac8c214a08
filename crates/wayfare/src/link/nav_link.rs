//! A navigation link as it is described.

use std::num::NonZeroU16;

use crate::space::{Obstruction, StateId};

/// The number of a link: links are numbered in the order in which they were added.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LinkId(pub u32);

/// What a link is, for pictures and animations. Searches treat all alike.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LinkKind {
    /// A way through: a tunnel, a bridge.
    #[default]
    Passage,
    /// A door.
    Door,
    /// A ladder.
    Ladder,
    /// From one end to the other without the way between.
    Teleport,
    /// A lift.
    Lift,
}

/// How long it takes to get through a link.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Crossing {
    /// That many seconds: finite, 0 or more.
    Seconds(f32),
    /// At that many metres a second over the straight distance between the ends: finite, above 0.
    Speed(f32),
}

/// Who may enter a link.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Gate {
    /// Anyone.
    #[default]
    Open,
    /// Nobody.
    Closed,
    /// Those who hold all of the link's keys.
    Locked,
}

/// A set of keys, or of capabilities that work as such: one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Keys(pub u32);

impl Keys {
    /// No keys.
    pub const NONE: Self = Self(0);

    /// Whether all of `other`'s keys are among these.
    #[inline]
    #[must_use]
    pub fn include(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Both sets together.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// A link between two states.
#[derive(Clone, Copy, PartialEq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct NavLink<State> {
    /// Where it begins.
    pub from: State,
    /// Where it ends.
    pub to: State,
    /// Whether it can be entered at both ends. Default `true`.
    pub two_way: bool,
    /// What it is. Default: a passage.
    pub kind: LinkKind,
    /// How long it takes to get through.
    pub crossing: Crossing,
    /// How many agents it holds at a time. Default: any number. Searches do not ask; they see the posted wait.
    pub capacity: Option<NonZeroU16>,
    /// Who may enter. Default: anyone.
    pub gate: Gate,
    /// The keys that open it where it is locked. Default: none, so that a lock alone keeps nobody out.
    pub key: Keys,
}

impl<State: StateId> NavLink<State> {
    /// An open passage, both ways.
    #[must_use]
    pub fn new(from: State, to: State, crossing: Crossing) -> Self {
        Self {
            from,
            to,
            two_way: true,
            kind: LinkKind::default(),
            crossing,
            capacity: None,
            gate: Gate::default(),
            key: Keys::NONE,
        }
    }

    /// The same link, to be entered at `from` alone.
    #[must_use]
    pub fn one_way(self) -> Self {
        Self { two_way: false, ..self }
    }

    /// The same link, of that kind.
    #[must_use]
    pub fn kind(self, kind: LinkKind) -> Self {
        Self { kind, ..self }
    }

    /// The same link, holding at most that many agents at a time.
    #[must_use]
    pub fn capacity(self, agents: NonZeroU16) -> Self {
        Self { capacity: Some(agents), ..self }
    }

    /// The same link, with that gate.
    #[must_use]
    pub fn gate(self, gate: Gate) -> Self {
        Self { gate, ..self }
    }

    /// The same link, locked, for holders of those keys.
    #[must_use]
    pub fn locked(self, key: Keys) -> Self {
        Self { gate: Gate::Locked, key, ..self }
    }

    /// Whether an agent that holds those keys may enter.
    #[inline]
    #[must_use]
    pub fn admits(&self, keys: Keys) -> bool {
        match self.gate {
            Gate::Open => true,
            Gate::Closed => false,
            Gate::Locked => keys.include(self.key),
        }
    }
}

/// Why a link cannot be.
#[derive(Clone, Copy, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NavLinkError {
    /// Nobody can stand where it begins.
    #[error("the link's beginning {0}")]
    From(Obstruction),
    /// Nobody can stand where it ends.
    #[error("the link's end {0}")]
    To(Obstruction),
    /// It ends where it begins.
    #[error("the link ends where it begins")]
    Loop,
    /// The crossing takes a time that is not a finite number of seconds, 0 or more.
    #[error("the crossing takes {0} seconds; it must be a finite number, 0 or more")]
    Seconds(f32),
    /// The speed is not a finite number above 0.
    #[error("the speed in the link is {0} metres a second; it must be a finite number above 0")]
    Speed(f32),
    /// There are more links than can be numbered.
    #[error("there are more than {0} links")]
    TooMany(usize),
}
