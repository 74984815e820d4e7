import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isCode } from "@talos-ts/base";
import type { ImageConfig } from "@talos-ts/oci";
import { capabilitiesIn } from "./capabilities.ts";
import { imageContainerSpec, type ImageContainer } from "./image-spec.ts";
import { writableBind } from "./oci-spec.ts";

const image: ImageConfig = {
  env: ["PATH=/image/bin", "A=1"],
  entrypoint: ["/entry"],
  command: ["--default"],
  user: "",
  workingDirectory: "/work",
  diffIds: [],
  labels: {},
};
const container: ImageContainer = { id: "etcd", image: "registry.k8s.io/etcd:v3.6.16", cgroup: "/podruntime/etcd" };
const grantable = ["CAP_CHOWN", "CAP_SYS_ADMIN"];
const specOf = (more: Partial<ImageContainer> = {}, config: Partial<ImageConfig> = {}) =>
  imageContainerSpec({ ...container, ...more }, { ...image, ...config }, grantable);

describe("imageContainerSpec()", () => {
  it("takes command line, environment and directory from the image", () => {
    const { process } = specOf();
    assert.deepEqual(process.args, ["/entry", "--default"]);
    assert.deepEqual(process.env, ["PATH=/image/bin", "A=1"]);
    assert.equal(process.cwd, "/work");
  });
  it("lets the container win over the image", () => {
    const { process } = specOf({ args: ["/other"], env: { A: "2", B: "3" }, cwd: "/" });
    assert.deepEqual(process.args, ["/other"]);
    assert.deepEqual(process.env, ["PATH=/image/bin", "A=2", "B=3"]);
    assert.equal(process.cwd, "/");
  });
  it("has no privilege unless told so", () => {
    const { process, linux } = specOf({ user: { uid: 60, gid: 60 } });
    assert.deepEqual(process.user, { uid: 60, gid: 60 });
    assert.deepEqual([process.noNewPrivileges, process.capabilities.effective], [true, []]);
    assert.deepEqual(linux.resources.devices, [{ allow: false, access: "rwm" }]);
    assert.deepEqual(
      linux.namespaces.map(({ type }) => type),
      ["pid", "ipc", "uts", "mount"],
    );
    assert.ok(linux.maskedPaths.includes("/proc/kcore"));
  });
  it("gives the kubelet the machine: devices, control groups, processes, every capability there is", () => {
    const { process, linux, mounts } = specOf({
      privileged: true,
      hostNamespaces: ["network", "pid"],
      rootfsPropagation: "shared",
    });
    assert.deepEqual(process.capabilities.effective, grantable);
    assert.deepEqual(linux.resources.devices, [{ allow: true, access: "rwm" }]);
    assert.deepEqual([linux.maskedPaths, linux.readonlyPaths, linux.rootfsPropagation], [[], [], "shared"]);
    const [filter] = linux.seccomp?.syscalls ?? [];
    assert.equal(filter?.action, "SCMP_ACT_ERRNO");
    assert.ok(filter.names.includes("kexec_load") && !filter.names.includes("add_key"));
    assert.ok(!linux.namespaces.some(({ type }) => type === "pid" || type === "network"));
    for (const path of ["/dev", "/sys/fs/cgroup"]) {
      assert.equal(mounts.find(({ destination }) => destination === path)?.source, path);
    }
  });
  it("replaces a mount by one for the same place, and keeps parents before children", () => {
    const { mounts } = specOf({ mounts: [writableBind("/run"), writableBind("/run/x")] });
    const places = mounts.map(({ destination }) => destination);
    assert.equal(new Set(places).size, places.length);
    assert.equal(mounts.find(({ destination }) => destination === "/run")?.type, "bind");
    assert.ok(places.indexOf("/run") < places.indexOf("/run/x"));
  });
  it("knows users by number only", () => {
    assert.deepEqual(specOf({}, { user: "65532:65533" }).process.user, { uid: 65_532, gid: 65_533 });
    assert.throws(
      () => specOf({}, { user: "nobody" }),
      (err) => isCode(err, "image/unusable") && /user "nobody" is not a number/.test(err.message),
    );
  });
  it("refuses an image with nothing to run", () => {
    assert.throws(() => specOf({}, { entrypoint: [], command: [] }), /neither an entry point nor a command/);
  });
});

describe("capabilitiesIn()", () => {
  it("names the bits of the bounding set", () => {
    assert.deepEqual(capabilitiesIn("CapEff:\tffff\nCapBnd:\t0000000001000001\n"), ["CAP_CHOWN", "CAP_SYS_RESOURCE"]);
    assert.deepEqual(capabilitiesIn(""), []);
  });
});
