//! The same random changes made to an overlay and to a tree in memory with the same first contents answer the same and
//! leave the same.

use std::collections::BTreeMap;
use std::format;
use std::hash::{DefaultHasher, Hasher};
use std::string::String;

use super::*;

const PATHS: &[&str] = &[
    "/a",
    "/a/b",
    "/a/b/c",
    "/b",
    "/b/full",
    "/empty",
    "/f",
    "/a/f",
    "/a/b/f",
    "/b/full/f",
    "/b/full/g",
    "/a/link",
    "/pipe",
    "/a/one",
    "/b/two",
    "/new",
    "/a/new",
    "/a/b/new",
    "/b/a",
    "/b/a/f",
    "/empty/a",
    "/empty/a/b",
    "/empty/x",
    "/b/full/..",
    "/a/.",
    "/new/f",
    "/new/b/f",
];

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    fn path(&mut self) -> &'static [u8] {
        PATHS[self.below(PATHS.len())].as_bytes()
    }
}

/// What two nodes must agree on.
fn state(node: &Arc<dyn Node>) -> String {
    let known = node.metadata();
    let contents = match known.kind {
        Kind::Regular => {
            let bytes = read(node, 0, 100_000);
            let mut hasher = DefaultHasher::new();
            hasher.write(&bytes);
            format!("{} {:x}", bytes.len(), hasher.finish())
        }
        Kind::Link => format!("{:?}", node.read_link()),
        _ => String::new(),
    };
    let Metadata { mode, links, owner, special, size, modified, changed, kind, .. } = known;
    // A read of what is as below is not noted.
    format!("{kind:?} {mode:o} {links} {owner:?} {special:?} {size} {modified} {changed} {contents}")
}

/// Every path in the tree with what stands there; nodes of several names are known by the first.
fn tree(node: &Arc<dyn Node>, path: &str, firsts: &mut BTreeMap<u64, String>, out: &mut Vec<String>) {
    let inode = node.metadata().inode;
    let first = firsts.entry(inode).or_insert_with(|| path.into()).clone();
    out.push(format!("{path} is {first} {}", state(node)));
    if node.kind() != Kind::Directory {
        return;
    }
    for (name, inode, kind) in listed(node, 3) {
        let child = node.lookup(&name).unwrap();
        let known = child.metadata();
        assert_eq!((inode, kind), (known.inode, known.kind), "{path} lists something else");
        tree(&child, &format!("{path}/{}", std::str::from_utf8(&name).unwrap()), firsts, out);
    }
}

pub(super) fn whole(root: &Arc<dyn Node>) -> Vec<String> {
    let mut out = Vec::new();
    tree(root, "", &mut BTreeMap::new(), &mut out);
    out
}

/// Does one thing to the tree.
fn act(view: &View<'_>, what: usize, path: &[u8], other: &[u8], number: usize) -> Result<String, FileError> {
    let done = |result: Result<(), FileError>| result.map(|()| String::new());
    let mode = [RenameMode::Replace, RenameMode::Replace, RenameMode::Exchange, RenameMode::Keep][number % 4];
    match what {
        0 => done(view.make(path, MakeKind::Directory, 0o700).map(drop)),
        1 => done(view.remove_directory(path)),
        2 => done(view.remove_file(path)),
        3 => done(view.make(path, MakeKind::Link(other), 0o777).map(drop)),
        4 => done(view.lookup(path, Follow::No).and_then(|node| view.link(&node, other))),
        5..=8 => done(view.rename(path, view, other, mode)),
        9 => {
            let change = Change { mode: Some(number as u32 & 0o777), user: Some(3), ..Change::default() };
            done(view.lookup(path, Follow::No)?.change(&change))
        }
        10 => done(view.open(path, &OpenRequest { truncate: true, ..CREATE }).map(drop)),
        _ => view.lookup(path, Follow::Yes).map(|node| state(&node)),
    }
}

/// Does one thing to an open file.
fn use_file(node: &Arc<dyn Node>, what: usize, offset: u64, length: usize, step: usize) -> String {
    let bytes: Vec<u8> = (0..length).map(|index| (index * 7 + step) as u8).collect();
    match what {
        0 | 1 => format!("{:?}", write(node, offset, &bytes)),
        2 => format!("{:?}", node.append(&mut SliceSource::new(&bytes[..length.min(100)]))),
        3 => format!("{:?}", node.set_length(offset)),
        4 => format!("{:?}", node.erase(offset, length as u64)),
        5 => {
            let done = node.change(&Change { accessed: Some(step as i64), ..Change::default() });
            format!("{done:?} {}", node.metadata().accessed)
        }
        _ => String::from_utf8_lossy(&read(node, offset, length)).into_owned(),
    }
}

fn run(seed: u64, steps: usize) {
    let world = world();
    let (root, below, pristine) = planted(world);
    let before = whole(&pristine);
    let model: Arc<dyn Node> = Ramfs::new(8, world, 0o755).root().clone();
    with_view(&model, plant);
    assert_eq!(whole(&root), whole(&model));
    let mut random = Random(seed);
    // Files that are open in both.
    let mut open: Vec<[Arc<dyn Node>; 2]> = Vec::new();
    for step in 0..steps {
        world.clock.fetch_add(1, Ordering::Relaxed);
        let (path, other) = (random.path(), random.path());
        if random.below(3) == 0 && !open.is_empty() {
            let both = &open[random.below(open.len())];
            let what = random.below(8);
            let (offset, length) = (random.below(25_000) as u64, random.below(9000));
            let [here, there] = [0, 1].map(|side| use_file(&both[side], what, offset, length, step));
            assert!(here == there, "step {step}: {what} at {offset}, {length} bytes, of an open file");
            assert_eq!(state(&both[0]), state(&both[1]), "step {step}: after {what} at {offset}, {length} bytes");
        } else {
            let (what, number) = (random.below(13), random.below(1000));
            let [here, there] =
                [&root, &model].map(|root| with_view(root, |view| act(view, what, path, other, number)));
            let [path, other] = [path, other].map(|path| std::str::from_utf8(path).unwrap());
            assert_eq!(here, there, "step {step}: {what} of {path} and {other}");
            let found = [&root, &model].map(|root| with_view(root, |view| view.lookup(path.as_bytes(), Follow::Yes)));
            if let [Ok(here), Ok(there)] = found
                && here.kind() == Kind::Regular
            {
                open.push([here, there]);
            }
            if open.len() > 6 {
                open.swap_remove(random.below(6));
            }
        }
        if step % 20 == 0 {
            assert_eq!(whole(&root), whole(&model), "after step {step}");
        }
    }
    assert_eq!(whole(&pristine), before);
    assert!(below.shared.asked.load(Ordering::Relaxed) > steps);
}

#[test]
fn random_changes_do_as_in_memory() {
    for seed in 1..=40 {
        run(seed, 300);
    }
    run(1000, 4000);
}
