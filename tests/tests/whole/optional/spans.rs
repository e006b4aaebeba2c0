//! Spans for OpenTelemetry, as a collector of the test's own gets them.

use anyhow::{Context, Result, ensure};
use elsewise_tests::command::program;
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

/// Fails if it sees what the collector is told who sends spans.
const SOURCE: &str = r#"
#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[3];
    int above = 0;
    assert(!getenv("OTEL_EXPORTER_OTLP_HEADERS"));
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    for (int i = 0; i < 3; i++)
        above += b[i] > 100 + i;
    return above;
}
"#;

/// Path, headers and body.
type Request = (String, String, Value);

/// Its port, and what comes.
fn collector() -> Result<(u16, Receiver<Request>)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let port = listener.local_addr()?.port();
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let sender = sender.clone();
            std::thread::spawn(move || {
                while let Ok(request) = request(&stream) {
                    if sender.send(request).is_err() {
                        return;
                    }
                }
            });
        }
    });
    Ok((port, receiver))
}

/// One request, which is answered.
fn request(mut stream: &TcpStream) -> Result<Request> {
    let mut reader = BufReader::new(stream);
    let mut first = String::new();
    ensure!(reader.read_line(&mut first)? > 0, "nothing more");
    let path = first.split(' ').nth(1).context("no path")?.to_owned();
    let (mut headers, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        let line = line.trim().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(said) = line.strip_prefix("content-length:") {
            length = said.trim().parse()?;
        }
        headers.push_str(&line);
        headers.push('\n');
    }
    ensure!(length < 1 << 20, "{length} bytes");
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    stream.write_all(
        b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
    )?;
    Ok((path, headers, serde_json::from_slice(&body)?))
}

/// Explores with a fleet in a folder; the environment may name a collector.
fn explore(folder: &Path, collector: Option<u16>) -> Result<()> {
    let source = folder.join("three.c");
    fs::write(&source, SOURCE)?;
    let mut command = Command::new(program()?);
    command
        .args(["explore", "--quiet", "--fresh", "--input-size=3", "--fleet"])
        .arg(folder.join(format!("fleet-{}", collector.is_some())))
        .arg(&source)
        .current_dir(folder)
        .stdin(Stdio::null());
    if let Some(port) = collector {
        command
            .env(
                "OTEL_EXPORTER_OTLP_ENDPOINT",
                format!("http://127.0.0.1:{port}"),
            )
            .env("OTEL_EXPORTER_OTLP_PROTOCOL", "http/json")
            .env(
                "OTEL_EXPORTER_OTLP_HEADERS",
                "authorization=Bearer%20secret",
            );
    }
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.code() == Some(0),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(())
}

#[test]
#[ignore = "it needs a build that sends spans: cargo xtask optional"]
fn a_portion_is_a_span_in_that_of_the_campaign() -> Result<()> {
    let folder = tempfile::tempdir()?;
    let (port, received) = collector()?;
    explore(folder.path(), None)?;
    ensure!(received.try_recv().is_err(), "nobody asked for spans");
    explore(folder.path(), Some(port))?;
    let mut spans = Vec::new();
    let mut services = Vec::new();
    for (path, headers, body) in received.try_iter() {
        ensure!(
            path == "/v1/traces" && headers.contains("authorization: bearer secret"),
            "{headers}"
        );
        for resource in array(&body["resourceSpans"]) {
            services.push(attribute(&resource["resource"], "service.name"));
            for scope in array(&resource["scopeSpans"]) {
                spans.extend(array(&scope["spans"]).iter().cloned());
            }
        }
    }
    let named =
        |name: &str| -> Vec<&Value> { spans.iter().filter(|span| span["name"] == name).collect() };
    let [whole] = named("explore")[..] else {
        anyhow::bail!("{spans:?}");
    };
    ensure!(
        services.iter().all(|name| name == "elsewise"),
        "{services:?}"
    );
    // Each of three bytes is above its bound or not.
    ensure!(attribute(whole, "elsewise.paths") == "8", "{whole}");
    ensure!(attribute(whole, "elsewise.findings") == "0", "{whole}");
    let portions = named("portion");
    let paths = portions
        .iter()
        .map(|span| attribute(span, "elsewise.paths"));
    let paths: u64 = paths.filter_map(|paths| paths.parse::<u64>().ok()).sum();
    ensure!(paths >= 8, "{portions:?}");
    for portion in portions {
        ensure!(portion["parentSpanId"] == whole["spanId"], "{portion}");
        ensure!(portion["traceId"] == whole["traceId"], "{portion}");
    }
    Ok(())
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// As text; empty if there is none.
fn attribute(of: &Value, name: &str) -> String {
    let attributes = array(&of["attributes"]).iter();
    let value = attributes
        .filter(|it| it["key"] == name)
        .map(|it| &it["value"])
        .next();
    let value = value
        .and_then(Value::as_object)
        .and_then(|value| value.values().next());
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    }
}
