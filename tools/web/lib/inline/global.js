// What the classic script inline.global.js sets as `hitmask`.
export * from "./module.js";
export * as phaser from "../../phaser.js";
export * as pixi from "../../pixi.js";
