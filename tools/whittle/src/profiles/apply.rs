//! What a profile makes of a run.

use std::ffi::OsString;

use super::file::Profile;
use crate::arguments::Run;
use crate::words::{Size, Variable};

/// Sets what the run leaves open, for a program that is root or not; says what that is.
pub fn apply(profile: &Profile, run: &mut Run, is_root: bool, place: &str) -> Vec<String> {
    let mut told = Vec::new();
    let arguments = arguments(profile, run, is_root);
    if !arguments.is_empty() {
        told.push(format!("{place} adds the arguments {}", shown(&arguments)));
        let own = run.command.iter().skip(1).position(|word| word.as_encoded_bytes().starts_with(b"-"));
        let at = own.map_or(run.command.len(), |own| own + 1);
        run.command.splice(at..at, arguments.into_iter().map(OsString::from));
    }
    for (name, value) in &profile.environment {
        if !run.env.iter().any(|variable| variable.name == *name) {
            told.push(format!("{place} sets {name}={value}"));
            run.env.push(Variable { name: name.clone(), value: Some(value.into()) });
        }
    }
    for share in &profile.files {
        if !run.shares.iter().any(|own| own.guest == share.guest) {
            told.push(format!("{place} shares {} as {}", share.host.display(), share.guest));
            run.shares.push(share.clone());
        }
    }
    // Whoever publishes some has chosen.
    if run.network.published.is_empty() && !profile.ports.is_empty() {
        let ports: Vec<String> = profile.ports.iter().map(|published| published.arrow()).collect();
        told.push(format!("{place} publishes {}", ports.join(", ")));
        run.network.published.clone_from(&profile.ports);
    }
    if let (None, Some(Size(bytes))) = (run.memory, profile.memory) {
        told.push(format!("{place} gives it {} of memory", Size(bytes)));
        run.memory = profile.memory;
    }
    told
}

/// The arguments to add.
fn arguments(profile: &Profile, run: &Run, is_root: bool) -> Vec<String> {
    let given = |word: &String| run.command.iter().skip(1).any(|own| own == word.as_str());
    if profile.unless.iter().any(given) {
        return Vec::new();
    }
    let of_root = profile.root_arguments.iter().filter(|_| is_root);
    profile.arguments.iter().chain(of_root).cloned().collect()
}

/// Words as a shell would take them.
fn shown(words: &[String]) -> String {
    let is_plain = |word: &String| {
        !word.is_empty() && word.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_./=:,".contains(letter))
    };
    let quoted =
        |word: &String| if is_plain(word) { word.clone() } else { format!("'{}'", word.replace('\'', "'\\''")) };
    words.iter().map(quoted).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(words: &[&str]) -> Run {
        Run { command: words.iter().map(OsString::from).collect(), ..Run::default() }
    }

    #[test]
    fn arguments_stand_before_a_persons_options() {
        let profile =
            Profile { arguments: vec!["--x".into(), "a b".into()], unless: vec!["-v".into()], ..Profile::default() };
        for (words, wanted) in [
            (&["redis"][..], &["redis", "--x", "a b"][..]),
            (&["redis", "conf", "--port", "1"], &["redis", "conf", "--x", "a b", "--port", "1"]),
            (&["redis", "--port", "1"], &["redis", "--x", "a b", "--port", "1"]),
            (&["redis", "-v"], &["redis", "-v"]),
        ] {
            let mut run = run(words);
            let told = apply(&profile, &mut run, false, "p");
            assert_eq!(run.command, wanted);
            assert_eq!(told.len(), usize::from(wanted.len() > words.len()));
        }
        assert_eq!(apply(&profile, &mut run(&["redis"]), false, "p"), ["p adds the arguments --x 'a b'"]);
    }

    #[test]
    fn some_are_for_root_alone() {
        let profile = Profile { root_arguments: vec!["-u".into(), "root".into()], ..Profile::default() };
        for (is_root, wanted) in [(true, &["memcached", "-u", "root"][..]), (false, &["memcached"])] {
            let mut run = run(&["memcached"]);
            apply(&profile, &mut run, is_root, "p");
            assert_eq!(run.command, wanted);
        }
    }

    #[test]
    fn what_a_person_says_stays() {
        let text = "files = [\"/a:/x\"]\nports = [\"81:80\"]\nmemory = \"64M\"\n[environment]\nA = \"1\"\n";
        let profile = Profile::read(text).unwrap();
        let mut open = run(&["p"]);
        assert_eq!(apply(&profile, &mut open, false, "it").len(), 4);
        assert_eq!((open.env.len(), open.shares.len(), open.network.published.len()), (1, 1, 1));
        assert_eq!(open.memory, Some(Size(64 << 20)));
        let before = open.clone();
        assert!(apply(&profile, &mut open, false, "it").is_empty());
        assert_eq!((open.env.len(), open.shares.len(), open.memory), (1, 1, before.memory));
    }
}
