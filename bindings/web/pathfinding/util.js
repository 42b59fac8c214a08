// Paths as arrays of `[x, y]`.

/** The path that leads to a node along its parents. */
export function backtrace(node) {
  const path = [];
  for (let at = node; at; at = at.parent) path.push([at.x, at.y]);
  return path.reverse();
}

/** The path to one node, and back along the parents of the other. */
export function biBacktrace(nodeA, nodeB) {
  return [...backtrace(nodeA), ...backtrace(nodeB).reverse()];
}

export function pathLength(path) {
  let length = 0;
  for (let at = 1; at < path.length; at++) {
    length += Math.hypot(path[at][0] - path[at - 1][0], path[at][1] - path[at - 1][1]);
  }
  return length;
}

/** The cells of a straight line, both ends included. J. E. Bresenham, 1965. */
export function interpolate(x0, y0, x1, y1) {
  if (![x0, y0, x1, y1].every(Number.isInteger)) throw new Error("interpolate: the ends are whole numbers");
  const [dx, dy] = [Math.abs(x1 - x0), Math.abs(y1 - y0)];
  const [sx, sy] = [x0 < x1 ? 1 : -1, y0 < y1 ? 1 : -1];
  const line = [[x0, y0]];
  let error = dx - dy;
  for (let [x, y] = [x0, y0]; x !== x1 || y !== y1; line.push([x, y])) {
    const twice = 2 * error;
    if (twice > -dy) {
      error -= dy;
      x += sx;
    }
    if (twice < dx) {
      error += dx;
      y += sy;
    }
  }
  return line;
}

/** All cells of a path of which some are left out. */
export function expandPath(path) {
  if (path.length < 2) return [];
  const expanded = [path[0]];
  for (let at = 1; at < path.length; at++) {
    expanded.push(...interpolate(...path[at - 1], ...path[at]).slice(1));
  }
  return expanded;
}

/** The ends of a path and its turns. */
export function compressPath(path) {
  if (path.length < 3) return path;
  const isTurn = (at) => {
    const [[ax, ay], [bx, by], [cx, cy]] = [path[at - 1], path[at], path[at + 1]];
    const [[dx, dy], [ex, ey]] = [[bx - ax, by - ay], [cx - bx, cy - by]];
    return dx * ey !== dy * ex || dx * ex + dy * ey < 0;
  };
  return path.filter((_, at) => at === 0 || at === path.length - 1 || isTurn(at));
}

/** Straight lines along a path, as far as they stay on walkable cells. */
export function smoothenPath(grid, path) {
  if (path.length < 2) return [...path];
  const smooth = [path[0]];
  for (let at = 2; at < path.length; at++) {
    const line = interpolate(...smooth.at(-1), ...path[at]);
    if (!line.slice(1).every(([x, y]) => grid.isWalkableAt(x, y))) smooth.push(path[at - 1]);
  }
  smooth.push(path.at(-1));
  return smooth.map(([x, y]) => [x, y]);
}
