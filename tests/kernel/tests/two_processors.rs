//! The same threads on two processors, which are threads of the host, and what only two can get wrong.

mod tasks {
    mod races;
    mod threads;
    mod timers;
    mod waiting;
    mod words;
}

kernel_tests::machine!(sched::Fifo<2>);
