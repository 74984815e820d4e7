/** The kind through which pods are given access to the API of the machine. */
export const serviceAccountCrd: object = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "serviceaccounts.talos.dev" },
  spec: {
    conversion: { strategy: "None" },
    group: "talos.dev",
    names: {
      kind: "ServiceAccount",
      listKind: "ServiceAccountList",
      plural: "serviceaccounts",
      singular: "serviceaccount",
      shortNames: ["tsa"],
    },
    scope: "Namespaced",
    versions: [
      {
        name: "v1alpha1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { roles: { type: "array", items: { type: "string" } } } },
              status: { type: "object", properties: { failureReason: { type: "string" } } },
            },
          },
        },
      },
    ],
  },
};
