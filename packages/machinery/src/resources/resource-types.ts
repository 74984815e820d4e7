import * as block from "./block/index.ts";
import * as cluster from "./cluster/index.ts";
import * as config from "./config/index.ts";
import * as cri from "./cri/index.ts";
import type { TypedResource } from "./dsl/index.ts";
import * as etcd from "./etcd/index.ts";
import * as files from "./files/index.ts";
import * as hardware from "./hardware/index.ts";
import * as k8s from "./k8s/index.ts";
import * as kubeaccess from "./kubeaccess/index.ts";
import * as kubespan from "./kubespan/index.ts";
import * as network from "./network/index.ts";
import * as networkDevice from "./network-device/index.ts";
import * as perf from "./perf/index.ts";
import * as runtime from "./runtime/index.ts";
import * as secrets from "./secrets/index.ts";
import * as security from "./security/index.ts";
import * as siderolink from "./siderolink/index.ts";
import * as time from "./time/index.ts";
import * as v1alpha1 from "./v1alpha1/index.ts";

/** The index of a domain lists its resource types and nothing else, so that the lists together are the register. */
const domains: readonly Readonly<Record<string, TypedResource>>[] = [
  block,
  cluster,
  config,
  cri,
  etcd,
  files,
  hardware,
  k8s,
  kubeaccess,
  kubespan,
  network,
  networkDevice,
  perf,
  runtime,
  secrets,
  security,
  siderolink,
  time,
  v1alpha1,
];

/** Every resource type a node registers, besides those of `meta`. */
export const resourceTypes: readonly TypedResource[] = domains.flatMap((domain) => Object.values(domain));
