//! What was last heard of a file, and when.

use vfs::{Metadata, Time};

use crate::{FRESH, TRUSTED, attributes::Attributes};

pub struct Known {
    pub attributes: Attributes,
    /// When that was; `None` if the file has been changed since.
    heard: Option<Time>,
    /// When it was last found where it is.
    seen: Option<Time>,
    /// Its last name is gone: the server cannot be asked any more.
    pub removed: bool,
}

impl Known {
    pub const fn new(attributes: Attributes, now: Time) -> Self {
        Self { attributes, heard: Some(now), seen: Some(now), removed: false }
    }

    pub const fn hear(&mut self, attributes: Attributes, now: Time) {
        self.attributes = attributes;
        self.heard = Some(now);
        self.seen = Some(now);
    }

    /// We have changed the file.
    pub const fn outdate(&mut self) {
        self.heard = None;
    }

    /// It may be somewhere else.
    pub const fn lose(&mut self) {
        self.heard = None;
        self.seen = None;
    }

    /// Whether the attributes count as those of the file.
    pub fn is_fresh(&self, now: Time) -> bool {
        within(self.heard, FRESH, now)
    }

    /// Whether a directory or link counts as being where it was.
    pub fn is_trusted(&self, now: Time) -> bool {
        within(self.seen, TRUSTED, now)
    }

    pub const fn metadata(&mut self) -> &mut Metadata {
        &mut self.attributes.metadata
    }
}

fn within(moment: Option<Time>, span: Time, now: Time) -> bool {
    // A clock that was set back tells nothing.
    moment.is_some_and(|moment| (0..span).contains(&now.saturating_sub(moment)))
}
