use alloc::{boxed::Box, vec, vec::Vec};
use core::mem::MaybeUninit;

use super::{Unfilled, append, value};

#[test]
fn what_was_put_is_what_is_filled() {
    let mut place = [const { MaybeUninit::uninit() }; 6];
    let mut unfilled = Unfilled::new(&mut place);
    assert_eq!((unfilled.put(b"four"), unfilled.filled(), unfilled.room()), (4, 4, 2));
    assert_eq!((unfilled.put(b"more"), unfilled.room()), (2, 0));
    assert_eq!(unfilled.put(b"x"), 0);
    assert_eq!(unfilled.into_filled(), b"fourmo");
}

#[test]
fn bytes_are_written_where_the_next_goes() {
    let mut bytes = *b"......";
    let mut unfilled = Unfilled::over(&mut bytes);
    assert_eq!(unfilled.put(b"a"), 1);
    // SAFETY: there is room for five bytes.
    unsafe {
        unfilled.next().copy_from_nonoverlapping(b"bc".as_ptr(), 2);
        unfilled.advance(2);
    }
    assert_eq!(unfilled.into_filled(), b"abc");
    assert_eq!(&bytes, b"abc...");
}

#[test]
fn bytes_come_behind_those_of_a_vector() {
    let mut bytes = vec![1, 2];
    let count = append(&mut bytes, 3, |unfilled| {
        assert_eq!((unfilled.filled(), unfilled.room()), (0, 3));
        unfilled.put(&[3, 4]);
    });
    assert_eq!((count, &bytes[..]), (2, &[1, 2, 3, 4][..]));
    assert_eq!(append(&mut bytes, 0, |unfilled| assert_eq!(unfilled.put(&[5]), 0)), 0);
}

#[test]
fn other_memory_does_not_count_for_a_vectors() {
    let mut bytes: Vec<u8> = Vec::new();
    let count = append(&mut bytes, 4, |unfilled| {
        let mut other = Unfilled::new(Box::leak(Box::new([const { MaybeUninit::uninit() }; 8])));
        assert_eq!(other.put(&[9; 8]), 8);
        *unfilled = other;
    });
    assert_eq!((count, bytes.len()), (0, 0));
}

#[test]
fn a_value_is_one_when_all_its_bytes_came() {
    let bytes = 0x0102_0304_u32.to_ne_bytes();
    assert_eq!(value::<u32>(|to| assert_eq!(to.put(&bytes), 4)), Some(0x0102_0304));
    assert_eq!(value::<u32>(|to| assert_eq!(to.put(&bytes[..3]), 3)), None);
    assert_eq!(value::<[u8; 0]>(|_| ()), Some([]));
    // Other memory in its place is not the value's.
    assert_eq!(value::<u32>(|to| *to = Unfilled::over(Box::leak(Box::new([5; 4])))), None);
}
