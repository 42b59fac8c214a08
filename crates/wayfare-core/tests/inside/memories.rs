//! The memories of expanders, by type.

use std::fmt::Debug;

use wayfare_core::expert::ExpanderMemory;
use wayfare_core::inside::tested::memories::Memories;

#[derive(Default, Debug, PartialEq)]
struct Numbers(Vec<u32>);

impl ExpanderMemory for Numbers {
    fn bytes(&self) -> usize {
        self.0.capacity() * size_of::<u32>()
    }
}

#[test]
fn each_type_finds_its_own_memory_again() {
    let mut memories = Memories::default();
    let mut numbers = memories.take::<Numbers>();
    numbers.0.push(7);
    memories.put(numbers);
    let nothing = memories.take::<()>();
    memories.put(nothing);
    assert_eq!(memories.get(), Some(&Numbers(vec![7])));
    assert_eq!(*memories.take::<Numbers>(), Numbers(vec![7]));
    assert_eq!(memories.get::<Numbers>(), None, "it is out");
    assert_eq!(*memories.take::<Numbers>(), Numbers(vec![]), "it is out");
}
