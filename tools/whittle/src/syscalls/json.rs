//! The tables as JSON.

use std::collections::BTreeMap;

use linux_abi::{DESCRIPTIONS, REFUSALS, system_call_name};
use serde_json::{Value, json};

use super::verdict::Verdict;

/// One call.
fn call(name: &str) -> Value {
    let (support, detail) = match Verdict::of(name) {
        Verdict::Full => ("full", String::new()),
        Verdict::Partial(missing) => ("partial", missing.to_owned()),
        Verdict::Only(errno, why) => (errno.name(), why.to_owned()),
        Verdict::Unknown => ("ENOSYS", String::new()),
    };
    let family = DESCRIPTIONS.iter().find(|call| call.name == name).map(|call| call.family);
    json!({ "name": name, "family": family, "support": support, "missing": detail })
}

/// All calls that there is a word about.
pub fn table() -> String {
    let known = DESCRIPTIONS.iter().map(|call| call.name);
    let refused = REFUSALS.iter().flat_map(|refusal| refusal.numbers.iter());
    let refused = refused.filter_map(|&number| system_call_name(number.into()));
    format!("{:#}\n", Value::Array(known.chain(refused).map(call).collect()))
}

/// What a program or a log would miss, with the files that were looked through and the verdict.
pub fn report(names: &BTreeMap<String, usize>, objects: &[String], verdict: &str) -> String {
    let calls: Vec<Value> = names.keys().map(|name| call(name)).collect();
    format!("{:#}\n", json!({ "calls": calls, "files": objects, "verdict": verdict.trim_end() }))
}
