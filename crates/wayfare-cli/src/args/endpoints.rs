//! Where a route begins and ends.

use clap::Args;

use super::DangerArg;

#[derive(Args, Debug)]
pub(crate) struct EndpointArgs {
    /// The class of a scene that the agent is of: its movement, its costs and its keys
    #[arg(long, value_name = "NAME", help_heading = "Route")]
    pub(crate) class: Option<String>,

    /// The keys that the agent holds, separated by commas, for locked links of a scene [default:
    /// those of its class]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', help_heading = "Route")]
    pub(crate) keys: Vec<String>,

    /// A link of the scene that is full at the moment, by name: nobody can enter it. May be
    /// repeated
    #[arg(long, value_name = "LINK", help_heading = "Route")]
    pub(crate) full: Vec<String>,

    /// Danger that the agent knows of: a place, or the box between two places, and what each state
    /// there costs more to enter, in units of length: `2,1..5,4=10`. May be repeated; pictures show
    /// it as heat
    #[arg(long, value_name = "PLACE[..PLACE]=COST", value_parser = DangerArg::read)]
    #[arg(allow_hyphen_values = true, help_heading = "Route")]
    pub(crate) danger: Vec<DangerArg>,

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
