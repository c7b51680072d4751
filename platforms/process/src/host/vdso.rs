//! The host's vDSO: an ELF shared object that the host has mapped (vdso(7)).

use core::{
    ffi::{CStr, c_char},
    ptr,
};

const PT_LOAD: u32 = 1;
const PT_DYNAMIC: u32 = 2;
const DT_NULL: usize = 0;
const DT_STRTAB: usize = 5;
const DT_SYMTAB: usize = 6;

/// The start of `Elf64_Ehdr` (elf(5)).
#[repr(C)]
struct Header {
    identity: [u8; 16],
    kind: u16,
    machine: u16,
    version: u32,
    entry: usize,
    program_headers: usize,
    sections: usize,
    flags: u32,
    size: u16,
    program_header_size: u16,
    program_header_count: u16,
}

/// `Elf64_Phdr`.
#[repr(C)]
struct ProgramHeader {
    kind: u32,
    flags: u32,
    offset: usize,
    address: usize,
    physical_address: usize,
    file_length: usize,
    memory_length: usize,
    alignment: usize,
}

/// `Elf64_Sym`.
#[repr(C)]
struct Symbol {
    name: u32,
    information: u8,
    other: u8,
    section: u16,
    value: usize,
    size: usize,
}

/// The address of a function; `None` where there is none, or no object.
///
/// # Safety
/// `object` is 0 or AT_SYSINFO_EHDR as the host passed it.
pub unsafe fn function(object: usize, name: &CStr) -> Option<usize> {
    if object == 0 {
        return None;
    }
    // SAFETY: the host has mapped the whole object, and it is well formed.
    unsafe {
        let header = &*(object as *const Header);
        let headers = (object + header.program_headers) as *const ProgramHeader;
        let find = |kind| {
            (0..header.program_header_count.into()).map(|index| &*headers.add(index)).find(|part| part.kind == kind)
        };
        let load = find(PT_LOAD)?;
        let base = object.wrapping_add(load.offset).wrapping_sub(load.address);
        let dynamic = base.wrapping_add(find(PT_DYNAMIC)?.address) as *const [usize; 2];
        let symbols = base.wrapping_add(entry(dynamic, DT_SYMTAB)?);
        let strings = base.wrapping_add(entry(dynamic, DT_STRTAB)?);
        // Linkers put the names right behind the symbols; how many there are, only a hash table would say.
        let count = strings.checked_sub(symbols)? / size_of::<Symbol>();
        let all = ptr::slice_from_raw_parts(symbols as *const Symbol, count);
        let is_named = |symbol: &&Symbol| {
            symbol.value != 0 && CStr::from_ptr((strings + symbol.name as usize) as *const c_char) == name
        };
        (*all).iter().find(is_named).map(|symbol| base.wrapping_add(symbol.value))
    }
}

/// The value of an entry of the dynamic section.
///
/// # Safety
/// `dynamic` is one.
unsafe fn entry(mut dynamic: *const [usize; 2], wanted: usize) -> Option<usize> {
    loop {
        // SAFETY: it ends with an entry of type 0.
        let [kind, value] = unsafe { dynamic.read() };
        match kind {
            DT_NULL => return None,
            _ if kind == wanted => return Some(value),
            // SAFETY: as above.
            _ => dynamic = unsafe { dynamic.add(1) },
        }
    }
}
