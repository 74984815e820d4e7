/** Conformance tests of Kubernetes: `npm run conformance [-- --focus sig-network]`; see `test/conformance/run.ts`. */
import { join } from "node:path";
import { root, step } from "../lib/step.ts";

const program = join(root, "test/conformance/run.ts");
const flags = ["--disable-warning=ExperimentalWarning", program, ...process.argv.slice(2)];
await step("conformance", process.execPath, flags, { inherit: true });
