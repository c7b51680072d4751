//! Every heap under any order of allocations and frees: blocks are apart and keep their contents, the figures are
//! right.
#![no_main]

#[path = "../../elements/heap/tests/driver/mod.rs"]
mod driver;

use driver::{Operation, Pieces, drive};
use heap::{Buddy, Bump, Early, FirstFit, SizeClass, Tlsf};
use libfuzzer_sys::fuzz_target;

/// 8 MB: enough for most inputs, and used up by some.
type Pages = Pieces<2048>;

fuzz_target!(|input: &[u8]| {
    // The first byte chooses the heap, so that an input stays about one of them.
    let Some((&heap, rest)) = input.split_first() else { return };
    let operations = rest.as_chunks().0.iter().map(|&bytes| Operation::from_bytes(bytes));
    match heap % 6 {
        0 => drive(&SizeClass::<Pages>::new(), operations),
        1 => drive(&Buddy::<Pages>::new(), operations),
        2 => drive(&FirstFit::<Pages>::new(), operations),
        3 => drive(&Tlsf::<Pages>::new(), operations),
        4 => drive(&Bump::<Pages>::new(), operations),
        _ => drive(&Early::<20_000, Buddy<Pages>>::new(Buddy::new()), operations),
    }
});
