//! Where the subject's input objects are, so that views can name them instead of their addresses.

use super::{Replay, StoreWriter};
use crate::CampaignError;
use elsewise_explore::{Group, Shape, Trace};

/// Under which name the store has them.
pub(crate) const OBJECTS: &str = "objects";

impl StoreWriter {
    /// Notes the objects that a run knows of, if there are more than before.
    pub fn note_objects(&mut self, trace: &Trace) -> Result<(), CampaignError> {
        // Groups are only ever added, so the last choice knows of most.
        let choices = trace.choices.iter().rev();
        let alike = choices.filter_map(|choice| match &choice.shape {
            Shape::Value { alike, .. } => alike.as_deref(),
            _ => None,
        });
        let Some(groups) = alike.map(|alike| alike.groups()).next() else {
            return Ok(());
        };
        if groups.len() <= self.objects {
            return Ok(());
        }
        self.objects = groups.len();
        let list: Vec<(u64, &[u64])> = groups.iter().map(|g| (g.size(), g.firsts())).collect();
        self.set_meta(OBJECTS, &serde_json::json!(list).to_string())
    }
}

impl Replay<'_> {
    /// Groups of objects that could change places, the same in all runs; none if the subject has
    /// no objects as inputs.
    pub fn objects(&self) -> Result<Vec<Group>, CampaignError> {
        let Some(text) = self.meta(OBJECTS)? else {
            return Ok(Vec::new());
        };
        let list: Vec<(u64, Vec<u64>)> =
            serde_json::from_str(&text).map_err(|error| self.damaged(error))?;
        let group = |(size, firsts): (u64, Vec<u64>)| Group::new(firsts.into(), size);
        Ok(list.into_iter().map(group).collect())
    }
}
