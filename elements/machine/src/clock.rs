//! Time: what the machine counts.

use crate::Source;

declaration::contract! {
    clock = "the time";

    /// A clock. Whoever wants to be woken uses [`machine::Alarm`].
    pub trait Clock: Sync {
        /// Nanoseconds since the machine started; never goes backwards.
        fn monotonic(&self) -> u64;

        /// Nanoseconds since 1970-01-01 00:00 UTC.
        fn wall(&self) -> u64;

        /// Nanoseconds for which processor `number` has worked for us; what the machine's host took it away for does
        /// not count where that is known. Compared only with what the same processor showed before.
        fn processor_time(&self, number: usize) -> u64 {
            let _ = number;
            self.monotonic()
        }

        /// Nanoseconds for which all processors have worked for us, where something below the kernel counts them.
        fn process_time(&self) -> Option<u64> {
            None
        }

        /// A page by which programs read this clock without entering the kernel: a Linux vDSO (vdso(7)), to be mapped
        /// for reading and executing. `None` if there is none. Whoever asks shows it to a program.
        fn program_page(&self) -> Option<Source> {
            None
        }
    }
}
