//! A word with QEMU about its machine: whether a debugger holds it, and who is connected to it. QEMU's machine protocol
//! (QMP, docs/interop/qmp-spec.rst in its sources) is a line of JSON each way.

use std::io::{BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use serde_json::Value;

use crate::failure::{Doing, Failure};

/// QEMU answers at once when it has started; if it does not, nobody is to wait for it for ever.
const PATIENCE: Duration = Duration::from_secs(10);

/// What QEMU says of a machine that was started stopped and has not been let go yet (`RunState` in
/// qapi/run-state.json).
const HELD: &str = "prelaunch";

/// The connection.
#[derive(Debug)]
pub struct Monitor {
    lines: BufReader<UnixStream>,
    /// It has been greeted.
    open: bool,
}

impl Monitor {
    /// A connection, and QEMU's end of it.
    pub fn new() -> Result<(Self, OwnedFd), Failure> {
        let (ours, theirs) = UnixStream::pair().doing("make a socket")?;
        ours.set_read_timeout(Some(PATIENCE)).doing("make a socket")?;
        Ok((Self { lines: BufReader::new(ours), open: false }, theirs.into()))
    }

    /// Whether the machine's first instruction is still to come. No, if QEMU does not say.
    pub fn is_held(&mut self) -> bool {
        let answer = self.ask(r#"{"execute": "query-status"}"#);
        answer.is_some_and(|answer| answer["status"] == HELD)
    }

    /// The connections of QEMU's own network, a line each; nothing, if QEMU does not say.
    pub fn connections(&mut self) -> Option<String> {
        // There is no other word for them.
        let asked = r#"{"execute": "human-monitor-command", "arguments": {"command-line": "info usernet"}}"#;
        self.ask(asked)?.as_str().map(Into::into)
    }

    /// The answer to a command.
    fn ask(&mut self, command: &str) -> Option<Value> {
        if !self.open {
            // Commands are taken once this one was.
            self.open = self.answer(r#"{"execute": "qmp_capabilities"}"#).is_some();
        }
        self.answer(command)
    }

    /// What else QEMU says meanwhile, its greeting and events, is passed over.
    fn answer(&mut self, command: &str) -> Option<Value> {
        writeln!(self.lines.get_mut(), "{command}").ok()?;
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).ok()? == 0 {
                return None;
            }
            let said: Value = serde_json::from_str(&line).ok()?;
            if said.get("return").is_some() || said.get("error").is_some() {
                return said.get("return").cloned();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_machine_is_held_until_it_has_begun() {
        let (mut monitor, theirs) = Monitor::new().unwrap();
        let mut qemu = UnixStream::from(theirs);
        qemu.write_all(b"{\"QMP\": {\"version\": {}}}\r\n{\"return\": {}}\r\n{\"event\": \"RESUME\"}\r\n").unwrap();
        qemu.write_all(b"{\"return\": {\"status\": \"prelaunch\", \"running\": false}}\r\n").unwrap();
        assert!(monitor.is_held());
        qemu.write_all(b"{\"return\": {\"status\": \"running\", \"running\": true}}\r\n").unwrap();
        assert!(!monitor.is_held());
        qemu.write_all(b"{\"return\": \"TCP[ESTABLISHED] 1\\r\\n\"}\r\n").unwrap();
        assert_eq!(monitor.connections().as_deref(), Some("TCP[ESTABLISHED] 1\r\n"));
        let mut asked = String::new();
        BufReader::new(&mut qemu).read_line(&mut asked).unwrap();
        assert_eq!(asked, "{\"execute\": \"qmp_capabilities\"}\n");
        drop(qemu);
        assert!(!monitor.is_held());
    }
}
