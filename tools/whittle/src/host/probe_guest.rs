//! The tiny guest of the probe: counts to 100,000 at ring 0, uses a vector register, and says by its exit status
//! whether that took as long as a processor needs.

/// QEMU's exit status if it was fast (isa-debug-exit turns N into 2 N + 1).
pub const FAST: i32 = 0x10 << 1 | 1;

/// Where the guest is loaded and starts, in 32-bit protected mode (PVH).
const BASE: u32 = 0x10_0000;

/// The code. An emulated ring 0 takes a hundred million cycles for it, a processor less than one.
#[rustfmt::skip]
const CODE: &[u8] = &[
    0x0f, 0x20, 0xe0,                   // mov eax, cr4
    0x0d, 0x00, 0x06, 0x00, 0x00,       // or eax, OSFXSR | OSXMMEXCPT
    0x0f, 0x22, 0xe0,                   // mov cr4, eax
    0x0f, 0x20, 0xc0,                   // mov eax, cr0
    0x83, 0xe0, 0xfb,                   // and eax, ~EM
    0x83, 0xc8, 0x02,                   // or eax, MP
    0x0f, 0x22, 0xc0,                   // mov cr0, eax
    0x0f, 0x31,                         // rdtsc
    0x89, 0xc6,                         // mov esi, eax
    0xb9, 0xa0, 0x86, 0x01, 0x00,       // mov ecx, 100000
    0x0f, 0x57, 0xc0,                   // again: xorps xmm0, xmm0
    0x49,                               // dec ecx
    0x75, 0xfa,                         // jnz again
    0x0f, 0x31,                         // rdtsc
    0x29, 0xf0,                         // sub eax, esi
    0x3d, 0x80, 0x96, 0x98, 0x00,       // cmp eax, 10,000,000
    0xb8, 0x10, 0x00, 0x00, 0x00,       // mov eax, 0x10
    0x72, 0x01,                         // jb fast
    0x40,                               // inc eax
    0x66, 0xba, 0xf4, 0x00,             // fast: mov dx, 0xf4
    0xef,                               // out dx, eax
    0xf4,                               // hlt
    0xeb, 0xfd,                         // jmp to the hlt
];

/// An ELF file with the code as its one segment and the note that names its PVH entry
/// (XEN_ELFNOTE_PHYS32_ENTRY, Xen's elfnote.h).
#[must_use]
pub fn image() -> Vec<u8> {
    const HEADER: u32 = 64;
    const SEGMENTS: u32 = 2 * 56;
    const NOTE: u32 = HEADER + SEGMENTS;
    const NOTE_LENGTH: u32 = 20;
    let code = NOTE + NOTE_LENGTH;
    let end = code + CODE.len() as u32;
    let mut file = b"\x7fELF\x02\x01\x01".to_vec();
    file.resize(16, 0);
    halves(&mut file, &[2, 62]);
    words(&mut file, &[1]);
    longs(&mut file, &[BASE + code, HEADER, 0]);
    words(&mut file, &[0]);
    halves(&mut file, &[64, 56, 2, 64, 0, 0]);
    let (load, note, read_execute) = (1, 4, 5);
    words(&mut file, &[load, read_execute]);
    longs(&mut file, &[0, BASE, BASE, end, end, 4096]);
    words(&mut file, &[note, 4]);
    longs(&mut file, &[NOTE, BASE + NOTE, BASE + NOTE, NOTE_LENGTH, NOTE_LENGTH, 4]);
    words(&mut file, &[4, 4, 18]);
    file.extend(b"Xen\0");
    words(&mut file, &[BASE + code]);
    file.extend(CODE);
    file
}

fn halves(file: &mut Vec<u8>, numbers: &[u16]) {
    file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn words(file: &mut Vec<u8>, numbers: &[u32]) {
    file.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn longs(file: &mut Vec<u8>, numbers: &[u32]) {
    file.extend(numbers.iter().flat_map(|&number| u64::from(number).to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_image_is_laid_out_as_its_headers_say() {
        let image = image();
        assert_eq!(image.len(), 64 + 112 + 20 + CODE.len());
        let entry = u64::from_le_bytes(image[24..32].try_into().unwrap());
        assert_eq!(&image[(entry - u64::from(BASE)) as usize..], CODE);
    }
}
