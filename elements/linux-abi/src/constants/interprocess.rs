//! System V shared memory, semaphores and message queues: shmget(2), semget(2), msgget(2) and their kin.

flags! {
    /// Flags of shmget(2), semget(2) and msgget(2), beside the mode.
    IPC_FLAGS: IpcFlags(u32) {
        IPC_CREAT = 0o1000, IPC_EXCL = 0o2000, SHM_HUGETLB = 0o4000, SHM_NORESERVE = 0o10000,
    }
}

flags! {
    /// Flags of shmat(2).
    SHM_FLAGS: ShmFlags(u32) { SHM_RDONLY = 0o10000, SHM_RND = 0o20000, SHM_REMAP = 0o40000, SHM_EXEC = 0o100000 }
}

flags! {
    /// Flags of msgsnd(2) and msgrcv(2).
    QUEUE_FLAGS: QueueFlags(u32) {
        IPC_NOWAIT = 0o4000, MSG_NOERROR = 0o10000, MSG_EXCEPT = 0o20000, MSG_COPY = 0o40000,
    }
}

choices! {
    /// Commands of shmctl(2).
    SHM_COMMANDS: u32 {
        IPC_RMID = 0, IPC_SET = 1, IPC_STAT = 2, IPC_INFO = 3, SHM_LOCK = 11,
        SHM_UNLOCK = 12, SHM_STAT = 13, SHM_INFO = 14, SHM_STAT_ANY = 15,
    }
}

named! {
    /// Commands of semctl(2).
    SEM_COMMANDS: u32, choices(
        "IPC_RMID 0\nIPC_SET 1\nIPC_STAT 2\nIPC_INFO 3\nGETPID 11\nGETVAL 12\nGETALL 13\nGETNCNT 14\nGETZCNT 15\n\
         SETVAL 16\nSETALL 17\nSEM_STAT 18\nSEM_INFO 19\nSEM_STAT_ANY 20\n"
    )
}

named! {
    /// Commands of msgctl(2).
    MSG_COMMANDS: u32, choices(
        "IPC_RMID 0\nIPC_SET 1\nIPC_STAT 2\nIPC_INFO 3\nMSG_STAT 11\nMSG_INFO 12\nMSG_STAT_ANY 13\n"
    )
}

values! { u32 {
    GETPID = 11,
    GETVAL = 12,
    GETALL = 13,
    GETNCNT = 14,
    GETZCNT = 15,
    SETVAL = 16,
    SETALL = 17,
    SEM_STAT = 18,
    SEM_INFO = 19,
    SEM_STAT_ANY = 20,
    MSG_STAT = 11,
    MSG_INFO = 12,
    MSG_STAT_ANY = 13,
} }
