//! Tells the linker how a pc kernel image is laid out.

fn main() {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../platforms/pc/link.ld");
    println!("cargo::rerun-if-changed={script}");
    for argument in ["-T", script, "--gc-sections", "--build-id=none", "-no-pie", "--nmagic"] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}
