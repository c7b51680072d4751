//! Graphs of sets against a search of all ways, and counts of what is looked at.

extern crate std;

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use super::*;

fn sets(count: usize) -> Vec<Arc<usize>> {
    (0..count).map(Arc::new).collect()
}

fn address(set: &Arc<usize>) -> usize {
    Arc::as_ptr(set).addr()
}

/// Steps that `work` takes.
fn steps(nesting: &Nesting<usize>, work: impl FnOnce(&mut Graph<'_, usize>)) -> usize {
    let mut graph = nesting.lock();
    work(&mut graph);
    graph.steps
}

/// The longest way from one set on, by its links.
fn reach(links: &[(usize, usize)], from: usize, seen: usize) -> usize {
    assert!(seen <= 2 * DEEPEST + 1, "in a circle");
    links.iter().filter(|link| link.0 == from).map(|link| 1 + reach(links, link.1, seen + 1)).max().unwrap_or(0)
}

fn ways(links: &[(usize, usize)], from: usize, length: usize, counts: &mut Paths) {
    let above: Vec<usize> = links.iter().filter(|link| link.1 == from).map(|link| link.0).collect();
    if above.is_empty() {
        counts[length] += 1;
    }
    above.into_iter().for_each(|next| ways(links, next, length + 1, counts));
}

#[test]
fn links_are_refused_as_by_a_search_of_all_ways() {
    let (nesting, sets) = (Nesting::new(), sets(9));
    let mut links: Vec<(usize, usize)> = Vec::new();
    let mut state = 5_u64;
    let (mut refused, mut made) = (0, 0);
    for _ in 0..if cfg!(miri) { 100 } else { 20_000 } {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (outer, inner) = ((state >> 33) as usize % 9, (state >> 43) as usize % 9);
        if (state >> 50) % 8 < 3 && !links.is_empty() {
            let (outer, inner) = links.swap_remove((state >> 53) as usize % links.len());
            nesting.lock().unlink(address(&sets[outer]), address(&sets[inner]));
        } else {
            // With the link, no way from any set may be longer than the longest; one in a circle has no end.
            let is_circle = outer == inner || leads(&links, inner, outer);
            let fits = !is_circle && {
                let mut more = links.clone();
                more.push((outer, inner));
                (0..9).all(|from| reach(&more, from, 0) <= DEEPEST)
            };
            let result = nesting.lock().link(&sets[outer], &sets[inner]);
            assert_eq!(result, if fits { Ok(()) } else { Err(TooDeep) }, "{outer} gets {inner} in {links:?}");
            if fits {
                links.push((outer, inner));
                made += 1;
            } else {
                refused += 1;
            }
        }
        let from = (state >> 40) as usize % 9;
        let mut counts = Paths::default();
        ways(&links, from, 0, &mut counts);
        assert_eq!(nesting.lock().paths(address(&sets[from]), &mut BTreeMap::new()), counts);
        assert_eq!(nesting.is_empty(), links.is_empty());
    }
    assert!(refused > made / 20 && made > 30, "{refused} refused, {made} made");
}

fn leads(links: &[(usize, usize)], from: usize, to: usize) -> bool {
    links.iter().any(|link| link.0 == from && (link.1 == to || leads(links, link.1, to)))
}

/// Five levels, each set in all sets of the level above, whatever level is joined first: a link takes some steps, and
/// not as many as there are links, or ways.
#[test]
#[cfg_attr(miri, ignore = "thousands of links take minutes")]
fn a_mesh_takes_time_by_its_links() {
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [0, 3, 1, 2], [1, 2, 0, 3]] {
        for width in [10, 20, 40] {
            let (nesting, sets) = (Nesting::new(), sets(5 * width));
            let links = 4 * width * width;
            let taken = steps(&nesting, |graph| {
                for level in order {
                    for (outer, inner) in (0..width * width).map(|pair| (pair / width, pair % width)) {
                        let (outer, inner) = (&sets[(level + 1) * width + outer], &sets[level * width + inner]);
                        assert_eq!(graph.link(outer, inner), Ok(()));
                    }
                }
            });
            assert!(taken <= links * 16, "{width} wide, in the order {order:?}: {taken} steps for {links} links");
            let mut paths = Paths::default();
            let taken = steps(&nesting, |graph| paths = graph.paths(address(&sets[0]), &mut BTreeMap::new()));
            assert!(taken <= 5 * width, "{taken} steps for {} sets", 5 * width);
            assert_eq!(paths, [0, 0, 0, 0, width.pow(4) as u32]);
            assert!(!within_limits(&paths));
            assert_eq!(nesting.lock().below(address(&sets[4 * width])).len(), 4 * width + 1);
        }
    }
}

#[test]
fn limits_are_those_of_linux() {
    assert!(within_limits(&[5000, 500, 100, 50, 10]));
    for length in 1..=DEEPEST {
        let mut paths = [5000, 500, 100, 50, 10];
        paths[length] += 1;
        assert!(!within_limits(&paths));
    }
}

struct Counted {
    listed: AtomicBool,
    ready: AtomicBool,
    level: bool,
    looks: Arc<AtomicUsize>,
}

impl Member for Counted {
    fn listed(&self) -> &AtomicBool {
        &self.listed
    }

    fn found(&self) -> u32 {
        self.looks.fetch_add(1, Relaxed);
        self.ready.load(Relaxed).into()
    }

    fn is_level(&self) -> bool {
        self.level
    }
}

fn members(count: usize, ready: bool) -> (Arc<AtomicUsize>, Ready<Counted>, Vec<Arc<Counted>>) {
    members_of(count, ready, true)
}

fn members_of(count: usize, ready: bool, level: bool) -> (Arc<AtomicUsize>, Ready<Counted>, Vec<Arc<Counted>>) {
    let looks = Arc::new(AtomicUsize::new(0));
    let new = || Counted { listed: false.into(), ready: ready.into(), level, looks: Arc::clone(&looks) };
    let members: Vec<_> = (0..count).map(|_| Arc::new(new())).collect();
    let list = Ready::default();
    members.iter().for_each(|member| list.list(member));
    (looks, list, members)
}

#[test]
#[cfg_attr(miri, ignore = "thousands take minutes")]
fn members_are_told_one_at_a_time_with_one_look_each() {
    let (looks, list, members) = members(20_000, true);
    for _ in 0..2 {
        for member in &members {
            let mut told = None;
            list.collect(1, |member, _| {
                told = Some(core::ptr::from_ref(member));
                // As long as it is ready, behind the others.
                true
            });
            assert_eq!(told, Some(Arc::as_ptr(member)));
        }
    }
    assert_eq!(looks.swap(0, Relaxed), 40_000);
    // Whoever is not ready any more is looked at once, however often is asked.
    members[..19_999].iter().for_each(|member| member.ready.store(false, Relaxed));
    assert!((0..100).all(|_| list.is_ready()));
    assert!(looks.load(Relaxed) <= 2 * 20_000 + 100, "{looks:?}");
    members[19_999].ready.store(false, Relaxed);
    assert!(!list.is_ready() && !list.is_ready());
    list.list(&members[7]);
    assert!(!list.is_ready());
    members[7].ready.store(true, Relaxed);
    list.list(&members[7]);
    assert!(list.is_ready());
}

#[test]
fn who_has_left_is_not_told() {
    let (_, list, mut members) = members(9, true);
    for _ in 0..8 {
        list.leave(&members[0]);
        drop(members.remove(0));
    }
    let mut told = 0;
    list.collect(usize::MAX, |member, _| {
        assert!(core::ptr::eq(member, &*members[0]));
        told += 1;
        true
    });
    assert_eq!(told, 1);
}

struct Woken(AtomicUsize);

impl alloc::task::Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Relaxed);
    }
}

#[test]
fn another_who_waits_hears_of_what_stays() {
    for (count, level) in [(1, true), (1, false), (3, true)] {
        let (looks, list, _members) = members_of(count, true, level);
        let woken = Arc::new(Woken(AtomicUsize::new(0)));
        let waker = core::task::Waker::from(Arc::clone(&woken));
        let waiter = core::pin::pin!(sync::Waiter::new(&list.waiters, waker, sync::Stay::Once));
        waiter.as_ref().enter();
        list.collect(usize::MAX, |_, _| true);
        assert_eq!((woken.0.load(Relaxed), list.listed()), (1, count));
        assert_eq!(looks.load(Relaxed), count);
    }
}

#[test]
fn who_looks_while_members_are_taken_is_told_of_them() {
    for (count, most, level) in [(1, 1, true), (1, 1, false), (5, 5, true), (5, 1, true)] {
        let (_, list, members) = members_of(count, true, level);
        let list = Arc::new(list);
        let woken = Arc::new(Woken(AtomicUsize::new(0)));
        let watcher =
            sync::Watcher::new(Arc::clone(&list), |list| &list.watchers, core::task::Waker::from(Arc::clone(&woken)));
        // Nobody missed anything: nobody is woken.
        list.collect(most, |_, _| true);
        assert_eq!(woken.0.load(Relaxed), 0);
        let mut seen = true;
        list.collect(most, |_, _| {
            seen &= list.is_ready();
            true
        });
        assert!(seen || woken.0.load(Relaxed) > 0, "{count}, {most}");
        // What something happens to meanwhile is listed once, behind the others.
        list.collect(usize::MAX, |member, _| {
            let member = members.iter().find(|one| core::ptr::eq(&***one, member)).unwrap();
            list.list(member);
            true
        });
        assert_eq!(list.listed(), count);
        drop(watcher);
    }
}

#[test]
fn who_leaves_while_members_are_taken_is_forgotten() {
    let (_, list, mut members) = members(6, true);
    let mut last = members.pop();
    list.collect(usize::MAX, |_, _| {
        if let Some(leaves) = last.take() {
            list.leave(&leaves);
        }
        true
    });
    assert_eq!(list.listed(), 5);
    let mut told = 0;
    list.collect(usize::MAX, |_, _| {
        told += 1;
        false
    });
    assert_eq!((told, list.listed()), (5, 0));
}
