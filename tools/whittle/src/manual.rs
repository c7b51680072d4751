//! Manual pages and completions, both made from the command line's declaration.

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

use clap::CommandFactory;
use clap_complete::generate;
use clap_complete::shells::{Bash, Fish, Zsh};
use clap_mangen::Man;

use crate::arguments::{Arguments, Shell};
use crate::failure::{Doing, Failure};

/// Prints the completions of a shell.
pub fn completions(shell: Shell) -> Result<(), Failure> {
    // Whoever does not read to the end has read enough.
    let _ = stdout().write_all(&completions_of(shell));
    Ok(())
}

/// The completions of a shell.
#[must_use]
pub fn completions_of(shell: Shell) -> Vec<u8> {
    let (mut command, mut text) = (Arguments::command(), Vec::new());
    match shell {
        Shell::Bash => generate(Bash, &mut command, "whittle", &mut text),
        Shell::Fish => generate(Fish, &mut command, "whittle", &mut text),
        Shell::Zsh => generate(Zsh, &mut command, "whittle", &mut text),
    }
    text
}

/// Writes the manual pages into a folder.
pub fn write_pages(folder: &Path) -> Result<(), Failure> {
    let doing = || format!("write manual pages into {}", folder.display());
    fs::create_dir_all(folder).doing(doing())?;
    pages()?.into_iter().try_for_each(|(name, text)| fs::write(folder.join(name), text)).doing(doing())
}

/// whittle.1, and whittle-VERB.1 for each verb: names and texts.
pub fn pages() -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut command = Arguments::command();
    command.build();
    let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set() && verb.get_name() != "help");
    let page = |page: clap::Command| {
        // clap calls a verb `whittle-verb` for its page once it is built.
        let name = page.get_display_name().unwrap_or_else(|| page.get_name()).to_owned();
        let mut text = Vec::new();
        Man::new(page).render(&mut text).doing(format!("write the manual page of {name}"))?;
        Ok((format!("{name}.1"), text))
    };
    [command.clone()].into_iter().chain(verbs.cloned()).map(page).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_verb_has_a_page_and_is_completed() {
        let folder = tempfile::tempdir().unwrap();
        write_pages(folder.path()).unwrap();
        let run = fs::read_to_string(folder.path().join("whittle-run.1")).unwrap();
        assert!(run.contains(".TH whittle-run 1") && run.contains("platform"), "{run}");
        assert!(folder.path().join("whittle.1").is_file() && !folder.path().join("whittle-help.1").exists());
        for shell in [Shell::Bash, Shell::Fish, Shell::Zsh] {
            let text = String::from_utf8(completions_of(shell)).unwrap();
            assert!(text.contains("whittle") && text.contains("components"), "{shell:?}");
        }
    }
}
