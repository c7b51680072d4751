//! What the image's system calls make possible. What none of them leads to is not looked for, and not in the image.

use contracts::system_calls::answers;

macro_rules! numbers {
    ($(
        $number:literal $family:ident $name:ident($($arguments:tt)*)
        $(-> $answer:ident)? $(partial $missing:literal)? $(only $error:ident)?;
    )*) => {
        /// The numbers of system calls.
        pub mod number {
            $(
                #[allow(non_upper_case_globals, missing_docs)]
                pub const $name: usize = $number;
            )*
        }
    };
}

linux_abi::for_each_system_call!(numbers);

/// Whether a signal may have a handler.
#[inline(always)]
pub fn handlers() -> bool {
    answers(number::rt_sigaction)
}

/// Whether there may be a second thread.
#[inline(always)]
pub fn threads() -> bool {
    answers(number::clone) || answers(number::clone3)
}

/// Whether there may be a second process.
#[inline(always)]
pub fn processes() -> bool {
    let makes = answers(number::fork) || answers(number::vfork) || threads();
    contracts::config().processes && makes && contracts::translations::several()
}

/// Whether a process may become another program.
#[inline(always)]
pub fn programs() -> bool {
    answers(number::execve) || answers(number::execveat)
}

/// Whether anybody may wait for a futex.
#[inline(always)]
pub fn futexes() -> bool {
    answers(number::futex)
}

/// Whether a descriptor may lead to a file with contents: the standard streams never do.
#[inline(always)]
pub fn files() -> bool {
    answers(number::open)
        || answers(number::openat)
        || answers(number::openat2)
        || answers(number::creat)
        || answers(number::memfd_create)
        || answers(number::mq_open)
}

/// Whether a few bytes may go a short way: that of files, which others then have too.
#[inline(always)]
pub fn short_ways() -> bool {
    contracts::config().short_ways && files()
}

/// Whether anybody is shown by what path a program or a mapped file was found.
#[inline(always)]
pub fn paths_of_mapped() -> bool {
    contracts::config().proc || contracts::config().report
}

/// Whether anybody may ask for the host's name.
#[inline(always)]
pub fn host_name() -> bool {
    answers(number::uname) || contracts::config().proc
}

/// Whether a set of descriptors may watch others.
#[inline(always)]
pub fn watch() -> bool {
    answers(number::epoll_create) || answers(number::epoll_create1)
}

/// Whether an open file may have an owner, who is sent signals.
#[inline(always)]
pub fn own_files() -> bool {
    answers(number::fcntl)
}

/// Whether a thread may have descriptors or a place in the tree for itself.
#[inline(always)]
pub fn apart() -> bool {
    answers(number::unshare) || processes()
}

/// Whether there may be timers that send signals.
#[inline(always)]
pub fn timers() -> bool {
    answers(number::timer_create)
}

/// Whether anybody may lock files.
#[inline(always)]
pub fn lock_files() -> bool {
    answers(number::fcntl) || answers(number::flock)
}

/// Whether there may be sockets.
#[inline(always)]
pub fn sockets() -> bool {
    answers(number::socket) || answers(number::socketpair)
}

/// Whether anybody may lock pages.
#[inline(always)]
pub fn lock_memory() -> bool {
    contracts::config().memory_limits
}
