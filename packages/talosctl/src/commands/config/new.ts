import { stat } from "node:fs/promises";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { OsError } from "@talos-ts/base";
import { decodeTalosconfig, saveTalosconfig, setEndpoints } from "@talos-ts/machinery/talosconfig";
import { roles } from "@talos-ts/machinery/roles";
import { MachineService } from "@talos-ts/proto/machine/machine";
import type { CommandDefinition } from "../../command.ts";
import { parseDuration } from "../../output/go-duration.ts";
import { openSession } from "../../session/session.ts";
import { listOption, textOption } from "../../values.ts";

export const command: CommandDefinition = {
  description: "Asks a control plane machine for another client certificate and writes a configuration with it.",
  arguments: [{ spec: "[path]", description: "file to write (default: talosconfig)" }],
  options: [
    { flags: "--roles <list>", description: `what the certificate allows (default: ${roles.admin})`, list: true },
    { flags: "--crt-ttl <duration>", description: "how long the certificate is valid", default: "8760h" },
  ],
  examples: ["talosctl config new --roles os:reader reader.talosconfig"],
  async run(invocation) {
    const [path = "talosconfig"] = invocation.args;
    const given = listOption(invocation, "roles");
    const wanted = given.length > 0 ? given : [roles.admin];
    const unknown = wanted.filter((role) => !(Object.values(roles) as string[]).includes(role));
    if (unknown.length > 0) throw refused(`unknown roles: ${unknown.join(", ")}`);
    const taken = await stat(path).then(
      () => true,
      () => false,
    );
    if (taken) throw refused(`talosconfig file already exists: ${JSON.stringify(path)}`);
    await using session = await openSession(invocation);
    if (session.nodes.length > 1) throw refused('command "talosconfig" is not supported with multiple nodes');
    const call = session
      .all(MachineService)
      .generateClientConfiguration(
        { roles: [...wanted], crtTtl: durationFromMs(parseDuration(textOption(invocation, "crtTtl") ?? "8760h")) },
        { signal: invocation.signal },
      );
    const [message] = await session.answers("generating the client configuration", call);
    const config = decodeTalosconfig(new TextDecoder().decode(message?.talosconfig));
    await saveTalosconfig({
      location: { path, writeAllowed: true },
      config: setEndpoints(config, session.connection.endpoints),
    });
  },
};

const refused = (message: string): OsError =>
  new OsError({ kind: "invalid-argument", code: "cli/bad-request", message });
