//! The links of a scene as an agent with certain keys meets them, and the danger that it knows of.

use std::collections::BTreeMap;
use std::num::NonZeroU16;

use wayfare::link::{
    Gate, GateRemedy, Keys, LinkId, LinkKind, LinkedSpace, NavLinks, gate_remedies_by,
};
use wayfare::search::{FullSpace, NoPath, QueryOf, solve_erased};
use wayfare::simulation::{Environment, Shape};
use wayfare::space::{Action, InfluenceRule, ProfileId, Space, StateId};
use wayfare_scene::SceneLinks;
use wayfare_scene::scene::Scene;
#[cfg(feature = "pictures")]
use {
    wayfare::link::Danger,
    wayfare_draw::{Colour, LinkArc},
};

use crate::answered::{path_steps, query};
use crate::movement::{Change, MovementPart};
use crate::owner::{Measured, Owner};
use crate::{Endpoints, LinkLayout, OpenedPath, PathStep, SearchRequest, SiteError};

/// The most shut links that are opened one by one.
const MOST_TRIED: usize = 64;

/// The most links that a reason names.
const MOST_NAMED: usize = 3;

/// Returns the colour of leaps, drops and climbs in pictures; `None` for other links, which are not
/// drawn as arcs.
#[cfg(feature = "pictures")]
#[must_use]
pub fn arc_colour(kind: LinkKind) -> Option<Colour> {
    match kind {
        LinkKind::Jump => Some(Colour::hex(0xffb02e)),
        LinkKind::Drop => Some(Colour::hex(0x4aa3ff)),
        LinkKind::Climb => Some(Colour::hex(0xff6fae)),
        _ => None,
    }
}

/// Links with their names, the keys that the agent has, and the danger that it knows of.
#[derive(Clone, Debug)]
pub(crate) struct Passages<State> {
    links: NavLinks<State>,
    names: Vec<String>,
    key_names: Vec<String>,
    held: Keys,
}

impl<State: StateId> Default for Passages<State> {
    /// Returns no links.
    fn default() -> Self {
        let links = NavLinks::new(1.0);
        Self { links, names: Vec::new(), key_names: Vec::new(), held: Keys::NONE }
    }
}

impl<State: StateId> Passages<State> {
    pub(crate) fn new(scene: SceneLinks<State>) -> Self {
        let SceneLinks { links, names, keys } = scene;
        Self { links, names, key_names: keys, held: Keys::NONE }
    }

    /// Returns the same for an agent with these keys.
    pub(crate) fn with_keys(self, held: Keys) -> Self {
        Self { held, ..self }
    }

    /// Returns the links of a scene, and the danger that its agents know of, in its world as a
    /// profile sees it.
    pub(crate) fn of_scene<W: Environment<State = State>>(
        links: SceneLinks<State>,
        scene: &Scene,
        world: &W,
        profile: ProfileId,
    ) -> Self {
        let mut passages = Self::new(links);
        for danger in scene.dangers.iter().filter(|danger| danger.known > 0.0) {
            passages.fear(world, profile, &danger.area.column(), danger.known);
        }
        passages
    }

    /// Returns whether nothing is laid over the space.
    pub(crate) fn is_empty(&self) -> bool {
        self.links.is_empty() && self.links.danger().is_empty()
    }

    /// Tells the agent of danger at all states in a shape.
    pub(crate) fn fear<W: Environment<State = State>>(
        &mut self,
        world: &W,
        profile: ProfileId,
        shape: &Shape,
        amount: f32,
    ) {
        let states = world.states_in(profile, shape);
        self.links.add_danger(&world.space(profile), &states, amount);
    }

    /// Lets time go by for the danger that the agent knows of.
    pub(crate) fn age<W: Environment<State = State>>(
        &mut self,
        world: &W,
        profile: ProfileId,
        seconds: f32,
    ) {
        let rule = InfluenceRule::default();
        self.links.age_danger(&world.space(profile), &rule, seconds);
    }

    /// Returns the states in danger, in order, with its amount.
    pub(crate) fn dangers(&self) -> Vec<(u32, f32)> {
        self.links.danger().iter().map(|known| (known.state.index(), known.amount)).collect()
    }

    /// Replaces the danger that the agent knows of. Unknown states are skipped.
    pub(crate) fn set_dangers<W: Environment<State = State>>(
        &mut self,
        world: &W,
        profile: ProfileId,
        dangers: &[(u32, f32)],
    ) {
        let space = world.space(profile);
        let known: Vec<State> = self.links.danger().iter().map(|known| known.state).collect();
        // Danger does not go below 0.
        self.links.add_danger(&space, &known, f32::MIN);
        let mut groups: BTreeMap<u32, Vec<State>> = BTreeMap::new();
        for &(state, amount) in dangers {
            if (state as usize) < space.state_bound() {
                groups.entry(amount.to_bits()).or_default().push(State::from_index(state));
            }
        }
        for (amount, states) in groups {
            self.links.add_danger(&space, &states, f32::from_bits(amount));
        }
    }

    /// Returns the links that have both ends on the ground of the space, with these ends.
    pub(crate) fn in_space<S: Space<State = State>>(&self, space: &S) -> Vec<LinkLayout> {
        let ids = 0..self.links.len() as u32;
        let links = ids.filter_map(|number| {
            let ends = self.links.places(space, LinkId(number))?.map(|place| place.to_array());
            let is_two_way = self.links.get(LinkId(number))?.two_way;
            let is_open = self.links.admits(LinkId(number), self.held);
            Some(LinkLayout { name: self.name(LinkId(number)), ends, is_two_way, is_open })
        });
        links.collect()
    }

    /// Returns the leaps, drops and climbs that have both ends on the ground of the space, as arcs.
    #[cfg(feature = "pictures")]
    pub(crate) fn arcs<S: Space<State = State>>(&self, space: &S) -> Vec<LinkArc> {
        let ids = (0..self.links.len() as u32).map(LinkId);
        let arcs = ids.filter_map(|id| {
            let (ends, link) = (self.links.places(space, id)?, self.links.get(id)?);
            Some(LinkArc { ends, two_way: link.two_way, colour: arc_colour(link.kind)? })
        });
        arcs.collect()
    }

    /// Returns the danger that the agent knows of.
    #[cfg(feature = "pictures")]
    pub(crate) fn danger(&self) -> &Danger<State> {
        self.links.danger()
    }

    /// Returns a space with the links laid over it.
    pub(crate) fn over<S: Space<State = State>>(&self, space: S) -> LinkedSpace<'_, S> {
        self.links.over(space, self.held)
    }

    /// Gives keys to the agent, in exchange for its present ones.
    pub(crate) fn hold(&mut self, keys: &[String]) -> Result<(), SiteError> {
        let mut held = Keys::NONE;
        for key in keys {
            let number = self.key_names.iter().position(|name| name == key);
            let bit = number.and_then(|number| 1u32.checked_shl(u32::try_from(number).ok()?));
            let Some(bit) = bit else {
                let known = match self.key_names.is_empty() {
                    true => "it has no keys".to_owned(),
                    false => format!("its keys are {}", self.key_names.join(", ")),
                };
                return Err(SiteError::NoKey { name: key.clone(), known });
            };
            held = held.with(Keys(bit));
        }
        self.held = held;
        Ok(())
    }

    /// Returns the keys that the agent has, of those that there are; nothing where there are none.
    pub(crate) fn movement(&self) -> Option<MovementPart> {
        let held = self.names_of(|bit| self.held.0 & bit != 0);
        (!self.key_names.is_empty())
            .then(|| MovementPart::list("keys", held.join(","), self.key_names.clone()))
    }

    /// Makes a change of what is open to the agent. Returns whether this is one.
    pub(crate) fn adapt(&mut self, change: Change<'_>) -> Result<bool, SiteError> {
        match change.name {
            "keys" => {
                let keys = change.value.split(',').filter(|key| !key.is_empty());
                self.hold(&keys.map(str::to_owned).collect::<Vec<_>>())?;
            }
            "open" | "room" => {
                let ids = (0..self.names.len()).filter_map(|number| u32::try_from(number).ok());
                let id = ids.map(LinkId).find(|&id| self.name(id) == change.value);
                let id = id.ok_or_else(|| change.refused("the scene has no such link"))?;
                *self = self.opening(&[id]);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Returns the names of the keys whose bits are wanted.
    fn names_of(&self, is_wanted: impl Fn(u32) -> bool) -> Vec<&str> {
        let numbered = self.key_names.iter().zip(0u32..);
        let wanted =
            numbered.filter(|(_, number)| 1u32.checked_shl(*number).is_some_and(&is_wanted));
        wanted.map(|(name, _)| name.as_str()).collect()
    }

    /// Counts links as full, in addition to earlier ones.
    pub(crate) fn fill(&mut self, names: &[String]) -> Result<(), SiteError> {
        for name in names {
            let number = self.names.iter().position(|known| known == name);
            let id = number.and_then(|number| u32::try_from(number).ok()).map(LinkId);
            let Some((id, link)) = id.and_then(|id| Some((id, self.links.get(id)?))) else {
                let known = match self.names.is_empty() {
                    true => "it has no links".to_owned(),
                    false => format!("its links are {}", self.names.join(", ")),
                };
                return Err(SiteError::NoLink { name: name.clone(), known });
            };
            let room = link.capacity.ok_or_else(|| SiteError::NeverFull { name: self.name(id) })?;
            self.links.set_occupants(id, room.get());
        }
        Ok(())
    }

    /// Returns "door 'side door'".
    pub(crate) fn name(&self, id: LinkId) -> String {
        let kind = match self.links.get(id).map(|link| link.kind) {
            Some(LinkKind::Door) => "door",
            Some(LinkKind::Ladder) => "ladder",
            Some(LinkKind::Teleport) => "teleport",
            Some(LinkKind::Lift) => "lift",
            Some(LinkKind::Jump) => "jump",
            Some(LinkKind::Drop) => "drop",
            Some(LinkKind::Climb) => "climb",
            Some(LinkKind::Passage) | None => "passage",
        };
        let name = self.names.get(id.0 as usize).map_or("?", String::as_str);
        format!("{kind} '{name}'")
    }

    /// Returns the keys of a locked link that the agent lacks.
    fn lacking(&self, id: LinkId) -> Vec<&str> {
        let Some(link) = self.links.get(id).filter(|link| link.gate == Gate::Locked) else {
            return Vec::new();
        };
        self.names_of(|bit| link.key.0 & bit != 0 && self.held.0 & bit == 0)
    }

    /// Returns the capacity of a link that keeps the agent out only because it is full.
    fn full(&self, id: LinkId) -> Option<u16> {
        let link = self.links.get(id).filter(|link| link.admits(self.held))?;
        link.capacity.map(NonZeroU16::get).filter(|_| self.links.is_full(id))
    }

    /// Returns "door 'side door' is locked; key 'brass' opens it".
    fn spell(&self, id: LinkId) -> String {
        let (name, keys) = (self.name(id), self.lacking(id));
        if let Some(room) = self.full(id) {
            return format!("{name} is full ({} of {room})", self.links.occupants(id));
        }
        match &keys[..] {
            [] => format!("{name} is closed"),
            [key] => format!("{name} is locked; key '{key}' opens it"),
            keys => format!("{name} is locked; keys '{}' together open it", keys.join("', '")),
        }
    }

    /// Returns the names of the links that a path takes.
    pub(crate) fn taken(&self, path: &[PathStep]) -> Vec<String> {
        let links = path.iter().filter_map(|step| match step.action {
            Action::Link(id) => Some(self.name(LinkId(id))),
            _ => None,
        });
        links.collect()
    }
}

impl<State: StateId> Passages<State> {
    /// Returns the shut links that keep the agent from a goal: see [`gate_remedies_by`].
    pub(crate) fn remedies<S: FullSpace<State = State> + Clone>(
        &self,
        space: &S,
        query: &QueryOf<S>,
    ) -> Vec<GateRemedy<State, S::Cost>> {
        gate_remedies_by(&self.links, self.held, MOST_TRIED, |links| {
            let outcome =
                solve_erased(&links.over(space.clone(), self.held), query.clone()).outcome;
            outcome.is_found().then(|| outcome.into_path())
        })
    }

    /// Returns the same with links that are open and empty.
    pub(crate) fn opening(&self, links: &[LinkId]) -> Self {
        let mut opened = self.clone();
        for &id in links {
            opened.links.set_gate(id, Gate::Open);
            opened.links.set_occupants(id, 0);
        }
        opened
    }

    /// Returns the path through shut links, and the changes that it needs.
    pub(crate) fn opened(&self, links: &[LinkId], path: Vec<PathStep>, length: f64) -> OpenedPath {
        let mut keys: Vec<&str> = links.iter().flat_map(|&id| self.lacking(id)).collect();
        keys.dedup();
        let closed = links.iter().copied().filter(|&id| self.lacking(id).is_empty());
        let (full, closed): (Vec<LinkId>, Vec<LinkId>) =
            closed.partition(|&id| self.full(id).is_some());
        let (mut parts, mut changes) = (Vec::new(), Vec::new());
        if !keys.is_empty() {
            let noun = if keys.len() == 1 { "key" } else { "keys" };
            // Options and changes name all keys that the agent holds then.
            let held = self.names_of(|bit| self.held.0 & bit != 0);
            let (names, list) = (keys.join("', '"), [held, keys].concat().join(","));
            parts.push(format!("it holds the {noun} '{names}' (--keys {list})"));
            changes.push(format!("keys={list}"));
        }
        for name in closed.into_iter().map(|id| self.name(id)) {
            parts.push(format!("{name} is opened"));
            changes.push(format!("open={name}"));
        }
        for name in full.into_iter().map(|id| self.name(id)) {
            parts.push(format!("{name} has room"));
            changes.push(format!("room={name}"));
        }
        OpenedPath {
            sentence: format!("if {}", parts.join(" and ")),
            change: changes.join(" "),
            opened: None,
            lacks: Vec::new(),
            length,
            path,
        }
    }

    /// Returns the links of remedies in a sentence; `None` if there are none.
    pub(crate) fn spell_remedies<C>(&self, remedies: &[GateRemedy<State, C>]) -> Option<String> {
        let spell = |links: &[LinkId]| {
            links.iter().map(|&id| self.spell(id)).collect::<Vec<_>>().join(", and ")
        };
        let first = remedies.first()?;
        if first.links.len() > 1 {
            return Some(spell(&first.links));
        }
        let alone = remedies.iter().take(MOST_NAMED);
        let alone: Vec<LinkId> = alone.filter_map(|remedy| remedy.links.first().copied()).collect();
        let more = match remedies.len().saturating_sub(MOST_NAMED) {
            0 => String::new(),
            more => format!("; {more} more links are shut, too"),
        };
        Some(format!("{}{more}", spell(&alone)))
    }
}

/// Returns whether shut links may be the reason why there is no path.
pub(crate) fn may_be_shut(reason: NoPath) -> bool {
    matches!(reason, NoPath::DifferentIslands { .. } | NoPath::Exhausted | NoPath::Enclosed)
}

/// Returns the paths that shut links would open: see [`gate_remedies_by`].
pub(crate) fn opened<O: Owner>(owner: &O, request: &SearchRequest) -> Vec<OpenedPath> {
    let passages = owner.passages();
    let bare = owner.bare();
    let remedies = passages.remedies(&bare, &query(request, owner.unit()));
    let opened = remedies.into_iter().map(|remedy| {
        let length = bare.path_length(&remedy.path);
        passages.opened(&remedy.links, path_steps(&remedy.path), length)
    });
    opened.collect()
}

/// Returns the links that block the path, as a reason; `None` if the reason is another one.
pub(crate) fn reason<O: Owner>(owner: &O, reason: NoPath, ends: Endpoints) -> Option<String> {
    if !may_be_shut(reason) {
        return None;
    }
    let passages = owner.passages();
    let request = SearchRequest::new(wayfare::search::AlgorithmId::AStar, ends);
    let query = query(&request, owner.unit());
    passages.spell_remedies(&passages.remedies(&owner.bare(), &query))
}
