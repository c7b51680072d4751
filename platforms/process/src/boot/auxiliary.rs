//! What the host passes a new process: the auxiliary vector (getauxval(3)).

const AT_HWCAP2: usize = 26;
const AT_EXECFN: usize = 31;
const AT_SYSINFO_EHDR: usize = 33;
/// Bit of AT_HWCAP2: RDFSBASE and its relatives may be used.
const FSGSBASE: usize = 1 << 1;

/// What we want to know of it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Auxiliary {
    /// The host lets us use RDFSBASE and its relatives.
    pub base_instructions: bool,
    /// Address of the host's vDSO, 0 if there is none.
    pub vdso: usize,
    /// Where the last of what it passes ends, the name of the program's file: near the end of the stack. 0 if unknown.
    pub end: usize,
}

/// Reads it.
///
/// # Safety
/// `stack` is the stack pointer that the host started this process with.
pub unsafe fn read(stack: *const usize) -> Auxiliary {
    let mut found = Auxiliary::default();
    // SAFETY: the host's layout: the count, that many arguments, 0, the environment, 0, pairs up to one of type 0.
    unsafe {
        let count = stack.read();
        let mut at = stack.add(1 + count + 1);
        while at.read() != 0 {
            at = at.add(1);
        }
        at = at.add(1);
        while at.read() != 0 {
            let value = at.add(1).read();
            match at.read() {
                AT_HWCAP2 => found.base_instructions = value & FSGSBASE != 0,
                AT_SYSINFO_EHDR => found.vdso = value,
                AT_EXECFN => {
                    let name = core::ffi::CStr::from_ptr(value as *const core::ffi::c_char);
                    found.end = value + name.count_bytes() + 1;
                }
                _ => {}
            }
            at = at.add(2);
        }
    }
    found
}
