//! What `/proc` tells about the process (proc(5)), for the tables in `kernel/fs`.

mod links;
mod maps;
mod process_texts;

use core::fmt;

use alloc::vec::Vec;

use fs::proc::{ProcessLink, ProcessText, Processes, SystemText};
use vfs::pseudo::Target;

use crate::{
    current, process,
    system::uname::{RELEASE, VERSION},
};

/// The running process, as `/proc` shows it.
pub struct Running;

impl Processes for Running {
    fn process(&self) -> u32 {
        process().id
    }

    fn thread(&self) -> u32 {
        current().id
    }

    fn text(&self, which: ProcessText, out: &mut Vec<u8>) {
        let out = &mut Text(out);
        // A vector takes everything that is written to it.
        let _ = match which {
            ProcessText::Auxiliary => process_texts::auxiliary(out),
            ProcessText::CommandLine => process_texts::command_line(out),
            ProcessText::Name => process_texts::name(out),
            ProcessText::Environment => process_texts::environment(out),
            ProcessText::Limits => process_texts::limits(out),
            ProcessText::Maps => maps::maps(out),
            ProcessText::Stat => process_texts::stat(out),
            ProcessText::Memory => process_texts::statm(out),
            ProcessText::Status => process_texts::status(out),
        };
    }

    fn system(&self, which: SystemText, out: &mut Vec<u8>) {
        match which {
            SystemText::HostName => out.extend_from_slice(process().host_name.lock().as_bytes()),
            SystemText::Release => out.extend_from_slice(RELEASE.as_bytes()),
            SystemText::Version => out.extend_from_slice(VERSION.as_bytes()),
        }
    }

    fn link(&self, which: ProcessLink) -> Option<Target> {
        links::link(which)
    }

    fn descriptors(&self) -> Vec<u32> {
        process().files.lock().numbers().filter_map(|number| u32::try_from(number).ok()).collect()
    }

    fn descriptor(&self, number: u32) -> Option<Target> {
        links::descriptor(number)
    }
}

/// Text that is bytes in the end.
struct Text<'a>(&'a mut Vec<u8>);

impl Text<'_> {
    /// Strings as programs were given them, a NUL behind each.
    fn terminated(&mut self, strings: &[Vec<u8>]) {
        for string in strings {
            self.0.extend_from_slice(string);
            self.0.push(0);
        }
    }
}

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}
