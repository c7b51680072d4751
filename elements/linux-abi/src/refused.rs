//! System calls that always answer the same error, as a kernel without the thing they are for, or as one for a program
//! without privileges in a container.

use crate::Errno;

/// Calls with one answer, and why.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    /// The error.
    pub errno: Errno,
    /// Why, for people.
    pub why: &'static str,
    /// Their numbers.
    pub numbers: &'static [u16],
}

/// All of them. What is neither here nor in the table of system calls answers ENOSYS too, unexplained.
pub const REFUSALS: &[Refusal] = &[
    Refusal {
        errno: Errno::EPERM,
        why: "needs a privilege that no program here has",
        // syslog vhangup pivot_root adjtimex acct settimeofday mount umount2 swapon swapoff reboot iopl ioperm
        // init_module delete_module quotactl kexec_load clock_adjtime finit_module kexec_file_load, mounts by
        // descriptor
        numbers: &[
            103, 153, 155, 159, 163, 164, 165, 166, 167, 168, 169, 172, 173, 175, 176, 179, 246, 305, 313, 320, 428,
            429, 430, 431, 432, 433, 442, 443,
        ],
    },
    Refusal {
        errno: Errno::EPERM,
        why: "looks into programs or makes worlds for them, which a container does not allow",
        // ptrace lookup_dcookie perf_event_open open_by_handle_at setns process_vm_readv process_vm_writev kcmp
        // bpf userfaultfd
        numbers: &[101, 212, 298, 304, 308, 310, 311, 312, 321, 323],
    },
    Refusal { errno: Errno::EOPNOTSUPP, why: "no file system here has handles", numbers: &[303] },
    Refusal { errno: Errno::ENOSPC, why: "there are no memory protection keys to give", numbers: &[330] },
    Refusal { errno: Errno::EINVAL, why: "there are no memory protection keys", numbers: &[329, 331] },
    Refusal { errno: Errno::ENOSYS, why: "a Linux without NUMA answers so", numbers: &[237, 238, 239, 256, 279, 450] },
    Refusal {
        errno: Errno::ENOSYS,
        why: "asynchronous input and output in rings is not there",
        numbers: &[425, 426, 427],
    },
    Refusal { errno: Errno::ENOSYS, why: "there is one process", numbers: &[438, 440, 448] },
    Refusal {
        errno: Errno::ENOSYS,
        why: "a Linux built without it answers so",
        // uselib ustat sysfs modify_ldt _sysctl, calls that Linux has dropped, thread areas of 32 bits,
        // keys, fanotify, seccomp, landlock, memfd_secret, cachestat
        numbers: &[
            134, 136, 139, 154, 156, 174, 177, 178, 180, 181, 182, 183, 184, 185, 205, 211, 214, 215, 236, 248, 249,
            250, 300, 301, 317, 444, 445, 446, 447, 451,
        ],
    },
];

/// Bits that hold the error beside a number.
const ERRNO_BITS: u32 = 7;

const fn count() -> usize {
    let (mut count, mut index) = (0, 0);
    while index < REFUSALS.len() {
        if REFUSALS[index].errno.number() != Errno::ENOSYS.number() {
            count += REFUSALS[index].numbers.len();
        }
        index += 1;
    }
    count
}

/// Those that do not answer ENOSYS, two bytes each: number and error. This is all that a kernel carries of them.
static OTHERS: [u16; count()] = {
    let (mut others, mut place, mut index) = ([0; count()], 0, 0);
    while index < REFUSALS.len() {
        let Refusal { errno, numbers, .. } = REFUSALS[index];
        let mut row = 0;
        while row < numbers.len() && errno.number() != Errno::ENOSYS.number() {
            others[place] = numbers[row] << ERRNO_BITS | errno.number();
            (place, row) = (place + 1, row + 1);
        }
        index += 1;
    }
    others
};

/// The negated error that a system call answers which is in no table of handlers: `None` if that is ENOSYS.
#[must_use]
pub fn refusal(number: usize) -> Option<isize> {
    let found = OTHERS.iter().find(|&&other| usize::from(other >> ERRNO_BITS) == number)?;
    Some(-((found & ((1 << ERRNO_BITS) - 1)) as isize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_call_has_one_answer() {
        let refused =
            || REFUSALS.iter().flat_map(|refusal| refusal.numbers.iter().map(|&number| (number, refusal.errno)));
        for (number, errno) in refused() {
            assert!(crate::system_call_name(number.into()).is_some(), "{number}");
            assert!(crate::system_call(number.into()).is_none(), "{number} has a handler");
            assert_eq!(refused().filter(|&(other, _)| other == number).count(), 1, "{number}");
            assert_eq!(refusal(number.into()).unwrap_or(Errno::ENOSYS.answer()), errno.answer());
        }
        assert_eq!((refusal(0), refusal(425), refusal(101)), (None, None, Some(-1)));
    }
}
