//! Files as disks: raw, with FAT and ext4 on them, and as the root; archives as the root.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Instant;

use system_tests::{Check, Guest, Outcome, Platform, Scope, all, need, report_rate, scratch};

fn main() -> ExitCode {
    use Scope::{Guests, Machines, Once};
    system_tests::run(&[
        Check::new("a_raw_disk_there_and_back", Guests, raw),
        Check::new("disks_over_pci_and_several_processors", Machines, on_q35),
        Check::new("fat_written_here_is_read_by_others", Guests, fat),
        Check::new("ext4_is_read_as_it_was_made", Guests, ext4),
        Check::new("an_image_or_an_archive_as_the_root", Guests, roots),
        Check::new("read_only_disks_stay", Guests, read_only),
        Check::new("broken_images_are_named", Guests, broken),
        Check::new("what_is_no_disk_is_refused", Once, refused),
        Check::new("a_disk_in_order", Guests, in_order),
    ])
}

const BUSYBOX: &str = "/bin/busybox";

/// A guest with busybox and a folder of the host's at `/host`.
fn guest(platform: Platform, folder: &Path) -> Guest {
    let shared = format!("{}:/host", folder.display());
    Guest::new(platform).option("--root").option("none").option("-v").option(shared)
}

fn disk(guest: Guest, file: &Path, more: &str) -> Guest {
    guest.option("--disk").option(format!("{}{more}", file.display()))
}

#[track_caller]
fn busybox(guest: &Guest, words: &[&str]) -> Outcome {
    let outcome = guest.run(&[&[BUSYBOX], words].concat());
    assert_eq!(outcome.status, 0, "{words:?}: {}", outcome.error_text());
    outcome
}

#[track_caller]
fn host(words: &[&str]) -> Vec<u8> {
    let output = Command::new(words[0]).args(&words[1..]).output().unwrap();
    let said = [&output.stdout[..], &output.stderr[..]].concat();
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&said));
    output.stdout
}

fn bytes(count: usize) -> Vec<u8> {
    (0..count as u32).map(|index| (index.wrapping_mul(2_654_435_761) >> 17) as u8).collect()
}

fn empty(folder: &Path, name: &str, megabytes: u64) -> PathBuf {
    let file = folder.join(name);
    File::create(&file).unwrap().set_len(megabytes << 20).unwrap();
    file
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Two disks written and read through their devices; a third is not touched.
fn there_and_back(guest: Guest, folder: &Path) {
    let data = bytes(700_001);
    fs::write(folder.join("data"), &data).unwrap();
    let (one, two) = (empty(folder, "one", 1), empty(folder, "two", 3));
    let guest = disk(disk(guest, &one, ""), &two, "");
    busybox(&guest, &["dd", "if=/host/data", "of=/dev/vdb", "bs=70001", "seek=3", "conv=notrunc,fsync"]);
    assert!(fs::read(&two).unwrap()[3 * 70_001..][..data.len()] == data);
    assert!(fs::read(&one).unwrap() == vec![0; 1 << 20], "the other one is as it was");
    busybox(&guest, &["dd", "if=/dev/vdb", "of=/host/back", "bs=70001", "skip=3", "count=9"]);
    assert!(fs::read(folder.join("back")).unwrap() == data[..9 * 70_001]);
    let told = busybox(&guest, &["stat", "-c", "%F %t %T", "/dev/vdb"]).text();
    assert_eq!(told, "block special file fe 10\n");
    let size = |command: &str, disk: &str| busybox(&guest, &["blockdev", command, disk]).text();
    assert_eq!(
        (size("--getsize64", "/dev/vdb").as_str(), size("--getss", "/dev/vda").as_str()),
        ("3145728\n", "512\n")
    );
    let outcome = guest.run(&[BUSYBOX, "dd", "if=/host/data", "of=/dev/vda", "bs=1M", "count=2", "seek=1"]);
    assert!(outcome.status == 1 && outcome.error_text().contains("No space left"), "{}", outcome.error_text());
}

fn raw(platform: Platform) {
    let folder = scratch();
    there_and_back(guest(platform, folder.path()), folder.path());
}

fn on_q35(platform: Platform) {
    let folder = scratch();
    let guest = guest(platform, folder.path()).option("--machine").option("q35").option("--cpus").option("2");
    there_and_back(guest, folder.path());
}

fn fat(platform: Platform) {
    need(&["mkfs.vfat", "mcopy"]);
    let folder = scratch();
    let at = folder.path();
    fs::create_dir_all(at.join("tree/a directory")).unwrap();
    fs::write(at.join("tree/a directory/large"), bytes(1_300_007)).unwrap();
    fs::write(at.join("tree/small"), "text\n").unwrap();
    for (form, megabytes) in [("12", 4), ("16", 16), ("32", 40)] {
        let image = empty(at, &format!("fat{form}"), megabytes);
        host(&["mkfs.vfat", "-F", form, name(&image)]);
        host(&["mcopy", "-i", name(&image), "-s", name(&at.join("tree/small")), "::from host.text"]);
        let guest = disk(guest(platform, at), &image, ":/fat");
        assert_eq!(busybox(&guest, &["cat", "/fat/FROM host.text"]).text(), "text\n");
        busybox(&guest, &["cp", "-r", "/host/tree", "/fat/"]);
        busybox(&guest, &["mv", "/fat/tree/small", "/fat/A name with more than eight letters"]);
        busybox(&guest, &["rm", "/fat/from host.text"]);
        host(&["fsck.vfat", "-n", name(&image)]);
        let read = |path: &str| host(&["mtype", "-i", name(&image), path]);
        assert!(read("::tree/a directory/large") == bytes(1_300_007), "FAT{form}");
        assert_eq!(read("::A name with more than eight letters"), b"text\n");
        let listed = String::from_utf8(host(&["mdir", "-b", "-i", name(&image)])).unwrap();
        assert!(!listed.contains("from host"), "{listed}");
    }
    let mounts = busybox(&disk(guest(platform, at), &at.join("fat16"), ":/fat"), &["cat", "/proc/mounts"]).text();
    assert!(mounts.contains("/dev/vda /fat vfat rw"), "{mounts}");
}

/// A tree with a program, files of several lengths, holes, links and many names.
fn tree(at: &Path) {
    fs::create_dir_all(at.join("bin")).unwrap();
    fs::create_dir_all(at.join("data/many")).unwrap();
    fs::copy(BUSYBOX, at.join("bin/busybox")).unwrap();
    std::os::unix::fs::symlink("busybox", at.join("bin/md5sum")).unwrap();
    fs::write(at.join("data/large"), bytes(4_000_003)).unwrap();
    File::create(at.join("data/hole")).unwrap().set_len(600_000).unwrap();
    fs::hard_link(at.join("data/large"), at.join("data/again")).unwrap();
    for number in 0..400 {
        fs::write(at.join(format!("data/many/file {number}")), vec![number as u8; number * 7]).unwrap();
    }
}

fn sums(text: &str) -> Vec<&str> {
    let mut lines: Vec<&str> = text.lines().collect();
    lines.sort_unstable();
    lines
}

/// What md5sum says of all files below `data`, in the tree on the host.
fn expected(at: &Path) -> String {
    String::from_utf8(host(&["sh", "-c", &format!("cd '{}/data' && find . -type f -exec md5sum {{}} +", at.display())]))
        .unwrap()
}

fn image(at: &Path, form: &[&str]) -> PathBuf {
    need(&["mke2fs"]);
    let image = empty(at, "ext", 24);
    host(&[&["mke2fs", "-q", "-F"], form, &["-d", name(&at.join("tree")), name(&image)]].concat());
    image
}

fn ext4(platform: Platform) {
    let folder = scratch();
    let at = folder.path();
    tree(&at.join("tree"));
    let wanted = expected(&at.join("tree"));
    for form in [&["-t", "ext4"][..], &["-t", "ext2", "-b", "1024"]] {
        let image = image(at, form);
        let guest = disk(guest(platform, at), &image, ":/e");
        let names: Vec<String> =
            wanted.lines().filter_map(|line| Some(format!("/e/data/{}", line.split_once("./")?.1))).collect();
        let words: Vec<&str> = ["md5sum"].into_iter().chain(names.iter().map(String::as_str)).collect();
        let told = busybox(&guest, &words).text().replace("/e/data/", "./");
        assert_eq!(sums(&told), sums(&wanted), "{form:?}");
        let links = busybox(&guest, &["stat", "-c", "%h %s", "/e/data/again"]).text();
        assert_eq!(links, "2 4000003\n");
        let outcome = guest.run(&[BUSYBOX, "touch", "/e/data/new"]);
        assert!(outcome.error_text().contains("Read-only file system"), "{}", outcome.error_text());
    }
}

fn roots(platform: Platform) {
    let folder = scratch();
    let at = folder.path();
    tree(&at.join("tree"));
    let image = image(at, &["-t", "ext4"]);
    host(&[
        "sh",
        "-c",
        &format!("cd '{0}/tree' && tar cf ../a.tar . && find . | cpio --quiet -o -H newc > ../a.cpio", at.display()),
    ]);
    let large = String::from_utf8(host(&["md5sum", name(&at.join("tree/data/large"))])).unwrap();
    let large = large.split(' ').next().unwrap();
    for root in [&image, &at.join("a.tar"), &at.join("a.cpio")] {
        let guest = || Guest::new(platform).option("--root").option(name(root));
        let told = guest().run(&["/bin/md5sum", "/data/large", "/data/again"]);
        told.expect_output(format!("{large}  /data/large\n{large}  /data/again\n"));
        // What is written stays in memory.
        let changed = guest().run(&[
            "/bin/busybox",
            "sh",
            "-c",
            "echo new > /data/new; read line < /data/new; echo $line > /data/large; exec busybox cat /data/large",
        ]);
        changed.expect_output("new\n");
    }
    assert!(host(&["md5sum", name(&at.join("tree/data/large"))]).starts_with(large.as_bytes()));
    host(&["e2fsck", "-fn", name(&image)]);
    let outcome = Guest::new(platform).option("--root").option(name(&at.join("a.tar"))).run(&["nothing-there"]);
    outcome.expect_status(127);
}

fn read_only(platform: Platform) {
    need(&["mkfs.vfat"]);
    let folder = scratch();
    let at = folder.path();
    let image = empty(at, "fat", 4);
    host(&["mkfs.vfat", name(&image)]);
    let before = fs::read(&image).unwrap();
    let guest = disk(guest(platform, at), &image, ":/fat:ro");
    let said = |words: &[&str]| {
        let outcome = guest.run(&[&[BUSYBOX], words].concat());
        assert_ne!(outcome.status, 0, "{words:?}");
        outcome.error_text()
    };
    assert!(said(&["dd", "if=/dev/zero", "of=/dev/vda", "count=1"]).contains("Operation not permitted"));
    assert!(said(&["touch", "/fat/file"]).contains("Read-only file system"));
    assert!(said(&["mkdir", "/fat/folder"]).contains("Read-only file system"));
    assert!(fs::read(&image).unwrap() == before);
}

fn broken(platform: Platform) {
    let folder = scratch();
    let at = folder.path();
    tree(&at.join("tree"));
    let whole = fs::read(image(at, &["-t", "ext4"])).unwrap();
    let said = |image: &Path, more: &[&str]| {
        let guest = more.iter().fold(Guest::new(platform), |guest, option| guest.option(*option));
        let outcome = guest.run(&["/bin/busybox", "true"]);
        outcome.expect_status(125);
        let sentence = outcome.expect_sentence();
        assert!(sentence.contains(name(image)), "{sentence}");
        sentence.trim_end().to_owned()
    };
    let cut = at.join("cut");
    fs::write(&cut, &whole[..8 << 20]).unwrap();
    assert!(said(&cut, &["--root", name(&cut)]).ends_with("it ends before the file system on it does"));
    let dirty = at.join("dirty");
    let mut bytes = whole.clone();
    bytes[1120] |= 4;
    fs::write(&dirty, bytes).unwrap();
    assert!(said(&dirty, &["--root", name(&dirty)]).contains("was not unmounted cleanly"));
    let none = empty(at, "none", 1);
    let option = format!("{}:/x", none.display());
    assert!(said(&none, &["--root", "none", "--disk", &option]).contains("there is no file system on it"));
    // Damage behind the superblock is an error of whoever looks there, and no more.
    let holes = at.join("holes");
    let mut bytes = whole;
    bytes[200_000..900_000].fill(0xff);
    fs::write(&holes, bytes).unwrap();
    let guest = disk(guest(platform, at), &holes, ":/e");
    let outcome = guest.run(&[BUSYBOX, "find", "/e"]);
    assert!(outcome.status == 1 || outcome.status == 0 || outcome.status == 125, "{}", outcome.error_text());
    assert!(!outcome.error_text().contains("panic"), "{}", outcome.error_text());
}

fn refused(platform: Platform) {
    let folder = scratch();
    let at = folder.path();
    let said = |option: &str| {
        let outcome = Guest::new(platform).option("--disk").option(option).run(&["/bin/true"]);
        outcome.expect_status(125);
        outcome.expect_sentence()
    };
    assert!(said(name(&at.join("none"))).contains("none as a disk: no such file or directory"));
    assert!(said(name(at)).contains("it is neither a file nor a block device"));
    fs::write(at.join("odd"), [0; 1000]).unwrap();
    assert!(said(name(&at.join("odd"))).contains("it may have been cut off"));
    fs::write(at.join("a.tar.gz"), b"\x1f\x8b\x08").unwrap();
    let outcome = Guest::new(platform).option("--root").option(name(&at.join("a.tar.gz"))).run(&["/bin/true"]);
    assert!(outcome.expect_sentence().contains("it is compressed; unpack it first, as with gunzip"));
}

/// A figure: reading a disk from its beginning to its end. With `WHITTLE_TEST_ALL`, one of a gigabyte.
fn in_order(platform: Platform) {
    let megabytes = if all() { 1024 } else { 64 };
    let folder = scratch();
    let image = empty(folder.path(), "disk", megabytes);
    let guest = disk(guest(platform, folder.path()), &image, ":ro");
    busybox(&guest, &["true"]);
    let started = Instant::now();
    busybox(&guest, &["true"]);
    let start = started.elapsed();
    let started = Instant::now();
    busybox(&guest, &["dd", "if=/dev/vda", "of=/dev/null", "bs=256k"]);
    report_rate(platform, "read of a disk", (megabytes as usize) << 20, started.elapsed().saturating_sub(start));
}
