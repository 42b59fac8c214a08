//! Pieces: connected sets of cells, each with a number, kept up to date cell by cell.
//!
//! A cell that joins several pieces gives all of them the number of the largest; the others'
//! cells are renumbered. A cell that is taken away may leave several pieces: floods run from the
//! cells around it, always the smallest next, until one is left, and only what the others reached
//! is renumbered. So a renumbered part has at most half the cells of the whole and one stretch of a
//! row more. Callers learn the renumbered cells.
//!
//! Sources: S. Even, Y. Shiloach, "An on-line edge-deletion problem", 1981, for floods in turns. A.
//! R. Smith, "Tint fill", 1979, for floods by stretches of rows.

use super::rooms::{GATEWAY, OBSTACLE};
use crate::grid::moves::{EAST, NORTH, SOUTH, WEST};

/// The bits of the kind of a number.
const KINDS: u32 = OBSTACLE | GATEWAY;

/// The numbers of all cells: of rooms, gateways and obstacles, told apart by their highest bits.
pub(super) type Numbers = [u32];

/// Cells of one number in a row: the first and the last.
pub(super) type Stretch = [u32; 2];

/// The cells that are connected with a cell.
pub(super) trait Links {
    /// Visits them; one may be visited twice.
    fn visit(&self, numbers: &Numbers, cell: u32, visit: impl FnMut(u32));

    /// Returns the cells from one row to the next, and how far to either side a cell is linked with
    /// those of the next row: 0 or 1.
    fn rows(&self) -> [u32; 2];

    /// Returns the name of what may link cells beside it with each other, if a number is of that.
    /// `bit`: the step to its cell from one of a piece.
    fn bridge(&self, number: u32, bit: usize) -> Option<u32>;

    /// Visits the cells that a bridge links with each other.
    fn visit_across(&self, numbers: &Numbers, bridge: u32, visit: impl FnMut(u32));
}

/// The sizes of pieces of one kind. Its numbers are an index and the bits of the kind.
#[derive(Clone, Debug)]
pub(super) struct Pieces {
    kind: u32,
    cells: Vec<u32>,
    unused: Vec<u32>,
}

/// Cells that fell off a piece.
pub(super) struct Fallen {
    pub(super) number: u32,
    pub(super) stretches: Vec<Stretch>,
    /// The bridges beside them; one may be listed several times.
    pub(super) bridges: Vec<u32>,
}

/// A flood of a piece, a stretch at a time.
#[derive(Default)]
struct Flood {
    /// The number that its cells get.
    number: u32,
    stretches: Vec<Stretch>,
    cells: u32,
    /// Cells to go on from: untouched, or of a flood by now.
    next: Vec<u32>,
    /// The bridges that it came to; one may be listed several times.
    bridges: Vec<u32>,
    /// Other numbers that it came to.
    beside: Vec<u32>,
    /// The flood that it has met, or itself.
    met: usize,
}

impl Flood {
    /// The number of bridges noted last among which a repeated one is noticed.
    const RECENT: usize = 8;

    fn is_running(&self) -> bool {
        !self.next.is_empty()
    }

    /// Takes the stretch around the next cell if it bears the former number, and notes where to go
    /// on.
    fn step(&mut self, numbers: &mut Numbers, links: &impl Links, former: u32) {
        let Some(cell) = self.next.pop() else { return };
        let number = numbers[cell as usize];
        if number != former {
            if number != self.number {
                self.beside.push(number);
            }
            return;
        }
        let first = cell as usize - alike_before(&numbers[..cell as usize], former);
        let last = cell as usize + alike(&numbers[cell as usize + 1..], former);
        numbers[first..=last].fill(self.number);
        self.stretches.push([first as u32, last as u32]);
        self.cells += (last + 1 - first) as u32;
        let [first, last] = [first as i64, last as i64];
        let [stride, reach] = links.rows().map(i64::from);
        let row = |offset: i64| [first + offset - reach, last + offset + reach];
        self.look(numbers, links, former, [first - 1; 2], [WEST; 3]);
        self.look(numbers, links, former, [last + 1; 2], [EAST; 3]);
        self.look(numbers, links, former, row(-stride), [NORTH - 1, NORTH, NORTH + 1]);
        self.look(numbers, links, former, row(stride), [SOUTH - 1, SOUTH, SOUTH + 1]);
    }

    /// Looks at cells of a row beside a stretch, from one to another. `steps`: to the first, to
    /// those between and to the last.
    #[inline(always)]
    fn look(
        &mut self,
        numbers: &Numbers,
        links: &impl Links,
        former: u32,
        [first, last]: [i64; 2],
        steps: [usize; 3],
    ) {
        let (mut at, end) =
            (first.max(0) as usize, (last + 1).clamp(0, numbers.len() as i64) as usize);
        while let Some(&number) = numbers.get(at..end).and_then(<[u32]>::first) {
            if number == former {
                self.next.push(at as u32);
            } else if (number ^ former) & KINDS != 0 {
                let [to_first, between, to_last] = steps;
                let is_wider = links.rows()[1] > 0;
                let bit = match at as i64 {
                    at if is_wider && at == first => to_first,
                    at if is_wider && at == last => to_last,
                    _ => between,
                };
                if let Some(bridge) = links.bridge(number, bit) {
                    self.come_to(numbers, links, former, bridge);
                }
            } else if number != self.number {
                self.beside.push(number);
            }
            at += alike(&numbers[at..end], number);
        }
    }

    fn come_to(&mut self, numbers: &Numbers, links: &impl Links, former: u32, bridge: u32) {
        if self.bridges.iter().rev().take(Self::RECENT).any(|&recent| recent == bridge) {
            return;
        }
        self.bridges.push(bridge);
        links.visit_across(numbers, bridge, |cell| {
            let number = numbers[cell as usize];
            if number == former {
                self.next.push(cell);
            } else if number != self.number {
                self.beside.push(number);
            }
        });
    }
}

impl Pieces {
    pub(super) fn new(kind: u32) -> Self {
        Self { kind, cells: Vec::new(), unused: Vec::new() }
    }

    /// Returns a number of no cells.
    pub(super) fn add(&mut self) -> u32 {
        self.unused.pop().unwrap_or_else(|| {
            self.cells.push(0);
            self.kind | (self.cells.len() - 1) as u32
        })
    }

    #[inline]
    fn index(&self, number: u32) -> usize {
        (number ^ self.kind) as usize
    }

    /// Returns one more than the greatest index.
    pub(super) fn bound(&self) -> usize {
        self.cells.len()
    }

    /// Returns how many cells bear a number.
    pub(super) fn cells(&self, number: u32) -> u32 {
        self.cells[self.index(number)]
    }

    /// Counts cells that were given a number.
    pub(super) fn grow(&mut self, number: u32, cells: u32) {
        let index = self.index(number);
        self.cells[index] += cells;
    }

    /// Counts cells that a number was taken from; the last one frees it.
    pub(super) fn shrink(&mut self, number: u32, cells: u32) {
        let index = self.index(number);
        self.cells[index] -= cells;
        if self.cells[index] == 0 {
            self.unused.push(number);
        }
    }

    /// Gives all cells of the piece of the first seed another number, and adds them to
    /// `renumbered`.
    ///
    /// Cells of the piece may have been linked across others that are new in the piece it becomes
    /// one with. The seeds must include all its cells that are linked with those; others do no
    /// harm.
    pub(super) fn absorb(
        &mut self,
        numbers: &mut Numbers,
        links: &impl Links,
        (seeds, into): (&[u32], u32),
        renumbered: &mut Vec<Stretch>,
    ) {
        let Some(&seed) = seeds.first() else { return };
        let from = numbers[seed as usize];
        let stretches = std::mem::take(renumbered);
        let mut flood = Flood { number: into, stretches, next: seeds.to_vec(), ..Flood::default() };
        while flood.is_running() {
            flood.step(numbers, links, from);
            flood.beside.clear();
        }
        *renumbered = flood.stretches;
        let count = self.cells(from);
        self.grow(into, count);
        self.shrink(from, count);
    }

    /// Gives a cell that is new here the number of the largest piece around it, or one of its own.
    /// Returns the cells of other pieces that it is linked with: these are still to be absorbed.
    pub(super) fn insert(
        &mut self,
        numbers: &mut Numbers,
        links: &impl Links,
        cell: u32,
    ) -> Vec<u32> {
        let mut seeds: Vec<u32> = Vec::with_capacity(8);
        links.visit(numbers, cell, |other| seeds.push(other));
        let largest = seeds.iter().map(|&seed| numbers[seed as usize]);
        let number = largest.max_by_key(|&of| self.cells(of)).unwrap_or_else(|| self.add());
        numbers[cell as usize] = number;
        self.grow(number, 1);
        seeds.retain(|&seed| numbers[seed as usize] != number);
        seeds
    }

    /// Finds out whether cells of one piece are still linked with each other, after cells between
    /// them were taken away. Returns the parts that are not, under new numbers; the one whose flood
    /// was not at its end keeps the former number. O(cells of the others).
    pub(super) fn split(
        &mut self,
        numbers: &mut Numbers,
        links: &impl Links,
        seeds: &[u32],
    ) -> Vec<Fallen> {
        let Some(&first) = seeds.first() else { return Vec::new() };
        let former = numbers[first as usize];
        let mut floods: Vec<Flood> = Vec::with_capacity(seeds.len());
        for &seed in seeds.iter().filter(|&&seed| numbers[seed as usize] == former) {
            let (number, met) = (self.add(), floods.len());
            floods.push(Flood { number, next: vec![seed], met, ..Flood::default() });
        }
        // Floods, those met together counted once, that have more to look at.
        while running(&floods) > 1 {
            let smallest = (0..floods.len()).filter(|&flood| floods[flood].is_running());
            let Some(turn) = smallest.min_by_key(|&flood| floods[flood].cells) else { break };
            floods[turn].step(numbers, links, former);
            while let Some(number) = floods[turn].beside.pop() {
                if let Some(met) = floods.iter().position(|flood| flood.number == number) {
                    meet(&mut floods, turn, met);
                }
            }
        }
        self.settle(numbers, former, floods)
    }

    /// Gives the cells of the largest or unfinished flood their number back.
    fn settle(&mut self, numbers: &mut Numbers, former: u32, floods: Vec<Flood>) -> Vec<Fallen> {
        let weight = |of: usize| {
            let met = || floods.iter().filter(|flood| flood.met == of);
            let cells: u32 = met().map(|flood| flood.cells).sum();
            (met().any(Flood::is_running), cells)
        };
        let roots = (0..floods.len()).filter(|&flood| floods[flood].met == flood);
        let stays = roots.max_by_key(|&flood| weight(flood));
        let mut fallen: Vec<(usize, Fallen)> = Vec::new();
        for Flood { number, stretches, bridges, met, cells, .. } in floods {
            let into = if Some(met) == stays {
                former
            } else if let Some((_, piece)) = fallen.iter_mut().find(|(of, _)| *of == met) {
                self.grow(piece.number, cells);
                piece.stretches.extend(&stretches);
                piece.bridges.extend(&bridges);
                piece.number
            } else {
                self.grow(number, cells);
                fallen.push((met, Fallen { number, stretches, bridges }));
                continue;
            };
            for &[first, last] in &stretches {
                numbers[first as usize..=last as usize].fill(into);
            }
            self.unused.push(number);
        }
        for (_, Fallen { number, .. }) in &fallen {
            self.shrink(former, self.cells(*number));
        }
        fallen.into_iter().map(|(_, piece)| piece).collect()
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        size_of_val(&self.cells[..]) + size_of_val(&self.unused[..])
    }
}

/// Cells that are compared at once.
const BLOCK: usize = 8;

/// Returns how many cells from the first on bear a number.
#[inline]
fn alike(cells: &[u32], number: u32) -> usize {
    let (blocks, _) = cells.as_chunks::<BLOCK>();
    let whole = blocks.iter().take_while(|block| is_all(block, number)).count();
    let rest = &cells[BLOCK * whole..];
    BLOCK * whole + rest.iter().take_while(|&&cell| cell == number).count()
}

/// Returns how many cells up to the last bear a number.
#[inline]
fn alike_before(cells: &[u32], number: u32) -> usize {
    let (_, blocks) = cells.as_rchunks::<BLOCK>();
    let whole = blocks.iter().rev().take_while(|block| is_all(block, number)).count();
    let rest = &cells[..cells.len() - BLOCK * whole];
    BLOCK * whole + rest.iter().rev().take_while(|&&cell| cell == number).count()
}

#[inline(always)]
fn is_all(block: &[u32; BLOCK], number: u32) -> bool {
    block.iter().fold(0, |differs, &cell| differs | (cell ^ number)) == 0
}

fn running(floods: &[Flood]) -> usize {
    let is_running = |&of: &usize| floods.iter().any(|flood| flood.met == of && flood.is_running());
    (0..floods.len()).filter(|&flood| floods[flood].met == flood).filter(is_running).count()
}

/// Notes that two floods met: all that either has met become one.
fn meet(floods: &mut [Flood], one: usize, other: usize) {
    let (one, other) = (floods[one].met, floods[other].met);
    for flood in floods.iter_mut().filter(|flood| flood.met == other) {
        flood.met = one;
    }
}
