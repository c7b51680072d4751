//! What `/proc` tells about the process (proc(5)), for the tables in `kernel/fs`.

pub mod links;
pub mod maps;
pub mod process_texts;
pub mod system_texts;

use alloc::vec::Vec;

use fs::proc::{ProcessLink, ProcessText, Processes, SystemText};
use vfs::{
    FileError, Owner,
    pseudo::{Target, Wanted},
};

use crate::{
    current,
    objects::{
        interprocess::listing,
        machine::{RELEASE, VERSION},
        process::linux,
    },
    process, program,
};
use process_texts::Subject;

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
            ProcessText::Environment => out.extend_from_slice(program().environment.bytes()),
            ProcessText::Limits => process_texts::limits(out),
            ProcessText::Maps => maps::maps(out),
            ProcessText::Regions => maps::regions(out),
            ProcessText::Memory => process_texts::statm(out),
            ProcessText::Name | ProcessText::Stat | ProcessText::Status => {
                self.thread_text(process().id, which, out);
            }
        }
    }

    fn owner(&self) -> Owner {
        let identity = crate::objects::process::identity();
        Owner { user: identity.user.effective, group: identity.group.effective }
    }

    fn processor_time(&self) -> u64 {
        process().threads.lock().processor_time()
    }

    fn has_thread(&self, number: u32) -> bool {
        process().threads.lock().find(number as i32).is_some()
    }

    fn next_thread(&self, from: u32) -> Option<u32> {
        process().threads.lock().next(from)
    }

    fn thread_text(&self, number: u32, which: ProcessText, out: &mut Vec<u8>) {
        let thread = process().threads.lock().find(number as i32);
        // The first thread may have ended before the others: its number is still the process'.
        if thread.is_none() && number != process().id {
            return;
        }
        let subject = Subject { number, thread };
        match which {
            ProcessText::Name => process_texts::name(&subject, out),
            ProcessText::Stat => process_texts::stat(&subject, out),
            ProcessText::Status => process_texts::status(&subject, out),
            _ => {}
        }
    }

    fn set_name(&self, number: u32, name: &[u8]) -> core::result::Result<(), FileError> {
        let thread = process().threads.lock().find(number as i32).ok_or(FileError::NotFound)?;
        linux(&thread).set_name_of(name);
        Ok(())
    }

    fn system(&self, which: SystemText, out: &mut Vec<u8>) {
        match which {
            SystemText::HostName => out.extend_from_slice(process().host_name.lock().as_bytes()),
            SystemText::Release => out.extend_from_slice(RELEASE.as_bytes()),
            SystemText::Segments => listing::segments(out),
            SystemText::Semaphores => listing::sets(out),
            SystemText::Messages => listing::queues(out),
            SystemText::Version => out.extend_from_slice(VERSION.as_bytes()),
            SystemText::Locks => system_texts::locks(out),
            SystemText::Sockets => system_texts::sockets(out),
        }
    }

    fn link(&self, which: ProcessLink, wanted: Wanted) -> Option<Target> {
        links::link(which, wanted)
    }

    fn next_descriptor(&self, from: u32) -> Option<u32> {
        crate::objects::process::descriptors().next(from as usize).map(|number| number as u32)
    }

    fn descriptor(&self, number: u32, wanted: Wanted) -> Option<Target> {
        links::descriptor(number, wanted)
    }

    fn information(&self, number: u32, out: &mut Vec<u8>) {
        links::information(number, out);
    }
}
