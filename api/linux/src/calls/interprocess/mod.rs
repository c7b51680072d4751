//! Shared memory, semaphores and message queues by keys: sysvipc(7).

mod messages;
mod msgctl;
mod semaphores;
mod semctl;
mod shared_memory;
mod shmctl;

pub use messages::{msgget, msgrcv, msgsnd};
pub use msgctl::msgctl;
pub use semaphores::{semget, semop, semtimedop};
pub use semctl::semctl;
pub use shared_memory::{shmat, shmdt, shmget};
pub use shmctl::shmctl;
