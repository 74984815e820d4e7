/** Files, disks and disk encryption of the machine section. */

import { diskSize, fileMode } from "../../schema/formats.ts";
import { boolean, integer, string, unsigned } from "../../schema/scalars.ts";
import { property, array, object } from "../../schema/type.ts";

export const machineFile = object("v1alpha1.MachineFile", "A file written at boot.", {
  content: property(string(), "What the file contains.", { always: true }),
  permissions: property(fileMode, "Permissions of the file.", { always: true, example: 0o644 }),
  path: property(string(), "Where the file is; new files must be below /var.", { always: true }),
  op: property(
    string({ values: ["create", "append", "overwrite"] }),
    "Whether the file is created, appended to or overwritten.",
    {
      always: true,
    },
  ),
});

const partition = object(undefined, "A partition.", {
  size: property(diskSize, "Size; the last partition may take the rest of the disk."),
  mountpoint: property(string(), "Where the partition is mounted."),
});

export const machineDisk = object(undefined, "A disk to partition and mount.", {
  device: property(string(), "Path of the disk."),
  partitions: property(array(partition), "Partitions of the disk."),
});

const encryptionKey = object(undefined, "A key of an encrypted partition.", {
  static: property(
    object(undefined, "A passphrase.", { passphrase: property(string(), "The passphrase.", { secret: true }) }),
    "A passphrase kept in the configuration.",
  ),
  nodeID: property(
    object(undefined, "Derived from the node.", {}),
    "A key derived from the node's UUID and the partition label.",
  ),
  kms: property(
    object(undefined, "A key server.", { endpoint: property(string(), "Address of the server.", { always: true }) }),
    "A key sealed by a server.",
  ),
  slot: property(integer(), "LUKS slot of the key.", { always: true }),
  tpm: property(
    object(undefined, "A TPM.", {
      checkSecurebootStatusOnEnroll: property(boolean, "Refuses to enroll without SecureBoot."),
    }),
    "A key sealed by the TPM.",
  ),
});

const encryption = object(undefined, "Encryption of a partition.", {
  provider: property(string(), "How the partition is encrypted.", { always: true }),
  keys: property(array(encryptionKey), "Keys that open the partition.", { always: true }),
  cipher: property(string(), "Cipher."),
  keySize: property(unsigned("uint64"), "Size of the key in bits."),
  blockSize: property(unsigned("uint64"), "Size of an encrypted sector in bytes."),
  options: property(array(string()), "Performance options of dm-crypt."),
});

export const systemDiskEncryption = object(undefined, "Encryption of the system partitions.", {
  state: property(encryption, "Encryption of STATE."),
  ephemeral: property(encryption, "Encryption of EPHEMERAL."),
});
