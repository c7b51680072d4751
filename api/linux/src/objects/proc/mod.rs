//! What `/proc` tells about processes (proc(5)), for the tables in `kernel/fs`.

pub mod limits;
pub mod links;
mod login;
pub mod maps;
mod network;
pub mod process_texts;
mod processors;
mod strings;
pub mod system_texts;

use alloc::{sync::Arc, vec::Vec};

use fs::proc::{Place, ProcessLink, ProcessText, Processes, SystemText};
use kernel::memory::AddressSpace;
use vfs::{
    FileError, Owner,
    pseudo::{Listing, Target, Wanted},
};

use crate::{
    current,
    objects::{
        host,
        interprocess::listing,
        process::{Process, Program, linux, table},
    },
    process,
};

use process_texts::Subject;

/// All processes, as `/proc` shows them.
pub struct Known;

impl Processes for Known {
    fn process(&self) -> u32 {
        process().id
    }

    fn thread(&self) -> u32 {
        current().id()
    }

    fn has_process(&self, process: u32) -> bool {
        table::of_thread(process).is_some()
    }

    fn next_process(&self, from: u32) -> Option<u32> {
        table::next(from)
    }

    fn text(&self, process: u32, which: ProcessText, out: &mut Vec<u8>) {
        let Some(process) = table::of_thread(process) else { return };
        match which {
            ProcessText::Auxiliary => out.extend_from_slice(&program(&process).auxiliary),
            ProcessText::CommandLine => strings::command_line(&process, out),
            ProcessText::Environment => strings::environment(&process, out),
            ProcessText::Limits => limits::limits(&process, out),
            ProcessText::Maps => maps::maps(&process, out),
            ProcessText::Regions => maps::regions(&process, out),
            ProcessText::Badness => process_texts::badness(&process, out),
            ProcessText::Adjustment => process_texts::adjustment(&process, out),
            ProcessText::LoginUser => login::user(&process, out),
            ProcessText::LoginSession => login::session(&process, out),
            ProcessText::Memory => process_texts::statm(&process, out),
            ProcessText::Name | ProcessText::Stat | ProcessText::Status => {
                self.thread_text(process.id, process.id, which, out);
            }
        }
    }

    fn owner(&self, process: u32) -> Owner {
        let Some(process) = table::of_thread(process) else { return Owner::default() };
        let identity = process.identity.lock();
        Owner { user: identity.user.effective, group: identity.group.effective }
    }

    fn processor_time(&self) -> u64 {
        let all = core::iter::successors(table::next(0), |id| table::next(id + 1)).filter_map(table::find);
        all.map(|process| process.threads.lock().processor_time()).sum()
    }

    fn set_adjustment(&self, process: u32, text: &[u8]) -> core::result::Result<(), FileError> {
        process_texts::set_adjustment(&*table::of_thread(process).ok_or(FileError::NotFound)?, text)
    }

    fn set_login_user(&self, process: u32, text: &[u8]) -> core::result::Result<(), FileError> {
        login::set_user(&*table::of_thread(process).ok_or(FileError::NotFound)?, text)
    }

    fn has_thread(&self, process: u32, number: u32) -> bool {
        table::of_thread(process).is_some_and(|process| process.threads.lock().find(number as i32).is_some())
    }

    fn next_thread(&self, process: u32, from: u32) -> Option<u32> {
        table::of_thread(process)?.threads.lock().next(from)
    }

    fn thread_text(&self, process: u32, number: u32, which: ProcessText, out: &mut Vec<u8>) {
        let Some(process) = table::of_thread(process) else { return };
        let thread = process.threads.lock().find(number as i32);
        // The first thread may have ended before the others: its number is still the process'.
        if thread.is_none() && number != process.id {
            return;
        }
        let subject = Subject { process, number, thread };
        match which {
            ProcessText::Name => process_texts::name(&subject, out),
            ProcessText::Stat => process_texts::stat(&subject, out),
            ProcessText::Status => process_texts::status(&subject, out),
            _ => {}
        }
    }

    fn set_name(&self, process: u32, number: u32, name: &[u8]) -> core::result::Result<(), FileError> {
        let process = table::of_thread(process).ok_or(FileError::NotFound)?;
        let thread = process.threads.lock().find(number as i32).ok_or(FileError::NotFound)?;
        linux(&thread).set_name_of(name);
        Ok(())
    }

    fn system(&self, which: SystemText, out: &mut Vec<u8>) {
        match which {
            SystemText::HostName => out.extend_from_slice(host::name().as_bytes()),
            SystemText::Release => out.extend_from_slice(host::RELEASE.as_bytes()),
            SystemText::Segments => listing::segments(out),
            SystemText::Semaphores => listing::sets(out),
            SystemText::Messages => listing::queues(out),
            SystemText::Version => out.extend_from_slice(host::VERSION.as_bytes()),
            SystemText::Locks => system_texts::locks(out),
            SystemText::Sockets => system_texts::sockets(out),
        }
    }

    fn link(&self, process: u32, which: ProcessLink, wanted: Wanted) -> core::result::Result<Target, FileError> {
        let process = table::of_thread(process).ok_or(FileError::NotFound)?;
        if !links::may_look_into(&process) {
            return Err(FileError::Denied);
        }
        links::link(&process, which, wanted).ok_or(FileError::NotFound)
    }

    fn next_descriptor(&self, process: u32, from: u32) -> Option<u32> {
        let process = table::of_thread(process)?;
        let next = links::files(&process).next(from as usize);
        next.map(|number| number as u32)
    }

    fn descriptor(&self, process: u32, number: u32, wanted: Wanted) -> Option<Target> {
        links::descriptor(&*table::of_thread(process)?, number, wanted)
    }

    fn listing(&self, place: Place) -> Option<&'static Listing> {
        network::listing(place)
    }

    fn information(&self, process: u32, number: u32, out: &mut Vec<u8>) {
        if let Some(process) = table::of_thread(process) {
            links::information(&process, number, out);
        }
    }
}

/// What a process runs.
fn program(process: &Process) -> Arc<Program> {
    process.program.lock().clone()
}

/// Does `act` with the address space of a process, which is that of any of its threads.
fn with_space(process: &Process, act: &mut dyn FnMut(&AddressSpace)) {
    let thread = process.threads.lock().iter().next().cloned();
    if let Some(thread) = thread {
        act(&kernel::task::space_of(&thread));
    }
}
