//! Hashers: the same values have the same hashes everywhere.

use std::{
    collections::HashMap,
    hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hash, Hasher, RandomState},
    prelude::v1::*,
};

use crate::tally::Tally;

fn hash(value: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

pub fn check(tally: &mut Tally) {
    println!("hashes: {:016x} {:016x} {:016x}", hash(()), hash("text"), hash((1_u8, 2_u16, 3_u32, 4_u64, 5_u128)));
    println!("hashes: {:016x} {:016x} {:016x}", hash([1, 2, 3]), hash(vec!["a", "bc"]), hash(Some('x')));
    for length in 0..20 {
        println!("hash of {length} bytes: {:016x}", hash(&[7_u8; 20][..length]));
    }
    let (first, second) = (RandomState::new(), RandomState::new());
    same!(tally, first.hash_one("x"), first.clone().hash_one("x"));
    holds!(tally, first.hash_one("x") != second.hash_one("x"));
    let mut fixed: HashMap<u8, u8, BuildHasherDefault<DefaultHasher>> = HashMap::default();
    fixed.insert(1, 2);
    same!(tally, fixed.get(&1), Some(&2));
    same!(tally, fixed.hasher().hash_one(5_u32), hash(5_u32));
}
