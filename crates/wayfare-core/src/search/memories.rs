//! The memories of expanders, in the scratch: one for each type that a search asks for.

use std::any::{Any, TypeId};
use std::fmt::Debug;

use crate::space::ExpanderMemory;

/// A memory whose type is forgotten.
trait Held: Any + Debug + Send + Sync {
    fn bytes(&self) -> usize;
}

impl<M: ExpanderMemory> Held for M {
    fn bytes(&self) -> usize {
        size_of::<M>() + ExpanderMemory::bytes(self)
    }
}

/// The memories of all expanders that have worked in a scratch.
///
/// A scratch serves spaces with different expanders in turn. A search takes the memory out for the
/// time of a step, so that it can be lent beside the scratch, and puts it back. Both take O(types
/// seen), hardly ever more than one, and allocate only when a type is seen for the first time.
#[derive(Default, Debug)]
pub struct Memories(Vec<(TypeId, Box<dyn Held>)>);

impl Memories {
    /// Takes the memory of type `M` out, or a new one.
    #[inline]
    pub fn take<M: ExpanderMemory>(&mut self) -> Box<M> {
        // Nearly always there is one.
        let held: Option<Box<dyn Any>> = match &self.0[..] {
            [(id, _)] if *id == TypeId::of::<M>() => self.0.pop().map(|held| held.1 as _),
            _ => self.place::<M>().map(|place| self.0.swap_remove(place).1 as _),
        };
        held.map_or_else(Box::default, |held| held.downcast().unwrap_or_default())
    }

    /// Puts a memory back.
    #[inline]
    pub fn put<M: ExpanderMemory>(&mut self, memory: Box<M>) {
        self.0.push((TypeId::of::<M>(), memory));
    }

    /// Returns the memory of type `M`, if there is one.
    #[inline]
    pub fn get<M: ExpanderMemory>(&self) -> Option<&M> {
        let held: &dyn Any = &*self.0.get(self.place::<M>()?)?.1;
        held.downcast_ref()
    }

    #[inline]
    fn place<M: ExpanderMemory>(&self) -> Option<usize> {
        self.0.iter().position(|(id, _)| *id == TypeId::of::<M>())
    }

    /// Returns the memory they hold, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.0.iter().map(|(_, held)| held.bytes()).sum::<usize>()
            + self.0.capacity() * size_of::<(TypeId, Box<dyn Held>)>()
    }
}
