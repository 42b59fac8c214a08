// A world and a search from above, on a canvas. Numbers are x and z in world units.

const LIGHT = { background: "#eceae4", floor: "#fbfaf7", wall: "#4b4f57", closed: ["#c9dcf5", "#8fb6ea"], path: "#d9730d", edge: "#ffffff", start: "#1d2126", line: "#6d7782" };
const DARK = { background: "#101317", floor: "#232931", wall: "#0b0d10", closed: ["#274472", "#3f78c4"], path: "#ffc145", edge: "#15110a", start: "#f4f6f8", line: "#8fa1b5" };
/** Steps of colour from the state expanded first to the one expanded last. */
const SHADES = 32;

/** What is drawn of a world: `draw` puts it on a canvas, up to a part of the search. */
export async function picture(world, expanded, path, ends) {
  const shape = await world.shape();
  const flat = async (states) => pairs(await world.positions(states));
  const [line, marks] = [await flat(path), await flat(ends)];
  const ground = await GROUNDS[shape.kind](shape, world);
  // Polygons are filled, all else is a mark of one size.
  const at = ground.polygon ? null : await flat(expanded);
  const area = bounds([ground.points, line, marks]);
  let memory = null;

  return {
    draw(canvas, part, isDark) {
      const count = Math.round(part * expanded.length);
      const key = `${canvas.width} ${canvas.height} ${isDark}`;
      const isSame = memory?.key === key && memory.count <= count;
      if (!isSame) memory = layers(canvas, key, ground, area, isDark ? DARK : LIGHT);
      const { base, over, colours, place, scale } = memory;
      for (let one = memory.count; one < count; one++) {
        over.fillStyle = shade(colours.closed, one / expanded.length);
        if (ground.polygon) {
          trace(over, ground.polygon(expanded[one]), place);
          over.fill();
          continue;
        }
        // Whole pixels: no seams between the marks.
        const [x, y] = place(at[2 * one], at[2 * one + 1]);
        const half = Math.max(ground.mark * scale, 1) / 2;
        const [left, top] = [Math.round(x - half), Math.round(y - half)];
        over.fillRect(left, top, Math.round(x + half) - left, Math.round(y + half) - top);
      }
      memory.count = count;
      const sheet = canvas.getContext("2d");
      sheet.drawImage(base, 0, 0);
      sheet.drawImage(over.canvas, 0, 0);
      if (part === 1 && line.length > 2) {
        sheet.lineCap = sheet.lineJoin = "round";
        for (const [width, colour] of [[5, colours.edge], [3, colours.path]]) {
          sheet.lineWidth = width * Math.max(canvas.width / 600, 1);
          sheet.strokeStyle = colour;
          trace(sheet, line, place);
          sheet.stroke();
        }
      }
      for (const [end, colour] of [[0, colours.start], [1, colours.path]]) {
        const [x, y] = place(marks[2 * end], marks[2 * end + 1]);
        dot(sheet, x, y, Math.max(canvas.width / 120, 4), colour, colours.edge);
      }
    },
  };
}

/** The drawing of the ground, an empty one for the search, and where a point is on both. */
function layers({ width, height }, key, ground, [[left, top], [right, bottom]], colours) {
  const scale = Math.min(width / (right - left || 1), height / (bottom - top || 1)) * 0.96;
  const [dx, dy] = [width / 2 - ((left + right) / 2) * scale, height / 2 - ((top + bottom) / 2) * scale];
  const place = (x, y) => [x * scale + dx, y * scale + dy];
  const [base, over] = [new OffscreenCanvas(width, height), new OffscreenCanvas(width, height).getContext("2d")];
  const sheet = base.getContext("2d");
  sheet.fillStyle = colours.background;
  sheet.fillRect(0, 0, width, height);
  ground.draw(sheet, place, scale, colours);
  return { key, base, over, colours, place, scale, count: 0 };
}

const GROUNDS = {
  /** Cells as an image, a pixel each, stretched. */
  async cells({ width, height, first, stride, ground, grounds }, world) {
    const corner = pairs(await world.positions(Uint32Array.of(first, first + (height - 1) * stride + width - 1)));
    const size = width > 1 ? (corner[2] - corner[0]) / (width - 1) : height > 1 ? (corner[3] - corner[1]) / (height - 1) : 1;
    const [x, y] = [corner[0] - size / 2, corner[1] - size / 2];
    return {
      points: Float32Array.of(x, y, x + width * size, y + height * size),
      mark: size,
      draw(sheet, place, scale, colours) {
        const image = new ImageData(width, height);
        const isPlain = grounds.filter((one) => one.is_open).length <= 1;
        const table = grounds.map(({ colour, is_open }) => (isPlain ? bytes(is_open ? colours.floor : colours.wall) : colour));
        ground.forEach((one, cell) => image.data.set([...table[one], 255], cell * 4));
        const small = new OffscreenCanvas(width, height);
        small.getContext("2d").putImageData(image, 0, 0);
        sheet.imageSmoothingEnabled = false;
        sheet.drawImage(small, ...place(x, y), width * size * scale, height * size * scale);
      },
    };
  },

  async points({ places, links, outlines }) {
    const points = pairs(places);
    const [[left, top], [right, bottom]] = bounds([points]);
    return {
      points,
      mark: (Math.hypot(right - left, bottom - top) / Math.sqrt(points.length / 2 || 1)) * 0.2,
      draw(sheet, place, scale, colours) {
        sheet.fillStyle = colours.wall;
        for (const { corners } of outlines) {
          trace(sheet, corners, place);
          sheet.fill();
        }
        sheet.strokeStyle = colours.line;
        sheet.beginPath();
        for (let link = 0; link < links.length; link += 2) {
          sheet.moveTo(...place(points[2 * links[link]], points[2 * links[link] + 1]));
          sheet.lineTo(...place(points[2 * links[link + 1]], points[2 * links[link + 1] + 1]));
        }
        sheet.stroke();
      },
    };
  },

  async polygons({ vertices, corners, ends }) {
    const points = pairs(vertices);
    const outline = (number) => {
      const own = corners.subarray(ends[number - 1] ?? 0, ends[number]);
      return Float32Array.from({ length: own.length * 2 }, (_, at) => points[2 * own[at >> 1] + (at & 1)]);
    };
    return {
      points,
      mark: 1,
      polygon: outline,
      draw(sheet, place, scale, colours) {
        sheet.fillStyle = colours.floor;
        sheet.strokeStyle = colours.line;
        for (let number = 0; number < ends.length; number++) {
          trace(sheet, outline(number), place);
          sheet.closePath();
          sheet.fill();
          sheet.stroke();
        }
      },
    };
  },

  /** The highest block of each column. */
  async blocks({ places, kinds, grounds }) {
    const tops = new Map();
    for (let block = 0; block < kinds.length; block++) {
      const [x, height, z] = places.subarray(block * 3, block * 3 + 3);
      const known = tops.get(`${x},${z}`);
      if (!known || known.height < height) tops.set(`${x},${z}`, { x, height, z, colour: grounds[kinds[block]].colour });
    }
    const columns = [...tops.values()];
    return {
      points: Float32Array.from(columns.flatMap(({ x, z }) => [x, z, x + 1, z + 1])),
      mark: 1,
      draw(sheet, place, scale) {
        for (const { x, z, colour } of columns) {
          sheet.fillStyle = `rgb(${colour.join()})`;
          sheet.fillRect(...place(x, z), scale + 0.5, scale + 0.5);
        }
      },
    };
  },
};

/** x and z of x, height, z. */
function pairs(places) {
  return Float32Array.from({ length: (places.length / 3) * 2 }, (_, at) => places[(at >> 1) * 3 + (at & 1) * 2]);
}

function bounds(lists) {
  const [least, most] = [[Infinity, Infinity], [-Infinity, -Infinity]];
  for (const list of lists) {
    list.forEach((value, at) => {
      least[at & 1] = Math.min(least[at & 1], value);
      most[at & 1] = Math.max(most[at & 1], value);
    });
  }
  return [least, most];
}

function trace(sheet, points, place) {
  sheet.beginPath();
  for (let at = 0; at < points.length; at += 2) sheet.lineTo(...place(points[at], points[at + 1]));
}

function dot(sheet, x, y, radius, colour, edge) {
  sheet.beginPath();
  sheet.arc(x, y, radius, 0, 7);
  sheet.fillStyle = colour;
  sheet.fill();
  sheet.lineWidth = radius / 3;
  sheet.strokeStyle = edge;
  sheet.stroke();
}

function bytes(hex) {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function shade([from, to], part) {
  const step = Math.floor(part * SHADES) / SHADES;
  const [a, b] = [bytes(from), bytes(to)];
  return `rgb(${a.map((value, at) => Math.round(value + (b[at] - value) * step)).join()})`;
}
