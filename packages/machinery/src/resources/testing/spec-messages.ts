import { createRegistry, type DescMessage } from "@bufbuild/protobuf";
import { file_resource_config_config } from "@talos-ts/proto/resource/config/config";
import { file_resource_definitions_block } from "@talos-ts/proto/resource/definitions/block";
import { file_resource_definitions_cluster } from "@talos-ts/proto/resource/definitions/cluster";
import { file_resource_definitions_cri } from "@talos-ts/proto/resource/definitions/cri";
import { file_resource_definitions_etcd } from "@talos-ts/proto/resource/definitions/etcd";
import { file_resource_definitions_extensions } from "@talos-ts/proto/resource/definitions/extensions";
import { file_resource_definitions_files } from "@talos-ts/proto/resource/definitions/files";
import { file_resource_definitions_hardware } from "@talos-ts/proto/resource/definitions/hardware";
import { file_resource_definitions_k8s } from "@talos-ts/proto/resource/definitions/k8s";
import { file_resource_definitions_kubeaccess } from "@talos-ts/proto/resource/definitions/kubeaccess";
import { file_resource_definitions_kubespan } from "@talos-ts/proto/resource/definitions/kubespan";
import { file_resource_definitions_network } from "@talos-ts/proto/resource/definitions/network";
import { file_resource_definitions_perf } from "@talos-ts/proto/resource/definitions/perf";
import { file_resource_definitions_runtime } from "@talos-ts/proto/resource/definitions/runtime";
import { file_resource_definitions_secrets } from "@talos-ts/proto/resource/definitions/secrets";
import { file_resource_definitions_security } from "@talos-ts/proto/resource/definitions/security";
import { file_resource_definitions_siderolink } from "@talos-ts/proto/resource/definitions/siderolink";
import { file_resource_definitions_time } from "@talos-ts/proto/resource/definitions/time";
import { file_resource_definitions_v1alpha1 } from "@talos-ts/proto/resource/definitions/v1alpha1";
import { file_resource_network_device_config } from "@talos-ts/proto/resource/network/device_config";
import { readFileSync } from "node:fs";

interface Frozen {
  readonly message: string | null;
  readonly keys: readonly string[] | null;
}

const frozen = JSON.parse(readFileSync(new URL("../testdata/specs.json", import.meta.url), "utf8")) as Readonly<
  Record<string, Frozen>
>;

export const registry = createRegistry(
  file_resource_config_config,
  file_resource_definitions_block,
  file_resource_definitions_cluster,
  file_resource_definitions_cri,
  file_resource_definitions_etcd,
  file_resource_definitions_extensions,
  file_resource_definitions_files,
  file_resource_definitions_hardware,
  file_resource_definitions_k8s,
  file_resource_definitions_kubeaccess,
  file_resource_definitions_kubespan,
  file_resource_definitions_network,
  file_resource_definitions_perf,
  file_resource_definitions_runtime,
  file_resource_definitions_secrets,
  file_resource_definitions_security,
  file_resource_definitions_siderolink,
  file_resource_definitions_time,
  file_resource_definitions_v1alpha1,
  file_resource_network_device_config,
);

/** Reports whether the facts recorded from Talos v1.13 have this type; types of this project alone are not in them. */
export function isRecorded(type: string): boolean {
  return type in frozen;
}

/** The protobuf message a spec travels as; none for types that never had one. */
export function messageOf(type: string): DescMessage | undefined {
  const name = frozen[type]?.message ?? undefined;
  if (name === undefined) return undefined;
  const message = registry.getMessage(name);
  if (message === undefined) throw new Error(`no message ${name}`);
  return message;
}

/** The keys under which a spec is printed, in order; none for specs that are not a mapping of known keys. */
export function keysOf(type: string): readonly string[] | undefined {
  return frozen[type]?.keys ?? undefined;
}
