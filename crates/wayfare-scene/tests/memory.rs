//! Memory of the reader of scenes: at most a constant times the file, or a limit that has a name.
//!
//! The files are those that take most memory a byte. They are read at two sizes: the larger one
//! shows that nothing grows faster than the file.

use allocation_counter::measure;
use wayfare_formats::MemoryFiles;
use wayfare_scene::{Playable, read_from, scene};

/// Bytes that a reader may take whatever the file: tables of its own, and messages.
const ALWAYS: u64 = 64 << 10;

/// The most bytes for each byte of a file.
const FACTOR: u64 = 128;

/// The most bytes that a file of some hundred bytes may take when it is read and built.
const TINY: u64 = 2 << 20;

/// Lines that are all different, so that nothing merges.
fn numbered(head: &str, line: impl Fn(usize) -> String, bytes: usize) -> Vec<u8> {
    let mut text = head.to_owned();
    (0..)
        .map(line)
        .take_while(|line| {
            text.push_str(line);
            text.len() < bytes
        })
        .for_each(drop);
    text.into_bytes()
}

#[test]
fn memory_is_a_constant_times_the_file() {
    type Make = fn(usize) -> Vec<u8>;
    let cases: [(&str, Make); 3] = [
        ("waypoints", |bytes| {
            let item = |n: usize| format!("{{id='{n}',at=[0,0,0]}},");
            let head = "scene={name='s'}\nwaypoints=[";
            numbered(head, item, bytes).into_iter().chain(*b"]").collect()
        }),
        ("numbers in a list that nobody knows", |bytes| {
            let numbers = "1,".repeat(bytes / 2);
            format!("scene={{name='s'}}\nsurprise=[{numbers}]").into_bytes()
        }),
        ("keys", |bytes| numbered("", |n| format!("[a{n}]\n"), bytes)),
    ];
    for (name, make) in cases {
        for size in [16 << 10, 256 << 10] {
            let file = make(size);
            assert!(file.len() >= size / 2 && file.len() <= size + size / 8, "{name}");
            let taken = measure(|| drop(scene::read(&file)));
            let (most, total) = (taken.bytes_max, taken.bytes_total);
            let allowed = ALWAYS + FACTOR * file.len() as u64;
            assert!(most <= allowed, "{name}, {size} bytes: {most}, not {allowed}");
            // Each byte is copied a bounded number of times.
            assert!(total <= 4 * allowed, "{name}, {size} bytes: {total} bytes in all");
        }
    }
}

/// A scene that asks for a huge number of waypoints is refused, or takes memory for its content
/// alone.
#[test]
fn a_claim_of_a_huge_size_in_a_tiny_file_takes_no_memory() {
    let text = "scene={name='s'}\nwaypoints=[{id='a',at=[0,0,0]}]\nplacements=[{generate='grid',spacing=0.0001,area={min=[-1e6,-1e6],max=[1e6,1e6]},prefix='p',agent_radius=0.1}]";
    let files = MemoryFiles::new().with("a.toml", text);
    let taken = measure(|| {
        let Ok(world) = read_from("a.toml", &files, Default::default()) else { return };
        drop(Playable::new(world, &Default::default()));
    });
    assert!(taken.bytes_max <= TINY, "{} bytes", taken.bytes_max);
}
