import { sign, type KeyObject } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { digestOf } from "../digest.ts";
import { referenceAnnotation } from "../layout/layout.ts";
import type { Descriptor } from "../manifest.ts";
import { mediaTypes } from "../media-types.ts";
import { preAuthenticationEncoding } from "../signatures/bundle.ts";

export interface TestSignature {
  /** Registry and repository of the image. */
  readonly repository: string;
  /** Digest of the manifest that is signed. */
  readonly digest: string;
  /** ECDSA P-256. */
  readonly key: KeyObject;
  readonly format: "bundle" | "simple";
  /** Digest that the signed document names. @default {digest} */
  readonly names?: string;
}

/** Signs an image of a layout as cosign does. @returns the manifest of the signature, which stands under its tag */
export async function signTestImage(directory: string, signature: TestSignature): Promise<Descriptor> {
  const { digest, format } = signature;
  const put = async (bytes: Uint8Array, mediaType: string): Promise<Descriptor> => {
    const name = digestOf(bytes);
    await writeFile(join(directory, "blobs/sha256", name.slice("sha256:".length)), bytes);
    return { mediaType, digest: name, size: bytes.byteLength };
  };
  const config = await put(Buffer.from("{}"), mediaTypes.ociConfig);
  const { bytes, mediaType, annotations } = format === "simple" ? simpleLayer(signature) : bundleLayer(signature);
  const layer = { ...(await put(bytes, mediaType)), annotations };
  const document = { schemaVersion: 2, mediaType: mediaTypes.ociManifest, config, layers: [layer] };
  const manifest = await put(Buffer.from(JSON.stringify(document)), mediaTypes.ociManifest);
  const tag = `${digest.replace(":", "-")}${format === "simple" ? ".sig" : ""}`;
  const path = join(directory, "index.json");
  const index = JSON.parse(await readFile(path, "utf8")) as { manifests: Descriptor[] };
  const reference = `${signature.repository}:${tag}`;
  index.manifests = index.manifests.filter(({ annotations: own }) => own?.[referenceAnnotation] !== reference);
  index.manifests.push({ ...manifest, annotations: { [referenceAnnotation]: reference } });
  await writeFile(path, JSON.stringify(index));
  return manifest;
}

interface Layer {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
  readonly annotations: Readonly<Record<string, string>>;
}

function simpleLayer({ repository, digest, names = digest, key }: TestSignature): Layer {
  const critical = {
    identity: { "docker-reference": repository },
    image: { "docker-manifest-digest": names },
    type: "cosign container image signature",
  };
  const bytes = Buffer.from(JSON.stringify({ critical, optional: null }));
  const signature = sign("sha256", bytes, key).toString("base64");
  const annotations = { "dev.cosignproject.cosign/signature": signature };
  return { bytes, mediaType: "application/vnd.dev.cosign.simplesigning.v1+json", annotations };
}

function bundleLayer({ digest, names = digest, key }: TestSignature): Layer {
  const [algorithm = "", hex = ""] = names.split(":");
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: [{ digest: { [algorithm]: hex } }],
    predicateType: "https://sigstore.dev/cosign/sign/v1",
    predicate: {},
  };
  const body = Buffer.from(JSON.stringify(statement));
  const payloadType = "application/vnd.in-toto+json";
  const sig = sign("sha256", preAuthenticationEncoding(payloadType, body), key).toString("base64");
  const mediaType = "application/vnd.dev.sigstore.bundle.v0.3+json";
  const dsseEnvelope = { payload: body.toString("base64"), payloadType, signatures: [{ sig }] };
  const bundle = { mediaType, verificationMaterial: { publicKey: { hint: "" } }, dsseEnvelope };
  return { bytes: Buffer.from(JSON.stringify(bundle)), mediaType, annotations: {} };
}
