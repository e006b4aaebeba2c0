//! `status`: what a campaign holds.

use crate::args::StatusArgs;
use crate::output;
use crate::{campaigns, fleet_status, named};
use elsewise_frontend::verbs::Format;
use elsewise_frontend::{Exit, Problem, made_here};
use elsewise_report::StatusView;

pub fn status(args: &StatusArgs) -> Result<Exit, Problem> {
    if let Some(place) = &args.fleet {
        return match &args.serve {
            Some(address) => fleet_status::serve(place, address),
            None => fleet_status::status(place, args.place.format),
        };
    }
    let directory = named::campaign(args.what.as_deref(), args.place.campaign.as_deref())?;
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
