//! What overlays are known for to get wrong.

use core::num::NonZeroUsize;

use super::*;
use crate::overlay::directory::Directory;

fn at(root: &Arc<dyn Node>, path: &str) -> Result<Arc<dyn Node>, FileError> {
    with_view(root, |view| view.lookup(path.as_bytes(), Follow::No))
}

#[test]
fn numbers_stay_and_nodes_are_one() {
    let (root, _, pristine) = planted(world());
    for path in ["/f", "/a", "/a/b/c", "/a/link", "/pipe", "/b/two"] {
        let before = at(&root, path).unwrap().metadata();
        assert_eq!((before.device, before.inode), (9, at(&pristine, path).unwrap().metadata().inode), "{path}");
        let held = at(&root, path).unwrap();
        held.change(&Change { user: Some(7), ..Change::default() }).unwrap();
        assert!(same(&held, &at(&root, path).unwrap()), "{path}");
        drop(held);
        let after = at(&root, path).unwrap().metadata();
        assert_eq!((after.device, after.inode, after.owner.user), (9, before.inode, 7), "{path}");
    }
    let new = with_view(&root, |view| view.open(b"/new", &CREATE)).unwrap().node.metadata();
    assert!(new.inode >= 1 << 62 && new.device == 9);
}

#[test]
fn what_is_removed_stays_hidden_and_new_directories_are_empty() {
    let (root, _, pristine) = planted(world());
    with_view(&root, |view| {
        view.remove_file(b"/b/full/f").unwrap();
        assert_eq!(view.remove_directory(b"/b/full"), Err(FileError::NotEmpty));
        assert_eq!(names(&at(&root, "/b/full").unwrap()), [b"g".to_vec()]);
        view.remove_file(b"/b/full/g").unwrap();
        let gone = at(&root, "/b/full").unwrap();
        view.remove_directory(b"/b/full").unwrap();
        assert!(gone.place().unwrap().removed);
        assert_eq!((gone.metadata().links, names(&gone).len()), (0, 0));
        assert_eq!(view.make(b"/b/full", MakeKind::Directory, 0o755).map(|made| names(&made).len()), Ok(0));
        assert_eq!(at(&root, "/b/full/g").err(), Some(FileError::NotFound));
        assert_eq!(view.mounts.path_of(&gone, &root), None);
    });
    assert_eq!(names(&at(&pristine, "/b/full").unwrap()).len(), 2);
}

#[test]
fn directories_from_below_move() {
    let (root, _, _) = planted(world());
    with_view(&root, |view| {
        let c = at(&root, "/a/b/c").unwrap();
        view.rename(b"/a/b", view, b"/b/moved", RenameMode::Replace).unwrap();
        assert_eq!(view.mounts.path_of(&c, &root).unwrap(), b"/b/moved/c");
        assert_eq!(read(&at(&root, "/b/moved/f").unwrap(), 0, 3), [1, 2, 3]);
        assert_eq!(at(&root, "/a/b").err(), Some(FileError::NotFound));
        assert_eq!(view.make(b"/a/b", MakeKind::Directory, 0o755).map(|made| names(&made).len()), Ok(0));
        assert_eq!(view.rename(b"/b", view, b"/b/moved/c/x", RenameMode::Replace), Err(FileError::Invalid));
        view.rename(b"/a", view, b"/b/moved", RenameMode::Exchange).unwrap();
        assert_eq!(view.mounts.path_of(&c, &root).unwrap(), b"/a/c");
        assert!(same(&c, &at(&root, "/a/c").unwrap()));
        assert_eq!(at(&root, "/b/moved/one").unwrap().metadata().links, 2);
        let above = View { start: &c, ..*view }.lookup(b"../..", Follow::Yes).unwrap();
        assert!(same(&above, &root));
    });
}

#[test]
fn open_files_see_what_changes() {
    let (root, _, _) = planted(world());
    let before = at(&root, "/a/f").unwrap();
    assert_eq!(read(&before, 4998, 99).len(), 12);
    let writer = at(&root, "/a/f").unwrap();
    write(&writer, 4999, b"new").unwrap();
    assert_eq!(read(&before, 4999, 3), b"new");
    assert_eq!((before.metadata().size, before.metadata().links), (5010, 1));
    drop(writer);
    with_view(&root, |view| view.remove_file(b"/a/f").unwrap());
    assert_eq!((read(&before, 4999, 3), before.metadata().links), (b"new".to_vec(), 0));
    assert_eq!(with_view(&root, |view| view.link(&before, b"/again")), Err(FileError::NotFound));
    write(&before, 0, b"still").unwrap();
    assert_eq!(read(&before, 0, 5), b"still");
    assert_eq!(at(&root, "/a/f").err(), Some(FileError::NotFound));
}

#[test]
fn names_below_stay_names_of_one_file() {
    let (root, _, _) = planted(world());
    write(&at(&root, "/a/one").unwrap(), 0, b"L").unwrap();
    let two = at(&root, "/b/two").unwrap();
    assert_eq!((read(&two, 0, 99), two.metadata().links), (b"Linked".to_vec(), 2));
    with_view(&root, |view| {
        view.link(&two, b"/three").unwrap();
        drop(two);
        view.remove_file(b"/a/one").unwrap();
        view.remove_file(b"/three").unwrap();
    });
    let two = at(&root, "/b/two").unwrap();
    assert_eq!((read(&two, 0, 99), two.metadata().links), (b"Linked".to_vec(), 1));
    assert_eq!(with_view(&root, |view| view.rename(b"/b/two", view, b"/f", RenameMode::Replace)), Ok(()));
    assert!(same(&two, &at(&root, "/f").unwrap()));
}

#[test]
fn what_is_lost_with_the_memory_is_counted() {
    let (root, _, pristine) = planted(world());
    let count = || overlay::changed(&root);
    assert_eq!((count(), overlay::changed(&pristine)), (Some(0), Some(0)));
    read(&at(&root, "/a/f").unwrap(), 0, 9);
    assert_eq!(count(), Some(0), "reading changes nothing");
    write(&at(&root, "/a/f").unwrap(), 0, b"new").unwrap();
    write(&at(&root, "/a/f").unwrap(), 0, b"newer").unwrap();
    assert_eq!(count(), Some(1));
    with_view(&root, |view| {
        view.make(b"/b/new", MakeKind::Directory, 0o755).unwrap();
        drop(view.make(b"/b/new/file", MakeKind::File, 0o644).unwrap());
        assert_eq!(overlay::changed(&root), Some(2));
        view.remove_file(b"/b/new/file").unwrap();
        assert_eq!(overlay::changed(&root), Some(1), "nobody misses what was made and removed");
        view.remove_file(b"/a/one").unwrap();
        assert_eq!(overlay::changed(&root), Some(2));
    });
}

/// A file that nobody could copy, with a directory around it.
struct Huge(Kind);

const SIZE: u64 = 1 << 40;

impl Node for Huge {
    fn kind(&self) -> Kind {
        self.0
    }

    fn metadata(&self) -> Metadata {
        Metadata { inode: self.0.bits().into(), size: SIZE, occupied: SIZE, ..Metadata::new(self.0, 0o644) }
    }

    fn lookup(&self, name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        if name.starts_with(b"f") { Ok(Arc::new(Self(Kind::Regular))) } else { Err(FileError::NotFound) }
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        let bytes: Vec<u8> = (offset..SIZE).take(sink.room().min(9000)).map(|at| (at % 251) as u8).collect();
        Ok(sink.put(&bytes))
    }
}

#[test]
fn only_pages_that_change_are_copied() {
    let world = world();
    let root = overlay::root(Arc::new(Huge(Kind::Directory)), 9, world, 0);
    let file = root.lookup(b"f").unwrap();
    file.change(&Change { mode: Some(0o600), ..Change::default() }).unwrap();
    root.rename(b"f", &root, b"g", RenameMode::Replace).unwrap();
    root.link(b"h", &file).unwrap();
    assert_eq!((world.used.load(Ordering::Relaxed), file.metadata().size), (0, SIZE));
    write(&file, SIZE / 2 + 1, b"x").unwrap();
    assert_eq!(world.used.load(Ordering::Relaxed), 4096);
    let middle = read(&file, SIZE / 2 - 5000, 10_000);
    for (at, byte) in (SIZE / 2 - 5000..).zip(middle) {
        assert_eq!(byte, if at == SIZE / 2 + 1 { b'x' } else { (at % 251) as u8 });
    }
    // Whole pages need nothing from below.
    write(&file, 8192, &[9; 8192]).unwrap();
    assert_eq!(world.used.load(Ordering::Relaxed), 3 * 4096);
    file.set_length(SIZE - 1).unwrap();
    file.set_length(SIZE + 5).unwrap();
    assert_eq!(read(&file, SIZE - 2, 99), [((SIZE - 2) % 251) as u8, 0, 0, 0, 0, 0, 0]);
    file.erase(100, u64::MAX).unwrap();
    assert_eq!(read(&file, SIZE / 2, 5), [0; 5]);
    assert_eq!(read(&file, 98, 5), [98, 99, 0, 0, 0]);
    assert_eq!(world.used.load(Ordering::Relaxed), 4 * 4096);
}

#[test]
fn what_nobody_holds_is_forgotten() {
    let world = world();
    let root = overlay::root(Arc::new(Huge(Kind::Directory)), 9, world, 0);
    let held = root.lookup(b"f held").unwrap();
    for number in 0..10_000 {
        root.lookup(std::format!("f{number}").as_bytes()).unwrap();
    }
    root.lookup(b"f changed").unwrap().change(&Change { mode: Some(0), ..Change::default() }).unwrap();
    for number in 0..100 {
        root.lookup(std::format!("fg{number}").as_bytes()).unwrap();
    }
    let directory = Directory::of(&*root).unwrap();
    assert!(directory.inside.lock().slots.count() < 200);
    assert!(same(&held, &root.lookup(b"f held").unwrap()));
    assert_eq!(root.lookup(b"f changed").unwrap().metadata().mode, 0);
}

#[test]
fn a_pipe_from_below_has_two_ends() {
    let (root, _, _) = planted(world());
    let reader = at(&root, "/pipe").unwrap().open(true, false).unwrap().unwrap();
    let writer = at(&root, "/pipe").unwrap().open(false, true).unwrap().unwrap();
    write(&writer, 0, b"through").unwrap();
    assert_eq!(read(&reader, 0, 99), b"through");
}

#[test]
fn what_was_found_lately_is_found_again() {
    let ramfs = Ramfs::new(7, world(), 0o755);
    let pristine: Arc<dyn Node> = ramfs.root().clone();
    with_view(&pristine, plant);
    let below = Below::root(pristine);
    let root = overlay::root(below.clone(), 9, world(), 2);
    let asks = |path: &str| {
        let before = below.shared.asked.load(Ordering::Relaxed);
        at(&root, path).unwrap();
        below.shared.asked.load(Ordering::Relaxed) - before
    };
    assert!(asks("/a/b/c") > 0);
    assert_eq!((asks("/a/b/c"), asks("/a/b")), (0, 0));
    // Two others come in its place.
    assert!(asks("/b/full") > 0);
    assert!(asks("/a/b/c") > 0);
    // What has been removed goes, also from there.
    let gone = Arc::downgrade(&at(&root, "/f").unwrap());
    assert!(gone.upgrade().is_some());
    with_view(&root, |view| view.remove_file(b"/f").unwrap());
    assert!(gone.upgrade().is_none());
}

/// A directory whose file changes its length below.
struct Shrunk(Kind);

impl Node for Shrunk {
    fn kind(&self) -> Kind {
        self.0
    }

    fn metadata(&self) -> Metadata {
        Metadata { inode: 5, size: 10_000, ..Metadata::new(self.0, 0o644) }
    }

    fn lookup(&self, _name: &[u8]) -> Result<Arc<dyn Node>, FileError> {
        Ok(Arc::new(Self(Kind::Regular)))
    }

    fn read_at(&self, offset: u64, sink: &mut dyn Sink) -> Result<usize, FileError> {
        if offset > 9000 {
            return Err(FileError::Failed);
        }
        Ok(sink.put(&[b'x'; 6000][(offset as usize).min(6000)..]))
    }
}

#[test]
fn what_is_below_may_fail_and_shrink() {
    let root = overlay::root(Arc::new(Shrunk(Kind::Directory)), 9, world(), 0);
    let file = root.lookup(b"f").unwrap();
    assert_eq!(read(&file, 5999, 99), b"x");
    assert_eq!(file.read_at(9001, &mut VecSink::new(1)), Err(FileError::Failed));
    write(&file, 0, b"y").unwrap();
    assert_eq!(read(&file, 5999, 4), [b'x', 0, 0, 0]);
    assert_eq!(write(&file, 9500, b"z"), Ok(1));
    assert_eq!(read(&file, 9500, 2), [b'z', 0]);
    assert_eq!(file.read_at(9001, &mut VecSink::new(1)), Ok(1));
}

/// The first and the last of the pages that it is told to forget, each time.
#[derive(Default)]
struct Told(std::sync::Mutex<Vec<(u64, u64)>>);

impl Told {
    /// One who shows pages of `file`.
    fn by(file: &Arc<dyn Node>) -> (Arc<Self>, Arc<dyn Shows>) {
        let told = Arc::new(Self::default());
        let shows: Arc<dyn Shows> = told.clone();
        file.pages().unwrap().mappings().add(&Arc::downgrade(&shows));
        (told, shows)
    }

    /// What it has been told since it was asked last.
    fn news(&self) -> Vec<(u64, u64)> {
        core::mem::take(&mut self.0.lock().unwrap())
    }
}

impl Shows for Told {
    fn forget(&self, _file: &Mappings, pages: core::ops::Range<u64>) {
        self.0.lock().unwrap().push((pages.start, pages.end - 1));
    }
}

#[test]
fn mappings_show_what_is_written() {
    let (root, _, pristine) = planted(world());
    let file = at(&root, "/b/full/f").unwrap();
    let (told, _shows) = Told::by(&file);
    let pages = file.pages().unwrap();
    let (first, last) = (pages.page(0, false).unwrap(), pages.page(3, false).unwrap());
    let below = read(&at(&pristine, "/b/full/f").unwrap(), 0, 99_999);
    assert!(first.with(|bytes| bytes[..] == below[..4096]));
    assert!(last.with(|bytes| bytes[..2722] == below[12_288..] && bytes[2722..].iter().all(|&byte| byte == 0)));
    assert_eq!(pages.page(4, false).err(), Some(FileError::NotFound));
    // Written by read(2) and write(2), or by a program.
    write(&file, 4090, b"across pages").unwrap();
    assert!(first.with(|bytes| bytes[4090..] == *b"across"));
    pages.page(3, true).unwrap().change(|bytes| bytes[0] = b'!');
    assert_eq!(read(&file, 12_288, 1), b"!");
    drop(file);
    let file = at(&root, "/b/full/f").unwrap();
    assert_eq!((read(&file, 4090, 12), read(&file, 12_288, 1)), (b"across pages".to_vec(), b"!".to_vec()));
    // What is cut off is told.
    assert_eq!(told.news(), []);
    file.set_length(4096).unwrap();
    assert_eq!(told.news(), [(1, u64::MAX - 1)]);
    assert_eq!(file.pages().unwrap().page(1, false).err(), Some(FileError::NotFound));
}

#[test]
fn pages_of_below_are_shown_until_they_change() {
    let (root, below, pristine) = planted(world());
    below.shared.lends.store(true, Ordering::Relaxed);
    // 20,010 bytes: the last page is not whole.
    let (file, lower) = (at(&root, "/b/full/g").unwrap(), at(&pristine, "/b/full/g").unwrap());
    let (told, _shows) = Told::by(&file);
    let (pages, lower) = (file.pages().unwrap(), lower.pages().unwrap());
    let is_lent = |number| Arc::ptr_eq(&pages.page(number, false).unwrap(), &lower.page(number, false).unwrap());
    assert!(pages.page_here(0, false).unwrap().is_none(), "it has to be waited for");
    assert_eq!([0, 1, 2, 3, 4].map(is_lent), [true, true, true, true, false]);
    assert!(pages.page_here(0, false).unwrap().is_some());
    // A run of them is as it is below, but for what is not whole there.
    let from = pages.page(1, false).unwrap().address();
    assert_eq!((pages.run(1, from, 2), pages.run(1, from, 9)), (lower.run(1, from, 2), lower.run(1, from, 3)));
    assert!(pages.run(1, from, 1) == 1 && pages.run(1, from + 1, 1) == 0);
    // The last one was copied, and what was below is told to be gone.
    assert_eq!(told.news(), [(4, 4)]);
    lower.mappings().forget(2..4);
    assert_eq!(told.news(), [(2, 3)]);
    // Stored into, written in part, written as a whole.
    assert!(pages.page_here(0, true).unwrap().is_none());
    pages.page(0, true).unwrap().change(|bytes| bytes[0] = b'!');
    write(&file, 4096, b"part").unwrap();
    assert_eq!(told.news(), [(0, 0), (1, 1)]);
    write(&file, 8192, &[b'w'; 4096]).unwrap();
    assert_eq!(told.news(), [(2, 2)]);
    assert_eq!([0, 1, 2, 3].map(is_lent), [false, false, false, true]);
    assert!(pages.page(2, false).unwrap().with(|bytes| bytes[..] == [b'w'; 4096]));
    assert!(lower.page(0, false).unwrap().with(|bytes| bytes[0] == 1), "below is as it was");
    // Cut in the middle of a page.
    file.set_length(12_290).unwrap();
    assert_eq!(told.news(), [(3, u64::MAX - 1)]);
    assert!(pages.page(3, false).unwrap().with(|bytes| bytes[2..].iter().all(|&byte| byte == 0)));
    drop((told, below));
}

std::thread_local! {
    static SEEN: std::cell::RefCell<Vec<u8>> = const { std::cell::RefCell::new(Vec::new()) };
}

/// What is read by a short way is in `SEEN` then.
fn kept() -> ShortSink {
    ShortSink {
        place: 0,
        copy: |_, bytes| {
            SEEN.replace(bytes.to_vec());
            NonZeroUsize::new(bytes.len())
        },
    }
}

/// Changes each of `count` bytes.
fn changed(bytes: &mut [u8], count: usize) -> Moved {
    assert_eq!(bytes.len(), count);
    bytes.iter_mut().for_each(|byte| *byte ^= 0x55);
    NonZeroUsize::new(count)
}

/// The short ways read what is there, and what they change is read.
fn check_parts(file: &Arc<dyn Node>, world: &World) -> usize {
    let mut found = 0;
    for (offset, count) in [(0, 1), (5, 100), (4090, 6), (4090, 7), (4096, 4096), (5000, 20), (5009, 1), (5010, 1)] {
        // The first read behind a change is noted where time has gone on.
        world.clock.fetch_add(5, Ordering::Relaxed);
        let before = read(file, offset, count);
        let short = file.read_short(offset, count, kept());
        assert!(short.is_none() || short == NonZeroUsize::new(count) && SEEN.take() == before, "{offset}");
        found += usize::from(short.is_some());
        let changed = file.write_short(offset, count, ShortSource { place: count, copy: changed });
        let expected: Vec<u8> = before.iter().map(|byte| byte ^ if changed.is_some() { 0x55 } else { 0 }).collect();
        assert_eq!(read(file, offset, count), expected, "{offset}");
        assert!(changed.is_none() || before.len() == count, "only what is there changes");
        found += usize::from(changed.is_some());
    }
    let refuses = file.read_short(0, 1, ShortSink { place: 0, copy: |_, _| None });
    assert_eq!(refuses, None, "it could not");
    let refuses = file.write_short(0, 1, ShortSource { place: 0, copy: |_, _| None });
    assert_eq!(refuses, None, "it could not");
    found
}

#[test]
fn parts_are_what_is_read() {
    let world = world();
    let (root, _, pristine) = planted(world);
    let (file, below) = (at(&root, "/a/f").unwrap(), at(&pristine, "/a/f").unwrap());
    // What is below is not here, and a page that was looked at is nobody's who keeps it.
    assert_eq!(check_parts(&file, world), 0);
    file.pages().unwrap().page(1, false).unwrap();
    assert_eq!(file.write_short(4096, 1, ShortSource { place: 1, copy: changed }), None);
    // All of it is here now, and was read since.
    let mut bytes = read(&file, 0, 9999);
    write(&file, 0, &bytes).unwrap();
    bytes = read(&file, 0, 9999);
    assert!(check_parts(&file, world) == 8 && read(&file, 0, 9999).len() == bytes.len());
    assert!(read(&below, 0, 9999) == bytes, "below is as it was");
    // The same of a file in memory alone.
    read(&below, 0, 1);
    assert_eq!(check_parts(&below, world), 8);
    // A change is one: it is noted, and so is the first read behind it.
    world.clock.store(7000, Ordering::Relaxed);
    file.write_short(0, 1, ShortSource { place: 1, copy: changed }).unwrap();
    assert_eq!(file.metadata().modified, 7000);
    world.clock.store(8000, Ordering::Relaxed);
    assert!(file.read_short(0, 1, kept()).is_none(), "it is to be noted");
    read(&file, 0, 1);
    assert!(file.read_short(0, 1, kept()).is_some());
    assert_eq!(file.metadata().accessed, 8000);
}

#[test]
fn a_hole_is_shown_where_below_was() {
    let (root, below, _) = planted(world());
    below.shared.lends.store(true, Ordering::Relaxed);
    let file = at(&root, "/b/full/g").unwrap();
    let (told, _shows) = Told::by(&file);
    let pages = file.pages().unwrap();
    pages.page(1, false).unwrap();
    file.erase(4096, 4096).unwrap();
    assert_eq!(told.news(), [(1, 1)]);
    assert!(pages.page(1, false).unwrap().with(|bytes| bytes.iter().all(|&byte| byte == 0)));
}

#[test]
fn the_first_read_after_a_change_is_noted() {
    let world = world();
    let (root, _, pristine) = planted(world);
    let file = at(&root, "/f").unwrap();
    write(&file, 0, b"new").unwrap();
    for (now, noted) in [(1000, 1000), (3000, 3000), (4000, 3000)] {
        world.clock.store(now, Ordering::Relaxed);
        assert_eq!((read(&file, 0, 10).len(), file.metadata().accessed), (10, noted));
    }
    file.change(&Change { accessed: Some(9000), ..Change::default() }).unwrap();
    file.note_read();
    assert_eq!((file.metadata().accessed, at(&pristine, "/f").unwrap().metadata().accessed), (9000, 1000));
    // A day later.
    world.clock.store(100_000_000_000_000, Ordering::Relaxed);
    file.change(&Change { modified: Some(5), ..Change::default() }).unwrap();
    file.note_read();
    assert_eq!(file.metadata().accessed, 100_000_000_000_000);
}
