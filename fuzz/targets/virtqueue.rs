//! A block device that writes any bytes into the rings and heads that it shares: the driver gives back what it was
//! given, each request once at the most, or calls the device broken.
#![no_main]

use std::collections::BTreeSet;
use std::ptr::NonNull;

use libfuzzer_sys::fuzz_target;
use virtio::{
    Shared,
    block::{Configuration, Device, HEADS_MEMORY, Operation, QUEUE_MEMORY},
    queue::Areas,
    transport::{Status, Transport},
};

/// A device that agrees with everything.
struct Agreeing(Status);

impl Transport for Agreeing {
    fn device_id(&self) -> u32 {
        2
    }

    fn status(&self) -> Status {
        self.0
    }

    fn set_status(&mut self, status: Status) {
        self.0 = status;
    }

    fn offered_features(&mut self) -> u64 {
        u64::MAX
    }

    fn accept_features(&mut self, _: u64) {}

    fn queue_limit(&mut self, _: u16) -> u16 {
        1024
    }

    fn start_queue(&mut self, _: u16, _: u16, _: &Areas) -> bool {
        true
    }

    fn notify(&self, _: u16) {}
}

fn memory(length: usize) -> (Box<[u128]>, Shared) {
    let mut memory = vec![0_u128; length.div_ceil(16)].into_boxed_slice();
    let start = NonNull::new(memory.as_mut_ptr()).unwrap().cast();
    // SAFETY: it lives until the end of the run, and is only reached by this from now on.
    let shared = unsafe { Shared::new(start, 0x1000, length) };
    (memory, shared)
}

fuzz_target!(|bytes: &[u8]| {
    let (_rings, rings) = memory(QUEUE_MEMORY);
    let (_heads, heads) = memory(HEADS_MEMORY);
    let (_data, data) = memory(4096);
    let mut said = bytes.iter().copied();
    let mut next = || said.next();
    let first: Vec<u8> = (0..36).filter_map(|_| next()).collect();
    let configuration = Configuration::read(|at| first.get(at).copied().unwrap_or(0));
    let mut device = Device::begin(Agreeing(Status::empty()), &configuration).unwrap();
    let Ok(mut line) = device.queue(0, &rings, heads) else { return };
    device.finish();
    let (mut cookie, mut flying) = (0, BTreeSet::new());
    while let Some(step) = next() {
        match step % 4 {
            0 | 1 => {
                let parts = (0..usize::from(step >> 4)).filter_map(|at| data.part(at * 16, 16));
                let operation = [Operation::Read, Operation::Write, Operation::Flush][usize::from(step % 3)];
                if line.add(operation, 7, parts.map(|part| part.lend(operation == Operation::Read)), cookie).is_ok() {
                    flying.insert(cookie);
                }
                cookie += 1;
            }
            2 => {
                // The device writes where it likes, mostly behind the available ring.
                let (Some(low), Some(high), Some(value)) = (next(), next(), next()) else { return };
                let at = usize::from(u16::from_le_bytes([low, high]));
                let used = 128 * 16 + 4 + 128 * 2 + 4;
                let at = if step & 0x80 != 0 { at % QUEUE_MEMORY } else { used + at % 64 };
                rings.write(at, &[value]);
                heads.write(at % HEADS_MEMORY, &[value]);
            }
            _ => match line.take() {
                Ok(Some((cookie, _))) => assert!(flying.remove(&cookie), "given back twice"),
                Ok(None) => {}
                Err(_) => {
                    device.stop();
                    return;
                }
            },
        }
    }
});
