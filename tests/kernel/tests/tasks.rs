//! Threads on one processor.

mod tasks {
    mod threads;
    mod timers;
    mod waiting;
    mod words;
}

kernel_tests::machine!(sched::Fifo<1>);
