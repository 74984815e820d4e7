/** Everything: set-up, the gate, and the tests against real systems. */
import { step } from "../lib/step.ts";

await step("set-up", process.execPath, ["scripts/tasks/setup.ts"], { inherit: true });
await step("ok", process.execPath, ["scripts/tasks/ok.ts"], { inherit: true });
await step("integration tests", process.execPath, ["scripts/tasks/integration.ts"], { inherit: true });
