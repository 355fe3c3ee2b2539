use serde_json::Value;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A temporary folder with two sprites in `art`. Commands run in it.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(test: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hitmask-cli-{}-{test}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("art/small")).unwrap();
        let folder = Self(path);
        folder.image("art/arrow.png", ["..##", "####", "..##"]);
        folder.image("art/small/dot.png", ["#"]);
        folder
    }

    /// Writes a PNG file from rows of `#` and `.`.
    pub(crate) fn image<const N: usize>(&self, name: &str, rows: [&str; N]) {
        let (w, h) = (rows[0].len() as u32, N as u32);
        let rgba: Vec<u8> = rows
            .concat()
            .bytes()
            .flat_map(|b| if b == b'#' { [200, 100, 50, 255] } else { [0; 4] })
            .collect();
        image::save_buffer(self.0.join(name), &rgba, w, h, image::ExtendedColorType::Rgba8)
            .unwrap();
    }

    /// Writes an atlas of one sprite, `cyclops`, whose planes are a body and an eye.
    pub(crate) fn planes(&self, name: &str, eye: &str) {
        let masks = [".###\n####", eye].map(|text| text.parse::<hitmask::Mask>().unwrap());
        let settings =
            hitmask::Settings { pivot: hitmask::Pivot::HalfTexels(-2, -2), ..Default::default() };
        let builder = hitmask::AtlasBuilder::new().settings(settings).angles(4);
        let builder = builder.planes("cyclops", ["body", "eye"], [masks]).unwrap();
        fs::write(self.0.join(name), builder.to_bytes().unwrap()).unwrap();
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_hitmask"))
            .args(args)
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    /// Standard output of a command that succeeds.
    pub(crate) fn ok(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let (out, err) = texts(&output);
        assert_eq!(output.status.code(), Some(0), "{args:?}\n{out}\n{err}");
        out
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        serde_json::from_str(&self.ok(args)).unwrap()
    }

    /// Cause and help of a command that fails with two lines on standard error.
    pub(crate) fn fails(&self, args: &[&str]) -> (String, String) {
        let output = self.run(args);
        let (out, err) = texts(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}\n{out}\n{err}");
        assert_eq!(out, "", "{args:?}");
        let lines: Vec<&str> = err.lines().collect();
        let [cause, help] = lines[..] else { panic!("not two lines: {err}") };
        let (cause, help) = (cause.strip_prefix("error: "), help.strip_prefix("help: "));
        (cause.unwrap().to_owned(), help.unwrap().to_owned())
    }

    /// Like `fails`, for a verb that prints output before it fails.
    pub(crate) fn fails_late(&self, args: &[&str]) -> (String, String) {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(1));
        let err = texts(&output).1;
        let (cause, help) = err.trim_end().split_once("\nhelp: ").unwrap();
        (cause.strip_prefix("error: ").unwrap().to_owned(), help.to_owned())
    }

    /// Standard error of a command that exits with 2, for wrong usage.
    pub(crate) fn misused(&self, args: &[&str]) -> String {
        let output = self.run(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}\n{:?}", texts(&output));
        texts(&output).1
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Standard output and standard error.
pub(crate) fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}
