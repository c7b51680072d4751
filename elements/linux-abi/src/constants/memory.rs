//! Memory: mmap(2), mremap(2), madvise(2), msync(2), mlock(2).

flags! {
    /// Protection bits of mmap(2) and mprotect(2).
    PROTECTION_FLAGS: u32 {
        PROT_NONE = 0 & 0xffff_ffff, PROT_READ = 1, PROT_WRITE = 2, PROT_EXEC = 4, PROT_SEM = 8,
        PROT_GROWSDOWN = 0x0100_0000, PROT_GROWSUP = 0x0200_0000,
    }
}

flags! {
    /// Flags of mmap(2).
    MAP_FLAGS: u32 {
        MAP_SHARED = 1 & 0xf, MAP_PRIVATE = 2 & 0xf, MAP_SHARED_VALIDATE = 3 & 0xf,
        MAP_FIXED = 0x10, MAP_ANONYMOUS = 0x20, MAP_32BIT = 0x40, MAP_GROWSDOWN = 0x100, MAP_DENYWRITE = 0x800,
        MAP_EXECUTABLE = 0x1000, MAP_LOCKED = 0x2000, MAP_NORESERVE = 0x4000, MAP_POPULATE = 0x8000,
        MAP_NONBLOCK = 0x1_0000, MAP_STACK = 0x2_0000, MAP_HUGETLB = 0x4_0000, MAP_SYNC = 0x8_0000,
        MAP_FIXED_NOREPLACE = 0x10_0000,
    }
}

/// The field of [`MAP_FLAGS`] that says whether a mapping is shared.
pub const MAP_TYPE: u32 = 0xf;

flags! {
    /// Flags of mremap(2).
    REMAP_FLAGS: u32 { MREMAP_MAYMOVE = 1, MREMAP_FIXED = 2, MREMAP_DONTUNMAP = 4 }
}

flags! {
    /// Advice of madvise(2).
    MEMORY_ADVICE: u32 {
        MADV_NORMAL = 0 & 0xffff_ffff, MADV_RANDOM = 1 & 0xffff_ffff, MADV_SEQUENTIAL = 2 & 0xffff_ffff,
        MADV_WILLNEED = 3 & 0xffff_ffff, MADV_DONTNEED = 4 & 0xffff_ffff, MADV_FREE = 8 & 0xffff_ffff,
        MADV_REMOVE = 9 & 0xffff_ffff, MADV_DONTFORK = 10 & 0xffff_ffff, MADV_DOFORK = 11 & 0xffff_ffff,
        MADV_MERGEABLE = 12 & 0xffff_ffff, MADV_UNMERGEABLE = 13 & 0xffff_ffff, MADV_HUGEPAGE = 14 & 0xffff_ffff,
        MADV_NOHUGEPAGE = 15 & 0xffff_ffff, MADV_DONTDUMP = 16 & 0xffff_ffff, MADV_DODUMP = 17 & 0xffff_ffff,
        MADV_WIPEONFORK = 18 & 0xffff_ffff, MADV_KEEPONFORK = 19 & 0xffff_ffff, MADV_COLD = 20 & 0xffff_ffff,
        MADV_PAGEOUT = 21 & 0xffff_ffff, MADV_POPULATE_READ = 22 & 0xffff_ffff,
        MADV_POPULATE_WRITE = 23 & 0xffff_ffff, MADV_DONTNEED_LOCKED = 24 & 0xffff_ffff,
        MADV_COLLAPSE = 25 & 0xffff_ffff,
    }
}

flags! {
    /// Flags of msync(2).
    SYNC_FLAGS: u32 { MS_ASYNC = 1, MS_INVALIDATE = 2, MS_SYNC = 4 }
}

flags! {
    /// Flags of mlock2(2).
    LOCK_FLAGS: u32 { MLOCK_ONFAULT = 1 }
}

flags! {
    /// Flags of mlockall(2).
    LOCK_ALL_FLAGS: u32 { MCL_CURRENT = 1, MCL_FUTURE = 2, MCL_ONFAULT = 4 }
}
