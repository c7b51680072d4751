//! The Linux guest: an initial file system of busybox and the measured program, and QEMU as whittle's own guests get it.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::arguments::{Accelerator, Machine};
use crate::child::prepare;
use crate::failure::{Doing, Failure};
use crate::machine::{Qemu, ensure_installed, qemu_command};
use crate::pack::tree::{Entry, Kind, Tree};
use crate::pack::write;

/// No work against attacks that whittle does not defend from either, and none at a page's allocation that the
/// measured operations would pay.
const KERNEL_WORDS: &str = "console=ttyS0 quiet panic=-1 mitigations=off init_on_alloc=0";
const MEMORY: u64 = 256 << 20;
/// A boot takes ten seconds on an idle machine, the operations three.
const PATIENCE: Duration = Duration::from_secs(600);
const BEGIN: &str = "whittle: begin";
const END: &str = "whittle: end";

/// Everything but files that the figures depend on: QEMU's version and words, the kernel's, the program's.
pub fn description(words: &[String]) -> Result<String, Failure> {
    ensure_installed()?;
    let command = command(Path::new("kernel"));
    let version = Command::new(command.get_program()).arg("--version").stdin(Stdio::null()).output();
    let version = version.doing("ask QEMU for its version")?.stdout;
    Ok(format!("{}{command:?}{}", String::from_utf8_lossy(&version), script(words)))
}

fn command(kernel: &Path) -> Command {
    let machine = Machine::Q35;
    let mut command = qemu_command(Qemu {
        kernel,
        memory: MEMORY,
        machine,
        accelerator: Accelerator::Tcg,
        icount: true,
        processors: 1,
    });
    command.args(["-append", KERNEL_WORDS]);
    command.args(["-chardev", "stdio,id=text,signal=off", "-serial", "chardev:text"]);
    command
}

/// What the guest does. Files are measured where whittle has its own: in memory, under the same path.
fn script(words: &[String]) -> String {
    format!(
        "#!/bin/busybox sh\n\
         /bin/busybox mount -t devtmpfs none /dev\n\
         /bin/busybox mkdir -p /dev/shm\n\
         /bin/busybox mount -t tmpfs none /dev/shm\n\
         echo '{BEGIN}'\n/bench {}\necho '{END}'\n\
         /bin/busybox poweroff -f\n",
        words.join(" ")
    )
}

/// Boots Linux, runs the program there and returns what it printed.
pub fn run(folder: &Path, kernel: &Path, busybox: &Path, program: &Path, words: &[String]) -> Result<String, Failure> {
    let initial = folder.join("initial-files");
    pack(&initial, busybox, program, words)?;
    eprintln!("whittle: booting Linux under QEMU's instruction count, which takes ten seconds to two minutes");
    let mut command = command(kernel);
    command.arg("-initrd").arg(&initial).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    // It must not outlive this command.
    prepare(&mut command, Vec::new());
    let mut child = command.spawn().doing("start QEMU")?;
    let output = child.stdout.take().ok_or_else(|| Failure::ours("QEMU has no output"))?;
    let text = listen(output);
    // A guest that has said its last word has nothing to lose.
    let _ = child.kill();
    child.wait().doing("wait for QEMU")?;
    text
}

fn pack(place: &Path, busybox: &Path, program: &Path, words: &[String]) -> Result<(), Failure> {
    let mut tree = Tree::default();
    let executable = |kind| Entry { kind, ..Entry::directory(0o755) };
    let file = |path: &Path| -> Result<Entry, Failure> {
        let path: PathBuf = fs::canonicalize(path).doing(format!("find {}", path.display()))?;
        let length = fs::metadata(&path).doing(format!("read {}", path.display()))?.len();
        Ok(executable(Kind::File(path, length)))
    };
    tree.put(Path::new("/bin/busybox"), file(busybox)?)?;
    tree.put(Path::new("/bench"), file(program)?)?;
    tree.put(Path::new("/init"), executable(Kind::Contents(script(words).into_bytes())))?;
    tree.put(Path::new("/dev"), Entry::directory(0o755))?;
    let mut archive = write(&tree, &[])?;
    let mut target = File::create(place).doing(format!("write {}", place.display()))?;
    io::copy(&mut archive, &mut target).doing(format!("write {}", place.display())).map(drop)
}

/// Lines between the two marks. Each one is told, for the person who waits.
fn listen(output: impl io::Read + Send + 'static) -> Result<String, Failure> {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // When nobody listens any more, the guest is gone.
        BufReader::new(output).split(b'\n').map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    let deadline = Instant::now() + PATIENCE;
    let (mut text, mut begun, mut last) = (String::new(), false, String::new());
    while let Ok(line) = receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        match line.as_str() {
            BEGIN => begun = true,
            END => return Ok(text),
            _ if begun => {
                eprintln!("whittle: Linux: {}", line.split(' ').next().unwrap_or_default());
                text += &line;
                text.push('\n');
            }
            _ => last = line,
        }
    }
    Err(Failure::ours(format!("the Linux guest did not come to its end; its last word before the program: {last}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_stands_between_the_marks_counts() {
        let text: &[u8] =
            b"[ 0.1] boot\r\nwhittle: begin\r\noperation ticks\r\ngetppid 322.00\r\nwhittle: end\r\nmore\r\n";
        assert_eq!(listen(text).unwrap(), "operation ticks\ngetppid 322.00\n");
        let failure = listen(&b"one\nKernel panic\n"[..]).unwrap_err();
        assert!(failure.sentence.ends_with("Kernel panic"), "{failure}");
    }
}
