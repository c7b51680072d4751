//! What the emulator gets wrong, by its version: programs that do not find such a feature do without, and are right.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Stdio};

use super::qemu::PROGRAM;

/// A version of QEMU: major, minor, micro.
pub type Version = [u32; 3];

/// A feature of the processor that the emulator offers and gets wrong.
struct Wrong {
    /// QEMU's name for it.
    feature: &'static str,
    /// Versions from which on it is right, the last one for all that follow, the others each for its own series.
    right: &'static [Version],
}

/// Found by running each form of the instructions of SSE to AVX2, FMA, F16C, BMI, ADX and AES on operands at random,
/// under QEMU 7.2.22 and on a processor. (Approximations, and which of two NaNs is the result, differ among processors
/// too.)
const WRONG: [Wrong; 2] = [
    // A gather whose indices are in register 4 takes none: "target/i386: Fix VSIB decode".
    Wrong { feature: "avx2", right: &[[8, 2, 7], [9, 0, 3], [9, 1, 0]] },
    // Flags after 32 bits: "target/i386: Fix 32-bit AD[CO]X insns in 64-bit mode".
    Wrong { feature: "adx", right: &[[8, 0, 0]] },
];

/// Features that this version gets wrong; all of them where it is not known.
pub fn wrong(version: Option<Version>) -> impl Iterator<Item = &'static str> {
    let is_right = move |wrong: &Wrong| {
        let version = version.unwrap_or_default();
        let after = wrong.right.last().is_some_and(|last| version >= *last);
        after || wrong.right.iter().any(|right| version[..2] == right[..2] && version >= *right)
    };
    WRONG.iter().filter(move |wrong| !is_right(wrong)).map(|wrong| wrong.feature)
}

/// The version of the QEMU that is found, kept in the folder `kept` as long as its file is the same: asking takes
/// longer than many a program.
#[must_use]
pub fn version(kept: Option<&Path>) -> Option<Version> {
    let path = std::env::var_os("PATH")?;
    let file = std::env::split_paths(&path).map(|folder| folder.join(PROGRAM)).find(|file| file.is_file())?;
    let found = file.metadata().ok()?;
    let mark = format!("{} {} {}.{}", file.display(), found.len(), found.mtime(), found.mtime_nsec());
    let kept = kept.map(|folder| folder.join("emulator-version"));
    let known = kept.as_ref().and_then(|kept| fs::read_to_string(kept).ok());
    if let Some((_, version)) =
        known.as_deref().and_then(|known| known.split_once('\n')).filter(|known| known.0 == mark)
    {
        return parse(version);
    }
    let answer = Command::new(&file).arg("--version").stdin(Stdio::null()).output().ok()?;
    let words = String::from_utf8_lossy(&answer.stdout).into_owned();
    let version = words.split_once("version ").map(|(_, version)| version)?;
    if let Some(kept) = kept {
        // If it cannot be kept it is asked for again.
        let _ = fs::write(kept, format!("{mark}\n{version}"));
    }
    parse(version)
}

/// The numbers that a text begins with.
fn parse(text: &str) -> Option<Version> {
    let word = text.split(|letter: char| !letter.is_ascii_digit() && letter != '.').next()?;
    let mut numbers = word.split('.').map(|number| number.parse().ok());
    Some([numbers.next()??, numbers.next()??, numbers.next().flatten().unwrap_or(0)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_as_qemu_says_them() {
        assert_eq!(parse("7.2.22 (Debian 1:7.2+dfsg-7+deb12u18+b3)\nCopyright"), Some([7, 2, 22]));
        assert_eq!(parse("9.1"), Some([9, 1, 0]));
        assert_eq!([parse(""), parse("new"), parse("7")], [None; 3]);
    }

    #[test]
    fn what_is_mended_in_a_series_is_right_there_and_later() {
        let wrong = |version| wrong(version).collect::<Vec<_>>();
        assert_eq!(wrong(Some([7, 2, 22])), ["avx2", "adx"]);
        assert_eq!(wrong(None), ["avx2", "adx"]);
        for version in [[8, 0, 0], [8, 2, 6], [9, 0, 2]] {
            assert_eq!(wrong(Some(version)), ["avx2"]);
        }
        for version in [[8, 2, 7], [9, 0, 3], [9, 0, 4], [9, 1, 0], [10, 0, 0]] {
            assert!(wrong(Some(version)).is_empty());
        }
    }
}
