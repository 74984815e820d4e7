import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { renderSvg } from "./dependency-svg.ts";
import { layOut } from "./graph-layout.ts";

const arrow = (from: string, to: string) => ({ from, to, style: "solid", label: "" });

describe("layOut()", () => {
  it("leads every arrow to a later column, and survives cycles", () => {
    const names = ["d", "a", "b", "c", "alone"];
    const forward = [arrow("a", "b"), arrow("b", "c"), arrow("a", "c"), arrow("c", "d"), arrow("b", "b")];
    const places = layOut(names, forward);
    const column = (name: string): number => places.get(name)?.column ?? -1;
    assert.deepEqual(["a", "b", "c", "d", "alone"].map(column), [0, 1, 2, 3, 0]);
    assert.equal(layOut(names, [...forward, arrow("d", "a")]).size, names.length);
  });
  it("gives every node a place of its own", () => {
    const names = Array.from({ length: 50 }, (_, index) => `n${String(index)}`);
    const arrows = names.slice(1).map((name, index) => arrow(names[Math.floor(index / 3)] ?? "", name));
    const places = [...layOut(names, arrows).values()].map(({ column, row }) => `${String(column)}/${String(row)}`);
    assert.equal(new Set(places).size, names.length);
  });
});

describe("renderSvg()", () => {
  it("draws boxes and arrows, with names made harmless", () => {
    const nodes = [
      { name: "a.<Writer>", controller: true },
      { name: "Notes.x", controller: false },
    ];
    const svg = renderSvg({ nodes, arrows: [{ from: "a.<Writer>", to: "Notes.x", style: "bold", label: "" }] });
    assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" /);
    assert.match(svg, /<title>a\.&lt;Writer&gt; → Notes\.x<\/title>/);
    assert.equal(svg.match(/<g>/g)?.length, 2);
    assert.match(svg, /stroke-width="2" marker-end/);
    assert.ok(!svg.includes("<Writer>"));
  });
});
