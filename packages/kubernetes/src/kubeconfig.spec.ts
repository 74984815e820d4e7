import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseKubeconfig } from "./kubeconfig.ts";

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const embedded = `
apiVersion: v1
kind: Config
clusters: [{name: c, cluster: {server: "https://10.5.0.2:6443/", certificate-authority-data: ${base64("CA")}}}]
contexts: [{name: admin@c, context: {cluster: c, user: admin@c}}]
current-context: admin@c
users: [{name: admin@c, user: {client-certificate-data: ${base64("CRT")}, client-key-data: ${base64("KEY")}}}]
`;

describe("parseKubeconfig", () => {
  it("takes embedded certificates", async () => {
    assert.deepEqual(await parseKubeconfig(embedded), {
      server: "https://10.5.0.2:6443",
      ca: "CA",
      cert: "CRT",
      key: "KEY",
    });
  });

  it("reads the files it refers to, if allowed", async () => {
    const text = embedded
      .replace(/client-certificate-data: \w+=*/, "client-certificate: pki/a.pem")
      .replace(/client-key-data: \w+=*/, "client-key: pki/a.pem");
    const access = await parseKubeconfig(text, { read: async (path) => `content of ${path}` });
    assert.equal(access.cert, "content of pki/a.pem");
    await assert.rejects(parseKubeconfig(text), /refers to the file "pki\/a.pem", which cannot be read here/);
  });

  it("refuses what it cannot honour", async () => {
    await assert.rejects(parseKubeconfig("[]"), /is not a mapping/);
    await assert.rejects(parseKubeconfig("{}"), /has no current-context/);
    await assert.rejects(parseKubeconfig(embedded, { context: "other" }), /has no context "other"/);
    const exec = embedded.replace(/\{client-certificate-data.*\}\}/, "{exec: {command: aws}}}");
    await assert.rejects(parseKubeconfig(exec), /uses "exec" for user "admin@c", which is not supported/);
  });
});
