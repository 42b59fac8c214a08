//! `studio`: serves the built page on the loopback address.
//!
//! A server for one page and its visitor: GET of the page's files, an answer a connection. It
//! listens on the loopback address only, and answers only requests that name that address: a page
//! of another site whose name resolves to it is refused.
//!
//! Each of a fixed number of threads answers one visitor at a time, so threads and open files are
//! bounded; further visitors wait to be accepted. A visitor has a deadline, so none holds a thread
//! for long.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;

use super::page::{Content, Page};
use crate::args::StudioArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::report::Printer;

/// The longest head of a request, in bytes.
const MOST_HEAD: u64 = 16 << 10;

/// How slow a visitor may be.
#[derive(Clone, Copy, Debug)]
struct Patience {
    /// The time to ask, and to read beside that of the bytes.
    wait: Duration,
    /// The least bytes a second of an answer.
    slowest: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self { wait: Duration::from_secs(10), slowest: 1 << 20 }
    }
}

/// How many visitors are answered at a time. Browsers open up to six connections to a host, some
/// of them ahead of their questions.
const VISITORS: usize = 24;

/// The pause after a connection that could not be accepted, as when no file can be opened.
const PAUSE: Duration = Duration::from_millis(100);

/// The page, and the world that is shown.
#[derive(Debug)]
struct Served {
    page: Page,
    world: Option<PathBuf>,
    address: SocketAddr,
    patience: Patience,
}

/// The document that `--format json` prints.
#[derive(Serialize)]
struct Document<'a> {
    address: &'a str,
    page: Option<&'a Path>,
    world: Option<&'a Path>,
}

pub(super) fn run(args: &StudioArgs, printer: &mut Printer) -> Result<Exit, Failure> {
    let page = Page::find(args.page.as_deref())?;
    if let Some(world) = &args.world {
        // A world that is no world is told here, not in the page.
        wayfare_site::open(world, &wayfare_site::OpenOptions::default())?;
    }
    let wanted = SocketAddr::from((Ipv4Addr::LOCALHOST, args.port));
    let refused = |error: io::Error| {
        Failure::Usage(format!("{wanted} is not free: {error}; choose another --port"))
    };
    let listener = TcpListener::bind(wanted).map_err(refused)?;
    let address = listener.local_addr().map_err(refused)?;
    let patience = Patience::default();
    let served = Served { page, world: args.world.clone(), address, patience };
    let shown = match served.world_name() {
        Some(name) => format!("http://{address}/?world={}", encoded(&name)),
        None => format!("http://{address}/"),
    };
    if printer.is_json() {
        let (page, world) = (served.page.folder(), served.world.as_deref());
        printer.json(&Document { address: &shown, page, world })?;
    } else {
        printer.line(format!("the studio is at {shown}"))?;
        printer.note("Ctrl+C ends it");
    }
    printer.finish()?;
    std::thread::scope(|scope| {
        for _ in 1..VISITORS {
            // Where the system has no thread left, fewer visitors are answered at a time.
            let spawned = std::thread::Builder::new();
            drop(spawned.spawn_scoped(scope, || served.receive(&listener)));
        }
        served.receive(&listener)
    })
}

/// A connection with a deadline for all that is read and written.
struct Visitor {
    stream: TcpStream,
    deadline: Instant,
}

impl Visitor {
    /// Returns the time that is left.
    fn left(&self) -> io::Result<Option<Duration>> {
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for Visitor {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(into)
    }
}

impl Write for Visitor {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Returns a name as part of an address.
fn encoded(name: &str) -> String {
    let mut text = String::new();
    for byte in name.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'-' | b'_' => {
                text.push(char::from(byte));
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// Decodes a part of an address; `None` if it is damaged.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte == b'%' {
            let digit = |byte: u8| char::from(byte).to_digit(16);
            let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
            bytes.push(u8::try_from(high * 16 + low).ok()?);
        } else {
            bytes.push(byte);
        }
    }
    String::from_utf8(bytes).ok()
}

fn media_type(path: &str) -> &'static str {
    match Path::new(path).extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript",
        Some("css") => "text/css",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

impl Served {
    fn world_name(&self) -> Option<String> {
        Some(self.world.as_ref()?.file_name()?.to_string_lossy().into_owned())
    }

    /// Returns the file that a path of an address names, if the page may have it, and its media
    /// type.
    fn file(&self, path: &str, takes_gzip: bool) -> Option<(Content, &'static str)> {
        let path = decoded(path.split(['?', '#']).next()?.strip_prefix('/')?)?;
        let content = if let Some(name) = path.strip_prefix("world/") {
            let world =
                self.world.as_deref().filter(|_| self.world_name().as_deref() == Some(name));
            Content::of_file(world?).ok()?
        } else {
            let path = if path.is_empty() { "index.html" } else { &path };
            return Some((self.page.read(path, takes_gzip).ok()??, media_type(path)));
        };
        Some((content, media_type(&path)))
    }

    /// Answers one visitor after the other, for ever.
    fn receive(&self, listener: &TcpListener) -> ! {
        loop {
            match listener.accept() {
                // A visitor that went away in between, or was too slow, is no failure.
                Ok((stream, _)) => drop(self.answer(stream)),
                Err(_) => std::thread::sleep(PAUSE),
            }
        }
    }

    /// Reads one request and answers it.
    fn answer(&self, stream: TcpStream) -> io::Result<()> {
        let Patience { wait, slowest } = self.patience;
        let mut visitor = Visitor { stream, deadline: Instant::now() + wait };
        let mut lines = BufReader::new((&mut visitor).take(MOST_HEAD)).lines();
        let Some(question) = lines.next().transpose()? else { return Ok(()) };
        let mut host = None;
        let mut takes_gzip = false;
        for line in lines.by_ref() {
            let line = line?;
            if line.is_empty() {
                break;
            }
            let Some((name, value)) = line.split_once(':') else { continue };
            if name.eq_ignore_ascii_case("host") {
                host = Some(value.trim().to_owned());
            } else if name.eq_ignore_ascii_case("accept-encoding") {
                takes_gzip |= value.split(',').any(|coding| coding.trim() == "gzip");
            }
        }
        drop(lines);
        let port = self.address.port();
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let mut words = question.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let is_head = method == "HEAD";
        if !host.is_some_and(|host| own.contains(&host)) {
            return refuse(&mut visitor, "421 Misdirected Request");
        }
        if method != "GET" && !is_head {
            return refuse(&mut visitor, "405 Method Not Allowed");
        }
        let Some((mut content, media_type)) = self.file(path, takes_gzip) else {
            return refuse(&mut visitor, "404 Not Found");
        };
        let (length, encoding) =
            (content.length, if content.is_gzip { "Content-Encoding: gzip\r\n" } else { "" });
        visitor.deadline = Instant::now() + wait + Duration::from_secs(length / slowest);
        write!(
            visitor,
            "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\
             {encoding}Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n"
        )?;
        if !is_head {
            io::copy(&mut content.bytes, &mut visitor)?;
        }
        visitor.flush()
    }
}

fn refuse(visitor: &mut Visitor, status: &str) -> io::Result<()> {
    write!(visitor, "HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")?;
    visitor.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Serves a folder with a page and a secret beside it, and returns an answer to a request.
    fn ask(request: &str) -> String {
        let folder = tempfile::tempdir().expect("a folder");
        let page = folder.path().join("page");
        std::fs::create_dir_all(page.join("assets")).expect("a folder");
        std::fs::write(folder.path().join("secret.txt"), "secret").expect("a file");
        std::fs::write(page.join("index.html"), "the page").expect("a file");
        std::fs::write(page.join("assets/engine.wasm"), "\0asm").expect("a file");
        let world = folder.path().join("my yard.txt");
        std::fs::write(&world, "S.G\n").expect("a file");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let (page, patience) = (Page::Folder(page), Patience::default());
        let served = Served { page, world: Some(world), address, patience };
        let request = request.replace("PORT", &address.port().to_string());
        let asking = std::thread::spawn(move || {
            let mut visitor = TcpStream::connect(address).expect("a connection");
            visitor.write_all(request.as_bytes()).expect("a request");
            let mut answer = String::new();
            visitor.read_to_string(&mut answer).expect("an answer");
            answer
        });
        let (visitor, _) = listener.accept().expect("a visitor");
        served.answer(visitor).expect("it stays");
        asking.join().expect("an answer")
    }

    /// Returns why a visitor is cut off who may take a tenth of a second, and for whom a page of
    /// that many bytes is there.
    fn cut_off(bytes: usize, visit: fn(&mut TcpStream)) -> io::ErrorKind {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("index.html"), vec![b'x'; bytes]).expect("a file");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let address = listener.local_addr().expect("an address");
        let page = Page::Folder(folder.path().to_path_buf());
        let patience = Patience { wait: Duration::from_millis(100), slowest: 1 << 40 };
        let served = Served { page, world: None, address, patience };
        let asking = std::thread::spawn(move || {
            let mut stream = TcpStream::connect(address).expect("a connection");
            visit(&mut stream);
            stream
        });
        let (stream, _) = listener.accept().expect("a visitor");
        let told = served.answer(stream);
        // It holds its end of the connection up to here.
        drop(asking.join().expect("it was cut off"));
        told.expect_err("it is slow").kind()
    }

    #[test]
    fn slow_visitors_are_cut_off() {
        use io::ErrorKind::{TimedOut, WouldBlock};
        // A letter at a time, each soon after the one before.
        let asked = cut_off(8, |stream| {
            while stream.write_all(b"G").is_ok() {
                std::thread::sleep(Duration::from_millis(5));
            }
        });
        assert!(matches!(asked, TimedOut | WouldBlock), "{asked}");
        // Never reads an answer that is larger than what the system holds for it.
        let read = cut_off(64 << 20, |stream| {
            let host = stream.peer_addr().expect("an address");
            write!(stream, "GET / HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("a question");
        });
        assert!(matches!(read, TimedOut | WouldBlock), "{read}");
    }

    fn get(path: &str) -> String {
        ask(&format!("GET {path} HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n"))
    }

    #[test]
    fn the_page_its_parts_and_the_world_are_served() {
        let page = get("/");
        assert!(
            page.starts_with("HTTP/1.1 200 OK") && page.ends_with("\r\n\r\nthe page"),
            "{page}"
        );
        assert!(get("/?world=my%20yard.txt").ends_with("the page"));
        assert!(get("/assets/engine.wasm").contains("Content-Type: application/wasm\r\n"));
        assert!(get("/world/my%20yard.txt").ends_with("S.G\n"));
        let head = ask("HEAD / HTTP/1.1\r\nHost: localhost:PORT\r\n\r\n");
        assert!(head.contains("Content-Length: 8\r\n") && head.ends_with("\r\n\r\n"), "{head}");
    }

    #[test]
    fn nothing_else_is_served() {
        for path in [
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/assets/../../secret.txt",
            "//etc/passwd",
            "/assets",
            "/world/other.txt",
            "/world/../secret.txt",
            "/%zz",
            "/%f",
            "/%ff",
            "secret.txt",
            "",
        ] {
            let answer = get(path);
            assert!(answer.starts_with("HTTP/1.1 404"), "{path}: {answer}");
        }
        let other = ask("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n");
        assert!(other.starts_with("HTTP/1.1 421"), "{other}");
        let none = ask("GET / HTTP/1.1\r\n\r\n");
        assert!(none.starts_with("HTTP/1.1 421"), "{none}");
        let post = ask("POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n");
        assert!(post.starts_with("HTTP/1.1 405"), "{post}");
    }

    #[test]
    fn names_are_encoded_and_decoded() {
        for name in ["yard.txt", "my yard.txt", "Höhle & Co?.map", "100%.txt"] {
            assert_eq!(decoded(&encoded(name)).as_deref(), Some(name));
        }
        assert_eq!(encoded("a b/ü"), "a%20b%2F%C3%BC");
    }
}
