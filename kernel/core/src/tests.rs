//! The slots of the core's own tests, filled by the machine for tests. What only a whole machine shows, with programs
//! and several spaces, is in `tests/kernel`.

use test_machine::NoApplication;

test_machine::platform!();
contracts::provide_application!(NoApplication = NoApplication);
contracts::provide_kernel!(crate::Core);
contracts::provide_scheduler!(sched::Fifo<2>);
contracts::provide_config!(Config::DEFAULT);
