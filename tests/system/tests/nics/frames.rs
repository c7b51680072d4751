//! A peer that makes frames by hand: ARP (RFC 826), ICMP (RFC 792) and UDP (RFC 768) over IPv4.

use super::links::Link;

const OURS: [u8; 6] = [2, 0, 0, 0, 0, 0x77];
const ADDRESS: [u8; 4] = [10, 0, 2, 2];
const THEIRS: [u8; 4] = [10, 0, 2, 15];
const ICMP: u8 = 1;
const UDP: u8 = 17;
const PORTS: [u16; 2] = [1234, 7];

/// The other end of a link.
pub struct Peer {
    link: Link,
    /// The machine's address.
    machine: [u8; 6],
}

/// The checksum of the Internet (RFC 1071), word by word.
fn checksum(bytes: &[u8]) -> u16 {
    let sum: u32 = bytes.chunks(2).map(|word| u32::from(word[0]) << 8 | word.get(1).map_or(0, |&low| low.into())).sum();
    let sum = (sum & 0xffff) + (sum >> 16);
    !((sum & 0xffff) + (sum >> 16)) as u16
}

/// So many bytes that no header has.
pub fn payload(length: usize) -> Vec<u8> {
    (0..length).map(|at| (at * 31 + length) as u8).collect()
}

impl Peer {
    pub const fn new(link: Link) -> Self {
        Self { link, machine: [0xff; 6] }
    }

    /// Asks who has the machine's address.
    pub fn resolve(&mut self) {
        let head: [u8; 8] = [0, 1, 8, 0, 6, 4, 0, 1];
        self.send(0x0806, &[&head[..], &OURS, &ADDRESS, &[0; 6], &THEIRS].concat());
        let frame = self.link.receive();
        assert_eq!((&frame[..6], &frame[12..14], frame.len()), (&OURS[..], &[8, 6][..], 42));
        self.machine = frame[6..12].try_into().unwrap();
        let answer = [&[0, 1, 8, 0, 6, 4, 0, 2][..], &self.machine, &THEIRS, &OURS, &ADDRESS].concat();
        assert_eq!(frame[14..], answer);
    }

    fn send(&mut self, kind: u16, payload: &[u8]) {
        let frame = [&self.machine[..], &OURS, &kind.to_be_bytes(), payload].concat();
        self.link.send(&frame);
    }

    fn send_ip(&mut self, protocol: u8, payload: &[u8]) {
        let mut header =
            [&[0x45, 0][..], &(20 + payload.len() as u16).to_be_bytes(), &[0, 1, 0x40, 0, 64, protocol, 0, 0]].concat();
        header.extend([ADDRESS, THEIRS].concat());
        let sum = checksum(&header);
        header[10..12].copy_from_slice(&sum.to_be_bytes());
        self.send(0x0800, &[&header, payload].concat());
    }

    /// The payload of an answer over IP.
    fn receive_ip(&mut self, protocol: u8) -> Vec<u8> {
        let frame = self.link.receive();
        assert_eq!((&frame[..6], &frame[6..12], &frame[12..14]), (&OURS[..], &self.machine[..], &[8, 0][..]));
        let packet = &frame[14..];
        assert_eq!((checksum(&packet[..20]), packet[9]), (0, protocol));
        assert_eq!((&packet[12..16], &packet[16..20]), (&THEIRS[..], &ADDRESS[..]));
        packet[20..].to_vec()
    }

    /// An echo request with so many bytes, and its answer.
    pub fn ping(&mut self, length: usize) {
        let mut message = [&[8, 0, 0, 0, 0, 7, 0, 1][..], &vec![0xa5; length]].concat();
        let sum = checksum(&message);
        message[2..4].copy_from_slice(&sum.to_be_bytes());
        self.send_ip(ICMP, &message);
        let answer = self.receive_ip(ICMP);
        assert_eq!((answer[0], checksum(&answer), &answer[4..]), (0, 0, &message[4..]));
    }

    fn send_udp(&mut self, payload: &[u8]) {
        let [source, destination] = PORTS.map(u16::to_be_bytes);
        let length = (8 + payload.len() as u16).to_be_bytes();
        self.send_ip(UDP, &[&source[..], &destination, &length, &[0, 0], payload].concat());
    }

    fn expect_udp(&mut self, payload: &[u8]) {
        let answer = self.receive_ip(UDP);
        let [source, destination] = PORTS.map(u16::to_be_bytes);
        assert_eq!((&answer[..2], &answer[2..4]), (&destination[..], &source[..]));
        assert!(answer[8..] == *payload, "{} bytes came back of {}", answer.len() - 8, payload.len());
    }

    /// A datagram of so many bytes there and back.
    pub fn echo(&mut self, length: usize) {
        let payload = payload(length);
        self.send_udp(&payload);
        self.expect_udp(&payload);
    }

    /// Datagrams one behind the other: ten are under way. All come back in their order.
    pub fn burst(&mut self, count: usize) {
        const WINDOW: usize = 10;
        for number in 0..count + WINDOW {
            if number < count {
                self.send_udp(&number.to_be_bytes());
            }
            if number >= WINDOW {
                self.expect_udp(&(number - WINDOW).to_be_bytes());
            }
        }
    }

    /// Tells the machine to end.
    pub fn end(&mut self) {
        // Who ends may take the answer along, so none is waited for: it is the end that counts.
        self.send_udp(b"end");
    }
}
