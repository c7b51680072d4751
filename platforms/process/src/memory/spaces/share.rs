//! Has the kernel's memory be shared by all processes that will be copies of this one.
//!
//! Once, when a second space is wanted: data and arena are copied into a memory file, and the file takes their place at
//! the same addresses. What does this runs on a stack that stays as it is, and changes nothing else meanwhile. From
//! then on the whole arena is mapped, and pages come to be when they are touched.

use core::{
    arch::asm,
    ptr,
    sync::atomic::{AtomicI32, Ordering::SeqCst},
};

use machine::{MemoryRefused, PAGE_SIZE, PageRange};

use super::{FIRST, Space, first_process, settle, visit_space};
use crate::{
    devices::HostFiles,
    entry,
    host::{
        HostError, files,
        memory::{self, Contents},
        signal, thread,
    },
    layout,
    memory::{
        arena::{ARENA, For, LARGE},
        file_pages, hidden, kernel_memory, mappings, stacks,
        translations::{DATA, refused},
    },
    per_cpu::{self, BOOT, Block, rendezvous, seat, smp},
    power::must,
    watcher,
};

/// Bytes of the stack on which it is done, what is kept at its lower end included.
const SCRATCH: usize = 16 * PAGE_SIZE;

/// Pieces between what stays as it is, the other parts of the arena, and the kernel's data.
const PIECES: usize = 7;

/// Pages of which is asked at once whether they are there.
const CHUNK: usize = 512;

/// The memory file; -1 as long as nothing is shared.
static FILE: AtomicI32 = AtomicI32::new(-1);

/// A part of the kernel's memory.
#[derive(Clone, Debug, Default)]
struct Piece {
    /// Its addresses.
    range: PageRange,
    /// Up to where pages have contents that nobody has touched: those of the image.
    given: usize,
    /// Where it lies in the file.
    offset: usize,
    /// Whether copies are to have its page tables.
    has_tables: bool,
}

/// What is to be done, at the lower end of the stack on which it is done.
#[derive(Debug)]
struct Work {
    /// For those who are held meanwhile: see [`rendezvous::hold`].
    hold: rendezvous::Hold,
    pieces: [Piece; PIECES],
    /// What has been used: of each part of the arena, and the data.
    used: [PageRange; 4],
    file: i32,
    /// `/proc/self/pagemap`; without it all is copied.
    pages: Option<i32>,
    words: [u64; CHUNK],
}

/// Bytes of memory that the kernel has in the file.
pub fn in_use() -> usize {
    match FILE.load(SeqCst) {
        -1 => 0,
        file => files::bytes_of(file),
    }
}

/// Does it, if it has not been done.
pub fn once() -> Result<(), MemoryRefused> {
    if seat::moves() { Ok(()) } else { share().map_err(refused) }
}

#[cold]
#[inline(never)]
fn share() -> Result<(), HostError> {
    entry::set_handler_of_calls()?;
    let process = first_process();
    let watch = watcher::prepare()?;
    for block in smp::running() {
        let own = host_thread(block);
        block.set_host(process, own);
        // It may have been tried before.
        if block.seat().space() == 0 {
            settle(block.seat(), &FIRST, (process, own)).map_err(|_| HostError::NO_MEMORY)?;
        }
    }
    FIRST.set_process(process);
    // What is to stay as it is comes first, so that the rest of the arena is one mapping.
    file_pages::range()?;
    mappings::range().ok_or(HostError::NO_MEMORY)?;
    let scratch = take(SCRATCH)?;
    memory::map_at(&scratch, DATA, Contents::Zero)?;
    let result = replace(&scratch);
    if result.is_ok() {
        // SAFETY: nobody uses it any more; what takes its place is as zero as fresh pages are.
        must("share memory", unsafe { share_again(&scratch) });
        guards();
        // Arguments are read by programs without a second space. So no copy needs what the host has passed, nor the
        // page tables for it, which are there for nothing else. A host that refuses goes on copying them. SAFETY: as
        // just said.
        let _ = unsafe { memory::leave_out(&layout::host_stack()) };
        must("watch other processes", watch.start(Space::ended));
    } else {
        // SAFETY: nobody uses it any more.
        let _ = unsafe { memory::unmap(&scratch) };
    }
    ARENA.lock().give_back(scratch);
    result
}

/// The host's number of a processor's thread. One that has been started begins soon, and notes it.
fn host_thread(block: &Block) -> u32 {
    if ptr::eq(block, per_cpu::current()) {
        return thread::own();
    }
    while block.host().1 == 0 {
        thread::give_way();
    }
    block.host().1
}

fn take(length: usize) -> Result<PageRange, HostError> {
    let start = ARENA.lock().take(length, For::Seldom).ok_or(HostError::NO_MEMORY)?;
    Ok(start..start + length)
}

/// Lets a memory file take the place of what the kernel has; the stack for it is in `scratch`.
fn replace(scratch: &PageRange) -> Result<(), HostError> {
    let pool = file_pages::range()?;
    let held = mappings::range().ok_or(HostError::NO_MEMORY)?;
    let [far, _, near] = parts();
    let data = layout::data();
    if [&pool, &held, scratch].iter().any(|range| range.end > far.end) {
        return Err(HostError::NO_MEMORY);
    }
    let file = files::memory_file(offset(near.end) + data.len())?;
    let pieces = pieces([pool, held, scratch.clone()], &data);
    let pages = hidden::descriptor();
    let place = scratch.start as *mut Work;
    let hold = rendezvous::Hold::new();
    // SAFETY: the scratch pages are ours, and longer than this.
    let work = unsafe {
        place.write(Work { hold, pieces, used: [const { 0..0 }; 4], file, pages, words: [0; CHUNK] });
        &mut *place
    };
    let _blocked = signal::Blocked::new();
    // What others have is known when none of them can take more.
    let [used_far, guarded, often] = hold_at_rest(&work.hold);
    work.used = [used_far, guarded, often, data];
    HostFiles::retire_helpers();
    // SAFETY: the stack is nobody's, above the work.
    let result = unsafe { on_stack(scratch.end, place) };
    if result == 0 {
        // Known before anybody goes on: who wants memory from now on is not to map any.
        FILE.store(file, SeqCst);
        seat::begin_to_move(FIRST.process(), in_first);
    }
    rendezvous::release(&work.hold);
    if result == 0 {
        return Ok(());
    }
    files::close(file);
    Err(HostError(result))
}

/// Holds the other processors, none amid a change of what is used of the arena, which this answers.
fn hold_at_rest(hold: &rendezvous::Hold) -> [PageRange; 3] {
    loop {
        rendezvous::hold(hold);
        if let Some(used) = kernel_memory::at_rest() {
            return used;
        }
        rendezvous::release(hold);
        thread::give_way();
    }
}

/// All of the arena but what stays, which is in its large part, and the data.
fn pieces(mut stays: [PageRange; 3], data: &PageRange) -> [Piece; PIECES] {
    stays.sort_unstable_by_key(|range| range.start);
    let [far, guarded, near] = parts();
    let starts = [far.start, stays[0].end, stays[1].end, stays[2].end, guarded.start, near.start];
    let ends = [stays[0].start, stays[1].start, stays[2].start, far.end, guarded.end, near.end];
    core::array::from_fn(|index| match starts.get(index) {
        // Of the large part little is ever touched, and to look for tables of it takes time.
        Some(&start) => {
            Piece { range: start..ends[index], given: 0, offset: offset(start), has_tables: start >= guarded.start }
        }
        None => {
            let (given, offset) = (layout::data_of_image().end, offset(near.end));
            Piece { range: data.clone(), given, offset, has_tables: true }
        }
    })
}

/// See [`arena::Arena::parts`].
pub(super) fn parts() -> [PageRange; 3] {
    ARENA.lock().parts()
}

/// Where an address of the arena's, or its end, lies in the file. Each part begins at a whole large page there, and not
/// right behind the one before, so that it is a mapping of its own.
fn offset(address: usize) -> usize {
    let mut begin = 0;
    for part in parts() {
        if address < part.end {
            return begin + (address - part.start);
        }
        begin = (begin + part.len() + 1).next_multiple_of(LARGE);
    }
    begin
}

/// Runs [`Work::run`] on the stack below `top`; an error's number, or 0.
///
/// # Safety
/// The stack is nobody's.
unsafe fn on_stack(top: usize, work: *mut Work) -> i32 {
    let result: i32;
    // SAFETY: the caller's promise; r12 is a register that functions keep.
    unsafe {
        asm!("xchg rsp, r12", "call {run}", "mov rsp, r12", run = sym run,
             inout("r12") top => _, in("rdi") work, lateout("eax") result, clobber_abi("sysv64"));
    }
    result
}

/// No stack but its own and no word of the kernel's is written from here on: it would be lost.
extern "sysv64" fn run(work: &mut Work) -> i32 {
    match work.copy().and_then(|()| work.map()) {
        Ok(()) => 0,
        Err(HostError(number)) => number,
    }
}

impl Work {
    fn copy(&mut self) -> Result<(), HostError> {
        for piece in 0..PIECES {
            for used in 0..self.used.len() {
                let (of, used) = (&self.pieces[piece].range, &self.used[used]);
                self.copy_part(piece, of.start.max(used.start)..of.end.min(used.end))?;
            }
        }
        Ok(())
    }

    fn copy_part(&mut self, piece: usize, part: PageRange) -> Result<(), HostError> {
        let Piece { range, given, offset, .. } = self.pieces[piece].clone();
        let mut at = part.start;
        while at < part.end {
            let count = self.ask(at, (part.end - at).div_ceil(PAGE_SIZE));
            for page in 0..count {
                let address = at + page * PAGE_SIZE;
                if address < given || self.words[page] & hidden::THERE != 0 {
                    self.copy_page(address, offset + (address - range.start))?;
                }
            }
            at += count * PAGE_SIZE;
        }
        Ok(())
    }

    /// Asks which pages are there, from `address` on; of how many it knows.
    fn ask(&mut self, address: usize, most: usize) -> usize {
        let count = most.min(CHUNK);
        let known = self.pages.and_then(|file| hidden::read_words(file, address, &mut self.words[..count]));
        known.unwrap_or_else(|| {
            self.words[..count].fill(u64::MAX);
            count
        })
    }

    fn copy_page(&self, address: usize, offset: usize) -> Result<(), HostError> {
        // SAFETY: the kernel's own page, which is only read. The file is not memory of Rust's yet.
        match unsafe { files::write_from(self.file, address, PAGE_SIZE, offset) } {
            Ok(PAGE_SIZE) => Ok(()),
            // Nothing is to be read there.
            Err(HostError::FAULT) => Ok(()),
            Ok(_) => Err(HostError::NO_SPACE),
            Err(error) => Err(error),
        }
    }

    fn map(&self) -> Result<(), HostError> {
        let mapped = |piece: &Piece| {
            // SAFETY: the file holds what was there.
            unsafe { memory::map_over(&piece.range, self.file, piece.offset) }
        };
        let pieces = || self.pieces.iter().filter(|piece| !piece.range.is_empty());
        pieces().try_for_each(mapped)?;
        for piece in pieces().filter(|piece| piece.has_tables) {
            // What all have is there in each copy from the start, where the host can do that.
            // SAFETY: nobody runs but this, which has its stack elsewhere.
            let _ = unsafe { memory::have_tables_copied(piece.range.start) };
        }
        Ok(())
    }
}

/// Maps a part of the arena again that was left out, or had something else, or is to be a new mapping.
///
/// # Safety
/// Nobody uses it, or it shows the same part already.
pub(super) unsafe fn share_again(range: &PageRange) -> Result<(), HostError> {
    // SAFETY: the caller's promise.
    unsafe { memory::map_over(range, FILE.load(SeqCst), offset(range.start)) }
}

fn in_first(work: &mut dyn FnMut()) {
    let _there = visit_space(&FIRST);
    work();
}

/// Puts pages that must not be touched below stacks again.
fn guards() {
    for page in BOOT.guards() {
        // SAFETY: nobody uses these pages.
        let _ = unsafe { memory::guard(&page) };
    }
    stacks::guard_again();
}
