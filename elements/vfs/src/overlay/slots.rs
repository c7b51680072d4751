//! What a directory knows about names.

use alloc::{
    sync::{Arc, Weak},
    vec::Vec,
};
use core::ptr;

use crate::{
    Name, Node,
    ramfs::entries::{Entries, Named},
};

/// What has a name.
pub(super) enum Held {
    /// Nothing, whatever is below (a whiteout).
    Nobody,
    /// This, which is not as below.
    Kept(Arc<dyn Node>),
    /// What is below. This node shows it, as long as somebody holds it.
    Seen(Weak<dyn Node>),
}

/// What is known about a name.
pub(super) struct Slot {
    pub(super) held: Held,
    /// There is, or was, something of that name below. Never changes while the slot is there.
    pub(super) covers: bool,
}

impl Named for Slot {
    fn is_passage(&self) -> bool {
        match &self.held {
            Held::Nobody => false,
            Held::Kept(node) => node.is_passage(),
            // What nobody holds may have been one.
            Held::Seen(node) => node.upgrade().is_none_or(|node| node.is_passage()),
        }
    }
}

/// What is known about a directory's names. About any other, below is asked.
#[derive(Default)]
pub(super) struct Slots {
    entries: Entries<Slot>,
    /// More nodes seen than this are looked through for those that nobody holds any more.
    limit: usize,
    seen: usize,
}

/// What the slots say about a name.
pub(super) enum Known {
    Node(Arc<dyn Node>),
    /// There is nothing; and whether below there was.
    Nothing(bool),
    /// Below is to be asked.
    Ask,
}

/// Nodes seen that are never looked through.
const FEW: usize = 64;

impl Slots {
    pub(super) fn find(&self, name: &[u8]) -> Known {
        match self.entries.get(name) {
            None => Known::Ask,
            Some(Slot { held: Held::Nobody, covers }) => Known::Nothing(*covers),
            Some(Slot { held: Held::Kept(node), .. }) => Known::Node(node.clone()),
            Some(Slot { held: Held::Seen(node), .. }) => node.upgrade().map_or(Known::Ask, Known::Node),
        }
    }

    /// Whether `node` has that name.
    pub(super) fn has(&self, name: &[u8], node: &Arc<dyn Node>) -> bool {
        match self.entries.get(name).map(|slot| &slot.held) {
            Some(Held::Kept(held)) => crate::same(held, node),
            Some(Held::Seen(held)) => ptr::addr_eq(held.as_ptr(), Arc::as_ptr(node)),
            _ => false,
        }
    }

    /// Whether nothing has that name as far as is known here.
    pub(super) fn is_vacant(&self, name: &[u8]) -> bool {
        match self.entries.get(name).map(|slot| &slot.held) {
            Some(Held::Kept(_)) => false,
            Some(Held::Seen(node)) => node.strong_count() == 0,
            Some(Held::Nobody) | None => true,
        }
    }

    pub(super) fn get(&self, name: &[u8]) -> Option<&Slot> {
        self.entries.get(name)
    }

    /// `name` is `node`'s, which is not as below; `covers` counts if nothing is known about the name.
    pub(super) fn keep(&mut self, name: Name, node: Arc<dyn Node>, covers: bool) {
        let covers = self.entries.get(&name).map_or(covers, |slot| slot.covers);
        self.entries.insert(name, Slot { held: Held::Kept(node), covers });
    }

    /// `node` shows what is below.
    pub(super) fn see(&mut self, name: &[u8], node: &Arc<dyn Node>) {
        if self.seen >= self.limit {
            self.sweep();
        }
        self.seen += 1;
        let slot = Slot { held: Held::Seen(Arc::downgrade(node)), covers: true };
        self.entries.insert(name.into(), slot);
    }

    fn sweep(&mut self) {
        let mut seen = 0;
        self.entries.retain(&mut |slot| match &slot.held {
            Held::Seen(node) => {
                let is_held = node.strong_count() > 0;
                seen += usize::from(is_held);
                is_held
            }
            _ => true,
        });
        self.seen = seen;
        self.limit = FEW.max(2 * seen);
    }

    /// Nothing has that name any more.
    pub(super) fn hide(&mut self, name: &[u8]) {
        if self.entries.get(name).is_some_and(|slot| slot.covers) {
            self.entries.insert(name.into(), Slot { held: Held::Nobody, covers: true });
        } else {
            self.entries.remove(name);
        }
    }

    /// Forgets what it knows about a name.
    pub(super) fn forget(&mut self, name: &[u8]) {
        self.entries.remove(name);
    }

    /// Whether anything is here that is not as below.
    pub(super) fn has_kept(&self) -> bool {
        let mut none = true;
        self.entries.visit(b"", &mut |_, slot| {
            none = !matches!(slot.held, Held::Kept(_));
            none
        });
        !none
    }

    /// Shows nodes whose names are not below, behind the name `after`; see [`Entries::visit`].
    pub(super) fn visit_own(&self, after: &[u8], visit: &mut dyn FnMut(&[u8], &dyn Node) -> bool) -> Option<&[u8]> {
        self.entries.visit(after, &mut |name, slot| match &slot.held {
            Held::Kept(node) if !slot.covers => visit(name, &**node),
            _ => true,
        })
    }

    /// Shows what is not as below, under whatever names.
    pub(super) fn visit_different(&self, visit: &mut dyn FnMut(&Held)) {
        self.entries.visit(b"", &mut |_, slot| {
            if !matches!(slot.held, Held::Seen(_)) {
                visit(&slot.held);
            }
            true
        });
    }

    #[cfg(test)]
    pub(super) const fn count(&self) -> usize {
        self.entries.count()
    }
}

/// The name of a file below in the table of those that have several.
pub(super) fn key(device: u64, inode: u64) -> Vec<u8> {
    [device, inode].iter().flat_map(|number| number.to_be_bytes()).collect()
}
