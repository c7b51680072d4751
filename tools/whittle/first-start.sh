# First start: builds the command. Read by the launcher, `whittle`, which sets WHITTLE_ROOT, target, folder and binary.
# Whatever takes long says so beforehand, and shows that it goes on.

unset WHITTLE_REBUILD

fail() {
    echo "whittle: $1" >&2
    exit 125
}

# need COMMAND PACKAGE: installs a missing Debian package where that is possible, else says what to type.
need() {
    command -v "$1" >/dev/null 2>&1 && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
        echo "whittle: installing $2 with apt-get, once" >&2
        { apt-get install -y -q "$2" || { apt-get update -q && apt-get install -y -q "$2"; }; } >/dev/null 2>&1 && return
    fi
    fail "$1 is needed to build; type: sudo apt-get install $2"
}

# The toolchain and targets that rust-toolchain.toml names, for a rustup that does not fetch them by itself.
prepare_toolchain() {
    command -v rustup >/dev/null 2>&1 || return 0
    channel=$(sed -n 's/^channel = "\(.*\)"/\1/p' rust-toolchain.toml)
    if ! rustup run "$channel" rustc --version >/dev/null 2>&1; then
        echo "whittle: fetching Rust $channel, once" >&2
        rustup toolchain install "$channel" --profile minimal >&2 ||
            fail "Rust $channel could not be fetched; type: rustup toolchain install $channel"
    fi
    for wanted in x86_64-unknown-none x86_64-unknown-linux-musl; do
        rustup target list --installed | grep -qx "$wanted" || rustup target add "$wanted" >&2 ||
            fail "the Rust target $wanted could not be fetched; type: rustup target add $wanted"
    done
}

# cargo_build FLAGS...: linked to one address, since relocating it would cost each start a fifth of a millisecond and more.
cargo_build() {
    cargo build --locked --package whittle --profile command --target "$target" --target-dir target \
        --config 'target.x86_64-unknown-linux-musl.rustflags=["-Crelocation-model=static"]' "$@"
}

# On a terminal cargo shows how far it is. A log gets a line every ten seconds, and cargo's words if it fails.
build_command() {
    if [ -t 2 ]; then
        cargo_build >&2
        return
    fi
    words=$folder/whittle.words-$$
    cargo_build >"$words" 2>&1 &
    cargo=$!
    trap 'kill $cargo 2>/dev/null; rm -f "$words"' EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM
    seconds=0
    while kill -0 "$cargo" 2>/dev/null; do
        sleep 1
        seconds=$((seconds + 1))
        [ $((seconds % 10)) != 0 ] ||
            echo "whittle: building the command: $(grep -c Compiling "$words") crates begun, $seconds s" >&2
    done
    trap - EXIT INT TERM
    status=0
    wait "$cargo" || { status=$?; cat "$words" >&2; }
    rm -f "$words"
    return "$status"
}

# One at a time: a second first start waits for the first, and then has nothing to do.
first_start() {
    cd "$WHITTLE_ROOT"
    mkdir -p "$folder"
    exec 9>>"$folder/whittle.lock"
    if command -v flock >/dev/null 2>&1 && ! flock -n 9; then
        echo "whittle: another start is building the command: waiting for it" >&2
        flock 9
        [ ! -x "$binary" ] || [ ! -e "$folder/whittle.stamp" ] || return 0
    fi
    need cc gcc
    command -v cargo >/dev/null 2>&1 || PATH=${CARGO_HOME:-$HOME/.cargo}/bin:$PATH
    command -v cargo >/dev/null 2>&1 || fail "Rust is needed to build; get it from https://rustup.rs"
    prepare_toolchain
    building=$folder/whittle.building-$$
    touch "$building"
    echo "whittle: building the command, once: about two minutes on a quiet machine; 13 MB to fetch, 380 MB in target/" >&2
    build_command || { rm -f "$building"; fail "the command did not build; the compiler's words are above"; }
    mv "$building" "$folder/whittle.stamp"
}

from=$PWD
first_start
# The lock goes with its descriptor, which the command must not inherit.
exec 9>&-
cd "$from"
