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
    let signature = Signature::new(cpuid(1, 0).eax);
    writeln!(out, "processor\t: 0")?;
    line(out, "vendor_id", &vendor())?;
    writeln!(out, "cpu family\t: {}", signature.family)?;
    writeln!(out, "model\t\t: {}", signature.model)?;
    line(out, "model name", &model_name())?;
    writeln!(out, "stepping\t: {}", signature.stepping)?;
    if kilohertz != 0 {
        writeln!(out, "cpu MHz\t\t: {}.{:03}", kilohertz / 1000, kilohertz % 1000)?;
    }
    out.write_str("physical id\t: 0\nsiblings\t: 1\ncore id\t\t: 0\ncpu cores\t: 1\nfpu\t\t: yes\nflags\t\t:")?;
    write_flags(out)?;
    out.write_str("\naddress sizes\t: ")?;
    let sizes = if maximum_leaf(0x8000_0000) >= 0x8000_0008 { cpuid(0x8000_0008, 0).eax } else { 36 | 48 << 8 };
    writeln!(out, "{} bits physical, {} bits virtual\n", sizes & 0xff, sizes >> 8 & 0xff)
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

fn vendor() -> [u8; 12] {
    let answer = cpuid(0, 0);
    let mut name = [0; 12];
    for (part, word) in name.chunks_exact_mut(4).zip([answer.ebx, answer.edx, answer.ecx]) {
        part.copy_from_slice(&word.to_le_bytes());
    }
    name
}

fn model_name() -> [u8; 48] {
    let mut name = [0; 48];
    if maximum_leaf(0x8000_0000) >= 0x8000_0004 {
        for (part, leaf) in name.chunks_exact_mut(16).zip(0x8000_0002..) {
            let answer = cpuid(leaf, 0);
            for (bytes, word) in part.chunks_exact_mut(4).zip([answer.eax, answer.ebx, answer.ecx, answer.edx]) {
                bytes.copy_from_slice(&word.to_le_bytes());
            }
        }
    }
    name
}

fn line(out: &mut dyn Write, key: &str, value: &[u8]) -> Result {
    let end = value.iter().position(|&byte| byte == 0).unwrap_or(value.len());
    writeln!(out, "{key}\t: {}", core::str::from_utf8(&value[..end]).unwrap_or("unknown").trim())
}

fn write_flags(out: &mut dyn Write) -> Result {
    let basic = cpuid(1, 0);
    let extended = if maximum_leaf(0x8000_0000) > 0x8000_0000 { Some(cpuid(0x8000_0001, 0)) } else { None };
    let words = [
        (BASIC_EDX, basic.edx),
        (EXTENDED_EDX, extended.map_or(0, |answer| answer.edx)),
        (BASIC_ECX, basic.ecx),
        (EXTENDED_ECX, extended.map_or(0, |answer| answer.ecx)),
        (STRUCTURED_EBX, crate::features::structured().0),
    ];
    for (names, bits) in words {
        for (index, name) in names.split(' ').enumerate() {
            if bits & (1 << index) != 0 && name != "-" {
                write!(out, " {name}")?;
            }
        }
    }
    Ok(())
}
