//! Address spaces over a pager of ordinary memory: what one does, another must not notice.

mod memory {
    mod faults;
    mod files;
    mod limits;
    mod spaces;
}

kernel_tests::machine!(sched::Fifo<1>);
