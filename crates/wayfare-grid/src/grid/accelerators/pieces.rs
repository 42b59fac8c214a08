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

/// The numbers of all cells: of rooms, gateways and obstacles, told apart by their highest bits.
pub(super) type Numbers = [u32];

/// Cells of one number in a line: the first and the last.
pub(super) type Stretch = [u32; 2];

/// The cells that are connected with a cell.
pub(super) trait Links {
    /// Visits them; one may be visited twice.
    fn visit(&self, numbers: &Numbers, cell: u32, visit: impl FnMut(u32));

    /// Returns the place from which a flood goes on at a cell.
    fn place(&self, cell: u32) -> u32;

    /// Gives the stretch around a place, whose cells bear the number `former`, the number of a
    /// flood. Notes where the flood goes on, and what it came to.
    fn spread(&self, numbers: &mut Numbers, flood: &mut Flood, former: u32, place: u32);

    /// Gives the cells of a stretch a number.
    fn fill(&self, numbers: &mut Numbers, stretch: Stretch, number: u32);

    /// Returns the cell at a place.
    fn cell(&self, place: u32) -> u32;
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
#[derive(Clone, Default, Debug)]
pub(super) struct Flood {
    /// The number that its cells get.
    pub(super) number: u32,
    stretches: Vec<Stretch>,
    cells: u32,
    /// Places to go on from: untouched, or of a flood by now.
    pub(super) next: Vec<u32>,
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

    /// Takes the stretch around the next place, if that is untouched.
    fn step(&mut self, numbers: &mut Numbers, links: &impl Links, former: u32) {
        let Some(place) = self.next.pop() else { return };
        let number = numbers[links.cell(place) as usize];
        if number == former {
            links.spread(numbers, self, former, place);
        } else {
            self.come_beside(number);
        }
    }

    /// Adds a stretch of a number of cells.
    pub(super) fn take(&mut self, stretch: Stretch, cells: u32) {
        self.stretches.push(stretch);
        self.cells += cells;
    }

    /// Notes a number of the same kind, which may be that of another flood.
    #[inline]
    pub(super) fn come_beside(&mut self, number: u32) {
        if number != self.number {
            self.beside.push(number);
        }
    }

    /// Notes a bridge. Returns whether it is none of those noted last.
    #[inline]
    pub(super) fn is_new_bridge(&mut self, bridge: u32) -> bool {
        let is_new = !self.bridges.iter().rev().take(Self::RECENT).any(|&recent| recent == bridge);
        if is_new {
            self.bridges.push(bridge);
        }
        is_new
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
        let next = seeds.iter().map(|&seed| links.place(seed)).collect();
        let mut flood = Flood { number: into, stretches, next, ..Flood::default() };
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
            let mut next = Vec::with_capacity(8);
            next.push(links.place(seed));
            floods.push(Flood { number, next, met, ..Flood::default() });
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
        self.settle(numbers, links, former, floods)
    }

    /// Gives the cells of the largest or unfinished flood their number back.
    fn settle(
        &mut self,
        numbers: &mut Numbers,
        links: &impl Links,
        former: u32,
        floods: Vec<Flood>,
    ) -> Vec<Fallen> {
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
            for &stretch in &stretches {
                links.fill(numbers, stretch, into);
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
pub(super) fn alike(cells: &[u32], number: u32) -> usize {
    let (blocks, _) = cells.as_chunks::<BLOCK>();
    let whole = blocks.iter().take_while(|block| is_all(block, number)).count();
    let rest = &cells[BLOCK * whole..];
    BLOCK * whole + rest.iter().take_while(|&&cell| cell == number).count()
}

/// Returns how many cells up to the last bear a number.
#[inline]
pub(super) fn alike_before(cells: &[u32], number: u32) -> usize {
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
