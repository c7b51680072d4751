//! Collections.

use std::{
    collections::{
        BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque,
        hash_map::{self, Entry},
    },
    prelude::v1::*,
    rc::Rc,
    sync::{Arc, Weak},
};

use crate::tally::Tally;

pub fn check(tally: &mut Tally) {
    maps(tally);
    places(tally);
    sets(tally);
    others(tally);
}

fn sorted<T: Ord>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.into_iter().collect();
    values.sort();
    values
}

fn maps(tally: &mut Tally) {
    let mut map: HashMap<String, u32> = HashMap::new();
    same!(tally, map.capacity(), 0);
    for number in 0..1000 {
        same!(tally, map.insert(format!("key {number}"), number), None);
    }
    same!(tally, map.len(), 1000);
    same!(tally, map.get("key 77"), Some(&77));
    same!(tally, map["key 78"], 78);
    same!(tally, map.insert("key 77".to_string(), 1), Some(77));
    same!(tally, map.remove("key 77"), Some(1));
    same!(tally, map.remove_entry("key 78"), Some(("key 78".to_string(), 78)));
    holds!(tally, !map.contains_key("key 77"));
    map.retain(|_, value| *value % 100 == 5);
    same!(tally, sorted(map.values().copied()), [5, 105, 205, 305, 405, 505, 605, 705, 805, 905]);
    map.values_mut().for_each(|value| *value += 1);
    for (_, value) in &mut map {
        *value += 1;
    }
    same!(tally, map.get_key_value("key 5"), Some((&"key 5".to_string(), &7)));
    let [first, second, none] = map.get_disjoint_mut(["key 5", "key 105", "no"]);
    same!(tally, (first.copied(), second.copied(), none), (Some(7), Some(107), None));
    let taken: HashMap<_, _> = map.extract_if(|_, value| *value < 300).collect();
    same!(tally, sorted(taken.into_values()), [7, 107, 207]);
    same!(tally, sorted(map.clone().into_keys())[0], "key 305");
    same!(tally, map.clone(), map);
    map.shrink_to_fit();
    same!(tally, map.drain().count(), 7);
    holds!(tally, map.is_empty() && map.try_reserve(usize::MAX).is_err() && map.try_reserve(10).is_ok());
    let map = HashMap::from([(1, 'a'), (2, 'b')]);
    let again: HashMap<_, _> = vec![(2, 'b'), (1, 'a')].into_iter().collect();
    same!(tally, map, again);
    same!(tally, format!("{:?}", HashMap::from([("k", 1)])), "{\"k\": 1}");
}

fn places(tally: &mut Tally) {
    let mut words: HashMap<&str, usize> = HashMap::with_capacity(4);
    for word in "a b a c a b".split(' ') {
        *words.entry(word).or_insert(0) += 1;
    }
    same!(tally, sorted(words.iter().map(|(word, count)| (*word, *count))), [("a", 3), ("b", 2), ("c", 1)]);
    match words.entry("a") {
        Entry::Occupied(mut place) => same!(tally, place.insert(9), 3),
        Entry::Vacant(_) => holds!(tally, false),
    }
    if let hash_map::Entry::Vacant(place) = words.entry("new") {
        same!(tally, *place.key(), "new");
        place.insert(1);
    }
    words.entry("new").and_modify(|count| *count += 10).or_default();
    same!(tally, words["new"], 11);
    same!(tally, *words.entry("long").or_insert_with_key(|key| key.len()), 4);
    if let Entry::Occupied(place) = words.entry("a") {
        same!(tally, place.remove_entry(), ("a", 9));
    }
    words.extend([("x", 1), ("y", 2)]);
    same!(tally, words.len(), 6);
}

fn sets(tally: &mut Tally) {
    let (left, right) = (HashSet::from([1, 2, 3]), HashSet::from([2, 3, 4]));
    same!(tally, sorted(&left & &right), [2, 3]);
    same!(tally, sorted(&left | &right), [1, 2, 3, 4]);
    same!(tally, sorted(&left ^ &right), [1, 4]);
    same!(tally, sorted(&left - &right), [1]);
    same!(tally, left.union(&right).count(), 4);
    holds!(tally, !left.is_subset(&right) && !left.is_disjoint(&right) && left.is_superset(&HashSet::from([1])));
    let mut set: HashSet<String> = HashSet::new();
    holds!(tally, set.insert("a".to_string()) && !set.insert("a".to_string()));
    holds!(tally, set.contains("a") && set.get("b").is_none() && set.remove("a") && !set.remove("a"));
    set.extend(["x".to_string(), "y".to_string()]);
    same!(tally, set.take("x"), Some("x".to_string()));
    same!(tally, format!("{set:?}"), "{\"y\"}");
    same!(tally, set.replace("y".to_string()), Some("y".to_string()));
}

fn others(tally: &mut Tally) {
    let tree: BTreeMap<_, _> = (0..100).rev().map(|number| (number, number * number)).collect();
    same!(tally, tree.range(10..).next(), Some((&10, &100)));
    same!(tally, BTreeSet::from([3, 1, 2]).into_iter().collect::<Vec<_>>(), [1, 2, 3]);
    same!(tally, BinaryHeap::from([3, 9, 4]).into_sorted_vec(), [3, 4, 9]);
    let mut list = LinkedList::from([1, 2]);
    list.push_front(0);
    same!(tally, list.into_iter().sum::<i32>(), 3);
    let mut queue = VecDeque::from([1, 2, 3]);
    queue.rotate_left(1);
    same!(tally, queue, [2, 3, 1]);
    let (shared, weak);
    {
        let owner = Arc::new(vec![1, 2]);
        weak = Arc::downgrade(&owner);
        shared = Arc::clone(&owner);
        same!(tally, Arc::strong_count(&owner), 2);
    }
    same!(tally, weak.upgrade().map(|value| value.len()), Some(2));
    drop(shared);
    holds!(tally, weak.upgrade().is_none() && Weak::<u8>::new().upgrade().is_none());
    same!(tally, Rc::try_unwrap(Rc::new(5)).ok(), Some(5));
}
