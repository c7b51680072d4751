//! What QEMU wrote down: the address of each instruction that was executed, in order.

use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::time::Duration;

use object::{Object, ObjectSymbol};

use crate::failure::{Doing, Failure};

/// A machine that writes down each instruction is slow, and so may the host be.
pub const PATIENCE: Duration = Duration::from_secs(600);

/// Addresses of the program's two functions that it calls before and after.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    begin: u64,
    end: u64,
}

impl Marks {
    /// Looks them up in the program.
    pub fn of(program: &Path) -> Result<Self, Failure> {
        let bytes = fs::read(program).doing(format!("read {}", program.display()))?;
        let file = object::File::parse(&*bytes).doing(format!("read {}", program.display()))?;
        let address = |name: &str| {
            let symbol = file.symbols().find(|symbol| symbol.name() == Ok(name));
            symbol.map(|symbol| symbol.address()).ok_or_else(|| Failure::ours(format!("the program has no {name}")))
        };
        Ok(Self { begin: address("walk_begin")?, end: address("walk_end")? })
    }
}

/// Addresses between the marks.
pub fn between(log: &Path, marks: Marks) -> Result<Vec<u64>, Failure> {
    let lines = BufReader::new(File::open(log).doing(format!("read {}", log.display()))?);
    let (mut addresses, mut inside) = (Vec::new(), false);
    // A symbol's name that QEMU writes behind an address may be cut anywhere.
    for line in lines.split(b'\n') {
        let line = line.doing(format!("read {}", log.display()))?;
        let Some(address) = address(&String::from_utf8_lossy(&line)) else { continue };
        if address == marks.begin {
            inside = true;
        } else if inside && address == marks.end {
            return Ok(addresses);
        } else if inside {
            addresses.push(address);
        }
    }
    Err(Failure::ours("QEMU did not write down what the program did between its marks: is this QEMU's log as ever?"))
}

/// The address in a line `Trace 0: 0x7f.. [CS BASE/ADDRESS/FLAGS/..] name` of `-d exec`.
fn address(line: &str) -> Option<u64> {
    let (_, place) = line.strip_prefix("Trace ")?.split_once('[')?;
    u64::from_str_radix(place.split('/').nth(1)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(addresses: &[u64]) -> tempfile::NamedTempFile {
        let lines = addresses.iter().map(|address| {
            format!("Trace 0: 0x7fee24000100 [00000000ffff0000/{address:016x}/00000040/ff000201] name\n")
        });
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), format!("cpu_reset\n{}", lines.collect::<String>())).unwrap();
        file
    }

    #[test]
    fn only_what_is_between_the_marks_counts() {
        let marks = Marks { begin: 10, end: 20 };
        // The end is passed before the beginning too.
        assert_eq!(between(log(&[1, 20, 10, 11, 7, 20, 30]).path(), marks).unwrap(), [11, 7]);
    }

    #[test]
    fn a_walk_that_does_not_end_is_an_error() {
        let marks = Marks { begin: 10, end: 20 };
        between(log(&[1, 20, 10, 11]).path(), marks).unwrap_err();
        between(log(&[1, 20]).path(), marks).unwrap_err();
    }
}
