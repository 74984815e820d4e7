import type { VersionInfo } from "@talos-ts/proto/machine/system";
import { apiArchitecture, buildInfo, talosVersion } from "@talos-ts/machinery/constants";
import type { CommandDefinition, Invocation } from "../command.ts";
import { flag } from "../values.ts";

export const command: CommandDefinition = {
  options: [
    { flags: "--client", description: "print the client version only" },
    { flags: "--short", description: "print the short version" },
    { flags: "-i, --insecure", description: "use the API of a machine in maintenance mode" },
    { flags: "--json", description: "print the server's answer as JSON", hidden: true },
  ],
  examples: ["talosctl version --client", "talosctl version --nodes 10.5.0.2"],
  async run(invocation) {
    const { io } = invocation;
    if (!flag(invocation, "json")) {
      io.out(`Client:\n${flag(invocation, "short") ? `Talos ${talosVersion}\n` : formatVersion(clientVersion())}`);
    }
    if (!flag(invocation, "client")) await printServers(invocation);
  },
};

async function printServers(invocation: Invocation): Promise<void> {
  const { io, signal } = invocation;
  const [{ toJsonString }, { MachineService }, { VersionSchema }, { openSession }] = await Promise.all([
    import("@bufbuild/protobuf"),
    import("@talos-ts/proto/machine/machine"),
    import("@talos-ts/proto/machine/system"),
    import("../session/session.ts"),
  ]);
  const asJson = flag(invocation, "json");
  if (!asJson) io.out("Server:\n");
  await using session = await openSession(invocation, { insecure: flag(invocation, "insecure") });
  const call = session.all(MachineService).version({}, { signal });
  for (const message of await session.answers("getting version", call)) {
    if (asJson) {
      io.out(`${toJsonString(VersionSchema, message)}\n`);
      continue;
    }
    io.out(`\tNODE:        ${session.nodeOf(message)}\n`);
    if (message.version !== undefined) io.out(formatVersion(message.version));
    io.out(`\tEnabled:     ${message.features?.rbac === true ? "RBAC" : ""}\n`);
  }
}

/** Shown for facts of a build that has none: run from sources, or built outside a git checkout. */
const unknown = "unknown";

type Facts = Pick<VersionInfo, "tag" | "sha" | "built" | "goVersion" | "os" | "arch">;

function clientVersion(): Facts {
  return {
    tag: talosVersion,
    ...buildInfo,
    goVersion: `node ${process.version}`,
    os: process.platform,
    arch: apiArchitecture(process.arch),
  };
}

function formatVersion({ tag, sha, built, goVersion, os, arch }: Facts): string {
  const rows = {
    Tag: tag,
    SHA: sha || unknown,
    Built: built || unknown,
    // The field of the API is named for the runtime of the first implementation.
    Runtime: goVersion,
    "OS/Arch": `${os}/${arch}`,
  };
  return Object.entries(rows)
    .map(([name, value]) => `\t${`${name}:`.padEnd(13)}${value}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}
