//! Message queues by name: mq_overview(7).

mod attributes;
mod messages;
mod open;

pub use attributes::{mq_getsetattr, mq_notify};
pub use messages::{mq_timedreceive, mq_timedsend};
pub use open::{mq_open, mq_unlink};
