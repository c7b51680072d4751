//! The book's walks (`docs/src/walks.md`): what `whittle walk` lists is what the book shows, and is not too long.
//!
//! With WHITTLE_BLESS=1 the book's lists are written anew, to be read over.

use std::fs;
use std::process::ExitCode;
use std::sync::Mutex;
use std::time::Duration;

use system_tests::{Check, Platform, Running, Scope, need, project_root};

fn main() -> ExitCode {
    system_tests::run(&[
        Check::new("a_read_is_as_the_book_says", Scope::Once, |platform| is_as_the_book_says(platform, "read", 24)),
        Check::new("a_page_fault_is_as_the_book_says", Scope::Once, |platform| {
            is_as_the_book_says(platform, "fault", 16)
        }),
        Check::new("a_console_byte_is_as_the_book_says", Scope::Once, |platform| {
            is_as_the_book_says(platform, "console", 22);
        }),
        Check::new("all_lists_what_was_inlined_too", Scope::Once, all_is_more),
    ])
}

static WRITING: Mutex<()> = Mutex::new(());

/// The image may have to be built first.
const BUILD: Duration = Duration::from_secs(1500);

fn walk(words: &[&str]) -> String {
    need(&["qemu-system-x86_64", "gcc"]);
    let mut command = system_tests::whittle();
    command.arg("walk").args(words).current_dir(project_root());
    Running::start(command, None).finish(BUILD).expect_status(0).text()
}

/// Files that a walk lists.
fn files(walk: &str) -> usize {
    walk.lines().filter(|line| line.starts_with("  ")).count()
}

fn is_as_the_book_says(_: Platform, way: &str, most: usize) {
    let printed = walk(&[way]);
    let count = files(&printed);
    assert!(printed.contains(&format!("\n{count} files down\n")), "{printed}");
    // Each of the tests writes its part of the file.
    let writing = WRITING.lock();
    let path = project_root().join("docs/src/walks.md");
    let book = fs::read_to_string(&path).unwrap();
    let begin = format!("`./whittle walk {way}` prints:\n\n```text\n");
    let start = book.find(&begin).expect("the book shows the walk") + begin.len();
    let end = start + book[start..].find("```").expect("the block ends");
    if std::env::var_os("WHITTLE_BLESS").is_some() {
        fs::write(&path, format!("{}{printed}{}", &book[..start], &book[end..])).unwrap();
        drop(writing);
    } else {
        assert_eq!(printed, book[start..end], "read the list over, and write it anew with WHITTLE_BLESS=1");
    }
    assert!(count <= most, "{count} files, of {most} that a reader is asked to open: {printed}");
}

fn all_is_more(_: Platform) {
    let (few, all) = (walk(&["fault"]), walk(&["fault", "--all"]));
    assert!(files(&all) > files(&few), "{all}");
    for line in few.lines().filter(|line| line.starts_with("  ")) {
        let file = line.split_whitespace().next().unwrap();
        assert!(all.contains(file), "{file} is not in {all}");
    }
    assert!(all.contains("\nand back\n"), "{all}");
}
