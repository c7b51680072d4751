//! Who keeps a machine: what a run tells whoever looks after it for longer than it takes.

use super::Setting;
use crate::arguments::Run;
use crate::failure::Failure;
use crate::machine::Begun;
use crate::signals::Signals;
use crate::words::Net;

/// A machine that is about to be started.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// What was asked for, completed by what an image and a profile say.
    pub run: &'a Run,
    /// Where it runs.
    pub setting: Setting,
    /// Which way its network goes.
    pub net: &'a Net,
}

/// Hears of a machine's life. A plain run is kept by nobody.
pub trait Keeper {
    /// Whether the command is in step with its sources, because somebody has looked.
    fn has_looked(&self) -> bool {
        false
    }

    /// The machine is about to start; an error keeps it from that. Signals are held back from here on. True, if its
    /// QEMU is to have a monitor.
    fn before(&mut self, _about: &About<'_>, _signals: &mut Signals) -> Result<bool, Failure> {
        Ok(false)
    }

    /// It has started.
    fn begun(&mut self, _begun: Begun) {}

    /// It has ended.
    fn ended(&mut self, _signals: &Signals) {}
}

/// No keeper.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nobody;

impl Keeper for Nobody {}
