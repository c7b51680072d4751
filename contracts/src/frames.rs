//! Contract `frames`: see [`frames::Frames`].

slot! { provide_frames: ::contracts::frames_element::Frames {
    /// See [`frames::Frames::book_words`].
    fn book_words(frames: ::core::ops::Range<usize>) -> usize;
    /// See [`frames::Frames::add`].
    fn add(frames: ::core::ops::Range<usize>, book: &'static mut [u64]) -> bool;
    /// See [`frames::Frames::allocate`].
    fn allocate() -> ::core::option::Option<usize>;
    /// See [`frames::Frames::allocate_run`].
    fn allocate_run(count: usize, alignment: usize) -> ::core::option::Option<usize>;
    /// See [`frames::Frames::free_run`].
    fn free_run(first: usize, count: usize) -> ::core::result::Result<(), ::contracts::frames_element::FreeError>;
    /// See [`frames::Frames::statistics`].
    fn statistics() -> ::contracts::frames_element::Statistics;
} }
