//! Collections, as `std::collections` has them: the library `alloc`'s, and hash tables (the crate `hashbrown`, which
//! is also the standard library's).

mod map;
mod set;

pub use alloc_crate::collections::{
    BTreeMap, BTreeSet, BinaryHeap, LinkedList, TryReserveError, VecDeque, binary_heap, btree_map, btree_set,
    linked_list, vec_deque,
};
use alloc_crate::vec::Vec;
pub use core::ops::Bound;

pub use map::HashMap;
pub use set::HashSet;

/// A table by hashes of keys.
pub mod hash_map {
    pub use super::map::HashMap;
    pub use crate::hash::{DefaultHasher, RandomState};
    pub use hashbrown::hash_map::{
        Drain, ExtractIf, IntoIter, IntoKeys, IntoValues, Iter, IterMut, Keys, Values, ValuesMut,
    };

    /// A key's place, taken or free.
    pub type Entry<'a, K, V, S = RandomState> = hashbrown::hash_map::Entry<'a, K, V, S>;
    /// A taken place.
    pub type OccupiedEntry<'a, K, V, S = RandomState> = hashbrown::hash_map::OccupiedEntry<'a, K, V, S>;
    /// A free place.
    pub type VacantEntry<'a, K, V, S = RandomState> = hashbrown::hash_map::VacantEntry<'a, K, V, S>;
}

/// A set by hashes of values.
pub mod hash_set {
    pub use super::set::HashSet;
    pub use hashbrown::hash_set::{
        Difference, Drain, ExtractIf, Intersection, IntoIter, Iter, SymmetricDifference, Union,
    };
}

/// The standard library's form of the error, which only its collections make: a wish that can never be met is.
fn refused(error: hashbrown::TryReserveError) -> TryReserveError {
    let wish = match error {
        hashbrown::TryReserveError::CapacityOverflow => usize::MAX,
        hashbrown::TryReserveError::AllocError { .. } => isize::MAX as usize,
    };
    match Vec::<u8>::new().try_reserve_exact(wish) {
        Err(error) => error,
        Ok(()) => unreachable!("half of the address space is not memory"),
    }
}
