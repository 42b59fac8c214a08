//! Words that belong to the chunks of a world, stored once for chunks with equal words.

/// The indices of the piece of clear words and of the piece of set words.
const CLEAR: u32 = 0;
const SET: u32 = 1;

/// A piece of `N` words for each chunk.
#[derive(Clone, Debug)]
pub(crate) struct Pieces<const N: usize> {
    /// The index of each chunk's piece.
    table: Vec<u32>,
    pieces: Vec<[u32; N]>,
    /// The count of chunks that share each piece.
    users: Vec<u32>,
    /// Pieces without a chunk.
    unused: Vec<u32>,
}

impl<const N: usize> Pieces<N> {
    /// Returns clear pieces for all chunks.
    pub(crate) fn new(chunks: usize) -> Self {
        Self {
            table: vec![CLEAR; chunks],
            pieces: vec![[0; N], [u32::MAX; N]],
            users: vec![0; 2],
            unused: Vec::new(),
        }
    }

    /// Pieces for the given chunks, `None` for set words; the others are clear.
    pub(crate) fn sharing(
        chunks: usize,
        given: impl Iterator<Item = (usize, Option<[u32; N]>)>,
    ) -> Self {
        let mut all = Self::new(chunks);
        // The last piece with each of 256 hashes. Flat ground repeats itself.
        let mut recent = vec![CLEAR; 256];
        for (chunk, piece) in given {
            let Some(piece) = piece else {
                all.table[chunk] = SET;
                continue;
            };
            let mix =
                |hash: u32, word: &u32| (hash ^ word).wrapping_mul(0x0100_0193).rotate_left(5);
            let slot = &mut recent[piece.iter().fold(0x811c_9dc5, mix) as usize % 256];
            if *slot != CLEAR && all.pieces[*slot as usize] == piece {
                all.table[chunk] = *slot;
                all.users[*slot as usize] += 1;
            } else {
                all.put(chunk, piece);
                *slot = all.table[chunk];
            }
        }
        all.pieces.shrink_to_fit();
        all
    }

    /// Returns the piece of a chunk.
    #[inline]
    pub(crate) fn of(&self, chunk: usize) -> &[u32; N] {
        &self.pieces[self.table[chunk] as usize]
    }

    #[inline]
    pub(crate) fn is_clear(&self, chunk: usize) -> bool {
        self.table[chunk] == CLEAR
    }

    #[inline]
    pub(crate) fn is_set(&self, chunk: usize) -> bool {
        self.table[chunk] == SET
    }

    /// Gives a chunk the clear piece.
    pub(crate) fn clear(&mut self, chunk: usize) {
        let place = std::mem::replace(&mut self.table[chunk], CLEAR);
        if place > SET {
            self.users[place as usize] -= 1;
            if self.users[place as usize] == 0 {
                self.unused.push(place);
            }
        }
    }

    /// Gives a chunk its own piece, or one of the two uniform ones.
    pub(crate) fn put(&mut self, chunk: usize, piece: [u32; N]) {
        self.clear(chunk);
        self.table[chunk] = if piece == self.pieces[CLEAR as usize] {
            CLEAR
        } else if piece == self.pieces[SET as usize] {
            SET
        } else {
            self.place(piece)
        };
    }

    /// Stores a piece for one chunk.
    fn place(&mut self, piece: [u32; N]) -> u32 {
        if let Some(place) = self.unused.pop() {
            self.pieces[place as usize] = piece;
            self.users[place as usize] = 1;
            place
        } else {
            self.pieces.push(piece);
            self.users.push(1);
            self.pieces.len() as u32 - 1
        }
    }

    /// Returns the piece of a chunk, for changing. It is not shared any more.
    pub(crate) fn edit(&mut self, chunk: usize) -> &mut [u32; N] {
        let place = self.table[chunk];
        if place <= SET || self.users[place as usize] > 1 {
            let own = *self.of(chunk);
            self.clear(chunk);
            self.table[chunk] = self.place(own);
        }
        &mut self.pieces[self.table[chunk] as usize]
    }

    pub(crate) fn size_in_bytes(&self) -> usize {
        (self.table.capacity() + self.users.capacity() + self.unused.capacity()) * size_of::<u32>()
            + self.pieces.capacity() * size_of::<[u32; N]>()
    }
}
