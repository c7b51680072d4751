//! Arguments, variables, and the process.

use std::{
    env::{self, VarError},
    prelude::v1::*,
};

use crate::tally::Tally;

pub fn check(tally: &mut Tally) {
    let arguments: Vec<String> = env::args().skip(1).collect();
    same!(tally, env::args().len(), arguments.len() + 1);
    same!(tally, env::args().next_back(), env::args().last());
    same!(tally, env::args_os().nth(1).map(|word| word.into_string()), arguments.first().cloned().map(Ok));
    println!("arguments: {arguments:?}");
    if !arguments.is_empty() {
        same!(tally, arguments, ["alpha", "beta gamma"]);
        same!(tally, env::var("WHITTLE_CHECK"), Ok("one=two".to_string()));
        same!(tally, env::vars_os().find(|(name, _)| name == "WHITTLE_CHECK").map(|(_, value)| value.len()), Some(7));
    }
    same!(tally, env::var("NO_SUCH_VARIABLE"), Err(VarError::NotPresent));
    same!(tally, env::var(""), Err(VarError::NotPresent));
    same!(tally, VarError::NotPresent.to_string(), "environment variable not found");
    println!("not UTF-8: {:?}", env::var("WHITTLE_BYTES"));
    if let Err(error) = env::var("WHITTLE_BYTES") {
        println!("not UTF-8: {error}");
    }
    same!(tally, env::consts::ARCH, "x86_64");
    holds!(tally, std::process::id() > 0);
}
