//! What is to happen at which tick: a queue, with a third of the code of a B-tree for each kind of
//! edit.

use std::collections::VecDeque;
use std::fmt;

use super::Command;

/// Commands by the tick at whose beginning they are carried out; those of one tick in the order in
/// which they came. Printed and saved as a map.
#[derive(Clone)]
pub(super) struct Schedule<Edit>(VecDeque<(u64, Vec<Command<Edit>>)>);

impl<Edit> Schedule<Edit> {
    pub(super) fn new() -> Self {
        Self(VecDeque::new())
    }

    /// O(log n + m), where m ticks lie on one side of it: constant at either end.
    pub(super) fn push(&mut self, tick: u64, command: Command<Edit>) {
        match self.0.binary_search_by_key(&tick, |entry| entry.0) {
            Ok(place) => self.0[place].1.push(command),
            Err(place) => self.0.insert(place, (tick, vec![command])),
        }
    }

    /// Takes out the commands of a tick. O(1): earlier ones have been taken out.
    pub(super) fn take(&mut self, tick: u64) -> Vec<Command<Edit>> {
        if self.first() == Some(tick) {
            self.0.pop_front().map_or_else(Vec::new, |entry| entry.1)
        } else {
            Vec::new()
        }
    }

    /// The first tick at which something is to happen.
    pub(super) fn first(&self) -> Option<u64> {
        self.0.front().map(|entry| entry.0)
    }
}

impl<Edit: fmt::Debug> fmt::Debug for Schedule<Edit> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.0.iter().map(|(tick, commands)| (tick, commands))).finish()
    }
}

#[cfg(feature = "serde")]
mod saved {
    use std::fmt;
    use std::marker::PhantomData;

    use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};
    use serde::ser::{Serialize, Serializer};

    use super::super::Command;
    use super::Schedule;

    impl<Edit: Serialize> Serialize for Schedule<Edit> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|(tick, commands)| (tick, commands)))
        }
    }

    impl<'de, Edit: Deserialize<'de>> Deserialize<'de> for Schedule<Edit> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(Ticks(PhantomData))
        }
    }

    struct Ticks<Edit>(PhantomData<Edit>);

    impl<'de, Edit: Deserialize<'de>> Visitor<'de> for Ticks<Edit> {
        type Value = Schedule<Edit>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("commands by tick")
        }

        /// The ticks may come in any order, as some formats keep none.
        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Schedule<Edit>, A::Error> {
            let mut schedule = Schedule::new();
            while let Some((tick, commands)) = map.next_entry::<u64, Vec<Command<Edit>>>()? {
                match schedule.0.binary_search_by_key(&tick, |entry| entry.0) {
                    Ok(_) => return Err(A::Error::custom(format_args!("tick {tick} comes twice"))),
                    Err(place) => schedule.0.insert(place, (tick, commands)),
                }
            }
            Ok(schedule)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::plan::ClassId;
    use crate::simulation::CarveId;

    #[test]
    fn it_is_the_map_that_a_tree_is() {
        let (mut schedule, mut tree, mut draw) =
            (Schedule::<ClassId>::new(), BTreeMap::new(), 1u32);
        for now in 0..300u64 {
            for _ in 0..3 {
                draw = draw.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let (tick, id) = (now + u64::from(draw >> 27), CarveId(draw >> 8 & 255));
                schedule.push(tick, Command::Restore { id });
                tree.entry(tick).or_insert_with(Vec::new).push(Command::Restore { id });
            }
            assert_eq!(format!("{schedule:?}"), format!("{tree:?}"));
            #[cfg(feature = "serde")]
            {
                let text = serde_json::to_string(&schedule).unwrap();
                assert_eq!(text, serde_json::to_string(&tree).unwrap());
                let again: Schedule<ClassId> = serde_json::from_str(&text).unwrap();
                assert_eq!(format!("{again:?}"), format!("{tree:?}"));
            }
            assert_eq!(schedule.first(), tree.keys().next().copied());
            assert_eq!(schedule.take(now), tree.remove(&now).unwrap_or_default());
        }
    }

    #[cfg(feature = "serde")]
    #[test]
    fn a_tick_that_comes_twice_is_told() {
        let twice = serde_json::from_str::<Schedule<ClassId>>(r#"{"5": [], "3": [], "5": []}"#);
        assert!(twice.unwrap_err().to_string().starts_with("tick 5 comes twice"));
    }
}
