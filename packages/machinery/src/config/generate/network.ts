import { makeDocument, type ConfigDocument } from "../config.ts";
import { hostnameConfig } from "../documents/hostname-config.ts";
import { kubeSpanConfig } from "../documents/kube-span-config.ts";
import type { MachineSection } from "../documents/v1alpha1/config.ts";
import type { GenerateContext } from "./generate.ts";

/** Network settings as documents of their own. */
export function networkDocuments({ options, has }: GenerateContext): readonly ConfigDocument[] {
  const documents: ConfigDocument[] = [];
  if (has("networkDocuments")) {
    documents.push(makeDocument(hostnameConfig, { apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "stable" }));
  }
  if (options.kubeSpan !== undefined && has("kubeSpanDocument")) {
    documents.push(
      makeDocument(kubeSpanConfig, { apiVersion: "v1alpha1", kind: "KubeSpanConfig", enabled: options.kubeSpan }),
    );
  }
  return documents;
}

/** `machine.network`; written empty for versions that expect it. */
export function legacyNetwork({ options, has }: GenerateContext): MachineSection["network"] {
  if (has("kubeSpanDocument")) return options.network;
  const kubespan = options.kubeSpan === undefined ? {} : { kubespan: { enabled: options.kubeSpan } };
  return { ...options.network, ...kubespan };
}
