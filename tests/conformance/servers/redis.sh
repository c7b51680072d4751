#!/bin/sh
# Runs a unit of redis' own tests against a server: `redis.sh UNIT FOLDER`, in the folder of redis' source. SUITE_RUN has
# the words that come before the server's own, one a line, and nothing natively.
unit=$1 folder=$2 port=6379 host=127.0.0.1
IFS='
'
# A virtual machine is reached over a TAP device: QEMU's own network takes connections before the server does, and what
# comes by two of them in another order than it was sent.
network=
case "$SUITE_RUN" in
"") ;;
*"
pc
"*)
    host=10.0.2.15
    ip tuntap add tap0 mode tap vnet_hdr && ip addr add 10.0.2.2/24 dev tap0 && ip link set tap0 up || exit 1
    network="--net
tap:tap0
--ip
$host/24
--"
    ;;
*)
    network="-p
$host:$port:$port
--"
    ;;
esac
# The log is on from the start, for some tests turn it on, and on a server without one that takes a second process.
# shellcheck disable=SC2086  # each line is a word
$SUITE_RUN $network /usr/bin/redis-server --port "$port" --enable-debug-command yes --protected-mode no \
    --appendonly yes --save '' --dir "$folder" > "$folder/server" 2>&1 &
server=$!
until [ "$(redis-cli -h "$host" -p "$port" ping 2> /dev/null)" = PONG ]; do
    kill -0 "$server" || { cat "$folder/server" >&2; exit 1; }
    sleep 0.1
done
./runtest --host "$host" --port "$port" --durable --single "$unit"
kill "$server"
wait "$server" || { tail -5 "$folder/server" >&2; echo "the server ended with status $?" >&2; }
