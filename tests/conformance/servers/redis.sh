#!/bin/sh
# Runs a unit of redis' own tests against a server: `redis.sh UNIT FOLDER`, in the folder of redis' source. SUITE_RUN has
# the words that come before the server's own, one a line, and nothing natively.
unit=$1 folder=$2 port=6379
IFS='
'
# The log is on from the start, for some tests turn it on, and on a server without one that takes a second process.
publish=
[ -z "$SUITE_RUN" ] || publish="-p
127.0.0.1:$port:$port
--"
# shellcheck disable=SC2086  # each line is a word
$SUITE_RUN $publish /usr/bin/redis-server --port "$port" --enable-debug-command yes --protected-mode no \
    --appendonly yes --save '' --dir "$folder" > "$folder/server" 2>&1 &
server=$!
until [ "$(redis-cli -p "$port" ping 2> /dev/null)" = PONG ]; do
    kill -0 "$server" || { cat "$folder/server" >&2; exit 1; }
    sleep 0.1
done
./runtest --host 127.0.0.1 --port "$port" --durable --single "$unit"
kill "$server"
wait "$server" || { tail -5 "$folder/server" >&2; echo "the server ended with status $?" >&2; }
