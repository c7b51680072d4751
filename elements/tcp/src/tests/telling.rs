//! What `TCP_INFO` tells of time: what held a connection back, and when something was heard.

use core::time::Duration;

use super::world::*;

#[test]
fn a_closed_window_and_a_full_queue_are_told_apart() {
    let mut world = World::new();
    let listener = world.listen(8);
    world.set(1, listener, |settings| settings.receive_limit = Some(20_000));
    let client = world.connect();
    world.run(millis(50));
    let server = world.sides[1].tcp.accept(listener).unwrap().0;
    let busy = |world: &World| world.sides[0].tcp.info(client).unwrap().busy;
    assert_eq!(busy(&world).all(world.now), Duration::ZERO, "nothing was to be sent");
    world.write(0, client, &stream(0, 60_000)).unwrap();
    world.run(millis(1000));
    let (all, held) = (busy(&world).all(world.now), busy(&world).by_window(world.now));
    assert!(all >= millis(1000) && held >= millis(900) && held < all, "{all:?} {held:?}");
    assert_eq!(busy(&world).by_queue(world.now), Duration::ZERO);
    for _ in 0..100 {
        let _ = world.read(1, server);
        world.run(millis(20));
    }
    let after = busy(&world).all(world.now);
    world.run(millis(500));
    assert_eq!(busy(&world).all(world.now), after, "all is acknowledged");
}

#[test]
fn a_program_that_would_write_more_is_held_by_its_queue() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.set(0, client, |settings| (settings.no_delay, settings.send_limit) = (true, Some(5_000)));
    world.run(millis(100));
    while world.write(0, client, &stream(0, 2_000)).is_ok() {}
    world.run(millis(5));
    let busy = |world: &World| world.sides[0].tcp.info(client).unwrap().busy;
    assert!(busy(&world).by_queue(world.now) >= millis(4), "{:?}", busy(&world));
    let _ = world.read(1, server);
    world.run(millis(1000));
    assert!(busy(&world).by_queue(world.now) <= millis(60));
}

#[test]
fn when_data_came_last_is_told() {
    let mut world = World::new();
    let (client, server, _) = world.pair();
    world.run(millis(300));
    world.write(1, server, &[1]).unwrap();
    world.run(millis(100));
    let info = world.sides[0].tcp.info(client).unwrap();
    let span = world.now.since(info.data_received);
    assert!(span >= millis(90) && span <= millis(100), "{span:?}");
    assert!(world.now.since(info.data_sent) >= millis(390));
}
