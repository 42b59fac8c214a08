// How crowded places are: agents a square metre, smoothed.

export interface Density {
  /** Side of a bin, in metres. */
  side: number;
  /**
   * x, z of the middle of each bin with anybody near, the height of somebody there, and its agents a
   * square metre.
   */
  bins: { x: number; y: number; z: number; density: number }[];
  /** The largest density. */
  most: number;
}

/** The side of a bin, in metres. */
const SIDE = 1;

/**
 * Counts agents in bins of one square metre and spreads each over nine bins, the middle one most:
 * weights 4, 2 and 1 of 16. The sum over all bins is the number of agents.
 */
export function densityOf(places: Float32Array): Density {
  const counts = new Map<number, [count: number, height: number]>();
  const WIDE = 1 << 20;
  for (let at = 0; at + 2 < places.length; at += 3) {
    const [column, row] = [Math.floor(places[at] / SIDE), Math.floor(places[at + 2] / SIDE)];
    if (!(Math.abs(column) < WIDE / 4 && Math.abs(row) < WIDE / 4)) continue;
    for (let y = -1; y <= 1; y++) {
      for (let x = -1; x <= 1; x++) {
        const weight = ((2 - Math.abs(x)) * (2 - Math.abs(y))) / 16;
        const bin = (row + y + WIDE / 2) * WIDE + (column + x + WIDE / 2);
        const known = counts.get(bin);
        if (known) known[0] += weight;
        else counts.set(bin, [weight, places[at + 1]]);
      }
    }
  }
  let most = 0;
  const bins = [...counts].map(([bin, [count, y]]) => {
    const density = count / (SIDE * SIDE);
    most = Math.max(most, density);
    const [row, column] = [Math.floor(bin / WIDE) - WIDE / 2, (bin % WIDE) - WIDE / 2];
    return { x: (column + 0.5) * SIDE, y, z: (row + 0.5) * SIDE, density };
  });
  return { side: SIDE, bins, most };
}
