//! Doors and keys: links between two rooms, as agents with and without a key see them.
//!
//! ```text
//! cargo run -p wayfare --example doors
//! ```
#![expect(clippy::print_stdout, reason = "an example that prints routes")]

use wayfare::link::{Gate, LinkId, LinkKind};
use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare::space::Action;

const HOUSE: [&str; 5] = [
    ".........#.........",
    ".........#.........",
    ".........#.........",
    "...................", // the long way round is open
    ".........#.........",
];

/// A route from one room to the other: its cost in cells, and the links that it goes through.
type Route = (f64, Vec<LinkId>);

/// The route of an agent that holds those keys.
fn route(grid: &Grid, links: &NavLinks<Cell>, keys: Keys) -> Result<Route, String> {
    let (Some(start), Some(goal)) = (grid.cell(7, 0), grid.cell(11, 0)) else {
        return Err("off the map".into());
    };
    // A space with links laid over it is a space: every search goes through them.
    let space = links.over(grid.space(), keys);
    match solve(&space, &AStar::new(), Query::new(start, goal)).outcome {
        Outcome::Found(path) => {
            let links = path.steps.iter().filter_map(|step| match step.action {
                Action::Link(number) => Some(LinkId(number)),
                _ => None,
            });
            Ok((path.cost_in_units(&space), links.collect()))
        }
        other => Err(other.to_string()),
    }
}

fn print(situation: &str, (cost, links): &Route) {
    println!("{situation:<34} {cost:5.2} cells, links {links:?}");
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_rows(&HOUSE)?;
    let cell = |x, y| grid.cell(x, y).ok_or("off the map");
    let brass = Keys(1);

    // A link takes time. The reference speed, 1 m/s here, turns 2 s into the cost of 2 cells.
    let mut links = NavLinks::new(1.0);
    let door = NavLink::new(cell(8, 0)?, cell(10, 0)?, Crossing::Seconds(2.0));
    let door = links.add(&grid.space(), door.kind(LinkKind::Door).locked(brass))?;

    let with_key = route(&grid, &links, brass)?;
    let without = route(&grid, &links, Keys::NONE)?;
    print("with the key", &with_key);
    print("without the key", &without);
    assert_eq!(with_key, (4.0, vec![door]));
    assert!(without.0 > with_key.0 && without.1.is_empty());

    links.post_wait(door, 60.0); // a queue at the door: one minute
    let queue = route(&grid, &links, brass)?;
    print("with the key, a queue at the door", &queue);
    assert_eq!(queue, without);

    links.post_wait(door, 0.0);
    links.set_gate(door, Gate::Open); // changes the links, not the grid
    let open = route(&grid, &links, Keys::NONE)?;
    print("without the key, the door open", &open);
    assert_eq!(open, with_key);
    Ok(())
}
