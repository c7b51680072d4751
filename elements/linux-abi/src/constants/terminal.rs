//! Terminals and other devices: ioctl_tty(2).

flags! {
    /// Requests of ioctl(2).
    IOCTL_REQUESTS: u32 {
        TCGETS = 0x5401 & 0xffff_ffff, TCSETS = 0x5402 & 0xffff_ffff, TCSETSW = 0x5403 & 0xffff_ffff,
        TCSETSF = 0x5404 & 0xffff_ffff, TCSBRK = 0x5409 & 0xffff_ffff, TCXONC = 0x540a & 0xffff_ffff,
        TCFLSH = 0x540b & 0xffff_ffff, TIOCSCTTY = 0x540e & 0xffff_ffff, TIOCGPGRP = 0x540f & 0xffff_ffff,
        TIOCSPGRP = 0x5410 & 0xffff_ffff, TIOCOUTQ = 0x5411 & 0xffff_ffff, TIOCGWINSZ = 0x5413 & 0xffff_ffff,
        TIOCSWINSZ = 0x5414 & 0xffff_ffff, FIONREAD = 0x541b & 0xffff_ffff, TIOCNOTTY = 0x5422 & 0xffff_ffff,
        FIONBIO = 0x5421 & 0xffff_ffff, TIOCGSID = 0x5429 & 0xffff_ffff, TCGETS2 = 0x802c_542a & 0xffff_ffff,
        FIONCLEX = 0x5450 & 0xffff_ffff, FIOCLEX = 0x5451 & 0xffff_ffff, FIOASYNC = 0x5452 & 0xffff_ffff,
        TIOCGPTN = 0x8004_5430 & 0xffff_ffff, RNDGETENTCNT = 0x8004_5200 & 0xffff_ffff,
        BLKGETSIZE64 = 0x8008_1272 & 0xffff_ffff, FICLONE = 0x4004_9409 & 0xffff_ffff,
    }
}
