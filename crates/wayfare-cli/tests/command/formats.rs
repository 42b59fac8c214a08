//! A file of every format, opened by every command that claims it.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use wayfare_formats::{FileContent, FileFormat};

use crate::support::{Folder, command, wayfare, world};

/// A floor of 6 metres a side.
const FLOOR: &str = "v 0 0 0\nv 0 0 6\nv 6 0 6\nv 6 0 0\nf 1 2 3 4\n";

const TMX: &str = "<map orientation='orthogonal' width='3' height='2' tilewidth='8' tileheight='8'>\
<tileset firstgid='1'><tile id='0' class='ground'/></tileset>\
<layer name='l' width='3' height='2'><data encoding='csv'>1,1,1,1,1,1</data></layer></map>";

const LDTK: &str = r##"{"jsonVersion":"1.5.3","worldLayout":"Free","defs":{"layers":[
{"uid":1,"identifier":"Ground","type":"IntGrid","gridSize":8,
"intGridValues":[{"value":1,"identifier":"grass","color":"#00ff00"}]}]},
"levels":[{"identifier":"A","worldX":0,"worldY":0,"layerInstances":[
{"__identifier":"Ground","__type":"IntGrid","__cWid":3,"__cHei":2,"__gridSize":8,"layerDefUid":1,
"__pxTotalOffsetX":0,"__pxTotalOffsetY":0,"intGridCsv":[1,1,1,1,1,1]}]}]}"##;

const SCENE: &str = "scene = { name = \"yard\", map = \"....\\n....\\n\" }\n\
agents = [{ name = \"Ann\", at = [0, 0], orders = [[3, 1]] }]\n";

const GLTF: &str = r#"{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],
"accessors":[{"bufferView":0,"componentType":5126,"count":6,"type":"VEC3","min":[0,0,0],"max":[6,0,6]}],
"bufferViews":[{"buffer":0,"byteLength":72}],"buffers":[{"byteLength":72,"uri":"floor.buffer"}]}"#;

/// Writes the tags of Minecraft's binary format.
#[derive(Default)]
struct Tags(Vec<u8>);

impl Tags {
    fn name(&mut self, kind: u8, name: &str) -> &mut Self {
        self.0.push(kind);
        self.text(name)
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.0.extend((text.len() as u16).to_be_bytes());
        self.0.extend(text.bytes());
        self
    }

    fn compound(&mut self, name: &str, inside: impl Fn(&mut Self)) -> &mut Self {
        self.name(10, name);
        inside(self);
        self.0.push(0);
        self
    }

    fn short(&mut self, name: &str, value: i16) -> &mut Self {
        self.name(2, name).0.extend(value.to_be_bytes());
        self
    }

    fn int(&mut self, name: &str, value: i32) -> &mut Self {
        self.name(3, name).0.extend(value.to_be_bytes());
        self
    }

    fn bytes(&mut self, name: &str, bytes: &[u8]) -> &mut Self {
        self.name(7, name).0.extend((bytes.len() as i32).to_be_bytes());
        self.0.extend(bytes);
        self
    }

    fn string(&mut self, name: &str, text: &str) -> &mut Self {
        self.name(8, name).text(text)
    }

    fn corner(&mut self, name: &str, [x, y, z]: [i32; 3]) -> &mut Self {
        self.compound(name, |tags| {
            tags.int("x", x).int("y", y).int("z", z);
        })
    }
}

/// A slab of stone of 3 by 3 blocks below a layer of air.
fn schematic() -> Vec<u8> {
    let mut tags = Tags::default();
    let blocks: Vec<u8> = (0..18).map(|at| u8::from(at < 9)).collect();
    tags.compound("Schematic", |tags| {
        tags.string("Materials", "Alpha").short("Width", 3).short("Height", 2).short("Length", 3);
        tags.bytes("Blocks", &blocks).bytes("Data", &[0; 18]);
    });
    tags.0
}

/// The same in Litematica's form: two bits a block.
fn litematic() -> Vec<u8> {
    let words = [(0..9).fold(0_u64, |word, block| word | 1 << (2 * block))];
    let mut tags = Tags::default();
    tags.compound("", |tags| {
        tags.int("Version", 6).compound("Regions", |tags| {
            tags.compound("slab", |tags| {
                tags.corner("Position", [0; 3]).corner("Size", [3, 2, 3]);
                // A list of compounds.
                tags.name(9, "BlockStatePalette").0.extend([10, 0, 0, 0, 2]);
                for name in ["minecraft:air", "minecraft:stone"] {
                    tags.string("Name", name).0.push(0);
                }
                tags.name(12, "BlockStates").0.extend((words.len() as i32).to_be_bytes());
                words.iter().for_each(|word| tags.0.extend(word.to_be_bytes()));
            });
        });
    });
    tags.0
}

/// A file of each format, in a folder.
struct Samples(Folder);

impl Samples {
    fn new() -> Self {
        let folder = Folder::new();
        folder.write("yard.txt", "....\n....\n....\n");
        folder.write("yard.tmx", TMX);
        folder.write("yard.ldtk", LDTK);
        folder.write("yard.toml", SCENE);
        folder.write("yard.obj", FLOOR);
        folder.write("yard.gltf", GLTF);
        let corners: [[f32; 3]; 6] =
            [[0, 0, 0], [0, 0, 6], [6, 0, 6], [0, 0, 0], [6, 0, 6], [6, 0, 0]]
                .map(|corner| corner.map(|at: u8| f32::from(at)));
        let bytes = corners.iter().flatten().flat_map(|number| number.to_le_bytes());
        folder.write("floor.buffer", bytes.collect::<Vec<u8>>());
        folder.write("yard.litematic", litematic());
        folder.write("yard.schematic", schematic());
        folder.write("yard.scen", "version 1\n0\tyard.map\t4\t3\t0\t0\t3\t0\t3\n");
        folder.write("yard.3dscen", "version 1\nyard.3dmap\n0 1 0 2 1 0 2.0 1.0\n");
        folder.write("yard.meshscen", "mesh scenario 1\nyard.navmesh\n1 0 1  4 0 1  3\n");
        let samples = Self(folder);
        for (from, to) in [
            ("txt", "map"),
            ("txt", "tmj"),
            ("txt", "json"),
            ("txt", "png"),
            ("schematic", "voxels"),
            ("schematic", "3dmap"),
            ("schematic", "vox"),
            ("schematic", "schem"),
            ("obj", "glb"),
        ] {
            wayfare(&format!("convert {} {}", samples.name(from), samples.name(to))).ends(0);
        }
        std::fs::copy(samples.name("png"), samples.name("height.png")).expect("a copy");
        let [level, meshes @ ..] = ["obj", "navmesh", "mesh", "bin"].map(|it| samples.name(it));
        let [navmesh, mesh, detour] = meshes;
        wayfare(&format!("bake {level} -o {navmesh} -o {mesh} -o {detour}")).ends(0);
        samples
    }

    fn name(&self, extension: &str) -> String {
        self.0.name(&format!("yard.{extension}"))
    }
}

#[test]
fn every_command_opens_a_file_of_every_format_that_its_help_names() {
    let samples = Samples::new();
    let ends = |line: &str| drop(wayfare(line).ends(0));
    for format in FileFormat::all() {
        let (extension, content) = (format.extension(), format.content());
        let file = samples.name(extension);
        ends(&format!("info {file}"));
        if content.is_world() {
            for command in ["solve", "why", "compare"] {
                ends(&format!("{command} {file}"));
            }
        } else {
            ends(&format!("bench {file}"));
        }
        if matches!(content, FileContent::Tiles | FileContent::NavMesh | FileContent::Level) {
            ends(&format!("index build {file} -o {}", samples.name("index")));
        }
        match content {
            FileContent::Tiles => ends(&format!("mapf {file} -n 2")),
            FileContent::Level => ends(&format!("bake {file} -o {}", samples.name("png.png"))),
            FileContent::Scene => ends(&format!("simulate {file} --ticks 2")),
            _ => {}
        }
        let forms = FileFormat::all().iter().filter(|it| it.is_written());
        for to in forms.filter(|to| to.content() == content) {
            let copy = samples.0.name(&format!("copy.{}", to.extension()));
            ends(&format!("convert {file} {copy}"));
            ends(&format!("info {copy}"));
        }
    }
}

#[test]
fn the_studio_opens_every_world() {
    let samples = Samples::new();
    samples.0.write("index.html", "a page");
    let page = samples.0.name("");
    for format in FileFormat::all().iter().filter(|format| format.content().is_world()) {
        let file = samples.name(format.extension());
        let mut program = command();
        program.args(["studio", &file, "--page", &page]).stdout(Stdio::piped());
        let mut program = program.spawn().expect("it runs");
        let mut line = String::new();
        let out = program.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("text");
        drop(program.kill());
        drop(program.wait());
        let shown = format!("?world=yard.{}", format.extension());
        assert!(line.trim_end().ends_with(&shown), "{file}: {line}");
    }
}

/// Help lists what the table has, and nothing else.
#[test]
fn help_names_the_formats_of_the_table() {
    let help = |command: &str| {
        // As one line, since a terminal wraps it.
        let text = wayfare(&format!("{command} --help")).ends(0).stdout;
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for command in ["solve", "compare", "why", "info", "convert", "bake", "bench"] {
        let text = help(command);
        for format in FileFormat::all() {
            let content = format.content();
            let is_taken = match command {
                "bake" => content == FileContent::Level,
                "bench" => !content.is_world(),
                "info" | "convert" => true,
                _ => content.is_world(),
            };
            let listed = FileFormat::list(content);
            assert!(!is_taken || text.contains(&listed), "{command} lacks {listed}: {text}");
        }
    }
    assert!(help("convert").contains(&FileFormat::list_written(FileContent::Blocks)));
}

#[cfg(unix)]
#[test]
fn pipes_and_sockets_are_refused_at_once_by_every_command() {
    let folder = Folder::new();
    let map = world("maze.txt");
    for extension in ["map", "scen", "toml", "index", "json", "obj", "snapshot", "bin", "none"] {
        let pipe = folder.name(&format!("pipe.{extension}"));
        let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo runs");
        assert!(made.success());
    }
    folder.write("index.html", "a page");
    let socket = folder.name("socket.map");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    let pipe = |extension: &str| folder.name(&format!("pipe.{extension}"));
    let scene = world("guards.toml");
    for line in [
        format!("solve {socket}"),
        "solve /dev/zero".to_owned(),
        format!("solve {}", pipe("map")),
        format!("why {}", pipe("toml")),
        format!("compare {}", pipe("bin")),
        format!("info {}", pipe("map")),
        format!("info {}", pipe("index")),
        format!("info {}", pipe("none")),
        format!("convert {} x.txt", pipe("map")),
        format!("bake {}", pipe("obj")),
        format!("bench {}", pipe("scen")),
        format!("mapf {map} --scen {}", pipe("scen")),
        format!("solve {map} --index {}", pipe("index")),
        format!("index build {} -o {}", pipe("map"), folder.name("x.index")),
        format!("replay {}", pipe("json")),
        format!("simulate {}", pipe("toml")),
        format!("simulate {scene} --resume {}", pipe("snapshot")),
        format!("generate --params {}", pipe("toml")),
        format!("studio {} --page {}", pipe("map"), folder.name("")),
    ] {
        let refused = wayfare(&line).ends(3).stderr;
        assert!(refused.contains("not a file: save its content"), "{line}: {refused}");
    }
}
