//! A language server: explorations and findings in any editor that speaks the protocol.
//!
//! One thread reads messages, one has the state and writes, and whatever takes time (reading campaigns, drawing, running
//! a command) has a thread of its own, which says what came of it. Nothing runs because a folder was opened or a file was
//! changed: explorations begin with a command. What a campaign or a source says is text to all that is sent: names and
//! messages are escaped, Markdown shows them as they are, and files that do not lie in the workspace are not marked.

mod documents;
mod explore;
mod jobs;
mod lines;
mod marks;
mod offers;
mod server;
mod settings;
mod view;
mod wire;

use crate::Host;
use elsewise_frontend::run_nothing;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::channel;

/// Serves one client; true if it has said good-bye as the protocol wants it.
pub fn serve(
    host: Host,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<bool> {
    run_nothing();
    let (sender, events) = channel();
    jobs::listen(input, sender.clone());
    server::Server::new(host, output, sender).serve(&events)
}
