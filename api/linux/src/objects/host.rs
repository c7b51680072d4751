//! What the machine says that it is: uname(2), `/proc/version`.

use alloc::string::String;

use sync::Mutex;

use crate::objects::ability;

/// The Linux whose interface this is. Libraries refuse to start on one that is too old.
pub const RELEASE: &str = "6.12.0-whittle";
/// The build, in Linux' form.
pub const VERSION: &str = concat!("#1 whittle ", env!("CARGO_PKG_VERSION"));

/// What the machine is called if the command does not say.
const NAME: &str = "whittle";

/// What it is called (sethostname(2)), once anybody has said.
static HOST_NAME: Mutex<Option<String>> = Mutex::new(None);

/// What it is called.
#[must_use]
pub fn name() -> String {
    HOST_NAME.lock().clone().unwrap_or_else(|| String::from(NAME))
}

/// Names it.
pub fn set_name(name: String) {
    // The least image has nobody who asks.
    if ability::host_name() {
        *HOST_NAME.lock() = Some(name);
    }
}
