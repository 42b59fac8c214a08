/** `[x, y]` of each cell. */
export type Path = number[][];

export type HeuristicFunction = (dx: number, dy: number) => number;

export enum DiagonalMovement {
  Always = 1,
  Never = 2,
  /** At most one of the two cells beside the move is blocked. */
  IfAtMostOneObstacle = 3,
  OnlyWhenNoObstacles = 4,
}

export const Heuristic: {
  manhattan: HeuristicFunction;
  euclidean: HeuristicFunction;
  octile: HeuristicFunction;
  chebyshev: HeuristicFunction;
};

export class Node {
  constructor(x: number, y: number, walkable?: boolean);
  x: number;
  y: number;
  walkable: boolean;
  /** For `Util.backtrace`. */
  parent?: Node;
}

/** A map of walkable and blocked cells. Searches leave it as it is: it need not be cloned for them. */
export class Grid {
  constructor(width: number, height: number, matrix?: ArrayLike<number | boolean | null>[]);
  /** Rows of cells: what is 0, false or null is walkable. */
  constructor(matrix: ArrayLike<number | boolean | null>[]);
  width: number;
  height: number;
  readonly nodes: Node[][];
  getNodeAt(x: number, y: number): Node;
  isInside(x: number, y: number): boolean;
  isWalkableAt(x: number, y: number): boolean;
  setWalkableAt(x: number, y: number, walkable: boolean): void;
  getNeighbors(node: Node, diagonalMovement: DiagonalMovement): Node[];
  clone(): Grid;
}

export interface FinderOptions {
  /** Older than `diagonalMovement`. */
  allowDiagonal?: boolean;
  /** Older than `diagonalMovement`. */
  dontCrossCorners?: boolean;
  /** Default: `Never`. */
  diagonalMovement?: DiagonalMovement;
  /** Default: the distance by the moves that are allowed. */
  heuristic?: HeuristicFunction;
  /** How often the estimate counts, default 1. More finds longer paths, in less time. */
  weight?: number;
}

declare class Finder {
  constructor(options?: FinderOptions);
  allowDiagonal?: boolean;
  dontCrossCorners?: boolean;
  diagonalMovement: DiagonalMovement;
  heuristic: HeuristicFunction;
  weight: number;
  /** The cells of a path from start to end, both included; empty if there is none. */
  findPath(startX: number, startY: number, endX: number, endY: number, grid: Grid): Path;
}

/** A cheapest path, unless `weight` or `heuristic` says otherwise. */
export class AStarFinder extends Finder {}
/** A path soon, by the heuristic alone. */
export class BestFirstFinder extends Finder {}
/** A path of the fewest moves. */
export class BreadthFirstFinder extends Finder {}
/** A cheapest path. */
export class DijkstraFinder extends Finder {}
/** As the finders without Bi, and to a blocked end too. */
export class BiAStarFinder extends AStarFinder {}
export class BiBestFirstFinder extends BestFirstFinder {}
export class BiBreadthFirstFinder extends BreadthFirstFinder {}
export class BiDijkstraFinder extends DijkstraFinder {}

/** As `AStarFinder`. */
export class IDAStarFinder extends Finder {
  constructor(options?: FinderOptions & { trackRecursion?: boolean; timeLimit?: number });
  trackRecursion: boolean;
  timeLimit: number;
}

export interface JumpPointOptions {
  /** Default: `IfAtMostOneObstacle`. */
  diagonalMovement?: DiagonalMovement;
  /** Only a function of your own counts. */
  heuristic?: HeuristicFunction;
  trackJumpRecursion?: boolean;
}

/** A cheapest path, of all its cells. */
export class JumpPointFinder extends Finder {
  constructor(options?: JumpPointOptions);
  trackJumpRecursion: boolean;
}
export class JPFAlwaysMoveDiagonally extends JumpPointFinder {}
export class JPFNeverMoveDiagonally extends JumpPointFinder {}
export class JPFMoveDiagonallyIfAtMostOneObstacle extends JumpPointFinder {}
export class JPFMoveDiagonallyIfNoObstacles extends JumpPointFinder {}
export class OrthogonalJumpPointFinder extends JumpPointFinder {}

export namespace Util {
  function backtrace(node: Node): Path;
  function biBacktrace(nodeA: Node, nodeB: Node): Path;
  function pathLength(path: Path): number;
  /** The cells of a straight line, both ends included. */
  function interpolate(x0: number, y0: number, x1: number, y1: number): Path;
  /** All cells of a path of which some are left out. */
  function expandPath(path: Path): Path;
  /** The ends of a path and its turns. */
  function compressPath(path: Path): Path;
  /** Straight lines along a path, as far as they stay on walkable cells. */
  function smoothenPath(grid: Grid, path: Path): Path;
}

/** A binary heap, least first. */
export class Heap<T> {
  constructor(compare?: (a: T, b: T) => number);
  push(item: T): void;
  pop(): T | undefined;
  peek(): T | undefined;
  replace(item: T): T;
  pushpop(item: T): T;
  heapify(): void;
  updateItem(item: T): void;
  clear(): void;
  empty(): boolean;
  size(): number;
  contains(item: T): boolean;
  clone(): Heap<T>;
  toArray(): T[];
}

declare const PF: {
  AStarFinder: typeof AStarFinder;
  BestFirstFinder: typeof BestFirstFinder;
  BreadthFirstFinder: typeof BreadthFirstFinder;
  DijkstraFinder: typeof DijkstraFinder;
  BiAStarFinder: typeof BiAStarFinder;
  BiBestFirstFinder: typeof BiBestFirstFinder;
  BiBreadthFirstFinder: typeof BiBreadthFirstFinder;
  BiDijkstraFinder: typeof BiDijkstraFinder;
  IDAStarFinder: typeof IDAStarFinder;
  JumpPointFinder: typeof JumpPointFinder;
  JPFAlwaysMoveDiagonally: typeof JPFAlwaysMoveDiagonally;
  JPFNeverMoveDiagonally: typeof JPFNeverMoveDiagonally;
  JPFMoveDiagonallyIfAtMostOneObstacle: typeof JPFMoveDiagonallyIfAtMostOneObstacle;
  JPFMoveDiagonallyIfNoObstacles: typeof JPFMoveDiagonallyIfNoObstacles;
  OrthogonalJumpPointFinder: typeof OrthogonalJumpPointFinder;
  DiagonalMovement: typeof DiagonalMovement;
  Grid: typeof Grid;
  Heap: typeof Heap;
  Heuristic: typeof Heuristic;
  Node: typeof Node;
  Util: typeof Util;
};
export default PF;
