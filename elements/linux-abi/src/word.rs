//! A register that an argument is made of. Apart, for the flags among the constants are made of one too.

/// What can be made of an argument's register.
pub trait FromWord {
    /// Makes it. Every word makes one: what is wrong with it, the handler finds.
    fn from_word(word: usize) -> Self;
}

macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl FromWord for $number {
            #[inline(always)]
            fn from_word(word: usize) -> Self {
                word as Self
            }
        })*
    };
}

numbers! { usize u64 i64 u32 i32 }
