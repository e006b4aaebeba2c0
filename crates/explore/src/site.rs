//! Sites and their sides, as numbers.

/// A place in the subject where choices are made; dense, stable for one build of the subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SiteId(pub u32);

/// One way out of a site, as coverage counts it; dense over all sites.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SideId(pub u32);
