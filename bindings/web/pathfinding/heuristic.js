// Estimates of the rest of a way from the distances along both axes.

export const Heuristic = {
  manhattan: (dx, dy) => dx + dy,
  euclidean: (dx, dy) => Math.sqrt(dx * dx + dy * dy),
  octile: (dx, dy) => Math.max(dx, dy) + (Math.SQRT2 - 1) * Math.min(dx, dy),
  chebyshev: (dx, dy) => Math.max(dx, dy),
};

/** These, as the engine numbers them: see `By` in src/estimate.rs. */
const measures = Object.values(Heuristic);

/** The number of the engine's own measure; -1 for a function of the caller. */
export const measureOf = (heuristic) => measures.indexOf(heuristic);
