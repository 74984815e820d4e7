import { chown, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { OsError } from "@talos-ts/base";
import { exclusive, kindOf, reconcileController, weak, type Controller } from "@talos-ts/cosi";
import { writeDurably } from "@talos-ts/host";
import { paths, userIds } from "@talos-ts/machinery/constants";
import { PKIStatus } from "@talos-ts/machinery/resources/etcd";
import {
  EtcdRootSecret,
  EtcdSecret,
  type EtcdRootSecretSpec,
  type EtcdSecretSpec,
} from "@talos-ts/machinery/resources/secrets";

type Pair = { readonly crt: string; readonly key: string } | undefined;

/** File names of the key pairs, and where each comes from. */
const pairs: Readonly<Record<string, (root: EtcdRootSecretSpec, secrets: EtcdSecretSpec) => Pair>> = {
  ca: ({ etcdCA }) => etcdCA,
  server: (_root, { etcd }) => etcd,
  peer: (_root, { etcdPeer }) => etcdPeer,
  admin: (_root, { etcdAdmin }) => etcdAdmin,
};

/** Writes certificates and keys of etcd to `/system/secrets/etcd`, readable by etcd's user only. */
export function etcdPKIController({ root }: { readonly root: string }): Controller {
  const directory = join(root, paths.etcdPki);
  return reconcileController({
    name: "etcd.PKIController",
    inputs: [weak(EtcdRootSecret, { id: EtcdRootSecret.id }), weak(EtcdSecret, { id: EtcdSecret.id })],
    outputs: [exclusive(PKIStatus)],
    cleanup: [kindOf(PKIStatus)],
    async reconcile(context) {
      const authority = await context.find(EtcdRootSecret, EtcdRootSecret.id);
      const secrets = await context.find(EtcdSecret, EtcdSecret.id);
      if (authority === undefined || secrets === undefined) return;
      await mkdir(directory, { recursive: true, mode: 0o700 });
      for (const [name, pick] of Object.entries(pairs)) {
        const pair = pick(authority.spec, secrets.spec);
        if (pair === undefined) throw missingPair(name);
        await write(join(directory, `${name}.crt`), pair.crt);
        await write(join(directory, `${name}.key`), pair.key);
      }
      await own(directory);
      const version = String(secrets.metadata.version);
      await context.put(PKIStatus, PKIStatus.id, () => PKIStatus.spec({ ready: true, version }));
    },
  });
}

/** A file that etcd reads again for every connection must never be half written. */
async function write(path: string, contents: string): Promise<void> {
  await writeDurably(path, contents, 0o400);
  await own(path);
}

/** Only root may give files away; tests run as they are. */
async function own(path: string): Promise<void> {
  if (process.getuid?.() === 0) await chown(path, userIds.etcd, userIds.etcd);
}

function missingPair(name: string): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "etcd/missing-secret",
    message: `Cannot write the etcd key pair "${name}": the secret has no certificate and key`,
    next: "talosctl get machineconfig -o yaml",
  });
}
