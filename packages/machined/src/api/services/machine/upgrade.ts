import { OsError } from "@talos-ts/base";
import { openImageAssets } from "../../../boot-loader/image-assets.ts";
import { requireUpgradeQuorum } from "../../../etcd/require-upgrade-quorum.ts";
import type { ApiDependencies } from "../../api-dependencies.ts";
import { requireOwnHardware } from "../../access/mode-support.ts";
import { startSequence } from "../../support/start-sequence.ts";
import type { MachineMethod } from "./method.ts";

/** Upgrades in one call, as machines before v1.13 do: what can be refused is refused before anything is stopped. */
export const upgrade =
  (machine: ApiDependencies): MachineMethod<"upgrade"> =>
  async ({ image, stage, force }, { signal }) => {
    requireOwnHardware(machine);
    if (stage) throw noStage();
    const etcd = machine.services.list().find(({ service }) => service.id === "etcd");
    if (!force && etcd?.state === "running") await requireUpgradeQuorum(machine, signal);
    const configured = (await machine.config.current()) !== undefined;
    // Without a configuration there is no disk for images.
    const imageNamespace = configured ? "system" : "inmem";
    const tell = (message: string): void => machine.logger.info(message);
    const sources = { ...machine, mounts: machine.linux.mounts };
    const assets = await openImageAssets(sources, image, { namespace: imageNamespace, tell, signal });
    await assets[Symbol.asyncDispose]();
    const sequence = configured ? "upgrade" : "maintenanceUpgrade";
    const actorId = startSequence(machine, sequence, { image, imageNamespace });
    return { messages: [{ ack: "Upgrade request received", actorId }] };
  };

function noStage(): OsError {
  return new OsError({
    kind: "unimplemented",
    code: "upgrade/stage",
    message:
      "Cannot stage an upgrade: a new version is written beside the one that runs, so nothing has to wait for the next start",
    next: "talosctl upgrade --no-reboot",
  });
}
