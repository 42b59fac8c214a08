// Lines with round ends, and dots, as wide on the screen as they say: one draw call for all.

import {
  BufferAttribute,
  DoubleSide,
  GLSL3,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  NormalBlending,
  RawShaderMaterial,
} from "three";
import type { Rgb } from "./look";

export interface Stroke {
  from: [number, number];
  to: [number, number];
  /** In pixels. */
  radius: number;
  colour: Rgb;
  /** 0 to 1. */
  alpha?: number;
}

const VERTEX = `
precision highp float;
uniform mat4 projectionMatrix, viewMatrix;
uniform float unit; // world units a pixel
in vec3 position; // a corner of the unit square
in vec4 ends;
in float radius;
in vec4 colour;
out vec2 at;
flat out vec2 along;
flat out float reach;
flat out vec4 tint;
void main() {
  vec2 way = ends.zw - ends.xy;
  float far = length(way);
  vec2 x = far > 0.0 ? way / far : vec2(1.0, 0.0);
  vec2 y = vec2(-x.y, x.x);
  float wide = (radius + 1.0) * unit;
  vec2 place = ends.xy + x * mix(-wide, far + wide, position.x) + y * mix(-wide, wide, position.y);
  at = vec2(dot(place - ends.xy, x), dot(place - ends.xy, y)) / unit;
  along = vec2(far / unit, 0.0);
  reach = radius;
  tint = colour;
  gl_Position = projectionMatrix * viewMatrix * vec4(place, 0.0, 1.0);
}`;

const FRAGMENT = `
precision highp float;
in vec2 at;
flat in vec2 along;
flat in float reach;
flat in vec4 tint;
out vec4 result;
void main() {
  float x = at.x - clamp(at.x, 0.0, along.x);
  float cover = clamp(reach + 0.5 - length(vec2(x, at.y)), 0.0, 1.0);
  if (cover <= 0.0) discard;
  result = vec4(tint.rgb, tint.a * cover);
}`;

/** What each stroke is an instance of. */
function square(): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  const corners = new Float32Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0]);
  geometry.setAttribute("position", new BufferAttribute(corners, 3));
  geometry.instanceCount = 0;
  return geometry;
}

export class Strokes {
  readonly mesh: Mesh;
  private geometry = square();
  private readonly material: RawShaderMaterial;
  private room = 0;
  private colours: Float32Array = new Float32Array(0);

  constructor(order: number) {
    this.material = new RawShaderMaterial({
      glslVersion: GLSL3,
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: { unit: { value: 1 } },
      // Rows run downwards, so that corners go round the other way.
      side: DoubleSide,
      transparent: true,
      depthTest: false,
      depthWrite: false,
      blending: NormalBlending,
    });
    this.mesh = new Mesh(this.geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
  }

  /** World units a pixel. */
  set unit(unit: number) {
    this.material.uniforms.unit.value = unit;
  }

  set(strokes: Stroke[]): void {
    if (strokes.length > this.room) {
      this.room = Math.max(16, strokes.length, this.room * 2);
      // three.js keeps the room that a geometry had when it was drawn first: a new one.
      this.geometry.dispose();
      this.geometry = square();
      this.mesh.geometry = this.geometry;
      this.colours = new Float32Array(this.room * 4);
      this.geometry.setAttribute("ends", new InstancedBufferAttribute(new Float32Array(this.room * 4), 4));
      this.geometry.setAttribute("radius", new InstancedBufferAttribute(new Float32Array(this.room), 1));
      this.geometry.setAttribute("colour", new InstancedBufferAttribute(this.colours, 4));
    }
    this.geometry.instanceCount = strokes.length;
    if (strokes.length === 0) return;
    const ends = this.geometry.getAttribute("ends") as InstancedBufferAttribute;
    const radius = this.geometry.getAttribute("radius") as InstancedBufferAttribute;
    strokes.forEach((stroke, index) => {
      ends.setXYZW(index, stroke.from[0], stroke.from[1], stroke.to[0], stroke.to[1]);
      radius.setX(index, stroke.radius);
      this.colour(index, stroke.colour, stroke.alpha ?? 1);
    });
    ends.needsUpdate = true;
    radius.needsUpdate = true;
    this.flush();
  }

  colour(index: number, [red, green, blue]: Rgb, alpha: number): void {
    this.colours.set([red / 255, green / 255, blue / 255, alpha], index * 4);
  }

  flush(): void {
    if (this.room > 0) (this.geometry.getAttribute("colour") as InstancedBufferAttribute).needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    this.material.dispose();
  }
}
