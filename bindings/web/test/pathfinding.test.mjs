// The API of PathFinding.js: every finder against an oracle, on random grids under all four rules.
import assert from "node:assert/strict";
import test from "node:test";
import PF, { AStarFinder, DiagonalMovement, Grid, Heap, Heuristic, Node, Util } from "wayfare/pathfinding";

const RULES = Object.values(DiagonalMovement);

/** Numbers from 0 to 1, the same each time. */
function random(seed) {
  let state = seed;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

function randomMatrix(width, height, share, next) {
  return Array.from({ length: height }, () => Array.from({ length: width }, () => (next() < share ? 1 : 0)));
}

/** The moves from a cell, written down a second time. */
function movesFrom(matrix, [x, y], rule) {
  const free = (x, y) => matrix[y]?.[x] === 0;
  const moves = [];
  for (const [dx, dy] of [[-1, -1], [0, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [0, 1], [1, 1]]) {
    if (!free(x + dx, y + dy)) continue;
    const beside = [free(x + dx, y), free(x, y + dy)].filter(Boolean).length;
    const needed = { [DiagonalMovement.Always]: 0, [DiagonalMovement.IfAtMostOneObstacle]: 1, [DiagonalMovement.OnlyWhenNoObstacles]: 2, [DiagonalMovement.Never]: 3 }[rule];
    if (dx === 0 || dy === 0 || beside >= needed) moves.push([x + dx, y + dy]);
  }
  return moves;
}

/** The least sum of `cost` over the moves to a cell, by relaxing until nothing changes. */
function oracle(matrix, start, goal, rule, cost) {
  const best = new Map([[start.join(), 0]]);
  let wave = [start];
  while (wave.length > 0) {
    const next = [];
    for (const from of wave) {
      for (const to of movesFrom(matrix, from, rule)) {
        const sum = best.get(from.join()) + cost(from, to);
        if (sum < (best.get(to.join()) ?? Infinity) - 1e-9) {
          best.set(to.join(), sum);
          next.push(to);
        }
      }
    }
    wave = next;
  }
  return best.get(goal.join()) ?? Infinity;
}

const length = ([ax, ay], [bx, by]) => Math.hypot(ax - bx, ay - by);

function assertLegal(path, matrix, start, goal, rule, name) {
  assert.deepEqual([path[0], path.at(-1)], [start, goal], name);
  for (let at = 1; at < path.length; at++) {
    const moves = movesFrom(matrix, path[at - 1], rule).map(String);
    assert.ok(moves.includes(String(path[at])), `${name}: ${path[at - 1]} to ${path[at]}`);
  }
}

const CHEAPEST = ["AStarFinder", "DijkstraFinder", "BiAStarFinder", "BiDijkstraFinder", "IDAStarFinder", "JumpPointFinder"];
const FEWEST = ["BreadthFirstFinder", "BiBreadthFirstFinder"];
const SOON = ["BestFirstFinder", "BiBestFirstFinder"];

test("every finder keeps its promise under every rule for diagonals", () => {
  const next = random(7);
  let found = 0;
  for (let round = 0; round < 60; round++) {
    const [width, height] = [2 + Math.floor(next() * 18), 2 + Math.floor(next() * 18)];
    const matrix = randomMatrix(width, height, 0.15 + next() * 0.3, next);
    const ends = () => [Math.floor(next() * width), Math.floor(next() * height)];
    const [start, goal] = [ends(), ends()];
    matrix[start[1]][start[0]] = matrix[goal[1]][goal[0]] = 0;
    const grid = new Grid(matrix);
    for (const diagonalMovement of RULES) {
      const cheapest = oracle(matrix, start, goal, diagonalMovement, length);
      const fewest = oracle(matrix, start, goal, diagonalMovement, () => 1);
      for (const name of [...CHEAPEST, ...FEWEST, ...SOON]) {
        const what = `${name}, rule ${diagonalMovement}, round ${round}`;
        const path = new PF[name]({ diagonalMovement }).findPath(...start, ...goal, grid);
        if (cheapest === Infinity) {
          assert.deepEqual(path, [], what);
          continue;
        }
        found++;
        assertLegal(path, matrix, start, goal, diagonalMovement, what);
        if (CHEAPEST.includes(name)) assert.ok(Math.abs(Util.pathLength(path) - cheapest) < 1e-6, what);
        if (FEWEST.includes(name)) assert.equal(path.length - 1, fewest, what);
      }
    }
  }
  assert.ok(found > 1000, `${found} paths`);
});

test("a heuristic of one's own is called, and a weight bounds the cost", () => {
  const next = random(11);
  for (let round = 0; round < 30; round++) {
    const matrix = randomMatrix(16, 16, 0.25, next);
    matrix[0][0] = matrix[15][15] = 0;
    const grid = new Grid(matrix);
    for (const diagonalMovement of RULES) {
      const cheapest = oracle(matrix, [0, 0], [15, 15], diagonalMovement, length);
      if (cheapest === Infinity) continue;
      let calls = 0;
      const heuristic = (dx, dy) => {
        calls++;
        return Math.max(dx, dy) / 2;
      };
      for (const name of ["AStarFinder", "BiAStarFinder", "IDAStarFinder", "JumpPointFinder"]) {
        calls = 0;
        const path = new PF[name]({ diagonalMovement, heuristic }).findPath(0, 0, 15, 15, grid);
        assert.ok(calls > 0, name);
        assertLegal(path, matrix, [0, 0], [15, 15], diagonalMovement, name);
        assert.ok(Math.abs(Util.pathLength(path) - cheapest) < 1e-6, name);
      }
      for (const weight of [0.5, 2, 1e9]) {
        const path = new AStarFinder({ diagonalMovement, weight }).findPath(0, 0, 15, 15, grid);
        assertLegal(path, matrix, [0, 0], [15, 15], diagonalMovement, `weight ${weight}`);
        assert.ok(Util.pathLength(path) <= cheapest * Math.max(weight, 1) + 1e-6);
      }
    }
  }
  const grid = new Grid(8, 8);
  for (const value of [NaN, -5, Infinity, "far", undefined]) {
    assert.equal(new AStarFinder({ heuristic: () => value }).findPath(0, 0, 7, 7, grid).length, 15, `${value}`);
  }
  const thrown = new RangeError("no estimate");
  const fails = new AStarFinder({ heuristic: () => { throw thrown; } });
  assert.throws(() => fails.findPath(0, 0, 7, 7, grid), (error) => error === thrown);
  assert.equal(new AStarFinder().findPath(0, 0, 7, 7, grid).length, 15, "the grid is as good as before");
});

test("edits of grids, of their nodes and of clones are seen by the next search, and by no other", () => {
  const next = random(3);
  const matrix = randomMatrix(24, 24, 0.2, next);
  matrix[0][0] = matrix[23][23] = 0;
  let grids = [{ grid: new Grid(matrix), matrix }];
  const finder = new AStarFinder({ diagonalMovement: DiagonalMovement.OnlyWhenNoObstacles });
  for (let round = 0; round < 200; round++) {
    const one = grids[Math.floor(next() * grids.length)];
    const edits = round % 20 === 0 ? 200 : 3;
    for (let edit = 0; edit < edits; edit++) {
      const [x, y] = [Math.floor(next() * 24), Math.floor(next() * 24)];
      if ((x === 0 && y === 0) || (x === 23 && y === 23)) continue;
      const isFree = next() < 0.75;
      one.matrix[y][x] = isFree ? 0 : 1;
      if (edit % 2 === 0) one.grid.setWalkableAt(x, y, isFree);
      else one.grid.nodes[y][x].walkable = isFree;
    }
    if (round % 7 === 0 && grids.length < 5) grids.push({ grid: one.grid.clone(), matrix: one.matrix.map((row) => [...row]) });
    for (const { grid, matrix } of grids) {
      const path = finder.findPath(0, 0, 23, 23, grid);
      const cheapest = oracle(matrix, [0, 0], [23, 23], finder.diagonalMovement, length);
      if (cheapest === Infinity) assert.deepEqual(path, []);
      else assert.ok(Math.abs(Util.pathLength(path) - cheapest) < 1e-6, `round ${round}`);
    }
  }
});

test("grids have the cells, neighbours and faults of the original", () => {
  const grid = new Grid([[1, 0, 0], [false, true, null]]);
  assert.deepEqual([grid.width, grid.height, grid.nodes.length, grid.nodes[1].length], [3, 2, 2, 3]);
  assert.deepEqual([grid.isWalkableAt(0, 0), grid.isWalkableAt(2, 1), grid.isWalkableAt(3, 0), grid.isWalkableAt(-1, 0)], [false, true, false, false]);
  assert.equal(grid.getNodeAt(2, 1), grid.nodes[1][2]);
  assert.deepEqual({ ...grid.getNodeAt(2, 1) }, { x: 2, y: 1 });
  const around = (rule) => grid.getNeighbors(grid.getNodeAt(1, 0), rule).map(({ x, y }) => [x, y]);
  assert.deepEqual(around(DiagonalMovement.Always), [[2, 0], [2, 1], [0, 1]]);
  assert.deepEqual(around(DiagonalMovement.IfAtMostOneObstacle), [[2, 0], [2, 1]]);
  assert.deepEqual(around(DiagonalMovement.OnlyWhenNoObstacles), [[2, 0]]);
  assert.deepEqual(around(DiagonalMovement.Never), [[2, 0]]);
  assert.throws(() => around(7), /Incorrect value of diagonalMovement/);
  const free = new Node(4, 5);
  assert.deepEqual([free.x, free.y, free.walkable, new Node(0, 0, false).walkable], [4, 5, true, false]);

  assert.throws(() => new Grid(2, 2, [[0, 0]]), /does not fit: 1 rows in place of 2/);
  assert.throws(() => new Grid([[0, 0], [0]]), /row 1 has 1 cells in place of 2/);
  assert.throws(() => new Grid(0, 5), /from 1 to 16384, not 0/);
  assert.throws(() => new Grid(16384, 16384), /more than 67108864 cells/);
  for (const matrix of [[], [[]], null, {}]) assert.throws(() => new Grid(matrix), /at least one cell/);
  assert.throws(() => grid.setWalkableAt(3, 0, true), /setWalkableAt: \(3, 0\) is no cell of the grid of 3 x 2/);
  assert.throws(() => grid.getNodeAt(0.5, 0), /getNodeAt: \(0.5, 0\)/);
  const finder = new AStarFinder();
  assert.throws(() => finder.findPath(0, 9, 1, 1, grid), /the start: \(0, 9\)/);
  assert.throws(() => finder.findPath(0, 0, NaN, 1, grid), /the end: \(NaN, 1\)/);
  assert.throws(() => finder.findPath(0, 0, 1, 1), /fifth argument is a Grid/);
  assert.throws(() => new AStarFinder({ diagonalMovement: 9 }).findPath(0, 0, 1, 1, grid), /diagonalMovement: 9/);
  assert.throws(() => new AStarFinder({ weight: -1 }).findPath(0, 0, 1, 1, grid), /above 0, not -1/);
  assert.throws(() => new AStarFinder({ heuristic: "octile" }).findPath(0, 0, 1, 1, grid), /function of dx and dy/);
});

test("a blocked start counts as free, a blocked end only from both ends", () => {
  const grid = new Grid([[1, 0, 0, 1]]);
  const whole = [[0, 0], [1, 0], [2, 0], [3, 0]];
  for (const name of [...CHEAPEST, ...FEWEST, ...SOON]) {
    const finder = new PF[name]({ diagonalMovement: DiagonalMovement.Never });
    assert.deepEqual(finder.findPath(0, 0, 2, 0, grid), whole.slice(0, 3), name);
    assert.deepEqual(finder.findPath(0, 0, 3, 0, grid), name.startsWith("Bi") ? whole : [], name);
    assert.deepEqual(finder.findPath(1, 0, 0, 0, grid), name.startsWith("Bi") ? [[1, 0], [0, 0]] : [], name);
    assert.deepEqual(finder.findPath(1, 0, 1, 0, grid), [[1, 0]], name);
  }
  assert.equal(grid.isWalkableAt(0, 0), false);
});

test("grids of other classes are asked by isWalkableAt, and own neighbours are refused", () => {
  const other = { width: 3, height: 3, isWalkableAt: (x, y) => x !== 1 || y === 2 };
  assert.equal(new AStarFinder().findPath(0, 0, 2, 0, other).length, 7);
  class Shut extends Grid {
    gate = true;
    isWalkableAt(x, y) {
      return super.isWalkableAt(x, y) && !(this.gate && x === 1);
    }
  }
  const shut = new Shut(3, 1);
  assert.deepEqual(new AStarFinder().findPath(0, 0, 2, 0, shut), []);
  shut.gate = false;
  assert.equal(new AStarFinder().findPath(0, 0, 2, 0, shut).length, 3);
  const own = new Grid(3, 3);
  own.getNeighbors = () => [];
  assert.throws(() => new AStarFinder().findPath(0, 0, 2, 2, own), /getNeighbors of its own/);
});

test("a path longer than the narrow costs hold is found", () => {
  // A comb: each second column is a wall with a gap at one end. 400,000 steps and more.
  const [width, height] = [1301, 641];
  const grid = new Grid(width, height);
  for (let x = 1; x < width; x += 2) {
    for (let y = 0; y < height; y++) if (y !== (x % 4 === 1 ? height - 1 : 0)) grid.setWalkableAt(x, y, false);
  }
  const path = new AStarFinder().findPath(0, 0, width - 1, height - 1, grid);
  assert.ok(path.length > 400_000 && Util.pathLength(path) === path.length - 1, `${path.length}`);
});

test("paths are compressed, expanded and straightened", () => {
  const line = Util.interpolate(0, 1, 3, 3);
  assert.deepEqual(line, [[0, 1], [1, 2], [2, 2], [3, 3]]);
  assert.deepEqual(Util.interpolate(3, 3, 3, 3), [[3, 3]]);
  assert.throws(() => Util.interpolate(0, 0.5, 3, 3), /whole numbers/);
  const turns = [[0, 1], [0, 4], [2, 6], [5, 6]];
  const cells = Util.expandPath(turns);
  assert.equal(cells.length, 9);
  assert.deepEqual(Util.compressPath(cells), turns);
  assert.deepEqual(Util.compressPath([[0, 0], [1, 0], [0, 0]]), [[0, 0], [1, 0], [0, 0]], "there and back is a turn");
  assert.deepEqual([Util.expandPath([]), Util.expandPath([[1, 1]]), Util.compressPath([])], [[], [], []]);
  const grid = new Grid([[0, 0, 0, 0], [0, 1, 1, 0], [0, 0, 0, 0]]);
  const path = new AStarFinder().findPath(0, 0, 3, 2, grid);
  const smooth = Util.smoothenPath(grid, path);
  assert.ok(smooth.length < path.length);
  assert.deepEqual([smooth[0], smooth.at(-1)], [[0, 0], [3, 2]]);
  assert.deepEqual(Util.smoothenPath(grid, []), []);
  const [a, b, c] = [new Node(0, 0), new Node(1, 0), new Node(2, 0)];
  b.parent = a;
  assert.deepEqual(Util.backtrace(b), [[0, 0], [1, 0]]);
  assert.deepEqual(Util.biBacktrace(b, c), [[0, 0], [1, 0], [2, 0]]);
  assert.equal(Util.pathLength([[0, 0], [3, 4], [3, 5]]), 6);
  assert.equal(Heuristic.octile(2, 1), 2 + (Math.SQRT2 - 1));
});

test("a heap gives its items in order", () => {
  const next = random(5);
  const items = Array.from({ length: 200 }, () => ({ f: Math.floor(next() * 50) }));
  const heap = new Heap((a, b) => a.f - b.f);
  items.forEach((item) => heap.push(item));
  items.slice(0, 50).forEach((item, at) => {
    item.f = (at * 13) % 60;
    heap.updateItem(item);
  });
  assert.equal(heap.size(), 200);
  const copy = heap.clone();
  const order = [];
  while (!heap.empty()) order.push(heap.pop().f);
  assert.deepEqual(order, items.map(({ f }) => f).sort((a, b) => a - b));
  assert.equal(copy.peek().f, order[0]);
  assert.equal(heap.pop(), undefined);
  const numbers = new Heap();
  numbers.nodes = [5, 3, 1, 4];
  numbers.heapify();
  assert.deepEqual([numbers.pushpop(0), numbers.replace(9), numbers.peek(), numbers.contains(9)], [0, 1, 3, true]);
  numbers.clear();
  assert.deepEqual(numbers.toArray(), []);
});
