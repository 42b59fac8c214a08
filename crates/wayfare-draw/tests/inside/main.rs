//! Private parts of the crate, and pictures pixel by pixel.

mod badge;
mod chart;
mod colour;
mod facets;
mod legend;
mod palette;
mod panel;
mod plot;
mod raster;
mod ray;
mod stage;
mod svg;
mod terminal;
mod text;
mod theme;
mod waypoints;
mod world;
