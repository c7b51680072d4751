//! Terminals and other devices: ioctl_tty(2).

choices! {
    /// Requests of ioctl(2).
    IOCTL_REQUESTS: u32 {
        TCGETS = 0x5401, TCSETS = 0x5402, TCSETSW = 0x5403,
        TCSETSF = 0x5404, TCSBRK = 0x5409, TCXONC = 0x540a,
        TCFLSH = 0x540b, TIOCSCTTY = 0x540e, TIOCGPGRP = 0x540f,
        TIOCSPGRP = 0x5410, TIOCOUTQ = 0x5411, TIOCGWINSZ = 0x5413,
        TIOCSWINSZ = 0x5414, FIONREAD = 0x541b, TIOCNOTTY = 0x5422,
        FIONBIO = 0x5421, TIOCGSID = 0x5429, TCGETS2 = 0x802c_542a,
        TCSBRKP = 0x5425, TIOCPKT = 0x5420, TIOCGPTPEER = 0x5441,
        TIOCSPTLCK = 0x4004_5431, TIOCGPKT = 0x8004_5438, TIOCGPTLCK = 0x8004_5439,
        TIOCSIG = 0x4004_5436, FIONCLEX = 0x5450, FIOCLEX = 0x5451, FIOASYNC = 0x5452,
        TIOCGPTN = 0x8004_5430, RNDGETENTCNT = 0x8004_5200,
        BLKROGET = 0x125e, BLKGETSIZE = 0x1260, BLKFLSBUF = 0x1261,
        BLKSSZGET = 0x1268, BLKPBSZGET = 0x127b, BLKBSZGET = 0x8008_1270,
        BLKGETSIZE64 = 0x8008_1272, FICLONE = 0x4004_9409,
    }
}

// What TCFLSH drops: what was not read, what was not sent, or both.
values! { usize {
    TCIFLUSH = 0,
    TCOFLUSH = 1,
    TCIOFLUSH = 2,
} }

// What TCXONC does: stops or starts output, or asks the other end for it.
values! { usize {
    TCOOFF = 0,
    TCOON = 1,
    TCIOFF = 2,
    TCION = 3,
} }
