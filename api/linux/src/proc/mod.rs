//! What `/proc` tells about the process (proc(5)), for the tables in `kernel/fs`.

mod links;
mod maps;
mod process_texts;

use alloc::vec::Vec;

use fs::proc::{ProcessLink, ProcessText, Processes, SystemText};
use vfs::pseudo::{Target, Wanted};

use crate::{
    current, process, program,
    system::uname::{RELEASE, VERSION},
};

/// The running process, as `/proc` shows it.
pub struct Running;

impl Processes for Running {
    fn process(&self) -> u32 {
        process().id
    }

    fn thread(&self) -> u32 {
        current().id()
    }

    fn text(&self, which: ProcessText, out: &mut Vec<u8>) {
        match which {
            ProcessText::Auxiliary => out.extend_from_slice(&program().auxiliary),
            ProcessText::CommandLine => out.extend_from_slice(program().arguments.bytes()),
            ProcessText::Name => process_texts::name(out),
            ProcessText::Environment => out.extend_from_slice(program().environment.bytes()),
            ProcessText::Limits => process_texts::limits(out),
            ProcessText::Maps => maps::maps(out),
            ProcessText::Regions => maps::regions(out),
            ProcessText::Stat => process_texts::stat(out),
            ProcessText::Memory => process_texts::statm(out),
            ProcessText::Status => process_texts::status(out),
        }
    }

    fn system(&self, which: SystemText, out: &mut Vec<u8>) {
        match which {
            SystemText::HostName => out.extend_from_slice(process().host_name.lock().as_bytes()),
            SystemText::Release => out.extend_from_slice(RELEASE.as_bytes()),
            SystemText::Version => out.extend_from_slice(VERSION.as_bytes()),
        }
    }

    fn link(&self, which: ProcessLink, wanted: Wanted) -> Option<Target> {
        links::link(which, wanted)
    }

    fn next_descriptor(&self, from: u32) -> Option<u32> {
        crate::state::descriptors().next(from as usize).map(|number| number as u32)
    }

    fn descriptor(&self, number: u32, wanted: Wanted) -> Option<Target> {
        links::descriptor(number, wanted)
    }

    fn information(&self, number: u32, out: &mut Vec<u8>) {
        links::information(number, out);
    }
}
