//! Any bytes as a script's first line: the interpreter and argument it names are parts of that line.
#![no_main]

use elf::{MAX_LINE, Script, is_script};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| {
    let Some(script) = Script::parse(file) else { return };
    assert!(is_script(file));
    assert!(!script.interpreter.is_empty() && script.interpreter.len() < MAX_LINE);
    for part in [script.interpreter, script.argument.unwrap_or_default()] {
        assert!(!part.contains(&b'\n') && !part.contains(&0));
    }
    assert!(script.argument.is_none_or(|argument| !argument.is_empty()));
});
