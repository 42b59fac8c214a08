//! Obstacles that come and go: the places that they cover, and the filling beneath.

use std::collections::BTreeMap;
use std::fmt::Debug;

use wayfare_core::inside::WordHash;

use crate::simulation::sorted_map::SortedMap;
use crate::simulation::{CarveId, Environment, Filled, Shape};

/// The present obstacles. A place that several cover opens again when the last one goes.
#[derive(Clone, Debug)]
pub(in crate::simulation) struct Carvings<Place, Fill> {
    active: SortedMap<CarveId, Vec<Place>>,
    /// The places that obstacles cover, and places with a changed filling.
    places: BTreeMap<Place, Covered<Fill>>,
    /// The sum of the hashes of all places with a changed filling.
    sum: u64,
}

/// The records of a place.
#[derive(Clone, Copy, Debug)]
struct Covered<Fill> {
    /// The filling beneath the obstacles, and the count of obstacles.
    beneath: Option<(Fill, u32)>,
    changed: Option<Changed<Fill>>,
}

/// The original filling of a changed place, and its term in the sum.
#[derive(Clone, Copy, Debug)]
struct Changed<Fill> {
    first: Option<Fill>,
    term: u64,
}

impl<Place: Copy + Ord + Debug, Fill: Copy + Debug + PartialEq> Carvings<Place, Fill> {
    pub(in crate::simulation) fn new() -> Self {
        Self { active: SortedMap::default(), places: BTreeMap::new(), sum: 0 }
    }

    fn known(&mut self, place: Place) -> &mut Covered<Fill> {
        self.places.entry(place).or_insert(Covered { beneath: None, changed: None })
    }

    /// Forgets a place without records.
    fn tidy(&mut self, place: Place) {
        if self.places.get(&place).is_some_and(Covered::is_empty) {
            self.places.remove(&place);
        }
    }

    /// Adds an obstacle. One with the same id is removed first: that is how obstacles move.
    pub(in crate::simulation) fn carve<W>(
        &mut self,
        world: &mut W,
        id: CarveId,
        shape: &Shape,
        affected: &mut Vec<W::State>,
    ) where
        W: Environment<Place = Place, Fill = Fill>,
    {
        let mut fills = self.lift(id);
        let places = world.covered(shape);
        for &place in &places {
            let present = fills.iter().find(|fill| fill.place == place).map(|fill| fill.fill);
            let Some(fill) = present.or_else(|| world.filling(place)) else { continue };
            self.known(place).beneath.get_or_insert((fill, 0)).1 += 1;
        }
        fills.retain(|filled| places.binary_search(&filled.place).is_err());
        fills.extend(places.iter().map(|&place| Filled { place, fill: world.blocking(place) }));
        self.active.insert(id, places);
        self.refill(world, &fills, affected);
    }

    /// Returns whether there is an obstacle with that id.
    pub(in crate::simulation) fn holds(&self, id: CarveId) -> bool {
        self.active.get(&id).is_some()
    }

    /// Takes an obstacle away. Says whether there was one.
    pub(in crate::simulation) fn restore<W>(
        &mut self,
        world: &mut W,
        id: CarveId,
        affected: &mut Vec<W::State>,
    ) -> bool
    where
        W: Environment<Place = Place, Fill = Fill>,
    {
        let was_there = self.active.get(&id).is_some();
        let fills = self.lift(id);
        self.refill(world, &fills, affected);
        was_there
    }

    /// Fills the places beneath all obstacles as they are without them.
    pub(in crate::simulation) fn uncover<W>(&self, world: &mut W)
    where
        W: Environment<Place = Place, Fill = Fill>,
    {
        let beneath = self.places.iter().filter_map(|(place, covered)| {
            covered.beneath.map(|(fill, _)| Filled { place: *place, fill })
        });
        world.fill(&beneath.collect::<Vec<_>>(), &mut Vec::new());
    }

    /// Fills places, beneath their obstacles.
    pub(in crate::simulation) fn fill<W>(
        &mut self,
        world: &mut W,
        fills: Vec<Filled<Place, Fill>>,
        affected: &mut Vec<W::State>,
    ) where
        W: Environment<Place = Place, Fill = Fill>,
    {
        let open: Vec<_> = fills
            .into_iter()
            .filter(|filled| match self.beneath(filled.place) {
                Some(beneath) => {
                    beneath.0 = filled.fill;
                    false
                }
                None => true,
            })
            .collect();
        self.refill(world, &open, affected);
    }

    fn beneath(&mut self, place: Place) -> Option<&mut (Fill, u32)> {
        self.places.get_mut(&place)?.beneath.as_mut()
    }

    /// Fills places of the world, and notes which differ from the original.
    fn refill<W>(
        &mut self,
        world: &mut W,
        fills: &[Filled<Place, Fill>],
        affected: &mut Vec<W::State>,
    ) where
        W: Environment<Place = Place, Fill = Fill>,
    {
        for &Filled { place, .. } in fills {
            let first = world.filling(place);
            self.known(place).changed.get_or_insert(Changed { first, term: 0 });
        }
        world.fill(fills, affected);
        for &Filled { place, .. } in fills {
            let Some(known) = self.places.get_mut(&place) else { continue };
            let Some(changed) = &mut known.changed else { continue };
            let now = world.filling(place);
            self.sum = self.sum.wrapping_sub(changed.term);
            if now == changed.first {
                known.changed = None;
                self.tidy(place);
                continue;
            }
            let mut hash = WordHash(0);
            hash.text(format_args!("{place:?} {now:?}"));
            changed.term = hash.0;
            self.sum = self.sum.wrapping_add(hash.0);
        }
    }

    /// Returns a hash of the changed fillings of places, and of the present obstacles. It does not
    /// depend on the order in which they came.
    ///
    /// O(obstacles and places beneath them).
    pub(in crate::simulation) fn digest(&self) -> u64 {
        let mut hash = WordHash(self.sum);
        for (id, places) in self.active.iter() {
            hash.word(u64::from(id.0) << 32 | places.len() as u64);
        }
        for (place, known) in &self.places {
            let Some((fill, count)) = known.beneath else { continue };
            hash.text(format_args!("{place:?} {fill:?} {count}"));
        }
        hash.0
    }

    /// Forgets an obstacle. Returns the fillings of the places that open.
    fn lift(&mut self, id: CarveId) -> Vec<Filled<Place, Fill>> {
        let mut opened = Vec::new();
        for place in self.active.remove(&id).unwrap_or_default() {
            let Some(known) = self.places.get_mut(&place) else { continue };
            let Some((fill, count)) = &mut known.beneath else { continue };
            *count -= 1;
            if *count == 0 {
                opened.push(Filled { place, fill: *fill });
                known.beneath = None;
                self.tidy(place);
            }
        }
        opened
    }
}

impl<Fill> Covered<Fill> {
    fn is_empty(&self) -> bool {
        self.beneath.is_none() && self.changed.is_none()
    }
}
