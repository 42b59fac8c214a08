import { World } from "wayfare";

const world = World.generate("caves", 5, "[caves]\nwidth = 96\nheight = 64\n");
const [start, goal] = world.ends();

const [first, second] = ["astar", "dijkstra"].map((algorithm) => {
  return world.finish(world.search(start, goal, { algorithm })).expanded;
});
console.log(`${first} against ${second} expanded`);
