// The finders: options and defaults of PathFinding.js over the searches of the engine.
//
// A finder keeps the promise of its name (a cheapest path, the fewest moves, a path soon) by the
// search that is fastest at it: for cheapest paths jump point search, unless the heuristic or its
// weight asks for others.
import { Promise as Promised } from "./engine.js";
import { DiagonalMovement, pathOn } from "./grid.js";
import { Heuristic, measureOf } from "./heuristic.js";

const RULES = Object.values(DiagonalMovement);

/** What all finders share. Properties may be changed between two searches. */
class Finder {
  /** What a path promises. */
  _promise = Promised.Cheapest;
  /** Whether a blocked end counts as free. A blocked start always does: see `Field.find`. */
  _freesGoal = false;

  constructor({ allowDiagonal, dontCrossCorners, diagonalMovement, heuristic, weight } = {}) {
    this.allowDiagonal = allowDiagonal;
    this.dontCrossCorners = dontCrossCorners;
    this.diagonalMovement = diagonalMovement || ruleOf(allowDiagonal, dontCrossCorners);
    const usual = this.diagonalMovement === DiagonalMovement.Never ? Heuristic.manhattan : Heuristic.octile;
    this.heuristic = heuristic || usual;
    this.weight = weight || 1;
  }

  /** The cells of a path from start to end, both included: `[x, y]` each. Empty if there is none. */
  findPath(startX, startY, endX, endY, grid) {
    const { diagonalMovement: rule, heuristic, weight } = this;
    if (!RULES.includes(rule)) throw new Error(`Incorrect value of diagonalMovement: ${rule}`);
    if (typeof heuristic !== "function") throw new Error("findPath: heuristic is a function of dx and dy");
    if (!(weight > 0)) throw new Error(`findPath: weight is a number above 0, not ${weight}`);
    return pathOn(grid, [startX, startY, endX, endY], {
      rule,
      promise: this._promise,
      measure: Math.max(measureOf(heuristic), 0),
      weight,
      heuristic: measureOf(heuristic) < 0 ? heuristic : undefined,
      freesGoal: this._freesGoal,
    });
  }
}

function ruleOf(allowDiagonal, dontCrossCorners) {
  if (!allowDiagonal) return DiagonalMovement.Never;
  return dontCrossCorners ? DiagonalMovement.OnlyWhenNoObstacles : DiagonalMovement.IfAtMostOneObstacle;
}

/** A cheapest path, unless the weight or the heuristic says otherwise. */
export class AStarFinder extends Finder {}

/** A path soon, by the heuristic alone. */
export class BestFirstFinder extends Finder {
  _promise = Promised.Soon;
}

/** A path of the fewest moves. */
export class BreadthFirstFinder extends Finder {
  _promise = Promised.Fewest;
}

/** A cheapest path. */
export class DijkstraFinder extends Finder {
  constructor({ allowDiagonal, dontCrossCorners, diagonalMovement } = {}) {
    super({ allowDiagonal, dontCrossCorners, diagonalMovement });
  }
}

/** As `AStarFinder`. The finders whose names begin with Bi take a blocked end, too. */
export class BiAStarFinder extends AStarFinder {
  _freesGoal = true;
}

export class BiBestFirstFinder extends BestFirstFinder {
  _freesGoal = true;
}

export class BiBreadthFirstFinder extends BreadthFirstFinder {
  _freesGoal = true;
}

export class BiDijkstraFinder extends DijkstraFinder {
  _freesGoal = true;
}

/** As `AStarFinder`: no search is so long that `timeLimit` has to end it. */
export class IDAStarFinder extends Finder {
  constructor(options = {}) {
    super(options);
    this.trackRecursion = options.trackRecursion || false;
    this.timeLimit = options.timeLimit || Infinity;
  }
}

/** A cheapest path, of all its cells. Of heuristics only a function of the caller counts. */
export class JumpPointFinder extends Finder {
  constructor({ heuristic, diagonalMovement, trackJumpRecursion } = {}) {
    const rule = diagonalMovement || DiagonalMovement.IfAtMostOneObstacle;
    // The original's default, the Manhattan distance, would only make paths longer.
    super({ heuristic: measureOf(heuristic) < 0 ? heuristic : undefined, diagonalMovement: rule });
    this.trackJumpRecursion = trackJumpRecursion || false;
  }
}

/** The jump point finders by their rules. */
const jumping = (diagonalMovement) =>
  class extends JumpPointFinder {
    constructor(options = {}) {
      super({ ...options, diagonalMovement });
    }
  };
export const JPFAlwaysMoveDiagonally = jumping(DiagonalMovement.Always);
export const JPFNeverMoveDiagonally = jumping(DiagonalMovement.Never);
export const JPFMoveDiagonallyIfAtMostOneObstacle = jumping(DiagonalMovement.IfAtMostOneObstacle);
export const JPFMoveDiagonallyIfNoObstacles = jumping(DiagonalMovement.OnlyWhenNoObstacles);
/** As versions before 0.4 call it. */
export const OrthogonalJumpPointFinder = JPFNeverMoveDiagonally;
