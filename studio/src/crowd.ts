// Many things of one form in one draw call: each with a place, a size and a colour.

import {
  Color,
  DoubleSide,
  DynamicDrawUsage,
  InstancedMesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type BufferGeometry,
  type Group,
  type Matrix4,
  type Plane,
} from "three";
import type { Rgb } from "./look";
import { behind } from "./space";

export interface Appearance {
  /** Over what comes before; later ones over earlier ones. */
  order: number;
  opacity?: number;
  /** In light, and hidden by what is in front. */
  isLit?: boolean;
  /** Seen through what is in front, dimmed; only of what is lit. */
  isSeenThrough?: boolean;
}

/** Things of one form, each with a place, a size and a colour. */
export class Crowd {
  mesh: InstancedMesh;
  /** The same once more, for where it is hidden. */
  private ghost: InstancedMesh | null = null;
  private readonly geometry: BufferGeometry;
  private readonly material: MeshBasicMaterial | MeshLambertMaterial;
  private readonly dimmed: MeshBasicMaterial | null;
  private readonly group: Group;
  private readonly order: number;

  constructor(group: Group, geometry: BufferGeometry, { order, opacity = 1, isLit = false, isSeenThrough = false }: Appearance) {
    [this.group, this.geometry, this.order] = [group, geometry, order];
    const given = { side: DoubleSide, transparent: opacity < 1 || !isLit, opacity, depthTest: isLit };
    this.material = isLit ? new MeshLambertMaterial(given) : new MeshBasicMaterial(given);
    this.dimmed = isSeenThrough ? behind(opacity / 3) : null;
    this.mesh = this.make(16);
  }

  private make(room: number): InstancedMesh {
    const mesh = new InstancedMesh(this.geometry, this.material, room);
    mesh.instanceMatrix.setUsage(DynamicDrawUsage);
    mesh.frustumCulled = false;
    mesh.renderOrder = this.order;
    mesh.count = 0;
    this.group.add(mesh);
    if (this.dimmed) {
      this.ghost = new InstancedMesh(this.geometry, this.dimmed, room);
      this.ghost.instanceMatrix = mesh.instanceMatrix;
      this.ghost.frustumCulled = false;
      this.ghost.renderOrder = this.order - 1;
      this.ghost.count = 0;
      this.group.add(this.ghost);
    }
    return mesh;
  }

  /** What is above a plane is not shown. */
  clip(plane: Plane): void {
    for (const material of [this.material, this.dimmed]) if (material) material.clippingPlanes = [plane];
  }

  begin(most: number): void {
    if (most > this.mesh.instanceMatrix.count) {
      for (const mesh of [this.mesh, this.ghost]) {
        mesh?.removeFromParent();
        mesh?.dispose();
      }
      this.mesh = this.make(Math.max(most, this.mesh.instanceMatrix.count * 2));
    }
    this.mesh.count = 0;
  }

  add(matrix: Matrix4, [red, green, blue]: Rgb): void {
    const at = this.mesh.count++;
    this.mesh.setMatrixAt(at, matrix);
    this.mesh.setColorAt(at, new Color().setRGB(red / 255, green / 255, blue / 255));
  }

  end(): void {
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
    if (this.ghost) [this.ghost.count, this.ghost.instanceColor] = [this.mesh.count, this.mesh.instanceColor];
  }

  dispose(): void {
    for (const mesh of [this.mesh, this.ghost]) {
      mesh?.removeFromParent();
      mesh?.dispose();
    }
    this.geometry.dispose();
    this.material.dispose();
    this.dimmed?.dispose();
  }
}
