/** Files, disks and disk encryption of the machine section. */

import { diskSize, fileMode } from "../../schema/formats.ts";
import { boolean, integer, string, unsigned } from "../../schema/scalars.ts";
import { field, list, object } from "../../schema/type.ts";

export const machineFile = object("v1alpha1.MachineFile", "A file written at boot.", {
  content: field(string(), "What the file contains.", { always: true }),
  permissions: field(fileMode, "Permissions of the file.", { always: true, example: 0o644 }),
  path: field(string(), "Where the file is; new files must be below /var.", { always: true }),
  op: field(
    string({ values: ["create", "append", "overwrite"] }),
    "Whether the file is created, appended to or overwritten.",
    {
      always: true,
    },
  ),
});

const partition = object(undefined, "A partition.", {
  size: field(diskSize, "Size; the last partition may take the rest of the disk."),
  mountpoint: field(string(), "Where the partition is mounted."),
});

export const machineDisk = object(undefined, "A disk to partition and mount.", {
  device: field(string(), "Path of the disk."),
  partitions: field(list(partition), "Partitions of the disk."),
});

const encryptionKey = object(undefined, "A key of an encrypted partition.", {
  static: field(
    object(undefined, "A passphrase.", { passphrase: field(string(), "The passphrase.", { secret: true }) }),
    "A passphrase kept in the configuration.",
  ),
  nodeID: field(
    object(undefined, "Derived from the node.", {}),
    "A key derived from the node's UUID and the partition label.",
  ),
  kms: field(
    object(undefined, "A key server.", { endpoint: field(string(), "Address of the server.", { always: true }) }),
    "A key sealed by a server.",
  ),
  slot: field(integer(), "LUKS slot of the key.", { always: true }),
  tpm: field(
    object(undefined, "A TPM.", {
      checkSecurebootStatusOnEnroll: field(boolean, "Refuses to enroll without SecureBoot."),
    }),
    "A key sealed by the TPM.",
  ),
});

const encryption = object(undefined, "Encryption of a partition.", {
  provider: field(string(), "How the partition is encrypted.", { always: true }),
  keys: field(list(encryptionKey), "Keys that open the partition.", { always: true }),
  cipher: field(string(), "Cipher."),
  keySize: field(unsigned("uint64"), "Size of the key in bits."),
  blockSize: field(unsigned("uint64"), "Size of an encrypted sector in bytes."),
  options: field(list(string()), "Performance options of dm-crypt."),
});

export const systemDiskEncryption = object(undefined, "Encryption of the system partitions.", {
  state: field(encryption, "Encryption of STATE."),
  ephemeral: field(encryption, "Encryption of EPHEMERAL."),
});
