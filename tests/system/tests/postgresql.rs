//! PostgreSQL, a server of many processes: clients and background workers, and a machine that is killed again and again
//! while it writes.

use std::fs::File;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use rustix::process::Signal;
use system_tests::{Check, Guest, Platform, Running, Scope, need, random_points, scratch};

fn main() -> ExitCode {
    let long = |platform| matches!(platform, Platform::Process | Platform::PcRing3);
    system_tests::run(&[
        Check::where_wanted("postgresql_serves", Scope::Guests, long, serves).long(),
        Check::where_wanted("nothing_committed_is_lost", Scope::Guests, long, nothing_committed_is_lost).long(),
    ])
}

/// It may have to build an image first.
const LIMIT: Duration = Duration::from_secs(900);
/// How often the machine is killed.
const KILLS: usize = 100;
/// Milliseconds at most from the first commit to the end.
const LONGEST_LIFE: u64 = 1000;
/// For a machine to start, and for the server to find what the one before has left.
const START: Duration = Duration::from_secs(120);

/// What both scripts begin with. The server is for no one who is root: it runs as the owner of its folder.
const BEGINNING: &str = r#"
programs=$(ls -d /usr/lib/postgresql/*/bin | tail -n 1)
as() { name=$1; shift; setpriv --reuid=$(stat -c %u /data) --regid=$(stat -c %g /data) --clear-groups "$programs/$name" "$@"; }
tell() { as psql -qAt -h /tmp -d postgres "$@"; }
serve() { as postgres -D /data/cluster -c unix_socket_directories=/tmp -c listen_addresses= "$@" 2>>/tmp/log & }
await() { for try in $(seq 600); do as pg_isready -q -h /tmp && return; sleep 0.1; done; cat /tmp/log >&2; exit 1; }
make() { as initdb -D /data/cluster -A trust -U postgres --no-locale -E UTF8 > /tmp/made 2>&1 || { cat /tmp/made >&2; exit 1; }; }
export PGUSER=postgres
chmod 1777 /tmp
"#;

fn need_all() {
    need(&["/usr/lib/postgresql", "bash", "setpriv"]);
}

/// A machine that runs a script beside the server's folder.
fn machine(platform: Platform, data: &Path, script: &str) -> Running {
    let data = format!("{}:/data", data.display());
    let guest = Guest::new(platform).option("--cpus").option("2").option("--memory").option("1G");
    guest.option("-v").option(data).start(&["/bin/bash", "-c", &[BEGINNING, script].concat()])
}

/// A folder whose owner is not root.
fn folder() -> tempfile::TempDir {
    /// Of nobody, whom each system has.
    const NOBODY: u32 = 65534;
    let folder = scratch();
    let owner = File::open(folder.path()).and_then(|file| file.metadata()).expect("it was made just now");
    if owner.uid() == 0 {
        chown(folder.path(), Some(NOBODY), Some(NOBODY)).expect("root may");
    }
    folder
}

/// Ten clients for a minute, a query that workers share, and the one who tidies up.
fn serves(platform: Platform) {
    need_all();
    const SCRIPT: &str = r#"
make && serve -c autovacuum_naptime=1s && server=$! && await
as pgbench -h /tmp -i -q -s 2 postgres 2>/dev/null
as pgbench -h /tmp -c 10 -T 60 postgres 2>/dev/null | grep failed
tell -c "set parallel_setup_cost = 0; set parallel_tuple_cost = 0; set min_parallel_table_scan_size = 0;
    explain (analyze, costs off, timing off) select count(*) from pgbench_accounts" | grep -o 'Workers Launched: [1-9]'
for try in $(seq 600); do
    test "$(tell -c "select sum(autovacuum_count) > 0 from pg_stat_user_tables")" = t && echo tidied && break
    sleep 0.1
done
as pg_ctl -D /data/cluster -m fast -s stop && wait $server && echo stopped
"#;
    let data = folder();
    let outcome = machine(platform, data.path(), SCRIPT).finish(LIMIT);
    let wanted = "number of failed transactions: 0 (0.000%)\nWorkers Launched: 2\ntidied\nstopped\n";
    assert_eq!(outcome.text(), wanted, "{}", outcome.error_text());
}

/// A client commits numbers in their order and says each when it has been; then the machine is gone. The next one finds
/// all that were said.
fn nothing_committed_is_lost(platform: Platform) {
    need_all();
    const SCRIPT: &str = r#"
test -e /data/cluster/PG_VERSION || make
rm -f /data/cluster/postmaster.pid
serve && await
tell -c "create table if not exists numbers (number bigint primary key)"
set -- $(tell -F ' ' -c "select count(*), coalesce(max(number), 0) from numbers")
echo "found $1 up to $2"
yes | awk -v number=$2 '{ number++; print "insert into numbers values (" number ");\n\\echo committed " number }' | tell
"#;
    let data = folder();
    let mut committed = 0;
    for life in random_points(KILLS, LONGEST_LIFE) {
        let machine = machine(platform, data.path(), SCRIPT);
        machine.wait_for_output("committed ", START);
        std::thread::sleep(Duration::from_millis(life));
        machine.signal(Signal::KILL);
        let outcome = machine.finish(LIMIT);
        let text = outcome.text();
        let (count, last) = found(&text).unwrap_or_else(|| panic!("{text}{}", outcome.error_text()));
        assert!(count == last && last >= committed, "{count} numbers up to {last}, and {committed} were committed");
        // The end of the output may be that of half a line.
        let (whole, _) = text.rsplit_once('\n').unwrap_or_default();
        let said = whole.lines().filter_map(|line| line.strip_prefix("committed ")?.parse().ok()).max();
        committed = said.unwrap_or(last);
    }
    assert!(committed > KILLS as u64, "{committed}");
}

/// How many numbers a machine has found, and the last.
fn found(text: &str) -> Option<(u64, u64)> {
    let line = text.lines().find_map(|line| line.strip_prefix("found "))?;
    let (count, last) = line.split_once(" up to ")?;
    Some((count.parse().ok()?, last.parse().ok()?))
}
