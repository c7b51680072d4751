//! What the command says of an interface ([`launch::Key::Nic`]).

use nic::Address;

/// What a descriptor speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A frame a call, behind virtio's header.
    Tap,
    /// Frames one behind the other, each behind its length.
    Stream,
    /// A frame a call.
    Datagram,
}

/// An interface as the command tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    pub kind: Kind,
    pub address: Address,
    pub mtu: usize,
    pub queues: usize,
}

/// Most queues of one interface.
const QUEUES: usize = 8;

/// Reads it: `tap,02:00:00:00:00:01,1500,2`.
pub fn parse(record: &[u8]) -> Option<Told> {
    let mut fields = core::str::from_utf8(record).ok()?.split(',');
    let kind = match fields.next()? {
        "tap" => Kind::Tap,
        "stream" => Kind::Stream,
        "datagram" => Kind::Datagram,
        _ => return None,
    };
    let mut address = [0; 6];
    let mut bytes = fields.next()?.split(':');
    for place in &mut address {
        *place = u8::from_str_radix(bytes.next()?, 16).ok()?;
    }
    let mtu = fields.next()?.parse().ok()?;
    let queues = fields.next()?.parse().ok().filter(|queues| (1..=QUEUES).contains(queues))?;
    Some(Told { kind, address: Address(address), mtu, queues })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_command_says_is_read_and_nothing_else() {
        let told = Told { kind: Kind::Tap, address: Address([2, 0, 0, 0, 0xab, 1]), mtu: 1500, queues: 2 };
        assert_eq!(parse(b"tap,02:00:00:00:ab:01,1500,2"), Some(told));
        let wrong: [&[u8]; 5] =
            [b"", b"tun,02:00:00:00:ab:01,1500,2", b"tap,02:00,1500,2", b"tap,02:00:00:00:ab:01,1500,0", b"tap,\xff"];
        wrong.into_iter().for_each(|record| assert_eq!(parse(record), None));
    }
}
