//! File contents as pages that programs have mapped (mmap(2)).

use alloc::{
    sync::{Arc, Weak},
    vec::Vec,
};
use core::ops::Range;

use pages::Page;
use sync::Mutex;

use crate::FileError;

/// Contents that can be mapped, page by page of [`pages::SIZE`] bytes.
pub trait FilePages: Send + Sync {
    /// The page of that number, brought in or made if it has to be; [`FileError::NotFound`] behind the last byte (a
    /// SIGBUS there). With `write` a program is about to store into it, and the file is to know.
    /// It may have to be waited for.
    fn page(&self, number: u64, write: bool) -> Result<Arc<Page>, FileError>;

    /// The same if that needs no wait, as a spin lock is held; else `None`, and [`FilePages::page`] is to be asked
    /// without one.
    ///
    /// Whoever asks may show it to programs. Before the file lets go of it, or puts another one in its place, it calls
    /// [`Mappings::forget`], holding no lock that this method takes.
    fn page_here(&self, number: u64, write: bool) -> Result<Option<Arc<Page>>, FileError>;

    /// How many pages from that number on, at most `most`, the file has in memory one behind the other from `address`
    /// on, and may show to one who reads. None is made or brought for that. As with [`FilePages::page_here`], whoever
    /// asks may show them.
    fn run(&self, _number: u64, _address: usize, _most: usize) -> usize {
        0
    }

    /// Somebody is about to read the page of that number as if he had touched it in a mapping: its neighbours may come
    /// in with it.
    fn expect(&self, _number: u64) {}

    /// Who shows pages of this file.
    fn mappings(&self) -> &Mappings;
}

/// How many of `pages` lie one behind the other from `address` on.
pub fn run_of(pages: impl Iterator<Item = Option<usize>>, address: usize) -> usize {
    let places = (address..).step_by(pages::SIZE);
    pages.zip(places).take_while(|(page, place)| page == &Some(*place)).count()
}

/// One who shows pages of files to programs: an address space.
pub trait Shows: Send + Sync {
    /// Shows these pages of the file with these mappings no longer; who looks again asks for them again.
    fn forget(&self, file: &Mappings, pages: Range<u64>);
}

/// Who has a file mapped.
#[derive(Default)]
pub struct Mappings {
    users: Mutex<Users>,
}

#[derive(Default)]
struct Users {
    all: Vec<Weak<dyn Shows>>,
    /// How many have been added so far, also such that are gone.
    added: u64,
}

impl Mappings {
    /// Nobody.
    #[must_use]
    pub const fn new() -> Self {
        Self { users: Mutex::new(Users { all: Vec::new(), added: 0 }) }
    }

    /// `user` shows pages from now on: such that it asks for, or those of another user that it is a copy of. That one
    /// must not forget any between the two: the copy is added under the lock that the other one takes to forget.
    pub fn add(&self, user: &Weak<dyn Shows>) {
        let mut users = self.users.lock();
        users.all.retain(|known| known.strong_count() > 0);
        if !users.all.iter().any(|known| known.ptr_eq(user)) {
            users.all.push(user.clone());
            users.added += 1;
        }
    }

    /// Has all forget these pages. They must not be found by [`FilePages::page`] any more, and be kept until this
    /// returns.
    pub fn forget(&self, pages: Range<u64>) {
        let mut told = 0;
        loop {
            // Those told take locks of their own, under which they ask for pages: not under ours.
            let (users, added) = self.added_since(told);
            if users.is_empty() {
                return;
            }
            for user in users {
                user.forget(self, pages.clone());
            }
            // One told late may have been copied before, and the copy shows what it showed then.
            told = added;
        }
    }

    /// Users, without the first so many that were ever added, and how many that have been.
    fn added_since(&self, told: u64) -> (Vec<Arc<dyn Shows>>, u64) {
        let users = self.users.lock();
        let new = usize::try_from(users.added - told).unwrap_or(usize::MAX).min(users.all.len());
        // Those that are gone leave the others in order.
        let new = &users.all[users.all.len() - new..];
        (new.iter().filter_map(Weak::upgrade).collect(), users.added)
    }

    /// Whether anybody may show a page.
    #[must_use]
    pub fn is_mapped(&self) -> bool {
        self.users.lock().all.iter().any(|user| user.strong_count() > 0)
    }
}
