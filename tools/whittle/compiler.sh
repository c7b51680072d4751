#!/bin/sh
# Called by cargo in place of the compiler of an image's crates. Cargo tells crates apart by a hash over the folder that
# they lie in (`-C metadata`). It is in the names of all symbols, and by these the linker and LLVM put functions in order
# and choose which of two copies stays: so an image's bytes, and how many they are, would depend on where it is built.
# Here name and version tell crates apart, and whether they are the house's.
set -eu

for word do
    shift
    case $word in
    metadata=*)
        word=metadata=${CARGO_PKG_NAME:?}-${CARGO_PKG_VERSION:?}
        case ${CARGO_MANIFEST_DIR:?} in
        # The crate that is written for an image lies where its builder wants it.
        "${WHITTLE_ROOT:?}"/target/* | "$WHITTLE_ROOT"/*/target/*) ;;
        "$WHITTLE_ROOT"/*) word=$word-whittle ;;
        esac
        ;;
    esac
    set -- "$@" "$word"
done
exec ${WHITTLE_WRAPPED:+"$WHITTLE_WRAPPED"} "$@"
