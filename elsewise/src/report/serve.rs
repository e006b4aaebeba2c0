//! `--serve`: a page for a browser, made anew while what it shows goes on.

use super::html;
use crate::http::{Door, cannot, listen};
use crate::{campaigns, interrupt, output};
use elsewise_frontend::{Exit, Problem};
use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two looks at whether to stop.
const TICK: Duration = Duration::from_millis(50);
/// A page is good for so many times what it took to make it.
const KEPT: u32 = 3;

/// The page as it was made last.
struct CachedPage {
    made: Instant,
    took: Duration,
    page: Arc<Result<String, String>>,
}

/// What makes a page, or says why there is none.
type Make = Box<dyn Fn() -> Result<String, Problem> + Send + Sync>;

struct Server {
    door: Door,
    make: Make,
    kept: Mutex<Option<CachedPage>>,
}

/// The page of a campaign.
pub fn campaign(campaign: &Path, address: &str) -> Result<Exit, Problem> {
    // An error now is better than a page that says it.
    campaigns::open(campaign)?;
    let campaign = campaign.to_path_buf();
    let make = move || {
        let live = campaigns::explorer(&campaign).is_some();
        html::page(&campaign, live)
    };
    serve("the campaign", address, Box::new(make))
}

/// Shows a page until it is interrupted.
pub fn serve(what: &str, address: &str, make: Make) -> Result<Exit, Problem> {
    let listener = listen("serve", address)?;
    let cannot = cannot("serve", address);
    let stop = interrupt::stop_flag()?;
    let at = listener.local_addr().map_err(&cannot)?;
    let server = Arc::new(Server {
        door: Door::page(at)?,
        make,
        kept: Mutex::new(None),
    });
    output::note(&format!(
        "{} shows {what}; Ctrl-C ends it",
        server.door.url(at)
    ));
    while !stop.load(Ordering::Relaxed) {
        match listener.accept() {
            Ok((stream, _)) => {
                let server = Arc::clone(&server);
                // A browser that hangs must not keep others waiting.
                std::thread::spawn(move || {
                    let page = || server.page().as_ref().clone();
                    server.door.answer(stream, page);
                });
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(TICK),
            Err(error) => return Err(cannot(error).into()),
        }
    }
    Ok(Exit::Clean)
}

impl Server {
    fn page(&self) -> Arc<Result<String, String>> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kept) = kept.as_ref()
            && kept.made.elapsed() < KEPT * kept.took
        {
            return Arc::clone(&kept.page);
        }
        let begun = Instant::now();
        let page = (self.make)().map_err(|problem| problem.to_string());
        let page = Arc::new(page);
        *kept = Some(CachedPage {
            made: Instant::now(),
            took: begun.elapsed(),
            page: Arc::clone(&page),
        });
        page
    }
}
