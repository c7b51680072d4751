//! Families on the host.

extern crate std;

use std::{vec, vec::Vec};

use crate::{Bereaved, Clones, Families, Found, News, NoChild, NotAllowed, Wanted, Who};

const FIRST: u32 = 1;
const USUAL: u8 = 17;

fn families() -> Families {
    let mut families = Families::new();
    families.begin(FIRST);
    families
}

fn child(families: &mut Families, number: u32, parent: u32) {
    assert_eq!(families.add(number, parent, false, USUAL), Some(parent));
}

fn wanted(who: Who) -> Wanted {
    Wanted { who, clones: Clones::Not, usual: USUAL, ended: true, stopped: false, continued: false, keep: false }
}

fn exited(number: u32, status: u8) -> Result<Option<Found>, NoChild> {
    Ok(Some(Found { number, news: News::Exited(status), gone: true }))
}

#[test]
fn a_child_is_waited_for_once() {
    let mut families = families();
    assert_eq!(families.wait(FIRST, &wanted(Who::Any)), Err(NoChild));
    child(&mut families, 2, FIRST);
    assert_eq!(families.wait(FIRST, &wanted(Who::Any)), Ok(None));
    let ended = families.end(2, News::Exited(3)).unwrap();
    assert_eq!(ended.parent, Some((FIRST, USUAL)));
    assert!(families.has_ended(2));
    let kept = Wanted { keep: true, ..wanted(Who::Any) };
    assert_eq!(families.wait(FIRST, &kept), Ok(Some(Found { number: 2, news: News::Exited(3), gone: false })));
    assert_eq!(families.wait(FIRST, &wanted(Who::Process(2))), exited(2, 3));
    assert!(!families.has(2));
    assert_eq!(families.wait(FIRST, &wanted(Who::Process(2))), Err(NoChild));
}

#[test]
fn another_ones_child_is_not_waited_for() {
    let mut families = families();
    child(&mut families, 2, FIRST);
    child(&mut families, 3, 2);
    assert_eq!(families.wait(FIRST, &wanted(Who::Process(3))), Err(NoChild));
    assert_eq!(families.wait(2, &wanted(Who::Process(3))), Ok(None));
    assert_eq!(families.add(4, 2, true, USUAL), Some(FIRST), "a sibling");
    assert_eq!(families.parent(4), Some(FIRST));
}

#[test]
fn stops_and_what_follows_are_told_once() {
    let mut families = families();
    child(&mut families, 2, FIRST);
    let all = Wanted { stopped: true, continued: true, ..wanted(Who::Any) };
    assert_eq!(families.stop(2, 19), Some(FIRST));
    assert_eq!(families.wait(FIRST, &wanted(Who::Any)), Ok(None), "not asked for");
    assert_eq!(families.wait(FIRST, &all), Ok(Some(Found { number: 2, news: News::Stopped(19), gone: false })));
    assert_eq!(families.wait(FIRST, &all), Ok(None));
    assert!(families.is_stopped(2));
    assert_eq!(families.go_on(2), Some(FIRST));
    assert_eq!(families.wait(FIRST, &all), Ok(Some(Found { number: 2, news: News::Continued, gone: false })));
    assert_eq!(families.wait(FIRST, &all), Ok(None));
    assert_eq!(families.stop(FIRST, 19), None, "nobody is the first one's parent");
}

#[test]
fn who_sends_another_signal_is_waited_for_when_asked() {
    let mut families = families();
    assert_eq!(families.add(2, FIRST, false, 0), Some(FIRST));
    families.end(2, News::Exited(0));
    assert_eq!(families.wait(FIRST, &wanted(Who::Any)), Err(NoChild));
    let only = Wanted { clones: Clones::Only, ..wanted(Who::Any) };
    let too = Wanted { clones: Clones::Too, keep: true, ..wanted(Who::Any) };
    assert!(matches!(families.wait(FIRST, &too), Ok(Some(_))));
    assert_eq!(families.wait(FIRST, &only), exited(2, 0));
}

#[test]
fn orphans_are_the_first_ones_which_forgets_them() {
    let mut families = families();
    child(&mut families, 2, FIRST);
    child(&mut families, 3, 2);
    child(&mut families, 4, 2);
    families.end(4, News::Killed(9));
    let ended = families.end(2, News::Exited(0)).unwrap();
    let orphans = vec![
        Bereaved { number: 3, parent: FIRST, ended: None },
        Bereaved { number: 4, parent: FIRST, ended: Some((News::Killed(9), None)) },
    ];
    assert_eq!(ended.children, orphans);
    assert!(!families.has(4), "it had ended, and the first one does not want to know");
    assert_eq!(families.wait(FIRST, &wanted(Who::Any)), exited(2, 0));
    assert_eq!(families.wait(FIRST, &wanted(Who::Any)), Err(NoChild), "it did not make the other one");
    assert_eq!(families.end(3, News::Exited(0)).unwrap().parent, None);
    assert!(!families.has(3));
}

#[test]
fn orphans_are_the_next_ones_that_adopts() {
    let mut families = families();
    child(&mut families, 2, FIRST);
    child(&mut families, 3, 2);
    child(&mut families, 4, 3);
    child(&mut families, 5, 3);
    families.set_adopts(2, true);
    families.end(5, News::Exited(7));
    let ended = families.end(3, News::Exited(0)).unwrap();
    let orphans = vec![
        Bereaved { number: 4, parent: 2, ended: None },
        Bereaved { number: 5, parent: 2, ended: Some((News::Exited(7), Some(USUAL))) },
    ];
    assert_eq!(ended.children, orphans);
    assert_eq!(families.wait(2, &wanted(Who::Process(5))), exited(5, 7));
    assert_eq!(families.end(4, News::Exited(0)).unwrap().parent, Some((2, USUAL)));
}

#[test]
fn groups_are_chosen_by_who_may() {
    let mut families = families();
    child(&mut families, 2, FIRST);
    child(&mut families, 3, 2);
    assert_eq!(families.set_group(2, FIRST, 2), Err(NotAllowed::NoProcess), "the parent");
    assert_eq!(families.set_group(FIRST, 3, 3), Err(NotAllowed::NoProcess), "a grandchild");
    assert_eq!(families.set_group(FIRST, 2, 9), Err(NotAllowed::Refused), "no such group");
    assert_eq!(families.set_group(FIRST, 2, 2), Ok(()));
    assert_eq!(families.set_group(2, 3, 2), Ok(()));
    assert_eq!(families.group_members(2).collect::<Vec<_>>(), [2, 3]);
    families.execute(3, USUAL);
    assert_eq!(families.set_group(2, 3, 3), Err(NotAllowed::Executed));
    assert_eq!(families.set_group(3, 3, 3), Ok(()), "itself");
    assert_eq!(families.set_group(FIRST, FIRST, FIRST), Err(NotAllowed::Refused), "it leads a session");
    assert_eq!(families.set_session(3), Err(NotAllowed::Refused), "it leads a group");
    assert_eq!(families.set_group(3, 3, 2), Ok(()));
    assert_eq!(families.set_session(3), Ok(()));
    assert_eq!((families.group(3), families.session(3)), (Some(3), Some(3)));
    assert_eq!(families.set_group(2, 2, 3), Err(NotAllowed::Refused), "another session's");
    assert_eq!(families.session_members(FIRST).collect::<Vec<_>>(), [FIRST, 2]);
}

#[test]
fn stopped_groups_that_nobody_minds_are_hung_up() {
    let mut families = families();
    child(&mut families, 2, FIRST);
    child(&mut families, 3, 2);
    families.set_group(FIRST, 2, 2).unwrap();
    families.set_group(2, 3, 3).unwrap();
    families.stop(3, 20);
    let ended = families.end(2, News::Exited(0)).unwrap();
    assert_eq!(ended.hung_up, [3]);
    families.go_on(3);
    assert_eq!(families.end(3, News::Exited(0)).unwrap().hung_up, []);
}

#[test]
fn ten_thousand_take_steps_like_one() {
    let mut families = families();
    for number in 2..10_002 {
        child(&mut families, number, FIRST);
    }
    for number in (2..10_002).rev() {
        families.end(number, News::Exited(0)).unwrap();
        assert_eq!(families.wait(FIRST, &wanted(Who::Process(number))), exited(number, 0));
    }
    assert_eq!(families.wait(FIRST, &wanted(Who::Any)), Err(NoChild));
}
