//! The Linux guest: an initial file system of busybox and the measured program, and QEMU as whittle's own guests get
//! it.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::kept;
use super::package::Kernel;
use crate::arguments::{Accelerator, Machine};
use crate::child::prepare;
use crate::failure::{Doing, Failure};
use crate::machine::{OpenNic, Qemu, Served, emulator_version, qemu_command, qemu_disk, qemu_nic, qemu_share};
use crate::pack::tree::{Entry, Kind, Tree};
use crate::pack::write;
use crate::setup;
use crate::words::{Disk, Mount};

/// No work against attacks that whittle does not defend from either, and none at a page's allocation that the
/// measured operations would pay.
const KERNEL_WORDS: &str = "console=ttyS0 quiet panic=-1 mitigations=off init_on_alloc=0";
const MEMORY: u64 = 256 << 20;
/// A boot takes ten seconds on an idle machine, the operations three.
const PATIENCE: Duration = Duration::from_secs(600);
/// What stands before that which counts.
pub const BEGIN: &str = "whittle: begin";
const END: &str = "whittle: end";
/// A shell's line: what is printed from here on counts.
pub const BEGIN_LINE: &str = "echo 'whittle: begin'";

/// A guest and what it does.
pub struct Linux<'a> {
    /// Its kernel; the modules are loaded first of all.
    pub kernel: &'a Kernel,
    /// Busybox, static.
    pub busybox: &'a Path,
    /// The measured program, static: `/bench`.
    pub program: &'a Path,
    /// Lines of a shell.
    pub script: String,
    /// Whether instructions are counted: each takes a nanosecond.
    pub icount: bool,
    /// Whether it spins where it waits, as ours does, so that the counter counts nothing else than instructions.
    pub spins: bool,
    /// Bytes.
    pub memory: u64,
    /// Directories of the host's, by their numbers.
    pub mounts: Vec<Mount>,
    /// Disks.
    pub disks: Vec<Disk>,
    /// Network interfaces.
    pub nics: Vec<OpenNic>,
    /// A plugin of QEMU's, by its words.
    pub plugin: Option<String>,
    /// Another program, static: `/other`.
    pub other: Option<&'a Path>,
    /// Other files.
    pub files: Tree,
}

/// The descriptor of the first network interface.
const FIRST_NIC: i32 = 32;

impl<'a> Linux<'a> {
    /// One that has neither busybox nor program yet, and no devices.
    pub fn new(kernel: &'a Kernel, script: String) -> Self {
        let (none, mounts, disks) = (Path::new(""), Vec::new(), Vec::new());
        Self {
            kernel,
            busybox: none,
            program: none,
            script,
            icount: false,
            spins: false,
            memory: MEMORY,
            mounts,
            disks,
            nics: Vec::new(),
            plugin: None,
            other: None,
            files: Tree::default(),
        }
    }

    /// A word for everything that the figures depend on: QEMU's version and words, the kernel, the program, the script.
    pub fn key(&self) -> Result<String, Failure> {
        setup::qemu()?;
        let command = self.command()?;
        let version = Command::new(command.get_program()).arg("--version").stdin(Stdio::null()).output();
        let version = version.doing("ask QEMU for its version")?.stdout;
        let description = format!("{}{command:?}{}", String::from_utf8_lossy(&version), self.init());
        let files = [&self.kernel.path, &self.program.to_owned(), &self.busybox.to_owned()];
        kept::key(&files, &description)
    }

    fn command(&self) -> Result<Command, Failure> {
        let machine = Machine::Q35;
        let mut command = qemu_command(Qemu {
            kernel: &self.kernel.path,
            memory: self.memory,
            machine,
            accelerator: Accelerator::Tcg,
            icount: self.icount,
            executed: None,
            plugin: self.plugin.as_deref(),
            processors: 1,
            model: None,
            version: emulator_version(None),
        });
        command.arg("-append").arg(format!("{KERNEL_WORDS}{}", if self.spins { " idle=poll" } else { "" }));
        command.args(["-chardev", "stdio,id=text,signal=off", "-serial", "chardev:text"]);
        self.mounts.iter().try_for_each(|mount| qemu_share(&mut command, machine, mount, false))?;
        let mut disks = self.disks.iter().enumerate();
        disks.try_for_each(|(number, disk)| {
            qemu_disk(&mut command, machine, number, disk, Served { queues: 1, slow: false })
        })?;
        for (number, nic) in self.nics.iter().enumerate() {
            qemu_nic(&mut command, machine, number, nic, &[FIRST_NIC + number as i32]);
        }
        Ok(command)
    }

    fn init(&self) -> String {
        let load = |module: &PathBuf| {
            let name = module.file_name().unwrap_or_default().display();
            format!("/bin/busybox insmod /modules/{name}\n")
        };
        let modules: String = self.kernel.modules.iter().map(load).collect();
        format!(
            "#!/bin/busybox sh\n/bin/busybox mount -t devtmpfs none /dev\n{modules}{}\necho '{END}'\n\
             /bin/busybox poweroff -f\n",
            self.script
        )
    }

    /// Boots it and returns what was printed behind [`BEGIN_LINE`].
    pub fn run(&self, folder: &Path) -> Result<String, Failure> {
        let mut child = self.start(folder)?;
        let output = child.stdout.take().ok_or_else(|| Failure::ours("QEMU has no output"))?;
        let text = listen(output);
        // A guest that has said its last word has nothing to lose.
        let _ = child.kill();
        child.wait().doing("wait for QEMU")?;
        text
    }

    /// Boots it.
    pub fn start(&self, folder: &Path) -> Result<Child, Failure> {
        let initial = folder.join("initial-files");
        self.pack(&initial)?;
        eprintln!("whittle: booting Linux under QEMU, which takes ten seconds to two minutes");
        let mut command = self.command()?;
        command.arg("-initrd").arg(&initial).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut descriptors = Vec::new();
        for (number, nic) in self.nics.iter().enumerate() {
            descriptors.extend(nic.passed_on(FIRST_NIC + number as i32)?);
        }
        // It must not outlive this command.
        prepare(&mut command, descriptors, false);
        command.spawn().doing("start QEMU")
    }

    fn pack(&self, place: &Path) -> Result<(), Failure> {
        let mut tree = self.files.clone();
        let executable = |kind| Entry { kind, ..Entry::directory(0o755) };
        let file = |path: &Path| -> Result<Entry, Failure> {
            let path: PathBuf = fs::canonicalize(path).doing(format!("find {}", path.display()))?;
            let length = fs::metadata(&path).doing(format!("read {}", path.display()))?.len();
            Ok(executable(Kind::File(path, length)))
        };
        tree.put(Path::new("/bin/busybox"), file(self.busybox)?)?;
        tree.put(Path::new("/bench"), file(self.program)?)?;
        if let Some(other) = self.other {
            tree.put(Path::new("/other"), file(other)?)?;
        }
        tree.put(Path::new("/init"), executable(Kind::Contents(self.init().into_bytes())))?;
        tree.put(Path::new("/dev"), Entry::directory(0o755))?;
        for module in &self.kernel.modules {
            tree.put(&Path::new("/modules").join(module.file_name().unwrap_or_default()), file(module)?)?;
        }
        let mut archive = write(&tree, &[])?;
        let mut target = File::create(place).doing(format!("write {}", place.display()))?;
        io::copy(&mut archive, &mut target).doing(format!("write {}", place.display())).map(drop)
    }
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
