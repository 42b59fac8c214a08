//! Records what the README shows: a worker is killed within a shard, and the hash is the same.
//!
//! ```sh
//! cargo run --example recording -- docs/recording.gif      # in scale/
//! ```

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::sleep;
use std::time::{Duration, Instant};

use wayfare::glam::Vec2;
use wayfare_draw::{Anchor, Colour, Label, Picture, Shape, Theme, Typeface};

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

const WIDTH: u32 = 920;
const LINE: f32 = 20.0;
const LINES: usize = 26;
/// Seconds between two frames.
const FRAME: f64 = 0.25;

const JOB: &str = "\
name = \"city\"
shard-seconds = 0.4
[tables]
world = \"WORLD\"
places = 300
";

/// A line on the screen: who says it, what, and when.
#[derive(Clone)]
struct Said {
    who: &'static str,
    text: String,
    at: f64,
}

/// What happens on a stage of processes, as lines.
struct Stage {
    program: PathBuf,
    folder: PathBuf,
    begun: Instant,
    heard: Receiver<Said>,
    mouth: Sender<Said>,
    said: Vec<Said>,
    /// The number of shards at the last look.
    there: usize,
}

impl Stage {
    fn now(&self) -> f64 {
        self.begun.elapsed().as_secs_f64()
    }

    fn say(&mut self, who: &'static str, text: impl Into<String>) {
        self.said.push(Said { who, text: text.into(), at: self.now() });
    }

    /// Begins a command and takes its lines down.
    fn begin(&mut self, who: &'static str, arguments: &[&str]) -> Outcome<Child> {
        self.say(who, format!("$ wayfare batch {}", arguments.join(" ")));
        let mut command = Command::new(&self.program);
        command.args(arguments).current_dir(&self.folder).env("WAYFARE_FAULTS", "faults");
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let streams: [Box<dyn std::io::Read + Send>; 2] = [
            Box::new(child.stdout.take().ok_or("no output")?),
            Box::new(child.stderr.take().ok_or("no messages")?),
        ];
        for stream in streams {
            let (mouth, begun) = (self.mouth.clone(), self.begun);
            std::thread::spawn(move || {
                for text in BufReader::new(stream).lines().map_while(Result::ok) {
                    let at = begun.elapsed().as_secs_f64();
                    let _ = mouth.send(Said { who, text, at });
                }
            });
        }
        Ok(child)
    }

    /// Takes down what was said since, without tables, and how many shards are there.
    fn listen(&mut self) {
        let folder = format!("{}/", self.folder.display());
        for mut line in self.heard.try_iter().collect::<Vec<_>>() {
            line.text = line.text.replace(&folder, "");
            if !line.text.starts_with(['+', '|']) {
                self.said.push(line);
            }
        }
        let files = std::fs::read_dir(self.folder.join("results/city/shards"));
        let names = files.into_iter().flatten().flatten().map(|file| file.file_name());
        let count = names.filter(|name| name.to_string_lossy().ends_with(".parquet")).count();
        if count > self.there {
            self.there = count;
            self.say("shards", format!("{} {count}", "█".repeat(count)));
        }
    }

    /// Waits until a command has ended, with everything that it says.
    fn await_end(&mut self, child: &mut Child) -> Outcome<()> {
        while child.try_wait()?.is_none() {
            sleep(Duration::from_millis(50));
            self.listen();
        }
        sleep(Duration::from_millis(300));
        self.listen();
        Ok(())
    }
}

fn main() -> Outcome<()> {
    let target = std::env::args().nth(1).ok_or("name a .gif file")?;
    // The program lies beside the folder of examples.
    let own = std::env::current_exe()?;
    let beside = own.parent().and_then(Path::parent).ok_or("no folder")?;
    let program = beside.join(format!("wayfare-batch{}", std::env::consts::EXE_SUFFIX));
    let folder = tempfile::tempdir()?;
    let world =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds/city.map").canonicalize()?;
    let job = JOB.replace("WORLD", &world.display().to_string());
    std::fs::write(folder.path().join("city.toml"), &job)?;
    std::fs::write(folder.path().join("alone.toml"), job.replace("\"city\"", "\"alone\""))?;
    std::fs::create_dir(folder.path().join("faults"))?;

    let (mouth, heard) = channel();
    let begun = Instant::now();
    let folder = folder.path().to_path_buf();
    let mut stage = Stage { program, folder, begun, heard, mouth, said: Vec::new(), there: 0 };
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let address = format!("127.0.0.1:{port}");
    let mut scheduler =
        stage.begin("scheduler", &["scheduler", "--bind", &address, "--timeout", "5"])?;
    while TcpStream::connect(&address).is_err() {
        sleep(Duration::from_millis(20));
    }
    let worker = ["worker", &address, "--threads", "1"];
    let mut workers = [stage.begin("worker 1", &worker)?, stage.begin("worker 2", &worker)?];
    sleep(Duration::from_millis(800));
    // One of them stops within shard 7, until it is killed.
    std::fs::write(stage.folder.join("faults/begun-7"), "wait")?;
    let mut run = stage.begin("run", &["run", "city.toml", "--cluster", &address])?;
    let sign = stage.folder.join("faults/begun-7.waiting");
    let victim: u32 = loop {
        stage.listen();
        if let Ok(Ok(id)) = std::fs::read_to_string(&sign).map(|text| text.parse()) {
            break id;
        }
        sleep(Duration::from_millis(20));
    };
    sleep(Duration::from_millis(700));
    let at = usize::from(workers[1].id() == victim);
    stage.listen();
    stage.say("kill", format!("$ kill -9 {victim}    # worker {}, within shard 7", at + 1));
    workers[at].kill()?;
    stage.await_end(&mut run)?;
    let mut alone = stage.begin("alone", &["run", "alone.toml"])?;
    stage.await_end(&mut alone)?;
    for child in workers.iter_mut().chain([&mut scheduler]) {
        child.kill()?;
        child.wait()?;
    }
    let hash = |who: &str| {
        let lines = stage.said.iter().filter(|line| line.who == who);
        lines
            .filter_map(|line| line.text.strip_prefix("hash"))
            .map(str::trim)
            .next_back()
            .map(str::to_owned)
    };
    let (one, other) = (hash("run"), hash("alone"));
    if one.is_none() || one != other {
        return Err(format!("the hashes differ: {one:?} and {other:?}").into());
    }
    let end = stage.now();
    stage.said.sort_by(|one, other| one.at.total_cmp(&other.at));
    film(&stage.said, end, Path::new(&target))
}

fn colour(who: &str) -> Colour {
    match who {
        "scheduler" => Colour::hex(0xb3bfcc),
        "worker 1" => Colour::hex(0x6fd3ff),
        "worker 2" => Colour::hex(0xf2b94b),
        "shards" => Colour::hex(0x8494a8),
        "kill" => Colour::hex(0xff5d5d),
        _ => Colour::hex(0x4dffa0),
    }
}

fn film(said: &[Said], end: f64, target: &Path) -> Outcome<()> {
    let height = (LINES as f32 * LINE + 36.0) as u16;
    let mut gif = gif::Encoder::new(std::fs::File::create(target)?, WIDTH as u16, height, &[])?;
    gif.set_repeat(gif::Repeat::Infinite)?;
    // The frames at which there is something new, with the number of lines then.
    let mut news: Vec<(u16, usize)> = Vec::new();
    for frame in 0..=(end / FRAME).ceil() as u16 {
        let count = said.iter().filter(|line| line.at <= f64::from(frame) * FRAME).count();
        if news.last().is_none_or(|(_, before)| *before < count) {
            news.push((frame, count));
        }
    }
    for (index, &(frame, count)) in news.iter().enumerate() {
        let picture = draw(&said[..count], u32::from(height))?;
        let mut rgba = picture.to_canvas()?.rgba().to_vec();
        let mut still = gif::Frame::from_rgba_speed(WIDTH as u16, height, &mut rgba, 2);
        let next = news.get(index + 1).map_or(frame + 24, |(next, _)| *next);
        still.delay = (next - frame) * (FRAME * 100.0) as u16;
        gif.write_frame(&still)?;
    }
    Ok(())
}

fn draw(said: &[Said], height: u32) -> Outcome<Picture> {
    let theme = Theme::DARK;
    let mut picture = Picture::new(WIDTH, height, theme.background)?;
    let first = said.len().saturating_sub(LINES);
    for (row, line) in said[first..].iter().enumerate() {
        let y = 30.0 + row as f32 * LINE;
        let mut text = |text: String, x: f32, colour: Colour| {
            let at = Vec2::new(x, y);
            let (anchor, size, face) = (Anchor::Start, 13.0, Typeface::Mono);
            picture.push(Shape::Text(Label { text, at, anchor, size, face, colour }));
        };
        text(format!("{:>5.1} s", line.at), 14.0, theme.text_muted);
        text(line.who.to_owned(), 84.0, colour(line.who));
        let is_typed = line.text.starts_with("$ ");
        let said = if is_typed { theme.text } else { theme.text_muted };
        let said = if line.text.starts_with("hash") { colour("run") } else { said };
        text(line.text.clone(), 174.0, said);
    }
    Ok(picture)
}
