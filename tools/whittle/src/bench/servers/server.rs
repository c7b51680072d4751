//! The servers: Debian's packages as they are, and a hello each of Go's, node's and Java's (`apps/bench-servers`).

use std::path::Path;

/// A server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    Redis,
    Nginx,
    Memcached,
    Go,
    Node,
    Java,
}

/// nginx' configuration, in the folder of the servers' files.
pub const CONFIGURATION: &str = "nginx.conf";
/// And its page.
pub const PAGE_FILE: &str = "index.html";

impl Server {
    /// Where it listens.
    pub const fn port(self) -> u16 {
        match self {
            Self::Redis => 6379,
            Self::Nginx => 80,
            Self::Memcached => 11211,
            Self::Go => 8001,
            Self::Node => 8002,
            Self::Java => 8003,
        }
    }

    /// The name of what it needs in the list of packages, which stands in tables too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Redis => "redis-server",
            Self::Nginx => "nginx",
            Self::Memcached => "memcached",
            Self::Go => "go",
            Self::Node => "node",
            Self::Java => "java",
        }
    }

    /// What must be there to have it.
    pub const fn needs(self) -> &'static [&'static str] {
        match self {
            Self::Redis => &["redis-server"],
            Self::Nginx => &["nginx"],
            Self::Memcached => &["memcached"],
            Self::Go => &["go"],
            Self::Node => &["node"],
            Self::Java => &["java", "javac"],
        }
    }

    /// Bytes of memory that are enough for it on a machine that counts.
    pub const fn memory(self) -> &'static str {
        match self {
            Self::Redis | Self::Nginx | Self::Memcached | Self::Go => "256M",
            Self::Node | Self::Java => "1G",
        }
    }

    /// Its own files, in the folder of all.
    pub const fn files(self) -> &'static [&'static str] {
        match self {
            Self::Nginx => &[CONFIGURATION, PAGE_FILE],
            Self::Go => &["hello"],
            Self::Node => &["hello.js"],
            Self::Java => &["Hello.class"],
            Self::Redis | Self::Memcached => &[],
        }
    }

    /// Its program, by a name that is searched for in PATH, or that of a file which was built in `folder`.
    pub fn program(self, folder: &Path) -> String {
        match self {
            Self::Go => folder.join("hello").display().to_string(),
            _ => self.name().to_owned(),
        }
    }

    /// Its arguments, its files being in `folder`; with so many threads where it takes them from there.
    pub fn arguments(self, folder: &Path, threads: usize) -> Vec<String> {
        let (port, place) = (self.port(), |name: &str| folder.join(name).display().to_string());
        let words = |text: String| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        match self {
            Self::Redis => {
                let threads = format!("--io-threads {threads} --io-threads-do-reads yes");
                let all = format!("--bind 0.0.0.0 --protected-mode no --appendonly no {threads} --save");
                [words(all), vec![String::new()]].concat()
            }
            Self::Nginx => [words("-e stderr -c".into()), vec![place(CONFIGURATION)]].concat(),
            Self::Memcached => words(format!("-u root -l 0.0.0.0 -m 16 -t {threads}")),
            Self::Go => words(format!("{port} {threads}")),
            Self::Node => vec![place("hello.js"), port.to_string()],
            Self::Java => vec!["-cp".into(), folder.display().to_string(), "Hello".into(), port.to_string()],
        }
    }
}
