//! From the platform's boot to the application's main.

use machine::{Access, BootInfo, Context, Kernel, Trap};

use crate::process::{self, ExitCode};

/// The kernel of an image with nothing between platform and application.
#[derive(Debug)]
pub struct Native {
    main: fn() -> ExitCode,
}

impl Native {
    /// With the application's main function.
    #[must_use]
    pub const fn new(main: fn() -> ExitCode) -> Self {
        Self { main }
    }
}

impl Kernel for Native {
    fn main(&self, _: BootInfo) -> ! {
        sync::alone();
        process::exit_with((self.main)())
    }

    fn join(&self, _: usize) -> ! {
        process::abort()
    }

    /// An application that is the kernel calls it by functions: nobody gets here.
    fn system_call(&self, _: usize, _: usize, _: usize, _: usize, _: usize, _: usize, _: usize) -> isize {
        -1
    }

    fn trap(&self, _: &mut Context, _: Trap) {}

    fn interrupted(&self, _: &mut Context) {}

    fn resolve_fault(&self, _: usize, _: Access) -> bool {
        false
    }
}
