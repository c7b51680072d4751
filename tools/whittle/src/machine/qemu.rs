//! QEMU's command line.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::iter;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;
use std::process::{Command, Stdio};

use super::OpenNic;
use super::emulator::{self, Version};
use crate::arguments::{Accelerator, Machine};
use crate::failure::{Doing, Failure};
use crate::words::{Disk, Mount, Nic, Published};

/// QEMU's program.
pub const PROGRAM: &str = "qemu-system-x86_64";

/// A virtual machine to be started.
#[derive(Clone, Copy, Debug)]
pub struct Qemu<'a> {
    /// The kernel file.
    pub kernel: &'a Path,
    /// Bytes of memory.
    pub memory: u64,
    /// How many processors.
    pub processors: u8,
    /// Which machine.
    pub machine: Machine,
    /// How it executes.
    pub accelerator: Accelerator,
    /// Count instructions: each takes a nanosecond.
    pub icount: bool,
    /// Where to write the address of each executed instruction.
    pub executed: Option<&'a Path>,
    /// A plugin of QEMU's, by its words.
    pub plugin: Option<&'a str>,
    /// The processor's model, by QEMU's words, if somebody asks for one.
    pub model: Option<&'a str>,
    /// Which QEMU it is, where that matters.
    pub version: Option<Version>,
}

/// The part of the command line that every use shares: no device yet but what the machine has.
#[must_use]
pub fn command(qemu: Qemu<'_>) -> Command {
    // microvm without ACPI and option ROMs starts fastest; its devices then stand on the kernel's command line.
    let machine = match qemu.machine {
        Machine::Microvm => "microvm,acpi=off,x-option-roms=off",
        Machine::Q35 => "q35",
    };
    let accelerator = match qemu.accelerator {
        Accelerator::Tcg => "tcg",
        Accelerator::Kvm => "kvm",
    };
    let mut command = Command::new(PROGRAM);
    // An older QEMU has the option for one instruction at a time by another name.
    let one_by_one = qemu.executed.is_some() && qemu.version >= Some([8, 1, 0]);
    let accelerator = format!("{accelerator}{}", if one_by_one { ",one-insn-per-tb=on" } else { "" });
    command.args(["-M", machine, "-accel", &accelerator]);
    if let Some(executed) = qemu.executed {
        command.args((!one_by_one).then_some("-singlestep"));
        command.args(["-d", "exec,nochain", "-D"]).arg(executed);
    }
    if let Some(plugin) = qemu.plugin {
        command.args(["-plugin", plugin]);
    }
    command.args(["-cpu", &processor(&qemu)]);
    command.args(["-nodefaults", "-no-user-config", "-display", "none", "-no-reboot"]);
    command.args(["-m", &format!("{}k", qemu.memory.div_ceil(8192) * 8)]);
    if qemu.processors > 1 {
        command.args(["-smp", &qemu.processors.to_string()]);
    }
    command.arg("-kernel").arg(qemu.kernel);
    if qemu.icount {
        command.args(["-icount", "shift=0,sleep=off"]);
    }
    command
}

/// All that is there, but for what is wrong.
fn processor(qemu: &Qemu<'_>) -> String {
    if let Some(model) = qemu.model {
        return model.to_string();
    }
    let without: Vec<&str> = match qemu.accelerator {
        // What the kernel counts must not depend on which string instructions QEMU calls fast.
        Accelerator::Tcg if qemu.icount => ["erms", "fsrm"].into_iter().chain(left_out(qemu.version)).collect(),
        Accelerator::Tcg => left_out(qemu.version).collect(),
        // Some KVMs offer this feature's register and then refuse to set it, at which QEMU aborts.
        Accelerator::Kvm => vec!["arch-capabilities"],
    };
    without.iter().fold("max".to_string(), |model, feature| model + ",-" + feature)
}

/// What an emulator is to be without, as it gets that wrong. No processor has BMI2 without AVX2, so libgcrypt's SHA-1
/// takes the one for both.
fn left_out(version: Option<Version>) -> impl Iterator<Item = &'static str> {
    let with = |feature| (feature == "avx2").then_some("bmi2");
    emulator::wrong(version).flat_map(move |feature| [Some(feature), with(feature)]).flatten()
}

/// What to say of a model that somebody asks for under emulation: nothing if all is right, or what is wrong is left
/// out.
#[must_use]
pub fn warning(model: &str, version: Option<Version>) -> Option<String> {
    let is_without = |feature: &str| {
        model
            .split(',')
            .any(|word| word.strip_prefix('-') == Some(feature) || word.strip_prefix(feature) == Some("=off"))
    };
    let wrong: Vec<&str> = emulator::wrong(version).filter(|feature| !is_without(feature)).collect();
    let without: String = wrong.iter().map(|feature| format!(",-{feature}")).collect();
    (!wrong.is_empty()).then(|| {
        let wrong = wrong.join(" and ");
        format!("this QEMU emulates {wrong} wrongly: programs that find that compute wrong results; --cpu {model}{without} is safe")
    })
}

/// The console port, its socket being descriptor `socket`.
///
/// A `virtserialport` waits while its socket is full, where a `virtconsole` drops output (`flush_buf` in QEMU's
/// hw/char/virtio-console.c); QEMU keeps port 0 for consoles, hence number 1 of 2.
pub fn console(command: &mut Command, machine: Machine, socket: i32) {
    let bus = match machine {
        Machine::Microvm => "virtio-serial-device,max_ports=2",
        Machine::Q35 => "virtio-serial-pci,max_ports=2,disable-legacy=on",
    };
    command.args(["-global", "virtio-mmio.force-legacy=false"]);
    command.args(["-chardev", &format!("socket,id=console,fd={socket}")]);
    command.args(["-device", bus, "-device", "virtserialport,chardev=console,nr=1"]);
}

/// How a disk is served.
#[derive(Clone, Copy, Debug)]
pub struct Served {
    /// Queues.
    pub queues: u8,
    /// Few reads a second.
    pub slow: bool,
}

/// A file as a disk, which the kernel knows by its number. As many queues as processors, so that each has its own.
pub fn disk(
    command: &mut Command,
    machine: Machine,
    number: usize,
    disk: &Disk,
    served: Served,
) -> Result<(), Failure> {
    let path = std::path::absolute(&disk.host).doing("find the disk")?;
    let mut drive = format!("if=none,id=disk{number},format=raw,cache=writeback,file=").into_bytes();
    drive.extend(escaped(path.as_os_str()));
    if disk.read_only {
        drive.extend(b",readonly=on");
    }
    if served.slow {
        drive.extend(SLOW);
    }
    let device = match machine {
        Machine::Microvm => "virtio-blk-device",
        Machine::Q35 => "virtio-blk-pci,disable-legacy=on",
    };
    command.args(["-global", "virtio-mmio.force-legacy=false"]);
    command.arg("-drive").arg(OsString::from_vec(drive));
    command.args(["-device", &format!("{device},drive=disk{number},serial={number},num-queues={}", served.queues)]);
    Ok(())
}

/// A network interface, whose descriptors have these numbers. One of several queues has a pair of each for a processor.
pub fn nic(command: &mut Command, machine: Machine, number: usize, nic: &OpenNic, descriptors: &[i32]) {
    let joined = descriptors.iter().map(i32::to_string).collect::<Vec<_>>().join(":");
    let backend = match nic.nic {
        Nic::Tap(_) if descriptors.len() > 1 => format!("tap,id=nic{number},fds={joined}"),
        Nic::Tap(_) => format!("tap,id=nic{number},fd={joined}"),
        Nic::Passt(_) => format!("stream,id=nic{number},server=off,addr.type=fd,addr.str={joined}"),
        Nic::Datagram(..) => format!("dgram,id=nic{number},local.type=fd,local.str={joined}"),
        Nic::User => format!("user,id=nic{number}{}", nic.published.iter().map(led_on).collect::<String>()),
    };
    // What there would be to start a machine from is none of ours.
    let device = match machine {
        Machine::Microvm => "virtio-net-device",
        Machine::Q35 => "virtio-net-pci,disable-legacy=on,romfile=",
    };
    let mut device = format!("{device},netdev=nic{number},mac={}", nic.address_text());
    if descriptors.len() > 1 {
        device += ",mq=on";
        if machine == Machine::Q35 {
            device += &format!(",vectors={}", 2 * descriptors.len() + 2);
        }
    }
    if nic.mtu != 1500 {
        device += &format!(",host_mtu={}", nic.mtu);
    }
    command.args(["-global", "virtio-mmio.force-legacy=false", "-netdev", &backend, "-device", &device]);
}

/// QEMU's words for a published port.
fn led_on(published: &Published) -> String {
    let address = published.address.map(|address| address.to_string()).unwrap_or_default();
    format!(",hostfwd={}:{address}:{}-:{}", published.protocol(), published.host, published.guest)
}

/// Has QEMU write down the packets of an interface: the first one's to `record`, others' to a file beside it.
pub fn record(command: &mut Command, number: usize, record: &Path) -> Result<(), Failure> {
    let mut path = std::path::absolute(record).doing("find the record of packets")?.into_os_string();
    if number > 0 {
        path.push(format!(".{number}"));
    }
    // QEMU would only say it of itself.
    File::create(&path).doing(format!("write the packets to {}", path.display()))?;
    let mut filter = format!("filter-dump,id=record{number},netdev=nic{number},maxlen=65549,file=").into_bytes();
    filter.extend(escaped(&path));
    command.arg("-object").arg(OsString::from_vec(filter));
    Ok(())
}

/// Reads a second of a disk or a share that is to be slow. Of QEMU, which then has a request wait as a slow device
/// would.
const SLOW: &[u8] = b",throttling.iops-read=2";

/// Commas separate options; two are one.
fn escaped(text: &OsStr) -> impl Iterator<Item = u8> {
    text.as_bytes().iter().flat_map(|&byte| iter::repeat_n(byte, if byte == b',' { 2 } else { 1 }))
}

/// A directory of the host. Owners and permissions are the host's own, as far as QEMU may give them.
pub fn share(command: &mut Command, machine: Machine, mount: &Mount, slow: bool) -> Result<(), Failure> {
    let path = std::path::absolute(&mount.host).doing("find the directory")?;
    let number = mount.number;
    let mut files = format!("local,id=share{number},security_model=none,multidevs=remap,path=").into_bytes();
    files.extend(escaped(path.as_os_str()));
    if mount.read_only {
        files.extend(b",readonly=on");
    }
    if slow {
        files.extend(SLOW);
    }
    let device = match machine {
        Machine::Microvm => "virtio-9p-device",
        Machine::Q35 => "virtio-9p-pci,disable-legacy=on",
    };
    command.arg("-fsdev").arg(OsString::from_vec(files));
    command.args(["-device", &format!("{device},fsdev=share{number},mount_tag={number}")]);
    Ok(())
}

/// The port 0xE9 of native images, its socket being descriptor `socket`: frames go out, nothing comes in.
pub fn port(command: &mut Command, socket: i32) {
    command.args(["-chardev", &format!("socket,id=port,fd={socket}")]);
    command.args(["-device", "isa-debugcon,chardev=port,iobase=0xe9"]);
}

/// QEMU's own control, its socket being descriptor `socket`.
pub fn monitor(command: &mut Command, socket: i32) {
    command.args(["-chardev", &format!("socket,id=monitor,fd={socket}"), "-mon", "chardev=monitor,mode=control"]);
}

/// The serial port's socket, in place of the text on QEMU's standard output.
pub fn serial(command: &mut Command, socket: i32) {
    command.args(["-chardev", &format!("socket,id=text,fd={socket}"), "-serial", "chardev:text"]);
    command.stdin(Stdio::null());
}

/// The serial port's text on QEMU's standard output.
pub fn early(command: &mut Command) {
    command.args(["-chardev", "stdio,id=early,signal=off", "-serial", "chardev:early"]);
    command.stdin(Stdio::null());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_not_offered_unless_asked_for() {
        let qemu = |accelerator, icount, model, version| {
            processor(&Qemu {
                kernel: Path::new("kernel"),
                memory: 0,
                processors: 1,
                machine: Machine::Microvm,
                accelerator,
                icount,
                executed: None,
                plugin: None,
                model,
                version,
            })
        };
        assert_eq!(qemu(Accelerator::Tcg, false, None, Some([7, 2, 22])), "max,-avx2,-bmi2,-adx");
        assert_eq!(qemu(Accelerator::Tcg, true, None, Some([10, 0, 0])), "max,-erms,-fsrm");
        assert_eq!(qemu(Accelerator::Kvm, false, None, Some([7, 2, 22])), "max,-arch-capabilities");
        assert_eq!(qemu(Accelerator::Tcg, false, Some("max"), Some([7, 2, 22])), "max");
    }

    #[test]
    fn who_asks_for_what_is_wrong_is_told() {
        let old = Some([7, 2, 22]);
        assert!(
            warning("max,-adx", old)
                .is_some_and(|words| words.contains("avx2 wrongly") && words.contains("-adx,-avx2"))
        );
        assert_eq!(warning("max,avx2=off,-adx", old), None);
        assert_eq!(warning("max", Some([9, 1, 0])), None);
    }
}
