// Worlds of blocks, in space. The camera goes round the world; blocks from a height on can be cut
// away; the states that a search touched are small cubes between them.

import {
  AmbientLight,
  BoxGeometry,
  Color,
  DirectionalLight,
  DynamicDrawUsage,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type PerspectiveCamera,
  Raycaster,
  type Scene,
  type Vector2,
} from "three";
import type { BlockShape } from "wayfare";
import { groundColour, type Look, type Rgb } from "./look";
import type { Spot } from "./maps";
import { behind, boxAbout, colourOf, type Place, type SpaceMap, Stops, Way } from "./space";

const NOWHERE = new Matrix4().makeScale(0, 0, 0);

export class BlockMap implements SpaceMap {
  readonly bounds: [number, number, number, number];
  readonly box: [Place, Place];
  readonly pitch = 1;
  readonly shape: BlockShape;
  private scene: Scene | null = null;
  private readonly lights = [new AmbientLight(0xffffff, 1.5), new DirectionalLight(0xffffff, 1.7)];
  private readonly solid: InstancedMesh;
  private readonly seeThrough: InstancedMesh;
  private readonly cubes: InstancedMesh[] = [];
  private states: InstancedMesh | null = null;
  /** The same cubes, for where walls hide them. */
  private hidden: InstancedMesh | null = null;
  /** For each touched state its number among the small cubes. */
  private numbers = new Map<number, number>();
  private places: Float32Array = new Float32Array(0);
  private readonly way = new Way(0.24);
  private readonly stops = new Stops(0.3);
  /** For each cube of a state the state. */
  private touched: Uint32Array = new Uint32Array(0);
  /** Blocks at this height and above are not shown. */
  cut = Infinity;

  constructor(shape: BlockShape, look: Look) {
    this.shape = shape;
    const [width, , depth] = shape.size;
    this.box = boxAbout(shape.places, 1) ?? [[0, 0, 0], [...shape.size]];
    this.bounds = [0, 0, width, depth];
    const box = new BoxGeometry(1, 1, 1);
    const opaque: number[] = [];
    const clear: number[] = [];
    shape.kinds.forEach((kind, block) => (shape.grounds[kind].is_open ? clear : opaque).push(block));
    const mesh = (blocks: number[], isClear: boolean) => {
      const material = new MeshLambertMaterial({ transparent: isClear, opacity: isClear ? 0.6 : 1 });
      const instanced = new InstancedMesh(box, material, Math.max(1, blocks.length));
      instanced.count = blocks.length;
      instanced.userData.blocks = blocks;
      instanced.frustumCulled = false;
      instanced.renderOrder = isClear ? 2 : 0;
      this.cubes.push(instanced);
      return instanced;
    };
    this.solid = mesh(opaque, false);
    this.seeThrough = mesh(clear, true);
    this.lights[1].position.set(0.6, 1, 0.35);
    this.setLook(look);
    this.setCut(Infinity);
  }

  addTo(scene: Scene): void {
    this.scene = scene;
    scene.add(...this.lights, this.solid, this.seeThrough, this.way.group, this.stops.group);
    if (this.states && this.hidden) scene.add(this.states, this.hidden);
  }

  setLook(look: Look): void {
    for (const cubes of this.cubes) {
      (cubes.userData.blocks as number[]).forEach((block, number) => {
        const ground = this.shape.grounds[this.shape.kinds[block]];
        // Walls are what one stands on here: the floor's colour, or their own.
        const colour = groundColour({ ...ground, is_open: true }, look);
        cubes.setColorAt(number, colourOf(colour));
      });
      if (cubes.instanceColor) cubes.instanceColor.needsUpdate = true;
    }
    this.way.setLook(look);
    this.stops.setLook(look);
  }

  /** Shows the blocks below a height. */
  setCut(cut: number): void {
    this.cut = cut;
    const at = new Matrix4();
    for (const cubes of this.cubes) {
      (cubes.userData.blocks as number[]).forEach((block, number) => {
        const [x, y, z] = this.shape.places.subarray(block * 3, block * 3 + 3);
        const high = this.heightOf(block);
        at.makeScale(1, high, 1).setPosition(x + 0.5, y + high / 2, z + 0.5);
        cubes.setMatrixAt(number, y < cut ? at : NOWHERE);
      });
      cubes.instanceMatrix.needsUpdate = true;
      cubes.computeBoundingSphere();
    }
  }

  /** The part of its place that a block fills. On a lower one agents stand in that place. */
  private heightOf(block: number): number {
    return this.shape.grounds[this.shape.kinds[block]].height;
  }

  /** Tells the places of the states that a search touches. */
  setStates(states: Uint32Array, places: Float32Array): void {
    this.dropStates();
    this.numbers = new Map();
    this.touched = states;
    states.forEach((state, number) => this.numbers.set(state, number));
    this.places = places;
    this.states = new InstancedMesh(new BoxGeometry(0.34, 0.34, 0.34), new MeshBasicMaterial(), Math.max(1, states.length));
    this.states.count = states.length;
    this.states.frustumCulled = false;
    this.states.instanceMatrix.setUsage(DynamicDrawUsage);
    for (let number = 0; number < states.length; number++) this.states.setColorAt(number, new Color(0));
    this.hidden = new InstancedMesh(this.states.geometry, behind(0.14), 1);
    // They are where the others are, and of their colours.
    this.hidden.instanceMatrix = this.states.instanceMatrix;
    this.hidden.instanceColor = this.states.instanceColor;
    this.hidden.count = states.length;
    this.hidden.frustumCulled = false;
    this.hidden.renderOrder = 4;
    this.clear();
    this.scene?.add(this.states, this.hidden);
  }

  private dropStates(): void {
    for (const cubes of [this.states, this.hidden]) {
      cubes?.removeFromParent();
      (cubes?.material as MeshBasicMaterial | undefined)?.dispose();
    }
    this.states?.geometry.dispose();
    this.states?.dispose();
    [this.states, this.hidden] = [null, null];
  }

  setUnit(): void {}

  tint(state: number, colour: Rgb | null): void {
    const number = this.numbers.get(state);
    if (number === undefined || !this.states) return;
    if (!colour) {
      this.states.setMatrixAt(number, NOWHERE);
      return;
    }
    const [x, y, z] = this.places.subarray(number * 3, number * 3 + 3);
    this.states.setMatrixAt(number, new Matrix4().makeTranslation(x, y, z));
    this.states.setColorAt(number, colourOf(colour));
  }

  clear(): void {
    for (const number of this.numbers.values()) this.states?.setMatrixAt(number, NOWHERE);
  }

  flush(): void {
    if (!this.states) return;
    this.states.instanceMatrix.needsUpdate = true;
    if (this.states.instanceColor) this.states.instanceColor.needsUpdate = true;
    // Rays look there.
    this.states.boundingSphere = null;
  }

  setRoute(places: Place[]): void {
    this.way.setRoute(places);
  }

  setEnds(ends: [Place, Place] | null): void {
    this.way.setEnds(ends);
  }

  isUnderRoof([x, y, z]: Place): boolean {
    const { places, kinds, grounds } = this.shape;
    const [column, row] = [Math.floor(x), Math.floor(z)];
    return kinds.some((kind, block) => {
      const at = block * 3;
      return places[at] === column && places[at + 2] === row && places[at + 1] > y && !grounds[kind].is_open;
    });
  }

  /** The block above the one that a ray hits: where an agent would stand. */
  hit(camera: PerspectiveCamera, at: Vector2): Place | null {
    const ray = new Raycaster();
    ray.setFromCamera(at, camera);
    const [first] = ray.intersectObjects([this.solid], false);
    if (!first || first.instanceId === undefined) return null;
    const block = (this.solid.userData.blocks as number[])[first.instanceId];
    const [x, y, z] = this.shape.places.subarray(block * 3, block * 3 + 3);
    return [x, y + Math.floor(this.heightOf(block)), z];
  }

  setBreaks(places: Place[]): void {
    this.stops.set(places);
  }

  /** The state whose cube a ray hits before any block, else the one above that block. */
  stateUnder(camera: PerspectiveCamera, at: Vector2): number {
    const { states } = this;
    if (!states) return -1;
    const ray = new Raycaster();
    ray.setFromCamera(at, camera);
    const [first] = ray.intersectObjects([this.solid, states], false);
    if (first?.instanceId === undefined) return -1;
    if (first.object === states) return this.touched[first.instanceId] ?? -1;
    const block = (this.solid.userData.blocks as number[])[first.instanceId];
    const [x, y, z] = this.shape.places.subarray(block * 3, block * 3 + 3);
    return this.stateOver(x, y + Math.floor(this.heightOf(block)), z);
  }

  /** The touched state in a block's place; -1 if there is none. */
  private stateOver(x: number, y: number, z: number): number {
    for (let number = 0; number < this.touched.length; number++) {
      const at = this.places.subarray(number * 3, number * 3 + 3);
      if (Math.floor(at[0]) === x && Math.floor(at[1]) === y && Math.floor(at[2]) === z) return this.touched[number];
    }
    return -1;
  }

  spot(): Spot | null {
    return null;
  }

  stateAt(): number {
    return -1;
  }

  dispose(): void {
    for (const cubes of this.cubes) {
      cubes.dispose();
      (cubes.material as MeshLambertMaterial).dispose();
    }
    this.cubes[0].geometry.dispose();
    this.dropStates();
    this.way.dispose();
    this.stops.dispose();
  }
}
