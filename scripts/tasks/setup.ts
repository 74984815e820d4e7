/** Installs the Debian packages that tests and benchmarks need; a machine that has them is left alone. */
import { findMissingPrograms, installPackages } from "@talos-ts/host";
import { lineProgress } from "../lib/line-progress.ts";

/** Programs that suites and benchmarks run, and the Debian packages that bring them. */
const programs = {
  bash: "bash",
  git: "git",
  ip: "iproute2",
  mmdebstrap: "mmdebstrap",
  mount: "mount",
  nsenter: "util-linux",
  openssl: "openssl",
  runc: "runc",
  tar: "tar",
};

const packages = (await findMissingPrograms(programs)).map((missing) => missing.package);
if (packages.length > 0 && process.getuid?.() !== 0) {
  console.error(
    `Tests need Debian packages that only root can install: run sudo apt-get install ${packages.join(" ")}`,
  );
  process.exit(1);
}
if (packages.length > 0) await installPackages(packages, lineProgress);
else console.error("Every program that tests need is installed");
