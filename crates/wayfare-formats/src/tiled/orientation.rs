//! How the tiles of a map lie beside each other, and what space that is.

use wayfare::space::{NegativeCosts, TerrainId};

use crate::error::{WorldError, WorldErrorKind};
use crate::limits::MAX_SCENE_ITEMS;
use crate::scene::{CostRules, QueryPlace, Scene, SceneLink, SceneQuery, SceneWaypoint};
use crate::tile_map::{TileMap, TilePosition};

/// Every second row or column is moved by half a tile.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stagger {
    /// Whether rows are moved, along x; otherwise columns, along y.
    rows: bool,
    /// Whether it is those of odd number.
    odd: bool,
}

/// The layout of a map's tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Orientation {
    #[default]
    Orthogonal,
    /// Drawn at an angle; each tile has the neighbours that it has in an orthogonal map.
    Isometric,
    /// Isometric, with a rectangle cut out of the plane.
    Staggered(Stagger),
    /// Six neighbours.
    Hexagonal(Stagger),
}

impl Orientation {
    pub(super) fn from_names(name: &str, axis: &str, index: &str) -> Result<Self, WorldError> {
        let stagger = Stagger { rows: axis != "x", odd: index != "even" };
        Ok(match name {
            "orthogonal" => Self::Orthogonal,
            "isometric" => Self::Isometric,
            "staggered" => Self::Staggered(stagger),
            "hexagonal" => Self::Hexagonal(stagger),
            _ => {
                let message = format!("the orientation of the map, '{name}', is not known");
                return Err(WorldError::new(WorldErrorKind::Value, message)
                    .advise("orthogonal, isometric, staggered and hexagonal maps are read"));
            }
        })
    }
}

impl Stagger {
    /// 1 for a row or column that is moved, else 0.
    fn of(self, number: i64) -> i64 {
        i64::from((number.rem_euclid(2) == 1) == self.odd)
    }

    /// Where the tile at a column and row lies among diamonds: along the sides of a tile to the
    /// lower right, and to the lower left.
    fn diamond(self, column: i64, row: i64) -> [i64; 2] {
        // In halves of a tile's width and height, with the first moved row or column at a place
        // of its own: right - left is twice the column, right + left the row.
        let (across, down) = if self.rows {
            let shift = self.of(row);
            // Rows of the parity that is moved come with a half: their sum with it is even.
            (2 * column + shift, if self.odd { row } else { row + 1 })
        } else {
            let shift = self.of(column);
            (if self.odd { column } else { column + 1 }, 2 * row + shift)
        };
        [(across + down).div_euclid(2), (down - across).div_euclid(2)]
    }

    /// A staggered map as a map of diamonds, turned by an eighth. What is no part of the rectangle
    /// is of the terrain `outside`. The map begins at column `left` and row `top`.
    pub(super) fn turned(
        self,
        tiles: &[TerrainId],
        width: u32,
        [left, top]: [i64; 2],
        outside: TerrainId,
    ) -> Result<TurnedTiles, WorldError> {
        let place = |number: usize| {
            let (column, row) = (number % width as usize, number / width as usize);
            self.diamond(left + column as i64, top + row as i64)
        };
        let (mut low, mut high) = ([i64::MAX; 2], [i64::MIN; 2]);
        for number in 0..tiles.len() {
            let at = place(number);
            low = [low[0].min(at[0]), low[1].min(at[1])];
            high = [high[0].max(at[0]), high[1].max(at[1])];
        }
        let [width, height] = [0, 1].map(|axis| (high[axis] - low[axis] + 1) as u64);
        // A single row of tiles would span its square.
        let area = width.saturating_mul(height);
        if area > tiles.len() as u64 * 16 + 65536 {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!("turned upright, the staggered map would have {width} × {height} tiles"),
            )
            .advise("use a map that is not so long and narrow"));
        }
        let mut turned = vec![outside; area as usize];
        for (number, tile) in tiles.iter().enumerate() {
            let at = place(number);
            let (x, y) = ((at[0] - low[0]) as usize, (at[1] - low[1]) as usize);
            turned[y * width as usize + x] = *tile;
        }
        // Small enough, as the product is.
        Ok(TurnedTiles { width: width as u32, height: height as u32, tiles: turned })
    }

    /// The hexagons of a map as waypoints, one metre apart, linked to their six neighbours.
    /// The hexagon at column x and row y is the waypoint `x,y`.
    pub(super) fn hexagons(
        self,
        map: &TileMap,
        [left, top]: [i64; 2],
    ) -> Result<Scene, WorldError> {
        if map.tiles().len() > MAX_SCENE_ITEMS {
            return Err(WorldError::new(
                WorldErrorKind::Limit,
                format!(
                    "the map has {} hexagons, but at most {MAX_SCENE_ITEMS} can be waypoints",
                    map.tiles().len()
                ),
            ));
        }
        let mut scene = Scene::new(map.name());
        scene.scene.description = std::iter::once("A map of hexagons.")
            .chain(map.remarks().iter().map(String::as_str))
            .collect::<Vec<_>>()
            .join(" ");
        scene.costs = CostRules { negative_costs: NegativeCosts::Shift, ..CostRules::default() };
        scene.terrains = map.terrains().to_vec();
        let id = |at: [i64; 2]| format!("{},{}", at[0], at[1]);
        let open = |at: [i64; 2]| {
            let [x, y] = at.map(|part| u32::try_from(part).ok());
            map.terrain_at(x?, y?).filter(|terrain| terrain.walkable)
        };
        for (row, line) in (0i64..).zip(map.rows()) {
            for (column, tile) in (0i64..).zip(line) {
                let here = [column, row];
                let shift = if self.rows { self.of(top + row) } else { self.of(left + column) };
                let terrain = map.terrain(*tile);
                scene.waypoints.push(SceneWaypoint {
                    id: id(here),
                    at: self.centre(here, shift),
                    cost: None,
                    terrain: Some(terrain.name.clone()),
                });
                if !terrain.walkable {
                    continue;
                }
                // Three of the six: the other three link to this one.
                let after = if self.rows {
                    [[column + 1, row], [column + shift - 1, row + 1], [column + shift, row + 1]]
                } else {
                    [[column, row + 1], [column + 1, row + shift - 1], [column + 1, row + shift]]
                };
                let joined = after
                    .into_iter()
                    .filter(|next| open(*next).is_some_and(|other| other.medium == terrain.medium));
                scene.links.extend(joined.map(|next| SceneLink {
                    from: id(here),
                    to: id(next),
                    one_way: false,
                    cost: None,
                    danger: 0.0,
                }));
            }
        }
        let marks = map.marks();
        if let (Some(start), Some(goal)) = (marks.start, marks.goal) {
            let end = |at: TilePosition| QueryPlace::Waypoint(format!("{},{}", at.x, at.y));
            let (from, to) = (end(start), end(goal));
            scene.queries.push(SceneQuery { name: "start to goal".to_string(), from, to });
        }
        scene.validate()?;
        Ok(scene)
    }

    fn centre(self, [column, row]: [i64; 2], shift: i64) -> [f32; 3] {
        // The height of a triangle of side 1.
        const APART: f32 = 0.866_025_4;
        let along = |number: i64| number as f32 + shift as f32 / 2.0;
        match self.rows {
            true => [along(column), 0.0, row as f32 * APART],
            false => [column as f32 * APART, 0.0, along(row)],
        }
    }
}

/// A map after [`Stagger::turned`].
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TurnedTiles {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tiles: Vec<TerrainId>,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tiles that touch along a side are neighbours after turning, for all four ways to stagger.
    #[test]
    fn diamonds_keep_their_neighbours() {
        for (rows, odd) in [(true, true), (true, false), (false, true), (false, false)] {
            let stagger = Stagger { rows, odd };
            for column in -3..4i64 {
                for row in -3..4i64 {
                    // In halves of a tile.
                    let middle = |column: i64, row: i64| match rows {
                        true => [2 * column + stagger.of(row), row],
                        false => [column, 2 * row + stagger.of(column)],
                    };
                    let ([x, y], here) = (middle(column, row), stagger.diamond(column, row));
                    for (to_column, to_row) in
                        (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (column + dx, row + dy)))
                    {
                        let [to_x, to_y] = middle(to_column, to_row);
                        let touches = (to_x - x).abs() == 1 && (to_y - y).abs() == 1;
                        let there = stagger.diamond(to_column, to_row);
                        let steps = (there[0] - here[0]).abs() + (there[1] - here[1]).abs();
                        assert_eq!(
                            touches,
                            steps == 1,
                            "{stagger:?} {column},{row} {to_column},{to_row}"
                        );
                    }
                }
            }
        }
    }
}
