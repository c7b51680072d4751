//! What `/proc` says of the control groups that `/sys` shows (cgroups(7)).

/// What Linux calls the kind.
pub const KIND: &str = "cgroup2";
/// Where it is found in `/sys`.
pub const PLACE: &[u8] = b"/fs/cgroup";
/// `/proc/cgroups`: all of them are in the one hierarchy of version 2.
pub const CONTROLLERS: &str = "#subsys_name\thierarchy\tnum_cgroups\tenabled\n\
                               cpuset\t0\t1\t1\ncpu\t0\t1\t1\ncpuacct\t0\t1\t1\nmemory\t0\t1\t1\n";
