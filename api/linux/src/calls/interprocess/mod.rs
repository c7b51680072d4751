//! Shared memory, semaphores and message queues by keys: sysvipc(7).

pub mod msgctl;
pub mod msgget;
pub mod msgrcv;
pub mod msgsnd;
pub mod semctl;
pub mod semget;
pub mod semop;
pub mod semtimedop;
pub mod shmat;
pub mod shmctl;
pub mod shmdt;
pub mod shmget;
