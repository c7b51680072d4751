//! Every way in which a whittle.toml can be wrong, and the sentence that says so: `wrong/NAME.toml` and `NAME.txt`.
//! With WHITTLE_BLESS=1 the texts are written anew, to be read over.

use std::fs;
use std::path::{Path, PathBuf};

use whittle::compose::{Catalogue, Request, resolve};
use whittle::failure::{Failure, OURS};

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests")
}

fn plan(file: &Path) -> Result<(), Failure> {
    let request = Request::read(file)?;
    let catalogue = Catalogue::for_request(&tests().join("offer"), &request)?;
    for platform in resolve::platforms(&catalogue, &request)? {
        resolve::resolve(&catalogue, &request, &platform)?;
    }
    Ok(())
}

#[test]
fn each_wrong_file_gets_its_sentence() {
    let mut files: Vec<PathBuf> =
        fs::read_dir(tests().join("wrong")).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    assert!(files.len() >= 14);
    let mut differences = Vec::new();
    for file in files {
        let failure = plan(&file).expect_err(&format!("{} is not wrong", file.display()));
        assert_eq!(failure.status, OURS);
        let folder = format!("{}/", file.parent().unwrap().display());
        let said = failure.sentence.replace(&folder, "").replace(folder.trim_end_matches('/'), ".") + "\n";
        let kept = file.with_extension("txt");
        if std::env::var_os("WHITTLE_BLESS").is_some() {
            fs::write(&kept, &said).unwrap();
        }
        let expected = fs::read_to_string(&kept).unwrap_or_default();
        if said != expected {
            differences.push(format!("{}\n  said     {said}  expected {expected}", file.display()));
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
