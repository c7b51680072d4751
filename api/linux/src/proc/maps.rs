//! `/proc/self/maps`: the mappings of a process.

use core::fmt::{self, Write};

use kernel::memory::{Region, RegionKind};

/// Where a path begins in a line.
const PATH_COLUMN: usize = 73;

/// A line a region.
pub fn maps(out: &mut dyn Write) -> fmt::Result {
    let mut result = Ok(());
    let mut lines = alloc::string::String::new();
    kernel::task::current().space().for_each_region(&mut |region| {
        if result.is_ok() {
            result = line(region, &mut lines);
        }
    });
    result?;
    out.write_str(&lines)
}

fn line(region: &Region, out: &mut alloc::string::String) -> fmt::Result {
    let start = out.len();
    let right = |held: bool, letter: char| if held { letter } else { '-' };
    let protection = region.protection;
    let (read, write, execute) =
        (right(protection.read, 'r'), right(protection.write, 'w'), right(protection.execute, 'x'));
    let inode = u8::from(region.name.is_some());
    write!(
        out,
        "{:08x}-{:08x} {read}{write}{execute}p {:08x} 00:01 {inode} ",
        region.start, region.end, region.offset
    )?;
    let name = match region.kind {
        RegionKind::Stack => "[stack]",
        RegionKind::Heap => "[heap]",
        _ => region.name.as_deref().unwrap_or(""),
    };
    if !name.is_empty() {
        while out.len() - start < PATH_COLUMN {
            out.push(' ');
        }
        out.push_str(name);
    }
    out.push('\n');
    Ok(())
}
