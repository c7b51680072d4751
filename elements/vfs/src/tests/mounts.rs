//! File systems in one tree.

use super::*;

fn mounting(ramfs: &Ramfs, read_only: bool) -> Mounting {
    Mounting { root: ramfs.root().clone(), kind: "tmpfs", source: b"tmpfs".into(), read_only }
}

/// A tree with another file system at `/a/m`.
fn with_mount(read_only: bool, test: impl FnOnce(&View<'_>, &Arc<dyn Node>)) {
    with_view(|view| {
        let (outer, inner) = (Ramfs::new(1, world(usize::MAX), 0o755), Ramfs::new(2, world(usize::MAX), 0o755));
        let root: Arc<dyn Node> = outer.root().clone();
        let view = View { root: &root, start: &root, ..*view };
        view.mounts.begin(mounting(&outer, false));
        directory(&view, "/a");
        directory(&view, "/a/m");
        file(&view, "/a/m/hidden");
        let mounted: Arc<dyn Node> = inner.root().clone();
        mounted.create(b"shown", &Creation { kind: MakeKind::File, mode: 0o644, owner: Owner::default() }).unwrap();
        view.mount(b"a/m", mounting(&inner, read_only)).unwrap();
        test(&view, &mounted);
    });
}

#[test]
fn the_walk_enters_and_leaves() {
    with_mount(false, |view, mounted| {
        for path in ["/a/m", "a/m/.", "a/m/../m", "a/m/../../a/m/"] {
            assert!(same(&view.lookup(path.as_bytes(), Follow::No).unwrap(), mounted), "{path}");
        }
        assert_eq!(view.lookup(b"/a/m/hidden", Follow::No).err(), Some(FileError::NotFound));
        assert_eq!(view.lookup(b"/a/m/shown", Follow::No).unwrap().metadata().device, 2);
        let inner = directory(view, "/a/m/d");
        assert_eq!(view.mounts.path_of(&inner, view.root).unwrap(), b"/a/m/d");
        assert_eq!(view.mounts.path_of(mounted, view.root).unwrap(), b"/a/m");
        let below = View { start: &inner, ..*view };
        assert_eq!(below.lookup(b"../../m/d/../../..", Follow::No).unwrap().metadata().device, 1);
        let jail = View { root: mounted, start: mounted, ..*view };
        assert!(same(&jail.lookup(b"/../..", Follow::No).unwrap(), mounted));
    });
}

#[test]
fn points_are_busy_and_move_with_what_they_are_in() {
    with_mount(false, |view, mounted| {
        assert_eq!(view.remove_directory(b"/a/m"), Err(FileError::Busy));
        assert_eq!(view.remove_file(b"/a/m"), Err(FileError::IsDirectory));
        assert_eq!(view.rename(b"/a/m", view, b"/b", RenameMode::Replace), Err(FileError::Busy));
        directory(view, "/other");
        assert_eq!(view.rename(b"/other", view, b"/a/m", RenameMode::Replace), Err(FileError::Busy));
        assert_eq!(view.rename(b"/other", view, b"/a/m", RenameMode::Exchange), Err(FileError::Busy));
        assert_eq!(view.remove_directory(b"/a"), Err(FileError::NotEmpty));
        view.rename(b"/a", view, b"/moved", RenameMode::Replace).unwrap();
        assert_eq!(view.mounts.path_of(mounted, view.root).unwrap(), b"/moved/m");
        assert!(same(&view.lookup(b"/moved/m", Follow::No).unwrap(), mounted));
        assert_eq!(view.mounts.all()[1].path(view.mounts, view.root).unwrap(), b"/moved/m");
    });
}

#[test]
fn nothing_goes_across() {
    with_mount(false, |view, _| {
        let outside = file(view, "/f");
        assert_eq!(view.rename(b"/f", view, b"/a/m/f", RenameMode::Replace), Err(FileError::CrossDevice));
        assert_eq!(view.rename(b"/a/m/shown", view, b"/f", RenameMode::Replace), Err(FileError::CrossDevice));
        assert_eq!(view.link(&outside, b"/a/m/f"), Err(FileError::CrossDevice));
    });
}

#[test]
fn a_mount_that_does_not_change() {
    with_mount(true, |view, mounted| {
        let refused = Some(FileError::ReadOnly);
        assert_eq!(view.make(b"/a/m/d", MakeKind::Directory, 0o755).err(), refused);
        assert_eq!(view.make(b"/a/m/shown", MakeKind::Directory, 0o755).err(), Some(FileError::Exists));
        assert_eq!(view.remove_file(b"/a/m/shown").err(), refused);
        assert_eq!(view.remove_directory(b"/a/m/none").err(), refused);
        assert_eq!(view.rename(b"/a/m/shown", view, b"/a/m/x", RenameMode::Replace).err(), refused);
        assert_eq!(view.open(b"/a/m/new", &CREATE).err(), refused);
        assert_eq!(view.open(b"/a/m/shown", &CREATE).err(), refused);
        let cut = OpenRequest { read: true, truncate: true, ..OpenRequest::default() };
        assert_eq!(view.open(b"/a/m/shown", &cut).err(), refused);
        let shown = view.lookup(b"/a/m/shown", Follow::No).unwrap();
        assert_eq!(view.link(&shown, b"/a/m/x").err(), refused);
        assert_eq!(view.mounts.check_change(&*shown), Err(FileError::ReadOnly));
        assert_eq!(view.mounts.check_change(&**view.root), Ok(()));
        assert!(view.open(b"/a/m/shown", &OpenRequest { read: true, ..OpenRequest::default() }).is_ok());
        assert_eq!(names(mounted), [b"shown".to_vec()]);
        file(view, "/a/elsewhere");
    });
}

#[test]
fn a_file_covers_one_name_of_a_file() {
    with_mount(false, |view, _| {
        let below = file(view, "/one");
        view.link(&below, b"/two").unwrap();
        let ramfs = Ramfs::new(3, world(usize::MAX), 0o755);
        let root = ramfs.nameless(0o600, Owner::default());
        let mounting = Mounting { root: root.clone(), ..mounting(&ramfs, false) };
        assert_eq!(view.mount(b"/a", mounting.clone()), Err(FileError::NotDirectory));
        assert_eq!(view.mount(b"/none", mounting.clone()), Err(FileError::NotFound));
        assert_eq!(view.mount(b"/", mounting.clone()), Err(FileError::Invalid));
        view.mount(b"/one", mounting.clone()).unwrap();
        assert_eq!(view.mount(b"/two", mounting), Err(FileError::Busy));
        assert!(same(&view.lookup(b"/one", Follow::No).unwrap(), &root));
        assert!(same(&view.lookup(b"/two", Follow::No).unwrap(), &below));
        assert_eq!(view.remove_file(b"/one"), Err(FileError::Busy));
        assert_eq!(view.remove_file(b"/two"), Ok(()));
        assert_eq!(view.mounts.all()[2].path(view.mounts, view.root).unwrap(), b"/one");
    });
}

#[test]
fn mounts_stand_on_mounts() {
    with_mount(false, |view, mounted| {
        let ramfs = Ramfs::new(3, world(usize::MAX), 0o755);
        view.mount(b"/a/m", mounting(&ramfs, false)).unwrap();
        let top = view.lookup(b"/a/m", Follow::No).unwrap();
        assert_eq!(top.metadata().device, 3);
        assert_eq!(view.mounts.path_of(&top, view.root).unwrap(), b"/a/m");
        assert_eq!(view.lookup(b"/a/m/../m/..", Follow::No).unwrap().metadata().device, 1);
        directory(view, "/a/m/deep");
        let deepest = Ramfs::new(4, world(usize::MAX), 0o755);
        view.mount(b"/a/m/deep", mounting(&deepest, false)).unwrap();
        assert_eq!(view.lookup(b"/a/m/deep/..", Follow::No).unwrap().metadata().device, 3);
        let paths: Vec<_> = view.mounts.all().iter().map(|mount| mount.path(view.mounts, view.root).unwrap()).collect();
        assert_eq!(paths, [&b"/"[..], b"/a/m", b"/a/m", b"/a/m/deep"]);
        assert!(view.mounts.is_root(mounted));
    });
}
