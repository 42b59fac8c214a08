// The sample worlds of the project. Their files become files of the page.

import cave from "../../worlds/cave.map?url";
import city from "../../worlds/city.map?url";
import courtyard from "../../worlds/courtyard.obj?url";
import drawbridge from "../../worlds/drawbridge.toml?url";
import hills from "../../worlds/hills.toml?url";
import islands from "../../worlds/two-islands.txt?url";
import maze from "../../worlds/maze.txt?url";
import obstacles from "../../worlds/obstacles.toml?url";
import twoExits from "../../worlds/two-exits.toml?url";
import village from "../../worlds/village.tmj?url";
import voxelCave from "../../worlds/voxel-cave.voxels?url";
import voxelVillage from "../../worlds/voxel-village.voxels?url";
import floating from "../../worlds/floating-islands.voxels?url";
import villageGraph from "../../worlds/village.toml?url";
import bottleneck from "../../worlds/bottleneck.toml?url";
import counterflow from "../../worlds/counterflow.toml?url";
import errands from "../../worlds/errands.toml?url";
import guards from "../../worlds/guards.toml?url";
import house from "../../worlds/house.toml?url";
import houseLevel from "../../worlds/house.obj?url";
import square from "../../worlds/square.toml?url";

export interface Sample {
  name: string;
  label: string;
  about: string;
  url: string;
  /** The files that it names. */
  beside: Record<string, string>;
  /** Whether it opens with its agents on their way. */
  hasAgents: boolean;
}

const sample = (name: string, label: string, about: string, url: string): Sample => {
  return { name, label, about, url, beside: {}, hasAgents: false };
};

const scene = (name: string, label: string, about: string, url: string, beside: Record<string, string> = {}): Sample => {
  return { name, label, about, url, beside, hasAgents: true };
};

export const SAMPLES: Sample[] = [
  sample("village.tmj", "Village", "Tiled map with terrain costs", village),
  sample("city.map", "City", "512 × 512 tiles, streets and courtyards", city),
  sample("cave.map", "Cave", "768 × 768 tiles", cave),
  sample("hills.toml", "Hills", "Slopes, and a winding road", hills),
  sample("village.toml", "Village, waypoints", "The village as a graph of 256 points", villageGraph),
  sample("obstacles.toml", "Walled yard", "58 waypoints that link themselves", obstacles),
  sample("courtyard.obj", "Courtyard", "A level of triangles, baked to a mesh", courtyard),
  sample("voxel-village.voxels", "Village of blocks", "Walk, jump and fall, in space", voxelVillage),
  sample("voxel-cave.voxels", "Cave of blocks", "Halls in the rock: cut it open", voxelCave),
  sample("floating-islands.voxels", "Floating islands", "Gaps too wide to jump: ask why", floating),
  sample("two-islands.txt", "Two islands", "No path: ask why", islands),
  sample("maze.txt", "Maze", "Drawn by hand", maze),
  scene("square.toml", "City square", "180 people cross a square and avoid each other", square),
  scene("bottleneck.toml", "Bottleneck", "A crowd leaves through one door", bottleneck),
  scene("counterflow.toml", "Counterflow", "Two crowds meet in a corridor", counterflow),
  scene("two-exits.toml", "Two exits", "A crowd shares its doors", twoExits),
  scene("guards.toml", "Guards and a thief", "Patrols, pursuit, a tunnel and a locked door", guards),
  scene("errands.toml", "Errands", "200 villagers between two towns", errands, { "village.tmj": village }),
  scene("house.toml", "House", "Two storeys, doors and a patrol on a mesh", house, { "house.obj": houseLevel }),
  sample("drawbridge.toml", "Drawbridge", "A scene with links", drawbridge),
];
