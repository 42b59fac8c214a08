export * from "./pkg/wayfare_web.js";
export {
  Simulation,
  type AgentAbout,
  type Agents,
  type Limits,
  type PlannerAbout,
  type SceneAbout,
  type Scenery,
} from "./pkg/wayfare_web_agents.js";
