//! Memory: mmap(2), mremap(2), madvise(2), msync(2), mlock(2).

flags! {
    /// Protection bits of mmap(2) and mprotect(2).
    PROTECTION_FLAGS: ProtectionFlags(u32) {
        PROT_NONE = 0 & 0xffff_ffff, PROT_READ = 1, PROT_WRITE = 2, PROT_EXEC = 4, PROT_SEM = 8,
        PROT_GROWSDOWN = 0x0100_0000, PROT_GROWSUP = 0x0200_0000,
    }
}

flags! {
    /// Flags of mmap(2).
    MAP_FLAGS: MapFlags(u32) {
        MAP_SHARED = 1 & 0xf, MAP_PRIVATE = 2 & 0xf, MAP_SHARED_VALIDATE = 3 & 0xf,
        MAP_FIXED = 0x10, MAP_ANONYMOUS = 0x20, MAP_32BIT = 0x40, MAP_GROWSDOWN = 0x100, MAP_DENYWRITE = 0x800,
        MAP_EXECUTABLE = 0x1000, MAP_LOCKED = 0x2000, MAP_NORESERVE = 0x4000, MAP_POPULATE = 0x8000,
        MAP_NONBLOCK = 0x1_0000, MAP_STACK = 0x2_0000, MAP_HUGETLB = 0x4_0000, MAP_SYNC = 0x8_0000,
        MAP_FIXED_NOREPLACE = 0x10_0000,
    }
}

impl MapFlags {
    /// The field that says whether a mapping is shared, and with whom: no bits of its own.
    #[must_use]
    #[inline(always)]
    pub const fn sharing(self) -> Self {
        self.intersection(Self::from_bits_retain(0xf))
    }
}

flags! {
    /// Flags of mremap(2).
    REMAP_FLAGS: RemapFlags(u32) { MREMAP_MAYMOVE = 1, MREMAP_FIXED = 2, MREMAP_DONTUNMAP = 4 }
}

choices! {
    /// Advice of madvise(2).
    MEMORY_ADVICE: u32 {
        MADV_NORMAL = 0, MADV_RANDOM = 1, MADV_SEQUENTIAL = 2,
        MADV_WILLNEED = 3, MADV_DONTNEED = 4, MADV_FREE = 8,
        MADV_REMOVE = 9, MADV_DONTFORK = 10, MADV_DOFORK = 11,
        MADV_MERGEABLE = 12, MADV_UNMERGEABLE = 13, MADV_HUGEPAGE = 14,
        MADV_NOHUGEPAGE = 15, MADV_DONTDUMP = 16, MADV_DODUMP = 17,
        MADV_WIPEONFORK = 18, MADV_KEEPONFORK = 19, MADV_COLD = 20,
        MADV_PAGEOUT = 21, MADV_POPULATE_READ = 22,
        MADV_POPULATE_WRITE = 23, MADV_DONTNEED_LOCKED = 24,
        MADV_COLLAPSE = 25,
    }
}

flags! {
    /// Flags of msync(2).
    SYNC_FLAGS: SyncFlags(u32) { MS_ASYNC = 1, MS_INVALIDATE = 2, MS_SYNC = 4 }
}

flags! {
    /// Flags of mlock2(2).
    LOCK_FLAGS: LockFlags(u32) { MLOCK_ONFAULT = 1 }
}

flags! {
    /// Flags of mlockall(2).
    LOCK_ALL_FLAGS: LockAllFlags(u32) { MCL_CURRENT = 1, MCL_FUTURE = 2, MCL_ONFAULT = 4 }
}
