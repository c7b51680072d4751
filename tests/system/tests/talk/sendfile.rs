//! A file is sent by sendfile(2): 64 MB, or 1 GB with `--all`.

use std::io::{BufWriter, Read, Write};

use system_tests::{Platform, all, need, report_rate, scratch};

use crate::ways::Way;
use crate::{LIMIT, PYTHON};

/// Sends a file to whoever comes.
const SEND: &str = r#"
import os, socket, sys
listener = socket.create_server(("", 80))
print("ready", flush=True)
stream = listener.accept()[0]
stream.recv(1)
with open(sys.argv[1], "rb") as file:
    left, at = os.fstat(file.fileno()).st_size, 0
    while left:
        count = os.sendfile(stream.fileno(), file.fileno(), at, left)
        at, left = at + count, left - count
"#;

/// What stands at a place of the file: no two pieces are alike, so that one that comes twice or late is seen.
const fn word(number: u64) -> [u8; 8] {
    number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_le_bytes()
}

pub fn check(platform: Platform, way: Way) {
    need(&[PYTHON]);
    way.prepared(move || {
        let words: u64 = if all() { 1 << 27 } else { 1 << 23 };
        let folder = scratch();
        let path = folder.path().join("file");
        let mut file = BufWriter::new(std::fs::File::create(&path).expect("the folder can be written"));
        (0..words).for_each(|number| file.write_all(&word(number)).expect("there is room"));
        drop(file.into_inner().expect("there is room"));
        let guest = way.guest(platform).option("--memory").option("256M");
        let running = guest.start(&[PYTHON, "-c", SEND, path.to_str().expect("the path is text")]);
        running.wait_for_output("ready", LIMIT);
        let begun = std::time::Instant::now();
        let mut stream = way.connect();
        stream.set_read_timeout(Some(LIMIT)).expect("a time is set");
        let mut piece = vec![0; 1 << 20];
        let (mut number, mut kept) = (0, 0);
        loop {
            let count = stream.read(&mut piece[kept..]).expect("the file comes");
            let (whole, _) = piece[..kept + count].as_chunks::<8>();
            for bytes in whole {
                assert_eq!(*bytes, word(number), "word {number}");
                number += 1;
            }
            let used = whole.len() * 8;
            piece.copy_within(used..kept + count, 0);
            kept = kept + count - used;
            if count == 0 {
                break;
            }
        }
        assert_eq!((number, kept), (words, 0));
        drop(stream);
        report_rate(platform, &format!("sendfile {}", way.name()), words as usize * 8, begun.elapsed());
        running.finish(LIMIT).expect_status(0);
    });
}
