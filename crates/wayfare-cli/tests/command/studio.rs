//! The page within the program, asked for over the loopback address.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::support::{Folder, command, world};

/// The program while it serves, ended with the test.
struct Serving {
    program: Child,
    address: String,
}

impl Serving {
    fn begin() -> Self {
        let world = world("maze.txt");
        let mut program = command();
        program.args(["studio", &world]).stdout(Stdio::piped());
        Self::of(program)
    }

    /// Runs a command whose standard output is a pipe.
    fn of(mut program: Command) -> Self {
        let mut program = program.spawn().expect("it runs");
        let mut line = String::new();
        let out = program.stdout.take().expect("a pipe");
        BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.trim().split("http://").nth(1).expect("an address");
        let address = address.split('/').next().expect("a host and a port").to_owned();
        Self { program, address }
    }

    /// Head and body of the answer to a request for a path.
    fn get(&self, path: &str, more: &str) -> (String, Vec<u8>) {
        let mut stream = TcpStream::connect(&self.address).expect("a connection");
        let host = &self.address;
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {host}\r\n{more}\r\n").expect("a request");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("an answer");
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").expect("a head");
        let body = answer.split_off(end + 4);
        (String::from_utf8(answer).expect("text"), body)
    }

    /// A file of the page, whose type is asserted.
    fn file(&self, path: &str, media_type: &str) -> Vec<u8> {
        let (head, body) = self.get(path, "");
        assert!(head.starts_with("HTTP/1.1 200 OK"), "{path}: {head}");
        assert!(head.contains(&format!("Content-Type: {media_type}\r\n")), "{path}: {head}");
        body
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        drop(self.program.kill());
        drop(self.program.wait());
    }
}

/// The name of a file in a text, with this beginning and this end, both included.
fn named(text: &[u8], begin: &str, end: &str) -> String {
    let text = String::from_utf8_lossy(text);
    let names = text.match_indices(begin).filter_map(|(at, _)| {
        let rest = text.get(at..)?;
        let name = rest.get(..rest.find(end)? + end.len())?;
        name.bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"\"'`()".contains(&byte))
            .then_some(name)
    });
    let mut names: Vec<&str> = names.collect();
    names.dedup();
    names.first().unwrap_or_else(|| panic!("nothing is named {begin}…{end}")).to_string()
}

#[test]
fn the_page_within_the_program_is_served() {
    if cfg!(not(feature = "studio")) {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("skipped: without --features wayfare-cli/studio there is no page within it");
        }
        return;
    }
    let serving = Serving::begin();
    let index = serving.file("/", "text/html; charset=utf-8");
    let script = named(&index, "assets/index-", ".js");
    let script = serving.file(&format!("/{script}"), "text/javascript");
    let worker = named(&script, "engine.worker-", ".js");
    let worker = serving.file(&format!("/assets/{worker}"), "text/javascript");
    let module = format!("/assets/{}", named(&worker, "wayfare_web_bg-", ".wasm"));
    let plain = serving.file(&module, "application/wasm");
    assert!(plain.starts_with(b"\0asm"));

    let (head, packed) = serving.get(&module, "Accept-Encoding: br, gzip\r\n");
    assert!(head.contains("Content-Encoding: gzip\r\n"), "{head}");
    assert!(packed.starts_with(&[0x1f, 0x8b]) && packed.len() * 2 < plain.len());

    assert!(!serving.file("/world/maze.txt", "application/octet-stream").is_empty());
    for path in ["/none.js", "/../Cargo.toml", "/assets"] {
        assert!(serving.get(path, "").0.starts_with("HTTP/1.1 404"), "{path}");
    }
}

#[test]
fn a_folder_is_served_in_its_place() {
    let folder = Folder::new();
    folder.write("index.html", "another page");
    let script = "let a = 1;\n".repeat(1000);
    folder.write("page.js", &script);
    folder.write("picture.webp", &script);
    let page = folder.name("");
    let mut program = command();
    program.args(["studio", "--format", "json", "--page", &page]).stdout(Stdio::piped());
    let mut program = program.spawn().expect("it runs");
    let out = program.stdout.take().expect("a pipe");
    let mut documents = serde_json::Deserializer::from_reader(out).into_iter::<Value>();
    let document = documents.next().expect("a document").expect("JSON");
    let address = document["address"].as_str().expect("an address").to_owned();
    let host = address.trim_start_matches("http://").trim_end_matches('/').to_owned();
    let serving = Serving { program, address: host };
    assert_eq!(document["page"].as_str(), Some(page.as_str()));
    assert_eq!(serving.file("/", "text/html; charset=utf-8"), b"another page");

    let (head, packed) = serving.get("/page.js", "Accept-Encoding: gzip\r\n");
    assert!(head.contains("Content-Encoding: gzip\r\n"), "{head}");
    let mut unpacked = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut unpacked).expect("gzip");
    assert!(unpacked == script && packed.len() < script.len() / 10);
    assert_eq!(serving.file("/page.js", "text/javascript"), script.as_bytes());
    let (head, plain) = serving.get("/picture.webp", "Accept-Encoding: gzip\r\n");
    assert!(!head.contains("Content-Encoding") && plain == script.as_bytes(), "{head}");
}

/// Visitors who say nothing are held up to a number; the rest waits, and no thread is made for it.
#[cfg(target_os = "linux")]
#[test]
fn idle_visitors_take_no_threads_beyond_a_number() {
    let folder = Folder::new();
    folder.write("index.html", "a page");
    let page = folder.name("");
    let mut program = command();
    program.args(["studio", "--page", &page]).stdout(Stdio::piped());
    let serving = Serving::of(program);
    let process = format!("/proc/{}", serving.program.id());
    let count =
        |what: &str| std::fs::read_dir(format!("{process}/{what}")).expect("it runs").count();
    let idle: Vec<TcpStream> = (0..100)
        .map(|_| TcpStream::connect(&serving.address).expect("the system takes it in"))
        .collect();
    // Until the visitors are received.
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(count("task") <= 30, "{} threads", count("task"));
    assert!(count("fd") <= 60, "{} open files", count("fd"));
    drop(idle);
    assert_eq!(serving.file("/", "text/html; charset=utf-8"), b"a page");
}
