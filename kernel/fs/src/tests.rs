//! What the tree decides, on the machine for tests: devices, the console, `/proc`, and what stands where.

use alloc::{string::String, sync::Arc, vec, vec::Vec};
use std::sync::{Mutex, MutexGuard, PoisonError};

use test_machine::{NoApplication, console as person};
use vfs::{
    Credentials, FileError, Follow, Given, Kind, Node, Owner, Readiness, RootFiles as _, SliceSink, SliceSource, View,
    Volumes as _,
};

use crate::{Disk, MOUNTS, NoShares, NoVolumes, Share, WholeTree, console, dev};

test_machine::platform!();
contracts::provide_application!(NoApplication = NoApplication);
contracts::provide_kernel!(kernel::Core);
contracts::provide_scheduler!(sched::Fifo<1>);
contracts::provide_shares!(NoShares);
contracts::provide_volumes!(NoVolumes);
contracts::provide_config!(Config::DEFAULT);

/// There is one tree and one console.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn root() -> Arc<dyn Node> {
    static ROOT: Mutex<Option<Arc<dyn Node>>> = Mutex::new(None);
    let mut root = ROOT.lock().unwrap_or_else(PoisonError::into_inner);
    let begin = || {
        let owner = Owner::default();
        let none = || core::iter::empty::<&[u8]>();
        let given = Given { archive: &[], shares: &mut none(), disks: &mut none(), owner };
        WholeTree::new().begin(given).expect("a tree of nothing")
    };
    root.get_or_insert_with(begin).clone()
}

fn find(path: &str) -> Result<Arc<dyn Node>, FileError> {
    let (root, who) = (root(), Credentials::default());
    let view = View { root: &root, start: &root, who: &who, mounts: &MOUNTS, confined: vfs::Confinement::NONE };
    view.lookup(path.as_bytes(), Follow::Yes)
}

fn opened(path: &str) -> Arc<dyn Node> {
    let node = find(path).unwrap_or_else(|error| panic!("{path}: {error:?}"));
    node.open(true, true).expect("it can be opened").unwrap_or(node)
}

fn read(node: &dyn Node, count: usize) -> Result<Vec<u8>, FileError> {
    let mut bytes = vec![0xaa; count];
    let count = node.read_at(0, &mut SliceSink::new(&mut bytes))?;
    bytes.truncate(count);
    Ok(bytes)
}

fn text(path: &str) -> String {
    String::from_utf8(read(&*opened(path), 1 << 14).expect("it can be read")).expect("text")
}

fn write(node: &dyn Node, bytes: &[u8]) -> Result<usize, FileError> {
    node.write_at(0, &mut SliceSource::new(bytes))
}

#[test]
fn fields_of_the_launch_record_are_read_or_refused() {
    let share = Share::parse(b"ro,tag,/in,the,way").expect("a share");
    assert_eq!((share.tag, share.path, share.read_only), (&b"tag"[..], &b"/in,the,way"[..], true));
    assert!(!Share::parse(b"rw,tag,/").expect("a share").read_only);
    let disk = Disk::parse(b"rw,/mnt,a,name").expect("a disk");
    assert_eq!((disk.path, disk.name, disk.read_only), (&b"/mnt"[..], &b"a,name"[..], false));
    for wrong in [&b""[..], b"ro", b"ro,tag", b"wo,tag,/", b"tag,/"] {
        assert!(Share::parse(wrong).is_none() && Disk::parse(wrong).is_none(), "{wrong:?}");
    }
}

#[test]
fn what_is_not_there_says_so() {
    use vfs::Shares as _;
    assert_eq!(NoShares::new().open(b"tag").err(), Some(FileError::NotFound));
    assert!(NoVolumes::new().count() == 0 && NoVolumes::new().device(0).is_none());
    assert!(NoVolumes::new().mount(0, true, Owner::default()).is_err_and(|why| why.0.contains("no disks")));
    assert_eq!(dev::open(Kind::Character, (77, 7)).err(), Some(FileError::NoDevice));
    assert_eq!(dev::open(Kind::Block, (1, 3)).err(), Some(FileError::NoDevice));
}

/// null(4), full(4), random(4).
#[test]
fn devices_do_as_they_are_named() {
    let open = |minor| dev::open(Kind::Character, (1, minor)).expect("a device of memory");
    let [null, zero, full, random] = [3, 5, 7, 9].map(open);
    assert_eq!(read(&*null, 4), Ok(vec![]));
    assert_eq!(read(&*zero, 4), Ok(vec![0; 4]));
    assert_eq!(read(&*full, 4), Ok(vec![0; 4]));
    assert_ne!(read(&*random, 64), Ok(vec![0; 64]));
    assert_eq!([&null, &zero, &random].map(|device| write(&**device, b"abc")), [Ok(3); 3]);
    assert_eq!(write(&*full, b"abc"), Err(FileError::NoSpace));
    assert_eq!(write(&*full, b""), Ok(0));
    assert_eq!(null.set_length(0), Err(FileError::Invalid));
    assert_eq!((full.kind(), full.metadata().special), (Kind::Character, (1, 7)));
}

#[test]
fn streams_go_one_way() {
    let _alone = alone();
    let [input, output, error] = console::streams();
    person::written();
    person::types(b"keys");
    assert_eq!(read(&*input, 2), Ok(b"ke".to_vec()));
    assert_eq!(read(&*input, 8), Ok(b"ys".to_vec()));
    assert_eq!(read(&*input, 8), Err(FileError::WouldBlock));
    assert_eq!(write(&*input, b"x"), Err(FileError::BadDescriptor));
    assert_eq!(read(&*output, 1), Err(FileError::BadDescriptor));
    assert_eq!([write(&*output, b"out"), write(&*error, b"err")], [Ok(3); 2]);
    assert_eq!(person::written(), "outerr");
    person::ends_input(true);
    assert_eq!(read(&*input, 8), Ok(vec![]));
    person::ends_input(false);
}

#[test]
fn a_stream_tells_what_it_is_ready_for() {
    let _alone = alone();
    let [input, output, _] = console::streams();
    assert!(
        !input.readiness().contains(Readiness::READABLE)
            && input.available() == 0
            && !input.readiness().contains(Readiness::WRITABLE)
    );
    person::types(b"x");
    assert!(input.readiness().contains(Readiness::READABLE) && input.available() == 1);
    assert_eq!(read(&*input, 8), Ok(b"x".to_vec()));
    assert!(output.readiness().contains(Readiness::WRITABLE) && !output.readiness().contains(Readiness::READABLE));
    person::fills(true);
    assert!(!output.readiness().contains(Readiness::WRITABLE));
    assert_eq!(write(&*output, b"x"), Err(FileError::WouldBlock));
    person::fills(false);
    person::breaks(true);
    assert!(output.readiness().contains(Readiness::ERROR), "nobody reads it any more");
    assert_eq!(write(&*output, b"x"), Err(FileError::Broken));
    person::breaks(false);
    assert!(output.terminal().is_none() && output.kind() == Kind::Pipe);
}

/// What a reader could not take, because its memory was bad, is there for the next one.
#[test]
fn what_was_read_and_not_taken_stays() {
    struct Stops;
    impl vfs::Sink for Stops {
        fn room(&self) -> usize {
            8
        }
        fn put(&mut self, _: &[u8]) -> usize {
            1
        }
        fn put_zeros(&mut self, _: usize) -> usize {
            0
        }
    }
    let _alone = alone();
    let [input, ..] = console::streams();
    person::types(b"abc");
    assert_eq!(input.read_at(0, &mut Stops), Ok(1));
    assert!(input.readiness().contains(Readiness::READABLE) && input.available() == 2);
    assert_eq!(read(&*input, 8), Ok(b"bc".to_vec()));
}

#[test]
fn the_tree_has_what_programs_look_for() {
    let _alone = alone();
    for directory in ["/", "/dev", "/proc", "/sys", "/tmp", "/dev/shm", "/proc/sys/kernel"] {
        assert_eq!(find(directory).map(|node| node.kind()), Ok(Kind::Directory), "{directory}");
    }
    for (device, number) in
        [("null", (1, 3)), ("zero", (1, 5)), ("urandom", (1, 9)), ("console", (5, 1)), ("tty", (5, 0))]
    {
        let metadata = find(&alloc::format!("/dev/{device}")).expect("a device").metadata();
        assert_eq!((metadata.kind, metadata.special), (Kind::Character, number), "{device}");
    }
    assert_eq!(find("/tmp").expect("a directory").metadata().mode & 0o7777, 0o1777);
    assert_eq!(find("/dev/null").expect("a device").metadata().mode & 0o7777, 0o666);
    assert_eq!(find("/none").err(), Some(FileError::NotFound));
    assert_eq!(find("/proc/none").err(), Some(FileError::NotFound));
    assert_eq!(find("/dev/null/x").err(), Some(FileError::NotDirectory));
}

/// proc(5).
#[test]
fn texts_of_proc_have_linux_form() {
    let _alone = alone();
    let memory = text("/proc/meminfo");
    let value = |name: &str| {
        let line =
            memory.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("no {name} in {memory}"));
        assert!(line.ends_with(" kB"), "{line}");
        line.split_whitespace().nth(1).and_then(|number| number.parse::<usize>().ok()).expect("a number")
    };
    assert_eq!(value("MemTotal:"), 1 << 20);
    assert!(value("MemFree:") <= 1 << 20 && value("MemAvailable:") == value("MemFree:"));
    assert_eq!(text("/proc/sys/kernel/ostype"), "Linux\n");
    assert_eq!(text("/proc/sys/kernel/pid_max"), "32768\n");
    assert_eq!(text("/proc/uptime"), "0.00 0.00\n", "the clock of this machine stands");
    assert!(text("/proc/stat").contains("\nbtime 1500000000\n"));
    let id = text("/proc/sys/kernel/random/boot_id");
    assert_eq!((id.len(), id.as_bytes()[14], text("/proc/sys/kernel/random/boot_id")), (37, b'4', id.clone()));
    assert_ne!(text("/proc/sys/kernel/random/uuid"), text("/proc/sys/kernel/random/uuid"));
}

/// cgroups(7): a container's limits are where programs look for them, and agree with the machine's own figures.
#[test]
fn limits_stand_where_a_container_has_them() {
    let _alone = alone();
    assert_eq!(text("/sys/fs/cgroup/cpu.max"), "100000 100000\n");
    assert_eq!(text("/sys/fs/cgroup/cpuset.cpus.effective"), text("/sys/devices/system/cpu/online"));
    let most: u64 = text("/sys/fs/cgroup/memory.max").trim().parse().expect("a number");
    let used: u64 = text("/sys/fs/cgroup/memory.current").trim().parse().expect("a number");
    assert_eq!(most, 1 << 30);
    assert!(used <= most);
    let kinds = text("/sys/fs/cgroup/memory.stat");
    assert!(kinds.starts_with("anon ") && kinds.contains("\ninactive_file 0\n"), "{kinds}");
    assert_eq!(text("/sys/fs/cgroup/memory.swap.max"), "0\n");
    assert!(write(&*find("/sys/fs/cgroup/memory.max").expect("a file"), b"1").is_err());
    let root = find("/sys/fs/cgroup").expect("a directory");
    assert_eq!((root.file_system().magic, root.metadata().device), (0x6367_7270, crate::device::CGROUP));
    assert!(text("/proc/cgroups").contains("\nmemory\t0\t1\t1\n"));
}

#[test]
fn what_is_written_stays_in_memory() {
    let _alone = alone();
    let (root, who) = (root(), Credentials::default());
    let view = View { root: &root, start: &root, who: &who, mounts: &MOUNTS, confined: vfs::Confinement::NONE };
    view.make(b"/tmp/new", vfs::MakeKind::File, 0o600).expect("a file");
    assert_eq!(write(&*opened("/tmp/new"), b"kept"), Ok(4));
    assert_eq!(text("/tmp/new"), "kept");
    assert_eq!(view.make(b"/tmp/new", vfs::MakeKind::File, 0o600).err(), Some(FileError::Exists));
    assert!(view.make(b"/proc/new", vfs::MakeKind::File, 0o600).is_err());
    let nameless = crate::memory_file(0o600).expect("a file without a name");
    assert_eq!((write(&*nameless, b"abc"), read(&*nameless, 8)), (Ok(3), Ok(b"abc".to_vec())));
}

#[test]
fn a_pipe_has_two_ends_and_a_number_of_its_own() {
    let ((reader, writer), (other, _)) = (crate::pipe(), crate::pipe());
    assert_eq!(write(&*writer, b"abc"), Ok(3));
    assert_eq!(read(&*reader, 2), Ok(b"ab".to_vec()));
    assert_eq!(reader.metadata().inode, writer.metadata().inode);
    assert_ne!(reader.metadata().inode, other.metadata().inode);
    drop(writer);
    assert_eq!([read(&*reader, 8), read(&*reader, 8)], [Ok(b"c".to_vec()), Ok(vec![])]);
}
