/** Bundles the client and runs its tests against the bundle: what ships is what is tested. */
import { bundleJob } from "../lib/bundle-job.ts";
import { bundleTalosctl } from "../lib/bundle-talosctl.ts";
import { step } from "../lib/step.ts";

await bundleTalosctl();
const { name, command, args, env = {} } = bundleJob();
await step(name, command, args, { inherit: true, env });
