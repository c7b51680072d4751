//! Contract `user_memory`: see [`machine::UserMemory`].

slot! { provide_user_memory: ::contracts::machine::UserMemory {
    /// See [`machine::UserMemory::copy_in`].
    fn copy_in(destination: &mut [u8], source: usize) -> ::core::result::Result<(), ::contracts::machine::Fault>;
    /// See [`machine::UserMemory::copy_out`].
    fn copy_out(destination: usize, source: &[u8]) -> ::core::result::Result<(), ::contracts::machine::Fault>;
    /// See [`machine::UserMemory::read_word`].
    fn read_word(address: usize) -> ::core::result::Result<u64, ::contracts::machine::Fault>;
    /// See [`machine::UserMemory::read_half`].
    fn read_half(address: usize) -> ::core::result::Result<u32, ::contracts::machine::Fault>;
    /// See [`machine::UserMemory::write_word`].
    fn write_word(address: usize, value: u64) -> ::core::result::Result<(), ::contracts::machine::Fault>;
    /// See [`machine::UserMemory::write_half`].
    fn write_half(address: usize, value: u32) -> ::core::result::Result<(), ::contracts::machine::Fault>;
    /// See [`machine::UserMemory::compare_exchange`].
    fn compare_exchange(address: usize, expected: u32, new: u32) -> ::core::result::Result<u32, ::contracts::machine::Fault>;
    /// See [`machine::UserMemory::zero`].
    fn zero(destination: usize, length: usize) -> ::core::result::Result<(), ::contracts::machine::Fault>;
    /// See [`machine::UserMemory::copy_string`].
    fn copy_string(destination: &mut [u8], source: usize) -> ::core::result::Result<::core::option::Option<usize>, ::contracts::machine::Fault>;
    /// See [`machine::UserMemory::lend`].
    fn lend(space: &::contracts::machine::SpaceHandle, address: usize, length: usize, fill: &mut dyn ::core::ops::FnMut(&mut [&mut [u8]])) -> bool;
} }
