//! Names and source lines for addresses of a kernel.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use addr2line::{Loader, demangle_auto};

/// An unstripped image, read when the first line is explained.
pub struct Symbols {
    image: PathBuf,
    opened: Option<Option<Text>>,
    /// What to take off an address before it is looked up: where a position-independent kernel was loaded.
    base: u64,
}

struct Text {
    loader: Loader,
    begin: u64,
    end: u64,
}

impl Symbols {
    /// The symbols of an image. Without a readable file addresses stay numbers.
    #[must_use]
    pub fn new(image: &Path) -> Self {
        Self { image: image.to_owned(), opened: None, base: 0 }
    }

    /// Adds to every address of kernel text in `line` the name and the source line it belongs to. A line
    /// `kernel base 0x...` says where the kernel lies.
    pub fn explain(&mut self, line: &str) -> String {
        if let Some(base) = line.split("kernel base ").nth(1).and_then(|rest| addresses(rest).next()) {
            self.base = base;
        }
        // A return address lies behind its call, which may be the last instruction of its function or line.
        let back = u64::from(line.starts_with("backtrace:"));
        let places: Vec<_> =
            addresses(line).filter_map(|address| Some((address, self.place(address, back)?))).collect();
        let mut explained = line.to_owned();
        match &places[..] {
            [(_, place)] => _ = write!(explained, " {place}"),
            places => {
                for (address, place) in places {
                    let _ = write!(explained, "\n    {address:#x} {place}");
                }
            }
        }
        explained
    }

    /// `name+offset (file:line)` of an address in the kernel's text, names and lines as of `back` bytes before it.
    fn place(&mut self, address: u64, back: u64) -> Option<String> {
        let text = self.opened.get_or_insert_with(|| open(&self.image)).as_ref()?;
        let probe = address.checked_sub(self.base).filter(|probe| (text.begin + back..text.end).contains(probe))?;
        let symbol = text.loader.find_symbol_info(probe - back)?;
        let name = demangle_auto(symbol.name().into(), None);
        let mut place = format!("{name}+{:#x}", probe.saturating_sub(symbol.address()));
        if let Some(location) = text.loader.find_location(probe - back).ok().flatten()
            && let (Some(file), Some(line)) = (location.file, location.line)
        {
            let _ = write!(place, " ({file}:{line})");
        }
        Some(place)
    }
}

fn open(image: &Path) -> Option<Text> {
    let loader = Loader::new(image).ok()?;
    let text = loader.get_section_range(b".text")?;
    Some(Text { loader, begin: text.begin, end: text.end })
}

/// The numbers `0x...` in a line.
fn addresses(line: &str) -> impl Iterator<Item = u64> {
    line.split("0x").skip(1).filter_map(|rest| {
        let digits = rest.bytes().take_while(u8::is_ascii_hexdigit).count();
        u64::from_str_radix(&rest[..digits], 16).ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_found_and_named() {
        assert_eq!(
            addresses("rip 0x12, cr2=0xffffffff80000000 0x 0xzz").collect::<Vec<_>>(),
            [0x12, 0xffff_ffff_8000_0000]
        );
        // This test's own binary is an image like any other, and one of its functions is where the host put it.
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let executable = std::env::current_exe().unwrap();
        let base = maps.lines().find(|line| line.ends_with(executable.to_str().unwrap())).unwrap();
        let base = base.split('-').next().unwrap();
        let mut symbols = Symbols::new(&executable);
        symbols.explain(&format!("kernel base 0x{base}"));
        let inside = Symbols::new as fn(&Path) -> Symbols as usize + 1;
        let explained = symbols.explain(&format!("backtrace: {inside:#x}"));
        assert!(explained.contains("Symbols::new+0x1"), "{explained}");
        assert!(explained.contains("symbols.rs:"), "{explained}");
        assert_eq!(symbols.explain("rax 0x1 rbx 0x2"), "rax 0x1 rbx 0x2");
        assert_eq!(Symbols::new(Path::new("/none")).explain("0x1"), "0x1");
    }
}
