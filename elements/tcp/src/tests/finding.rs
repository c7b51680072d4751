//! Whose a segment is: those that were found of late are found in fewer steps, and never instead of others.

use packets::tcp::Flags;

use super::world::*;
use crate::State;

/// More than are remembered, so some are in each other's way.
const MANY: usize = 400;

#[test]
fn connections_in_each_others_way_get_what_is_theirs() {
    let mut world = World::new();
    let listener = world.listen(MANY as u32);
    let clients: alloc::vec::Vec<_> = (0..MANY).map(|_| world.connect()).collect();
    world.run(millis(100));
    let servers: alloc::vec::Vec<_> = clients.iter().map(|_| world.sides[1].tcp.accept(listener).unwrap()).collect();
    for round in 0..3 {
        for (number, client) in clients.iter().enumerate() {
            world.write(0, *client, &stream(number + round, 64)).unwrap();
        }
        world.run(millis(100));
        for (number, client) in clients.iter().enumerate() {
            let local = world.sides[0].tcp.local(*client).unwrap();
            let server = servers.iter().find(|(_, from)| *from == local).unwrap().0;
            assert_eq!(world.read(1, server).unwrap(), stream(number + round, 64), "{number}");
        }
    }
}

#[test]
fn one_that_is_over_is_not_found_though_its_program_still_has_it() {
    let mut world = World::new();
    let (client, server, listener) = world.pair();
    world.write(0, client, b"so that it is remembered").unwrap();
    world.run(millis(100));
    let reset = Forged { flags: Flags::RST, ..Forged::after(&world, 0) };
    world.forge(1, &reset);
    assert_eq!(world.sides[1].tcp.info(server).unwrap().state, State::Closed);
    let before = world.log.len();
    world.forge(1, &Forged::syn(reset.ports.0, 1_000_000));
    let answers = world.seen(before, 1);
    assert_eq!(answers[0].flags(), Flags::SYN | Flags::ACK, "it is the listener's");
    assert!(world.sides[1].tcp.info(listener).is_ok());
}
