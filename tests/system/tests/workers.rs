//! Real programs that start others: servers with workers, builds, version control, interpreters' pools. Each is a
//! script of a shell, which the machine runs, and what it is to print.

use std::process::ExitCode;
use std::time::Duration;

use system_tests::{Check, Guest, Platform, Scope, need};

fn main() -> ExitCode {
    use Scope::{Guests, Machines, Once};
    system_tests::run(&[
        Check::new("nginx_with_workers", Guests, |platform| NGINX.run(platform)),
        Check::new("nginx_changes_its_binary", Guests, |platform| UPGRADE.run(platform)),
        Check::new("redis_saves", Guests, |platform| REDIS.run(platform)),
        Check::new("git", Guests, |platform| GIT.run(platform)),
        Check::new("a_secret_of_gpg", Guests, |platform| GPG.run(platform)),
        Check::new("a_build_by_make", Once, |platform| MAKE.run(platform)),
        Check::new("pools_of_python", Once, |platform| PYTHON.run(platform)),
        Check::new("a_build_by_make_on_machines", Machines, |platform| MAKE.run(platform)).long(),
        Check::new("pools_of_python_on_machines", Machines, |platform| PYTHON.run(platform)).long(),
    ])
}

/// It may have to build an image first.
const LIMIT: Duration = Duration::from_secs(900);

struct Script {
    needs: &'static [&'static str],
    text: &'static str,
    prints: &'static str,
}

impl Script {
    fn run(&self, platform: Platform) {
        need(self.needs);
        need(&["bash"]);
        let guest = Guest::new(platform).option("--cpus").option("2").option("--memory").option("1G");
        let outcome = guest.limit(LIMIT).run(&["/bin/bash", "-c", self.text]);
        assert_eq!(outcome.text(), self.prints, "{}", outcome.error_text());
        outcome.expect_status(0);
    }
}

/// It asks an agent, which it starts, and takes what the processor is said to have for its sums.
const GPG: Script = Script {
    needs: &["gpg", "gpg-agent"],
    text: r#"
export GNUPGHOME=/tmp/gpg && mkdir -m 700 $GNUPGHOME && cd $GNUPGHOME || exit 1
gpg() { /usr/bin/gpg -q --batch --passphrase word "$@"; }
echo secret | gpg --symmetric -o message && gpg -d message && ! grep -q secret message && echo nobody reads it
gpgconf --kill all
"#,
    prints: "secret
nobody reads it
",
};

/// A master and two workers; others take their places when it is told to read its configuration again. `$pid` is the
/// worker's.
const NGINX: Script = Script {
    needs: &["nginx", "curl"],
    text: r#"
mkdir -p /tmp/nginx/logs && cd /tmp/nginx || exit 1
cat > nginx.conf <<'end'
worker_processes 2; pid /tmp/nginx/pid; error_log /tmp/nginx/error.log; daemon off; user root;
events { worker_connections 64; }
http { access_log off; server { listen 127.0.0.1:8081; location / { return 200 "$pid\n"; } } }
end
ask() { curl -s -m 60 --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:8081/; }
nginx -p /tmp/nginx -c nginx.conf & master=$!
first=$(ask)
test "$first" -gt 1 && test "$first" != $master && echo a worker answers
workers() { for process in /proc/[0-9]*; do test "$(awk '{ print $4 }' $process/stat)" = $master && echo x; done | wc -l; }
echo workers: $(workers)
kill -HUP $master
for try in $(seq 600); do
    second=$(ask)
    test -n "$second" && test ! -e /proc/$first && break
    sleep 0.1
done
test "$second" != "$first" && echo another one after a reload
for try in $(seq 600); do test $(workers) = 2 && break; sleep 0.1; done
echo workers: $(workers)
kill -QUIT $master; wait $master; echo status $?
"#,
    prints: "a worker answers\nworkers: 2\nanother one after a reload\nworkers: 2\nstatus 0\n",
};

/// The upgrade of a running server as its manual has it (nginx.org, "Controlling nginx"): the old master starts the new
/// binary, which inherits its sockets, and both have workers until the old one is told to go.
const UPGRADE: Script = Script {
    needs: &["nginx", "curl"],
    text: r#"
mkdir -p /tmp/nginx/logs && cd /tmp/nginx || exit 1
cat > nginx.conf <<'end'
worker_processes 2; pid /tmp/nginx/pid; error_log /tmp/nginx/error.log; user root;
events { worker_connections 64; }
http { access_log off; server { listen 127.0.0.1:8082; location / { return 200 "$pid\n"; } } }
end
ask() { curl -s -m 60 --retry 20 --retry-connrefused --retry-delay 1 http://127.0.0.1:8082/; }
await() { for try in $(seq 600); do "$@" && return; sleep 0.1; done; echo never: "$@"; cat error.log; }
parent() { awk '{ print $4 }' /proc/$1/stat; }
gone() { test ! -e /proc/$1/exe; }
children() { for process in /proc/[0-9]*; do test "$(parent ${process#/proc/})" = $1 && cat $process/comm; done; }
alone() { test "$(children $1 2> /dev/null | grep -c nginx)" = $2; }
/usr/sbin/nginx -p /tmp/nginx -c nginx.conf; await test -s pid; old=$(cat pid)
test "$(parent $(ask))" = $old && echo a worker of the old master answers
kill -USR2 $old; await test -s pid.oldbin; await test -s pid; new=$(cat pid)
test $new != $old && test "$(cat pid.oldbin)" = $old && test "$(parent $new)" = $old && echo the new binary is a child of the old
kill -WINCH $old; await alone $old 1
test "$(parent $(ask))" = $new && echo a worker of the new master answers
kill -QUIT $old; await gone $old
test "$(parent $(ask))" = $new && echo it answers alone
test "$(parent $new)" = 1 && echo and is an orphan
kill -QUIT $new; await gone $new; echo ended
! grep -E "emerg|alert|crit" error.log
"#,
    prints: "a worker of the old master answers\nthe new binary is a child of the old\na worker of the new master answers\n\
             it answers alone\nand is an orphan\nended\n",
};

/// A child writes what is in memory, while the server goes on: a snapshot, and a shorter log.
const REDIS: Script = Script {
    needs: &["redis-server", "redis-cli"],
    text: r#"
mkdir -p /tmp/redis && cd /tmp/redis || exit 1
redis-server --port 7001 --dir /tmp/redis --save "" --appendonly yes > log 2>&1 & server=$!
ask() { redis-cli -p 7001 "$@" 2> /dev/null; }
for try in $(seq 600); do test "$(ask ping)" = PONG && break; sleep 0.1; done
for number in 1 2 3 4 5; do ask set key$number $number > /dev/null; done
told() { ask info persistence | tr -d '\r' | grep "^$1:"; }
await() { for try in $(seq 600); do test "$(told $1)" = "$1:$2" && break; sleep 0.1; done; told $1; }
ask bgsave; await rdb_saves 1; await rdb_bgsave_in_progress 0; told rdb_last_bgsave_status; test -s dump.rdb && echo it is there
ask bgrewriteaof; await aof_rewrites 1; await aof_rewrite_in_progress 0; told aof_last_bgrewrite_status
ask shutdown nosave; wait $server; echo status $?
"#,
    prints: "Background saving started\nrdb_saves:1\nrdb_bgsave_in_progress:0\nrdb_last_bgsave_status:ok\nit is there\n\
             Background append only file rewriting started\naof_rewrites:1\naof_rewrite_in_progress:0\n\
             aof_last_bgrewrite_status:ok\nstatus 0\n",
};

const GIT: Script = Script {
    needs: &["git"],
    text: r#"
export HOME=/tmp GIT_CONFIG_NOSYSTEM=1 && mkdir -p /tmp/git && cd /tmp/git || exit 1
git init -q -b main one && cd one && git config user.email a@b && git config user.name a
for number in 1 2 3 4 5 6 7 8; do echo $number > file$number; git add . && git commit -q -m $number; done
git gc -q && cd .. && git clone -q one two && cd two && git log --format=%s | tr '\n' ' ' && echo
git bisect start HEAD HEAD~7 > /dev/null
git bisect run sh -c '! test -e file5' > ../bisected; grep -c 'is the first bad commit' ../bisected
git log -1 --format=%s bisect/bad
"#,
    prints: "8 7 6 5 4 3 2 1 \n1\n5\n",
};

/// A hundred files of C, two at a time.
const MAKE: Script = Script {
    needs: &["make", "gcc"],
    text: r#"
mkdir -p /tmp/make && cd /tmp/make || exit 1
objects= calls=
for number in $(seq 100); do
    echo "int f$number(int x) { return x + $number; }" > f$number.c
    objects="$objects f$number.o" calls="$calls s = f$number(s);"
done
{ seq 100 | sed 's/.*/int f&(int);/'; echo '#include <stdio.h>'
  echo "int main(void) { int s = 0; $calls printf(\"%d\\n\", s); }"; } > main.c
printf 'all: main.o%s\n\tgcc -o all $^\n' "$objects" > Makefile
make -j2 -s && ./all
make -q && echo nothing to be done
"#,
    prints: "5050\nnothing to be done\n",
};

const PYTHON: Script = Script {
    needs: &["/usr/bin/python3"],
    text: r#"
cd /tmp && cat > pools.py <<'end'
import concurrent.futures, multiprocessing, os, subprocess

def square(x):
    return x * x

if __name__ == "__main__":
    for method in "fork", "spawn", "forkserver":
        with multiprocessing.get_context(method).Pool(3) as pool:
            print(method, pool.map(square, range(5)))
    with concurrent.futures.ProcessPoolExecutor(2) as executor:
        print(list(executor.map(square, range(4))))
    queue = multiprocessing.Queue()
    process = multiprocessing.Process(target=queue.put, args=(7,))
    process.start()
    print(queue.get(), process.join(), process.exitcode)
    print(subprocess.run(["tr", "a", "b"], input=b"a", capture_output=True).stdout, os.system("exit 3") >> 8)
end
/usr/bin/python3 pools.py
"#,
    prints: "fork [0, 1, 4, 9, 16]\nspawn [0, 1, 4, 9, 16]\nforkserver [0, 1, 4, 9, 16]\n[0, 1, 4, 9]\n7 None 0\n\
             b'b' 3\n",
};
