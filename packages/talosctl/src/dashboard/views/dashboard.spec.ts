import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { createCellBuffer, type CellBuffer } from "../../terminal/cell-buffer.ts";
import { colored, strong, styles } from "../../terminal/style.ts";
import { textOf } from "../../terminal/testing.ts";
import { initialState, type DashboardState } from "../state.ts";
import { maintenanceState, now, sampleState } from "../testing.ts";
import { paintDashboard } from "./dashboard.ts";

function frame(state: DashboardState, width = 110, height = 34): CellBuffer {
  const buffer = createCellBuffer(width, height);
  paintDashboard(buffer, state, now);
  return buffer;
}

/** The picture as the file beside this one has it. */
const golden = (name: string): Promise<string> => readFile(new URL(`../testdata/${name}.txt`, import.meta.url), "utf8");

/** The style of a text in a picture. */
function styleOf(buffer: CellBuffer, text: string): unknown {
  const lines = textOf(buffer).split("\n");
  const y = lines.findIndex((line) => line.includes(text));
  assert.notEqual(y, -1, `${text} is not in the picture`);
  return buffer.at(lines[y]?.indexOf(text) ?? 0, y).style;
}

describe("paintDashboard()", () => {
  it("shows problems first, then all nodes, the chosen one and its log", async () => {
    assert.equal(`${textOf(frame(sampleState()))}\n`, await golden("summary"));
  });

  it("shows figures over time and processes, busiest first", async () => {
    assert.equal(`${textOf(frame({ ...sampleState(), screen: "monitor" }))}\n`, await golden("monitor"));
  });

  it("keeps the last facts of a node that does not answer, dim and with their age", async () => {
    const buffer = frame({ ...sampleState(), selected: "10.5.0.3" });
    assert.equal(`${textOf(buffer)}\n`, await golden("away"));
    assert.equal(styleOf(buffer, "Health check successful"), styles.dim);
    assert.equal(styleOf(buffer, "w-1 (does not answer"), strong("red"));
  });

  it("T-02: shows a machine without a configuration on its own console, which no key leaves", async () => {
    assert.equal(`${textOf(frame(maintenanceState(), 80, 25))}\n`, await golden("console"));
  });

  it("names no node beside the problems of the only one", () => {
    const text = textOf(frame({ ...sampleState(), ownConsole: true }));
    assert.match(text, /^│host and Kubernetes subnets overlap/m);
  });

  it("colours what is wrong", () => {
    const buffer = frame(sampleState());
    assert.equal(styleOf(buffer, "host and Kubernetes subnets overlap"), colored("red"));
    assert.equal(styleOf(buffer, "2/3 up"), colored("red"));
    assert.equal(styleOf(buffer, "Fail "), colored("red"));
    assert.equal(styleOf(buffer, "warning: disk is slow"), colored("yellow"));
  });

  it("draws in a terminal of any size, before anything is known too", () => {
    for (const [width, height] of [
      [0, 0],
      [1, 1],
      [5, 3],
      [20, 8],
      [300, 100],
    ] as const) {
      for (const screen of ["summary", "monitor"] as const) {
        frame({ ...sampleState(), screen }, width, height);
        frame({ ...initialState([]), screen }, width, height);
      }
    }
  });
});
