//! Images against a map, whole and broken.

extern crate std;

use std::{collections::BTreeMap, format, string::ToString, vec, vec::Vec};

use super::*;
use crate::layout::BLOCK;

type Files = BTreeMap<Vec<u8>, Vec<u8>>;

/// An image of these files.
fn image(files: &Files) -> Vec<u8> {
    let named = |(name, contents): (&Vec<u8>, &Vec<u8>)| Named {
        name: name.clone(),
        length: contents.len() as u64,
        digest: digest(contents),
    };
    let plan = plan(&files.iter().map(named).collect::<Vec<_>>()).unwrap();
    let mut image = plan.index;
    image.resize(plan.length as usize, 0);
    for (place, contents) in plan.places.iter().zip(files.values()) {
        if let Some(place) = place {
            image[*place as usize..][..contents.len()].copy_from_slice(contents);
        }
    }
    image
}

struct Random(u64);

impl Random {
    fn next(&mut self, below: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % below
    }
}

/// Names and contents of many lengths, some contents more than once.
fn some(count: u64, seed: u64) -> Files {
    let mut random = Random(seed);
    let file = |number| {
        let name = format!("folder-{}/{number}{}", number % 7, "x".repeat(random.next(30) as usize));
        let length = if random.next(3) == 0 { random.next(20_000) } else { random.next(40) };
        (name.into_bytes(), vec![random.next(3) as u8; length as usize])
    };
    (0..count).map(file).collect()
}

/// Bytes that are not in memory, as far as a volume knows, and that fail from some offset on.
struct Device(Vec<u8>, u64);

impl Below for Device {
    fn length(&self) -> u64 {
        self.0.len() as u64
    }

    fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<(), Unreadable> {
        if offset + buffer.len() as u64 > self.1 {
            return Err(Unreadable);
        }
        (&self.0[..]).read(offset, buffer)
    }
}

fn agrees<B: Below>(volume: &Volume<'_, B>, files: &Files) {
    assert_eq!(volume.count(), files.len());
    assert!(volume.files().map(|(name, _)| name).eq(files.keys().map(|name| &name[..])));
    for (name, contents) in files {
        let file = volume.open(name).unwrap();
        assert_eq!((file.length(), *file.digest()), (contents.len() as u64, digest(contents)));
        assert!(file.begin().is_multiple_of(BLOCK));
        for (offset, most) in
            [(0, contents.len() + 9), (1, 5), (contents.len() / 2, 4096), (contents.len(), 1), (usize::MAX, 4)]
        {
            let wanted = contents.get(offset..).unwrap_or_default();
            let wanted = &wanted[..wanted.len().min(most)];
            let mut bytes = vec![0xee; most];
            assert_eq!(file.read_at(offset as u64, &mut bytes), Ok(wanted.len()));
            assert_eq!(&bytes[..wanted.len()], wanted);
        }
        assert_eq!(file.verify(), Ok(()));
        let same = volume.open_digest(&digest(contents)).unwrap();
        assert_eq!((same.begin(), same.length()), (file.begin(), file.length()));
        let mut other = name.clone();
        other.push(b'!');
        assert!(volume.open(&other).is_none() && volume.open(&name[1..]).is_none());
    }
    assert!(volume.open(b"").is_none() && volume.open_digest(&[7; 32]).is_none());
}

#[test]
fn files_are_found_by_name_and_by_digest() {
    for count in if cfg!(miri) { vec![0, 1, 9] } else { vec![0, 1, 2, 3, 64, 65, 1000] } {
        let files = some(count, count);
        let image = image(&files);
        let volume = Volume::in_memory(&image).unwrap();
        agrees(&volume, &files);
        for (name, contents) in &files {
            assert_eq!(volume.open(name).unwrap().bytes(), Some(&contents[..]));
        }
        agrees(&Volume::on(Device(image, u64::MAX)).unwrap(), &files);
    }
}

#[test]
fn equal_contents_are_there_once() {
    let files =
        Files::from([(b"a".to_vec(), vec![1; 5000]), (b"b".to_vec(), vec![1; 5000]), (b"c".to_vec(), vec![2; 5000])]);
    let image = image(&files);
    assert_eq!(image.len() as u64, BLOCK + 4 * BLOCK);
    let volume = Volume::in_memory(&image).unwrap();
    let begin = |name: &[u8]| volume.open(name).unwrap().begin();
    assert_eq!(begin(b"a"), begin(b"b"));
    assert_ne!(begin(b"a"), begin(b"c"));
}

#[test]
#[cfg_attr(miri, ignore = "ten thousand take minutes")]
fn names_are_near_their_places() {
    let files = some(10_000, 3);
    let image = image(&files);
    let header = check::header(&image, image.len() as u64).unwrap().0;
    assert!(header.furthest.get() < 40, "{}", header.furthest.get());
}

#[test]
fn two_of_one_name_are_refused() {
    let named = Named { name: b"same".to_vec(), length: 0, digest: digest(b"") };
    assert_eq!(plan(&[named.clone(), named]).err(), Some(Refusal::Twice(b"same".to_vec())));
}

#[test]
fn what_is_no_image_is_refused_in_words() {
    let refused = |bytes: &[u8]| Volume::in_memory(bytes).err();
    let image = image(&some(5, 1));
    assert_eq!(refused(b""), Some(Error::Foreign));
    assert_eq!(refused(&[0; 5000]), Some(Error::Foreign));
    assert_eq!(refused(&image[..image.len() - 1]), Some(Error::Short));
    let changed = |at: usize, byte: u8| {
        let mut image = image.clone();
        image[at] = byte;
        refused(&image)
    };
    assert_eq!(changed(8, 9), Some(Error::Version(9)));
    assert_eq!(changed(12, 29), Some(Error::Damaged("its tables are too large")));
    assert_eq!(changed(27, 1), Some(Error::Short));
    assert_eq!(changed(31, 1), Some(Error::Damaged("names are further away than the table is long")));
    assert_eq!(Error::Version(9).to_string(), "it has version 9, and only 1 is known");
}

#[test]
fn what_changed_after_packing_is_noticed() {
    let files = Files::from([(b"a".to_vec(), vec![1; 5000])]);
    let mut image = image(&files);
    image[BLOCK as usize + 4999] = 0;
    let volume = Volume::in_memory(&image).unwrap();
    assert_eq!(volume.open(b"a").unwrap().verify(), Err(Error::Damaged("contents are not what was packed")));
}

#[test]
fn a_device_that_fails_is_no_end_of_file() {
    let files = Files::from([(b"a".to_vec(), vec![1; 9000])]);
    let image = image(&files);
    assert_eq!(Volume::on(Device(image.clone(), 10)).err(), Some(Error::Unreadable));
    let volume = Volume::on(Device(image, 2 * BLOCK)).unwrap();
    let file = volume.open(b"a").unwrap();
    let mut bytes = [0; 4096];
    assert_eq!(file.read_at(0, &mut bytes), Ok(4096));
    assert_eq!(file.read_at(4096, &mut bytes), Err(Unreadable));
    assert_eq!(file.verify(), Err(Error::Unreadable));
}

/// Whatever is in an index, it is refused, or each of its files lies within the image.
#[test]
fn broken_images_lead_nowhere() {
    let whole = image(&some(20, 5));
    let mut random = Random(11);
    for _ in 0..if cfg!(miri) { 20 } else { 1000 } {
        let mut image = whole.clone();
        for _ in 0..1 + random.next(4) {
            let at = random.next(2500) as usize;
            image[at] = random.next(256) as u8;
        }
        if random.next(4) == 0 {
            image.truncate(random.next(image.len() as u64) as usize);
        }
        let Ok(volume) = Volume::in_memory(&image) else { continue };
        for (name, file) in volume.files() {
            assert!(file.bytes().is_some() && file.read_at(0, &mut [0; 64]).is_ok());
            let _ = (volume.open(name), volume.open_digest(file.digest()), file.verify());
        }
    }
}
