//! Paths that are known must lead where a walk would.

use super::*;
use crate::Mounting;

/// Looks a path up twice through a view, so that it is known, and once more through one that knows nothing.
fn agrees(view: &View<'_>, path: &str) {
    let fresh = Mounts::new();
    let walked = View { mounts: &fresh, ..*view };
    for follow in [Follow::Yes, Follow::No, Follow::Never] {
        for _ in 0..3 {
            let (one, other) = (view.lookup(path.as_bytes(), follow), walked.lookup(path.as_bytes(), follow));
            assert_eq!(one.as_ref().err(), other.as_ref().err(), "{path}");
            assert!(one.is_err() || same(&one.unwrap(), &other.unwrap()), "{path}");
            let (one, other) = (view.walk(path.as_bytes(), follow), walked.walk(path.as_bytes(), follow));
            assert_eq!(one.as_ref().err(), other.as_ref().err(), "{path}");
            let (Ok(one), Ok(other)) = (one, other) else { continue };
            assert!(same(&one.parent, &other.parent) && one.last == other.last && one.slash == other.slash, "{path}");
            assert_eq!(
                one.node.map(|node| Arc::as_ptr(&node).addr()),
                other.node.map(|node| Arc::as_ptr(&node).addr())
            );
        }
    }
}

#[test]
fn known_paths_follow_what_is_changed() {
    with_view(|view| {
        let mut state = 7_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let mut path = move || {
            let mut path = std::string::String::new();
            for _ in 0..=random(3) {
                path += ["/a", "/b", "/c", "//a", "/./b", "/../a", "/c/"][random(7) as usize];
            }
            (path, random(9))
        };
        for _ in 0..if cfg!(miri) { 60 } else { 6_000 } {
            let ((one, what), (other, _)) = (path(), path());
            let (bytes, others) = (one.as_bytes(), other.as_bytes());
            let _ = match what {
                0..=2 => view.make(bytes, MakeKind::Directory, 0o755).map(drop),
                3 => view.open(bytes, &CREATE).map(drop),
                4 => view.make(bytes, MakeKind::Link(others), 0o777).map(drop),
                5 => view.remove_file(bytes),
                6 => view.remove_directory(bytes),
                7 => view.rename(bytes, view, others, RenameMode::Exchange),
                _ => view.rename(bytes, view, others, RenameMode::Replace),
            };
            agrees(view, &one);
            agrees(view, &other);
        }
    });
}

#[test]
fn a_known_file_is_let_go_of() {
    with_view(|view| {
        directory(view, "/d");
        let held = Arc::downgrade(&file(view, "/d/f"));
        for _ in 0..3 {
            view.lookup(b"/d/f", Follow::Yes).unwrap();
        }
        view.remove_file(b"/d/f").unwrap();
        assert_eq!(held.strong_count(), 0);
        assert_eq!(view.lookup(b"/d/f", Follow::Yes).err(), Some(FileError::NotFound));
    });
}

#[test]
fn a_known_path_leads_into_what_is_mounted_later() {
    with_view(|view| {
        directory(view, "/d");
        for _ in 0..3 {
            view.lookup(b"/d", Follow::Yes).unwrap();
        }
        let root: Arc<dyn Node> = empty().root().clone();
        let mounting = Mounting { root: root.clone(), kind: "tmpfs", source: b"none".into(), read_only: false };
        view.mount(b"/d", mounting).unwrap();
        assert!(same(&view.lookup(b"/d", Follow::Yes).unwrap(), &root));
    });
}

#[test]
fn whoever_may_not_pass_is_refused_what_others_know() {
    with_view(|view| {
        view.make(b"/closed", MakeKind::Directory, 0o700).unwrap();
        file(view, "/closed/f");
        for _ in 0..3 {
            view.lookup(b"/closed/f", Follow::Yes).unwrap();
        }
        let who = Credentials { user: 7, group: 7, powers: Powers::NONE, ..Credentials::default() };
        let other = View { who: &who, ..*view };
        assert_eq!(other.lookup(b"/closed/f", Follow::Yes).err(), Some(FileError::Denied));
    });
}
