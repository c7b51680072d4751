//! Child processes: how one is made (fork(2)), how it ends, and how it is waited for (wait(2)).

mod end;
mod make;
mod shortage;
mod wait;

pub use end::{finish, give_back, note};
pub use make::make;
pub use shortage::{ADJUSTMENTS, Relief, relieve, score};
pub use wait::{Reaped, wait};
