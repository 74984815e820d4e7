import { resolve } from "node:path";

/** A daemon of the image: where its sources begin, and how it is started. */
export interface Daemon {
  readonly name: string;
  /** The first source file. */
  readonly entry: string;
  /** The program a caller starts, relative to the root of the image. */
  readonly program: string;
  /** The one flag for Node.js that the kernel's `#!` line has room for. */
  readonly flag: string;
  /** First source files of its threads, by the name of their bundle. @default none */
  readonly workers?: Readonly<Record<string, string>>;
}

/** Folder of the bundles in the image. */
export const bundleFolder = "usr/lib/talos";

/** The sources this file is a part of. */
const sources = resolve(import.meta.dirname, "../..");

/**
 * The daemons of a system built from the sources under `packages`.
 *
 * Young generations with a bound: without one V8 lets idle daemons drift to three times their working set. Below 8 MiB, calls that are
 * under way survive collections and are copied: 2 MiB cost a third of the calls of a proxy. At rest both need the same, since daemons give back
 * what bursts left (`keepMemorySmall`).
 *
 * Scripts, not single executables or cached bytecode: those start 40 of 165 ms sooner, but their bytes differ from
 * build to build, and an image must be the same for the same sources.
 */
export function systemDaemons(packages: string = sources): Daemon[] {
  const flag = "--max-semi-space-size=8";
  return [
    { name: "apid", entry: `${packages}/apid/src/main.ts`, program: "usr/bin/apid", flag },
    { name: "dashboard", entry: `${packages}/talosctl/src/console/main.ts`, program: "usr/sbin/dashboard", flag },
    {
      name: "machined",
      entry: `${packages}/machined/src/main.ts`,
      program: "usr/sbin/init",
      flag,
      workers: { "config-check": `${packages}/machined/src/config/check/check-worker.ts` },
    },
    { name: "trustd", entry: `${packages}/trustd/src/main.ts`, program: "usr/bin/trustd", flag },
  ];
}

/** The program that starts a machine from its initramfs: it mounts the root file system and becomes the init in it. */
export function initramfsDaemon(packages: string = sources): Daemon {
  const flag = "--max-semi-space-size=8";
  return { name: "initramfs", entry: `${packages}/machined/src/initramfs/main.ts`, program: "init", flag };
}

/**
 * The program of a daemon: a script the kernel runs through Node.js.
 *
 * The bundle is imported only after warnings about experimental modules are switched off, since the first of them
 * appears while imports are linked.
 */
export function launcher(daemon: Daemon): string {
  return `#!/usr/bin/node ${daemon.flag}
const { emitWarning } = process;
process.emitWarning = (warning, type, ...rest) => {
  const name = typeof type === "object" ? type?.type : type;
  if (name !== "ExperimentalWarning") emitWarning.call(process, warning, type, ...rest);
};
import("/${bundleFolder}/${daemon.name}.mjs").catch((err) => {
  console.error(err);
  process.exit(1);
});
`;
}
