//! The network that is not there.

use alloc::sync::Arc;

use sync::WaitQueue;

use crate::{Error, Family, Form, NoSockets, Readiness, Setting, Socket, Sockets};

#[test]
fn without_a_network_no_family_is_there() {
    let network = NoSockets::new();
    for form in
        [Form::Stream(Family::V4), Form::Datagrams(Family::V6), Form::Echoes(Family::V4), Form::Raw(Family::V6, 89)]
    {
        assert_eq!(network.open(form, Arc::new(WaitQueue::new())), Err(Error::Family), "{form:?}");
    }
    let nobody = Socket(0);
    assert_eq!(network.get(nobody, Setting::NoDelay(true)), Err(Error::Stale));
    assert_eq!(network.readiness(nobody), Readiness::empty());
    assert!(!network.look() && network.name_server(0).is_none());
}
