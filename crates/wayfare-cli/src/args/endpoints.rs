//! Where a route begins and ends.

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct EndpointArgs {
    /// The keys that the agent holds, separated by commas, for locked links of a scene
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Route")]
    pub(crate) keys: Vec<String>,

    /// The start: a cell (column and row from 0, top left), a block (x, height, z), a waypoint's
    /// name, or a point in metres [default: the world's own start, else a far corner of its largest
    /// region]
    #[arg(long, value_name = "X,Y|NAME", allow_hyphen_values = true, help_heading = "Route")]
    pub(crate) from: Option<String>,

    /// The goal, in the same form
    #[arg(long, value_name = "X,Y|NAME", allow_hyphen_values = true, help_heading = "Route")]
    pub(crate) to: Option<String>,

    /// A route that the world names [default: the first]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["from", "to"], help_heading = "Route")]
    pub(crate) query: Option<String>,
}
