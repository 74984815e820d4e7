/** Encryption of a volume. */

import { boolean, choice, integer, string, unsigned } from "../../schema/scalars.ts";
import { property, array, object, type Infer } from "../../schema/type.ts";
import type { Check } from "../../validate/check.ts";

const staticKey = object("block.EncryptionKeyStatic", "A passphrase kept in the configuration.", {
  passphrase: property(string(), "The passphrase.", { secret: true }),
});

const nodeIdKey = object("block.EncryptionKeyNodeID", "A key derived from the node's UUID and the volume's label.", {});

const kmsKey = object("block.EncryptionKeyKMS", "A key sealed by a key server.", {
  endpoint: property(string(), "Address of the server.", { always: true, example: "https://192.168.88.21:4443" }),
});

const tpmKey = object("block.EncryptionKeyTPM", "A key sealed by the TPM.", {
  options: property(
    object("block.EncryptionKeyTPMOptions", "What the key is sealed to.", {
      pcrs: property(array(integer()), "PCRs the key is bound to; none binds it to the signature alone.", {
        example: [0, 7],
      }),
    }),
    "What the key is sealed to.",
  ),
  checkSecurebootStatusOnEnroll: property(boolean, "Refuses to enroll the key without SecureBoot."),
});

const key = object("block.EncryptionKey", "A key that opens the volume.", {
  slot: property(integer(), "LUKS slot of the key.", { always: true }),
  static: property(staticKey, "A passphrase kept in the configuration."),
  nodeID: property(nodeIdKey, "A key derived from the node."),
  kms: property(kmsKey, "A key sealed by a key server."),
  tpm: property(tpmKey, "A key sealed by the TPM."),
  lockToState: property(boolean, "Also needs a secret kept on STATE."),
});

const ciphers = ["aes-xts-plain64", "xchacha12,aes-adiantum-plain64", "xchacha20,aes-adiantum-plain64"];

const spec = object("block.EncryptionSpec", "Encryption of the volume.", {
  provider: property(
    choice("EncryptionProviderType", ["none", "luks2"], { zero: "none", json: { enum: ["luks2"] } }),
    "How the volume is encrypted.",
    {
      always: true,
    },
  ),
  keys: property(array(key), "Keys that open the volume.", { always: true }),
  cipher: property(string({ values: ciphers }), "Cipher.", { default: "aes-xts-plain64" }),
  keySize: property(unsigned("uint64"), "Size of the key in bits."),
  blockSize: property(unsigned("uint64"), "Size of an encrypted sector in bytes."),
  options: property(array(string()), "Performance options of dm-crypt.", {
    example: ["no_read_workqueue", "no_write_workqueue"],
  }),
});

type Encryption = Infer<typeof spec>;

/** Without provider and keys there is no encryption, whatever else is set. */
export const encryption: typeof spec = {
  ...spec,
  isZero: ({ provider, keys = [] }: Encryption) => provider === undefined && keys.length === 0,
};

export function validateEncryption(settings: Encryption | undefined, check: Check): void {
  if (settings === undefined || Object.keys(settings).length === 0) return;
  if (settings.provider !== "luks2")
    check.error(["encryption", "provider"], `unsupported encryption provider: ${settings.provider ?? "none"}`);
  const keys = settings.keys ?? [];
  if (keys.length === 0) check.error(["encryption", "keys"], "encryption keys are required");
  const slots = new Set<number>();
  for (const [index, { slot = 0, static: passphrase, nodeID, kms, tpm }] of keys.entries()) {
    const path = ["encryption", "keys", index];
    if (slots.has(slot)) check.error(path, `duplicate key slot ${slot}`);
    slots.add(slot);
    if ([passphrase, nodeID, kms, tpm].every((source) => source === undefined)) {
      check.error(path, `at least one encryption key type must be specified for slot ${slot}`);
    }
    for (const pcr of tpm?.options?.pcrs ?? []) {
      if (pcr < 0 || pcr > 23)
        check.error([...path, "tpm", "options", "pcrs"], `TPM PCR ${pcr} is out of range (0-23)`);
    }
  }
}
