//! Writing a launch record.

use alloc::vec::Vec;

use crate::Key;

/// Collects fields into a record's bytes.
#[derive(Debug, Default)]
pub struct Builder {
    bytes: Vec<u8>,
    /// Fields of late keys.
    later: Vec<u8>,
}

impl Builder {
    /// An empty record.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a field. `value` must hold no NUL byte, which no argument, path or environment variable can.
    pub fn add(&mut self, key: Key, value: impl AsRef<[u8]>) -> &mut Self {
        let value = value.as_ref();
        debug_assert!(!value.contains(&0), "a launch field ends at its NUL");
        let bytes = if key.is_late() { &mut self.later } else { &mut self.bytes };
        bytes.extend_from_slice(key.text().as_bytes());
        bytes.push(b'=');
        bytes.extend_from_slice(value);
        bytes.push(0);
        self
    }

    /// The finished record.
    #[must_use]
    pub fn finish(mut self) -> Vec<u8> {
        if !self.later.is_empty() {
            self.bytes.push(0);
            self.bytes.append(&mut self.later);
        }
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Launch;

    #[test]
    fn a_record_reads_back() {
        let mut builder = Builder::new();
        builder.add(Key::Program, "/bin/echo").add(Key::Argument, "echo").add(Key::Argument, b"\xff=1");
        builder.add(Key::Ring, "3").add(Key::Window, "24,80,0,0").add(Key::Seed, "00ff10Ab").add(Key::Verbose, "1");
        let bytes = builder.finish();
        let launch = Launch::new(&bytes);
        assert_eq!(launch.text(Key::Program), Some("/bin/echo"));
        assert!(launch.all(Key::Argument).eq([&b"echo"[..], b"\xff=1"]));
        assert_eq!(launch.number(Key::Ring), Some(3));
        assert_eq!(launch.numbers(Key::Window), Some([24, 80, 0, 0]));
        assert_eq!(launch.numbers::<3>(Key::Window), None);
        assert_eq!(launch.hexadecimal(Key::Seed), Some([0, 0xff, 0x10, 0xab]));
        assert_eq!(launch.hexadecimal::<8>(Key::Seed), None);
        assert!(launch.flag(Key::Verbose) && !launch.flag(Key::Audit));
        assert_eq!(launch.first(Key::User), None);
    }

    #[test]
    fn keys_may_come_in_any_order() {
        let mut builder = Builder::new();
        for key in Key::ALL.iter().rev().chain(Key::ALL) {
            builder.add(*key, key.text());
        }
        builder.add(Key::Ring, "");
        let mut bytes = b"ring-more=1\0=\0ring\0".to_vec();
        bytes.extend(builder.finish());
        bytes.extend(b"names=last");
        let launch = Launch::new(&bytes);
        for &key in Key::ALL {
            assert!(key.is_late() || launch.first(key) == Some(key.text().as_bytes()));
            assert_eq!(launch.all(key).nth(1), Some(key.text().as_bytes()));
        }
        assert!(launch.all(Key::Ring).eq([&b"ring"[..], b"ring", b""]));
        assert!(launch.all(Key::Names).eq([&b"names"[..], b"names", b"last"]));
    }

    #[test]
    fn what_is_behind_an_empty_field_is_read_when_it_is_asked_for() {
        let launch = Launch::new(b"names=early\0ring=3\0\0program=late\0names=late\0\0names=last");
        assert!(launch.all(Key::Names).eq([&b"early"[..], b"late", b"last"]));
        assert_eq!(launch.number(Key::Ring), Some(3));
        assert_eq!((launch.first(Key::Program), launch.all(Key::Program).next()), (None, None));
        assert!(!Launch::new(b"\0names=late").is_empty() && Launch::new(b"ring=3\0").all(Key::Names).next().is_none());
    }

    #[test]
    fn damaged_records_read_as_nothing() {
        for bytes in [&b""[..], b"\0\0\0", b"program", b"=", b"ring=x\0"] {
            let launch = Launch::new(bytes);
            assert_eq!(launch.first(Key::Program), None);
            assert_eq!(launch.number(Key::Ring), None);
        }
    }
}
