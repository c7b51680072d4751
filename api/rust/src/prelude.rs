//! The standard library's preludes, for `use std::prelude::v1::*;`.

/// What every edition has.
pub mod v1 {
    pub use alloc_crate::{
        borrow::ToOwned,
        boxed::Box,
        format,
        string::{String, ToString},
        vec,
        vec::Vec,
    };
    pub use core::prelude::v1::*;
}

/// Edition 2021.
pub mod rust_2021 {
    pub use super::v1::*;
    pub use core::prelude::rust_2021::*;
}

/// Edition 2024.
pub mod rust_2024 {
    pub use super::v1::*;
    pub use core::prelude::rust_2024::*;
}
