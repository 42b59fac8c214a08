//! Links between cells of an obstacle: where they touch, at corners too unless moves cut corners.

use super::islands::rings_within_reach;
use super::pieces::{Flood, Links, Numbers, Stretch, alike, alike_before};
use super::rooms::{NONE, OBSTACLE};
use super::runs::reach;
use super::signs::Signed;
use crate::grid::moves::SOUTH;

/// How cells of obstacles touch.
pub(super) struct Touching {
    offsets: [i32; 8],
    /// Which of the eight cells around one touch it.
    around: u8,
}

/// The straight steps, as bits.
pub(super) const STRAIGHT_STEPS: u8 = 0b0101_1010;

/// Returns the steps whose bits are set, with those bits' places.
#[inline(always)]
pub(super) fn steps(offsets: &[i32; 8], mut around: u8) -> impl Iterator<Item = (usize, i32)> {
    std::iter::from_fn(move || {
        let bit = around.trailing_zeros() as usize;
        around &= around.wrapping_sub(1);
        offsets.get(bit).map(|&offset| (bit, offset))
    })
}

impl Touching {
    pub(super) fn new(map: Signed<'_>) -> Self {
        // Where moves cut corners, they lead between obstacles that touch at one.
        let cuts_corners = reach(map.neighbours, map.corners) > 0;
        let around = if cuts_corners { STRAIGHT_STEPS } else { u8::MAX };
        Self { offsets: map.layout.offsets(), around }
    }

    /// Returns whether the cells of an obstacle around one of its cells are linked among the eight.
    pub(super) fn is_ring(&self, numbers: &Numbers, cell: u32, obstacle: u32) -> bool {
        let reach = u32::from(self.around == u8::MAX);
        is_ring(&self.offsets, reach, numbers, (cell, obstacle))
    }

    /// Looks at cells from one to another, of a row beside a stretch or beside its ends.
    #[inline(always)]
    fn look(numbers: &Numbers, flood: &mut Flood, former: u32, [first, last]: [i64; 2]) {
        let (mut at, end) =
            (first.max(0) as usize, (last + 1).clamp(0, numbers.len() as i64) as usize);
        while let Some(&number) = numbers.get(at..end).and_then(<[u32]>::first) {
            if number == former {
                flood.next.push(at as u32);
            } else if number & OBSTACLE != 0 && number != NONE {
                flood.come_beside(number);
            }
            at += alike(&numbers[at..end], number);
        }
    }
}

/// Returns whether the cells of a number around a cell are linked among the eight.
pub(super) fn is_ring(
    offsets: &[i32; 8],
    reach: u32,
    numbers: &Numbers,
    (cell, number): (u32, u32),
) -> bool {
    let ring = offsets.iter().enumerate().fold(0u8, |ring, (bit, &offset)| {
        let is_same = numbers[cell.wrapping_add_signed(offset) as usize] == number;
        ring | u8::from(is_same) << bit
    });
    rings_within_reach(reach)[usize::from(ring)]
}

impl Links for Touching {
    fn visit(&self, numbers: &Numbers, cell: u32, mut visit: impl FnMut(u32)) {
        for (_, offset) in steps(&self.offsets, self.around) {
            let other = cell.wrapping_add_signed(offset);
            let number = numbers.get(other as usize).copied().unwrap_or(NONE);
            if number != NONE && number & OBSTACLE != 0 {
                visit(other);
            }
        }
    }

    fn place(&self, cell: u32) -> u32 {
        cell
    }

    fn cell(&self, place: u32) -> u32 {
        place
    }

    /// Takes a stretch of a row.
    fn spread(&self, numbers: &mut Numbers, flood: &mut Flood, former: u32, cell: u32) {
        let first = cell as usize - alike_before(&numbers[..cell as usize], former);
        let last = cell as usize + alike(&numbers[cell as usize + 1..], former);
        let stretch = [first as u32, last as u32];
        self.fill(numbers, stretch, flood.number);
        flood.take(stretch, (last + 1 - first) as u32);
        let (stride, reach) = (i64::from(self.offsets[SOUTH]), i64::from(self.around == u8::MAX));
        let [first, last] = [first as i64, last as i64];
        let row = |offset: i64| [first + offset - reach, last + offset + reach];
        for beside in [[first - 1; 2], [last + 1; 2], row(-stride), row(stride)] {
            Self::look(numbers, flood, former, beside);
        }
    }

    fn fill(&self, numbers: &mut Numbers, [first, last]: Stretch, number: u32) {
        numbers[first as usize..=last as usize].fill(number);
    }
}
