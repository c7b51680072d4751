//! Message queues by name: mq_overview(7).

pub mod mq_getsetattr;
pub mod mq_notify;
pub mod mq_open;
pub mod mq_timedreceive;
pub mod mq_timedsend;
pub mod mq_unlink;
