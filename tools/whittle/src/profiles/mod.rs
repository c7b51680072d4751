//! Profiles: what is to be set so that a server runs well in one process, a small file each, found by the program's
//! name.
//!
//! Those of a user's come before ours: `$XDG_CONFIG_HOME/whittle/profiles/NAME.toml`, or `~/.config` in its place. What
//! the command line says comes before both.

mod apply;
mod file;

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::arguments::Run;
use crate::failure::{Failure, plain};
use file::Profile;

/// Ours, which lie in `tools/whittle/profiles`.
const OURS: [(&str, &str); 3] = [
    ("memcached", include_str!("../../profiles/memcached.toml")),
    ("nginx", include_str!("../../profiles/nginx.toml")),
    ("redis-server", include_str!("../../profiles/redis-server.toml")),
];

/// Completes a run by what its program's profile says, if there is one. What is set is told in sentences.
pub fn apply(run: &mut Run) -> Result<Vec<String>, Failure> {
    let name = run.command.first().and_then(|program| Path::new(program).file_name()).and_then(OsStr::to_str);
    let Some(name) = name.filter(|_| !run.no_profile).map(str::to_owned) else { return Ok(Vec::new()) };
    let Some((place, profile)) = of(&name, folder().as_deref())? else { return Ok(Vec::new()) };
    Ok(apply::apply(&profile, run, rustix::process::geteuid().is_root(), &place))
}

/// A program's profile, and where it is from.
fn of(name: &str, folder: Option<&Path>) -> Result<Option<(String, Profile)>, Failure> {
    if let Some(path) = folder.map(|folder| folder.join(format!("{name}.toml"))) {
        match fs::read_to_string(&path) {
            Ok(text) => {
                let profile = Profile::read(&text).map_err(|why| wrong(&path, &why))?;
                return Ok(Some((path.display().to_string(), profile)));
            }
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(error) => return Err(wrong(&path, &plain(&error))),
        }
    }
    let ours = OURS.iter().find(|(own, _)| *own == name);
    let read = |(name, text): &(&str, &str)| {
        let profile = Profile::read(text).map_err(|why| wrong(Path::new(name), &why))?;
        Ok((format!("whittle's own profile {name}"), profile))
    };
    ours.map(read).transpose()
}

fn wrong(path: &Path, why: &str) -> Failure {
    Failure::ours(format!("the profile {} is not to be used: {why}; say --no-profile to leave it out", path.display()))
}

/// The user's folder of profiles.
fn folder() -> Option<PathBuf> {
    let home = || env::var_os("HOME").map(|home| PathBuf::from(home).join(".config"));
    let configuration = env::var_os("XDG_CONFIG_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    configuration.or_else(home).filter(|folder| folder.is_absolute()).map(|folder| folder.join("whittle/profiles"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_of_ours_is_a_profile() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("profiles");
        let mut files: Vec<String> =
            fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
        files.sort();
        assert_eq!(files, OURS.map(|(name, _)| format!("{name}.toml")));
        for (name, _) in OURS {
            let (place, profile) = of(name, None).unwrap().unwrap();
            assert_eq!(place, format!("whittle's own profile {name}"));
            assert_ne!(profile, Profile::default());
        }
    }

    #[test]
    fn a_users_come_first_and_must_make_sense() {
        let folder = tempfile::tempdir().unwrap();
        let of = |name| of(name, Some(folder.path()));
        assert!(of("busybox").unwrap().is_none());
        assert!(of("nginx").unwrap().unwrap().0.starts_with("whittle's own"));
        fs::write(folder.path().join("nginx.toml"), "memory = \"64M\"\n").unwrap();
        let (place, profile) = of("nginx").unwrap().unwrap();
        assert_eq!((place, profile.memory.is_some()), (folder.path().join("nginx.toml").display().to_string(), true));
        fs::write(folder.path().join("nginx.toml"), "memory = \"lots\"\n").unwrap();
        let told = of("nginx").unwrap_err().sentence;
        assert!(told.contains("nginx.toml is not to be used: memory: a number and a unit are expected"), "{told}");
        fs::create_dir(folder.path().join("redis-server.toml")).unwrap();
        assert!(of("redis-server").unwrap_err().sentence.contains("is a directory"));
    }
}
