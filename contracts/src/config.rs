//! The settings that code reads: one constant of the image. Under whole-program optimisation each is known where it is
//! read, so what is switched off is not in the image, and still compiles.

declaration::settings! {
    config = "the image's settings, known where code reads them";

    /// Settings of an image. In `whittle.toml` they stand under `[settings]`, by the same names.
    pub struct Config {
        /// answer --trace (kind linux)
        trace: bool = true,
        /// answer --audit, the walk over the page tables at the end (kind linux)
        audit: bool = true,
        /// answer --inject, by which tests let the kernel die (kind linux)
        inject: bool = true,
        /// a file system at /proc (kind linux)
        proc: bool = true,
        /// a file system at /sys (kind linux)
        sys: bool = true,
        /// a vDSO, by which programs read clocks without a system call (kind linux)
        vdso: bool = true,
        /// tell programs what happens to files: inotify (kind linux)
        inotify: bool = true,
        /// lines for --verbose (kind linux)
        debug: bool = true,
        /// say why a program is not run, what fault ended it, and where and of what the kernel died (kind linux)
        report: bool = true,
        /// notice that a program at ring 0 has halted the processor, and end it as at ring 3 (kind linux, pc)
        halt: bool = true,
        /// find mappings quickly among tens of thousands; else they are in one list, in fewer bytes (kind linux)
        many_mappings: bool = true,
        /// find the handler of a system call in a table of 4 KB; else by comparing numbers, in fewer bytes (kind linux)
        call_table: bool = true,
        /// move a few bytes of files, pipes and devices by a short way; else by the general one, in fewer bytes (kind
        /// linux)
        short_ways: bool = true,
        /// hold programs to RLIMIT_DATA, and lock and seal memory (kind linux)
        memory_limits: bool = true,
        /// programs start others by fork, each in an address space of its own: true where nothing is said (kind linux)
        processes: bool = false,
        /// pseudo-terminals: /dev/ptmx, and /dev/pts (kind linux)
        pseudo_terminals: bool = true,
        /// let system calls that have trapped often become calls, with --syscalls rewrite (kind linux)
        rewrite: bool = true,
        /// bytes of a thread's stack unless it asks for more (kind rust)
        thread_stack: size = 64 K (at least 2 K),
    }
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
