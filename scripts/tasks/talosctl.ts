/** Runs the client from its sources: `npm run -s talosctl -- version --client`. */
import { join } from "node:path";
import { root } from "../lib/step.ts";

await import(join(root, "packages/talosctl/src/main.ts"));
