//! The clients of DHCP among servers that say anything: answers to what was asked, with options of any kind, at any
//! moment. What they send is well formed, what they believe can be, and they ask neither for ever nor all the time.
#![no_main]

use std::time::Duration;

use libfuzzer_sys::fuzz_target;
use netstack::{
    Address, Instant, Secret,
    dhcp::{Action, Client},
    dhcpv6,
};

const OWN: [u8; 6] = [2, 0, 0, 0, 0, 1];

/// What is sent is a request of ours, and gives its transaction.
fn look(message: &[u8]) -> [u8; 4] {
    assert!(message.len() >= 300 && message[..4] == [1, 1, 6, 0] && message[28..34] == OWN);
    assert_eq!(message[236..240], [99, 130, 83, 99]);
    *message[4..].first_chunk().unwrap()
}

fn act(action: &Action, has: &mut bool, transaction: &mut [u8; 4]) {
    match action {
        Action::Send(message, ..) => *transaction = look(message),
        Action::Bound(lease) => {
            *has = true;
            assert!(lease.prefix.contains(lease.address.into()) && lease.prefix.length <= 32);
            assert!(!lease.address.is_unspecified() && !lease.address.is_multicast() && !lease.address.is_broadcast());
            assert!(lease.servers.len() <= 8 && lease.mtu.is_none_or(|mtu| mtu >= 576));
            assert!(lease.duration.is_none_or(|duration| duration >= Duration::from_secs(30)));
        }
        Action::Lost => assert!(std::mem::replace(has, false), "what was lost was there"),
    }
}

/// Does what is due: not without end.
fn settle(client: &mut Client, now: Instant, has: &mut bool, transaction: &mut [u8; 4]) {
    for _ in 0..8 {
        let Some(action) = client.poll(now) else {
            assert!(client.deadline().is_none_or(|due| due > now), "it wants to be asked again at once");
            return;
        };
        act(&action, has, transaction);
    }
    panic!("it has something to do for ever");
}

/// An answer with options; a wrong byte now and then.
fn answer(transaction: [u8; 4], kind: u8, address: [u8; 4], options: &[u8]) -> Vec<u8> {
    let mut message = vec![2, 1, 6, 0];
    message.extend(transaction);
    message.extend([0; 8]);
    message.extend(address);
    message.extend([0; 8]);
    message.extend(OWN);
    message.resize(236, 0);
    message.extend([99, 130, 83, 99, 53, 1, kind, 54, 4, 10, 0, 0, 9]);
    message.extend(options);
    message
}

fuzz_target!(|bytes: &[u8]| {
    let mut now = Instant::from_nanos(0);
    let mut client = Client::new(now, Address(OWN), Secret::new([7; 32]).random("fuzz"));
    let mut v6 = dhcpv6::Client::new(now, Address(OWN), Secret::new([8; 32]).random("fuzz"));
    let (mut has, mut transaction, mut transaction_v6) = (false, [0; 4], [0; 3]);
    let mut rest = bytes;
    while let [step, length, after @ ..] = rest {
        let (said, after) = after.split_at(after.len().min(usize::from(*length)));
        rest = after;
        now += Duration::from_millis(1 << (step >> 3));
        settle(&mut client, now, &mut has, &mut transaction);
        if let Some(message) = v6.poll(now) {
            assert!(message[0] == 11 && v6.deadline() > now);
            transaction_v6 = *message[1..].first_chunk().unwrap();
        }
        let action = match step & 7 {
            0 => client.receive(now, said),
            1 => client.receive(now, &answer(transaction, 2, [10, 0, 0, 77], said)),
            2 => client.receive(now, &answer(transaction, 5, [10, 0, 0, 77], said)),
            3 => client.receive(now, &answer(transaction, 6, [0; 4], said)),
            4 => client.receive(now, &answer(transaction, 5, *said.first_chunk().unwrap_or(&[10, 0, 0, 78]), said)),
            5 => {
                let message = [&[7][..], &transaction_v6, &[0, 2, 0, 4, 0, 3, 0, 1], said].concat();
                if let Some(answer) = v6.receive(now, &message) {
                    assert!(answer.refresh >= Duration::from_secs(600) && v6.deadline() > now);
                }
                None
            }
            6 => {
                let _ = v6.receive(now, said);
                None
            }
            _ => None,
        };
        if let Some(action) = action {
            act(&action, &mut has, &mut transaction);
        }
        assert_eq!(client.lease().is_some(), has);
        settle(&mut client, now, &mut has, &mut transaction);
    }
});
