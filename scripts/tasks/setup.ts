/** Checks for the system tools that tests and benchmarks need and installs the missing ones from Debian. */
import { spawnSync } from "node:child_process";
import { step } from "../lib/step.ts";

/** command → Debian package that brings it */
const tools: Record<string, string> = {
  ip: "iproute2",
  openssl: "openssl",
};

const missing = Object.entries(tools).filter(([command]) => spawnSync("which", [command]).status !== 0);
if (missing.length > 0) {
  const packages = missing.map(([, name]) => name);
  if (process.getuid?.() !== 0) {
    console.error(
      `Cannot install ${packages.join(", ")}: root is required; run: sudo apt-get install ${packages.join(" ")}`,
    );
    process.exit(1);
  }
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await step("update package lists", "apt-get", ["update"], { env });
  await step(`install ${packages.join(", ")}`, "apt-get", ["install", "-y", "--no-install-recommends", ...packages], {
    env,
  });
}
