import { talosVersion } from "@talos-ts/machinery/constants";
import type { Handler } from "../handler.ts";

export const version: Handler<"version"> = (machine) => async () => ({
  messages: [
    {
      version: {
        tag: talosVersion,
        sha: "",
        built: "",
        goVersion: `node ${process.version}`,
        os: "linux",
        arch: goArch[process.arch] ?? process.arch,
      },
      platform: { name: machine.platform.name, mode: machine.platform.mode },
      features: { rbac: true },
    },
  ],
});

/** Processor names as clients know them. */
const goArch: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };
