//! What a process runs, as `/proc/self` shows it.

use alloc::{sync::Arc, vec::Vec};

use super::Strings;

/// The program a process runs now.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The executable's absolute path, links resolved (`/proc/self/exe`).
    pub executable: Arc<str>,
    /// The name people see: the file's, cut to 15 bytes, or what PR_SET_NAME said.
    pub name: Arc<str>,
    /// Its arguments as it was started.
    pub arguments: Strings,
    /// Its environment as it was started.
    pub environment: Strings,
    /// The auxiliary vector's bytes.
    pub auxiliary: Vec<u8>,
    /// First instruction.
    pub entry: usize,
    /// Where the break began.
    pub break_start: usize,
    /// The stack pointer at the first instruction.
    pub stack_start: usize,
    /// Where its arguments begin in its memory, and its environment behind them.
    pub arguments_start: usize,
}
