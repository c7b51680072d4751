//! When a machine is started anew: `on-failure[:N]`.

use std::str::FromStr;

/// After a failure, and how often in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restart {
    /// As often at the most; `None` is without end.
    pub most: Option<u32>,
}

impl FromStr for Restart {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const SHAPE: &str = "on-failure is expected, or on-failure:N for N times in a row at the most";
        match text.split_once(':') {
            None if text == "on-failure" => Ok(Self { most: None }),
            Some(("on-failure", most)) => most.parse().map(|most| Self { most: Some(most) }).map_err(|_| SHAPE),
            _ => Err(SHAPE),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_may_stand_behind_it() {
        assert_eq!("on-failure".parse(), Ok(Restart { most: None }));
        assert_eq!("on-failure:3".parse(), Ok(Restart { most: Some(3) }));
        for wrong in ["", "always", "on-failure:", "on-failure:-1", "on-failure:x", "3"] {
            assert!(wrong.parse::<Restart>().is_err(), "{wrong:?}");
        }
    }
}
