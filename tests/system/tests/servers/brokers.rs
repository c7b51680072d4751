//! What keeps and hands on: memcached, mosquitto and etcd.

use crate::server::{Server, USUAL};

pub const ALL: &[&Server] = &[
    &Server {
        name: "memcached_with_two_threads",
        needs: &["memcached", "nc", "/usr/bin/python3"],
        words: &["/usr/bin/memcached", "-u", "root", "-t", "2", "-p", "{P}"],
        files: &[("client.py", MANY)],
        ready: "printf 'version\\r\\nquit\\r\\n' | nc -w 5 127.0.0.1 {P} | grep -q VERSION",
        client: MEMCACHED,
        status: [0, 0],
        ..USUAL
    },
    &Server {
        name: "mosquitto_hands_on",
        needs: &["mosquitto", "mosquitto_pub", "openssl"],
        words: &["/usr/sbin/mosquitto", "-c", "{F}/mosquitto.conf"],
        files: &[("mosquitto.conf", MOSQUITTO_CONFIGURATION)],
        prepare: "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 30 -subj /CN=localhost",
        ready: "mosquitto_pub -p {P} -t ready -m yes",
        client: MOSQUITTO,
        status: [0, 0],
        ..USUAL
    },
    &Server {
        name: "etcd_keeps",
        needs: &["etcd", "etcdctl"],
        words: &[
            "/usr/bin/etcd",
            "--data-dir",
            "{F}/keep/etcd",
            "--listen-client-urls",
            "http://0.0.0.0:{P}",
            "--advertise-client-urls",
            "http://127.0.0.1:{P}",
            "--listen-peer-urls",
            "http://127.0.0.1:{Q}",
        ],
        ready: "ETCDCTL_API=3 etcdctl --endpoints 127.0.0.1:{P} endpoint health",
        client: ETCD,
        // As the first process of a machine it ends with 0, it says in `pkg/osutil`.
        status: [143, 0],
        memory: Some("512M"),
        ..USUAL
    },
];

const MEMCACHED: &str = r#"
printf '%b' 'set a 0 0 5\r\nhello\r\nget a\r\nset n 0 0 1\r\n5\r\nincr n 3\r\ndecr n 1\r\nappend a 0 0 1\r\n!\r\nget a n\r\n' \
    'gets none\r\ndelete a\r\nget a\r\ntouch n 10\r\ncas n 0 0 1 99999\r\n1\r\nflush_all\r\nget n\r\nversion\r\nmn\r\n' \
    'ms x 2\r\nhi\r\nmg x v\r\nbogus\r\nquit\r\n' | nc -w 60 127.0.0.1 {P}
printf 'stats\r\nquit\r\n' | nc -w 60 127.0.0.1 {P} | grep -e threads -e 'cmd_[gs]et'
printf 'stats settings\r\nquit\r\n' | nc -w 60 127.0.0.1 {P} | grep -e maxconns -e num_threads -e maxbytes
/usr/bin/python3 client.py
"#;

/// Eight clients at once, each with 5 MB of its own.
const MANY: &str = "\
import socket, threading
value = b'x' * 100000
done = []
def client(number):
    stream = socket.create_connection(('127.0.0.1', {P}))
    answers = stream.makefile('rb')
    for key in range(50):
        stream.sendall(b'set %d.%d 0 0 %d\\r\\n%s\\r\\n' % (number, key, len(value), value))
        assert answers.readline() == b'STORED\\r\\n'
    for key in range(50):
        stream.sendall(b'get %d.%d\\r\\n' % (number, key))
        assert answers.readline().startswith(b'VALUE')
        assert answers.read(len(value)) == value and answers.readline() + answers.readline() == b'\\r\\nEND\\r\\n'
    done.append(number)
clients = [threading.Thread(target=client, args=[number]) for number in range(8)]
for one in clients: one.start()
for one in clients: one.join()
print(sorted(done))
";

const MOSQUITTO_CONFIGURATION: &str = "\
listener {P} 0.0.0.0
allow_anonymous true
persistence true
persistence_location {F}/keep/
listener {Q} 0.0.0.0
cafile {F}/cert.pem
certfile {F}/cert.pem
keyfile {F}/key.pem
user root
";

/// Who listens says so by a message of its own that is kept for it.
const MOSQUITTO: &str = r#"
mosquitto_pub -p {P} -t a/first -m kept -r -q 1
timeout 120 mosquitto_sub -p {P} -t 'a/#' -v -C 5 -q 1 > heard & L=$!
until grep -q kept heard; do sleep 0.1; done
for m in 0 1 2; do mosquitto_pub -p {P} -t a/b$m -m "word $m" -q $m; done
mosquitto_pub -h localhost -p {Q} --cafile cert.pem -t a/tls -m secret
wait $L; cat heard
mosquitto_sub -p {P} -t '$SYS/broker/version' -C 1 -W 60
head -c 300000 /dev/zero | tr '\0' x | mosquitto_pub -p {P} -t blob -s -r -q 1
mosquitto_sub -p {P} -t blob -C 1 -W 60 | md5sum
"#;

const ETCD: &str = r#"
export ETCDCTL_API=3; E="etcdctl --endpoints 127.0.0.1:{P}"
$E put a 1; $E get a
for i in 1 2 3 4 5; do $E put k$i v$i; done
$E get k --prefix --keys-only; $E del k2
timeout 120 $E watch a > heard & L=$!
until grep -q PUT heard; do $E put a 2 > /dev/null; sleep 0.3; done; kill $L; head -3 heard
printf 'value("a") = "2"\n\nput a 3\n\nput a 4\n\n' | $E txn; $E get a
$E compact 3; $E defrag; $E get k3
"#;
