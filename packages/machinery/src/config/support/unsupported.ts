/** A setting that can be loaded and validated, and that nothing acts on yet. */
export interface UnsupportedSetting {
  /** Kind of the document; the main document when absent. */
  readonly kind?: string;
  /** Field below the document, with `[]` for the items of a list; the whole document when absent. */
  readonly path?: string;
  /** Controllers that would act on it. The row must go when one of them is registered. */
  readonly controllers: readonly string[];
  /** Effect that it has instead. @default "nothing acts on it" */
  readonly instead?: string;
}

const kubeSpan = ["kubespan.ConfigController", "kubespan.ManagerController"];
/** Volumes on disks. */
const userVolumes = ["block.UserDiskConfigController"];
const notEncrypted = { controllers: ["block.VolumeEncryptionController"], instead: "the volume is not made" };
const notGrown = {
  controllers: ["block.VolumeGrowController"],
  instead: "the volume keeps the size that it is made with",
};

/**
 * Every setting that is accepted and has no effect, in alphabetical order: documents, then fields. `validate`,
 * `apply-config` and the dry run warn about those that a configuration uses. The list shrinks as features are added; a test
 * compares it with the registered controllers.
 */
export const unsupportedSettings: readonly UnsupportedSetting[] = [
  { kind: "ExternalVolumeConfig", controllers: userVolumes },
  {
    kind: "ImageVerificationConfig",
    controllers: ["cri.ImageVerifierController"],
    instead: "pulls of the machine and of its API follow the rules, pulls for pods do not: this containerd asks nobody",
  },
  {
    kind: "ImageVerificationConfig",
    path: "rules[].keyless",
    controllers: ["security.TUFTrustedRootController"],
    instead: "images that such a rule matches are refused",
  },
  { kind: "KubeSpanConfig", controllers: kubeSpan },
  { kind: "KubeSpanEndpointsConfig", controllers: kubeSpan },
  { kind: "RawVolumeConfig", path: "encryption", ...notEncrypted },
  { kind: "RawVolumeConfig", path: "provisioning.grow", ...notGrown },
  { kind: "SideroLinkConfig", controllers: ["siderolink.ConfigController"] },
  { kind: "SwapVolumeConfig", controllers: ["block.SwapStatusController"] },
  { kind: "UserVolumeConfig", path: "encryption", ...notEncrypted },
  {
    kind: "UserVolumeConfig",
    path: "filesystem.projectQuotaSupport",
    controllers: ["block.QuotaController"],
    instead: "no quota is enforced",
  },
  { kind: "UserVolumeConfig", path: "provisioning.grow", ...notGrown },

  { path: "machine.disks", controllers: ["block.UserDiskConfigController"] },
  {
    path: "machine.features.diskQuotaSupport",
    controllers: ["block.QuotaController"],
    instead: "no quota is enforced",
  },
  {
    path: "machine.install.extraKernelArgs",
    controllers: [],
    instead: "the arguments of the kernel are those that its image was made with",
  },
  { path: "machine.network.kubespan", controllers: kubeSpan },
  { path: "machine.systemDiskEncryption", controllers: ["block.VolumeEncryptionController"] },
];
