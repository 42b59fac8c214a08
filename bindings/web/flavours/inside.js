// A module inside the JavaScript: base64 of gzip. Base64 costs nothing on the way, since what
// compresses the transfer takes its two spare bits out again.
//
// It is inflated here and not by DecompressionStream, which answers by a promise: a module that
// awaits at its top cannot be required, nor imported by a service worker. RFC 1951 and 1952.

/** The bytes of a packed module. */
export function bytes(packed) {
  return inflate(decoded(packed));
}

function decoded(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** Lengths of matches by their symbol: the least, and the number of further bits. */
const LENGTHS = steps([0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5], 3);
LENGTHS.least[28] = 258;
LENGTHS.bits[28] = 0;
const DISTANCES = steps([0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13], 1);
/** The order in which the lengths of the codes for code lengths come. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

function steps(bits, first) {
  const least = new Uint16Array(32);
  let next = first;
  bits.forEach((count, symbol) => {
    least[symbol] = next;
    next += 1 << count;
  });
  const padded = new Uint8Array(32);
  padded.set(bits);
  return { least, bits: padded };
}

/** A table from the next bits to a symbol and the length of its code: symbol * 16 + length. */
function table(lengths) {
  let most = 1;
  const counts = new Uint16Array(16);
  for (const length of lengths) {
    counts[length]++;
    if (length > most) most = length;
  }
  counts[0] = 0;
  const next = new Uint16Array(17);
  for (let length = 1; length < 16; length++) next[length + 1] = (next[length] + counts[length]) << 1;
  const entries = new Uint16Array(1 << most);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length === 0) continue;
    let code = next[length]++;
    let reversed = 0;
    for (let bit = 0; bit < length; bit++) {
      reversed = (reversed << 1) | (code & 1);
      code >>= 1;
    }
    for (let at = reversed; at < entries.length; at += 1 << length) entries[at] = (symbol << 4) | length;
  }
  return { entries, mask: entries.length - 1 };
}

function fixed() {
  const lengths = new Uint8Array(288).fill(8);
  lengths.fill(9, 144, 256).fill(7, 256, 280);
  return { literals: table(lengths), distances: table(new Uint8Array(30).fill(5)) };
}

/** Inflates a gzip member that has no name or comment in its head: see `build`. */
function inflate(source) {
  const end = source.length;
  const size = source[end - 4] | (source[end - 3] << 8) | (source[end - 2] << 16) | (source[end - 1] << 24);
  const out = new Uint8Array(size);
  let [at, to, held, count] = [10, 0, 0, 0];

  /** At most 16 bits. */
  const take = (bits) => {
    while (count < bits) {
      held |= source[at++] << count;
      count += 8;
    }
    const value = held & ((1 << bits) - 1);
    held >>>= bits;
    count -= bits;
    return value;
  };
  const symbol = ({ entries, mask }) => {
    while (count < 16) {
      held |= source[at++] << count;
      count += 8;
    }
    const entry = entries[held & mask];
    held >>>= entry & 15;
    count -= entry & 15;
    return entry >> 4;
  };
  const dynamic = () => {
    const [literals, distances, codes] = [take(5) + 257, take(5) + 1, take(4) + 4];
    const ofLengths = new Uint8Array(19);
    for (let index = 0; index < codes; index++) ofLengths[ORDER[index]] = take(3);
    const coding = table(ofLengths);
    const lengths = new Uint8Array(literals + distances);
    for (let index = 0; index < lengths.length; ) {
      const code = symbol(coding);
      if (code < 16) {
        lengths[index++] = code;
        continue;
      }
      const value = code === 16 ? lengths[index - 1] : 0;
      const times = code === 16 ? 3 + take(2) : code === 17 ? 3 + take(3) : 11 + take(7);
      lengths.fill(value, index, (index += times));
    }
    return { literals: table(lengths.subarray(0, literals)), distances: table(lengths.subarray(literals)) };
  };

  let isLast = 0;
  while (!isLast) {
    isLast = take(1);
    const kind = take(2);
    if (kind === 0) {
      // Whole bytes that were read ahead go back.
      at -= count >> 3;
      held = count = 0;
      const length = source[at] | (source[at + 1] << 8);
      at += 4;
      out.set(source.subarray(at, at + length), to);
      at += length;
      to += length;
      continue;
    }
    const { literals, distances } = kind === 1 ? fixed() : dynamic();
    for (;;) {
      const code = symbol(literals);
      if (code < 256) {
        out[to++] = code;
        continue;
      }
      if (code === 256) break;
      const length = LENGTHS.least[code - 257] + take(LENGTHS.bits[code - 257]);
      const distance = symbol(distances);
      const back = DISTANCES.least[distance] + take(DISTANCES.bits[distance]);
      for (let left = length; left > 0; left--, to++) out[to] = out[to - back];
    }
  }
  return out;
}
