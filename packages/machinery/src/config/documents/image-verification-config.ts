import { document } from "../schema/document.ts";
import { boolean, string } from "../schema/scalars.ts";
import { property, array, object, type Infer } from "../schema/type.ts";
import type { Check } from "../validate/check.ts";

const keyless = object("security.ImageKeylessVerifierV1Alpha1", "A signature made with an identity instead of a key.", {
  issuer: property(string(), "OIDC issuer of the identity.", { example: "https://accounts.google.com" }),
  subject: property(string(), "The identity."),
  subjectRegex: property(string(), "Pattern of the identity."),
});

const publicKey = object("security.ImagePublicKeyVerifierV1Alpha1", "A signature made with a key.", {
  certificate: property(string(), "Public key or certificate, PEM."),
});

const rule = object("security.ImageVerificationRuleV1Alpha1", "How images are verified.", {
  image: property(string(), "Registry and repository of the images; * stands for any part.", {
    example: "registry.k8s.io/*",
  }),
  skip: property(boolean, "Accepts the images without looking."),
  deny: property(boolean, "Refuses the images."),
  keyless: property(keyless, "A signature made with an identity."),
  publicKey: property(publicKey, "A signature made with a key."),
});

export const imageVerificationConfig = document({
  kind: "ImageVerificationConfig",
  schemaName: "security.ImageVerificationConfigV1Alpha1",
  doc: "Which signatures images must have; the first rule that matches decides.",
  hidden: true,
  fields: {
    rules: property(array(rule, { mergeKeys: ["image"], mergeReplaces: true }), "Rules, looked at in order."),
  },
  validate: ({ rules = [] }, check) => {
    for (const [index, entry] of rules.entries()) validateRule(index, entry, check);
  },
});

const repositoryOnly = "but matching only applies to the image registry and repository, not the tag or digest";

function validateRule(index: number, entry: Infer<typeof rule>, check: Check): void {
  const path = ["rules", index];
  const { image = "", skip = false, deny = false } = entry;
  const error = (broken: boolean, message: string): void => {
    if (broken) check.error(path, `rule ${index}: ${message}`);
  };
  const warn = (odd: boolean, message: string): void => {
    if (odd) check.warn([...path, "image"], `rule ${index}: imagePattern ${message}`);
  };
  error(image === "", "imagePattern must be specified");
  warn(image.includes("@"), `contains '@' ${repositoryOnly}`);
  warn(image.slice(image.indexOf("/") + 1).includes(":") && image.includes("/"), `contains ':' ${repositoryOnly}`);
  warn(
    !image.includes("/") && image !== "*" && image !== "",
    "does not contain a '/', image references like 'nginx' are matched as 'docker.io/nginx' (normalized)",
  );
  const verified = entry.keyless !== undefined || entry.publicKey !== undefined;
  error(skip && deny, "skip and deny cannot both be true");
  error((skip || deny) && verified, "verifiers cannot be configured if skip or deny is true");
  error(!skip && !deny && !verified, "at least one verifier must be configured");
  error(
    entry.keyless !== undefined && entry.publicKey !== undefined,
    "only one of keyless or publicKey verifier can be configured",
  );
  if (entry.keyless !== undefined) {
    const { issuer, subject, subjectRegex } = entry.keyless;
    error(issuer === undefined, "verifier OIDC issuer must be specified");
    error(subject === undefined && subjectRegex === undefined, "verifier subject or subjectRegex must be specified");
  }
  error(
    entry.publicKey !== undefined && entry.publicKey.certificate === undefined,
    "verifier certificates must be specified",
  );
}
