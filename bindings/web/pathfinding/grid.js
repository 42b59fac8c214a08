// Grids of walkable cells.
import { field, lastPath } from "./engine.js";

export const DiagonalMovement = { Always: 1, Never: 2, IfAtMostOneObstacle: 3, OnlyWhenNoObstacles: 4 };

/** So many edits are told to the engine one by one; with more, all cells are. */
const MOST_EDITS = 4096;

/** With more cells the engine's view, 20 bytes a cell, and a search do not fit into its memory. */
const MOST_CELLS = 2 ** 26;

/** Makes the node of a grid's cell. */
let nodeOf;

/** A cell. Attributes may be added. */
export class Node {
  #grid = null;
  #walkable;

  constructor(x, y, walkable = true) {
    this.x = x;
    this.y = y;
    this.#walkable = walkable;
  }

  get walkable() {
    return this.#grid ? this.#grid.isWalkableAt(this.x, this.y) : this.#walkable;
  }

  set walkable(walkable) {
    if (this.#grid) this.#grid.setWalkableAt(this.x, this.y, walkable);
    else this.#walkable = walkable;
  }

  static {
    nodeOf = (grid, x, y) => {
      const node = new Node(x, y);
      node.#grid = grid;
      return node;
    };
  }
}

/** Finds a path on a grid: see `findPath` of the finders. */
export let pathOn;

/** The numbers of contents: a grid and its clone have the same until one of them is edited. */
let contents = 0;

/**
 * A map of walkable and blocked cells.
 *
 * The engine has a view of it, made for the first search. Clones share that view, and whatever
 * differs is told to it before a search.
 */
export class Grid {
  /** Of each cell, row by row, whether it is walkable; `null` while all are. */
  #cells = null;
  /** Whether a clone has the same cells, so that an edit copies them first. */
  #isShared = false;
  #content = ++contents;
  /** The content that the edits lead on from; 0 for none. */
  #base = 0;
  #edits = [];
  /** The engine's view, and the content that it has. */
  #view = { field: null, content: 0 };
  /** Nodes are made when they are asked for, a row at a time. */
  #rows = [];
  #nodes = null;

  constructor(widthOrMatrix, height, matrix) {
    const isMatrix = typeof widthOrMatrix === "object";
    if (isMatrix) matrix = widthOrMatrix;
    if ((isMatrix || matrix) && !(Array.isArray(matrix) && matrix[0]?.length > 0)) {
      throw new Error("Grid: a matrix is an array of rows, with at least one cell");
    }
    this.width = isMatrix ? matrix[0].length : widthOrMatrix;
    this.height = isMatrix ? matrix.length : height;
    for (const side of [this.width, this.height]) {
      if (!Number.isInteger(side) || side < 1 || side > 16384) {
        throw new Error(`Grid: width and height are whole numbers from 1 to 16384, not ${side}`);
      }
    }
    if (this.width * this.height > MOST_CELLS) {
      throw new Error(`Grid: ${this.width} x ${this.height} are more than ${MOST_CELLS} cells; cut the map`);
    }
    if (!matrix) return;
    const cells = this.#all();
    if (matrix.length !== this.height) throw new Error(`Matrix size does not fit: ${matrix.length} rows in place of ${this.height}`);
    matrix.forEach((row, y) => {
      if (row.length !== this.width) throw new Error(`Matrix size does not fit: row ${y} has ${row.length} cells in place of ${this.width}`);
      for (let x = 0; x < this.width; x++) if (row[x]) cells[y * this.width + x] = 0;
    });
  }

  /** All nodes, row by row. */
  get nodes() {
    this.#nodes ??= Array.from({ length: this.height }, (_, y) => this.#row(y));
    return this.#nodes;
  }

  #row(y) {
    this.#rows[y] ??= Array.from({ length: this.width }, (_, x) => nodeOf(this, x, y));
    return this.#rows[y];
  }

  getNodeAt(x, y) {
    this.#number(x, y, "getNodeAt");
    return this.#row(y)[x];
  }

  /** The number of a cell, row by row. */
  #number(x, y, what) {
    if (Number.isInteger(x) && Number.isInteger(y) && this.isInside(x, y)) return y * this.width + x;
    throw new Error(`${what}: (${x}, ${y}) is no cell of the grid of ${this.width} x ${this.height}`);
  }

  isInside(x, y) {
    return x >= 0 && x < this.width && y >= 0 && y < this.height;
  }

  isWalkableAt(x, y) {
    return this.isInside(x, y) && (this.#cells === null || this.#cells[y * this.width + x] === 1);
  }

  setWalkableAt(x, y, walkable) {
    const number = this.#number(x, y, "setWalkableAt");
    const cell = walkable ? 1 : 0;
    if (this.#all()[number] === cell) return;
    if (this.#isShared) this.#cells = this.#cells.slice();
    this.#isShared = false;
    this.#cells[number] = cell;
    this.#content = ++contents;
    if (this.#base === 0) return;
    this.#edits.push(number);
    if (this.#edits.length > MOST_EDITS) this.#forget();
  }

  #all() {
    this.#cells ??= new Uint8Array(this.width * this.height).fill(1);
    return this.#cells;
  }

  #forget() {
    this.#base = 0;
    this.#edits = [];
  }

  /** The nodes that a move leads to: up, right, down, left, then the diagonals from upper left on. */
  getNeighbors({ x, y }, diagonalMovement) {
    const free = (dx, dy) => this.isWalkableAt(x + dx, y + dy);
    const sides = [[0, -1], [1, 0], [0, 1], [-1, 0]];
    const isFree = sides.map(([dx, dy]) => free(dx, dy));
    const moves = sides.filter((_, side) => isFree[side]);
    if (diagonalMovement !== DiagonalMovement.Never) {
      [[-1, -1], [1, -1], [1, 1], [-1, 1]].forEach(([dx, dy], corner) => {
        const [one, other] = [isFree[(corner + 3) % 4], isFree[corner]];
        if (mayPass(diagonalMovement, one, other) && free(dx, dy)) moves.push([dx, dy]);
      });
    }
    return moves.map(([dx, dy]) => this.#row(y + dy)[x + dx]);
  }

  clone() {
    const clone = new Grid(this.width, this.height);
    clone.#cells = this.#all();
    clone.#isShared = this.#isShared = true;
    clone.#content = this.#content;
    clone.#base = this.#base;
    clone.#edits = [...this.#edits];
    clone.#view = this.#view;
    return clone;
  }

  /** The engine's view, with the content of this grid. */
  #field(rule) {
    const view = this.#view;
    if (!view.field) {
      view.field = field(this.width, this.height, this.#all(), rule);
    } else if (view.content !== this.#content) {
      if (view.content === this.#base) {
        const numbers = Uint32Array.from(this.#edits);
        view.field.edit(numbers, Uint8Array.from(numbers, (number) => this.#cells[number]));
      } else {
        view.field.replace(this.#all(), rule);
      }
    }
    view.content = this.#base = this.#content;
    this.#edits = [];
    return view.field;
  }

  /** Takes over the cells of a grid of another class, or with rules of its own. */
  #copy(grid) {
    for (let y = 0; y < this.height; y++) {
      for (let x = 0; x < this.width; x++) this.setWalkableAt(x, y, grid.isWalkableAt(x, y));
    }
  }

  static {
    /** Grids that are none of these, or override `isWalkableAt`: a copy each. */
    const copies = new WeakMap();
    const own = (grid) => {
      if (grid instanceof Grid) {
        if (grid.getNeighbors !== Grid.prototype.getNeighbors) {
          throw new Error("findPath: the grid has a getNeighbors of its own, which the engine does not call; override isWalkableAt, or use the worlds of the package wayfare");
        }
        if (grid.isWalkableAt === Grid.prototype.isWalkableAt) return grid;
      }
      if (typeof grid?.isWalkableAt !== "function") throw new Error("findPath: the fifth argument is a Grid");
      let copy = copies.get(grid);
      if (copy?.width !== grid.width || copy.height !== grid.height) {
        copy = new Grid(grid.width, grid.height);
        copies.set(grid, copy);
      }
      copy.#copy(grid);
      return copy;
    };
    pathOn = (grid, [startX, startY, endX, endY], { rule, promise, measure, weight, heuristic, freesGoal }) => {
      const known = own(grid);
      const start = known.#number(startX, startY, "findPath: the start");
      const goal = known.#number(endX, endY, "findPath: the end");
      const field = known.#field(rule);
      return lastPath(field, field.find(rule, promise, measure, weight, heuristic, start, goal, freesGoal));
    };
  }
}

function mayPass(diagonalMovement, one, other) {
  switch (diagonalMovement) {
    case DiagonalMovement.Always:
      return true;
    case DiagonalMovement.IfAtMostOneObstacle:
      return one || other;
    case DiagonalMovement.OnlyWhenNoObstacles:
      return one && other;
    default:
      throw new Error("Incorrect value of diagonalMovement");
  }
}
