import { apiArchitecture, talosVersion } from "@talos-ts/machinery/constants";
import type { Handler } from "./handler.ts";

export const version: Handler<"version"> = (machine) => async () => ({
  messages: [
    {
      version: {
        tag: talosVersion,
        sha: "",
        built: "",
        goVersion: `node ${process.version}`,
        os: "linux",
        arch: apiArchitecture(process.arch),
      },
      platform: { name: machine.platform.name, mode: machine.platform.mode },
      features: { rbac: true },
    },
  ],
});
