//! What can be typed. Nothing here reads a file or runs a search.

mod abilities;
mod bake;
mod bench;
mod cli;
mod danger;
mod endpoints;
mod files;
mod generate;
mod heightmap;
mod hierarchy;
mod index;
mod mapf;
mod movement;
mod names;
mod pictures;
mod replay;
mod search;
mod simulate;
mod stations;
mod studio;

pub(crate) use abilities::AbilityArgs;
pub(crate) use bake::{BakeArgs, StandpointArg};
pub(crate) use bench::BenchArgs;
pub(crate) use cli::{
    BatchArgs, Cli, Command, CompareArgs, CompletionsArgs, ConvertArgs, DemoArgs, InfoArgs,
    ManArgs, SolveArgs, WhyArgs,
};
pub(crate) use danger::DangerArg;
pub(crate) use endpoints::EndpointArgs;
pub(crate) use generate::{GenerateArgs, Timed};
pub(crate) use heightmap::HeightmapArgs;
pub(crate) use hierarchy::HierarchyArgs;
pub(crate) use index::{IndexArgs, IndexBuildArgs, IndexCommand};
pub(crate) use mapf::MapfArgs;
pub(crate) use movement::MovementArgs;
pub(crate) use names::Format;
pub(crate) use pictures::{PictureArgs, ThemeArg, ViewArg};
pub(crate) use replay::ReplayArgs;
pub(crate) use search::{LimitArgs, SearchArgs};
pub(crate) use simulate::SimulateArgs;
pub(crate) use studio::StudioArgs;
