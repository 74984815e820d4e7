import { field, list, message, text, uint32, type ValueOf } from "../dsl/index.ts";

const idMapping = message({
  containerId: field(1, uint32, "containerid"),
  hostId: field(2, uint32, "hostid"),
  size: field(3, uint32),
});

/** A mount of the kubelet container, as the OCI runtime takes it. */
export const kubeletMount = message({
  destination: field(1, text),
  type: field(2, text),
  source: field(3, text),
  options: field(4, list(text)),
  uidMappings: field(5, list(idMapping), "uidmappings"),
  gidMappings: field(6, list(idMapping), "gidmappings"),
});

export type KubeletMount = ValueOf<typeof kubeletMount>;
