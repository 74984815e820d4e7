/** Pieces used by several sections of the main document. */

import { base64Format } from "../../schema/formats.ts";
import { flag, label, string, unsigned } from "../../schema/scalars.ts";
import { any, argument, property, array, dictionary, object } from "../../schema/type.ts";

/** A certificate and its key; both PEM in base64. */
export const certificateAndKey = {
  ...object(undefined, "A certificate with its key, each PEM in base64.", {
    crt: property(base64Format, "Certificate, PEM in base64.", { always: true }),
    key: property(base64Format, "Private key, PEM in base64.", { always: true, secret: true }),
  }),
  json: {
    type: "object",
    properties: { crt: { type: "string" }, key: { type: "string" } },
    additionalProperties: false,
  },
} as const;

const certificate = object(undefined, "A certificate, PEM in base64.", {
  crt: property(base64Format, "Certificate, PEM in base64.", { always: true }),
});

/** The published schema describes this list as an object; tools that read it must see the same. */
export const certificates = array(certificate, {
  json: { type: "object", properties: { crt: { type: "string" } }, additionalProperties: false },
});

export const privateKey = {
  ...object(undefined, "A private key, PEM in base64.", {
    key: property(base64Format, "Private key, PEM in base64.", { always: true, secret: true }),
  }),
  json: { type: "object", properties: { key: { type: "string" } }, additionalProperties: false },
} as const;

export const labels = dictionary(label, { type: "object", patternProperties: { ".*": { type: "string" } } });

export const extraArgs = dictionary(argument);

export const volumeMount = object("v1alpha1.VolumeMountConfig", "A host directory given to a control plane pod.", {
  hostPath: property(string(), "Path on the host.", { always: true, example: "/var/lib/auth" }),
  mountPath: property(string(), "Path inside the pod.", { always: true, example: "/etc/kubernetes/auth" }),
  readonly: property(flag, "Whether the pod may only read."),
});

/** The published schema refers to the resources of a pod as a plain object. */
export const resources = {
  ...object("v1alpha1.ResourcesConfig", "CPU and memory of a control plane pod.", {
    requests: property(any, "What is reserved for the pod.", { example: { cpu: 1, memory: "1Gi" } }),
    limits: property(any, "What the pod may use at most.", { example: { cpu: 2, memory: "2500Mi" } }),
  }),
  json: { type: "object" },
} as const;

const idMapping = object("v1alpha1.LinuxIDMapping", "A range of user or group ids inside and outside a container.", {
  containerID: property(unsigned("uint32"), "First id inside the container.", { always: true }),
  hostID: property(unsigned("uint32"), "First id on the host.", { always: true }),
  size: property(unsigned("uint32"), "How many ids are mapped.", { always: true }),
});

export const extraMount = object("v1alpha1.ExtraMount", "A mount as the OCI runtime specification describes it.", {
  destination: property(string(), "Absolute path inside the container.", { always: true }),
  type: property(string(), "Kind of the mount, such as bind."),
  source: property(string(), "What is mounted: a device or a path on the host."),
  options: property(array(string()), "Mount options as in fstab."),
  uidMappings: property(array(idMapping), "Ids of users in the mount."),
  gidMappings: property(array(idMapping), "Ids of groups in the mount."),
});
