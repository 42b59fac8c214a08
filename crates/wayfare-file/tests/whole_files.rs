//! Files are whole, and what was at their place is respected.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use wayfare_file::{WholeFile, write_whole};

fn names(folder: &std::path::Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("readable").flatten();
    entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

#[test]
fn an_unfinished_file_leaves_the_old_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a");
    write_whole(&path, b"old").expect("written");
    let mut file = WholeFile::create(&path).expect("begun");
    std::io::Write::write_all(&mut file, b"new").expect("written");
    drop(file);
    assert_eq!(fs::read(&path).expect("there"), b"old");
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn leftovers_are_removed_but_not_files_in_use() {
    let folder = tempfile::tempdir().expect("a folder");
    let long_ago = SystemTime::now() - Duration::from_secs(3600);
    let temporary = |name: &str| {
        let file = File::create(folder.path().join(name)).expect("created");
        file.set_modified(long_ago).expect("aged");
        file
    };
    drop(temporary(".wayfare-dead.tmp"));
    drop(temporary("other.tmp"));
    let in_use = temporary(".wayfare-used.tmp");
    in_use.lock().expect("locked");
    write_whole(&folder.path().join("a"), b"").expect("written");
    let mut left = names(folder.path());
    left.sort();
    assert_eq!(left, [".wayfare-used.tmp", "a", "other.tmp"]);
}

#[test]
fn errors_do_not_name_the_temporary_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing").join("a");
    let error = write_whole(&missing, b"").expect_err("no folder").to_string();
    assert!(!error.contains(".wayfare-") && !error.contains("missing"), "{error}");
    let error = write_whole(folder.path(), b"").expect_err("a folder").to_string();
    assert_eq!(error, "it is a folder");
}

#[cfg(unix)]
#[test]
fn links_devices_and_permissions_stay() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let mode = |name: &str| fs::metadata(at(name)).expect("there").permissions().mode() & 0o777;
    write_whole(&at("private"), b"1").expect("written");
    assert_ne!(mode("private"), 0o600, "a new file is an ordinary one");
    fs::set_permissions(at("private"), fs::Permissions::from_mode(0o600)).expect("set");
    symlink("private", at("link")).expect("linked");
    symlink("not yet", at("dangling")).expect("linked");
    write_whole(&at("link"), b"2").expect("written");
    write_whole(&at("dangling"), b"3").expect("written");
    assert_eq!(fs::read(at("private")).expect("there"), b"2");
    assert_eq!(fs::read(at("not yet")).expect("there"), b"3");
    assert_eq!(mode("private"), 0o600);
    assert!(fs::symlink_metadata(at("link")).expect("there").is_symlink());
    let device = std::path::Path::new("/dev/null");
    write_whole(device, b"gone").expect("written");
    assert!(fs::metadata(device).expect("there").file_type().is_char_device());
}
