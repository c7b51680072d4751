//! What is changed of musl's source: each of its system calls goes by one word, to where the kernel says.
//!
//! Why so, and what `restore.s` keeps: `docs/src/one-call.md`.

use std::fs;
use std::path::Path;

use crate::failure::{Doing, Failure};

/// What stands before the header, and takes the instruction's place in it.
const HEADER: &str = include_str!("musl/call.h");
/// What takes the instruction's place in assembly.
const CALL: &str = include_str!("musl/call.s");
/// The same where musl looks at addresses: a cancellation point.
const CANCELLATION_POINT: &str = include_str!("musl/syscall_cp.s");
/// Where the word is, and the way by a trap.
const WORD: &str = include_str!("musl/defsysinfo.s");

/// A file of musl's, in how many places something is changed, and what it is and becomes: a line from its beginning on.
struct Change {
    file: &'static str,
    places: usize,
    from: &'static str,
    to: &'static str,
}

const fn assembly(file: &'static str, places: usize, to: &'static str) -> Change {
    Change { file, places, from: "\tsyscall", to }
}

const CHANGES: [Change; 7] = [
    Change { file: SYSCALL_ARCH, places: 7, from: "\"syscall\"", to: "WHITTLE_CALL" },
    assembly("src/process/x86_64/vfork.s", 1, CALL),
    assembly("src/thread/x86_64/__set_thread_area.s", 1, CALL),
    assembly("src/thread/x86_64/__unmapself.s", 2, CALL),
    assembly("src/thread/x86_64/clone.s", 2, CALL),
    assembly("src/thread/x86_64/syscall_cp.s", 1, CANCELLATION_POINT),
    // It looks up the word when it has made its first calls already.
    Change { file: "ldso/dynlink.c", places: 1, from: CAPABILITIES, to: CAPABILITIES_AND_WORD },
];
const CAPABILITIES: &str = "\tsearch_vec(auxv, &__hwcap, AT_HWCAP);";
const CAPABILITIES_AND_WORD: &str =
    "\tsearch_vec(auxv, &__hwcap, AT_HWCAP);\n\tsearch_vec(auxv, &__sysinfo, AT_SYSINFO);";
const SYSCALL_ARCH: &str = "arch/x86_64/syscall_arch.h";
/// Registers that a call takes: as they stand in the header, and one more.
const TAKEN: [&str; 2] = ["\"rcx\", \"r11\", \"memory\"", "\"rcx\", \"r11\", \"xmm15\", \"memory\""];

/// In a folder of the source here, what musl's makefile takes in the place of `src/internal/defsysinfo.c`.
const WORD_FILE: &str = "src/internal/x86_64/defsysinfo.s";

/// All that is done to the source, so that another recipe makes another library.
pub fn text() -> String {
    let changes = CHANGES.iter().map(|change| [change.file, change.from, change.to].concat());
    changes.chain([HEADER, WORD, TAKEN[1]].map(str::to_owned)).collect()
}

/// Changes an unpacked source.
pub fn apply(source: &Path) -> Result<(), Failure> {
    for change in &CHANGES {
        let path = source.join(change.file);
        let old = fs::read_to_string(&path).doing(format!("read musl's {}", change.file))?;
        let new = change.of(&old)?;
        fs::write(&path, new).doing(format!("write {}", path.display()))?;
    }
    let word = source.join(WORD_FILE);
    let folder = word.parent().unwrap_or(source);
    fs::create_dir_all(folder).and_then(|()| fs::write(&word, WORD)).doing(format!("write {}", word.display()))
}

impl Change {
    /// The file's text with each place changed. A source that has another number of them is one that nobody has looked
    /// at.
    fn of(&self, old: &str) -> Result<String, Failure> {
        let found = old.matches(self.from).count();
        let is_header = self.file == SYSCALL_ARCH;
        if found != self.places || is_header && old.matches(TAKEN[0]).count() != found {
            return Err(Failure::ours(format!(
                "this source of musl is not what --libc knows: {} has {found} places to change, and not {}",
                self.file, self.places
            )));
        }
        if is_header {
            return Ok([HEADER, &old.replace(self.from, self.to).replace(TAKEN[0], TAKEN[1])].concat());
        }
        let lines = old.lines().map(|line| if line.starts_with(self.from) { self.to.trim_end() } else { line });
        Ok(lines.flat_map(|line| [line, "\n"]).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_of_a_known_file_is_changed() {
        let change = assembly("x.s", 2, CALL);
        let old = "a:\n\tmov $1, %eax\n\tsyscall   /* one */\n\tsyscall\n\tret\n";
        let new = change.of(old).unwrap();
        assert_eq!(new, format!("a:\n\tmov $1, %eax\n{CALL}{CALL}\tret\n"));
        let failure = change.of("\tsyscall\n").unwrap_err();
        let sentence = "this source of musl is not what --libc knows: x.s has 1 places to change, and not 2";
        assert_eq!(failure.sentence, sentence);
    }

    #[test]
    fn the_header_says_what_a_call_takes() {
        let line = |call: &str, taken: &str| format!("asm({call} : \"=a\"(r) : : {taken});\n");
        let old = line("\"syscall\"", TAKEN[0]).repeat(7);
        let new = CHANGES[0].of(&old).unwrap();
        assert_eq!(new, format!("{HEADER}{}", line("WHITTLE_CALL", TAKEN[1]).repeat(7)));
        assert!(CHANGES[0].of(&line("\"syscall\"", "\"memory\"").repeat(7)).is_err());
    }
}
