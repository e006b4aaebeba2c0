//! `status`: what a campaign holds.

use crate::args::StatusArgs;
use crate::campaigns;
use crate::output;
use elsewise_frontend::verbs::Format;
use elsewise_frontend::{Exit, Problem, made_here};
use elsewise_report::StatusView;

pub fn status(args: &StatusArgs) -> Result<Exit, Problem> {
    let directory = campaigns::locate(args.place.campaign.as_deref())?;
    made_here::announce(&directory);
    let store = campaigns::open(&directory)?;
    let summary = campaigns::summary(&store)?;
    match args.place.format {
        Format::Json => output::json(&summary)?,
        Format::Text => {
            let view = StatusView {
                summary: &summary,
                explorer: campaigns::explorer(&directory),
            };
            output::text(&view.text());
        }
    }
    Ok(Exit::Clean)
}
