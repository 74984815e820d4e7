import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { roles, roleSet } from "@talos-ts/machinery/roles";
import { daemonPolicy } from "./daemon-policy.ts";
import { rolesOfService } from "./peer-roles.ts";

describe("rolesOfService()", () => {
  const everything = roleSet(roles.admin, roles.reader, roles.imageVerifier, roles.metaWriter);
  it("believes apid, cuts others down to their part, and strangers to nothing", () => {
    assert.deepEqual(rolesOfService("apid", everything), everything);
    assert.deepEqual([...rolesOfService("cri", everything)], [roles.imageVerifier]);
    assert.deepEqual([...rolesOfService("dashboard", everything)], [roles.reader, roles.metaWriter]);
    assert.equal(rolesOfService("trustd", everything).size, 0);
    assert.equal(rolesOfService(undefined, everything).size, 0);
  });
});

describe("daemonPolicy()", () => {
  const apid = daemonPolicy("apid");
  const certificate = { namespace: "secrets", type: "ApiCertificates.secrets.talos.dev", id: "api" };
  it("C-10: lets apid read its certificates, addresses and names", () => {
    apid({ verb: "watch", ...certificate });
    apid({ verb: "list", namespace: "network", type: "NodeAddresses.net.talos.dev" });
  });
  it("C-10: refuses writes and everything else, with the known texts", () => {
    const message = (text: string) => ({ kind: "permission-denied", message: text });
    assert.throws(() => apid({ verb: "update", ...certificate }), message("write access denied"));
    const secret = { namespace: "secrets", type: "OSRootSecrets.secrets.talos.dev", id: "os" };
    assert.throws(() => apid({ verb: "get", ...secret }), message("access denied"));
    assert.throws(() => apid({ verb: "list", namespace: "secrets", type: certificate.type }), message("access denied"));
    daemonPolicy("trustd")({ verb: "get", ...secret });
  });
});
