//! One round: spaces are made, threads run in them, and all but the first end.

use alloc::{sync::Arc, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use kernel::{
    memory::{AddressSpace, FileReference, MapRequest, Placement, RegionKind},
    task::{self, Resources, private_word, word},
};
use machine::{Context, PAGE_SIZE, Protection, Source};

use crate::{
    KEY, check, end_by_second,
    file::OnePage,
    kernel_threads,
    programs::{DONE, PAGES, Program, YIELD, code},
    rewrites,
};

/// Where each space has the instructions, and its threads their data.
const CODE: usize = 0x40_0000;
const DATA: [usize; 2] = [0x10_0000_0000, 0x10_0100_0000];
/// Where the first space has a page that all show, and where the others have it.
const SHOWN: usize = 0x60_0000;
const SHOWN_ELSEWHERE: usize = 0x70_0000;

/// Rounds of a thread that writes.
const ROUNDS: usize = 4 * PAGES;

/// Threads that have ended.
static ENDED: AtomicUsize = AtomicUsize::new(0);

/// What a word at the first address of data and one of the shown page were known by in a thread of the first and of the
/// second space.
static WORDS: [[AtomicUsize; 4]; 2] = [const { [const { AtomicUsize::new(0) }; 4] }; 2];

const READ: Protection = Protection { read: true, write: false, execute: false };

/// All of it.
pub fn run() {
    let (code, shown) = (OnePage::reference(code()), OnePage::reference(&[]));
    let first = task::space_of(task::current());
    let Ok(second) = AddressSpace::new(false) else { return check(false, "a second space is made") };
    furnish(&first, &code, &shown, SHOWN);
    furnish(&second, &code, &shown, SHOWN_ELSEWHERE);
    // At the same addresses, in turns: two threads in each.
    let all = [(&first, 10, 0), (&second, 20, 0), (&first, 11, 1), (&second, 21, 1)];
    kernel_threads::run(|| run_in(&all, Program::Writes));
    run_in(&[(&first, 10, 0), (&second, 20, 0), (&second, 21, 1), (&first, 11, 1)], Program::Looks);
    check(contracts::memory_report::audit().is_ok(), "the rules hold in all spaces");
    words_are_apart();
    check(rewrites() == is_rewritten(), "the code is rewritten if that is wished");
    what_one_gives_up_the_other_keeps(&first, &second, &code);
    what_is_copied_is_apart(&second);
    check(first.unmap(CODE..CODE + PAGE_SIZE).is_ok(), "the code is unmapped");
    check(first.unmap(SHOWN..SHOWN + PAGE_SIZE).is_ok(), "the shown page is unmapped");
    check(first.unmap(data(1)).is_ok(), "the data is unmapped");
    give_up(second);
}

fn data(place: usize) -> machine::PageRange {
    DATA[place]..DATA[place] + PAGES * PAGE_SIZE
}

fn furnish(space: &AddressSpace, code: &FileReference, shown: &FileReference, shown_at: usize) {
    space.expect_shared_words();
    let execute = Protection { execute: true, ..READ };
    let write = Protection { write: true, ..READ };
    map(space, CODE, PAGE_SIZE, execute, Source::File { shared: false }, Some(code));
    map(space, shown_at, PAGE_SIZE, write, Source::File { shared: true }, Some(shown));
    for place in 0..DATA.len() {
        map(space, DATA[place], data(place).len(), write, Source::Zero, None);
    }
}

fn map(
    space: &AddressSpace,
    address: usize,
    length: usize,
    protection: Protection,
    source: Source,
    file: Option<&FileReference>,
) {
    let made = space.map(&MapRequest {
        address,
        length,
        placement: Placement::FixedNoReplace,
        protection,
        source,
        kind: if file.is_some() { RegionKind::File } else { RegionKind::Data },
        file: file.cloned(),
        offset: 0,
        reserve: true,
        grows_down: false,
    });
    check(made == Ok(address), "it is mapped where it was wished");
}

/// Runs a thread for each space, number and place of data; returns when all have ended and left their stacks.
fn run_in(threads: &[(&Arc<AddressSpace>, usize, usize)], program: Program) {
    let before = ENDED.load(SeqCst);
    let owners: Vec<usize> = threads.iter().map(|(space, ..)| Arc::strong_count(space)).collect();
    for &(space, number, place) in threads {
        let mut context = Context::new(CODE + program.offset(), 0);
        (context.rdi, context.rsi, context.rdx) = (number as u64, ROUNDS as u64, DATA[place] as u64);
        let thread = task::spawn(Arc::clone(space), Resources::new(&KEY, number), 0, &context);
        let Ok(thread) = thread else { return check(false, "a thread is made") };
        task::start(thread);
    }
    let have_left = || threads.iter().zip(&owners).all(|((space, ..), &count)| Arc::strong_count(space) == count);
    while ENDED.load(SeqCst) - before < threads.len() || !have_left() {
        task::yield_now();
        // Interrupts are off here, and another processor may wait for this one to forget what it has fetched.
        sync::relax();
    }
}

/// What a program asks for.
pub fn system_call(call: usize, data: usize) -> isize {
    let number = *task::current().resources(&KEY);
    // Copies go to the space of the thread that runs.
    check(contracts::user_memory::read_word(data) == Ok(number as u64), "the kernel reads the thread's own memory");
    kernel_threads::called();
    if number == 20 {
        end_by_second();
    }
    match call {
        YIELD => task::yield_now(),
        DONE => {
            note_words(number);
            ENDED.fetch_add(1, SeqCst);
            task::exit();
        }
        _ => check(false, "such a system call is not made"),
    }
    0
}

fn note_words(number: usize) {
    let space = match number {
        10 => 0,
        20 => 1,
        _ => return,
    };
    let (own, shown) = (private_word(DATA[0]), word([SHOWN, SHOWN_ELSEWHERE][space] + 8));
    let places = &WORDS[space];
    [own.at, own.owner, shown.at, shown.owner]
        .iter()
        .zip(places)
        .for_each(|(value, place)| place.store(*value, SeqCst));
    check(word(DATA[0]) == own, "what no file shows is private");
}

/// Whether the instructions of the first space are others than the file's.
fn is_rewritten() -> bool {
    let mut bytes = alloc::vec![0; code().len()];
    check(contracts::user_memory::copy_in(&mut bytes, CODE).is_ok(), "the code is read");
    bytes != code()
}

fn words_are_apart() {
    let [first, second] = WORDS.each_ref().map(|words| words.each_ref().map(|word| word.load(SeqCst)));
    check(first[0] == second[0] && first[1] != second[1], "private words at one address are two");
    check(first[2..] == second[2..], "a word that a file shows at two addresses is one");
}

fn what_one_gives_up_the_other_keeps(first: &Arc<AddressSpace>, second: &Arc<AddressSpace>, code: &FileReference) {
    check(first.is_resident(DATA[0]) && second.is_resident(DATA[0]), "both have the page");
    check(first.unmap(data(0)).is_ok(), "it is unmapped");
    check(!first.is_resident(DATA[0]) && second.is_resident(DATA[0]), "the other space still has it");
    check(first.is_resident(CODE) && second.is_resident(CODE), "both show the file");
    first.forget_file(code.key(), 0..1);
    // A machine may keep pages that are copies, and what is rewritten is one.
    let is_gone = rewrites() || !first.is_resident(CODE);
    check(is_gone && second.is_resident(CODE), "the other space still shows it");
    run_in(&[(second, 20, 0), (first, 11, 1)], Program::Looks);
}

fn what_is_copied_is_apart(space: &Arc<AddressSpace>) {
    let Ok((copy, ())) = space.duplicate(|_| ()) else { return check(false, "a space is copied") };
    check(copy.is_resident(DATA[0]) && copy.is_mapped(&data(1)), "the copy has the pages");
    run_in(&[(&copy, 20, 0), (space, 20, 0)], Program::Looks);
    check(copy.discard(data(0)).is_ok(), "its pages are thrown away");
    run_in(&[(&copy, 30, 0), (space, 20, 0)], Program::Writes);
    run_in(&[(&copy, 30, 0), (space, 20, 0), (&copy, 21, 1)], Program::Looks);
    check(contracts::memory_report::audit().is_ok(), "the rules hold in the copy");
    give_up(copy);
}

/// Ends a space whose threads have ended: this is its last owner.
fn give_up(space: Arc<AddressSpace>) {
    check(Arc::into_inner(space).is_some(), "nobody else has the space");
}
