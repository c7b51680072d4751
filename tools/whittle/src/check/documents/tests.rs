use std::path::PathBuf;

use super::prose::{columns, sentences};
use super::*;

/// What is wrong in a document of a small repository.
fn wrong(name: &str, text: &str) -> Vec<String> {
    let sources: Vec<PathBuf> =
        ["kernel/core/src/boot.rs", "api/linux/src/objects/tree.rs", "README.md"].iter().map(PathBuf::from).collect();
    let mut wrong = Vec::new();
    look(name, text, &sources, &mut wrong);
    wrong
}

fn words(count: usize) -> String {
    vec!["word"; count].join(" ")
}

#[test]
fn a_sentence_of_thirty_words_passes_and_a_longer_one_does_not() {
    let wrapped = words(WORDS - 1).replace("word word word word word", "word word word word word\n");
    assert_eq!(wrong("a.md", &format!("# Title\n\nThe {wrapped}. The {wrapped}.\n")), [""; 0]);
    let text = format!("Short.\n\nThis begins here: {wrapped}.\n");
    assert_eq!(
        wrong("a.md", &text),
        ["a.md:3: a sentence of 32 words, of 30 at most: This begins here: word word word ..."]
    );
}

#[test]
fn long_sentences_are_found_in_lists_tables_links_and_quotes() {
    let long = words(WORDS + 1).replace("word word word", "word [word](README.md) *word*");
    let table = format!("a | b\n---|---\nc | {long}\n");
    for (text, line) in [
        (format!("- {long}\n"), 1),
        (format!("1. short\n2. {long}\n   - deeper\n"), 2),
        (format!("> {long}\n"), 1),
        (format!("## {long}\n"), 1),
        (table, 3),
    ] {
        let wrong: Vec<String> = wrong("a.md", &text).into_iter().filter(|line| line.contains("a sentence")).collect();
        assert_eq!(wrong.len(), 1, "{text}{wrong:?}");
        assert!(wrong[0].starts_with(&format!("a.md:{line}: a sentence of 31 words")), "{wrong:?}");
    }
}

#[test]
fn sentences_end_where_readers_see_them_end() {
    let counts = |text: &str| sentences(text).iter().map(|sentence| sentence.words).collect::<Vec<_>>();
    assert_eq!(counts("One two. Three (four five.) \"Six!\" Seven?\n"), [2, 3, 1, 1]);
    // Neither a number's point nor three dots nor a colon ends one; what is in backquotes is a word and may begin one.
    assert_eq!(counts("Linux 6.13 and x.rs ... go on: so. `a b c` begins.\n"), [7, 2]);
    assert_eq!(counts("One.\n\n```text\nnot counted at all\n```\n\nTwo two.\n"), [1, 2]);
    assert_eq!(counts("- one\n- two two\n  - three three three\n"), [1, 2, 3]);
    assert_eq!(counts("a | b b\n---|---\nc c c | d\n"), [1, 2, 3, 1]);
}

#[test]
fn a_comment_of_120_columns_passes_and_a_longer_one_does_not() {
    let mut found = Vec::new();
    let (fits, code) = (format!("// {}", "é".repeat(COLUMNS - 3)), "x".repeat(COLUMNS + 1));
    look_at_comments("a.rs", &format!("{fits}\n{code}\n    {fits}\n//! | {code}\n"), &mut found);
    assert_eq!(found, ["a.rs:3: a comment of 124 columns, of 120 at most"]);
}

#[test]
fn a_line_of_120_columns_passes_and_a_longer_one_does_not() {
    let line = "é".repeat(COLUMNS);
    assert_eq!(wrong("a.md", &format!("{line}\n")), [""; 0]);
    assert_eq!(wrong("a.md", &format!("short\n{line}x\n")), ["a.md:2: 121 columns, of 120 at most"]);
    assert_eq!(wrong("a.md", &format!("- short\n- {line}\n")), ["a.md:2: 122 columns, of 120 at most"]);
}

#[test]
fn tables_listings_and_addresses_may_be_wider_but_not_in_the_map() {
    let long = "x".repeat(COLUMNS + 1);
    for text in [
        format!("```text\n{long}\n```\n"),
        format!("- item\n\n  ```text\n  {long}\n  ```\n"),
        format!("a | b\n---|---\nc | {long}\n"),
        format!("A [link](https://{long}) and ![picture](https://{long}).\n"),
    ] {
        assert_eq!(wrong("a.md", &text), [""; 0], "{text}");
    }
    // What is beside them may not.
    let beside = format!("```text\n{long}\n```\n{long}\n");
    assert_eq!(wrong("a.md", &beside), ["a.md:4: 121 columns, of 120 at most"]);
    let link = format!("A [{long}](README.md).\n");
    assert_eq!(wrong("a.md", &link), ["a.md:1: 128 columns, of 120 at most"]);
    let map = format!("```text\n{long}\n```\n\na | b\n---|---\nc | {long}\n");
    assert_eq!(
        wrong("ARCHITECTURE.md", &map),
        ["ARCHITECTURE.md:2: 121 columns, of 120 at most", "ARCHITECTURE.md:7: 125 columns, of 120 at most"]
    );
    assert_eq!(columns("a\n\n`b`\n", false), [(1, 1), (2, 0), (3, 3)]);
}

#[test]
fn the_map_is_two_screens() {
    let (two_screens, more) = ("line\n".repeat(120), "line\n".repeat(121));
    // One sentence, as it happens.
    let lengths = |name, text: &str| wrong(name, text).into_iter().filter(|line| line.contains(" lines, ")).count();
    assert_eq!(lengths("ARCHITECTURE.md", &two_screens), 0);
    assert_eq!(lengths("ARCHITECTURE.md", &more), 1);
    assert_eq!(lengths("docs/src/a.md", &more), 0);
}

#[test]
fn names_of_files_are_looked_for() {
    for there in [
        "kernel/core/src/boot.rs",
        "kernel/core",
        "kernel/",
        "core/src/boot.rs",
        "objects/tree.rs",
        "boot.rs",
        "README.md",
        "api/{linux}/src/objects/{tree.rs,tree.rs}",
        "api/<door>/src/objects",
        "kernel/core/src/*.rs",
        "target/whittle/x.rs",
    ] {
        assert_eq!(wrong("a.md", &format!("See `{there}`.\n")), [""; 0], "{there}");
    }
    for gone in [
        "kernel/core/src/bot.rs",
        "kernel/fs",
        "kernle/core",
        "objects/trees.rs",
        "linux/src",
        "tree.rs/x",
        "bot.rs",
        "CONTRIBUTING.md",
        "core/src/*.s",
    ] {
        let gone_or_not = wrong("a.md", &format!("# Title\n\na | b\n---|---\n`{gone}` | c\n"));
        let expected = if gone == "linux/src" { vec![] } else { vec![format!("a.md:5: `{gone}` is not there")] };
        assert_eq!(gone_or_not, expected);
    }
    let half = wrong("a.md", "See `kernel/core/src/{boot,time}.rs`.\n");
    assert_eq!(half, ["a.md:1: `kernel/core/src/time.rs` is not there"]);
}

#[test]
fn what_is_no_path_and_what_the_reader_makes_is_not_looked_for() {
    for text in [
        "`/proc/self/maps`, `a b/c`, `./whittle`, `std::fs`, `0/1`, `-v HERE:THERE`, and kernel/gone.rs\n",
        "```console\n$ whittle/whittle new hello\nhello is there\n```\n\nIts `hello/src/main.rs`.\n",
        "First:\n\n`mine/src/lib.rs`:\n\n```rust\nfn main() {}\n```\n\nThen `mine/other.rs`.\n",
    ] {
        assert_eq!(wrong("a.md", text), [""; 0], "{text}");
    }
    let kept = wrong("a.md", "See `mine/src/lib.rs`: it is here.\n\n```rust\nfn main() {}\n```\n");
    assert_eq!(kept, ["a.md:1: `mine/src/lib.rs` is not there"]);
}

#[test]
fn links_lead_to_files() {
    for there in ["README.md", "./README.md#title", "kernel/core/src/boot.rs", "https://example.org/gone", "#title"] {
        assert_eq!(wrong("a.md", &format!("A [link]({there}).\n")), [""; 0], "{there}");
    }
    assert_eq!(wrong("docs/src/a.md", "A [link](../../README.md).\n"), [""; 0]);
    assert_eq!(wrong("docs/a.md", "\nA [link](README.md).\n"), ["docs/a.md:2: the link to README.md leads nowhere"]);
    assert_eq!(wrong("a.md", "![A picture](kernel/gone.png)\n"), ["a.md:1: the link to kernel/gone.png leads nowhere"]);
}

#[test]
fn the_documents_of_this_repository_are_all_looked_at() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let documents = named(&crate::install::sources(&root).unwrap(), &[".md"]);
    for name in ["ARCHITECTURE.md", "README.md", "docs/src/SUMMARY.md", "architecture/README.md"] {
        assert!(documents.contains(&name.to_owned()), "{documents:?}");
    }
}
