import { timestampDate, type Timestamp } from "@bufbuild/protobuf/wkt";
import { formatTable, isKind } from "@talos-ts/base";
import { ContainerDriver } from "@talos-ts/proto/common/common";
import { ImageService } from "@talos-ts/proto/machine/image";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { stringify } from "yaml";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { humanBytes } from "../../output/humanize.ts";
import { openSession, type Session } from "../../session/session.ts";
import { textOption } from "../../values.ts";
import { imageNamespace, namespaceOption } from "./image-namespace.ts";

interface Row {
  readonly node: string;
  readonly image: string;
  readonly digest: string;
  readonly size: number;
  readonly labels: Readonly<Record<string, string>>;
  readonly created: string;
}

const formats: Readonly<Record<string, (rows: readonly Row[]) => string>> = {
  table: (rows) =>
    formatTable([
      ["NODE", "IMAGE", "DIGEST", "SIZE", "LABELS", "CREATED"],
      ...rows.map((row) => [
        row.node,
        row.image,
        row.digest,
        humanBytes(row.size),
        Object.entries(row.labels)
          .map(([name, value]) => `${name}=${value}`)
          .join(","),
        row.created,
      ]),
    ]),
  json: (rows) => `${JSON.stringify(rows, null, 2)}\n`,
  yaml: (rows) => stringify(rows),
};

export const command: CommandDefinition = {
  options: [
    namespaceOption,
    { flags: "-o, --output <format>", description: "output format", choices: Object.keys(formats), default: "table" },
  ],
  examples: ["talosctl image list", "talosctl image ls --namespace system", "talosctl image list -o json"],
  async run(invocation) {
    await using session = await openSession(invocation);
    const rows: Row[] = [];
    for (const node of session.targets) rows.push(...(await imagesOf(session, invocation, node)));
    const format = formats[textOption(invocation, "output") ?? "table"];
    invocation.io.out(format?.(rows) ?? "");
  },
};

/** Asks the image service, or, on nodes that do not have it, the machine service. */
async function imagesOf(session: Session, invocation: Invocation, target: string | undefined): Promise<readonly Row[]> {
  const { signal } = invocation;
  const containerd = imageNamespace(invocation);
  const node = target ?? session.defaultNode;
  const rows: Row[] = [];
  try {
    for await (const image of session.one(ImageService, target).list({ containerd }, { signal })) {
      rows.push(rowOf(node, image, image.labels));
    }
  } catch (err) {
    if (!isKind(err, "unimplemented") || containerd.driver !== ContainerDriver.CRI) throw err;
    const { namespace } = containerd;
    for await (const image of session.one(MachineService, target).imageList({ namespace }, { signal })) {
      rows.push(rowOf(node, image, {}));
    }
  }
  return rows;
}

interface Image {
  readonly name: string;
  readonly digest: string;
  readonly size: bigint;
  readonly createdAt?: Timestamp | undefined;
}

function rowOf(node: string, image: Image, labels: Row["labels"]): Row {
  const created =
    image.createdAt === undefined
      ? ""
      : timestampDate(image.createdAt)
          .toISOString()
          .replace(/\.\d+Z$/, "Z");
  return { node, image: image.name, digest: image.digest, size: Number(image.size), labels, created };
}
