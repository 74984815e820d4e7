import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCellBuffer } from "../terminal/cell-buffer.ts";
import { textOf } from "../terminal/testing.ts";
import { now, sampleState } from "../dashboard/testing.ts";
import { paintDashboard } from "../dashboard/views/dashboard.ts";
import { consoleGlyphs } from "./console-glyphs.ts";

/** Characters beyond ASCII that the dashboard may draw: those of code page 437 (Unicode's mapping `CP437.TXT`). */
const codePage437 = new Set("│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀░▒▓");

describe("consoleGlyphs()", () => {
  it("T-02: leaves nothing in a picture of the dashboard that the console has no glyph for", () => {
    for (const screen of ["summary", "monitor"] as const) {
      const buffer = createCellBuffer(100, 40);
      paintDashboard(buffer, { ...sampleState(), screen }, now);
      const drawn = consoleGlyphs(textOf(buffer));
      const unknown = Array.from(drawn).filter((each) => each > "~" && !codePage437.has(each));
      assert.deepEqual(unknown, []);
    }
  });

  it("draws graphs with half and full blocks, in as many cells", () => {
    assert.equal(consoleGlyphs("▁▂▃▄▅▆▇█"), "__▄▄▄███");
    assert.equal(consoleGlyphs("… and 3 more"), ". and 3 more");
  });
});
