//! How contracts and settings are declared: each once.
//!
//! A contract is a trait with a name. Whoever implements a contract is generic over its trait or knows its types, so
//! the trait stands in an element. Its slot is made in the crate `contracts`, and its name and methods are shown by the
//! command. All three come from one declaration.
#![no_std]
#![forbid(unsafe_code)]

/// Declares a contract.
///
/// ```
/// declaration::contract! {
///     clock = "the time";
///
///     /// A clock. Whoever wants to be woken uses `machine::Alarm`.
///     pub trait Clock: Sync {
///         /// Nanoseconds since the machine started; never goes backwards.
///         fn monotonic(&self) -> u64;
///
///         /// Nanoseconds for which processor `number` has worked for us.
///         fn processor_time(&self, number: usize) -> u64 {
///             let _ = number;
///             self.monotonic()
///         }
///     }
/// }
///
/// struct Stopped;
///
/// impl Clock for Stopped {
///     fn monotonic(&self) -> u64 {
///         7
///     }
/// }
///
/// fn main() {
///     assert_eq!(Stopped.processor_time(0), 7);
/// }
/// ```
///
/// First comes the contract's name, as `whittle.toml` says it, and what it is for in a line. The rest is a trait as
/// Rust writes it, whose methods take `&self`. From this the macro writes
/// - the trait;
/// - a macro of the contract's name, by which the crate `contracts` makes the slot:
///   `machine::clock! { (slot) () (::machine) provide_clock }` calls
///   `slot! { clock = "the time"; provide_clock: (::machine) Clock { .. } }` with a signature for each method.
///
/// `whittle` reads the declaration itself, in crates that depend on this one: that is the contract's row in its tables.
///
/// A slot's functions are written in other crates, so a signature names types as they stand at its crate's root, or by
/// whole paths. Links in the text name the crate too, as in `machine::Alarm`.
///
/// `crate board = ".."` is for a crate that makes the slot itself: then nobody else gets the macro, and a module may
/// have its name.
///
/// `#[inline(always)]` on a method is for a hot path whose call does not vanish by itself: the slot's function gets it.
#[macro_export]
macro_rules! contract {
    (
        @ $export:tt $contract:ident = $summary:literal;
        $(#[doc = $text:literal])*
        $visibility:vis trait $name:ident $(: $bound:path)? { $($methods:tt)* }
    ) => {
        $crate::methods! {
            ($)
            {
                $(#[doc = $text])*
                #[doc = ""]
                #[doc = concat!("This is the contract `", stringify!($contract), "`: ", $summary, ".")]
                $visibility trait $name $(: $bound)?
            }
            { $export $contract = $summary, $name } {} {} $($methods)*
        }
    };
    (crate $contract:ident = $($rest:tt)*) => {
        $crate::contract! { @ {} $contract = $($rest)* }
    };
    ($contract:ident = $($rest:tt)*) => {
        $crate::contract! { @ { #[macro_export] } $contract = $($rest)* }
    };
}

/// Takes the methods of [`contract!`] one by one: a trait's may have a body, and a slot's function has none.
#[doc(hidden)]
#[macro_export]
macro_rules! methods {
    // A method that each provider has.
    (
        $dollar:tt $head:tt $name:tt { $($trait:tt)* } { $($slot:tt)* }
        $(#[doc = $text:literal])* $(#[expect($($expected:tt)*)])? $(#[inline($inline:ident)])?
        fn $method:ident(&$this:ident $(, $argument:ident: $type:ty)* $(,)?) $(-> $result:ty)?;
        $($rest:tt)*
    ) => {
        $crate::methods! {
            $dollar $head $name
            {
                $($trait)*
                $(#[doc = $text])* $(#[expect($($expected)*)])?
                fn $method(&$this $(, $argument: $type)*) $(-> $result)?;
            }
            { $($slot)* $(#[doc = $text])* fn $method($($argument: $type),*) $(-> $result)? $(=> inline($inline))?; }
            $($rest)*
        }
    };
    // One that a provider may leave out.
    (
        $dollar:tt $head:tt $name:tt { $($trait:tt)* } { $($slot:tt)* }
        $(#[doc = $text:literal])* $(#[inline($inline:ident)])?
        fn $method:ident(&$this:ident $(, $argument:ident: $type:ty)* $(,)?) $(-> $result:ty)? { $($body:tt)* }
        $($rest:tt)*
    ) => {
        $crate::methods! {
            $dollar $head $name
            {
                $($trait)*
                $(#[doc = $text])*
                fn $method(&$this $(, $argument: $type)*) $(-> $result)? { $($body)* }
            }
            { $($slot)* $(#[doc = $text])* fn $method($($argument: $type),*) $(-> $result)? $(=> inline($inline))?; }
            $($rest)*
        }
    };
    // All are taken.
    (
        ($dollar:tt) { $($head:tt)* } { { $($export:tt)* } $contract:ident = $summary:literal, $name:ident } { $($trait:tt)* } { $($slot:tt)* }
    ) => {
        $($head)* { $($trait)* }

        /// Hands the contract's signatures to the macro that makes its slot.
        #[doc(hidden)]
        $($export)*
        macro_rules! $contract {
            (($dollar($dollar make:tt)*) ($dollar($dollar how:tt)*) $dollar element:tt $dollar provide:ident) => {
                $dollar($dollar make)*! {
                    $dollar($dollar how)* $contract = $summary; $dollar provide: $dollar element $name { $($slot)* }
                }
            };
        }
    };
}

/// Declares the settings of images: a contract whose slot is one constant.
///
/// ```
/// declaration::settings! {
///     config = "the image's settings";
///
///     /// Settings of an image.
///     pub struct Config {
///         /// answer --trace
///         trace: bool = true,
///         /// bytes of a thread's stack
///         thread_stack: size = 64 K (at least 2 K),
///     }
/// }
/// fn main() {
///     assert!(Config::DEFAULT.trace);
///     assert_eq!(Config::DEFAULT.thread_stack, 65536);
/// }
/// ```
///
/// From this it writes the structure with public fields (a `size` is a `usize` of bytes) and its `DEFAULT`. `whittle`
/// reads the declaration itself: the text of a field is its line of help, and its bounds are kept when an image is
/// composed.
#[macro_export]
macro_rules! settings {
    (
        $contract:ident = $summary:literal;
        $(#[$attribute:meta])*
        pub struct $name:ident {
            $(
                $(#[doc = $help:literal])*
                $setting:ident: $kind:ident = $value:literal $($unit:ident)? $((at least $least:literal $least_unit:ident))?
            ),* $(,)?
        }
    ) => {
        $(#[$attribute])*
        #[doc = ""]
        #[doc = concat!("This is the contract `", stringify!($contract), "`: ", $summary, ".")]
        #[derive(Clone, Copy, Debug)]
        pub struct $name {
            $($(#[doc = $help])* pub $setting: $crate::setting!($kind),)*
        }

        impl $name {
            /// What holds where an image says nothing.
            pub const DEFAULT: Self = Self { $($setting: $crate::setting!($kind $value $($unit)?),)* };
        }
    };
}

/// The type of a setting, and a value of it.
#[doc(hidden)]
#[macro_export]
macro_rules! setting {
    (bool) => {
        bool
    };
    (size) => {
        usize
    };
    (bool $value:literal) => {
        $value
    };
    (size $value:literal K) => {
        $value << 10
    };
    (size $value:literal M) => {
        $value << 20
    };
}
