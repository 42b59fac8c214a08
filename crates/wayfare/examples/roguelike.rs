//! The turns of a roguelike: one distance field a turn tells every monster its next step.
//!
//! ```text
//! cargo run -p wayfare --example roguelike
//! ```
#![expect(clippy::print_stdout, reason = "an example that prints a map")]

use wayfare::prelude::*;
use wayfare::search::Query;
use wayfare::search::{FieldQuery, distance_field};

const DUNGEON: [&str; 9] = [
    "##############################",
    "#.......#..........#.........#",
    "#.......#..........#.........#",
    "#..................#.........#",
    "#.......#..........#.........#",
    "####.####......#####.........#",
    "#......................#.....#",
    "#......................#.....#",
    "##############################",
];

/// The map with the stairs, the monsters and the hero on it.
fn print(grid: &Grid, turn: u32, stairs: Cell, monsters: &[Cell], hero: Cell) {
    println!("turn {turn}");
    let mut rows = DUNGEON.map(|row| row.as_bytes().to_vec());
    let monsters = monsters.iter().map(|&monster| (monster, b'M'));
    for (cell, sign) in [(stairs, b'>')].into_iter().chain(monsters).chain([(hero, b'@')]) {
        let (x, y) = grid.coordinates(cell).into();
        rows[y as usize][x as usize] = sign;
    }
    for row in rows {
        println!("{}", String::from_utf8_lossy(&row));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let grid = Grid::from_rows(&DUNGEON)?;
    let space = grid.space();
    let at = |x, y| grid.cell(x, y).ok_or("off the map");
    let (mut hero, stairs) = (at(10, 1)?, at(28, 7)?);
    let mut monsters = vec![at(1, 1)?, at(6, 1)?, at(1, 7)?, at(2, 7)?];
    let mut solver = Solver::new();

    let mut turn = 0;
    while hero != stairs && !monsters.contains(&hero) {
        if turn % 8 == 0 {
            print(&grid, turn, stairs, &monsters, hero);
        }
        turn += 1;
        // The hero takes one step of a cheapest path, found again each turn in microseconds.
        let answer = solver.solve(&space, &Auto, Query::new(hero, stairs));
        let path = answer.outcome.into_path();
        hero = path.steps.get(1).ok_or("there is no way to the stairs")?.state;
        solver.recycle(path);
        // All monsters share one field: the costs from every cell to the hero. The nearest moves
        // first, and each takes the best neighbouring cell without a monster.
        let field = distance_field(&space, FieldQuery::inward([hero]))?;
        monsters.sort_by_key(|&monster| (field.cost(monster), monster));
        for one in 0..monsters.len() {
            let mut best = (field.cost(monsters[one]), monsters[one]);
            space.successors(monsters[one], |edge| {
                let cost = field.cost(edge.target);
                if cost < best.0 && !monsters.contains(&edge.target) {
                    best = (cost, edge.target);
                }
            });
            monsters[one] = best.1;
        }
    }
    print(&grid, turn, stairs, &monsters, hero);
    println!("{}", if hero == stairs { "The hero escapes." } else { "The hero is caught." });
    assert_eq!(hero, stairs, "the hero has a head start");
    Ok(())
}
