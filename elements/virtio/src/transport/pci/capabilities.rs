//! Where a PCI device's registers are: its capability list (PCI 3.0, section 6.7; virtio section 4.1.4).

/// A function's configuration space, by 32-bit words at offsets that are multiples of four.
pub trait Configuration {
    /// Reads the word at `offset`.
    fn read32(&self, offset: u8) -> u32;
    /// Writes the word at `offset`.
    fn write32(&self, offset: u8, value: u32);
}

/// Registers in a memory window of the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Number of the base address register, 0 to 5.
    pub bar: u8,
    /// Bytes from its start.
    pub offset: u32,
    /// Bytes.
    pub length: u32,
}

/// The table of interrupt messages (MSI-X; PCI 3.0, section 6.8.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageTable {
    /// Offset of the capability in configuration space.
    pub capability: u8,
    /// The table itself, 16 bytes an entry: address 64, data 32, control 32 bits.
    pub table: Place,
}

impl MessageTable {
    /// Turns the function's messages on or off.
    pub fn enable(&self, configuration: &(impl Configuration + ?Sized), on: bool) {
        const ENABLE: u32 = 1 << 31;
        const MASK_ALL: u32 = 1 << 30;
        let control = configuration.read32(self.capability) & !(ENABLE | MASK_ALL);
        configuration.write32(self.capability, if on { control | ENABLE } else { control });
    }
}

/// Where a virtio device's registers are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Common configuration.
    pub common: Place,
    /// Where queues are notified.
    pub notify: Place,
    /// Bytes between two queues' places there.
    pub notify_multiplier: u32,
    /// What is particular to this kind of device, if there is anything.
    pub device: Option<Place>,
    /// Its interrupt messages, if it has them.
    pub messages: Option<MessageTable>,
}

/// Offset of the word with command (low half) and status.
const COMMAND: u8 = 0x04;
/// In status: there is a capability list.
const HAS_CAPABILITIES: u32 = 1 << (16 + 4);
/// Offset of the pointer to its first entry, and of the first base address register.
const CAPABILITIES: u8 = 0x34;
const BARS: u8 = 0x10;
/// More capabilities than fit into configuration space: a list that is longer runs in circles.
const MAX_CAPABILITIES: usize = 48;
/// The last offset at which a capability of four words has room.
const LAST_AT: u8 = 0xf0;
/// The type of the capability that says where queues are notified.
const NOTIFY: u32 = 2;
/// Capability numbers: vendor specific, MSI-X.
const VENDOR: u8 = 0x09;
const MSI_X: u8 = 0x11;

/// What kind of virtio device the function is; `None` if it is none. Section 4.1.2: ids from 0x1040 on say it
/// themselves, transitional devices have it in their subsystem id.
#[must_use]
pub fn device_id(configuration: &(impl Configuration + ?Sized)) -> Option<u32> {
    let word = configuration.read32(0);
    match (word & 0xffff, word >> 16) {
        (0x1af4, id @ 0x1040..=0x107f) => Some(id - 0x1040),
        (0x1af4, 0x1000..=0x103f) => Some(configuration.read32(0x2c) >> 16),
        _ => None,
    }
}

/// The physical address in base address register `number`, if it is one for memory and firmware has set it.
#[must_use]
pub fn bar(configuration: &(impl Configuration + ?Sized), number: u8) -> Option<u64> {
    let read = |number: u8| (number < 6).then(|| configuration.read32(BARS + 4 * number));
    let low = read(number)?;
    let high = match (low & 1, low >> 1 & 3) {
        (0, 0) => 0,
        (0, 2) => read(number + 1)?,
        _ => return None,
    };
    let address = u64::from(high) << 32 | u64::from(low & !0xf);
    (address != 0).then_some(address)
}

impl Layout {
    /// Reads the capability list; `None` if the function has no modern interface.
    #[must_use]
    pub fn read(configuration: &(impl Configuration + ?Sized)) -> Option<Self> {
        let mut found = Found::default();
        for capability in capabilities(configuration) {
            found.note(configuration, capability);
        }
        let [_, common, notify, _, device] = found.places;
        let multiplier_at = found.notify_at.checked_add(16)?;
        let notify_multiplier = configuration.read32(multiplier_at);
        Some(Self { common: common?, notify: notify?, notify_multiplier, device, messages: found.messages })
    }
}

/// Offsets of the capabilities, in the order of the list.
fn capabilities(configuration: &(impl Configuration + ?Sized)) -> impl Iterator<Item = u8> {
    let listed = configuration.read32(COMMAND) & HAS_CAPABILITIES != 0;
    let mut next = if listed { configuration.read32(CAPABILITIES) as u8 & !3 } else { 0 };
    core::iter::from_fn(move || {
        let at = next;
        next = (configuration.read32(at) >> 8) as u8 & !3;
        (at >= 0x40).then_some(at)
    })
    .take(MAX_CAPABILITIES)
}

/// What the list has shown so far. Of several capabilities of one type the first counts (section 4.1.4.1).
#[derive(Default)]
struct Found {
    /// By type: 1 the common configuration, 2 where queues are notified, 4 what is particular to the device. Others are
    /// not used.
    places: [Option<Place>; 5],
    /// Offset of the latter's capability.
    notify_at: u8,
    messages: Option<MessageTable>,
}

impl Found {
    fn note(&mut self, configuration: &(impl Configuration + ?Sized), at: u8) {
        let word = configuration.read32(at);
        match word as u8 {
            VENDOR if at <= LAST_AT => self.note_virtio(configuration, at, word >> 24),
            MSI_X if at <= LAST_AT && self.messages.is_none() => {
                let entries = (word >> 16 & 0x7ff) + 1;
                let table = configuration.read32(at + 4);
                let table = Place { bar: table as u8 & 7, offset: table & !7, length: 16 * entries };
                self.messages = Some(MessageTable { capability: at, table });
            }
            _ => {}
        }
    }

    /// Section 4.1.4: type in byte 3, bar in byte 4, offset and length at 8 and 12.
    fn note_virtio(&mut self, configuration: &(impl Configuration + ?Sized), at: u8, kind: u32) {
        let word = |offset: u8| configuration.read32(at + offset);
        let place = Place { bar: word(4) as u8, offset: word(8), length: word(12) };
        // Higher base address registers are reserved for future use: to be skipped.
        if place.bar <= 5
            && place.offset.checked_add(place.length).is_some()
            && let Some(known @ None) = self.places.get_mut(kind as usize)
        {
            *known = Some(place);
            if kind == NOTIFY {
                self.notify_at = at;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{cell::RefCell, vec};

    use super::*;

    struct Space(RefCell<[u8; 256]>);

    impl Configuration for Space {
        fn read32(&self, offset: u8) -> u32 {
            let bytes = self.0.borrow();
            let at = usize::from(offset & !3);
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        }

        fn write32(&self, offset: u8, value: u32) {
            let at = usize::from(offset & !3);
            self.0.borrow_mut()[at..at + 4].copy_from_slice(&value.to_le_bytes());
        }
    }

    /// The shape of QEMU's virtio-serial-pci: MSI-X in BAR 1, the rest in BAR 4.
    fn serial() -> Space {
        let space = Space(RefCell::new([0; 256]));
        let words = vec![
            (0x00, 0x1043_1af4),
            (0x04, 0x0010_0006),
            (0x14, 0xfebd_1000),
            (0x20, 0xfe00_000c),
            (0x24, 0x1),
            (0x34, 0x98),
            (0x98, 0x8001_8411),
            (0x9c, 0x1),
            (0x84, 0x0214_7009),
            (0x88, 4),
            (0x8c, 0x3000),
            (0x90, 0x1000),
            (0x94, 4),
            (0x70, 0x0110_4009),
            (0x74, 4),
            (0x78, 0),
            (0x7c, 0x1000),
            (0x40, 0x0410_0009),
            (0x44, 4),
            (0x48, 0x2000),
            (0x4c, 0x1000),
        ];
        for (offset, word) in words {
            space.write32(offset, word);
        }
        space
    }

    #[test]
    fn layout_comes_from_capabilities() {
        let space = serial();
        assert_eq!(device_id(&space), Some(3));
        let layout = Layout::read(&space).unwrap();
        assert_eq!(layout.common, Place { bar: 4, offset: 0, length: 0x1000 });
        assert_eq!((layout.notify.offset, layout.notify_multiplier), (0x3000, 4));
        let messages = layout.messages.unwrap();
        assert_eq!((messages.capability, messages.table), (0x98, Place { bar: 1, offset: 0, length: 32 }));
        assert_eq!((bar(&space, 4), bar(&space, 1)), (Some(0x1_fe00_0000), Some(0xfebd_1000)));
        assert_eq!((bar(&space, 0), bar(&space, 6), bar(&space, 255)), (None, None, None));
        messages.enable(&space, false);
        assert_eq!(space.read32(0x98), 0x0001_8411);
    }

    #[test]
    fn lists_that_run_in_circles_end() {
        let space = serial();
        space.write32(0x40, 0x0410_9809);
        assert!(Layout::read(&space).is_some());
        space.write32(0x98, 0x9811);
        assert_eq!(Layout::read(&space), None);
    }

    #[test]
    fn every_damaged_byte_is_survived() {
        let step = if cfg!(miri) { 7 } else { 1 };
        for (at, value) in (0..256).step_by(step).flat_map(|at| [(at, 0), (at, 0xff), (at, 0xfe), (at, 0x80)]) {
            let space = serial();
            space.0.borrow_mut()[at] = value;
            let _ = device_id(&space);
            if let Some(layout) = Layout::read(&space) {
                assert!(layout.common.bar < 6);
                let _ = bar(&space, layout.common.bar);
            }
        }
    }
}
