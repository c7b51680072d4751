//! What lies below the program's own files: `--root`.

use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What lies below the program's own files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Root {
    /// The host's files.
    #[default]
    Host,
    /// Nothing: the program is alone with what `-v` names.
    Nothing,
    /// The files of this directory.
    Folder(PathBuf),
    /// The files of this archive.
    Archive(PathBuf),
    /// The file system on this disk.
    Image(PathBuf),
}

impl FromStr for Root {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "" => Err("host, none, a directory, an archive or a disk's image is expected; ./host is one of that name"),
            "host" => Ok(Self::Host),
            "none" => Ok(Self::Nothing),
            folder => Ok(Self::Folder(folder.into())),
        }
    }
}

impl Root {
    /// The directory on the host.
    pub fn folder(&self) -> Option<&Path> {
        match self {
            Self::Host => Some(Path::new("/")),
            Self::Nothing | Self::Archive(_) | Self::Image(_) => None,
            Self::Folder(folder) => Some(folder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roots_are_words_or_directories() {
        assert_eq!("host".parse(), Ok(Root::Host));
        assert_eq!("none".parse(), Ok(Root::Nothing));
        assert_eq!("./host".parse(), Ok(Root::Folder("./host".into())));
        assert!("".parse::<Root>().is_err());
    }
}
