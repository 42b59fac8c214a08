// The types of every entry: compiled, never run. A line after @ts-expect-error has to be a fault.
import { World, type Report } from "wayfare";
import { Simulation } from "wayfare/agents";
import { Simulation as Same } from "wayfare/agents/compat";
import loadAgents from "wayfare/agents/web";
import { World as Compat } from "wayfare/compat";
import { fromFragment, toFragment, type Shared } from "wayfare/link";
import PF, { AStarFinder, DiagonalMovement, Grid, Heap, Heuristic, JumpPointFinder, Util, type Path } from "wayfare/pathfinding";
import { WayfareView } from "wayfare/view";
import init, { algorithms } from "wayfare/web";
import { startEngine, type RemoteWorld } from "wayfare/worker";

export async function worlds(bytes: Uint8Array): Promise<Report[]> {
  await init();
  await init("module.wasm");
  await init({ module_or_path: bytes });
  await loadAgents(new URL("https://example.org/agents.wasm"));
  const worlds = [World.open("a.txt", bytes), Compat.generate("caves", 1)];
  const played: Simulation | Same = Simulation.open("a.toml", bytes);
  played.goTo(algorithms().length);
  return worlds.map((world) => world.solve(...world.ends(), { algorithm: "jps" }));
}

export function paths(): Path {
  const grid = new Grid([[0, 1], [0, 0]]);
  const finder = new AStarFinder({ diagonalMovement: DiagonalMovement.Never, heuristic: (dx, dy) => dx + dy });
  const jumping: JumpPointFinder = new PF.JumpPointFinder({ heuristic: Heuristic.octile });
  grid.getNodeAt(0, 0).walkable = new PF.Grid(2, 2).clone().isWalkableAt(0, 0);
  new Heap<number>((a, b) => a - b).push(1);
  // @ts-expect-error A path is searched on a grid.
  jumping.findPath(0, 0, 1, 1, [[0]]);
  // @ts-expect-error The nodes of a grid stay.
  grid.nodes = [];
  return Util.compressPath(finder.findPath(0, 0, 1, 1, grid));
}

export async function remote(bytes: Uint8Array): Promise<number> {
  const engine = await startEngine();
  const world: RemoteWorld = await engine.open("a.txt", bytes);
  const [start, goal] = await world.ends();
  const { hash, cost } = await world.search(start, goal, {}, { onEvents: ({ count }) => console.log(count), signal: AbortSignal.timeout(5) });
  // @ts-expect-error A search does not leave its thread.
  await world.finish(hash);
  return cost;
}

export function shown(): string | null {
  const view: WayfareView = document.createElement("wayfare-view");
  view.progress = 0.5;
  view.play();
  const reading = fromFragment("#");
  const shared: Shared | null = reading.ok ? reading.shared : null;
  return shared && toFragment(shared);
}
