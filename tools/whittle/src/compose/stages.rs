//! The order of boot stages: each behind those whose contracts it needs or wants, ties by name.

use std::collections::{BTreeMap, BTreeSet};

/// What each stage must come behind, by component.
pub type Before = BTreeMap<String, BTreeSet<String>>;

/// The order, or the names along a cycle.
pub fn order(mut before: Before) -> Result<Vec<String>, Vec<String>> {
    let mut order = Vec::new();
    while !before.is_empty() {
        let ready = before.iter().find(|(_, waits)| waits.is_empty()).map(|(name, _)| name.clone());
        let Some(name) = ready else { return Err(cycle(&before)) };
        before.remove(&name);
        before.values_mut().for_each(|waits| _ = waits.remove(&name));
        order.push(name);
    }
    Ok(order)
}

/// Walks from a stage to one it waits for, until one comes twice.
fn cycle(before: &Before) -> Vec<String> {
    let mut path: Vec<String> = before.keys().take(1).cloned().collect();
    while let Some(next) = path.last().and_then(|last| before.get(last)).and_then(BTreeSet::first) {
        if let Some(begin) = path.iter().position(|name| name == next) {
            let mut cycle = path.split_off(begin);
            cycle.push(next.clone());
            return cycle;
        }
        path.push(next.clone());
    }
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(pairs: &[(&str, &[&str])]) -> Before {
        let entry =
            |(name, waits): &(&str, &[&str])| (name.to_string(), waits.iter().map(ToString::to_string).collect());
        pairs.iter().map(entry).collect()
    }

    #[test]
    fn needs_come_first_and_ties_go_by_name() {
        let stages = before(&[("a", &["d"]), ("b", &[]), ("c", &[]), ("d", &["c"])]);
        assert_eq!(order(stages).unwrap(), ["b", "c", "d", "a"]);
    }

    #[test]
    fn a_cycle_is_named_from_stage_to_stage() {
        let stages = before(&[("a", &["b"]), ("b", &["c"]), ("c", &["b"]), ("d", &[])]);
        assert_eq!(order(stages).unwrap_err(), ["b", "c", "b"]);
    }
}
