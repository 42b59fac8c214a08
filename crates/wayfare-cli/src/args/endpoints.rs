//! Where a route begins and ends.

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct EndpointArgs {
    /// Where the route begins: a cell (column and row from 0, top left), a block (x, height, z), a waypoint's name,
    /// or a point in metres [default:
    /// the world's own start, else a far corner of its largest region]
    #[arg(long, value_name = "X,Y|NAME", allow_hyphen_values = true, help_heading = "Route")]
    pub(crate) from: Option<String>,

    /// Where the route ends, likewise
    #[arg(long, value_name = "X,Y|NAME", allow_hyphen_values = true, help_heading = "Route")]
    pub(crate) to: Option<String>,

    /// One of the routes that the scene itself names [default: the first]
    #[arg(long, value_name = "NAME", conflicts_with_all = ["from", "to"], help_heading = "Route")]
    pub(crate) query: Option<String>,
}
