export { KubeSpanConfig, type KubeSpanConfigSpec } from "./kubespan-config.ts";
export { KubeSpanEndpoint, type KubeSpanEndpointSpec } from "./kubespan-endpoint.ts";
export { KubeSpanIdentity, type KubeSpanIdentitySpec } from "./kubespan-identity.ts";
export { KubeSpanPeerSpec, type KubeSpanPeerSpecSpec } from "./kubespan-peer-spec.ts";
export { KubeSpanPeerStatus, type KubeSpanPeerStatusSpec } from "./kubespan-peer-status.ts";
