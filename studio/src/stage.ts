// The canvas behind all panes: a part of it for each search, and the same view of the map in all.

import { Color, OrthographicCamera, PerspectiveCamera, Vector2, Vector3, WebGLRenderer } from "three";
import type { Look } from "./look";
import type { Spot } from "./maps";
import { drawNumbers, hasNumbers } from "./numbers";
import type { Pane } from "./pane";
import { isInSpace, type Place } from "./space";

/** The diagonal of a box. */
function sizeOf([low, high]: [Place, Place]): number {
  return Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
}

/** A point of the window across a pane: -1 to 1 from left to right, and upwards. */
function across(pane: Pane, clientX: number, clientY: number): Vector2 {
  const box = pane.element.getBoundingClientRect();
  return new Vector2(((clientX - box.left) / box.width) * 2 - 1, 1 - ((clientY - box.top) / box.height) * 2);
}

/** The canvas behind all panes. */
/** What the chip of a pane takes: its counters have two lines in a narrow pane, and are few in a very narrow one. */
function heightOfChip(width: number): number {
  return width > 680 ? 92 : width > 320 ? 116 : 74;
}

export class Stage {
  readonly canvas: HTMLCanvasElement;
  /** What is written over the maps. */
  readonly writing: HTMLCanvasElement;
  panes: Pane[] = [];
  /** The place in the middle of each pane, and the world units a pixel. */
  view = { x: 0, y: 0, unit: 1 };
  /** Maps in space: the place in the middle, and how the camera looks at it; angles in radians. */
  orbit = { target: new Vector3(), distance: 10, yaw: 0.6, pitch: 0.85 };
  private readonly eye = new PerspectiveCamera(40, 1, 0.1, 10_000);
  private readonly renderer: WebGLRenderer;
  private readonly camera = new OrthographicCamera(-1, 1, -1, 1, -1, 1);
  private readonly size = new Vector2();
  private isAsked = false;
  private background = new Color(0);
  frames = 0;

  constructor(canvas: HTMLCanvasElement, writing: HTMLCanvasElement) {
    this.canvas = canvas;
    this.writing = writing;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    // Colours are given as they are shown.
    this.renderer.outputColorSpace = "srgb-linear";
    this.renderer.autoClear = false;
    this.renderer.localClippingEnabled = true;
    let wasUpright: boolean | null = null;
    new ResizeObserver(([{ contentRect }]) => {
      const isUpright = contentRect.height > contentRect.width;
      // A phone that was turned shows the whole map again.
      if (wasUpright !== null && isUpright !== wasUpright) this.fit();
      wasUpright = isUpright;
      this.ask();
    }).observe(canvas.parentElement as Element);
  }

  setLook(look: Look): void {
    const [red, green, blue] = look.background;
    this.background = new Color().setRGB(red / 255, green / 255, blue / 255);
    for (const pane of this.panes) pane.setLook(look);
    this.ask();
  }

  /** Shows the whole map. */
  fit(): void {
    const pane = this.panes[0];
    if (!pane) return;
    if (isInSpace(pane.map)) {
      const [low, [right, top, far]] = pane.map.box;
      this.fitSpace(pane, [low, [right, Math.max(low[1], Math.min(top, pane.map.cut)), far]]);
      return;
    }
    const { width, height } = pane.element.getBoundingClientRect();
    const [left, top, right, bottom] = pane.map.bounds;
    const [margin, above] = [14, Math.min(heightOfChip(width), height * 0.4)];
    this.view.unit = Math.max(
      (right - left) / Math.max(1, width - 2 * margin),
      (bottom - top) / Math.max(1, height - above - margin),
    );
    this.view.x = (left + right) / 2;
    this.view.y = (top + bottom) / 2 - ((above - margin) / 2) * this.view.unit;
    this.ask();
  }

  /** As near as the whole world is seen, below the chip. */
  private fitSpace(pane: Pane, [low, high]: [Place, Place]): void {
    const { width, height } = pane.element.getBoundingClientRect();
    const { orbit } = this;
    const middle = new Vector3(...low).add(new Vector3(...high)).multiplyScalar(0.5);
    const back = new Vector3(Math.sin(orbit.yaw) * Math.cos(orbit.pitch), Math.sin(orbit.pitch), Math.cos(orbit.yaw) * Math.cos(orbit.pitch));
    const right = new Vector3(Math.cos(orbit.yaw), 0, -Math.sin(orbit.yaw));
    const up = new Vector3().crossVectors(back, right);
    // What a pane shows to each side of its middle, a length away from the camera; below the chip.
    const tall = Math.tan((this.eye.fov * Math.PI) / 360);
    const wide = (tall * width) / Math.max(1, height);
    const chip = (2 * Math.min(heightOfChip(width), height / 4)) / Math.max(1, height);
    const corners = [low[0], high[0]].flatMap((x) => [low[1], high[1]].flatMap((y) => [low[2], high[2]].map((z) => new Vector3(x, y, z))));
    let distance = 2 * sizeOf([low, high]);
    // What is near looks larger: the middle of what is seen is not that of the world.
    for (let turn = 0; turn < 12; turn++) {
      const [xs, ys]: [number[], number[]] = [[], []];
      for (const corner of corners) {
        const from = corner.clone().sub(middle);
        const away = Math.max(distance * 0.05, distance - from.dot(back));
        xs.push(from.dot(right) / away);
        ys.push(from.dot(up) / away);
      }
      const [left, end, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const share = Math.max((end - left) / (1.92 * wide), (top - bottom) / (tall * (1.92 - chip)));
      middle.addScaledVector(right, (distance * (left + end)) / 2).addScaledVector(up, distance * ((bottom + top) / 2 + (tall * chip) / 2));
      distance *= share;
    }
    orbit.distance = Math.max(distance, 1);
    orbit.target.copy(middle);
    this.ask();
  }

  /** Nearer by a factor, about a place that stays where it is. */
  zoom(factor: number, about: Spot): void {
    const pane = this.panes[0];
    if (!pane) return;
    if (isInSpace(pane.map)) {
      const size = sizeOf(pane.map.box);
      this.orbit.distance = Math.max(Math.min(3, size / 8), Math.min(size * 4, this.orbit.distance / factor));
      this.ask();
      return;
    }
    const [left, top, right, bottom] = pane.map.bounds;
    const most = Math.max(right - left, bottom - top);
    const unit = Math.max(most / 60_000, Math.min(most / 60, this.view.unit / factor));
    const by = unit / this.view.unit;
    this.view.x = about[0] + (this.view.x - about[0]) * by;
    this.view.y = about[1] + (this.view.y - about[1]) * by;
    this.view.unit = unit;
    this.ask();
  }

  /** Goes round a map in space, by pixels. */
  turn(byX: number, byY: number): void {
    this.orbit.yaw -= byX * 0.008;
    this.orbit.pitch = Math.max(0.08, Math.min(1.55, this.orbit.pitch + byY * 0.008));
    this.ask();
  }

  /** Moves a map in space across the window, by pixels. */
  shift(byX: number, byY: number): void {
    const { target, distance, yaw } = this.orbit;
    const step = (distance * 0.73) / Math.max(1, this.canvas.clientHeight);
    target.x -= (Math.cos(yaw) * byX + Math.sin(yaw) * byY) * step;
    target.z -= (Math.cos(yaw) * byY - Math.sin(yaw) * byX) * step;
    this.ask();
  }

  /** The camera of a pane that shows a map in space. */
  private look3(pane: Pane): PerspectiveCamera {
    const { target, distance, yaw, pitch } = this.orbit;
    const box = pane.element.getBoundingClientRect();
    const flat = Math.cos(pitch) * distance;
    this.eye.position.set(
      target.x + Math.sin(yaw) * flat,
      target.y + Math.sin(pitch) * distance,
      target.z + Math.cos(yaw) * flat,
    );
    this.eye.lookAt(target);
    this.eye.aspect = box.width / Math.max(1, box.height);
    this.eye.far = distance * 6;
    this.eye.updateProjectionMatrix();
    this.eye.updateMatrixWorld();
    return this.eye;
  }

  /** The place on the ground of a map in space that is under a point of the window. */
  placeUnder(pane: Pane, clientX: number, clientY: number): Place | null {
    if (!isInSpace(pane.map)) return null;
    return pane.map.hit(this.look3(pane), across(pane, clientX, clientY));
  }

  /** The state under a point of the window; -1 for none. */
  stateUnder(pane: Pane, clientX: number, clientY: number, spot: Spot): number {
    if (!isInSpace(pane.map)) return pane.map.stateAt(spot);
    return pane.map.stateUnder(this.look3(pane), across(pane, clientX, clientY));
  }

  /** The point of the window at which a place in space is. */
  project(pane: Pane, place: Place): [number, number] {
    const box = pane.element.getBoundingClientRect();
    const at = new Vector3(...place).project(this.look3(pane));
    return [box.left + ((at.x + 1) / 2) * box.width, box.top + ((1 - at.y) / 2) * box.height];
  }

  pan(byX: number, byY: number): void {
    this.view.x -= byX * this.view.unit;
    this.view.y -= byY * this.view.unit;
    this.ask();
  }

  /** The pane under a point of the window, and the place on its map. */
  under(clientX: number, clientY: number): { pane: Pane; spot: Spot } | null {
    for (const pane of this.panes) {
      const box = pane.element.getBoundingClientRect();
      if (clientX < box.left || clientX > box.right || clientY < box.top || clientY > box.bottom) continue;
      const x = this.view.x + (clientX - box.left - box.width / 2) * this.view.unit;
      const y = this.view.y + (clientY - box.top - box.height / 2) * this.view.unit;
      return { pane, spot: [x, y] };
    }
    return null;
  }

  /** The point of the window at which a place of a pane's map is. */
  over(pane: Pane, [x, y]: Spot): [number, number] {
    const box = pane.element.getBoundingClientRect();
    return [
      box.left + box.width / 2 + (x - this.view.x) / this.view.unit,
      box.top + box.height / 2 + (y - this.view.y) / this.view.unit,
    ];
  }

  /** Draws before the next frame. */
  ask(): void {
    if (this.isAsked) return;
    this.isAsked = true;
    requestAnimationFrame(() => {
      this.isAsked = false;
      this.draw();
    });
  }

  draw(): void {
    const { renderer, camera, view, canvas } = this;
    const whole = (canvas.parentElement as Element).getBoundingClientRect();
    const size = renderer.getSize(this.size);
    if (size.x !== whole.width || size.y !== whole.height) {
      renderer.setSize(whole.width, whole.height, false);
    }
    renderer.setScissorTest(false);
    renderer.setClearColor(this.background, 1);
    renderer.clear();
    renderer.setScissorTest(true);
    for (const pane of this.panes) {
      const box = pane.element.getBoundingClientRect();
      if (box.width < 2 || box.height < 2) continue;
      const bottom = whole.bottom - box.bottom;
      renderer.setViewport(box.left - whole.left, bottom, box.width, box.height);
      renderer.setScissor(box.left - whole.left, bottom, box.width, box.height);
      if (isInSpace(pane.map)) {
        pane.cutAt(pane.map.cut);
        renderer.render(pane.scene, this.look3(pane));
        continue;
      }
      camera.left = view.x - (box.width / 2) * view.unit;
      camera.right = view.x + (box.width / 2) * view.unit;
      camera.top = view.y - (box.height / 2) * view.unit;
      camera.bottom = view.y + (box.height / 2) * view.unit;
      camera.updateProjectionMatrix();
      pane.setUnit(view.unit);
      renderer.render(pane.scene, camera);
    }
    this.write();
    this.frames++;
  }

  /** Whether something is written over the maps. */
  private isWritten = false;

  private write(): void {
    const { writing, canvas } = this;
    const panes = this.panes.filter((pane) => hasNumbers(this, pane));
    if (panes.length === 0 && !this.isWritten) return;
    this.isWritten = panes.length > 0;
    if (writing.width !== canvas.width || writing.height !== canvas.height) [writing.width, writing.height] = [canvas.width, canvas.height];
    const context = writing.getContext("2d");
    if (!context) return;
    const scale = canvas.width / Math.max(1, canvas.clientWidth);
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    for (const pane of panes) drawNumbers(context, this, pane);
  }
}
