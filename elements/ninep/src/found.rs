//! Where nodes come from: walks that have led somewhere.

use alloc::{boxed::Box, sync::Arc};

use vfs::{FileError, Kind, Node};

use crate::{
    Transport,
    attributes::Attributes,
    client::Client,
    fid::Fid,
    item::Item,
    share::{Share, World},
};

/// The root of what the server at the other end of `transport` offers.
pub fn mount(transport: Box<dyn Transport>, world: World) -> Result<Arc<dyn Node>, FileError> {
    let client = Client::connect(transport)?;
    let fid = client.attach()?;
    let attributes = client.attributes(&fid)?;
    if attributes.metadata.kind != Kind::Directory {
        return Err(FileError::NotDirectory);
    }
    Ok(Item::new(&Share::new(client, world), fid, attributes))
}

impl Item {
    /// The node for what `fid` was walked to, in this directory as `name`.
    pub fn child(self: &Arc<Self>, fid: Arc<Fid>, attributes: Attributes, name: &[u8]) -> Arc<Self> {
        if let Some(item) = self.share.seen.get(&attributes.qid.path)
            && item.is(&attributes)
            && item.move_to(self, name)
        {
            item.found_again(fid, attributes);
            return item;
        }
        let item = Self::new(&self.share, fid, attributes);
        item.move_to(self, name);
        // Two processors may have walked here at once: the second one's node counts.
        self.share.seen.replace(attributes.qid.path, &item);
        self.share.remember(item.clone(), Self::take_used);
        item
    }

    /// If it is a directory, it stands in `parent` from now on; `false` if that is in itself, as only a server that
    /// lies can say.
    pub fn move_to(&self, parent: &Arc<Self>, name: &[u8]) -> bool {
        if self.kind() != Kind::Directory {
            return true;
        }
        let tree = self.share.tree.lock();
        let possible = !self.contains(parent);
        let old = possible.then(|| self.stand_in(parent, name));
        drop(tree);
        drop(old);
        possible
    }
}
