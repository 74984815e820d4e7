/** Everything: set-up, the gate, the client as it ships, the tests against real systems, and fresh machines. */
import { requireRoot } from "../lib/require-root.ts";
import { step } from "../lib/step.ts";

const parts = {
  "set-up": "setup",
  ok: "ok",
  "container images": "images",
  "the client as it ships": "bundle",
  "integration tests": "integration",
  "fresh machines": "fresh",
} as const;

requireRoot("Tests of clusters");
for (const [title, task] of Object.entries(parts))
  await step(title, process.execPath, ["--disable-warning=ExperimentalWarning", `scripts/tasks/${task}.ts`], {
    inherit: true,
  });
