//! Real processes on loopback.

#![allow(dead_code, reason = "each test uses some of it")]

use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_wayfare-batch");

/// The longest that anything may take here.
const LONGEST: Duration = Duration::from_secs(100);

/// Returns the folder with the sample worlds of the project.
pub(crate) fn worlds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds").canonicalize().unwrap()
}

/// A process that dies with its test.
pub(crate) struct Process(Child);

impl Process {
    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }

    /// Ends the process at once, as `kill -9`.
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }

    /// Returns whether it is still there.
    pub(crate) fn is_running(&mut self) -> bool {
        self.0.try_wait().unwrap().is_none()
    }

    /// Returns its exit code and what it said, once it has ended by itself.
    pub(crate) fn ended(mut self) -> Ended {
        let begun = Instant::now();
        while self.is_running() {
            assert!(begun.elapsed() < LONGEST, "it does not end");
            sleep(Duration::from_millis(20));
        }
        let mut child = std::mem::replace(&mut self.0, Command::new("true").spawn().unwrap());
        let said = |stream: Option<&mut dyn std::io::Read>| {
            let mut text = String::new();
            stream.unwrap().read_to_string(&mut text).unwrap();
            text
        };
        let out = said(child.stdout.as_mut().map(|it| it as _));
        let complaints = said(child.stderr.as_mut().map(|it| it as _));
        Ended { code: child.wait().unwrap().code(), out, complaints }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What became of a command.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) complaints: String,
}

impl Ended {
    fn of(output: Output) -> Self {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        Self {
            code: output.status.code(),
            out: text(output.stdout),
            complaints: text(output.stderr),
        }
    }

    /// Returns a named result.
    pub(crate) fn field(&self, name: &str) -> &str {
        let line = self.out.lines().find(|line| line.starts_with(name));
        line.unwrap_or_else(|| panic!("no {name} in {self:?}"))[name.len()..].trim()
    }

    /// Returns the hash of the manifest, of a command that went well.
    pub(crate) fn hash(&self) -> String {
        assert_eq!(self.code, Some(0), "{self:?}");
        self.field("hash").to_owned()
    }
}

/// A job in a folder of its own, and a folder for tokens of faults.
pub(crate) struct Job {
    pub(crate) folder: TempDir,
    environment: Vec<(&'static str, String)>,
}

impl Job {
    /// Writes the file of a job; `WORLDS` stands for the folder of sample worlds.
    pub(crate) fn new(text: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let text = text.replace("WORLDS", &worlds().display().to_string());
        std::fs::write(folder.path().join("job.toml"), text).unwrap();
        std::fs::create_dir(folder.path().join("faults")).unwrap();
        Self { folder, environment: Vec::new() }
    }

    /// Returns the job with variables in the environment of its commands.
    pub(crate) fn with(self, environment: Vec<(&'static str, String)>) -> Self {
        Self { environment, ..self }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(self.folder.path());
        command.env("WAYFARE_FAULTS", self.path("faults"));
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub(crate) fn run(&self, arguments: &[&str]) -> Ended {
        Ended::of(self.command(arguments).output().unwrap())
    }

    /// Begins a command, whose output is kept.
    pub(crate) fn begin(&self, arguments: &[&str]) -> Process {
        let mut command = self.command(arguments);
        Process(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Begins a command as on a full disk: a file has at most `blocks` × 1 KiB.
    pub(crate) fn begin_on_a_full_disk(&self, blocks: u32, arguments: &[&str]) -> Process {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let mut command = Command::new("bash");
        command.args(["-c", &script, PROGRAM]).args(arguments).current_dir(self.folder.path());
        command.stdin(Stdio::null());
        Process(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
    }

    /// Puts a token: see `wayfare_shards::faults`.
    pub(crate) fn order(&self, fault: &str, what: &str) {
        std::fs::write(self.path("faults").join(fault), what).unwrap();
    }

    /// Waits until a worker waits at a token, and returns its process.
    pub(crate) fn waiting(&self, fault: &str) -> u32 {
        let sign = self.path("faults").join(format!("{fault}.waiting"));
        let begun = Instant::now();
        loop {
            if let Ok(Ok(id)) = std::fs::read_to_string(&sign).map(|text| text.parse()) {
                return id;
            }
            assert!(begun.elapsed() < LONGEST, "nobody waits at {fault}");
            sleep(Duration::from_millis(10));
        }
    }

    /// Lets whoever waits at a token go on.
    pub(crate) fn release(&self, fault: &str) {
        std::fs::remove_file(self.path("faults").join(format!("{fault}.waiting"))).unwrap();
    }

    /// Returns the files of shards with the time when they were written.
    pub(crate) fn shards(&self) -> Vec<(String, std::time::SystemTime)> {
        let folder = self.path("results/job/shards");
        let Ok(files) = std::fs::read_dir(folder) else { return Vec::new() };
        let mut found: Vec<_> = files
            .map(|file| {
                let file = file.unwrap();
                (
                    file.file_name().into_string().unwrap(),
                    file.metadata().unwrap().modified().unwrap(),
                )
            })
            .filter(|(name, _)| name.ends_with(".parquet"))
            .collect();
        found.sort();
        found
    }
}

/// A scheduler on a port of its own.
pub(crate) struct Scheduler {
    pub(crate) address: String,
    pub(crate) process: Process,
}

impl Scheduler {
    pub(crate) fn begin(job: &Job) -> Self {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        Self::begin_at(job, format!("127.0.0.1:{port}"))
    }

    pub(crate) fn begin_at(job: &Job, address: String) -> Self {
        let process = job.begin(&["scheduler", "--bind", &address, "--timeout", "5"]);
        let begun = Instant::now();
        while TcpStream::connect(&address).is_err() {
            assert!(begun.elapsed() < LONGEST, "the scheduler does not listen");
            sleep(Duration::from_millis(20));
        }
        Self { address, process }
    }

    /// Begins a worker with one thread.
    pub(crate) fn worker(&self, job: &Job) -> Process {
        job.begin(&["worker", &self.address, "--threads", "1"])
    }

    /// Begins to run the job.
    pub(crate) fn submit(&self, job: &Job) -> Process {
        job.begin(&["run", "job.toml", "--cluster", &self.address])
    }
}
