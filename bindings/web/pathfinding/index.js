// The API of PathFinding.js 0.4.18 (https://github.com/qiao/PathFinding.js, MIT) over the engine:
// its names, arguments and defaults. The code is Wayfare's.
import * as finders from "./finders.js";
import { DiagonalMovement, Grid, Node } from "./grid.js";
import { Heap } from "./heap.js";
import { Heuristic } from "./heuristic.js";
import * as Util from "./util.js";

export * from "./finders.js";
export { DiagonalMovement, Grid, Heap, Heuristic, Node, Util };
export default { ...finders, DiagonalMovement, Grid, Heap, Heuristic, Node, Util };
