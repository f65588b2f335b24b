// A segmenter that sees nothing but the picture of a page: it cuts at the widest stripes of one colour.
// Input: a PNG on the standard input. Output: JSON, a list of {"rectangle": [left, top, right, bottom], "level": n}.
const zlib = require("node:zlib");
const chunks = [];
process.stdin.on("data", (chunk) => chunks.push(chunk));
process.stdin.on("end", () => console.log(JSON.stringify(segments(pixels(Buffer.concat(chunks))))));

const GAP = 14; // the least height or width of a stripe, in pixels
const DEPTH = 6; // cuts inside of cuts

function pixels(png) {
  const data = [];
  let width, height, size;
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const name = png.toString("latin1", at + 4, at + 8);
    const body = png.subarray(at + 8, at + 8 + length);
    if (name === "IHDR") {
      [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)];
      size = { 0: 1, 2: 3, 6: 4 }[body[9]];
      if (body[8] !== 8 || !size || body[12]) throw new Error("only PNG with 8 bits per channel, not interlaced");
    } else if (name === "IDAT") data.push(body);
    at += length + 12;
  }
  const raw = zlib.inflateSync(Buffer.concat(data));
  const row = width * size;
  const out = Buffer.alloc(row * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (row + 1)];
    for (let x = 0; x < row; x++) {
      const left = x >= size ? out[y * row + x - size] : 0;
      const up = y ? out[(y - 1) * row + x] : 0;
      const corner = y && x >= size ? out[(y - 1) * row + x - size] : 0;
      const p = left + up - corner;
      const [a, b, c] = [Math.abs(p - left), Math.abs(p - up), Math.abs(p - corner)];
      const paeth = a <= b && a <= c ? left : b <= c ? up : corner;
      out[y * row + x] = raw[y * (row + 1) + 1 + x] + [0, left, up, (left + up) >> 1, paeth][filter];
    }
  }
  return { width, height, same: (x, y, u, v) => out.compare(out, v * row + u * size, v * row + (u + 1) * size,
    y * row + x * size, y * row + (x + 1) * size) === 0 };
}

function segments(picture) {
  const found = [];
  const blank = (from, to, at, down) => {
    for (let i = from + 1; i < to; i++) if (!picture.same(...(down ? [from, at, i, at] : [at, from, at, i]))) return false;
    return true;
  };
  function divide(left, top, right, bottom, level, misses) {
    const down = (level + misses) % 2 === 1; // rows first, then columns, by turns
    const [from, to, low, high] = down ? [left, right, top, bottom] : [top, bottom, left, right];
    const runs = [];
    let stripe = GAP;
    for (let at = low; at < high; at++) {
      if (blank(from, to, at, down)) stripe++;
      else {
        if (stripe >= GAP) runs.push([at, at + 1]);
        else runs.at(-1)[1] = at + 1;
        stripe = 0;
      }
    }
    for (const [start, stop] of runs) {
      const box = down ? [left, start, right, stop] : [start, top, stop, bottom];
      if (runs.length === 1) return misses ? undefined : divide(...box, level, 1);
      found.push({ rectangle: box, level });
      if (level < DEPTH) divide(...box, level + 1, 0);
    }
  }
  divide(0, 0, picture.width, picture.height, 1, 0);
  return found;
}
