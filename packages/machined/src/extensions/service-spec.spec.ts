import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseExtensionService } from "./service-spec.ts";

describe("parseExtensionService()", () => {
  it("reads every field", () => {
    const text = `name: nut-client
container:
  entrypoint: /usr/sbin/upsmon
  args: [-D, 5]
  environment: [A=b]
  environmentFile: /var/etc/nut.env
  mounts: [{source: /run, destination: /run, type: bind, options: [rshared, rbind, rw]}]
  security: {writeableRootfs: true, writeableSysfs: true, rootfsPropagation: slave, maskedPaths: [/proc/keys]}
depends:
  - service: cri
  - path: /dev/kvm
  - network: [addresses, connectivity]
  - time: true
  - configuration: true
restart: untilSuccess
`;
    assert.deepEqual(parseExtensionService(text, "nut.yaml"), {
      name: "nut-client",
      restart: "until-success",
      depends: [
        { kind: "service", id: "cri" },
        { kind: "path", path: "/dev/kvm" },
        { kind: "network", statuses: ["addresses", "connectivity"] },
        { kind: "time" },
        { kind: "configuration" },
      ],
      container: {
        entrypoint: "/usr/sbin/upsmon",
        args: ["-D", "5"],
        environment: ["A=b"],
        environmentFile: "/var/etc/nut.env",
        mounts: [{ source: "/run", destination: "/run", type: "bind", options: ["rshared", "rbind", "rw"] }],
        writableRoot: true,
        writableSysfs: true,
        rootfsPropagation: "slave",
        maskedPaths: ["/proc/keys"],
        readonlyPaths: undefined,
      },
    });
  });

  it("names everything that is wrong", () => {
    const text =
      "name: Wrong!\nrestart: sometimes\ndepends: [{path: dev}, {}, {service: a, time: true}, {network: [wifi]}]\n";
    assert.throws(() => parseExtensionService(text, "x.yaml"), {
      code: "extension/invalid",
      message:
        'Cannot load the extension service "x.yaml": name "Wrong!" is invalid, restart kind is invalid: sometimes, ' +
        'container endpoint can\'t be empty, path is not absolute: "dev", no dependency specified, ' +
        "more than a single dependency is set, invalid network dependency: wifi",
    });
    assert.throws(() => parseExtensionService("a: [", "x.yaml"), { code: "extension/invalid" });
  });
});
