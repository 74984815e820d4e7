/**
 * Makes an installer image of the present sources, which machines are installed and upgraded from, as an OCI image layout:
 * `npm run installer -- --version v1.13.10`. `talosctl image cache-serve` serves it as a registry.
 */
import { parseArgs } from "node:util";
import { buildBootImage, buildBootMedium, buildInstallerImage, buildRootfs, systemDaemons } from "@talos-ts/imager";
import { talosVersion } from "@talos-ts/machinery/constants";
import { lineProgress } from "../lib/line-progress.ts";

const { values } = parseArgs({
  options: {
    /** What machines say their version is. */
    version: { type: "string", default: talosVersion },
    /** Reference of the image. */
    reference: { type: "string" },
    /** Leaves the program of the pod network out, which is built from Go modules. */
    "without-kubernetes": { type: "boolean", default: false },
  },
});
const { version } = values;
const reference = values.reference ?? `ghcr.io/siderolabs/installer:${version}`;
const podNetwork = !values["without-kubernetes"];
const rootfs = await buildRootfs({ daemons: systemDaemons(), version, podNetwork }, lineProgress);
const image = await buildBootImage({ rootfs }, lineProgress);
const layout = await buildInstallerImage(image, { reference }, lineProgress);
console.error(`boot medium: ${await buildBootMedium(image, {}, lineProgress)}`);
console.error(`installer image ${reference}, layout: ${layout}`);
console.log(layout);
