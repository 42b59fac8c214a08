//! Inputs and results in a bucket: a small store on loopback that speaks as much of S3 as is
//! needed.

mod common;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use common::{Job, worlds};

type Objects = Arc<Mutex<BTreeMap<String, Vec<u8>>>>;

/// A store with one bucket, `b`, in memory.
struct Bucket {
    endpoint: String,
    objects: Objects,
}

impl Bucket {
    fn begin() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let endpoint = format!("http://{}", listener.local_addr().unwrap());
        let objects = Objects::default();
        let shared = objects.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let objects = shared.clone();
                std::thread::spawn(move || serve(stream, &objects));
            }
        });
        Self { endpoint, objects }
    }

    fn names(&self) -> Vec<String> {
        self.objects.lock().unwrap().keys().cloned().collect()
    }

    fn environment(&self) -> Vec<(&'static str, String)> {
        vec![
            ("AWS_ENDPOINT", self.endpoint.clone()),
            ("AWS_ALLOW_HTTP", "true".to_owned()),
            ("AWS_ACCESS_KEY_ID", "somebody".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "secret".to_owned()),
            ("AWS_REGION", "us-east-1".to_owned()),
        ]
    }
}

/// Answers the requests of a connection.
fn serve(stream: TcpStream, objects: &Objects) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut writer = stream;
    loop {
        let mut first = String::new();
        if reader.read_line(&mut first).unwrap_or(0) == 0 {
            return;
        }
        let mut headers = BTreeMap::new();
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else { break };
            headers.insert(name.to_lowercase(), value.to_owned());
        }
        let length = headers.get("content-length").map_or(0, |text| text.parse().unwrap());
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let mut words = first.split(' ');
        let (method, target) = (words.next().unwrap(), words.next().unwrap());
        let (status, heads, mut content) = answer(method, target, &headers, body, objects);
        let size = heads.get("size").cloned().unwrap_or(content.len().to_string());
        if method == "HEAD" {
            content.clear();
        }
        let mut head = format!("HTTP/1.1 {status}\r\ncontent-length: {size}\r\netag: \"1\"\r\n");
        head += "last-modified: Sun, 29 Nov 2026 10:00:00 GMT\r\n";
        if let Some(range) = heads.get("range") {
            write!(head, "content-range: {range}\r\n").unwrap();
        }
        head += "\r\n";
        if writer.write_all(head.as_bytes()).and_then(|()| writer.write_all(&content)).is_err() {
            return;
        }
    }
}

type Answer = (&'static str, BTreeMap<&'static str, String>, Vec<u8>);

fn answer(
    method: &str,
    target: &str,
    headers: &BTreeMap<String, String>,
    body: Vec<u8>,
    objects: &Objects,
) -> Answer {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let key = path.trim_start_matches("/b").trim_start_matches('/').to_owned();
    let mut objects = objects.lock().unwrap();
    let plain = |status, content| (status, BTreeMap::new(), content);
    match (method, objects.get(&key)) {
        ("PUT", _) => {
            objects.insert(key, body);
            plain("200 OK", Vec::new())
        }
        ("GET", _) if query.contains("list-type=2") => {
            let prefix = query.split('&').find_map(|part| part.strip_prefix("prefix="));
            let prefix = prefix.unwrap_or("").replace("%2F", "/");
            let mut list = "<ListBucketResult><IsTruncated>false</IsTruncated>".to_owned();
            for (key, object) in objects.iter().filter(|(key, _)| key.starts_with(&prefix)) {
                let size = object.len();
                write!(
                    list,
                    "<Contents><Key>{key}</Key><LastModified>2026-11-29T10:00:00.000Z</LastModified>\
                     <ETag>\"1\"</ETag><Size>{size}</Size></Contents>"
                )
                .unwrap();
            }
            list += "</ListBucketResult>";
            plain("200 OK", list.into_bytes())
        }
        (_, None) => plain("404 Not Found", b"<Error><Code>NoSuchKey</Code></Error>".to_vec()),
        ("HEAD", Some(object)) => {
            let size = BTreeMap::from([("size", object.len().to_string())]);
            ("200 OK", size, Vec::new())
        }
        ("GET", Some(object)) => match headers.get("range") {
            Some(range) => {
                let ends = range.trim_start_matches("bytes=").split_once('-').unwrap();
                let (first, last): (usize, usize) =
                    (ends.0.parse().unwrap(), ends.1.parse().unwrap_or(object.len() - 1));
                let last = last.min(object.len() - 1);
                let said = format!("bytes {first}-{last}/{}", object.len());
                let heads = BTreeMap::from([("range", said)]);
                ("206 Partial Content", heads, object[first..=last].to_vec())
            }
            None => plain("200 OK", object.clone()),
        },
        (_, Some(_)) => {
            objects.remove(&key);
            plain("204 No Content", Vec::new())
        }
    }
}

const JOB: &str = "\
name = \"job\"
output = \"s3://b/some/results\"
shard-seconds = 0.2
[tables]
world = \"s3://b/maps/city.map\"
places = 60
";

#[test]
fn a_bucket_is_as_good_as_a_folder() {
    let bucket = Bucket::begin();
    let city = std::fs::read(worlds().join("city.map")).unwrap();
    bucket.objects.lock().unwrap().insert("maps/city.map".to_owned(), city);
    let job = Job::new(JOB).with(bucket.environment());
    let hash = job.run(&["run", "job.toml"]).hash();
    let names = bucket.names();
    let shards = names.iter().filter(|name| name.starts_with("some/results/shards/"));
    assert!(shards.count() > 2, "{names:?}");
    assert!(names.contains(&"some/results/manifest.json".to_owned()), "{names:?}");
    assert_eq!(job.run(&["status", "s3://b/some/results"]).hash(), hash);
    assert_eq!(job.run(&["verify", "job.toml", "--sample", "5"]).code, Some(0));

    // A lost object is solved again.
    let lost = names.iter().find(|name| name.contains("/shards/")).unwrap();
    bucket.objects.lock().unwrap().remove(lost);
    assert_eq!(job.run(&["status", "job.toml"]).code, Some(1));
    assert_eq!(job.run(&["run", "job.toml"]).hash(), hash);
    assert_eq!(bucket.names(), names);

    // The rows are those of a run in folders; only the name of the world is another.
    let missing = job.run(&["run", "missing.toml"]);
    assert_eq!(missing.code, Some(3), "{missing:?}");
    let unknown = Job::new(&JOB.replace("city.map", "town.map")).with(bucket.environment());
    let refused = unknown.run(&["plan", "job.toml"]);
    assert!(refused.complaints.contains("s3://b/maps/town.map"), "{refused:?}");
}
