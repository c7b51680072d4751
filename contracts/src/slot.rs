//! The slot mechanism.

/// Makes a contract's slot: for each method of the trait a free function that calls the image's provider, and the macro
/// that fills the slot. `slot!(machine::clock, provide_clock);` makes it of what `declaration::contract!` declares in
/// the element `machine`. A crate that declares a contract and makes its slot says where its types are:
/// `contracts::slot!(board, provide_board, ::virtio_devices);`.
///
/// Both sides are written from that one list of signatures: the functions here, and the definition in the image, where
/// the compiler checks each against the trait. That is why calling the symbol is sound, and why `safe fn` may stand
/// in the extern block. Symbols are `whittle.<macro>.<method>`, so that a duplicate or a gap names its contract.
///
/// A provider type has `const fn new() -> Self`; `provide_x!(Type = expression)` gives the instance in full.
#[macro_export]
macro_rules! slot {
    ($element:ident::$contract:ident, $provide:ident) => {
        #[allow(unused_imports, reason = "some signatures name no type of their element")]
        use $crate::$element::*;
        $crate::$element::$contract! { ($crate::slot) (export) ($crate::$element) $provide }
    };
    ($contract:ident, $provide:ident, $($element:tt)+) => {
        $contract! { ($crate::slot) () ($($element)+) $provide }
    };
    (export $contract:ident = $summary:literal; $provide:ident: ($($element:tt)*) $trait:ident $methods:tt) => {
        #[doc(inline)]
        pub use $($element)*::$trait;
        $crate::slot! { $contract = $summary; $provide: ($($element)*) $trait $methods }
    };
    ($contract:ident = $summary:literal; $provide:ident: $element:tt $trait:ident $methods:tt) => {
        $crate::slot! { @ ($) $provide: $element $trait $methods }
    };
    (@ ($d:tt) $provide:ident: ($($element:tt)*) $trait:ident {
        $(
            $(#[doc = $text:literal])*
            fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $(=> $inline:meta)?;
        )*
    }) => {
        unsafe extern "Rust" {
            $(
                $(#[doc = $text])*
                #[link_name = concat!("whittle.", stringify!($provide), ".", stringify!($name))]
                pub safe fn $name($($argument: $type),*) $(-> $result)?;
            )*
        }

        /// Fills this contract's slot with a static instance of the given provider. Once per image.
        #[macro_export]
        macro_rules! $provide {
            ($d provider:ty $d(= $d instance:expr)?) => {
                const _: () = {
                    type Provider = $d provider;
                    static INSTANCE: Provider = $crate::instance!(Provider $d(= $d instance)?);
                    const _: () = {
                        // The signatures' types, as their element's root has them.
                        #[allow(unused_imports)]
                        use $($element)*::*;
                        use $($element)*::$trait as Contract;
                        $(
                            $(#[$inline])?
                            #[unsafe(export_name = concat!("whittle.", stringify!($provide), ".", stringify!($name)))]
                            fn $name($($argument: $type),*) $(-> $result)? {
                                <Provider as Contract>::$name(&INSTANCE, $($argument),*)
                            }
                        )*
                    };
                };
            };
        }
    };
}

/// The instance of a provider: what is said, or else what its `new` makes.
#[doc(hidden)]
#[macro_export]
macro_rules! instance {
    ($provider:ty) => {
        <$provider>::new()
    };
    ($provider:ty = $instance:expr) => {
        $instance
    };
}

/// As [`slot!`], in a module of the contract's name: for contracts that have nothing beside it.
macro_rules! page {
    ($element:ident::$contract:ident, $provide:ident) => {
        $crate::$element::$contract! { (page) ($element) ($crate::$element) $provide }
    };
    ($element:ident $contract:ident = $summary:literal; $provide:ident: $where:tt $trait:ident $methods:tt) => {
        #[doc = concat!("Contract `", stringify!($contract), "`: ", $summary, ".")]
        pub mod $contract {
            #[allow(unused_imports, reason = "some signatures name no type of their element")]
            use $crate::$element::*;
            slot! { export $contract = $summary; $provide: $where $trait $methods }
        }
    };
}
