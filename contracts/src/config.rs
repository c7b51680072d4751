//! The settings that code reads: one constant of the image. Under whole-program optimisation each is known where it is
//! read, so what is switched off is not in the image, and still compiles.

/// Settings of an image. In `whittle.toml` they stand under `[settings]`, by the same names.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Linux: answer `--trace`.
    pub trace: bool,
    /// Linux: answer `--audit`, the walk over the page tables at the end.
    pub audit: bool,
    /// Linux: answer `--inject`, by which tests let the kernel die.
    pub inject: bool,
    /// Linux: a file system at `/proc`.
    pub proc: bool,
    /// Linux: a file system at `/sys`.
    pub sys: bool,
    /// Linux: a vDSO, by which programs read clocks without a system call.
    pub vdso: bool,
    /// Linux: tell programs what happens to files (inotify(7)).
    pub inotify: bool,
    /// Lines for `--verbose`.
    pub debug: bool,
    /// Linux: say why a program is not run, what fault ended it, and where and of what the kernel died.
    pub report: bool,
    /// Linux: notice that a program at ring 0 has halted the processor, and end it as at ring 3 (pc).
    pub halt: bool,
    /// Linux: find mappings quickly among tens of thousands; else they are in one list.
    pub many_mappings: bool,
    /// Linux: find the handler of a system call in a table; else by comparing numbers.
    pub call_table: bool,
    /// Linux: hold programs to RLIMIT_DATA, and lock and seal memory.
    pub memory_limits: bool,
    /// Linux: several address spaces in one kernel.
    pub address_spaces: bool,
    /// Native: bytes of a thread's stack unless it asks for more.
    pub thread_stack: usize,
}

impl Config {
    /// Everything is on but what no program has yet.
    pub const DEFAULT: Self = Self {
        trace: true,
        audit: true,
        inject: true,
        proc: true,
        sys: true,
        vdso: true,
        inotify: true,
        debug: true,
        report: true,
        halt: true,
        many_mappings: true,
        call_table: true,
        memory_limits: true,
        address_spaces: false,
        thread_stack: 64 << 10,
    };
}

unsafe extern "Rust" {
    #[link_name = "whittle.provide_config.config"]
    safe static CONFIG: Config;
}

/// The image's settings.
#[inline(always)]
#[must_use]
pub fn config() -> &'static Config {
    &CONFIG
}

/// Gives the image its settings: `contracts::provide_config!(Config { trace: false, ..Config::DEFAULT });`
#[macro_export]
macro_rules! provide_config {
    ($config:expr) => {
        const _: () = {
            use $crate::config::Config;
            #[unsafe(export_name = "whittle.provide_config.config")]
            static CONFIG: Config = $config;
        };
    };
}
