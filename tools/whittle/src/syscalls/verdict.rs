//! What whittle has of a system call, in words.

use std::fmt::{Display, Formatter, Result};

use linux_abi::{DESCRIPTIONS, Errno, REFUSALS, Support, system_call_name};

/// What is there of a system call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All of it.
    Full,
    /// Not all: what is missing.
    Partial(&'static str),
    /// It answers this error, and why if that is said.
    Only(Errno, &'static str),
    /// Nobody thought of it: ENOSYS.
    Unknown,
}

impl Verdict {
    /// That on the call of this name.
    pub fn of(name: &str) -> Self {
        if let Some(call) = DESCRIPTIONS.iter().find(|call| call.name == name) {
            return match call.support {
                Support::Full => Self::Full,
                Support::Partial(missing) => Self::Partial(missing),
                Support::Only(errno) => Self::Only(errno, ""),
            };
        }
        let is_it = |&number: &u16| system_call_name(number.into()) == Some(name);
        let refusal = REFUSALS.iter().find(|refusal| refusal.numbers.iter().any(is_it));
        refusal.map_or(Self::Unknown, |refusal| Self::Only(refusal.errno, refusal.why))
    }
}

impl Display for Verdict {
    fn fmt(&self, out: &mut Formatter<'_>) -> Result {
        match self {
            Self::Full => out.write_str("full"),
            Self::Partial(missing) => write!(out, "partial    {missing}"),
            Self::Only(errno, "") => write!(out, "{} always", errno.name()),
            Self::Only(errno, why) => write!(out, "{} always, for it {why}", errno.name()),
            Self::Unknown => out.write_str("ENOSYS always"),
        }
    }
}
