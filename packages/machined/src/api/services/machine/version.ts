import { apiArchitecture, buildInfo, systemVersion } from "@talos-ts/machinery/constants";
import type { MachineMethod } from "./method.ts";
import type { Platform } from "../../../platform.ts";

export const version =
  (machine: { readonly platform: Platform }): MachineMethod<"version"> =>
  async () => ({
    messages: [
      {
        version: {
          tag: systemVersion,
          sha: buildInfo.sha,
          built: buildInfo.built,
          goVersion: `node ${process.version}`,
          os: "linux",
          arch: apiArchitecture(process.arch),
        },
        platform: { name: machine.platform.name, mode: machine.platform.mode },
        features: { rbac: true },
      },
    ],
  });
