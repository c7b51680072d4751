//! Images kept in step with their sources, without asking cargo when nothing changed.

use std::path::PathBuf;

use super::build::prepare;
use super::{Place, Request};
use crate::arguments::Platform;
use crate::failure::Failure;
use crate::fresh::{Look, Turn, builds_nothing, stamp};
use crate::house::House;

/// Rebuilds the general Linux image of a platform if its sources changed; says whether it did.
pub fn rebuild_image(house: &House, platform: &str) -> Result<bool, Failure> {
    rebuild(house, &Place::ready(house), platform, &mut Look::alone(house))
}

/// As [`rebuild_image`], for the one with disks.
pub fn rebuild_image_with_disks(house: &House, platform: &str) -> Result<bool, Failure> {
    rebuild(house, &Place::with_disks(house), platform, &mut Look::alone(house))
}

/// As [`rebuild_image`], for any image. No thread looks while the command has other things to do: with two threads,
/// Linux waits for milliseconds when the table of descriptors grows (`expand_fdtable` in fs/file.c), and it does grow
/// here.
pub fn rebuild(house: &House, place: &Place, platform: &str, look: &mut Look<'_>) -> Result<bool, Failure> {
    // No manifest is read to see that nothing changed: the stamp knows them all.
    let (stamp, words) = (place.stamp(platform), house.surroundings());
    let is_kept = builds_nothing() || place.is_given() || house.is_installed && place.is_ready;
    if builds_nothing() && !place.is_given() && !place.image(platform).exists() {
        let name = place.name(platform);
        let words =
            format!("the image {name} is not built yet, and WHITTLE_BUILD=never builds nothing: leave it out once");
        return Err(Failure::ours(words));
    }
    if is_kept || place.image(platform).exists() && look.is_current(&stamp, &words) {
        return Ok(false);
    }
    // Images of two platforms share nothing, and each is linked by one processor alone: they are built side by side.
    let lock = place.output.join(format!("building-{platform}.lock"));
    let _turn = Turn::wait(&lock, &format!("the image {}", place.name(platform)))?;
    if place.image(platform).exists() && stamp::is_fresh(&stamp, &house.root, &words) {
        // Whoever had the turn before has built it.
        return Ok(true);
    }
    let request = Request::of_folder(&place.folder)?;
    prepare(house, &request, platform)?.build(house, false)?;
    Ok(true)
}

/// The stamps of the images that a start may want that names none.
pub fn general_stamps(house: &House) -> impl Iterator<Item = PathBuf> {
    let places = [Place::ready(house), Place::with_disks(house)];
    places.into_iter().flat_map(|place| [Platform::Pc, Platform::Process].map(|platform| place.stamp(platform.name())))
}
