//! A file's contents for one who holds the file itself and whose memory is the kernel's: no sink, no source, no page
//! held beyond the copy, and nothing that could wait for a program's memory, so that a lock may be held all the way.

use super::{
    File,
    pages::{MOST_BYTES, PAGE, Seen},
};
use crate::{FileError, copy::copy};

const PAGE_BYTES: u64 = PAGE as u64;

impl File {
    /// Bytes of contents.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.pages.lock().length()
    }

    /// Reads from `offset` on; the bytes that came, fewer than `buffer` has only at the end.
    #[inline]
    pub fn read_bytes(&self, offset: u64, buffer: &mut [u8]) -> usize {
        let pages = self.pages.lock_in_line();
        let mut done = 0;
        while done < buffer.len() {
            let rest = &mut buffer[done..];
            let Some(at) = offset.checked_add(done as u64) else { break };
            done += match pages.look(at, rest.len()) {
                None => break,
                Some(Seen::Owned(page, part)) => page.with_in_line(|bytes| copy(rest, &bytes[part])),
                Some(Seen::Archived(bytes)) => copy(rest, bytes),
                Some(Seen::Hole(length)) => {
                    rest[..length].fill(0);
                    length
                }
            };
        }
        done
    }

    /// Writes at `offset`, or behind the end. The bytes written, fewer than `buffer` has only if there is no more room,
    /// and the position behind them. The file's times are those of the next who asks for them, or of
    /// [`File::settle_times`].
    #[inline]
    pub fn write_bytes(&self, offset: Option<u64>, buffer: &[u8]) -> Result<(usize, u64), FileError> {
        let _changing = self.changing.lock_in_line();
        let mut pages = self.pages.lock_in_line();
        let offset = offset.unwrap_or(pages.length());
        if buffer.is_empty() {
            return Ok((0, offset));
        }
        if offset >= MOST_BYTES {
            return Err(FileError::TooLarge);
        }
        let most = buffer.len().min((MOST_BYTES - offset) as usize);
        let mut done = 0;
        while done < most {
            let at = offset + done as u64;
            let inside = (at % PAGE_BYTES) as usize;
            let piece = &buffer[done..most.min(done + PAGE - inside)];
            let number = at / PAGE_BYTES;
            if let Some(page) = pages.owned(number) {
                page.change_in_line(|bytes| copy(&mut bytes[inside..], piece));
            } else {
                match pages.own(number, self.shared().surroundings) {
                    Ok(page) => drop(page.change(|bytes| copy(&mut bytes[inside..], piece))),
                    Err(error) if done == 0 => return Err(error),
                    Err(_) => break,
                }
            }
            done += piece.len();
        }
        pages.extend(offset + done as u64);
        self.base.mark();
        Ok((done, offset + done as u64))
    }

    /// Sets the file's times, if [`File::write_bytes`] has left that to do.
    #[inline]
    pub fn settle_times(&self) {
        self.base.settle();
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use std::{vec, vec::Vec};

    use super::*;
    use crate::{
        SliceSink,
        tests::{empty, nameless},
    };

    /// Both doors into a file show the same bytes, whatever was written, cut and left out.
    #[test]
    fn bytes_are_those_of_the_node() {
        let node = nameless(&empty());
        let any: alloc::sync::Arc<dyn core::any::Any + Send + Sync> = node.clone();
        let file = any.downcast::<File>().ok().unwrap();
        let mut model: Vec<u8> = Vec::new();
        let mut state = 7_u64;
        for step in 0..if cfg!(miri) { 30 } else { 2000 } {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let (offset, length) = ((state >> 40) as usize % 20_000, (state >> 20) as usize % 9000);
            match step % 5 {
                0 => {
                    node.set_length(offset as u64).unwrap();
                    model.resize(offset, 0);
                }
                1 => {
                    let (count, end) = file.write_bytes(None, &[step as u8; 9]).unwrap();
                    model.extend([step as u8; 9]);
                    assert_eq!((count, end), (9, model.len() as u64));
                }
                _ => {
                    let bytes = vec![step as u8; length % if step % 2 == 0 { 20 } else { 9000 }];
                    let behind = file.write_bytes(Some(offset as u64), &bytes).unwrap();
                    assert_eq!(behind, (bytes.len(), (offset + bytes.len()) as u64));
                    if !bytes.is_empty() {
                        model.resize(model.len().max(offset + bytes.len()), 0);
                        model[offset..offset + bytes.len()].copy_from_slice(&bytes);
                    }
                }
            }
            assert_eq!((file.length(), node.metadata().size), (model.len() as u64, model.len() as u64));
            let mut bytes = vec![0xee; length];
            let count = file.read_bytes(offset as u64, &mut bytes);
            let wanted = model.get(offset..).unwrap_or_default();
            assert_eq!(bytes[..count], wanted[..length.min(wanted.len())]);
            let mut again = vec![0; length];
            assert_eq!(node.read_at(offset as u64, &mut SliceSink::new(&mut again)), Ok(count));
            assert_eq!(bytes[..count], again[..count]);
        }
        let mut none = [0; 4];
        assert_eq!(file.read_bytes(u64::MAX, &mut none), 0);
        assert_eq!(file.write_bytes(Some(u64::MAX), &none), Err(FileError::TooLarge));
    }
}
