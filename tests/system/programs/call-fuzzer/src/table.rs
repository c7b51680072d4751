//! The kernel's own table of system calls, as the workers want it: names and values laid out once a round.

use std::sync::OnceLock;

use linux_abi::{Argument, DESCRIPTIONS, SYSTEM_CALLS};

/// One argument.
pub struct Parameter {
    /// What kind of thing it is.
    pub kind: Argument,
    /// What it is called.
    pub name: &'static str,
    /// Values and masks of the names that the table has for it.
    pub values: Vec<(u64, u64)>,
}

/// One call.
pub struct Row {
    /// Its number.
    pub number: u64,
    /// Its name.
    pub name: &'static str,
    /// Its family.
    pub family: &'static str,
    /// Its arguments.
    pub parameters: Vec<Parameter>,
}

static ROWS: OnceLock<Vec<Row>> = OnceLock::new();

/// All rows. The first call, before there are workers, makes them.
pub fn rows() -> &'static [Row] {
    ROWS.get_or_init(|| SYSTEM_CALLS.iter().zip(DESCRIPTIONS).map(|(call, told)| row(call, told)).collect())
}

fn row(call: &linux_abi::SystemCall, told: &linux_abi::Description) -> Row {
    let parameter = |(&name, &kind): (&&'static str, &Argument)| Parameter { kind, name, values: values(kind) };
    let parameters = told.arguments.iter().zip(&call.arguments).map(parameter).collect();
    Row { number: told.number.into(), name: told.name, family: told.family, parameters }
}

fn values(kind: Argument) -> Vec<(u64, u64)> {
    match kind {
        Argument::Flags(names) => names.flags().values().collect(),
        _ => Vec::new(),
    }
}
