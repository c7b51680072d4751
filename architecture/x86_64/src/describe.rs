//! The processor in words, as `/proc/cpuinfo` has them (proc_cpuinfo(5)).

use core::fmt::{Result, Write};

use crate::instructions::{cpuid, maximum_leaf};

/// Linux's names of CPUID bits, from bit 0 on; `-` is skipped. Programs look for these words.
const BASIC_EDX: &str = "fpu vme de pse tsc msr pae mce cx8 apic - sep mtrr pge mca cmov pat pse36 pn clflush - dts acpi mmx fxsr sse sse2 ss ht tm ia64 pbe";
const BASIC_ECX: &str = "pni pclmulqdq dtes64 monitor ds_cpl vmx smx est tm2 ssse3 cid sdbg fma cx16 xtpr pdcm - pcid dca sse4_1 sse4_2 x2apic movbe popcnt tsc_deadline_timer aes xsave - avx f16c rdrand hypervisor";
const EXTENDED_EDX: &str =
    "- - - - - - - - - - - syscall - - - - - - - mp nx - mmxext - - fxsr_opt pdpe1gb rdtscp - lm 3dnowext 3dnow";
const EXTENDED_ECX: &str = "lahf_lm cmp_legacy svm extapic cr8_legacy abm sse4a misalignsse 3dnowprefetch osvw ibs xop skinit wdt - lwp fma4 tce - nodeid_msr - tbm topoext";
const STRUCTURED_EBX: &str = "fsgsbase tsc_adjust sgx bmi1 hle avx2 - smep bmi2 erms invpcid rtm cqm - mpx rdt_a avx512f avx512dq rdseed adx smap avx512ifma - clflushopt clwb intel_pt avx512pf avx512er avx512cd sha_ni avx512bw avx512vl";

/// See [`machine::Processor::describe`]. `kilohertz` is the frequency of the time stamp counter, 0 if unknown.
pub fn describe(out: &mut dyn Write, kilohertz: u64) -> Result {
    let Signature { family, model, stepping } = Signature::new(cpuid(1, 0).eax);
    let (mut vendor, mut name) = ([0; 12], [0; 48]);
    let answer = cpuid(0, 0);
    put(&mut vendor, [answer.ebx, answer.edx, answer.ecx]);
    let extended = maximum_leaf(0x8000_0000);
    if extended >= 0x8000_0004 {
        for (part, leaf) in name.chunks_exact_mut(16).zip(0x8000_0002..) {
            let answer = cpuid(leaf, 0);
            put(part, [answer.eax, answer.ebx, answer.ecx, answer.edx]);
        }
    }
    let (vendor, name) = (text(&vendor), text(&name));
    write!(
        out,
        "vendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: {model}\nmodel name\t: {name}\nstepping\t: {stepping}\n"
    )?;
    if kilohertz != 0 {
        writeln!(out, "cpu MHz\t\t: {}.{:03}", kilohertz / 1000, kilohertz % 1000)?;
    }
    out.write_str("physical id\t: 0\nfpu\t\t: yes\nflags\t\t:")?;
    write_flags(out, extended > 0x8000_0000)?;
    let sizes = if extended >= 0x8000_0008 { cpuid(0x8000_0008, 0).eax } else { 36 | 48 << 8 };
    writeln!(out, "\naddress sizes\t: {} bits physical, {} bits virtual", sizes & 0xff, sizes >> 8 & 0xff)
}

/// Family, model and stepping as CPUID 1 EAX encodes them.
struct Signature {
    family: u32,
    model: u32,
    stepping: u32,
}

impl Signature {
    fn new(value: u32) -> Self {
        let base_family = value >> 8 & 0xf;
        let extended = base_family == 0xf || base_family == 6;
        Self {
            family: if base_family == 0xf { base_family + (value >> 20 & 0xff) } else { base_family },
            model: (value >> 4 & 0xf) + if extended { value >> 12 & 0xf0 } else { 0 },
            stepping: value & 0xf,
        }
    }
}

/// The bytes of registers, one behind the other.
fn put<const N: usize>(bytes: &mut [u8], words: [u32; N]) {
    for (part, word) in bytes.chunks_exact_mut(4).zip(words) {
        part.copy_from_slice(&word.to_le_bytes());
    }
}

/// What stands before the first NUL.
fn text(value: &[u8]) -> &str {
    let value = value.split(|&byte| byte == 0).next().unwrap_or_default();
    core::str::from_utf8(value.trim_ascii()).unwrap_or("unknown")
}

fn write_flags(out: &mut dyn Write, has_extended: bool) -> Result {
    let basic = cpuid(1, 0);
    let (extended_edx, extended_ecx) = match has_extended {
        true => {
            let answer = cpuid(0x8000_0001, 0);
            (answer.edx, answer.ecx)
        }
        false => (0, 0),
    };
    let words = [
        (BASIC_EDX, basic.edx),
        (EXTENDED_EDX, extended_edx),
        (BASIC_ECX, basic.ecx),
        (EXTENDED_ECX, extended_ecx),
        (STRUCTURED_EBX, crate::features::structured().ebx),
    ];
    for (names, mut bits) in words {
        for name in names.split(' ') {
            if bits & 1 != 0 && name != "-" {
                out.write_str(" ")?;
                out.write_str(name)?;
            }
            bits >>= 1;
        }
    }
    Ok(())
}
