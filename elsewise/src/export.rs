//! `export`: the cases of a campaign as tests.

use crate::args::ExportArgs;
use crate::{campaigns, languages, named};
use elsewise_frontend::{Exit, ExportRequest, Problem, made_here, run_nothing};

pub fn export(args: &ExportArgs) -> Result<Exit, Problem> {
    run_nothing();
    let campaign = named::campaign(args.campaign.as_deref(), None)?;
    made_here::announce(&campaign);
    let store = campaigns::open(&campaign)?;
    let request = ExportRequest {
        framework: args.framework.clone(),
        folder: args.out.clone(),
    };
    languages::saved(&campaign)?.export(&store, &request)?;
    Ok(Exit::Clean)
}
