import { OsError, type Clock } from "@talos-ts/base";
import { bundleFromConfig, issueLeaf } from "@talos-ts/machinery/secrets";
import { createTalosconfig, encodeTalosconfig } from "@talos-ts/machinery/talosconfig";
import { requireControlPlane } from "../../access/control-plane-only.ts";
import type { MachineMethod } from "./method.ts";
import type { ConfigStore } from "../../../config-store.ts";

/** Issues a client certificate with the roles asked for, and a file to use it with. */
export const generateClientConfiguration =
  (machine: { readonly clock: Clock; readonly config: ConfigStore }): MachineMethod<"generateClientConfiguration"> =>
  async (request) => {
    const config = await requireControlPlane(machine, "generate client configuration");
    const lifetimeMs = Number(request.crtTtl?.seconds ?? 0n) * 1000 + Math.floor((request.crtTtl?.nanos ?? 0) / 1e6);
    if (lifetimeMs <= 0) {
      throw new OsError({
        kind: "invalid-argument",
        code: "config/bad-lifetime",
        message: "crt_ttl should be positive",
        next: "talosctl config new --crt-ttl 24h talosconfig",
      });
    }
    const roles = new Set(request.roles.map((role) => role.trim()).filter((role) => role !== ""));
    const { os } = bundleFromConfig(config.main).certs;
    const pair = await issueLeaf("talosconfig", os, { roles }, { now: new Date(machine.clock.now()), lifetimeMs });
    const cluster = config.cluster?.clusterName ?? "";
    const [role, ...others] = roles;
    const context = role !== undefined && others.length === 0 ? `${role.replace(/^os:/, "")}@${cluster}` : cluster;
    const bytes = (text: string): Uint8Array => Buffer.from(text);
    return {
      messages: [
        {
          ca: bytes(os.crt),
          crt: bytes(pair.crt),
          key: bytes(pair.key),
          talosconfig: bytes(encodeTalosconfig(createTalosconfig(context, [], os.crt, pair))),
        },
      ],
    };
  };
