//! Images kept in step with their sources, without asking cargo when nothing changed.

use super::build::prepare;
use super::{Place, Request};
use crate::failure::Failure;
use crate::fresh::{Turn, builds_nothing, stamp};
use crate::house::House;

/// Rebuilds the general Linux image of a platform if its sources changed; says whether it did.
pub fn rebuild_image(house: &House, platform: &str) -> Result<bool, Failure> {
    rebuild(house, &Place::ready(house), platform)
}

/// As [`rebuild_image`], for the one with disks.
pub fn rebuild_image_with_disks(house: &House, platform: &str) -> Result<bool, Failure> {
    rebuild(house, &Place::with_disks(house), platform)
}

/// As [`rebuild_image`], for any image. No thread looks while the command has other things to do: with two threads, Linux
/// waits for milliseconds when the table of descriptors grows (`expand_fdtable` in fs/file.c), and it does grow here.
pub fn rebuild(house: &House, place: &Place, platform: &str) -> Result<bool, Failure> {
    // No manifest is read to see that nothing changed: the stamp knows them all.
    let is_fresh = || stamp::is_fresh(&place.stamp(platform), &house.root, &house.surroundings());
    let is_kept = builds_nothing() || place.is_given() || house.is_installed && place.is_ready;
    if is_kept || place.image(platform).exists() && is_fresh() {
        return Ok(false);
    }
    let _turn = Turn::wait(&place.output, &format!("the image {}", place.name(platform)))?;
    if place.image(platform).exists() && is_fresh() {
        // Whoever had the turn before has built it.
        return Ok(true);
    }
    let request = Request::of_folder(&place.folder)?;
    prepare(house, &request, platform)?.build(house, false)?;
    Ok(true)
}
