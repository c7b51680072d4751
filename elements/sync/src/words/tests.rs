//! Who is woken, in which order, and in how many steps.

use std::{boxed::Box, cell::Cell, collections::VecDeque, sync::Arc, vec, vec::Vec};

use super::*;

std::thread_local! {
    static STEPS: Cell<usize> = const { Cell::new(0) };
    static WOKEN: Cell<Vec<u32>> = const { Cell::new(Vec::new()) };
}

/// A place was looked at or changed.
pub fn count_step() {
    STEPS.set(STEPS.get() + 1);
}

fn words() -> &'static Words<u32> {
    Box::leak(Box::new(Words::new()))
}

fn note(who: &u32) {
    let mut woken = WOKEN.take();
    woken.push(*who);
    WOKEN.set(woken);
}

const ANY: u64 = u32::MAX as u64;

/// A word of an address space.
const fn word_at(at: usize) -> Key {
    Key { owner: 1, at }
}

fn wait(words: &'static Words<u32>, word: usize, kinds: u64, priority: u8, who: u32) -> Arc<Place<u32>> {
    words.wait::<()>(word_at(word), kinds, priority, who, || Ok(())).unwrap()
}

fn requeue(words: &'static Words<u32>, pair: [usize; 2], counts: [usize; 2]) -> (usize, usize) {
    words.requeue::<()>(pair.map(word_at), counts, ANY, || Ok(()), note).unwrap()
}

#[test]
fn priority_goes_first_and_then_who_has_waited_longest() {
    let words = words();
    let places: Vec<_> = [(4, 0), (4, 7), (8, 0), (4, 9), (4, 7), (4, 0)]
        .iter()
        .zip(0..)
        .map(|(&(word, priority), who)| wait(words, word, 1, priority, who))
        .collect();
    assert!(words.wait(word_at(4), 1, 0, 99, || Err(7)).is_err_and(|error| error == 7));
    assert_eq!(words.wake(word_at(4), 9, 2, note), 0);
    assert_eq!(words.wake(word_at(4), 3, 3, note), 3);
    assert!(places[0].give_up() && !places[0].give_up() && !places[3].give_up() && places[3].is_woken());
    assert_eq!(words.wake(word_at(4), 9, 1, note), 1);
    assert_eq!(words.wake(word_at(8), 9, 1, note), 1);
    assert_eq!(WOKEN.take(), [3, 1, 4, 5, 2]);
}

#[test]
fn who_is_moved_goes_behind_and_who_stays_keeps_its_place() {
    let words = words();
    // The word 0 is one like others.
    let places: Vec<_> = [4, 4, 4, 4, 0].iter().zip(0..).map(|(&word, who)| wait(words, word, 1, 0, who)).collect();
    assert_eq!(requeue(words, [4, 4], [0, 2]), (0, 2));
    assert_eq!(requeue(words, [4, 0], [1, 2]), (1, 2));
    assert_eq!(words.wake(word_at(4), 9, ANY, note), 1);
    assert!(places[2].give_up());
    assert_eq!(words.wake(word_at(0), 9, ANY, note), 2);
    assert_eq!(WOKEN.take(), [0, 3, 4, 1]);
}

#[test]
fn what_is_handed_on_keeps_the_order_if_nobody_takes_it() {
    let words = words();
    let _places: Vec<_> = [(4, 2), (4, 1), (4, 2)]
        .iter()
        .zip(0..)
        .map(|(&(word, kinds), who)| wait(words, word, kinds, 0, who))
        .collect();
    let hand = |taken: bool| {
        let told = Cell::new(None);
        let release = |heir: Option<&u32>, more| {
            told.set(Some((heir.copied(), more)));
            if taken { Ok(()) } else { Err(()) }
        };
        assert_eq!(words.hand_on(word_at(4), 2, release, note).is_ok(), taken);
        told.get().unwrap()
    };
    assert_eq!(
        [false, true, true, true].map(hand),
        [(Some(0), true), (Some(0), true), (Some(2), false), (None, false)]
    );
    assert_eq!((WOKEN.take(), words.wake(word_at(4), 9, ANY, note), WOKEN.take()), (vec![0, 2], 1, vec![1]));
}

/// One who waits, for what kinds, and its priority.
type Entry = (Arc<Place<u32>>, u64, u8);

/// Against queues by word and priority that are looked through from the front.
#[test]
fn it_behaves_like_queues_that_are_looked_through() {
    let words = words();
    let mut model: Vec<VecDeque<Entry>> = (0..4).map(|_| VecDeque::new()).collect();
    let mut state = 1_u64;
    for who in 0..if cfg!(miri) { 200 } else { 20_000 } {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let draw = |shift: u32, below: u64| (state >> shift) % below;
        let (word, other, kinds) = (draw(20, 4) as usize, draw(24, 4) as usize, 1 + draw(28, 3));
        let place_of = |queue: &VecDeque<(_, _, u8)>, priority| queue.partition_point(|(_, _, own)| *own >= priority);
        match draw(40, 8) {
            0..=3 => {
                let priority = draw(50, 3) as u8;
                let place = wait(words, word * 4, kinds, priority, who);
                let index = place_of(&model[word], priority);
                model[word].insert(index, (place, kinds, priority));
            }
            4 => {
                let index = draw(44, 16) as usize;
                if let Some((place, ..)) = model[word].remove(index) {
                    assert!(place.give_up());
                }
            }
            5 if word != other => {
                let (mut expected, moves) = (0, draw(44, 3) as usize);
                while expected < moves
                    && let Some(index) = model[word].iter().position(|(_, own, _)| own & ANY != 0)
                {
                    let moved = model[word].remove(index).unwrap();
                    let index = place_of(&model[other], moved.2);
                    model[other].insert(index, moved);
                    expected += 1;
                }
                assert_eq!(requeue(words, [word * 4, other * 4], [0, moves]), (0, expected));
            }
            _ => {
                let mut expected = Vec::new();
                while expected.len() < 2
                    && let Some(index) = model[word].iter().position(|(_, own, _)| own & kinds != 0)
                {
                    expected.push(model[word].remove(index).unwrap().0.who);
                }
                assert_eq!(words.wake(word_at(word * 4), 2, kinds, note), expected.len());
                assert_eq!(WOKEN.take(), expected);
            }
        }
    }
    // Nothing stays behind.
    for (word, queue) in model.iter().enumerate() {
        assert_eq!(words.wake(word_at(word * 4), usize::MAX, ANY, note), queue.len());
    }
    WOKEN.take();
}

/// As many as a process has threads: for one word, and each for a word of its own in one list.
#[test]
#[cfg_attr(miri, ignore = "thousands take minutes")]
fn each_of_thousands_takes_steps_by_their_logarithm() {
    const MANY: usize = 32_768;
    /// Steps of one who comes or goes; a tree of so many is some forty deep.
    const MOST: usize = 200;
    let one_word: Vec<usize> = vec![4; MANY];
    let one_list: Vec<usize> =
        (1..).map(|word| word * 4).filter(|&word| list_of(word_at(word)) == 0).take(MANY).collect();
    for addresses in [one_word, one_list] {
        let words = words();
        let enter = || -> Vec<_> {
            let each = addresses.iter().zip(0_u32..);
            each.map(|(&word, who)| wait(words, word, 1 << (who % 2), (who % 3) as u8, who)).collect()
        };
        let counted = |what: &str, work: &mut dyn FnMut()| {
            STEPS.set(0);
            work();
            let most = MANY * MOST;
            assert!(STEPS.get() <= most, "{what}: {} steps, more than {most}", STEPS.get());
        };
        let mut places = Vec::new();
        counted("they enter", &mut || places = enter());
        counted("each gives up, from the middle", &mut || {
            (0..MANY).for_each(|index| assert!(places[(index * 7919 + 1) % MANY].give_up()));
        });
        drop(enter());
        counted("each is woken by itself", &mut || {
            // By kind: half of the others go before and are no match.
            for kind in [2, 1] {
                for &word in addresses.iter().skip(if kind == 2 { 1 } else { 0 }).step_by(2) {
                    assert_eq!(words.wake(word_at(word), 1, kind, note), 1);
                }
            }
        });
        places = enter();
        counted("nobody is found", &mut || {
            for &word in &addresses {
                assert_eq!(
                    words.wake(word_at(word), 1, 4, note) + words.wake(word_at(word + 4 * MANY * 256), 1, 1, note),
                    0
                );
            }
        });
        counted("each is moved by itself", &mut || {
            for &word in &addresses {
                assert_eq!(requeue(words, [word, 1 << 40], [0, 1]), (0, 1));
            }
        });
        counted("all are woken", &mut || assert_eq!(words.wake(word_at(1 << 40), MANY, ANY, note), MANY));
        assert!(places.iter().all(|place| place.is_woken()));
        WOKEN.take();
    }
}

#[test]
fn words_of_two_owners_at_one_place_are_apart() {
    let words = words();
    let [mine, others] = [1, 2].map(|owner| Key { owner, at: 4 });
    let wait = |key, who| words.wait::<()>(key, 1, 0, who, || Ok(())).unwrap();
    let places = [wait(mine, 0), wait(others, 1), wait(mine, 2), wait(others, 3)];
    assert_eq!(words.wake(others, 9, ANY, note), 2);
    assert_eq!(words.wake(Key { owner: 3, at: 4 }, 9, ANY, note), 0);
    assert!(places[0].give_up());
    assert_eq!(words.requeue::<()>([mine, others], [0, 9], ANY, || Ok(()), note), Ok((0, 1)));
    assert_eq!((words.wake(mine, 9, ANY, note), words.wake(others, 9, ANY, note)), (0, 1));
    assert_eq!(WOKEN.take(), [1, 3, 2]);
}

#[test]
fn owners_have_what_is_waited_for() {
    let mut owners = Owners::new();
    for (word, owner) in [(4, 1), (8, 1), (4, 2), (12, 2)] {
        owners.waits(word_at(word), word + 100, owner);
    }
    let of = |owners: &Owners, owner| -> Vec<usize> {
        owners
            .of(owner)
            .iter()
            .inspect(|(key, address)| assert_eq!(key.at + 100, *address))
            .map(|(key, _)| key.at)
            .collect()
    };
    assert_eq!((of(&owners, 1), of(&owners, 2), of(&owners, 3)), (vec![8], vec![4, 12], vec![]));
    owners.passes(word_at(12), 1);
    owners.passes(word_at(16), 1);
    owners.leaves(word_at(4));
    owners.leaves(word_at(8));
    assert_eq!((of(&owners, 1), of(&owners, 2)), (vec![12], vec![4]));
    owners.leaves(word_at(4));
    owners.leaves(word_at(4));
    owners.leaves(word_at(12));
    assert!(of(&owners, 1).is_empty() && of(&owners, 2).is_empty());
}
