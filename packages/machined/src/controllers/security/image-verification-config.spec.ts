import { describe, it } from "node:test";
import { controllerTest } from "@talos-ts/cosi/conformance";
import { ImageVerificationRule } from "@talos-ts/machinery/resources/security";
import { activeResource } from "../internal/testing.ts";
import { imageVerificationConfigController } from "./image-verification-config.ts";

const rules = `apiVersion: v1alpha1
kind: ImageVerificationConfig
rules:
  - {image: "ghcr.io/bad/*", deny: true}
  - {image: "ghcr.io/*", keyless: {issuer: "https://issuer.lan", subject: me}}
  - {image: "reg.lan/*", publicKey: {certificate: PEM}}
`;

describe("imageVerificationConfigController()", () => {
  it("publishes the rules in their order", async () => {
    await using test = controllerTest({ register: [imageVerificationConfigController()] });
    await test.create(activeResource(rules));
    const plain = { skip: false, deny: false, keylessVerifier: undefined, publicKeyVerifier: undefined };
    await test.assertSpec(ImageVerificationRule, "0000", { ...plain, imagePattern: "ghcr.io/bad/*", deny: true });
    await test.assertSpec(ImageVerificationRule, "0001", {
      ...plain,
      imagePattern: "ghcr.io/*",
      keylessVerifier: { issuer: "https://issuer.lan", subject: "me", subjectRegex: "" },
    });
    await test.assertSpec(ImageVerificationRule, "0002", {
      ...plain,
      imagePattern: "reg.lan/*",
      publicKeyVerifier: { certificate: "PEM" },
    });
  });
});
