//! The live window of hitmask, and the same without a window.
//!
//! `args` reads the command line, and `window` shows the demo. All else is in the library.

#[cfg(not(target_family = "wasm"))]
mod args;
mod window;

use std::process::ExitCode;

#[cfg(not(target_family = "wasm"))]
fn main() -> ExitCode {
    match args::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}\nhelp: {}", error.help());
            ExitCode::FAILURE
        }
    }
}

#[cfg(target_family = "wasm")]
fn main() -> ExitCode {
    let settings = window::Settings::default();
    macroquad::Window::from_config(window::configuration(settings.options.window), async {
        // An error ends the loop; a page has nothing to report it to.
        let _ = window::run(settings).await;
    });
    ExitCode::SUCCESS
}
