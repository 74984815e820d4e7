import { OsError } from "@talos-ts/base";
import { talosVersion } from "@talos-ts/machinery/constants";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { RebootRequest_Mode as Mode } from "@talos-ts/proto/machine/power";
import type { CommandDefinition, Invocation, OptionDefinition } from "../command.ts";
import { recordAction } from "../operation/record-action.ts";
import { parseDuration } from "../output/go-duration.ts";
import { createNodeProgress, progressOption } from "../output/node-progress.ts";
import { drainNodes, takeBackMs } from "../session/drain-nodes.ts";
import { openSession, type Session } from "../session/session.ts";
import { trackAction, trackOptions } from "../session/track-action.ts";
import { chooseMethod } from "../upgrade/choose-method.ts";
import { onAllNodes } from "../upgrade/on-all-nodes.ts";
import { runInstaller } from "../upgrade/run-installer.ts";
import { upgradeLegacy } from "../upgrade/upgrade-legacy.ts";
import { flag, textOption } from "../values.ts";
import { imageNamespace, namespaceOption } from "./image/image-namespace.ts";
import { pullImage } from "./image/pull.ts";

const modes: Readonly<Record<string, Mode>> = {
  default: Mode.DEFAULT,
  force: Mode.FORCE,
  powercycle: Mode.POWERCYCLE,
};

/** Flags of the call that machines before v1.13 have. */
const legacyOptions: readonly OptionDefinition[] = [
  { flags: "-f, --force", description: "with --legacy: skip the checks of etcd", hidden: true },
  { flags: "-p, --preserve", description: "with --legacy: keep data", hidden: true },
  { flags: "-s, --stage", description: "with --legacy: install at the next boot", hidden: true },
  { flags: "--insecure", description: "with --legacy: use the API of a machine in maintenance mode", hidden: true },
];

export const command: CommandDefinition = {
  description:
    "Installs another version of the operating system: each node pulls the installer image, runs it, is drained and reboots into the new version. All nodes that are named go through each step at once: name one control plane at a time. Machines before v1.13 do all of it in one call, as with --legacy.",
  options: [
    {
      flags: "-i, --image <image>",
      description: "installer image",
      default: `ghcr.io/siderolabs/installer:${talosVersion}`,
    },
    { ...namespaceOption, default: "system" },
    {
      flags: "-m, --reboot-mode <mode>",
      description: "powercycle goes through the firmware, force skips the end of services",
      choices: Object.keys(modes),
      default: "default",
    },
    { flags: "--no-reboot", description: "install only: the new version starts with the next reboot; drains nothing" },
    {
      flags: "--drain",
      description: "cordon the Kubernetes node and evict its pods before the reboot; implies --wait",
      default: true,
    },
    { flags: "--drain-timeout <duration>", description: "how long pods may take to go", default: "5m" },
    { flags: "--legacy", description: "upgrade by the one call of machines before v1.13" },
    ...legacyOptions,
    progressOption,
    ...trackOptions,
  ],
  examples: [
    "talosctl upgrade --nodes 10.5.0.2",
    "talosctl upgrade --image ghcr.io/siderolabs/installer:v1.13.9 --nodes 10.5.0.2 --progress plain",
    "talosctl upgrade --no-reboot --nodes 10.5.0.2,10.5.0.3",
  ],
  async run(invocation) {
    checkFlags(invocation);
    await using session = await openSession(invocation, { insecure: flag(invocation, "insecure") });
    using progress = createNodeProgress(invocation);
    const method = flag(invocation, "legacy") ? "legacy" : await chooseMethod(session, invocation.signal);
    if (method === "lifecycle") {
      await upgrade(session, invocation, progress.tell);
      return;
    }
    if (!flag(invocation, "legacy")) session.warn("New upgrade API is not available, falling back to legacy");
    await upgradeLegacy(session, invocation, progress.tell);
  },
};

/** Time for the installer and the image it is in, and to take the cordon back, in ms. */
const installMs = 1_800_000;

async function upgrade(
  session: Session,
  invocation: Invocation,
  tell: (node: string, text: string) => void,
): Promise<void> {
  const { signal } = invocation;
  const reboots = flag(invocation, "reboot");
  const drains = reboots && flag(invocation, "drain");
  const drainMs = parseDuration(textOption(invocation, "drainTimeout") ?? "5m");
  const timeoutMs = parseDuration(textOption(invocation, "timeout") ?? "30m");
  using drained = new DisposableStack();
  let uncordon = async (): Promise<void> => undefined;
  const drain = async (): Promise<void> => {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(drainMs)]);
    const nodes = drained.use(await drainNodes(session, limit, tell));
    uncordon = () => nodes.uncordon(AbortSignal.timeout(takeBackMs));
  };
  const steps = [
    { name: "pull the installer", run: () => pull(session, invocation, tell) },
    { name: "install", run: () => install(session, invocation, tell) },
    ...(drains ? [{ name: "drain", run: drain }] : []),
    ...(reboots ? [{ name: "reboot", run: () => reboot(session, invocation, { tell, wait: drains }) }] : []),
  ];
  try {
    const all = installMs + drainMs + timeoutMs;
    await recordAction(session, invocation, { kind: "upgrade", steps, timeoutMs: all, erases: false });
  } finally {
    await uncordon();
  }
}

type Tell = (node: string, text: string) => void;

async function pull(session: Session, invocation: Invocation, tell: Tell): Promise<void> {
  const { io, signal } = invocation;
  const everything = io.isTerminal && textOption(invocation, "progress") !== "plain";
  const imageRef = imageOf(invocation);
  const containerd = imageNamespace(invocation);
  await onAllNodes(session, "pulling upgrade image", async (target, node) => {
    const show = (text: string, isEnd: boolean): void => {
      if (isEnd || everything) tell(node, text);
    };
    tell(node, `pulled ${await pullImage(session, { target, imageRef, containerd, show, signal })}`);
  });
}

async function install(session: Session, invocation: Invocation, tell: Tell): Promise<void> {
  const { signal } = invocation;
  const image = imageOf(invocation);
  const containerd = imageNamespace(invocation);
  await onAllNodes(session, "during upgrade", (target, node) =>
    runInstaller(session, { target, image, containerd, tell: (text) => tell(node, text), signal }),
  );
}

async function reboot(
  session: Session,
  invocation: Invocation,
  { tell, wait }: { readonly tell: Tell; readonly wait: boolean },
): Promise<void> {
  const { signal } = invocation;
  const request = { mode: modes[textOption(invocation, "rebootMode") ?? "default"] ?? Mode.DEFAULT };
  await trackAction(session, invocation, {
    name: "upgrade",
    until: "ready",
    wait,
    tell,
    start: () => session.answers("executing reboot", session.all(MachineService).reboot(request, { signal })),
  });
}

function imageOf(invocation: Invocation): string {
  return textOption(invocation, "image") ?? "";
}

/** @throws {OsError} `cli/bad-request` for flags that would change nothing, or exclude each other */
function checkFlags(invocation: Invocation): void {
  const refuse = (message: string, next: string): OsError =>
    new OsError({ kind: "invalid-argument", code: "cli/bad-request", message, next });
  const legacy = flag(invocation, "legacy");
  for (const name of ["force", "preserve", "stage", "insecure"])
    if (flag(invocation, name) && !legacy)
      throw refuse(
        `cannot use --${name} without --legacy: it is a flag of the call of machines before v1.13`,
        `talosctl upgrade --legacy --${name}`,
      );
  if (legacy && !flag(invocation, "reboot"))
    throw refuse(
      "cannot use --no-reboot and --legacy together: the machine reboots itself",
      "talosctl upgrade --no-reboot",
    );
  if (flag(invocation, "insecure") && flag(invocation, "wait"))
    throw refuse("cannot use --wait and --insecure together", "talosctl upgrade --legacy --insecure --wait=false");
}
