//! Groups: squares of sectors on large maps, with the costs between the transitions out of them.
//!
//! A search over transitions crosses a group in one move, unless the start or the goal lies in it.
//! Then a sixth of the transitions are states.
//!
//! # Costs in 16 bits
//!
//! The costs of a group are rounded up to 12 significant bits, so that they exceed the true ones by
//! at most `1 / 2048`. A route through groups costs at most what its moves sum to.
//!
//! Source: the levels of cliques: D. Delling, A. V. Goldberg, T. Pajor, R. F. Werneck,
//! "Customizable route planning", 2011.

use std::ops::Range;

use wayfare_core::space::Cost;
use wayfare_grid::grid::{Cell, GridSpace};

use super::build::{Crossing, Sector};
use super::elimination::{CostTable, FAR};
use super::sectors::{STEPS, Sectors, is_diagonal};

/// The sectors in a row and in a column of a group.
const SIDE: u32 = 5;
/// The fewest sectors of a map with groups. Smaller maps are searched as fast without.
pub(super) const FEWEST_SECTORS: u32 = 2_048;
/// The most transitions of a group that is crossed in one move. To measure more takes too long.
const MOST_TRANSITIONS: usize = 800;
/// More than the exits of a group: a power of two.
pub(super) const MOST_EXITS: usize = 1_024;

/// The sectors of a group, or a part of them.
#[derive(Clone, Debug)]
pub(super) struct Area {
    columns: Range<u32>,
    rows: Range<u32>,
}

impl Area {
    fn sectors(&self, layout: &Sectors) -> impl Iterator<Item = u32> {
        let (columns, across) = (self.columns.clone(), layout.across);
        self.rows.clone().flat_map(move |row| columns.clone().map(move |at| row * across + at))
    }

    fn contains(&self, layout: &Sectors, sector: u32) -> bool {
        self.columns.contains(&(sector % layout.across))
            && self.rows.contains(&(sector / layout.across))
    }

    /// Returns two halves; `None` of a single sector.
    fn halves(&self) -> Option<[Self; 2]> {
        let halve = |range: &Range<u32>| {
            let middle = range.start + range.len() as u32 / 2;
            [range.start..middle, middle..range.end]
        };
        let (columns, rows) = (&self.columns, &self.rows);
        if rows.len().max(columns.len()) == 1 {
            return None;
        }
        Some(if rows.len() >= columns.len() {
            halve(rows).map(|rows| Self { columns: columns.clone(), rows })
        } else {
            halve(columns).map(|columns| Self { columns, rows: rows.clone() })
        })
    }
}

impl Sectors {
    /// Returns the number of groups.
    pub(super) fn groups(&self) -> u32 {
        self.across.div_ceil(SIDE) * self.down.div_ceil(SIDE)
    }

    /// Returns the group of a sector.
    #[inline]
    pub(super) fn group_of(&self, sector: u32) -> u32 {
        let (column, row) = (sector % self.across, sector / self.across);
        row / SIDE * self.across.div_ceil(SIDE) + column / SIDE
    }

    /// Returns whether groups meet between the cells of a column or row and those before it.
    pub(super) fn is_between_groups(&self, at: u32) -> bool {
        self.is_grouped && at.is_multiple_of(self.side * SIDE)
    }

    /// Visits a group and those around it.
    pub(super) fn groups_beside(&self, group: u32, mut visit: impl FnMut(u32)) {
        let (across, down) = (self.across.div_ceil(SIDE), self.down.div_ceil(SIDE));
        let around = |at: u32, bound: u32| at.saturating_sub(1)..(at + 2).min(bound);
        for row in around(group / across, down) {
            for column in around(group % across, across) {
                visit(row * across + column);
            }
        }
    }

    /// Returns the sectors of a group.
    pub(super) fn area(&self, group: u32) -> Area {
        let across = self.across.div_ceil(SIDE);
        let (x, y) = (group % across * SIDE, group / across * SIDE);
        Area { columns: x..(x + SIDE).min(self.across), rows: y..(y + SIDE).min(self.down) }
    }
}

/// A cost, rounded up to 12 significant bits; or none.
///
/// These are the upper bits of a number of 32 bits in floating point, so that compilers use vector
/// instructions to read several. The exponent of zero is that of 1 / 2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rounded(u16);

/// The bits of the digits but the first, which is 1. Above them are those of the exponent.
const DIGITS: u32 = 11;
/// The bits of a number in floating point that are not kept.
const DROPPED: u32 = f32::MANTISSA_DIGITS - 1 - DIGITS;
/// The bits of 1 / 2.
const LEAST: u32 = 0.5f32.to_bits();

impl Rounded {
    pub(super) const NONE: Self = Self(u16::MAX);

    /// Returns a cost of 0 or more. None from [`FAR`] on.
    #[doc(hidden)]
    #[must_use]
    pub fn new(cost: i32) -> Self {
        if cost >= FAR {
            return Self::NONE;
        }
        // Conversions to fewer digits may round down, so it is rounded up before.
        let digits = 1 << (u32::BITS - cost.leading_zeros()).saturating_sub(DIGITS + 1);
        let cost = (cost as u32).next_multiple_of(digits);
        Self((((cost as f32).to_bits().max(LEAST) - LEAST) >> DROPPED) as u16)
    }

    /// Returns the cost; infinity if there is none.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn get<C: Cost>(self) -> C {
        if self == Self::NONE { C::INFINITY } else { C::from_u64(self.to_f32() as u64) }
    }

    /// Returns the cost, or 1 / 2 for zero; without one, more than [`FAR`].
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn to_f32(self) -> f32 {
        f32::from_bits((u32::from(self.0) << DROPPED) + LEAST)
    }
}

/// The transitions out of a group, and the costs between them.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Group {
    /// In order of sectors and rows.
    pub(super) exits: Vec<Exit>,
    /// The links of each exit in order; none if a group beyond is not crossed in one move.
    links: Vec<ExitLink>,
    /// The cost from each exit to each, within the group, row by row.
    costs: Vec<Rounded>,
    /// At least the rounding of two paths. See "Moves across groups" in `plan.rs`.
    pub(super) margin: u32,
}

/// A transition out of a group.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Exit {
    pub(super) cell: Cell,
    pub(super) sector: u32,
    pub(super) row: u16,
    /// The number of its first link.
    first_link: u16,
}

/// An exit of another group, beyond an exit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct ExitLink {
    pub(super) group: u32,
    pub(super) place: u16,
    /// Whether the exit beyond has no other crossing.
    pub(super) is_only: bool,
    cost: u32,
}

impl ExitLink {
    /// Returns the cost of the move across the border.
    #[inline]
    pub(super) fn cost<C: Cost>(&self) -> C {
        C::from_u64(self.cost.into())
    }

    /// Returns the exit beyond a crossing; `None` if its group is not crossed in one move.
    fn new<C: Cost>(
        map: Map<'_, '_, C>,
        groups: &[Option<Group>],
        from: Place,
        Crossing { direction, link }: Crossing,
    ) -> Option<Self> {
        let (sector, row) = (link.sector, link.row()?);
        let group = map.layout.group_of(sector);
        let place = groups[group as usize].as_ref()?.place(sector, row)? as u16;
        let beyond = &map.sectors[sector as usize].transitions[row];
        let cost = map.cost_across(from, direction).to_u64() as u32;
        Some(Self { group, place, is_only: beyond.crossings.is_power_of_two(), cost })
    }
}

/// Finds the exits beyond those of a group.
pub(super) fn link<C: Cost>(map: Map<'_, '_, C>, groups: &mut [Option<Group>], number: u32) {
    let Some(mut group) = groups[number as usize].take() else { return };
    let area = map.layout.area(number);
    group.links.clear();
    for exit in &mut group.exits {
        exit.first_link = group.links.len() as u16;
        let at = Place { sector: exit.sector, row: exit.row };
        let outwards = || map.crossings(at).filter(|it| !area.contains(map.layout, it.link.sector));
        let links = outwards().filter_map(|crossing| ExitLink::new(map, groups, at, crossing));
        group.links.extend(links);
        if group.links.len() - usize::from(exit.first_link) < outwards().count() {
            group.links.truncate(exit.first_link.into());
        }
    }
    group.links.shrink_to_fit();
    groups[number as usize] = Some(group);
}

impl Group {
    /// Returns the place of a transition among the exits.
    #[inline]
    pub(super) fn place(&self, sector: u32, row: usize) -> Option<usize> {
        let key = (sector, row as u16);
        self.exits.binary_search_by_key(&key, |exit| (exit.sector, exit.row)).ok()
    }

    /// Returns the links of an exit; none if a group beyond is not crossed in one move.
    #[inline]
    pub(super) fn links_of(&self, place: usize) -> &[ExitLink] {
        let first = |place: usize| self.exits.get(place).map(|exit| usize::from(exit.first_link));
        let end = first(place + 1).unwrap_or(self.links.len());
        first(place).and_then(|first| self.links.get(first..end)).unwrap_or(&[])
    }

    /// Returns the costs from an exit to all exits.
    #[inline]
    pub(super) fn costs_of(&self, from: usize) -> &[Rounded] {
        let count = self.exits.len();
        self.costs.get(from * count..(from + 1) * count).unwrap_or(&[])
    }

    /// Returns the cost from an exit to another.
    pub(super) fn cost<C: Cost>(&self, from: usize, to: usize) -> Option<C> {
        self.costs.get(from * self.exits.len() + to).map(|cost| cost.get())
    }

    /// Returns whether two groups have the same exits.
    fn has_exits_of(&self, other: &Self) -> bool {
        let is_same =
            |(one, other): (&Exit, &Exit)| (one.sector, one.row) == (other.sector, other.row);
        self.exits.len() == other.exits.len() && self.exits.iter().zip(&other.exits).all(is_same)
    }

    /// Returns whether an exit may get a priority beyond the range of costs, if the group is
    /// entered at that priority.
    pub(super) fn may_overflow<C: Cost>(&self, priority: u64) -> bool {
        // An estimate grows by at most the cost of a path, so a priority by less than thrice that.
        let most = u64::from(self.margin) << (DIGITS - 1);
        priority + 3 * most >= C::INFINITY.to_u64()
    }

    pub(super) fn bytes(&self) -> usize {
        self.exits.capacity() * size_of::<Exit>()
            + self.links.capacity() * size_of::<ExitLink>()
            + self.costs.capacity() * size_of::<Rounded>()
    }
}

/// Some transitions of a group, and the costs between them, row by row.
#[derive(Clone, Debug, Default)]
struct Clique {
    nodes: Vec<u16>,
    costs: Vec<i32>,
}

/// A transition of a group.
#[derive(Clone, Copy, Debug)]
struct Place {
    sector: u32,
    row: u16,
}

/// The columns and rows of sectors that the crossings of a transition lead to.
#[derive(Clone, Copy, Debug)]
struct Span {
    first: (u32, u32),
    last: (u32, u32),
}

impl Span {
    const NONE: Self = Self { first: (u32::MAX, u32::MAX), last: (0, 0) };

    fn include(&mut self, (column, row): (u32, u32)) {
        self.first = (self.first.0.min(column), self.first.1.min(row));
        self.last = (self.last.0.max(column), self.last.1.max(row));
    }

    /// Returns whether a rectangle around the span meets an area.
    fn meets(&self, area: &Area) -> bool {
        self.first.0 < area.columns.end
            && self.first.1 < area.rows.end
            && self.last.0 >= area.columns.start
            && self.last.1 >= area.rows.start
    }

    /// Returns whether some sector of the span lies outside an area.
    fn leaves(&self, area: &Area) -> bool {
        self.first.0 < area.columns.start
            || self.first.1 < area.rows.start
            || self.last.0 >= area.columns.end
            || self.last.1 >= area.rows.end
    }
}

/// The working memory of measuring groups.
#[derive(Clone, Debug, Default)]
pub(super) struct Grouping {
    /// The transitions of the group by number: sector by sector, row by row.
    places: Vec<Place>,
    /// The span of each transition.
    spans: Vec<Span>,
    /// The sectors, with the number of the first transition of each.
    firsts: Vec<(u32, u16)>,
    /// The row in the table of each transition.
    rows: Vec<u16>,
    table: CostTable,
}

/// A map's sectors and their links.
#[derive(Clone, Copy)]
pub(super) struct Map<'a, 'g, C> {
    pub(super) space: &'a GridSpace<'g, C>,
    pub(super) layout: &'a Sectors,
    pub(super) sectors: &'a [Sector<C>],
}

impl<'a, C: Cost> Map<'a, '_, C> {
    fn crossings(self, at: Place) -> impl Iterator<Item = Crossing> + use<'a, C> {
        let sector = &self.sectors[at.sector as usize];
        sector.crossings(&sector.transitions[usize::from(at.row)])
    }

    /// Returns the cost of a crossing from a transition.
    fn cost_across(self, from: Place, direction: u8) -> C {
        let cell = self.sectors[from.sector as usize].transitions[usize::from(from.row)].cell;
        let (dx, dy) = STEPS[usize::from(direction & 7)];
        let (x, y) = self.space.layout().coordinates(cell);
        let cell = self.space.layout().cell(x.wrapping_add_signed(dx), y.wrapping_add_signed(dy));
        self.space.step_cost(cell, is_diagonal(direction))
    }
}

impl Grouping {
    /// Measures a group; `None` if it has too many transitions, or may have too expensive paths.
    ///
    /// Sectors are joined two by two: in each step the transitions between the halves are
    /// eliminated.
    pub(super) fn measure<C: Cost>(&mut self, map: Map<'_, '_, C>, group: u32) -> Option<Group> {
        let area = map.layout.area(group);
        if !self.load(map, &area) {
            return None;
        }
        let Clique { nodes, costs } = self.clique(map, &area);
        let count = nodes.len();
        self.table.clear(count, map.space.is_uniform());
        self.enter_all(&Clique { nodes: (0..count as u16).collect(), costs }, |node| node);
        self.table.close();
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_unstable_by_key(|&row| nodes[row]);
        let exit = |&row: &usize| {
            let Place { sector, row } = self.places[usize::from(nodes[row])];
            let cell = map.sectors[sector as usize].transitions[usize::from(row)].cell;
            Exit { cell, sector, row, first_link: 0 }
        };
        let exits = order.iter().map(exit).collect();
        let mut rounded = Vec::with_capacity(count * count);
        let mut most = 0;
        for &from in &order {
            let row = self.table.row(from);
            rounded.extend(order.iter().map(|&to| Rounded::new(row[to])));
            most = row.iter().copied().filter(|&cost| cost < FAR).fold(most, i32::max);
        }
        let margin = (most as u32).div_ceil(1 << DIGITS) * 2;
        Some(Group { exits, links: Vec::new(), costs: rounded, margin })
    }

    /// Numbers the transitions. Returns whether a table can contain their costs.
    fn load<C: Cost>(&mut self, map: Map<'_, '_, C>, area: &Area) -> bool {
        let Self { places, spans, firsts, rows, .. } = self;
        places.clear();
        spans.clear();
        firsts.clear();
        let (mut most, across) = (0, map.layout.across);
        for number in area.sectors(map.layout) {
            let sector = &map.sectors[number as usize];
            firsts.push((number, places.len() as u16));
            for row in 0..sector.transitions.len() {
                let place = Place { sector: number, row: row as u16 };
                places.push(place);
                for &cost in sector.costs_of(row).iter().filter(|&&cost| cost < C::INFINITY) {
                    most = most.max(cost.to_u64());
                }
                let mut span = Span::NONE;
                for Crossing { direction, link } in map.crossings(place) {
                    span.include((link.sector % across, link.sector / across));
                    let cost = Some(map.cost_across(place, direction));
                    let cost = cost.filter(|&cost| cost < C::INFINITY);
                    most = most.max(cost.map_or(0, C::to_u64));
                }
                spans.push(span);
            }
            if places.len() > MOST_TRANSITIONS {
                return false;
            }
        }
        rows.clear();
        rows.resize(places.len(), 0);
        // A cheapest path visits each transition at most once, by moves within and across.
        most * 2 * (places.len() as u64) < FAR as u64
    }

    /// Returns the number of a transition in a row of a sector of the group.
    fn number(&self, sector: u32, row: usize) -> Option<u16> {
        let place = self.firsts.binary_search_by_key(&sector, |&(sector, _)| sector).ok()?;
        Some(self.firsts[place].1 + row as u16)
    }

    /// Returns the costs between the transitions out of an area.
    fn clique<C: Cost>(&mut self, map: Map<'_, '_, C>, area: &Area) -> Clique {
        let Some(halves) = area.halves() else { return self.sector(map, area) };
        let cliques = halves.each_ref().map(|half| self.clique(map, half));
        let all = || cliques.iter().flat_map(|clique| clique.nodes.iter().copied());
        let leaves = |node: &u16| self.spans[usize::from(*node)].leaves(area);
        let mut nodes: Vec<u16> = all().filter(leaves).collect();
        let kept = nodes.len();
        nodes.extend(all().filter(|node| !leaves(node)));
        for (row, &node) in (0..).zip(&nodes) {
            self.rows[usize::from(node)] = row;
        }
        self.table.clear(nodes.len(), map.space.is_uniform());
        let rows = std::mem::take(&mut self.rows);
        cliques.iter().for_each(|clique| self.enter_all(clique, |node| rows[usize::from(node)]));
        self.rows = rows;
        for (clique, other) in cliques.iter().zip([&halves[1], &halves[0]]) {
            clique.nodes.iter().for_each(|&node| self.offer_across(map, node, other));
        }
        self.table.keep(kept);
        nodes.truncate(kept);
        let costs = (0..kept).flat_map(|row| self.table.row(row).iter().copied()).collect();
        Clique { nodes, costs }
    }

    /// Returns the costs between the transitions of a single sector.
    fn sector<C: Cost>(&self, map: Map<'_, '_, C>, area: &Area) -> Clique {
        let mut clique = Clique::default();
        for number in area.sectors(map.layout) {
            let sector = &map.sectors[number as usize];
            for row in 0..sector.transitions.len() {
                clique.nodes.extend(self.number(number, row));
                let costs = sector.costs_of(row).iter();
                clique.costs.extend(
                    costs.map(|&cost| if cost < C::INFINITY { cost.to_u64() as i32 } else { FAR }),
                );
            }
        }
        clique
    }

    /// Enters the costs of a clique.
    fn enter_all(&mut self, clique: &Clique, row_of: impl Fn(u16) -> u16) {
        let count = clique.nodes.len().max(1);
        let rows: Vec<usize> = clique.nodes.iter().map(|&node| row_of(node).into()).collect();
        for (&from, costs) in rows.iter().zip(clique.costs.chunks_exact(count)) {
            let known = self.table.row_mut(from);
            rows.iter().zip(costs).for_each(|(&to, &cost)| known[to] = cost);
        }
    }

    /// Offers the crossings from a transition into an area.
    fn offer_across<C: Cost>(&mut self, map: Map<'_, '_, C>, node: u16, into: &Area) {
        if !self.spans[usize::from(node)].meets(into) {
            return;
        }
        let from = self.places[usize::from(node)];
        for Crossing { direction, link } in map.crossings(from) {
            let is_between = into.contains(map.layout, link.sector);
            let beyond = link.row().filter(|_| is_between);
            let Some(to) = beyond.and_then(|row| self.number(link.sector, row)) else { continue };
            let cost = map.cost_across(from, direction);
            let cost = if cost < C::INFINITY { cost.to_u64() as i32 } else { FAR };
            let row = |node: u16| self.rows[usize::from(node)].into();
            let (from, to) = (row(node), row(to));
            self.table.offer(from, to, cost);
        }
    }
}

/// Whether the groups around one must be linked again after it was measured: their pairs name
/// places among its exits.
pub(super) fn moved_exits(before: Option<&Group>, now: Option<&Group>) -> bool {
    match (before, now) {
        (Some(before), Some(now)) => !before.has_exits_of(now),
        (before, now) => before.is_some() || now.is_some(),
    }
}
