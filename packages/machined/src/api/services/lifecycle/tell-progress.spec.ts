import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { tellProgress } from "./tell-progress.ts";

describe("tellProgress()", () => {
  it("streams messages as lines, then the exit code", async () => {
    const answers = await Array.fromAsync(
      tellProgress(async (tell) => {
        tell("writing");
        tell("done");
      }),
    );
    assert.deepEqual(
      answers.map(({ progress }) => progress.response),
      [
        { case: "message", value: "writing\n" },
        { case: "message", value: "done\n" },
        { case: "exitCode", value: 0 },
      ],
    );
  });

  it("fails as the work does, after its messages", async () => {
    const answers: unknown[] = [];
    const all = async (): Promise<void> => {
      const told = tellProgress(async (tell) => {
        tell("writing");
        throw new Error("no space");
      });
      for await (const answer of told) answers.push(answer);
    };
    await assert.rejects(all(), /no space/);
    assert.equal(answers.length, 1);
  });
});
