//! Servers that lie: nothing they say harms us. The fuzz target `ninep` does the same with more patience.

use std::{boxed::Box, sync::Mutex};

use super::*;
use crate::{Lost, Transport};

/// Changes bytes of true replies here and there.
struct Liar(Direct, Mutex<u64>);

impl Transport for Liar {
    fn message_size(&self) -> u32 {
        self.0.message_size()
    }

    fn reply_parts(&self) -> usize {
        self.0.reply_parts()
    }

    fn exchange(&self, request: &[&[u8]], reply: &mut [&mut [u8]]) -> Result<usize, Lost> {
        let length = self.0.exchange(request, reply)?;
        let mut random = self.1.lock().unwrap();
        let mut next = |limit: usize| {
            *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (*random >> 33) as usize % limit
        };
        if next(4) > 0 {
            return Ok(length);
        }
        for _ in 0..next(4) {
            let part = next(reply.len());
            let at = next(reply[part].len().max(1)).min(next(48));
            let value = [0, 1, 0xff, 0x80, next(256) as u8][next(5)];
            if let Some(byte) = reply[part].get_mut(at) {
                *byte = value;
            }
        }
        Ok(if next(3) == 0 { next(length + 1) } else { length })
    }
}

#[test]
fn lies_harm_nobody() {
    let rounds = if cfg!(miri) { 3 } else { 200 };
    let mut mounted = 0;
    for seed in 0..rounds {
        let server = Server::new();
        server.put("/file", &[7; 9000]);
        server.view().make(b"/directory", vfs::MakeKind::Directory, 0o755).unwrap();
        server.view().make(b"/directory/inner", vfs::MakeKind::Directory, 0o755).unwrap();
        server.put("/directory/inner/file", b"x");
        let (here, world) = world();
        let liar = Liar(Direct(server.clone()), Mutex::new(seed));
        let Ok(root) = mount(Box::new(liar), world) else { continue };
        mounted += 1;
        let client = Client { root, here };
        for _ in 0..20 {
            here.later();
            for path in ["/file", "/directory/inner/../../directory/inner/file"] {
                let open = client.open(path, &vfs::OpenRequest { read: true, ..Default::default() });
                let _ = open.map(|open| open.read_at(0, &mut VecSink::new(20_000)));
            }
            let _ = client.write("/directory/new", &[1; 5000]);
            let _ = list(&*client.root, &mut |_| ());
            let _ = client.view().rename(b"/directory/new", &client.view(), b"/new", vfs::RenameMode::Replace);
            let _ =
                client.view().rename(b"/directory", &client.view(), b"/directory/inner/x", vfs::RenameMode::Replace);
            let _ = client.view().remove_file(b"/new");
            let at = client.look("/directory/inner");
            let _ = at.map(|at| MOUNTS.path_of(&at, &client.root));
        }
    }
    assert!(mounted > rounds / 4);
}
