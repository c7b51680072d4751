//! System V shared memory, semaphores and message queues: shmctl(2), semop(2), semctl(2), msgctl(2).

structure! {
    /// `struct ipc64_perm`, sysvipc(7).
    IpcPermission 48 {
        key: i32,
        uid: u32,
        gid: u32,
        cuid: u32,
        cgid: u32,
        mode: u32,
        seq: u16,
        padding: u16,
        tail: u32,
        unused: [u64; 2],
    }
}

structure! {
    /// `struct shmid64_ds`, shmctl(2).
    ShmStatus 112 {
        shm_perm: IpcPermission,
        shm_segsz: u64,
        shm_atime: i64,
        shm_dtime: i64,
        shm_ctime: i64,
        shm_cpid: u32,
        shm_lpid: u32,
        shm_nattch: u64,
        unused: [u64; 2],
    }
}

structure! {
    /// `struct shminfo64`, shmctl(2).
    ShmLimits 72 {
        shmmax: u64,
        shmmin: u64,
        shmmni: u64,
        shmseg: u64,
        shmall: u64,
        unused: [u64; 4],
    }
}

structure! {
    /// `struct shm_info`, shmctl(2).
    ShmUse 48 {
        used_ids: u32,
        padding: u32,
        shm_tot: u64,
        shm_rss: u64,
        shm_swp: u64,
        swap_attempts: u64,
        swap_successes: u64,
    }
}

structure! {
    /// `struct sembuf`, semop(2).
    SemOperation 6 {
        sem_num: u16,
        sem_op: i16,
        sem_flg: u16,
    }
}

structure! {
    /// `struct semid64_ds`, semctl(2).
    SemStatus 104 {
        sem_perm: IpcPermission,
        sem_otime: i64,
        first: u64,
        sem_ctime: i64,
        second: u64,
        sem_nsems: u64,
        unused: [u64; 2],
    }
}

structure! {
    /// `struct seminfo`, semctl(2).
    SemInformation 40 {
        semmap: i32,
        semmni: i32,
        semmns: i32,
        semmnu: i32,
        semmsl: i32,
        semopm: i32,
        semume: i32,
        semusz: i32,
        semvmx: i32,
        semaem: i32,
    }
}

structure! {
    /// `struct msqid64_ds`, msgctl(2).
    MsgStatus 120 {
        msg_perm: IpcPermission,
        msg_stime: i64,
        msg_rtime: i64,
        msg_ctime: i64,
        msg_cbytes: u64,
        msg_qnum: u64,
        msg_qbytes: u64,
        msg_lspid: u32,
        msg_lrpid: u32,
        unused: [u64; 2],
    }
}

structure! {
    /// `struct mq_attr`, mq_getattr(3).
    QueueAttributes 64 {
        mq_flags: i64,
        mq_maxmsg: i64,
        mq_msgsize: i64,
        mq_curmsgs: i64,
        reserved: [i64; 4],
    }
}

structure! {
    /// `struct msginfo`, msgctl(2).
    MsgInformation 32 {
        msgpool: i32,
        msgmap: i32,
        msgmax: i32,
        msgmnb: i32,
        msgmni: i32,
        msgssz: i32,
        msgtql: i32,
        msgseg: u16,
        padding: u16,
    }
}
