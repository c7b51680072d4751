//! Commands that scripts call, and that would change the host: `sysctl`, `ip`, `tc`, and the suite's `set_sysctls.py`.
//! Ours write down what TCP has a setting for, and do nothing else.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use system_tests::work_folder;

/// Adds `name=value` lines to what the library reads.
const SYSCTL: &str = r#"#!/bin/sh
for word; do case "$word" in *=*) echo "$word" >> "$WHITTLE_SYSCTL";; esac; done
"#;

/// Routes that are changed to carry packets of another length: `route/ADDRESS=MTU`, in the same file.
const IP: &str = r#"#!/bin/sh
[ "$1" = -6 ] && shift
[ "$1 $2" = "route change" ] || exit 0
to="$3"
while [ $# -gt 0 ]; do
    if [ "$1" = mtu ]; then
        shift
        [ "$1" = lock ] && shift
        echo "route/$to=$1" >> "$WHITTLE_SYSCTL"
    fi
    shift
done
"#;

/// The queue before the device: whether it has any room, and whether it keeps the pace of each connection.
const TC: &str = r#"#!/bin/sh
case " $* " in
*" limit 0 "*) room=0;;
*) room=1;;
esac
case " $* " in
*" fq "*) paced=1;;
*) paced=0;;
esac
printf 'device/room=%s\ndevice/paced=%s\n' "$room" "$paced" >> "$WHITTLE_SYSCTL"
"#;

/// What a script looks for in the host's table of connections is looked for in that of the machine under test.
const GREP: &str = r#"#!/bin/sh
for word; do
    shift
    case "$word" in
    /proc/net/tcp) word="$WHITTLE_CONNECTIONS";;
    /proc/net/tcp6) word=/dev/null;;
    esac
    set -- "$@" "$word"
done
PATH=${PATH#*:} exec grep "$@"
"#;

const NOTHING: &str = "#!/bin/sh\nexit 0\n";

/// The suite's own tool writes to files below /proc, and a script that undoes it. All else is for the host's Python.
const PYTHON: &str = r#"#!/bin/sh
case "$1" in
*set_sysctls.py)
    shift
    for word; do echo "$word" | sed 's|^/proc/sys/||; s|/|.|g' >> "$WHITTLE_SYSCTL"; done
    undo="/tmp/sysctl_restore_$PACKETDRILL_PID.sh"
    printf '#!/bin/sh\n' > "$undo"
    chmod u+x "$undo";;
*) PATH=${PATH#*:} exec python3 "$@";;
esac
"#;

/// The folder of these commands.
pub fn folder() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(written)
}

fn written() -> PathBuf {
    let folder = work_folder().join("packetdrill-tools");
    fs::create_dir_all(&folder).expect("the target folder can be written");
    let network = [("sysctl", SYSCTL), ("ip", IP), ("tc", TC), ("ethtool", NOTHING)];
    let tools = network.into_iter().chain([("grep", GREP), ("python3", PYTHON)]);
    for (name, text) in tools {
        let path = folder.join(name);
        fs::write(&path, text).expect("the target folder can be written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("a file of ours");
    }
    folder
}
