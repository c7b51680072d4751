//! The tables against plain ones.

use alloc::{collections::BTreeMap, vec::Vec};

use packets::Instant;

use super::*;

#[derive(Default)]
struct Plain(Vec<(u32, u32)>);

impl Things for Plain {
    fn hash(&self, thing: u32) -> u32 {
        self.0[thing as usize].0
    }

    fn next(&self, thing: u32) -> u32 {
        self.0[thing as usize].1
    }

    fn set_next(&mut self, thing: u32, next: u32) {
        self.0[thing as usize].1 = next;
    }
}

fn random(state: &mut u64) -> u32 {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as u32
}

#[test]
fn the_index_finds_what_is_in_it_while_it_grows() {
    let (mut index, mut things, mut seed) = (Index::default(), Plain::default(), 1);
    for thing in 0..5_000 {
        things.0.push((random(&mut seed), NONE));
        index.insert(&mut things, thing);
    }
    let find = |index: &Index, things: &Plain, thing: u32| {
        let mut at = index.first(things.0[thing as usize].0);
        let mut steps = 0;
        while at != NONE && at != thing {
            at = things.next(at);
            steps += 1;
        }
        (at == thing, steps)
    };
    assert!((0..5_000).all(|thing| find(&index, &things, thing).0));
    assert!((0..5_000).map(|thing| find(&index, &things, thing).1).max().unwrap() < 12, "chains are short");
    for thing in (0..5_000).step_by(2) {
        assert!(index.remove(&mut things, thing));
        assert!(!index.remove(&mut things, thing));
    }
    assert!((0..5_000).all(|thing| find(&index, &things, thing).0 == (thing % 2 == 1)));
}

#[test]
fn deadlines_come_in_order_whatever_moves() {
    let (mut deadlines, mut model, mut seed) = (Deadlines::default(), BTreeMap::<u32, u64>::new(), 7);
    for _ in 0..20_000 {
        let (thing, at) = (random(&mut seed) % 300, u64::from(random(&mut seed) % 10_000));
        match random(&mut seed) % 8 {
            0 => {
                deadlines.remove(thing);
                model.remove(&thing);
            }
            1 => {
                let due = deadlines.take_due(Instant::from_nanos(at));
                let least = model.values().min().copied();
                assert_eq!(due.map(|thing| model[&thing]), least.filter(|least| *least <= at));
                due.map(|thing| model.remove(&thing));
            }
            _ => {
                deadlines.arm(thing, Instant::from_nanos(at));
                let known = model.entry(thing).or_insert(at);
                *known = at.min(*known);
            }
        }
        assert_eq!(deadlines.earliest().unless_never().map(Instant::as_nanos), model.values().min().copied());
    }
}

#[test]
fn places_are_used_again() {
    let mut slab = Slab::default();
    let indices: Vec<_> = (0..10).map(|thing| slab.insert(thing)).collect();
    assert_eq!(slab.remove(indices[3]), Some(3));
    assert_eq!(slab.remove(indices[3]), None);
    assert_eq!((slab.insert(33), slab.get(3), slab.len()), (3, Some(&33), 10));
}
