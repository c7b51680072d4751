//! Directories as deep as a program likes: nothing here may go down or up them by recursion.

use super::*;

const DEPTH: usize = if cfg!(miri) { 50 } else { 20_000 };

/// In a thread whose stack is as small as a kernel's.
fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(32 << 10).spawn(work).unwrap().join().unwrap();
}

fn deepest(root: &Arc<dyn Node>) -> Arc<dyn Node> {
    (0..DEPTH).fold(root.clone(), |at, _| at.lookup(b"d").unwrap())
}

fn made(root: &Arc<dyn Node>) -> Arc<dyn Node> {
    let creation = Creation { kind: MakeKind::Directory, mode: 0o755, owner: Owner::default() };
    (0..DEPTH).fold(root.clone(), |at, _| at.create(b"d", &creation).unwrap())
}

#[test]
fn what_is_below_goes_without_recursion() {
    on_a_small_stack(|| {
        let lower: Arc<dyn Node> = Ramfs::new(1, world(), 0o755).root().clone();
        made(&lower);
        let root = crate::overlay::root(lower.clone(), 9, world(), 16);
        let last = deepest(&root);
        assert_eq!(Mounts::new().path_of(&last, &root).unwrap().len(), 2 * DEPTH);
        drop(last);
        // The ones found last are remembered; then all go.
        for _ in 0..40 {
            root.lookup(b"d").unwrap();
        }
        drop(deepest(&root));
        drop(root);
        // A tree in memory stays until the machine ends.
        std::mem::forget(lower);
    });
}

#[test]
fn what_is_made_here_is_kept_and_removed_from_its_end() {
    on_a_small_stack(|| {
        let lower: Arc<dyn Node> = Ramfs::new(1, world(), 0o755).root().clone();
        made(&lower);
        let root = crate::overlay::root(lower.clone(), 9, world(), 16);
        let last = deepest(&root);
        last.change(&Change { user: Some(7), ..Change::default() }).unwrap();
        let mut at = made(&last);
        drop(last);
        assert_eq!(deepest(&root).metadata().owner.user, 7);
        for _ in 0..2 * DEPTH {
            let parent = at.place().unwrap().parent;
            parent.remove(b"d", Removal::Directory).unwrap();
            at = parent;
        }
        assert!(same(&at, &root) && root.lookup(b"d").is_err());
        std::mem::forget(lower);
    });
}
