//! Lists and trees against vectors.

use std::boxed::Box;
use std::vec::Vec;

use crate::{Linked, Links, List, Ordered, Ref, Tree, Word, below};

/// A member with a key, that keeps the least value of its subtree.
#[derive(Default)]
struct Member {
    links: Links<Self>,
    key: Word,
    value: Word,
    least: Word,
}

impl Linked for Member {
    fn links(&self) -> &Links<Self> {
        &self.links
    }
}

impl Ordered for Member {
    fn precedes(&self, other: &Self) -> bool {
        self.key.get() < other.key.get()
    }

    fn refresh(&self, before: Option<Ref<Self>>, after: Option<Ref<Self>>) -> bool {
        let subtrees = [before, after].into_iter().flatten().map(|below| below.least.get());
        let least = subtrees.fold(self.value.get(), u64::min);
        let changed = least != self.least.get();
        self.least.set(least);
        changed
    }
}

fn members(count: usize) -> Vec<Ref<Member>> {
    (0..count).map(|_| Ref::fixed(Box::leak(Box::default()))).collect()
}

fn random(state: &mut u64, below: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
    (*state >> 33) as usize % below
}

const STEPS: usize = if cfg!(miri) { 200 } else { 20_000 };

#[test]
fn a_list_agrees_with_a_vector() {
    let (list, all, mut state) = (List::new(), members(12), 1);
    let mut model: Vec<Ref<Member>> = Vec::new();
    for _ in 0..STEPS {
        let member = all[random(&mut state, all.len())];
        match (random(&mut state, 4), model.iter().position(|other| *other == member)) {
            (0, None) => {
                list.push_back(member);
                model.push(member);
            }
            (1, None) => {
                list.push_front(member);
                model.insert(0, member);
            }
            (2, Some(position)) => {
                list.remove(member);
                model.remove(position);
            }
            (3, _) => {
                let first = (!model.is_empty()).then(|| model.remove(0));
                assert_eq!(list.pop_front(), first);
            }
            _ => {}
        }
        assert!(list.iter().eq(model.iter().copied()));
        assert_eq!((list.first(), list.is_empty()), (model.first().copied(), model.is_empty()));
    }
}

/// The members below one, in order; checks what each keeps of its subtree. The depth comes with them.
fn walk(member: Option<Ref<Member>>, into: &mut Vec<Ref<Member>>) -> (usize, u64) {
    let Some(member) = member else { return (0, u64::MAX) };
    let (before, after) = below(member);
    let (left, least_left) = walk(before, into);
    into.push(member);
    let (right, least_right) = walk(after, into);
    let least = member.value.get().min(least_left).min(least_right);
    assert_eq!(member.least.get(), least);
    (left.max(right) + 1, least)
}

#[test]
fn a_tree_agrees_with_a_sorted_vector() {
    let (tree, all, mut state) = (Tree::new(), members(40), 2);
    let mut model: Vec<Ref<Member>> = Vec::new();
    for _ in 0..STEPS {
        let member = all[random(&mut state, all.len())];
        match model.iter().position(|other| *other == member) {
            Some(position) => {
                tree.remove(member);
                model.remove(position);
            }
            None => {
                member.key.set(random(&mut state, 20) as u64);
                member.value.set(random(&mut state, 1000) as u64);
                tree.insert(member);
                let place = model.partition_point(|other| other.key.get() <= member.key.get());
                model.insert(place, member);
            }
        }
        let mut found = Vec::new();
        walk(tree.root(), &mut found);
        assert_eq!(found, model);
        assert_eq!(tree.first(), model.first().copied());
        assert!(tree.iter().eq(model.iter().copied()));
    }
}

/// Members that come in order would make a plain search tree as deep as they are many.
#[test]
fn a_tree_of_a_thousand_is_shallow() {
    let (tree, all) = (Tree::new(), members(if cfg!(miri) { 100 } else { 1000 }));
    for (key, member) in all.iter().enumerate() {
        member.key.set(key as u64);
        tree.insert(*member);
    }
    let (depth, _) = walk(tree.root(), &mut Vec::new());
    assert!(depth <= 40, "{depth}");
}
