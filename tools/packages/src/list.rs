//! The list.

/// What a package is wanted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To run programs: what a user of `whittle run` may be asked for.
    Running,
    /// To test: `whittle test` wants all of them.
    Testing,
    /// To test more: tests of `whittle test --all` ask for them one by one.
    TestingAll,
    /// To measure beside something: `whittle bench`.
    Measuring,
}

/// A program or file, and the Debian package that brings it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Package {
    /// A command, or a path if there is a slash in it.
    pub brings: &'static str,
    /// The package's name.
    pub name: &'static str,
    /// What it is wanted for.
    pub purpose: Purpose,
}

const fn row(brings: &'static str, name: &'static str, purpose: Purpose) -> Package {
    Package { brings, name, purpose }
}

/// All of them.
pub const PACKAGES: &[Package] = {
    use Purpose::{Measuring, Running, Testing, TestingAll};
    &[
        row("qemu-system-x86_64", "qemu-system-x86", Running),
        row("/bin/busybox", "busybox-static", Running),
        row("apt-get", "apt", TestingAll),
        row("autoconf", "autoconf", Measuring),
        row("bash", "bash", Testing),
        row("bison", "bison", Testing),
        row("caddy", "caddy", TestingAll),
        row("cpio", "cpio", Testing),
        row("curl", "curl", Testing),
        row("dash", "dash", Testing),
        row("debootstrap", "debootstrap", Testing),
        row("dig", "bind9-dnsutils", Testing),
        row("dnsmasq", "dnsmasq-base", Testing),
        row("dpkg-deb", "dpkg", Testing),
        row("dpkg-source", "dpkg-dev", TestingAll),
        row("etcd", "etcd-server", TestingAll),
        row("etcdctl", "etcd-client", TestingAll),
        row("ffmpeg", "ffmpeg", Testing),
        row("fio", "fio", TestingAll),
        row("flex", "flex", Testing),
        row("fsck.vfat", "dosfstools", Testing),
        row("g++", "g++", Testing),
        row("gcc", "gcc", Testing),
        row("gdb", "gdb", Testing),
        row("git", "git", Testing),
        row("go", "golang-go", Testing),
        row("gpg", "gpg", Testing),
        row("gpg-agent", "gpg-agent", Testing),
        row("haproxy", "haproxy", TestingAll),
        row("inotifywait", "inotify-tools", Testing),
        row("ip", "iproute2", Testing),
        row("java", "default-jre-headless", Testing),
        row("javac", "default-jdk-headless", Testing),
        row("jq", "jq", Testing),
        row("lighttpd", "lighttpd", TestingAll),
        row("/usr/lib/lighttpd/mod_deflate.so", "lighttpd-mod-deflate", TestingAll),
        row("/usr/lib/lighttpd/mod_openssl.so", "lighttpd-mod-openssl", TestingAll),
        row("lua5.4", "lua5.4", Testing),
        row("make", "make", Testing),
        row("mcopy", "mtools", Testing),
        row("memcached", "memcached", Testing),
        row("mke2fs", "e2fsprogs", Testing),
        row("mkfs.vfat", "dosfstools", Testing),
        row("mount", "mount", Testing),
        row("mosquitto", "mosquitto", TestingAll),
        row("mosquitto_pub", "mosquitto-clients", TestingAll),
        row("musl-gcc", "musl-tools", Testing),
        row("nc", "netcat-openbsd", Testing),
        row("nginx", "nginx", Testing),
        row("luajit", "luajit", TestingAll),
        row("node", "nodejs", Testing),
        row("openssl", "openssl", Testing),
        row("passt", "passt", Testing),
        row("perl", "perl", Testing),
        row("php", "php-cli", Testing),
        row("ping", "iputils-ping", Testing),
        row("puma", "puma", TestingAll),
        row("/usr/bin/python3", "python3", Testing),
        row("/usr/bin/python3.11", "python3.11", Testing),
        row("/usr/lib/postgresql", "postgresql", TestingAll),
        row("/usr/share/perl5/Cache/Memcached.pm", "libcache-memcached-perl", TestingAll),
        row("/usr/share/perl5/IO/Socket/SSL.pm", "libio-socket-ssl-perl", TestingAll),
        row("/usr/share/perl5/Protocol/WebSocket.pm", "libprotocol-websocket-perl", TestingAll),
        row("/usr/lib/x86_64-linux-gnu/perl5/5.36/FCGI.pm", "libfcgi-perl", TestingAll),
        row("/usr/lib/x86_64-linux-gnu/perl5/5.36/GD.pm", "libgd-perl", TestingAll),
        row("/usr/share/perl5/SCGI.pm", "libscgi-perl", TestingAll),
        row("/usr/lib/python3/dist-packages/aiohttp", "python3-aiohttp", TestingAll),
        row("/usr/lib/python3/dist-packages/numpy", "python3-numpy", Testing),
        row("/usr/lib/python3/dist-packages/uvicorn", "python3-uvicorn", TestingAll),
        row("/usr/lib/python3.11/test/test_os.py", "libpython3.11-testsuite", Testing),
        row("redis-check-aof", "redis-tools", Testing),
        row("redis-cli", "redis-tools", Testing),
        row("redis-server", "redis-server", Testing),
        row("ruby", "ruby", Testing),
        row("script", "bsdutils", Testing),
        row("setpriv", "util-linux", Testing),
        row("sqlite3", "sqlite3", Testing),
        row("strace", "strace", Testing),
        row("taskset", "util-linux", Testing),
        row("tclsh", "tcl", TestingAll),
        row("tmux", "tmux", Testing),
        row("top", "procps", Testing),
        row("unshare", "util-linux", Testing),
        row("wget", "wget", Testing),
        row("xmllint", "libxml2-utils", Testing),
        row("/usr/include/sqlite3.h", "libsqlite3-dev", Measuring),
    ]
};
