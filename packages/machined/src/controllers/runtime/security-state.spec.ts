import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { temporaryDirectory } from "@talos-ts/host/testing";
import { createMemoryLinux } from "@talos-ts/linux";
import { SecurityState } from "@talos-ts/machinery/resources/runtime";
import { securityStateController } from "./security-state.ts";

const none = { secureBoot: false, ukiSigningKeyFingerprint: "", pcrSigningKeyFingerprint: "", bootedWithUKI: false };

describe("securityStateController()", () => {
  for (const { name, files, fips, expected } of [
    {
      name: "has everything off where the kernel has nothing of it",
      files: { "/proc/cmdline": "quiet\n" },
      fips: false,
      expected: { selinuxState: "disabled", fipsState: "disabled", moduleSignatureEnforced: false },
    },
    {
      name: "reads SELinux, the enforcement of module signatures and FIPS",
      files: { "/proc/cmdline": "quiet module.sig_enforce=1\n", "/sys/fs/selinux/enforce": "1" },
      fips: true,
      expected: { selinuxState: "enabled, enforcing", fipsState: "enabled", moduleSignatureEnforced: true },
    },
    {
      name: "tells a permissive SELinux from an enforcing one",
      files: { "/proc/cmdline": "", "/sys/fs/selinux/enforce": "0" },
      fips: false,
      expected: { selinuxState: "enabled, permissive", fipsState: "disabled", moduleSignatureEnforced: false },
    },
  ] as const) {
    it(name, async () => {
      const linux = createMemoryLinux();
      for (const [path, text] of Object.entries(files)) linux.textFiles.tree.set(path, text);
      const controller = securityStateController({ platform: { mode: "container" }, linux, fips, root: "/none" });
      await using test = controllerTest({ register: [controller] });
      await test.assertSpec(SecurityState, "securitystate", { ...none, ...expected });
    });
  }
  it("says of a machine that boots by itself how it did", async () => {
    await using folder = await temporaryDirectory();
    const variables = join(folder.path, "sys/firmware/efi/efivars");
    await mkdir(variables, { recursive: true });
    await writeFile(join(variables, "StubInfo-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"), Buffer.alloc(6));
    const linux = createMemoryLinux();
    linux.textFiles.tree.set("/proc/cmdline", "quiet\n");
    const controller = securityStateController({ platform: { mode: "metal" }, linux, root: folder.path, fips: false });
    await using test = controllerTest({ register: [controller] });
    const off = { selinuxState: "disabled", fipsState: "disabled", moduleSignatureEnforced: false } as const;
    await test.assertSpec(SecurityState, "securitystate", { ...none, ...off, bootedWithUKI: true });
  });
});
