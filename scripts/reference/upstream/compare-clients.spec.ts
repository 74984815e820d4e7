import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { commandEntries, type CommandEntry } from "@talos-ts/talosctl";
import { compareClients } from "./compare-clients.ts";
import { meantDifferences } from "./differences.ts";
import { collectOwnClient } from "./own-client.ts";
import { parseClient, readUpstreamClient } from "./read-client.ts";

const keyOf = (command: string, flag: string | undefined, what: string): string =>
  `${command}${flag === undefined ? "" : ` --${flag}`}: ${what}`;

describe("compareClients()", () => {
  const upstream = parseClient(
    [
      "# facts",
      "list (ls) nodes",
      "  -d, --depth <number> = 1",
      "  --long",
      "  --type <list>",
      "  --timeout <duration> = 1m0s",
      "gone",
    ].join("\n"),
  );
  const own = async (entry: Partial<CommandEntry>, options: readonly { flags: string; default?: string }[]) =>
    collectOwnClient([
      {
        name: "list",
        summary: "",
        aliases: ["ls"],
        load: async () => ({
          command: {
            options: options.map((option) => ({ description: "", list: option.flags.includes("type"), ...option })),
            run: async () => undefined,
          },
        }),
        ...entry,
      },
    ]);
  const same = [
    { flags: "-d, --depth <levels>", default: "1" },
    { flags: "--long" },
    { flags: "--type <list>" },
    { flags: "--timeout <duration>", default: "1m" },
    { flags: "--ours" },
  ];
  const found = async (entry: Partial<CommandEntry>, options: readonly { flags: string; default?: string }[]) =>
    compareClients(upstream, await own(entry, options)).map(({ command, flag, what }) => keyOf(command, flag, what));

  it("finds only the command that is absent when the rest is the same, or ours has more", async () => {
    assert.deepEqual(await found({}, same), ["gone: absent"]);
  });
  it("finds aliases, flags, shorthands, kinds of values and defaults", async () => {
    const options = [{ flags: "--depth <levels>", default: "2" }, { flags: "--long <x>" }, { flags: "--timeout <x>" }];
    assert.deepEqual(await found({ aliases: [] }, options), [
      "list: alias",
      "list --depth: shorthand",
      "list --depth: default",
      "list --long: value",
      "list --type: absent",
      "list --timeout: default",
      "gone: absent",
    ]);
  });
});

describe("talosctl beside upstream's client", () => {
  it("differs only where it is meant, and every row of that table is true", async () => {
    const differences = compareClients(readUpstreamClient(), await collectOwnClient(commandEntries));
    const meant = meantDifferences.flatMap(({ commands, flag, what }) =>
      commands.map((command) => keyOf(command, flag, what)),
    );
    assert.deepEqual(
      differences.map(({ command, flag, what }) => keyOf(command, flag, what)).toSorted(),
      meant.toSorted(),
    );
  });
  it("is compared by all commands and flags of upstream", () => {
    const commands = readUpstreamClient();
    assert.ok(commands.length > 90, String(commands.length));
    assert.ok(commands.flatMap(({ flags }) => flags).length > 250);
  });
});
