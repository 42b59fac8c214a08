//! Objects of a map as places and links.
//!
//! A named object is a place. If its class is a kind of link, and it has two ends, it is a link: a
//! polyline from its first to its last point, any other shape from its middle to that of the object
//! that its property `target` names.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU16;

use wayfare_core::link::{Crossing, Gate, LinkKind};

use crate::error::count;
use crate::limits::MAX_MAP_OBJECTS;
use crate::tile_map::{MapLink, MapPlace, TilePosition};
use crate::tiled::object::{Extent, Object, Shape};

/// Seconds in a teleport, if its object does not give a time.
const TELEPORT_SECONDS: f32 = 1.0;

/// The speed of a crossing in metres a second, where a link has none: that of agents by default.
const WALKING_SPEED: f32 = 3.0;

/// The most remarks on properties that mean nothing.
const MOST_REMARKS: usize = 16;

/// Returns the kind of link that a class stands for.
fn kind_of(class: &str) -> Option<LinkKind> {
    Some(match class.to_ascii_lowercase().as_str() {
        "link" | "passage" | "bridge" | "tunnel" | "stairs" => LinkKind::Passage,
        "door" | "gate" => LinkKind::Door,
        "ladder" => LinkKind::Ladder,
        "teleport" | "teleporter" | "portal" | "warp" => LinkKind::Teleport,
        "lift" | "elevator" => LinkKind::Lift,
        "jump" => LinkKind::Jump,
        "drop" => LinkKind::Drop,
        "climb" => LinkKind::Climb,
        _ => return None,
    })
}

/// The places and links of a map, and remarks for users.
#[derive(Debug, Default)]
pub(super) struct Furniture {
    pub(super) places: Vec<MapPlace>,
    pub(super) links: Vec<MapLink>,
    pub(super) remarks: Vec<String>,
}

impl Furniture {
    /// Returns the places and links of objects that do not block, in the order of the objects.
    /// `is_open` tests whether a tile can be walked on.
    ///
    /// O(objects · log). Objects beside the map are no places.
    pub(super) fn of<'o>(
        objects: impl Iterator<Item = &'o Object> + Clone,
        extent: &Extent,
        is_open: impl Fn(TilePosition) -> bool,
    ) -> Self {
        let mut furniture = Self::default();
        let (mut by_id, mut by_name) = (BTreeMap::new(), BTreeMap::new());
        for object in objects.clone() {
            by_id.entry(object.id).or_insert(object);
            by_name.entry(object.name.as_str()).or_insert(object);
        }
        let (mut twins, mut shut) = (0, 0);
        let mut names = BTreeSet::new();
        for object in objects {
            let target = object.fact("target").and_then(|target| {
                let numbered = target.parse().ok().and_then(|id: u32| by_id.get(&id));
                numbered.or_else(|| by_name.get(target)).copied()
            });
            let ends = match (&object.shape, target) {
                (Shape::Line([first, last]), _) => Some([*first, *last]),
                (_, Some(target)) => Some([object.middle(), target.middle()]),
                _ => None,
            };
            let tiles = |[from, to]: [[f64; 2]; 2]| extent.tile_at(from).zip(extent.tile_at(to));
            let link = kind_of(&object.class).zip(ends.and_then(tiles));
            if let Some((kind, (from, to))) = link
                && furniture.links.len() < MAX_MAP_OBJECTS
            {
                if from != to && is_open(from) && is_open(to) {
                    furniture.link(object, kind, (from, to));
                } else {
                    shut += 1;
                }
            }
            if object.name.trim().is_empty()
                || matches!(object.shape, Shape::Line(_) | Shape::Other)
            {
                continue;
            }
            let Some(at) = extent.tile_at(object.middle()) else { continue };
            if !names.insert(object.name.as_str()) {
                twins += 1;
            } else if furniture.places.len() < MAX_MAP_OBJECTS {
                furniture.places.push(MapPlace { name: object.name.clone(), at });
            }
        }
        if twins > 0 {
            let objects = count(twins, "object");
            furniture.remarks.push(format!(
                "{objects} of a name that an earlier object has: a place is the first object of its name"
            ));
        }
        if shut > 0 {
            let links = count(shut, "link");
            furniture.remarks.push(format!(
                "{links} left out: an end lies where nobody can walk, or both lie in one tile"
            ));
        }
        furniture
    }

    fn link(&mut self, object: &Object, kind: LinkKind, (from, to): (TilePosition, TilePosition)) {
        let plain = match object.name.trim() {
            "" => object.class.clone(),
            name => name.to_owned(),
        };
        let is_taken = |name: &str| self.links.iter().rev().take(64).any(|link| link.name == name);
        let name = if is_taken(&plain) || object.name.trim().is_empty() {
            format!("{plain} {}", object.id)
        } else {
            plain
        };
        let mut wrong = Vec::new();
        let mut number = |key: &'static str| {
            let text = object.fact(key)?;
            let number = text.parse::<f32>().ok().filter(|it| it.is_finite() && *it > 0.0);
            if number.is_none() {
                wrong.push((key, text));
            }
            number
        };
        let (seconds, speed, cost) = (number("seconds"), number("speed"), number("cost"));
        let crossing = match (seconds.or(cost.map(|metres| metres / WALKING_SPEED)), speed) {
            (Some(seconds), _) => Crossing::Seconds(seconds),
            (None, Some(speed)) => Crossing::Speed(speed),
            (None, None) if kind == LinkKind::Teleport => Crossing::Seconds(TELEPORT_SECONDS),
            (None, None) => Crossing::Speed(WALKING_SPEED),
        };
        let capacity = object.fact("capacity").map(|text| (text, text.parse::<NonZeroU16>().ok()));
        wrong.extend(capacity.filter(|it| it.1.is_none()).map(|(text, _)| ("capacity", text)));
        let key = object.fact("key").filter(|key| !key.trim().is_empty()).map(str::to_owned);
        let usual_gate = if key.is_some() { Gate::Locked } else { Gate::Open };
        let gate = match object.fact("gate") {
            None => usual_gate,
            Some("open") => Gate::Open,
            Some("closed") => Gate::Closed,
            Some("locked") => Gate::Locked,
            Some(other) => {
                wrong.push(("gate", other));
                usual_gate
            }
        };
        let one_way = match object.fact("one_way") {
            None | Some("false") => false,
            Some("true") => true,
            Some(other) => {
                wrong.push(("one_way", other));
                false
            }
        };
        let room = MOST_REMARKS.saturating_sub(self.remarks.len());
        self.remarks.extend(wrong.into_iter().take(room).map(|(key, value)| {
            format!(
                "'{key}' of the link '{name}' is '{value}', which means nothing: it is left out"
            )
        }));
        let capacity = capacity.and_then(|(_, number)| number);
        self.links.push(MapLink { name, from, to, kind, crossing, capacity, gate, key, one_way });
    }
}
