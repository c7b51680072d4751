//! Redis: its types, Lua, TLS, what it keeps, threads, and a replica of another instance.
//!
//! What takes a second process stands in the book's chapter on limits: BGSAVE, BGREWRITEAOF, and a replica's first
//! copy.

use crate::server::{Server, USUAL};

const READY: &str = "test \"$(redis-cli -p {P} ping)\" = PONG";
const TOOLS: &[&str] = &["redis-server", "redis-cli", "openssl"];

pub const ALL: &[&Server] = &[
    &Server {
        name: "redis_keeps_and_tells",
        needs: TOOLS,
        words: &["/usr/bin/redis-server", "{F}/redis.conf"],
        files: &[("redis.conf", CONFIGURATION)],
        prepare: "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 30 -subj /CN=localhost",
        ready: READY,
        client: KEEPS,
        status: [0, 0],
        is_long: false,
        ..USUAL
    },
    &Server {
        name: "redis_with_two_threads",
        needs: TOOLS,
        words: &[
            "/usr/bin/redis-server",
            "--port",
            "{P}",
            "--protected-mode",
            "no",
            "--save",
            "",
            "--io-threads",
            "2",
            "--io-threads-do-reads",
            "yes",
        ],
        ready: READY,
        client: "redis-benchmark -p {P} -q -n 20000 -c 50 -P 16 -t set,get 2>&1 | tr '\\r' '\\n' | grep -c 'requests per second'
            redis-cli -p {P} get key:__rand_int__; redis-cli -p {P} config get io-threads",
        status: [0, 0],
        ..USUAL
    },
    &Server {
        name: "redis_is_a_replica",
        needs: TOOLS,
        words: &["/usr/bin/redis-server", "{F}/redis.conf"],
        files: &[("redis.conf", "port {P}\nprotected-mode no\ndir {F}/keep\nreplicaof {H} {R}\n")],
        beside: &["redis-server", "--port", "{R}", "--save", "", "--dir", "{F}", "--repl-diskless-sync-delay", "0"],
        ready: READY,
        client: REPLICATES,
        status: [0, 0],
        ..USUAL
    },
];

/// Saves a second after each change, which takes a process: it goes on where there is none.
const CONFIGURATION: &str = "\
port {P}
tls-port {Q}
tls-cert-file {F}/cert.pem
tls-key-file {F}/key.pem
tls-ca-cert-file {F}/cert.pem
tls-auth-clients no
protected-mode no
enable-debug-command yes
dir {F}/keep
appendonly yes
save 1 1
";

const KEEPS: &str = r#"
C="redis-cli -p {P}"
$C set a 1; $C get a; $C incr a; $C append a xyz; $C get a
$C eval 'local s = 0 for i = 1, 100000 do s = s + i end return {s, redis.call("get", KEYS[1])}' 1 a
for i in $(seq 1 500); do printf 'SET k%s v%s\r\nINCR n\r\n' $i $i; done | $C --pipe
$C get n; $C dbsize
$C lpush l a b c; $C lrange l 0 -1; $C zadd z 1 a 2 b; $C zrangebyscore z 0 5; $C hset h f v; $C hgetall h
$C xadd s 1-1 f v; $C xrange s - +; $C setrange big 3000000 x; $C strlen big
sleep 3; $C set after 1
$C config set save ''; sleep 1; $C save; $C debug reload; $C dbsize; $C debug loadaof; $C dbsize
redis-cli --tls --cacert cert.pem -h localhost -p {Q} get k7
timeout 60 $C subscribe channel > heard & L=$!
until $C pubsub numsub channel | grep -q 1; do sleep 0.1; done
$C publish channel hello
until grep -q hello heard; do sleep 0.1; done; kill $L; cat heard
redis-benchmark -p {P} -q -n 2000 -c 20 -P 8 -t set,get,incr,lpush,mset 2>&1 | tr '\r' '\n' | grep -c 'requests per second'
$C config get maxclients; $C info server | grep -e redis_version -e multiplexing
$C object encoding n; $C config set appendfsync always; $C set last 1
test -s keep/dump.rdb && ls -d keep/appendonlydir
"#;

const REPLICATES: &str = r#"
redis-cli -p {R} set x 12
redis-cli -p {R} eval 'for i = 1, 1000 do redis.call("set", "key" .. i, "value") end' 0
until test "$(redis-cli -p {P} dbsize)" = 1001; do sleep 0.1; done
redis-cli -p {P} get x; redis-cli -p {P} info replication | grep -e role -e link_status; redis-cli -p {P} set y 1
redis-cli -p {R} del x
until test "$(redis-cli -p {P} dbsize)" = 1000; do sleep 0.1; done
"#;
