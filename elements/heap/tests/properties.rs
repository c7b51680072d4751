//! One suite for every heap: blocks are aligned, apart, keep their contents, and are counted; a heap that is used up
//! says so, goes on, and gives pages back where it can.
// Heaps hand out raw memory, and a source of pages is a promise about it.
#![allow(unsafe_code)]

mod driver;

use std::alloc::Layout;
use std::cell::Cell;
use std::sync::mpsc;

use driver::{Operation, Pieces, drive};
use heap::{Block, Buddy, Bump, Early, FirstFit, Heap, PageSource, Processors, SizeClass, Tlsf};
use proptest::prelude::*;
use proptest::test_runner::Config;

/// Room for all that a test allocates.
type Plenty = Pieces<{ 1 << 16 }>;
/// So little that it is used up.
type Scarce = Pieces<40>;

fn config() -> Config {
    Config { cases: 64, failure_persistence: None, ..Config::default() }
}

fn operations() -> impl Strategy<Value = Vec<Operation>> {
    prop::collection::vec(any::<[u8; 3]>().prop_map(Operation::from_bytes), 0..600)
}

/// The same operations each time, a few for Miri, which is a thousand times slower and for which proptest is too much.
fn fixed_operations() -> impl Iterator<Item = Operation> {
    let numbers =
        std::iter::successors(Some(1_u32), |number| Some(number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223)));
    let count = if cfg!(miri) { 60 } else { 5_000 };
    numbers.take(count).map(|number| {
        let [_, bytes @ ..] = number.to_le_bytes();
        Operation::from_bytes(bytes)
    })
}

/// The same tests for a heap, over any source of pages.
macro_rules! suite {
    ($name:ident, $heap:ident) => {
        mod $name {
            use super::*;

            proptest! {
                #![proptest_config(config())]

                #[test]
                #[cfg_attr(miri, ignore = "too slow there")]
                fn answers_are_right(operations in operations()) {
                    drive(&$heap::<Plenty>::new(), operations);
                }

                #[test]
                #[cfg_attr(miri, ignore = "too slow there")]
                fn a_used_up_heap_goes_on(operations in operations()) {
                    drive(&$heap::<Scarce>::new(), operations);
                }
            }

            #[test]
            fn answers_are_right_to_fixed_operations() {
                drive(&$heap::<Plenty>::new(), fixed_operations());
                drive(&$heap::<Scarce>::new(), fixed_operations());
            }

            #[test]
            fn a_grown_heap_serves_the_request_it_grew_for() {
                let most = if cfg!(miri) { 3 } else { 24 };
                for size in (0..most).map(|shift| 1_usize << shift).flat_map(|size| [size, size + 1, size + size / 3]) {
                    for &align in if cfg!(miri) { &[1, 4096][..] } else { &[1, 16, 64, 4096, 8192] } {
                        let heap = $heap::<Plenty>::new();
                        let layout = Layout::from_size_align(size, align).unwrap();
                        assert!(heap.allocate(layout).is_some(), "{layout:?}");
                    }
                }
            }

            #[test]
            fn exhaustion_is_an_answer() {
                let heap = $heap::<Pieces<0>>::new();
                assert!(heap.allocate(Layout::new::<u64>()).is_none());
                let heap = $heap::<Plenty>::new();
                for size in [isize::MAX as usize - 64, 1 << 62, 1 << 47, (1 << 46) + 1] {
                    assert!(heap.allocate(Layout::from_size_align(size, 1).unwrap()).is_none());
                }
                assert!(heap.allocate(Layout::from_size_align(1, 1 << 62).unwrap()).is_none());
                assert!(heap.allocate(Layout::new::<u64>()).is_some());
            }
        }
    };
}

suite!(bump, Bump);
suite!(tlsf, Tlsf);
suite!(buddy, Buddy);
suite!(first_fit, FirstFit);
suite!(size_class, SizeClass);

proptest! {
    #![proptest_config(config())]

    #[test]
    #[cfg_attr(miri, ignore = "too slow there")]
    fn an_early_heap_hands_over(operations in operations()) {
        drive(&Early::<20_000, SizeClass<Plenty>>::new(SizeClass::new()), operations);
    }
}

/// Fills a heap with blocks of one size, frees all, and looks whether a block of many such sizes has room again.
fn joins_again(heap: &impl Heap, size: usize, large: usize) {
    let layout = Layout::from_size_align(size, 1).unwrap();
    let blocks: Vec<_> = std::iter::from_fn(|| heap.allocate(layout)).collect();
    assert!(blocks.len() * size > 20 * 4096, "{} blocks", blocks.len());
    // Every second one first, so that each of the rest has free neighbours on both sides.
    for start in [0, 1] {
        // SAFETY: the blocks are of this heap and layout, and freed once.
        blocks.iter().skip(start).step_by(2).for_each(|&block| unsafe { heap.free(Block::new(block, layout)) });
    }
    assert!(heap.allocate(Layout::from_size_align(large, 1).unwrap()).is_some(), "{:?}", heap.statistics());
}

#[test]
fn free_neighbours_become_one_block() {
    // First fit walks over all gaps for each block, which Miri does for large ones only.
    for size in if cfg!(miri) { vec![3000] } else { vec![48, 600, 3000] } {
        joins_again(&Buddy::<Scarce>::new(), size, 8 * 4096);
        joins_again(&FirstFit::<Scarce>::new(), size, 14 * 4096);
        joins_again(&SizeClass::<Scarce>::new(), size, 14 * 4096);
    }
}

/// Allocates much more than one piece of pages and frees it: what is held then.
fn held_after_all(heap: &impl Heap) -> usize {
    let layout = Layout::from_size_align(5000, 1).unwrap();
    let count = if cfg!(miri) { 40 } else { 2000 };
    let blocks: Vec<_> = (0..count).map(|_| heap.allocate(layout).unwrap()).collect();
    let most = heap.statistics().held;
    // SAFETY: the blocks are of this heap and layout, and freed once.
    blocks.into_iter().for_each(|block| unsafe { heap.free(Block::new(block, layout)) });
    let held = heap.statistics().held;
    assert!(held <= most);
    100 * held / most
}

#[test]
fn pages_go_back() {
    assert!(held_after_all(&SizeClass::<Plenty>::new()) < 60);
    assert!(held_after_all(&Buddy::<Plenty>::new()) < 60);
    assert_eq!(held_after_all(&Tlsf::<Plenty>::new()), 100, "a heap that keeps its pages says so");
}

thread_local! {
    static NUMBER: Cell<usize> = const { Cell::new(0) };
}

/// Each thread of the test below is a processor.
struct Threads;

// SAFETY: the test's two threads have different numbers.
unsafe impl Processors for Threads {
    const COUNT: usize = 2;
    const NEW: Self = Self;

    fn stay<R>(&self, work: impl FnOnce(usize) -> R) -> R {
        work(NUMBER.get())
    }
}

/// A block on its way to the thread that frees it.
struct Parcel(Block, u8);

// SAFETY: its memory is the block's alone.
unsafe impl Send for Parcel {}

fn parcel(heap: &impl Heap, number: usize) -> Parcel {
    let layout = Layout::from_size_align(number % 900 + 1, 8).unwrap();
    let block = heap.allocate(layout).unwrap();
    // SAFETY: the block is ours and so long.
    unsafe {
        block.write_bytes(number as u8, layout.size());
        Parcel(Block::new(block, layout), number as u8)
    }
}

#[test]
fn blocks_are_freed_by_other_processors() {
    static HEAP: SizeClass<Plenty, Threads, 2> = SizeClass::new();
    let count = if cfg!(miri) { 50 } else { 50_000 };
    let (sender, receiver) = mpsc::sync_channel::<Parcel>(64);
    let consumer = std::thread::spawn(move || {
        NUMBER.set(1);
        for Parcel(block, mark) in receiver {
            // SAFETY: the sender has initialised the block.
            let bytes = unsafe { std::slice::from_raw_parts(block.pointer().as_ptr(), block.layout().size()) };
            assert!(bytes.iter().all(|&byte| byte == mark));
            HEAP.free(block);
        }
    });
    (0..count).for_each(|number| sender.send(parcel(&HEAP, number)).unwrap());
    drop(sender);
    consumer.join().unwrap();
    let statistics = HEAP.statistics();
    assert_eq!((statistics.blocks, statistics.bytes), (0, 0));
    // What travels one way does not pile up at its end.
    assert!(statistics.held < 16 << 20, "{} bytes held", statistics.held);
}

#[test]
fn all_pages_of_a_piece_can_be_used() {
    // Slabs of 4 KB lie one behind the other: 15 in a chunk of 16 pages, whose last one ends before the chunk does.
    let heap = SizeClass::<Pieces<16>>::new();
    let layout = Layout::from_size_align(256, 64).unwrap();
    assert_eq!(std::iter::from_fn(|| heap.allocate(layout)).count(), 15 * 15);
    let source = Pieces::<1>::NEW;
    assert_eq!(source.pages(2), None);
}
