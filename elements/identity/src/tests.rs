//! The rules, as capabilities(7) and credentials(7) tell them.

use core::num::NonZeroU32;

use super::*;

const SETUID: Set = Set(1 << 7);
const CHOWN: Set = Set(1);

fn root() -> Identity {
    Identity::new(0, 0)
}

fn set_all(identity: &mut Identity, wanted: [u32; 3]) -> Result<(), NotPermitted> {
    identity.change_user(|user, privileged| user.set_all(wanted.map(Some), privileged))
}

#[test]
fn root_that_leaves_for_good_has_nothing() {
    let mut identity = root();
    assert_eq!(set_all(&mut identity, [7; 3]), Ok(()));
    assert_eq!((identity.capabilities.permitted, identity.capabilities.effective), (Set::NONE, Set::NONE));
    assert_eq!(identity.capabilities.bounding, Set::ALL);
    assert_eq!(set_all(&mut identity, [0; 3]), Err(NotPermitted));
    assert_eq!(identity.user, Ids::new(7));
}

#[test]
fn root_that_can_come_back_only_has_nothing_in_effect() {
    let mut identity = root();
    assert_eq!(set_all(&mut identity, [0, 7, 0]), Ok(()));
    assert_eq!((identity.capabilities.permitted, identity.capabilities.effective), (Set::ALL, Set::NONE));
    assert_eq!(identity.user.file, 7);
    assert_eq!(set_all(&mut identity, [0, 0, 0]), Ok(()));
    assert_eq!(identity.capabilities.effective, Set::ALL);
}

#[test]
fn capabilities_are_kept_where_that_was_asked_for() {
    let mut identity = root();
    assert_eq!(identity.secure.keep(true), Ok(()));
    assert_eq!(set_all(&mut identity, [7; 3]), Ok(()));
    assert_eq!((identity.capabilities.permitted, identity.capabilities.effective), (Set::ALL, Set::NONE));
    assert_eq!(identity.capabilities.set(SETUID, SETUID, Set::NONE), Ok(()));
    assert_eq!(set_all(&mut identity, [8; 3]), Ok(()));
    assert_eq!(identity.capabilities.effective, SETUID);
    assert!(!identity.execute(SetIds::default(), false));
    assert_eq!((identity.capabilities.permitted, identity.secure), (Set::NONE, SecureBits(0)));
    // And where users are nothing to them.
    let mut identity = root();
    assert_eq!(identity.set_secure(1 << 2), Ok(()));
    assert_eq!(set_all(&mut identity, [7; 3]), Ok(()));
    assert_eq!(identity.capabilities.effective, Set::ALL);
}

#[test]
fn what_is_given_up_does_not_come_back() {
    let mut identity = root();
    let sets = &mut identity.capabilities;
    assert_eq!(sets.set(Set::NONE, SETUID, Set::NONE), Ok(()));
    assert_eq!(sets.set(SETUID, SETUID, Set::NONE), Ok(()));
    assert_eq!(sets.set(SETUID, Set::NONE, Set::NONE), Err(NotPermitted));
    assert_eq!(sets.set(SETUID, SETUID.and(CHOWN), Set::NONE), Err(NotPermitted));
    assert_eq!(sets.set(SETUID, SETUID, CHOWN), Err(NotPermitted), "without setpcap only what is permitted");
    assert_eq!(sets.set(SETUID, SETUID, SETUID), Ok(()));
    assert_eq!((sets.drop_bounding(CHOWN), sets.bounding), (Err(NotPermitted), Set::ALL));
    assert!(!identity.execute(SetIds::default(), false));
    assert_eq!(identity.capabilities.permitted, Set::ALL, "root gains all that is in the bounding set");
    assert_eq!(identity.capabilities.drop_bounding(CHOWN), Ok(()));
    assert!(!identity.execute(SetIds::default(), false));
    assert_eq!(identity.capabilities.effective, Set::ALL.without(CHOWN));
    assert_eq!(identity.capabilities.set(Set::NONE, Set::NONE, CHOWN), Err(NotPermitted));
}

#[test]
fn ambient_capabilities_stay_through_programs() {
    let mut identity = root();
    assert_eq!(identity.capabilities.raise_ambient(CHOWN, false), Err(NotPermitted));
    assert_eq!(identity.capabilities.set(Set::ALL, Set::ALL, CHOWN), Ok(()));
    assert_eq!(identity.capabilities.raise_ambient(CHOWN, true), Err(NotPermitted));
    assert_eq!(identity.secure.keep(true), Ok(()));
    assert_eq!(set_all(&mut identity, [7; 3]), Ok(()));
    assert_eq!(identity.capabilities.raise_ambient(CHOWN, identity.secure.forbids_ambient()), Ok(()));
    assert!(!identity.execute(SetIds::default(), false));
    let sets = identity.capabilities;
    assert_eq!([sets.permitted, sets.effective, sets.ambient, sets.inheritable], [CHOWN; 4]);
    assert_eq!(identity.capabilities.set(CHOWN, CHOWN, Set::NONE), Ok(()));
    assert_eq!(identity.capabilities.ambient, Set::NONE);
    // They go with root.
    let mut identity = root();
    assert_eq!(identity.capabilities.set(Set::ALL, Set::ALL, CHOWN), Ok(()));
    assert_eq!(identity.capabilities.raise_ambient(CHOWN, false), Ok(()));
    assert_eq!(set_all(&mut identity, [7; 3]), Ok(()));
    assert_eq!(identity.capabilities.ambient, Set::NONE);
}

#[test]
fn those_for_files_follow_the_user_for_files() {
    let mut identity = root();
    assert_eq!(identity.set_file_user(7), 0);
    assert_eq!(identity.capabilities.effective, Set::ALL.without(Set::FILES));
    assert_eq!((identity.set_file_user(u32::MAX), identity.user.file), (7, 7));
    assert_eq!((identity.set_file_user(0), identity.capabilities.effective), (7, Set::ALL));
    let mut other = Identity::new(5, 5);
    assert_eq!((other.set_file_user(6), other.set_file_user(5)), (5, 5));
}

#[test]
fn locked_bits_stay() {
    let mut identity = root();
    assert_eq!(identity.set_secure(0x1 | 0x2), Ok(()));
    assert_eq!(
        [identity.set_secure(0x1), identity.set_secure(0x2), identity.set_secure(0x100)],
        [Err(NotPermitted); 3]
    );
    assert_eq!(identity.set_secure(0x1 | 0x2 | 0x20), Ok(()));
    assert_eq!(identity.secure.keep(true), Err(NotPermitted));
    assert!(!identity.execute(SetIds::default(), false));
    assert_eq!(identity.capabilities.permitted, Set::NONE, "root is nobody");
    assert_eq!(identity.set_secure(0x1 | 0x2 | 0x20), Err(NotPermitted));
}

#[test]
fn groups_bring_nothing() {
    let mut identity = root();
    assert_eq!(identity.change_group(|group, privileged| group.set(9, privileged)), Ok(()));
    assert_eq!((identity.group, identity.capabilities.effective), (Ids::new(9), Set::ALL));
    let mut other = Identity::new(5, 5);
    assert_eq!(other.change_group(|group, privileged| group.set(9, privileged)), Err(NotPermitted));
}

#[test]
fn the_real_user_counts_for_access() {
    let mut identity = root();
    assert_eq!(set_all(&mut identity, [0, 7, 7]), Ok(()));
    assert_eq!((identity.capabilities.effective, identity.real_capabilities()), (Set::NONE, Set::ALL));
    assert_eq!(set_all(&mut identity, [0, 0, 0]), Ok(()));
    assert_eq!(set_all(&mut identity, [7, 0, 0]), Ok(()));
    assert_eq!((identity.capabilities.effective, identity.real_capabilities()), (Set::ALL, Set::NONE));
}

#[test]
fn who_logged_in_is_said_once_but_by_who_may() {
    let mut identity = Identity::new(1000, 1000);
    let [first, second] = [1, 2].map(|session| NonZeroU32::new(session).map(|session| Login { user: 1000, session }));
    assert_eq!((identity.set_login(first), identity.login), (Ok(()), first));
    assert_eq!((identity.set_login(second), identity.set_login(None)), (Err(NotPermitted), Err(NotPermitted)));
    assert_eq!(identity.login, first);
    let mut root = Identity { login: first, ..Identity::new(0, 0) };
    assert_eq!((root.set_login(second), root.login), (Ok(()), second));
    assert_eq!((root.set_login(None), root.login), (Ok(()), None));
}

#[test]
fn a_file_makes_its_owner_of_who_executes_it() {
    assert_eq!(SetIds::of(0o6755, 3, 4), SetIds { user: Some(3), group: Some(4) });
    assert_eq!(SetIds::of(0o2745, 3, 4), SetIds::default());
    let of_root = SetIds { user: Some(0), group: None };
    let mut identity = Identity::new(7, 7);
    assert!(identity.execute(of_root, false));
    let root_now = Ids { effective: 0, saved: 0, file: 0, ..Ids::new(7) };
    assert_eq!((identity.user, identity.group), (root_now, Ids::new(7)));
    assert_eq!((identity.capabilities.permitted, identity.capabilities.effective), (Set::ALL, Set::ALL));
    // It stays so through the programs that this one becomes, which still trust nobody.
    assert!(identity.execute(SetIds::default(), false));
    assert_eq!((identity.user, identity.capabilities.effective), (root_now, Set::ALL));
    // Another user's file brings that one's id and no capabilities, and takes those of root in effect.
    let mut identity = root();
    assert!(identity.execute(SetIds { user: Some(9), group: Some(8) }, false));
    assert_eq!((identity.user.effective, identity.user.saved, identity.group.effective), (9, 9, 8));
    assert_eq!((identity.capabilities.permitted, identity.capabilities.effective), (Set::ALL, Set::NONE));
}

#[test]
fn nothing_is_gained_by_who_gave_that_up_or_is_not_alone() {
    let of_root = SetIds { user: Some(0), group: Some(0) };
    let mut identity = Identity { gains_nothing: true, ..Identity::new(7, 7) };
    assert!(!identity.execute(of_root, false));
    assert_eq!(identity, Identity { gains_nothing: true, ..Identity::new(7, 7) });
    let mut identity = Identity::new(7, 7);
    assert!(identity.execute(of_root, true), "it is still told to trust nobody");
    assert_eq!(identity, Identity::new(7, 7));
    // Root that gave up capabilities does not have them back then.
    let mut identity = root();
    assert_eq!(identity.capabilities.set(CHOWN, CHOWN, Set::NONE), Ok(()));
    identity.gains_nothing = true;
    assert!(!identity.execute(SetIds::default(), false));
    assert_eq!(identity.capabilities.permitted, CHOWN);
}

#[test]
fn ambient_capabilities_end_where_ids_are_set() {
    let mut identity = Identity::new(7, 7);
    let sets = &mut identity.capabilities;
    (sets.permitted, sets.inheritable, sets.ambient) = (CHOWN, CHOWN, CHOWN);
    assert!(!identity.execute(SetIds::default(), false));
    assert_eq!(identity.capabilities.effective, CHOWN);
    assert!(identity.execute(SetIds { user: Some(9), group: None }, false));
    assert_eq!((identity.capabilities.ambient, identity.capabilities.permitted), (Set::NONE, Set::NONE));
}
