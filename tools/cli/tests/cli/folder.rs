use serde_json::Value;
use std::collections::BTreeMap;
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

    /// Writes the map `levels/yard` of Tiled, with a manifest. It is 640 x 32 px, so that chunks of terrain meet
    /// at x = 512: a floor of 8 px, a slope at its right end, spikes of 4 px at x = 240, a point and an object.
    pub(crate) fn level(&self) {
        fs::create_dir_all(self.0.join("levels")).unwrap();
        let row = |y: usize| -> String {
            let full = "########";
            let slope = format!("{}{}", ".".repeat(7 - y), "#".repeat(y + 1));
            format!("{full}{slope}{}", if y < 4 { "........" } else { full })
        };
        let rows = [0, 1, 2, 3, 4, 5, 6, 7].map(row);
        self.image("levels/tiles.png", rows.each_ref().map(String::as_str));
        let mut cells = [[0; 80]; 4];
        cells[3] = [1; 80];
        (cells[2][79], cells[2][30]) = (2, 3);
        let cells: Vec<String> = cells.as_flattened().iter().map(u32::to_string).collect();
        let text = format!(
            r#"<map orientation="orthogonal" width="80" height="4" tilewidth="8" tileheight="8">
            <tileset firstgid="1" name="tiles" tilewidth="8" tileheight="8" tilecount="3" columns="3">
            <image source="tiles.png" width="24" height="8"/><tile id="2" type="spikes"/></tileset>
            <layer name="ground" width="80" height="4"><data encoding="csv">{}</data></layer>
            <objectgroup name="things"><object name="&lt;spawn>" type="start" x="20.5" y="16">
            <properties><property name="hp" value="3"/></properties><point/></object>
            <object name="exit" x="600" y="0" width="16" height="24"/></objectgroup></map>"#,
            cells.join(",")
        );
        self.write("levels/yard.tmx", &text);
        self.write(
            "hitmask.toml",
            "output = \"a\"\n[defaults]\nangles = 1\n[[source]]\nfiles = \"levels/*.tmx\"\n\
             map = [{ class = \"spikes\", becomes = \"hazard\", sensor = true }]\n",
        );
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(name), text).unwrap();
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.0.join(name)).unwrap()
    }

    /// The text of a file.
    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// The bytes of all files below the folder. A pipe, or a link to nothing, has none.
    pub(crate) fn contents(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let (mut all, mut folders) = (BTreeMap::new(), vec![self.0.clone()]);
        while let Some(folder) = folders.pop() {
            for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
                if path.is_dir() {
                    folders.push(path);
                } else {
                    let bytes = path.is_file().then(|| fs::read(&path).unwrap());
                    all.insert(path, bytes.unwrap_or_default());
                }
            }
        }
        all
    }

    /// Names of the sprites of an atlas.
    pub(crate) fn names(&self, atlas: &str) -> Vec<String> {
        let info = self.json(&format!("info {atlas} --json"));
        let sprites = info["sprites"].as_array().unwrap().iter();
        sprites.map(|sprite| sprite["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Runs a command with its words, split at spaces.
    pub(crate) fn run(&self, args: impl Words) -> Output {
        let program = env!("CARGO_BIN_EXE_hitmask");
        Command::new(program).args(args.words()).current_dir(&self.0).output().unwrap()
    }

    /// Standard output and standard error of a command that exits with a code.
    pub(crate) fn exits(&self, args: impl Words, code: i32) -> (String, String) {
        let (words, output) = (args.words(), self.run(args));
        let (out, err) = texts(&output);
        assert_eq!(output.status.code(), Some(code), "{words:?}\n{out}\n{err}");
        (out, err)
    }

    /// Standard output of a command that succeeds.
    pub(crate) fn ok(&self, args: impl Words) -> String {
        self.exits(args, 0).0
    }

    pub(crate) fn json(&self, args: impl Words) -> Value {
        self.json_of(args, 0)
    }

    /// The answer of a command that exits with a code.
    pub(crate) fn json_of(&self, args: impl Words, code: i32) -> Value {
        serde_json::from_str(&self.exits(args, code).0).unwrap()
    }

    /// Cause and help of a command that fails with two lines on standard error.
    pub(crate) fn fails(&self, args: impl Words) -> (String, String) {
        let words = args.words();
        let (out, err) = self.exits(args, 1);
        assert_eq!(out, "", "{words:?}");
        let lines: Vec<&str> = err.lines().collect();
        let [cause, help] = lines[..] else { panic!("not two lines: {err}") };
        let (cause, help) = (cause.strip_prefix("error: "), help.strip_prefix("help: "));
        (cause.unwrap().to_owned(), help.unwrap().to_owned())
    }

    /// Asserts that a command fails, with these parts of its cause and of its help.
    pub(crate) fn refuses(&self, args: impl Words, cause: &str, help: &str) {
        let words = args.words();
        let said = self.fails(args);
        let is_said = said.0.contains(cause) && said.1.contains(help) && said.1.len() > 8;
        assert!(is_said, "{words:?}: {cause:?} or {help:?} is not in\n{said:#?}");
    }
}

/// The arguments of a command: a text that spaces split, or a list of words with spaces of their own.
pub(crate) trait Words {
    fn words(&self) -> Vec<String>;
}

impl<T: AsRef<str> + ?Sized> Words for &T {
    fn words(&self) -> Vec<String> {
        self.as_ref().split_whitespace().map(str::to_owned).collect()
    }
}

impl Words for Vec<String> {
    fn words(&self) -> Vec<String> {
        self.clone()
    }
}

impl<const N: usize> Words for [&str; N] {
    fn words(&self) -> Vec<String> {
        self.map(str::to_owned).into()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Asserts that each of these parts is in a text.
pub(crate) fn assert_parts(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

/// Asserts that each of these figures of an answer is above 0.
pub(crate) fn assert_positive(answer: &Value, keys: &[&str]) {
    for key in keys {
        assert!(answer[key].as_f64().unwrap() > 0.0, "{key}: {answer}");
    }
}

/// Standard output and standard error.
pub(crate) fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}
