//! The machines a check runs on.

use std::fs::OpenOptions;

/// A machine, with the privilege ring of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Platform {
    /// Linux itself, without whittle: the reference.
    Native,
    /// `--platform process`.
    Process,
    /// QEMU's microvm under emulation, program at ring 0.
    PcRing0,
    /// QEMU's microvm under emulation, program at ring 3.
    PcRing3,
    /// QEMU's microvm under KVM, program at ring 3.
    KvmRing3,
}

impl Platform {
    /// Every platform, in the order tests name them.
    pub const ALL: [Self; 5] = [Self::Native, Self::Process, Self::PcRing0, Self::PcRing3, Self::KvmRing3];

    /// The first part of a test's name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Process => "process",
            Self::PcRing0 => "pc-ring0",
            Self::PcRing3 => "pc-ring3",
            Self::KvmRing3 => "kvm-ring3",
        }
    }

    /// The options of `whittle run` that choose it.
    #[must_use]
    pub const fn options(self) -> &'static [&'static str] {
        match self {
            Self::Native => &[],
            Self::Process => &["--platform", "process"],
            Self::PcRing0 => &["--platform", "pc", "--accel", "tcg", "--ring", "0"],
            Self::PcRing3 => &["--platform", "pc", "--accel", "tcg", "--ring", "3"],
            Self::KvmRing3 => &["--platform", "pc", "--accel", "kvm", "--ring", "3"],
        }
    }

    /// Whether it is a virtual machine.
    #[must_use]
    pub const fn is_pc(self) -> bool {
        matches!(self, Self::PcRing0 | Self::PcRing3 | Self::KvmRing3)
    }

    /// Whether whittle stands between the program and Linux.
    #[must_use]
    pub fn is_guest(self) -> bool {
        self != Self::Native
    }

    /// Whether the checks are to run on it: Linux itself only when asked by `WHITTLE_TEST_NATIVE=1`.
    #[must_use]
    pub fn is_wanted(self) -> bool {
        self.is_guest() || std::env::var_os("WHITTLE_TEST_NATIVE").is_some()
    }

    /// Why this machine cannot run it, if so.
    #[must_use]
    pub fn obstacle(self) -> Option<String> {
        if self.is_pc()
            && let Err(missing) = packages::need(packages::rows(&["qemu-system-x86_64"]), |_| ())
        {
            return Some(missing.to_string());
        }
        if self != Self::KvmRing3 {
            return None;
        }
        let opened = OpenOptions::new().read(true).write(true).open("/dev/kvm");
        opened.err().map(|error| format!("no usable /dev/kvm: {error}"))
    }
}
