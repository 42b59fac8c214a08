//! Memory of every reader: at most a constant times the file, or a limit that has a name.
//!
//! Each format has the files that take most memory a byte. They are read at two sizes: the larger
//! one shows that nothing grows faster than the file.

use std::path::Path;

use allocation_counter::measure;
use wayfare_formats::limits::{
    ALWAYS_PIXELS, ALWAYS_VOXEL_RUNS, PIXELS_PER_BYTE, VOXEL_RUNS_PER_BYTE,
};
use wayfare_formats::{
    MemoryFiles, World, WorldError, ascii, heightmap, movingai_3dmap, movingai_3dscen,
    movingai_map, movingai_scen, obj, png, read_from, schem, tiled, vox, voxel_text,
};

/// Bytes that a reader may take whatever the file: tables of its own, and messages.
const ALWAYS: u64 = 64 << 10;

/// A file of about that many bytes.
type Make = fn(usize) -> Vec<u8>;
/// A reader without its result.
type Read = fn(&[u8]) -> Result<(), WorldError>;

struct Case {
    name: &'static str,
    make: Make,
    read: Read,
    /// The most bytes for each byte of the file.
    factor: u64,
}

fn repeated(head: &str, unit: &str, tail: &str, bytes: usize) -> Vec<u8> {
    [head, &unit.repeat(bytes / unit.len()), tail].concat().into_bytes()
}

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

/// A square map of one character.
fn map(head: impl Fn(usize) -> String, bytes: usize) -> Vec<u8> {
    let side = (bytes as f64).sqrt() as usize;
    let row = ".".repeat(side) + "\n";
    repeated(&head(side), &row, "", side * row.len())
}

const READ_MAP: Read = |bytes| movingai_map::read(bytes, "x").map(drop);
const READ_SCEN: Read = |bytes| movingai_scen::read(bytes).map(drop);
const READ_TEXT: Read = |bytes| ascii::read(bytes, "x").map(drop);
const READ_OBJ: Read = |bytes| obj::read(bytes).map(drop);
const READ_3DMAP: Read = |bytes| movingai_3dmap::read(bytes, "x").map(drop);
const READ_3DSCEN: Read = |bytes| movingai_3dscen::read(bytes).map(drop);
const READ_VOXELS: Read = |bytes| voxel_text::read(bytes, "x").map(drop);
const READ_LEGEND: Read = |bytes| png::Legend::read(bytes).map(drop);
const READ_TMJ: Read = |bytes| tiled::read_tmj(bytes, "x", Path::new("nowhere")).map(drop);
const READ_TMX: Read = |bytes| tiled::read_tmx(bytes, "x", Path::new("nowhere")).map(drop);
const READ_LDTK: Read = |bytes| {
    let files = MemoryFiles::new().with("x.ldtk", bytes);
    read_from("x.ldtk", &files, Default::default()).map(drop)
};
const READ_VOX: Read = |bytes| vox::read(bytes, "x").map(drop);
const READ_SCHEM: Read = |bytes| schem::read(bytes, "x").map(drop);
const READ_MCEDIT: Read = |bytes| schem::read_mcedit(bytes, "x").map(drop);
const READ_LITEMATIC: Read = |bytes| schem::read_litematic(bytes, "x").map(drop);

const CASES: &[Case] = &[
    Case {
        name: "map: a map as its header says",
        make: |bytes| map(|side| format!("type octile\nheight {side}\nwidth {side}\nmap\n"), bytes),
        read: READ_MAP,
        factor: 4,
    },
    Case {
        name: "map: a header that claims too much",
        make: |bytes| {
            map(|_| "type octile\nheight 4000000000\nwidth 4000000000\nmap\n".into(), bytes)
        },
        read: READ_MAP,
        factor: 4,
    },
    Case {
        name: "scen: short lines",
        make: |bytes| repeated("version 1\n", "0 m 1 1 0 0 0 0 1\n", "", bytes),
        read: READ_SCEN,
        factor: 16,
    },
    Case {
        name: "txt: one long row",
        make: |bytes| repeated("", ".", "", bytes),
        read: READ_TEXT,
        factor: 4,
    },
    Case {
        name: "txt: a square",
        make: |bytes| map(|_| String::new(), bytes),
        read: READ_TEXT,
        factor: 4,
    },
    Case {
        name: "obj: vertices",
        make: |bytes| repeated("", "v 0 0 0\n", "", bytes),
        read: READ_OBJ,
        factor: 8,
    },
    Case {
        name: "obj: one face of many corners",
        make: |bytes| repeated("v 0 0 0\nf", " 1", "", bytes),
        read: READ_OBJ,
        factor: 24,
    },
    Case {
        name: "3dmap: voxels that touch",
        make: |bytes| repeated("voxel 9 9 9\n", "0 0 0\n", "", bytes),
        read: READ_3DMAP,
        factor: 16,
    },
    Case {
        name: "3dmap: rows of one voxel",
        make: |bytes| {
            let line = |n: usize| format!("0 {} {}\n", n / 256, n % 256);
            numbered("voxel 9 65536 256\n", line, bytes)
        },
        read: READ_3DMAP,
        factor: 32,
    },
    Case {
        name: "3dscen: short lines",
        make: |bytes| repeated("version 1\nm\n", "0 0 0 0 0 0 0 0\n", "", bytes),
        read: READ_3DSCEN,
        factor: 16,
    },
    Case {
        name: "voxels: blocks that alternate",
        make: |bytes| {
            let side = (bytes as f64).sqrt() as usize & !1;
            let row = "#~".repeat(side / 2) + "\n";
            repeated(&format!("voxels {side} 1 {side}\n~ water\nlayer 0\n"), &row, "", bytes)
        },
        read: READ_VOXELS,
        factor: 24,
    },
    Case {
        name: "voxels: rows of one block",
        make: |bytes| repeated(&format!("voxels 1 1 {}\nlayer 0\n", bytes / 2), "#\n", "", bytes),
        read: READ_VOXELS,
        factor: 64,
    },
    Case {
        name: "legend: terrains",
        make: |bytes| numbered("", |n| format!("[[terrain]]\nname='{n}'\n"), bytes),
        read: READ_LEGEND,
        factor: 128,
    },
    Case {
        name: "tmj: tiles as numbers",
        make: |bytes| {
            let tiles = bytes / 2;
            let head = format!(
                r#"{{"width":{tiles},"height":1,"tilesets":[{{"firstgid":1}}],"layers":[{{"type":"tilelayer","width":{tiles},"height":1,"data":["#
            );
            repeated(&head, "1,", "1]}]}", bytes - 2)
        },
        read: READ_TMJ,
        factor: 16,
    },
    Case {
        name: "tmj: tiles of a layer that is ignored",
        make: |bytes| {
            repeated(
                r#"{"width":1,"height":1,"layers":[{"type":"objectgroup","data":["#,
                "1,",
                "1]}]}",
                bytes,
            )
        },
        read: READ_TMJ,
        factor: 16,
    },
    Case {
        name: "tmj: layers",
        make: |bytes| {
            let head = r#"{"width":1,"height":1,"layers":[{"type":"group"}"#;
            repeated(head, r#",{"type":""}"#, "]}", bytes)
        },
        read: READ_TMJ,
        factor: 64,
    },
    Case {
        name: "tmx: tiles as text",
        make: |bytes| {
            let tiles = bytes / 2;
            let head = format!(
                "<map width='{tiles}' height='1'><tileset firstgid='1'/>\
                 <layer width='{tiles}' height='1'><data encoding='csv'>"
            );
            repeated(&head, "1,", "</data></layer></map>", tiles * 2)
        },
        read: READ_TMX,
        factor: 16,
    },
    Case {
        name: "tmx: layers",
        make: |bytes| repeated("<map width='1' height='1'>", "<layer/>", "</map>", bytes),
        read: READ_TMX,
        factor: 16,
    },
    Case {
        name: "tmx: tilesets",
        make: |bytes| {
            repeated("<map width='1' height='1'>", "<tileset firstgid='1'/>", "</map>", bytes)
        },
        read: READ_TMX,
        factor: 16,
    },
    Case {
        name: "tmx: objects and tiles as elements",
        make: |bytes| {
            let head = "<map width='1' height='1'><objectgroup name='walls'>\
                        <object/></objectgroup><layer width='1' height='1'><data>";
            repeated(head, "<tile/>", "</data></layer></map>", bytes)
        },
        read: READ_TMX,
        factor: 16,
    },
    Case {
        name: "tmx: places and links",
        make: |bytes| {
            let head = "<map width='2' height='1' tilewidth='1' tileheight='1'>\
                        <tileset firstgid='1'/><layer width='2' height='1'>\
                        <data encoding='csv'>1,1</data></layer><objectgroup>";
            let object = |n: usize| {
                let points = "points='0,0 1,0'";
                format!("<object name='{n}'/><object type='door'><polyline {points}/></object>")
            };
            let tail = b"</objectgroup></map>";
            numbered(head, object, bytes).into_iter().chain(*tail).collect()
        },
        read: READ_TMX,
        factor: 24,
    },
    Case {
        name: "tmx: corners of a polygon",
        make: |bytes| {
            let head =
                "<map width='1' height='1'><objectgroup name='walls'><object><polygon points='";
            repeated(head, "1,1 ", "'/></object></objectgroup></map>", bytes)
        },
        read: READ_TMX,
        factor: 32,
    },
    Case {
        name: "ldtk: values",
        make: |bytes| {
            let head = format!(
                r#"{{"levels":[{{"layerInstances":[{{"__identifier":"","__type":"IntGrid","__cWid":{},"__cHei":1,"__gridSize":1,"layerDefUid":1,"intGridCsv":["#,
                bytes / 2
            );
            repeated(&head, "1,", "1]}]}]}", bytes - 2)
        },
        read: READ_LDTK,
        factor: 16,
    },
    Case {
        name: "ldtk: levels",
        make: |bytes| repeated(r#"{"levels":[{}"#, ",{}", "]}", bytes),
        read: READ_LDTK,
        factor: 128,
    },
    Case {
        name: "vox: a model",
        make: |bytes| {
            let voxels = bytes / 4;
            let number = |value: usize| (value as u32).to_le_bytes();
            let size =
                [&b"SIZE"[..], &number(12), &number(0), &number(256), &number(256), &number(256)];
            let mut points =
                [&b"XYZI"[..], &number(4 + 4 * voxels), &number(0), &number(voxels)].concat();
            points.extend((0..voxels).flat_map(|n| [0, (n / 256) as u8, n as u8, 1]));
            let content = [size.concat(), points].concat();
            let head = [&b"VOX "[..], &number(150), b"MAIN", &number(0), &number(content.len())];
            [head.concat(), content].concat()
        },
        read: READ_VOX,
        factor: 48,
    },
    Case {
        name: "schem: bytes that are not packed",
        make: |bytes| {
            let data = bytes - 100;
            schematic(data as u16, 1, &vec![1; data])
        },
        read: READ_SCHEM,
        factor: 16,
    },
    Case {
        name: "schematic of MCEdit: no two blocks alike",
        make: |bytes| {
            let depth = bytes / 256;
            let blocks: Vec<u8> = (0..depth * 256).map(|n| 1 + n as u8 % 2).collect();
            compound(
                "Schematic",
                &[
                    short("Width", 256),
                    short("Height", 1),
                    short("Length", depth as u16),
                    [&[8][..], &nbt_name("Materials"), &nbt_name("Alpha")].concat(),
                    array(7, "Blocks", 1, &blocks),
                ],
            )
        },
        read: READ_MCEDIT,
        factor: 32,
    },
    Case {
        name: "litematic: no two blocks alike, two bits each",
        make: |bytes| {
            let depth = bytes * 4 / 64;
            let corner = |name, x, y, z| compound(name, &[int("x", x), int("y", y), int("z", z)]);
            // In a list, names of items are left out.
            let state = |name: &str| [&[8][..], &nbt_name("Name"), &nbt_name(name), &[0]].concat();
            let palette = [
                [&[9][..], &nbt_name("BlockStatePalette"), &[10, 0, 0, 0, 2]].concat(),
                state("minecraft:stone"),
                state("minecraft:dirt"),
            ];
            let region = compound(
                "r",
                &[
                    corner("Position", 0, 0, 0),
                    corner("Size", 64, 1, depth as i32),
                    palette.concat(),
                    array(12, "BlockStates", 8, &vec![0x44; bytes / 8 * 8]),
                ],
            );
            compound("", &[compound("Regions", &[region])])
        },
        read: READ_LITEMATIC,
        factor: 64,
    },
];

fn nbt_name(text: &str) -> Vec<u8> {
    [&(text.len() as u16).to_be_bytes()[..], text.as_bytes()].concat()
}

fn short(key: &str, value: u16) -> Vec<u8> {
    [&[2][..], &nbt_name(key), &value.to_be_bytes()].concat()
}

fn int(key: &str, value: i32) -> Vec<u8> {
    [&[3][..], &nbt_name(key), &value.to_be_bytes()].concat()
}

/// A tag of that type with numbers of `width` bytes.
fn array(tag: u8, key: &str, width: usize, content: &[u8]) -> Vec<u8> {
    let count = (content.len() / width) as u32;
    [&[tag][..], &nbt_name(key), &count.to_be_bytes(), content].concat()
}

fn compound(key: &str, tags: &[Vec<u8>]) -> Vec<u8> {
    [&[10][..], &nbt_name(key), &tags.concat(), &[0]].concat()
}

/// A schematic of one layer, not packed. Block 1 is stone.
fn schematic(width: u16, depth: u16, blocks: &[u8]) -> Vec<u8> {
    compound(
        "Schematic",
        &[
            int("Version", 2),
            short("Width", width),
            short("Height", 1),
            short("Length", depth),
            compound("Palette", &[int("minecraft:stone", 1)]),
            array(7, "BlockData", 1, blocks),
        ],
    )
}

/// The most bytes at a time, and the bytes in all.
fn bytes_of(read: Read, file: &[u8]) -> [u64; 2] {
    let taken = measure(|| drop(read(file)));
    [taken.bytes_max, taken.bytes_total]
}

#[test]
fn memory_is_a_constant_times_the_file() {
    let mut faults = Vec::new();
    for Case { name, make, read, factor } in CASES {
        for size in [16 << 10, 256 << 10] {
            let file = make(size);
            assert!(
                file.len() >= size / 2 && file.len() <= size + size / 8,
                "{name}: {}",
                file.len()
            );
            let [most, total] = bytes_of(*read, &file);
            let allowed = ALWAYS + factor * file.len() as u64;
            if most > allowed {
                let by = most as f64 / file.len() as f64;
                faults.push(format!("{name}, {size} bytes: {by:.1} bytes a byte, not {factor}"));
            }
            // Each byte is copied a bounded number of times: no text that is put together anew for
            // each line.
            if total > 4 * allowed {
                faults.push(format!("{name}, {size} bytes: {total} bytes in all"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The most bytes that a file of some hundred bytes may take when it is read and built.
const TINY: u64 = 2 << 20;

/// A PNG whose header claims that many grey pixels, and that ends there.
fn png_head(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = image(1, 1, |_| 0);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let sum = crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&sum.to_be_bytes());
    bytes
}

/// The checksum of PNG: a shift register over x³² + x²⁶ + … + 1, a bit at a time.
fn crc32(bytes: &[u8]) -> u32 {
    let bit = |sum: u32, _| (sum >> 1) ^ (0xEDB8_8320 & (sum & 1).wrapping_neg());
    !bytes.iter().fold(!0, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), bit))
}

/// Readers of every family with a file of at most 600 bytes that claims to be huge: they refuse it,
/// or take memory for its content alone, and so does the space that is built of it.
#[test]
fn a_claim_of_a_huge_size_in_a_tiny_file_takes_no_memory() {
    let text = |text: &str| text.as_bytes().to_vec();
    let words = |numbers: &[u32]| numbers.iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let gltf = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":4000000000,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}],
"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAA"}]}"#;
    let glb = [b"glTF".to_vec(), words(&[2, u32::MAX, u32::MAX]), b"JSON".to_vec()].concat();
    let vox = |side: u32| {
        let size = [b"SIZE".to_vec(), words(&[12, 0, side, side, side])].concat();
        let points = [b"XYZI".to_vec(), words(&[4, 0, 0xFFFF_FFFF])].concat();
        let head = [b"VOX ".to_vec(), words(&[150]), b"MAIN".to_vec()].concat();
        [head, words(&[0, (size.len() + points.len()) as u32]), size, points].concat()
    };
    let navmesh = [b"WAYFNAV\0".to_vec(), words(&[1, u32::MAX, u32::MAX, u32::MAX])].concat();
    let files: Vec<(&str, Vec<u8>)> = vec![
        ("a.map", text("type octile\nheight 65536\nwidth 65536\nmap\n..\n")),
        ("a.scen", text("version 1\n0 m 4294967295 4294967295 0 0 4294967294 1 1\n")),
        ("a.png", png_head(4096, 4096)),
        ("b.png", png_head(u32::MAX, u32::MAX)),
        ("a.height.png", png_head(4096, 4096)),
        ("a.3dmap", text("voxel 2048 2048 512\n0 0 0\n")),
        ("b.3dmap", text("rev_voxel 65536 65536 65536\n0 0 0\n")),
        ("c.3dmap", text("voxel 65536 65536 1\n0 0 0\n")),
        ("a.3dscen", text("version 1\nm\n0 0 0 65535 65535 65535 1 1\n")),
        ("a.voxels", text("voxels 2048 512 2048\nlayer 0\n#\n")),
        ("b.voxels", text("voxels 65536 65536 65536\nlayer 65535\n#\n")),
        ("a.vox", vox(256)),
        ("b.vox", vox(u32::MAX)),
        ("a.schem", schematic(65535, 65535, &[1; 4])),
        ("a.mesh", text("mesh\n2\n4000000000 4000000000\n0 0 2 0 -1\n")),
        ("b.mesh", text("mesh\n2\n1 1\n0 0 4000000000 0 -1\n")),
        ("a.navmesh", navmesh),
        ("a.gltf", text(gltf)),
        ("a.glb", glb),
        (
            "a.tmx",
            text(
                "<map width='65535' height='65535'><tileset firstgid='1'/><layer width='65535' height='65535'><data encoding='csv'>1</data></layer></map>",
            ),
        ),
        (
            "a.tmj",
            text(
                r#"{"width":65535,"height":65535,"infinite":true,"tilesets":[{"firstgid":1}],"layers":[{"type":"tilelayer","chunks":[{"x":0,"y":0,"width":1,"height":1,"data":[1]},{"x":2000000000,"y":2000000000,"width":1,"height":1,"data":[1]}]}]}"#,
            ),
        ),
    ];
    let mut faults = Vec::new();
    for (name, bytes) in files {
        assert!(bytes.len() <= 600, "{name}: {}", bytes.len());
        let files = MemoryFiles::new().with(name, bytes);
        let taken = measure(|| {
            let Ok(world) = read_from(name, &files, Default::default()) else { return };
            if let World::Voxels(world) = &world {
                let fits = world.check_extent(None).is_ok();
                return drop(fits.then(|| world.to_grid(Default::default())));
            }
            if let World::TileMap(map) = &world {
                drop(map.to_grid(Default::default()));
            }
        });
        if taken.bytes_max > TINY {
            faults.push(format!("{name}: {} bytes", taken.bytes_max));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A grey image of one row again and again, as packed as can be.
fn image(width: u32, height: u32, row: impl Fn(u32) -> u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = ::png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(::png::ColorType::Grayscale);
    encoder.set_compression(::png::Compression::High);
    let pixels: Vec<u8> = (0..height).flat_map(|_| (0..width).map(&row)).collect();
    let mut writer = encoder.write_header().expect("in memory");
    writer.write_image_data(&pixels).expect("in memory");
    writer.finish().expect("in memory");
    bytes
}

#[test]
fn images_take_their_limit_of_pixels() {
    let file = image(1500, 1500, |_| 255);
    let pixels = ALWAYS_PIXELS + PIXELS_PER_BYTE * file.len() as u64;
    let read: Read = |bytes| png::read(bytes, "x", &png::Legend::default()).map(drop);
    let [most, _] = bytes_of(read, &file);
    assert!(read(&file).is_ok());
    assert!(most <= ALWAYS + 8 * pixels, "{most} bytes for {pixels} pixels");
}

/// A plain image of 4400² pixels in some 19 KB, which would take 1,000 times its size.
#[test]
fn large_images_of_few_bytes_are_refused_before_they_take_memory() {
    let file = image(4400, 4400, |_| 255);
    let read: Read = |bytes| png::read(bytes, "x", &png::Legend::default()).map(drop);
    let [most, _] = bytes_of(read, &file);
    let error = read(&file).expect_err("too large for its bytes").to_string();
    assert!(error.contains("4400 × 4400") && error.contains("cut it into parts"), "{error}");
    assert!(most <= TINY, "{most} bytes");
}

/// Every other column is high, and every other low: a stretch of ground for each, in each layer.
#[test]
fn heightmaps_take_their_limit_of_pieces() {
    let file = image(1024, 1000, |x| if x % 2 == 0 { 0 } else { 255 });
    let pieces = (ALWAYS_VOXEL_RUNS + VOXEL_RUNS_PER_BYTE * file.len()) as u64;
    let read: Read = |bytes| heightmap::read(bytes, "x", Default::default()).map(drop);
    let [most, _] = bytes_of(read, &file);
    let error = read(&file).expect_err("too rough").to_string();
    assert!(error.contains("pieces"), "{error}");
    assert!(most <= ALWAYS + 4 * 1024 * 1000 + 100 * pieces, "{most} bytes for {pieces} pieces");
}

/// The two cases above are worlds, not refusals.
#[test]
fn block_formats_are_measured_while_they_are_read() {
    for case in CASES.iter().filter(|case| {
        case.name.ends_with("blocks alike, two bits each")
            || case.name.ends_with("no two blocks alike")
    }) {
        let read = (case.read)(&(case.make)(16 << 10));
        assert!(read.is_ok(), "{}: {}", case.name, read.unwrap_err());
    }
}
