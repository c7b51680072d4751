//! The sources once more, in another folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::project_root;

/// Copies the tree as it is, without what is built and what git ignores, to a folder, and takes away what was there.
pub fn copy_of_the_tree(to: &Path) {
    let mut git = Command::new("git");
    git.current_dir(project_root()).args(["ls-files", "--cached", "--others", "--exclude-standard"]);
    let list = git.output().expect("git is here").stdout;
    let _ = fs::remove_dir_all(to);
    for file in String::from_utf8_lossy(&list).lines() {
        let (from, to) = (project_root().join(file), to.join(file));
        // One that was removed and not yet forgotten, or a link.
        if !from.is_file() {
            continue;
        }
        fs::create_dir_all(to.parent().expect("a file lies in a folder")).expect("the work folder can be written");
        fs::copy(&from, &to).expect("the work folder can be written");
        // A file that has changed is newer than what was built of it; one that has not is as old as before.
        let modified = fs::metadata(&from).and_then(|metadata| metadata.modified());
        let copied = fs::File::options().write(true).open(&to);
        let _ = copied.and_then(|copied| copied.set_modified(modified?));
    }
}
