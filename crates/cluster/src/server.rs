//! A NATS server of a test's own, on loopback.

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

pub struct Server {
    child: Child,
    folder: TempDir,
    port: u16,
    settings: String,
}

impl Server {
    pub fn start() -> Server {
        Server::start_with("")
    }

    /// With more settings of the server's own.
    pub fn start_with(settings: &str) -> Server {
        let folder = tempfile::tempdir().unwrap();
        let (child, port) = run(&folder, None, None, settings);
        Server {
            child,
            folder,
            port,
            settings: settings.to_owned(),
        }
    }

    /// Where members of a campaign find it.
    pub fn address(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Of its process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// Ends without a word, and begins again with what it had.
    pub fn restart(&mut self) {
        self.end();
        self.begin(None);
    }

    /// Begins again, and may keep so many bytes on its disk.
    pub fn begin(&mut self, room: Option<u64>) {
        self.child = run(&self.folder, Some(self.port), room, &self.settings).0;
    }

    /// Ends without a word.
    pub fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.end();
    }
}

fn run(folder: &TempDir, port: Option<u16>, room: Option<u64>, settings: &str) -> (Child, u16) {
    let ports = folder.path().join("ports");
    let _ = fs::remove_dir_all(&ports);
    fs::create_dir(&ports).unwrap();
    let log = fs::File::create(folder.path().join("log")).unwrap();
    let port = port.map_or("-1".to_owned(), |port| port.to_string());
    let store = folder.path().join("store").display().to_string();
    let room = room.map_or(String::new(), |room| format!(", max_file_store: {room}"));
    let config = folder.path().join("config");
    let said = format!("jetstream {{ store_dir: {store:?}{room} }}\n{settings}\n");
    fs::write(&config, said).unwrap();
    let mut child = Command::new("nats-server")
        .args(["--addr", "127.0.0.1", "--port", &port, "--config"])
        .arg(config)
        .arg("--ports_file_dir")
        .arg(&ports)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .expect("nats-server is there: scripts/setup installs it");
    let end = Instant::now() + Duration::from_secs(20);
    while Instant::now() < end {
        if let Some(port) = read_port(&ports) {
            return (child, port);
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
    let log = fs::read_to_string(folder.path().join("log")).unwrap_or_default();
    panic!("the server does not begin: {log}");
}

fn read_port(ports: &PathBuf) -> Option<u16> {
    let file = fs::read_dir(ports).ok()?.flatten().next()?.path();
    let said: serde_json::Value = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
    let address = said.get("nats")?.get(0)?.as_str()?;
    address.rsplit(':').next()?.parse().ok()
}
