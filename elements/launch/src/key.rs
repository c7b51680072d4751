//! The fields a launch record may have: one table, from which writing and reading come.

macro_rules! keys {
    ($($(#[$doc:meta])* $name:ident = $text:literal,)*) => {
        /// A field's key.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Key { $($(#[$doc])* $name,)* }

        impl Key {
            /// Every key, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$name,)*];

            /// Their texts.
            pub(crate) const TEXTS: &[&str] = &[$($text,)*];

            /// The key as it stands in the record.
            #[must_use]
            pub const fn text(self) -> &'static str {
                Self::TEXTS[self as usize]
            }
        }
    };
}

// In the order in which the command writes them: a reader looks for the next field here first.
keys! {
    /// Path of the program inside the guest.
    Program = "program",
    /// One argument; the first is the program's own name.
    Argument = "argument",
    /// One `NAME=value` of the environment.
    Environment = "environment",
    /// The directory the program starts in.
    Directory = "directory",
    /// A directory or file of the host's that stands in the guest's tree: `ro` or `rw`, a comma, the share's tag (with
    /// a slash and a name, if one file of it is meant) without commas, another, and the path in the guest. The path `/`
    /// is what lies below the guest's own files.
    Mount = "mount",
    /// A disk, in the order of their numbers: `ro` or `rw`, a comma, the path in the guest at which the file system on
    /// it stands (nothing if it stands nowhere; `/` is what lies below the guest's own files) without commas, another,
    /// and what people call the disk.
    Disk = "disk",
    /// A network interface, in the order of their numbers, on process: `tap`, `stream` or `datagram`, its address as
    /// six pairs of hexadecimal digits between colons, bytes of the longest packet behind the Ethernet header, and how
    /// many descriptors it has, each a queue; all between commas.
    Nic = "nic",
    /// An address of the first network interface with the bits of its network, as in `10.0.2.15/24`.
    Address = "address",
    /// A router that leads to everyone else, by its address.
    Gateway = "gateway",
    /// A server that is asked for the addresses of names, by its address.
    NameServer = "name-server",
    /// Sockets of the host's, on process: `published` for what is outside and for published ports, `all` for loopback
    /// too.
    Outside = "outside",
    /// The host's resolver by its address on the host's loopback, if the machine is to reach it as 10.0.2.3.
    Resolver = "resolver",
    /// A socket of the host's that has a published port: `tcp` or `udp`, the program's port, the descriptor; between
    /// commas.
    Published = "published",
    /// The descriptor of a file that gets a record of all packets of these interfaces (pcapng), decimal.
    Pcap = "pcap",
    /// A file in `/etc` about names of machines, whatever lies below: its name, a line's end, its contents.
    Names = "names",
    /// The privilege ring of the application on pc: `0` or `3`.
    Ring = "ring",
    /// What becomes of system calls, a wish in each field: `rewrite` those that have trapped often, or `rewrite:N`
    /// times; `except:` a site, by its file and the offset in that; stage `sites:` of a file that another run has
    /// proven; `record` those that this one has; `report` in the end.
    Calls = "calls",
    /// How many processors the kernel may use, decimal; 1 if nothing is said.
    Processors = "processors",
    /// Bytes of memory, decimal: the limit on process (pc counts its own).
    Memory = "memory",
    /// User and group the program runs as: `uid,gid`.
    User = "user",
    /// The node name for uname(2).
    HostName = "host-name",
    /// Comma-separated: `syscalls`, `faults`.
    Trace = "trace",
    /// `1` if records of [level debug](https://docs.rs/log) are wanted.
    Verbose = "verbose",
    /// `1`: walk the page tables when the program ends, and fail if a rule does not hold.
    Audit = "audit",
    /// `1`: send boot and exit cycle counts and memory use as figures when the program ends.
    Figures = "figures",
    /// `1`: say when the program ends how many files it has changed in memory, if any.
    Changes = "changes",
    /// `0` turns address-space layout randomisation off (for debuggers).
    Randomize = "randomize",
    /// For tests of the kernel's own death: `panic` or `fault`, just before the program would start.
    Inject = "inject",
    /// Signals that the program begins with ignored, decimal: bit n - 1 stands for signal n, as in the kernel's
    /// `sigset_t`.
    Ignored = "ignored",
    /// Nanoseconds since 1970-01-01 00:00 UTC at the start, decimal.
    WallTime = "wall-time",
    /// Cycles of the time stamp counter per second in thousands, decimal, if the command knows it.
    TscKilohertz = "tsc-khz",
    /// Which streams are terminals: a string of digits among `0`, `1` and `2`.
    Terminals = "terminals",
    /// Which streams may fill up, so that each write is answered: a string of digits as in [`Key::Terminals`].
    Answered = "answered",
    /// The terminal's attributes: 72 hexadecimal digits of the kernel's `struct termios`.
    TerminalAttributes = "terminal-attributes",
    /// The terminal's size: `rows,columns,pixels-x,pixels-y`.
    Window = "window",
    /// 64 hexadecimal digits of random bytes.
    Seed = "seed",
}

impl Key {
    /// Whether its fields stand behind an empty one: they are long, and no start reads them.
    #[must_use]
    pub const fn is_late(self) -> bool {
        matches!(self, Self::Names)
    }
}
