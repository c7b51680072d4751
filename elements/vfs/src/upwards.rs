//! Directories that hold the one above, as deep as somebody made them: what goes with the last of them.

use alloc::sync::Arc;
use core::any::Any;

use crate::Place;

/// Lets go of where a directory that is dropped stands, and of all above it that nobody else holds: one by one, and not
/// each in its child's end, for a stack has room for only so many. `take` takes away from one where it stands.
pub fn let_go<T: Any + Send + Sync>(place: Option<Place>, take: fn(&mut T) -> Option<Place>) {
    let mut above = place;
    while let Some(Place { parent, .. }) = above {
        let parent: Arc<dyn Any + Send + Sync> = parent;
        let Ok(parent) = parent.downcast::<T>() else { return };
        let Some(mut last) = Arc::into_inner(parent) else { return };
        above = take(&mut last);
    }
}
