//! The heap, collections, and numbers.

use std::collections::{BTreeMap, HashMap};

use crate::Test;

pub const TESTS: &[Test] = &[
    ("heap_512_megabytes", heap_512_megabytes),
    ("growing_vector", growing_vector),
    ("collections", collections),
    ("sorting", sorting),
    ("recursion", recursion),
    ("numbers", numbers),
];

fn heap_512_megabytes() {
    let mut blocks: Vec<Vec<u8>> = Vec::new();
    for index in 0..128_usize {
        let mut block = vec![0_u8; 4 << 20];
        for page in (0..block.len()).step_by(4096) {
            block[page] = (index + page / 4096) as u8;
        }
        blocks.push(block);
    }
    for (index, block) in blocks.iter().enumerate() {
        assert!(block.chunks(4096).enumerate().all(|(page, bytes)| bytes[0] == (index + page) as u8 && bytes[1] == 0));
    }
}

fn growing_vector() {
    let mut numbers = Vec::new();
    for number in 0..5_000_000_u32 {
        numbers.push(number.wrapping_mul(2_654_435_761));
    }
    assert!(numbers.iter().enumerate().all(|(index, &number)| number == (index as u32).wrapping_mul(2_654_435_761)));
}

fn collections() {
    // The hash map's keys come from getrandom(2).
    let map: HashMap<String, usize> = (0..50_000).map(|number| (format!("key {number}"), number)).collect();
    assert!((0..50_000).all(|number| map[&format!("key {number}")] == number));
    let tree: BTreeMap<_, _> = map.iter().map(|(key, value)| (value, key)).collect();
    assert!(tree.keys().copied().copied().eq(0..50_000));
}

fn sorting() {
    let mut state = 1_u64;
    let mut numbers: Vec<f64> = Vec::new();
    for _ in 0..300_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        numbers.push((state >> 11) as f64 / 1e9);
    }
    let sum: f64 = numbers.iter().sum();
    numbers.sort_by(f64::total_cmp);
    assert!(numbers.is_sorted() && (numbers.iter().sum::<f64>() - sum).abs() < 1.0);
}

fn recursion() {
    assert_eq!(crate::dive(5000), (1..=5000).sum());
}

fn numbers() {
    assert_eq!(
        format!("{:.12} {:e} {:?}", 1.0_f64 / 3.0, 1e-7_f64.sqrt(), 0.1_f64 + 0.2),
        "0.333333333333 3.1622776601683794e-4 0.30000000000000004"
    );
    assert_eq!("1.7976931348623157e308".parse(), Ok(f64::MAX));
    assert_eq!((1_u128 << 100).to_string(), "1267650600228229401496703205376");
    assert!((std::f64::consts::PI.sin().abs() < 1e-15) && (2_f64.powf(0.5) - 2_f64.sqrt()).abs() < 1e-15);
}
