//! Links the image as the platform wants it.

use std::path::Path;

fn main() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../platforms/process/link.ld");
    println!("cargo::rerun-if-changed={}", script.display());
    println!("cargo::rustc-link-arg-bins=-T{}", script.display());
    for argument in [
        "--gc-sections",
        "--build-id=none",
        "--hash-style=sysv",
        "-zmax-page-size=4096",
        // `start` makes relocated constants read-only itself, and undoes the packing.
        "-znorelro",
        "--pack-dyn-relocs=relr",
    ] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}
