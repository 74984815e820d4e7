/** Keys of gRPC metadata that clients, apid and machined agree on. */
export const metadataKeys = {
  /** Name or address of the one node a call is for. */
  node: "node",
  /** Names or addresses of the nodes a call is for; apid joins their replies. */
  nodes: "nodes",
  /** Set by an apid that forwards a call: the next one serves it locally. */
  proxyFrom: "proxyfrom",
  /** Roles of the caller, set by apid from its certificate. */
  role: "talos-role",
  /** Name of the cluster, for proxies that serve several. */
  context: "context",
  /** Asks the endpoint to reach the node over a connection made for this call. Of this project; others pass it on. */
  freshConnection: "talos-fresh-connection",
  /** Marks a configuration as the confirmation of a trial: a node that has none under way, since it was over, refuses it. Of this project. */
  confirmTrial: "talos-confirm-trial",
} as const;
