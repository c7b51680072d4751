//! Knobs by Linux' names.

use alloc::vec::Vec;

use super::world::*;
use crate::{Cubic, Family, KnobError, Limits, Tcp};

#[test]
fn each_knob_tells_what_it_takes() {
    let mut tcp = Tcp::<Cubic>::new([7; 32], Limits::default());
    let names: Vec<_> = Tcp::<Cubic>::knobs().collect();
    assert!(names.is_sorted(), "found at a glance: {names:?}");
    for name in names {
        let told = tcp.knob(name).unwrap();
        assert_eq!(tcp.turn(name, &told), Ok(()), "{name} = {told}");
        assert_eq!(tcp.knob(name).as_ref(), Some(&told), "{name}");
        for wrong in ["", "-1", "many", "1 2", "1 2 3 4"] {
            assert_eq!(tcp.turn(name, wrong), Err(KnobError::Invalid), "{name} = {wrong}");
        }
        assert_eq!(tcp.knob(name), Some(told), "{name}: what is wrong changes nothing");
    }
    assert_eq!(tcp.turn("tcp_nothing", "1"), Err(KnobError::Unknown));
    assert_eq!(tcp.knob("tcp_nothing"), None);
}

#[test]
fn knobs_of_sockets_are_for_those_that_come_later() {
    let mut tcp = Tcp::<Cubic>::new([7; 32], Limits::default());
    let old = tcp.open(Family::V4).unwrap();
    tcp.turn("tcp_syn_retries", "2").unwrap();
    tcp.turn("tcp_keepalive_time", "60").unwrap();
    let new = tcp.open(Family::V4).unwrap();
    let retries = |handle| tcp.settings(handle).unwrap().syn_retries;
    assert_eq!((retries(old), retries(new)), (6, 2));
    assert_eq!(tcp.settings(new).unwrap().keep_idle.as_secs(), 60);
    assert_eq!(tcp.turn("tcp_syn_retries", "256"), Err(KnobError::Invalid), "it would not fit");
}

#[test]
fn an_idle_connection_keeps_its_window_if_told() {
    let mut world = World::new();
    world.sides[0].tcp.turn("tcp_slow_start_after_idle", "0").unwrap();
    let (client, server, _) = world.pair();
    for _ in 0..20 {
        world.write(0, client, &stream(0, 60_000)).unwrap_or(0);
        world.run(millis(20));
        let _ = world.read(1, server);
    }
    world.run(millis(1000));
    let before = world.sides[0].tcp.info(client).unwrap().congestion_window;
    assert!(before > 20, "{before}");
    world.run(core::time::Duration::from_secs(10));
    world.write(0, client, &[1]).unwrap();
    assert_eq!(world.sides[0].tcp.info(client).unwrap().congestion_window, before);
}
