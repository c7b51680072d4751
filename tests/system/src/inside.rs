//! An image whose network stays inside: Linux programs have sockets of the Internet over 127.0.0.1 and ::1.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;

use crate::scratch;

const COMPOSITION: &str = r#"name = "linux-inside"
kind = "linux"
platform = ["pc", "process"]

[components]
sockets = "network-inside"
"#;

/// The folder of the image, which the platforms share; it is built when it is first run.
pub fn network_inside() -> &'static Path {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(|| {
        let folder = scratch();
        fs::write(folder.path().join("whittle.toml"), COMPOSITION).expect("the folder can be written");
        folder
    });
    folder.path()
}
