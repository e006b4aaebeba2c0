//! `status`: what a campaign holds.

use crate::args::{Format, StatusArgs};
use crate::campaigns;
use crate::exit::{Exit, Problem};
use crate::{made_here, output};
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
