//! The slot mechanism.

/// Declares a contract's slot: for each method of the trait a free function that calls the image's provider, and the
/// macro that fills the slot.
///
/// Both sides are written from one list of signatures: the declaration here, and the definition in the image, where
/// the compiler checks each against the trait. That is why calling the symbol is sound, and why `safe fn` may stand
/// in the extern block. Symbols are `whittle.<macro>.<method>`, so that a duplicate or a gap names its contract.
///
/// `=> inline(always)` behind a signature is for a hot path whose call does not vanish by itself.
///
/// A provider type has `const fn new() -> Self`; `provide_x!(Type = expression)` gives the instance in full.
#[macro_export]
macro_rules! slot {
    ($provide:ident: $contract:path { $($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)? $(=> $inline:meta)?;)* }) => {
        $crate::slot! { @ ($) $provide: $contract { $($(#[$doc])* fn $name($($argument: $type),*) $(-> $result)? $(=> $inline)?;)* } }
    };
    (@ ($d:tt) $provide:ident: $contract:path { $($(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)? $(=> $inline:meta)?;)* }) => {
        unsafe extern "Rust" {
            $(
                $(#[$doc])*
                #[link_name = concat!("whittle.", stringify!($provide), ".", stringify!($name))]
                pub safe fn $name($($argument: $type),*) $(-> $result)?;
            )*
        }

        /// Fills this contract's slot with a static instance of the given provider. Once per image.
        #[macro_export]
        macro_rules! $provide {
            ($d provider:ty) => { $crate::$provide!($d provider = <$d provider>::new()); };
            ($d provider:ty = $d instance:expr) => {
                const _: () = {
                    static INSTANCE: $d provider = $d instance;
                    $(
                        $(#[$inline])?
                        #[unsafe(export_name = concat!("whittle.", stringify!($provide), ".", stringify!($name)))]
                        fn $name($($argument: $type),*) $(-> $result)? {
                            <$d provider as $contract>::$name(&INSTANCE, $($argument),*)
                        }
                    )*
                };
            };
        }
    };
}
