//! Counting checks.

/// How the checks went.
#[derive(Debug, Default)]
pub struct Tally {
    /// Checks that held.
    pub passed: u32,
    /// Checks that did not.
    pub failed: u32,
}

impl Tally {
    /// Takes one check in.
    pub fn take(&mut self, held: bool) {
        if held {
            self.passed += 1;
        } else {
            self.failed += 1;
        }
    }
}

/// Checks that something is true.
macro_rules! holds {
    ($tally:expr, $condition:expr) => {{
        let held: bool = $condition;
        if !held {
            println!("failed: {}:{}: {}", file!(), line!(), stringify!($condition));
        }
        $tally.take(held);
    }};
}

/// Checks that two things are the same.
macro_rules! same {
    ($tally:expr, $left:expr, $right:expr) => {{
        let (left, right) = (&$left, &$right);
        let held = *left == *right;
        if !held {
            println!("failed: {}:{}: {} is {left:?}, not {right:?}", file!(), line!(), stringify!($left));
        }
        $tally.take(held);
    }};
}
