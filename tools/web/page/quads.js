// Draws very many sprites by WebGL2: an instanced quad each, from one texture that holds every pose.
import { ANGLES, draw } from "./pose.js";

/** The side of a pose in the texture. A power of 2, so that smaller levels of the texture do not mix poses. */
export const CELL = 64;
/** Poses in a row of the texture. */
const COLUMNS = 32;

/** A quad around the pixel that a sprite snaps to, with the pose of its angle: both as masks are drawn. */
const SPRITE = `#version 300 es
layout(location = 0) in vec4 sprite; // x, y, angle, and 2 times the kind, with 1 more if it touches another one
uniform vec2 corner, offset, size, texels; uniform float zoom;
out vec2 at; flat out float touches;
void main() {
  int turn = int(mod(floor(sprite.z * ${ANGLES / (2 * Math.PI)} + 0.5), ${ANGLES}.0));
  int pose = int(sprite.w) / 2 * ${ANGLES} + turn;
  vec2 side = vec2(gl_VertexID & 1, gl_VertexID >> 1) * ${CELL}.0;
  vec2 onScreen = (floor(sprite.xy + 0.5) - ${CELL / 2}.0 + side - corner) * zoom + offset;
  gl_Position = vec4((onScreen / size * 2.0 - 1.0) * vec2(1, -1), 0, 1);
  at = (vec2(pose % ${COLUMNS}, pose / ${COLUMNS}) * ${CELL}.0 + side) / texels;
  touches = mod(sprite.w, 2.0);
}`;
/** A sprite that touches another one has an edge, and is tinted. */
const PIXEL = `#version 300 es
precision highp float;
uniform sampler2D poses; uniform vec3 edge; uniform float zoom;
in vec2 at; flat in float touches; out vec4 color;
void main() {
  vec4 texel = texture(poses, at);
  float inside = min(
    min(textureOffset(poses, at, ivec2(1, 0)).a, textureOffset(poses, at, ivec2(-1, 0)).a),
    min(textureOffset(poses, at, ivec2(0, 1)).a, textureOffset(poses, at, ivec2(0, -1)).a));
  // From afar a sprite is less than a pixel.
  if (texel.a < min(0.5, 4.0 * zoom)) discard;
  float tint = touches * (inside < 0.5 ? 1.0 : 0.15);
  color = vec4(mix(texel.rgb / texel.a, edge, tint), 1);
}`;
/** A triangle over the whole canvas, in one color. */
const COVER = `#version 300 es
void main() { gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0, 1); }`;
const FLAT = `#version 300 es
precision highp float;
uniform vec3 shared; out vec4 color;
void main() { color = vec4(shared, 1); }`;

export class Quads {
  #gl;
  #sprites;
  #cover;
  #seen = new Float32Array(0);

  /** Throws if the browser has no WebGL2, or its driver takes no shader. */
  constructor(canvas) {
    const gl = canvas.getContext("webgl2", { stencil: true, antialias: false, depth: false });
    if (!gl || gl.isContextLost()) throw new Error("no WebGL2");
    this.#gl = gl;
    this.#sprites = link(gl, SPRITE, PIXEL);
    this.#cover = link(gl, COVER, FLAT);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 4, gl.FLOAT, false, 0, 0);
    gl.vertexAttribDivisor(0, 1);
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    gl.enable(gl.STENCIL_TEST);
  }

  /** Takes the kinds of sprites to draw, each { image, alpha, scale }: their solid pixels at every angle. */
  take(kinds) {
    const gl = this.#gl;
    this.kinds = kinds;
    const [width, height] = [COLUMNS * CELL, Math.ceil((kinds.length * ANGLES) / COLUMNS) * CELL];
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    kinds.forEach(({ image, alpha, scale }, kind) => {
      for (let step = 0; step < ANGLES; step++) {
        const { image: pose, x0, y0 } = draw(image, { step, scale });
        for (let i = 3; i < pose.data.length; i += 4) pose.data[i] = pose.data[i] < alpha ? 0 : 255;
        const at = kind * ANGLES + step;
        const [x, y] = [(at % COLUMNS) * CELL + CELL / 2 + x0, Math.floor(at / COLUMNS) * CELL + CELL / 2 + y0];
        gl.texSubImage2D(gl.TEXTURE_2D, 0, x, y, gl.RGBA, gl.UNSIGNED_BYTE, pose);
      }
    });
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    gl.useProgram(this.#sprites);
    this.#set("texels", width, height);
  }

  /**
   * Draws the sprites in view, and lights the pixels that two of them share. Sprite i is of kind i modulo the number of
   * kinds. Returns how many are in view.
   *
   * @param {{ places: Float32Array, touches: Uint8Array }} sprites x, y and angle of each, and whether it touches another.
   * @param {{ x: number, y: number, zoom: number }} camera What lies in the middle, and pixels of the canvas per pixel.
   * @param {{ edge: number[], shared: number[] }} colors Red, green and blue from 0 to 1.
   */
  draw({ places, touches }, { x, y, zoom }, { edge, shared }) {
    const gl = this.#gl;
    const { width, height } = gl.canvas;
    gl.viewport(0, 0, width, height);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    if (this.#seen.length < 4 * touches.length) this.#seen = new Float32Array(4 * touches.length);
    const [reachX, reachY] = [width, height].map((side) => side / zoom / 2 + CELL);
    let end = 0;
    for (let i = 0; i < touches.length; i++) {
      if (Math.abs(places[3 * i] - x) > reachX || Math.abs(places[3 * i + 1] - y) > reachY) continue;
      for (let part = 0; part < 3; part++) this.#seen[end++] = places[3 * i + part];
      this.#seen[end++] = 2 * (i % this.kinds.length) + touches[i];
    }
    gl.bufferData(gl.ARRAY_BUFFER, this.#seen.subarray(0, end), gl.STREAM_DRAW);
    gl.useProgram(this.#sprites);
    this.#set("size", width, height);
    this.#set("corner", Math.floor(x), Math.floor(y));
    // Whole pixels of the canvas, so that pixels of sprites are squares.
    this.#set("offset", Math.round(width / 2 - (x % 1) * zoom), Math.round(height / 2 - (y % 1) * zoom));
    this.#set("zoom", zoom);
    this.#set("edge", ...edge);
    // The stencil counts the sprites in each pixel.
    gl.stencilFunc(gl.ALWAYS, 0, 0xff);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, end / 4);
    gl.useProgram(this.#cover);
    gl.uniform3fv(gl.getUniformLocation(this.#cover, "shared"), shared);
    gl.stencilFunc(gl.LEQUAL, 2, 0xff);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.KEEP);
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    return end / 4;
  }

  #set(name, ...values) {
    this.#gl[`uniform${values.length}fv`](this.#gl.getUniformLocation(this.#sprites, name), values);
  }
}

/** Returns a program of two shaders. */
function link(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "lost");
  return program;
}
