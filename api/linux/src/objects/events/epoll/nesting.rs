//! Sets in sets: what epoll_ctl(2) refuses so that what happens to a file has few ways up.

use alloc::{collections::BTreeMap, sync::Arc, vec::Vec};
use core::any::Any;

use epoll_sets::{Graph, Nesting, Paths, within_limits};
use linux_abi::Errno;
use vfs::Node;

use super::{Epoll, epoll};
use crate::objects::descriptors::Description;

/// Which sets are in which.
static NESTING: Nesting<Epoll> = Nesting::new();

/// Does `enter`, by which `file` gets into `outer` under a number, if there are not too many ways then: ELOOP where
/// sets would be too deep in each other, EINVAL where something would have too many ways up.
pub fn add(
    outer: &Arc<Epoll>,
    number: i32,
    file: &Arc<Description>,
    enter: impl FnOnce() -> Result<(), Errno>,
) -> Result<(), Errno> {
    if epoll(&*file.node).is_some() {
        add_set(outer, number, file, enter)
    } else if !NESTING.is_empty() {
        add_file(outer, number, file, enter)
    } else {
        enter()
    }
}

#[inline(never)]
fn add_file(
    outer: &Arc<Epoll>,
    number: i32,
    file: &Arc<Description>,
    enter: impl FnOnce() -> Result<(), Errno>,
) -> Result<(), Errno> {
    let mut graph = NESTING.lock();
    let set = Arc::as_ptr(outer).addr();
    if graph.is_within(set) && !outer.has(number, file) {
        check(&mut graph, file, Some(set), &mut BTreeMap::new())?;
    }
    enter()
}

#[inline(never)]
fn add_set(
    outer: &Arc<Epoll>,
    number: i32,
    file: &Arc<Description>,
    enter: impl FnOnce() -> Result<(), Errno>,
) -> Result<(), Errno> {
    let inner: Arc<dyn Any + Send + Sync> = Arc::<dyn Node>::clone(file.node.counted());
    let inner = inner.downcast::<Epoll>().map_err(|_| Errno::EINVAL)?;
    let [from, to] = [outer, &inner].map(|set| Arc::as_ptr(set).addr());
    // Files and sets that are looked at may be closed meanwhile: they go when nothing is locked.
    let mut looked_at = (Vec::new(), Vec::new());
    let mut graph = NESTING.lock();
    graph.link(outer, &inner).map_err(|_| Errno::ELOOP)?;
    let fits = if outer.has(number, file) { Ok(()) } else { check_all(&mut graph, to, &mut looked_at) };
    let result = fits.and_then(|()| enter());
    if result.is_err() {
        graph.unlink(from, to);
    }
    drop(graph);
    result
}

/// Looks at all files in a set and those below it.
fn check_all(
    graph: &mut Graph<'_, Epoll>,
    set: usize,
    (sets, files): &mut (Vec<Arc<Epoll>>, Vec<Arc<Description>>),
) -> Result<(), Errno> {
    let mut known = BTreeMap::new();
    *sets = graph.below(set);
    sets.iter().for_each(|set| set.files(files));
    files.iter().try_for_each(|file| check(graph, file, None, &mut known))
}

/// EINVAL if a file has too many ways up, one more by the set `more`.
fn check(
    graph: &mut Graph<'_, Epoll>,
    file: &Description,
    more: Option<usize>,
    known: &mut BTreeMap<usize, Paths>,
) -> Result<(), Errno> {
    let mut sum = Paths::default();
    let mut add = |set| {
        let ways = graph.paths(set, known);
        sum.iter_mut().zip(ways).for_each(|(sum, ways)| *sum = sum.saturating_add(ways));
    };
    file.closing.each(&mut add);
    more.into_iter().for_each(add);
    if within_limits(&sum) { Ok(()) } else { Err(Errno::EINVAL) }
}

/// A set is in another no more.
pub fn left(outer: &Epoll, inner: &Epoll) {
    NESTING.lock().unlink(core::ptr::from_ref(outer).addr(), core::ptr::from_ref(inner).addr());
}
