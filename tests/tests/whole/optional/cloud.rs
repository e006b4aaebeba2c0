//! Fleets that keep what is large in a bucket of S3: a server of that kind of the test's own, members of a build that speaks to
//! it. `cargo xtask optional` makes both, and runs these.

use crate::fleet::{Tree, worker};
use anyhow::{Context, Result, ensure};
use elsewise_cluster::server::Server;
use elsewise_tests::command::{Exploration, explore, explore_with, program};
use std::fs;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The program of the crate `s3s-fs`.
const PROGRAM: &str = "ELSEWISE_S3S_FS";
const KEY: &str = "member";
const SECRET: &str = "a secret that is long enough";
const BUCKET: &str = "campaigns";

/// Branches of the program, each of which doubles its paths: so many that what is known of them is an object.
const BRANCHES: usize = 12;

const SOURCE: &str = r#"
#include <assert.h>
#include <unistd.h>

int main(void)
{
    unsigned char b[BRANCHES];
    int above = 0;
    if (read(0, b, sizeof b) != (ssize_t)sizeof b)
        return 99;
    for (int i = 0; i < (int)sizeof b; i++)
        if (b[i] > 100 + i)
            above++;
    assert(above != BRANCHES);
    return above;
}
"#;

/// A folder that is shown as S3 shows buckets.
struct Provider {
    child: Child,
    folder: PathBuf,
    port: u16,
}

impl Provider {
    fn start(folder: &Path) -> Result<Provider> {
        fs::create_dir_all(folder.join(BUCKET))?;
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let child = Provider::run(folder, port)?;
        let folder = folder.to_path_buf();
        Ok(Provider {
            child,
            folder,
            port,
        })
    }

    fn run(folder: &Path, port: u16) -> Result<Child> {
        let program = std::env::var_os(PROGRAM).context("cargo xtask optional says where it is")?;
        let mut child = Command::new(program)
            .args(["--host", "127.0.0.1", "--port", &port.to_string()])
            .args(["--access-key", KEY, "--secret-key", SECRET])
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let end = Instant::now() + Duration::from_secs(20);
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            ensure!(child.try_wait()?.is_none(), "it ended at once");
            ensure!(Instant::now() < end, "it does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(child)
    }

    /// Ends without a word.
    fn end(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    fn begin(&mut self) -> Result<()> {
        self.child = Provider::run(&self.folder, self.port)?;
        Ok(())
    }

    /// What a member's environment says of it.
    fn tell(&self, command: &mut Command, secret: &str) {
        command
            .env(
                "AWS_ENDPOINT_URL",
                format!("http://127.0.0.1:{}", self.port),
            )
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_REGION", "us-east-1")
            .env("AWS_ACCESS_KEY_ID", KEY)
            .env("AWS_SECRET_ACCESS_KEY", secret)
            .env("ELSEWISE_FLEET_BUCKET", format!("s3://{BUCKET}/nightly"));
    }

    /// Objects of a campaign whose names begin so.
    fn objects(&self, campaign: &str, kind: &str) -> Result<Vec<PathBuf>> {
        let folder = self
            .folder
            .join(BUCKET)
            .join("nightly")
            .join(format!("elw-{campaign}"));
        let mut objects = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            if name.is_some_and(|name| name.starts_with(kind)) {
                objects.push(path);
            }
        }
        Ok(objects)
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.end();
    }
}

/// A campaign at a server and in a bucket, and what one worker says of the same program.
struct Scene {
    folder: tempfile::TempDir,
    source: PathBuf,
    alone: Tree,
    server: Server,
    provider: Provider,
}

impl Scene {
    fn new() -> Result<Scene> {
        let folder = tempfile::tempdir()?;
        let source = folder.path().join("wide.c");
        fs::write(&source, SOURCE.replace("BRANCHES", &BRANCHES.to_string()))?;
        let alone = explore(
            std::slice::from_ref(&source),
            &Scene::options(),
            folder.path(),
        )?;
        let provider = Provider::start(&folder.path().join("provider"))?;
        Ok(Scene {
            alone: Tree::of(&alone),
            source,
            server: Server::start(),
            provider,
            folder,
        })
    }

    fn options() -> Vec<String> {
        vec![format!("--input-size={BRANCHES}")]
    }

    fn place(&self, name: &str) -> String {
        format!("{}/{name}", self.server.address())
    }

    /// Explored by two members.
    fn explored(&self, name: &str) -> Result<(Exploration, u64)> {
        let place = self.place(name);
        let folder = self.folder.path();
        let own = folder.join(name);
        fs::create_dir_all(&own)?;
        std::thread::scope(|scope| {
            let other = scope.spawn(|| {
                worker(&place, folder, |command| {
                    self.provider.tell(command, SECRET)
                })
            });
            let options = [Scene::options(), vec![format!("--fleet={place}")]].concat();
            let explored = explore_with(
                std::slice::from_ref(&self.source),
                &options,
                &own,
                |command| {
                    self.provider.tell(command.current_dir(folder), SECRET);
                },
            );
            let portions = other
                .join()
                .map_err(|_| anyhow::anyhow!("a worker panicked"))?;
            Ok((explored?, portions?))
        })
    }
}

#[test]
#[ignore = "it needs a server of S3's kind, and a build that speaks to it: cargo xtask optional"]
fn what_is_large_is_kept_in_s3_and_explored_anew_where_it_is_lost() -> Result<()> {
    let scene = Scene::new()?;
    let (explored, _) = scene.explored("x")?;
    ensure!(Tree::of(&explored) == scene.alone, "{:?}", scene.alone);
    let parts = scene.provider.objects("x", "part-")?;
    ensure!(!parts.is_empty(), "parts are objects of the bucket");
    ensure!(scene.provider.objects("x", "mark-")?.len() == 1);

    // Whoever asks again gets it from there, without a run.
    let (again, portions) = scene.explored("x")?;
    ensure!(Tree::of(&again) == scene.alone && portions == 0);

    // What is lost or damaged was never explored.
    fs::write(&parts[0], b"damaged")?;
    let (again, _) = scene.explored("x")?;
    ensure!(Tree::of(&again) == scene.alone, "{:?}", again.summary);
    Ok(())
}

#[test]
#[ignore = "it needs a server of S3's kind, and a build that speaks to it: cargo xtask optional"]
fn a_provider_that_is_away_is_waited_for() -> Result<()> {
    let mut scene = Scene::new()?;
    scene.provider.end();
    let port = scene.provider.port;
    let folder = scene.provider.folder.clone();
    let away = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(2));
        Provider::run(&folder, port)
    });
    let explored = scene.explored("x");
    scene.provider.child = away.join().map_err(|_| anyhow::anyhow!("it panicked"))??;
    ensure!(Tree::of(&explored?.0) == scene.alone);
    // Begun again, it has what it had.
    scene.provider.end();
    scene.provider.begin()?;
    let (again, portions) = scene.explored("x")?;
    ensure!(Tree::of(&again) == scene.alone && portions == 0);
    Ok(())
}

#[test]
#[ignore = "it needs a server of S3's kind, and a build that speaks to it: cargo xtask optional"]
fn whoever_has_another_secret_is_told_that_the_provider_refuses() -> Result<()> {
    let scene = Scene::new()?;
    let place = scene.place("x");
    let mut command = Command::new(program()?);
    command
        .args(["explore", "--quiet", "--fleet", &place])
        .args(Scene::options())
        .arg(&scene.source)
        .current_dir(scene.folder.path())
        .stdin(Stdio::null());
    scene.provider.tell(&mut command, "another secret");
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(
        !output.status.success() && said.contains("s3://campaigns/nightly"),
        "{said}"
    );
    ensure!(!said.contains("another secret"), "{said}");
    ensure!(
        scene
            .provider
            .objects("x", "")
            .map_or(true, |all| all.is_empty())
    );
    Ok(())
}
