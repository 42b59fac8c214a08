//! Pieces: connected sets of cells, each with a number, kept up to date cell by cell.
//!
//! A cell that joins several pieces gives all of them the number of the largest; the others'
//! cells are renumbered. A cell that is taken away may leave several pieces: floods run from the
//! cells around it in lockstep until one is left, and only what the others reached is renumbered.
//! So every renumbered cell lies in a piece of at most half the size of the whole. Callers learn
//! which cells those are. The idea of the lockstep is that of S. Even, Y. Shiloach, "An on-line
//! edge-deletion problem", 1981.

/// The numbers of all cells: of rooms, gateways and obstacles, told apart by their highest bits.
pub(super) type Numbers = [u32];

/// The cells that are connected with a cell.
pub(super) trait Links {
    /// Visits them; one may be visited twice.
    fn visit(&self, numbers: &Numbers, cell: u32, visit: impl FnMut(u32));
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
    pub(super) cells: Vec<u32>,
}

/// A flood from one seed. Its cells bear its number; those from `next` on are to be looked around.
struct Flood {
    number: u32,
    cells: Vec<u32>,
    next: usize,
    /// The flood that it has met, or itself.
    met: usize,
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
        renumbered: &mut Vec<u32>,
    ) {
        let Some(&seed) = seeds.first() else { return };
        let from = numbers[seed as usize];
        let mut next = renumbered.len();
        for &seed in seeds {
            if numbers[seed as usize] == from {
                numbers[seed as usize] = into;
                renumbered.push(seed);
            }
        }
        let mut beside = Vec::with_capacity(8);
        while let Some(&cell) = renumbered.get(next) {
            next += 1;
            links.visit(numbers, cell, |other| beside.push(other));
            for other in beside.drain(..) {
                if numbers[other as usize] == from {
                    numbers[other as usize] = into;
                    renumbered.push(other);
                }
            }
        }
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
        for &seed in seeds {
            if numbers[seed as usize] == former {
                let number = self.add();
                numbers[seed as usize] = number;
                let met = floods.len();
                floods.push(Flood { number, cells: vec![seed], next: 0, met });
            }
        }
        let mut beside = Vec::with_capacity(8);
        // Floods, those met together counted once, that have more to look around.
        while running(&floods) > 1 {
            for turn in 0..floods.len() {
                let Some(&cell) = floods[turn].cells.get(floods[turn].next) else { continue };
                floods[turn].next += 1;
                links.visit(numbers, cell, |other| beside.push(other));
                for other in beside.drain(..) {
                    let number = numbers[other as usize];
                    if number == former {
                        numbers[other as usize] = floods[turn].number;
                        floods[turn].cells.push(other);
                    } else if number != floods[turn].number
                        && let Some(met) = floods.iter().position(|flood| flood.number == number)
                    {
                        meet(&mut floods, turn, met);
                    }
                }
            }
        }
        self.settle(numbers, former, floods)
    }

    /// Gives the cells of the largest or unfinished flood their number back.
    fn settle(&mut self, numbers: &mut Numbers, former: u32, floods: Vec<Flood>) -> Vec<Fallen> {
        let weight = |of: usize| {
            let met = || floods.iter().filter(|flood| flood.met == of);
            let cells: usize = met().map(|flood| flood.cells.len()).sum();
            (met().any(Flood::is_running), cells)
        };
        let roots = (0..floods.len()).filter(|&flood| floods[flood].met == flood);
        let stays = roots.max_by_key(|&flood| weight(flood));
        let mut fallen: Vec<(usize, Fallen)> = Vec::new();
        for Flood { number, cells, met, .. } in floods {
            let into = if Some(met) == stays {
                former
            } else if let Some((_, piece)) = fallen.iter_mut().find(|(of, _)| *of == met) {
                piece.cells.extend(&cells);
                piece.number
            } else {
                fallen.push((met, Fallen { number, cells }));
                continue;
            };
            cells.iter().for_each(|&cell| numbers[cell as usize] = into);
            self.unused.push(number);
        }
        for (_, Fallen { number, cells }) in &fallen {
            self.grow(*number, cells.len() as u32);
            self.shrink(former, cells.len() as u32);
        }
        fallen.into_iter().map(|(_, piece)| piece).collect()
    }

    pub(super) fn size_in_bytes(&self) -> usize {
        size_of_val(&self.cells[..]) + size_of_val(&self.unused[..])
    }
}

impl Flood {
    fn is_running(&self) -> bool {
        self.next < self.cells.len()
    }
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
