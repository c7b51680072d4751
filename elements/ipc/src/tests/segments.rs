//! Segments: sizes, and when they go.

use super::{ROOT, user};
use crate::{
    Error, Get,
    segment::{DOOMED, MOST, MOST_BYTES, Segments},
};

#[test]
fn a_doomed_segment_goes_with_the_last_who_has_it() {
    let mut segments = Segments::new();
    let number = segments.add(9, (5000, 0o600), "bytes", &ROOT, 1).expect("there is room");
    assert_eq!(segments.pages, 2);
    for time in [2, 3] {
        assert!(segments.hold(number).is_ok());
        segments.attach(number, 4, time);
    }
    assert_eq!(segments.doom(number), Ok(None));
    assert_eq!(segments.get(9, 0, 0, &ROOT), Err(Error::NotFound));
    assert_eq!(segments.table.find(number).map(|object| object.permission.mode), Ok(0o600 | DOOMED));
    // It can still be attached by its number.
    assert!(segments.hold(number).is_ok());
    segments.attach(number, 5, 6);
    segments.detach(number, 5, 8);
    assert_eq!([segments.release(number), segments.release(number)], [None; 2]);
    let segment = &segments.table.find(number).expect("it is there").content;
    assert_eq!((segment.attached, segment.attached_at, segment.detached_at, segment.last), (1, 6, 8, 5));
    assert_eq!((segments.release(number), segments.pages), (Some("bytes"), 0));
    assert_eq!(segments.release(number), None);
    let other = segments.add(9, (1, 0o600), "more", &ROOT, 1).expect("there is room");
    assert_eq!((segments.doom(other), segments.doom(other)), (Ok(Some("more")), Err(Error::Invalid)));
}

#[test]
fn sizes_are_bounded() {
    let mut segments = Segments::new();
    assert_eq!([0, MOST_BYTES + 1].map(|size| segments.check(size)), [Err(Error::Invalid); 2]);
    let number = segments.add(9, (4096, 0o644), (), &ROOT, 1).expect("there is room");
    assert_eq!(segments.get(9, 4096, 0o444, &user(3)), Ok(Get::Found(number)));
    assert_eq!(segments.get(9, 4096, 0o666, &user(3)), Err(Error::Denied));
    assert_eq!(segments.get(9, 4097, 0o666, &user(3)), Err(Error::Invalid));
    for _ in 1..MOST {
        assert!(segments.check(1).is_ok() && segments.add(0, (1, 0), (), &ROOT, 1).is_ok());
    }
    assert_eq!(segments.check(1), Err(Error::NoRoom));
}
