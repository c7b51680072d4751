//! What the person who started the machine said.

declaration::contract! {
    arguments = "the application's arguments and environment";

    /// The words behind the program's name, and the environment. Asked for when somebody wants them, not at boot.
    pub trait Arguments: Sync {
        /// Argument `index`, 0 being the program's name; `None` behind the last.
        fn argument(&self, index: usize) -> Option<&'static [u8]>;

        /// Variable `index` of the environment as `NAME=value`; `None` behind the last.
        fn variable(&self, index: usize) -> Option<&'static [u8]>;
    }
}
