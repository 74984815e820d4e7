import type { Placement } from "../catalog.ts";
import type { ProcessConfig } from "../image-config.ts";

/** Layers of test images that are made of programs. */
export const testLayers = {
  agnhost: [{ program: "agnhost", path: "agnhost", links: ["agnhost-2"] }],
} as const satisfies Readonly<Record<string, readonly Placement[]>>;

export interface TestImage {
  readonly reference: string;
  /** From the bottom to the top; `static` and `pause` are those of a cluster. */
  readonly layers: readonly ("static" | "tools" | "agnhost" | "pause")[];
  readonly process: ProcessConfig;
}

const agnhost = (name: string): TestImage => ({
  reference: `registry.k8s.io/e2e-test-images/${name}`,
  layers: ["static", "tools", "agnhost"],
  process: { Entrypoint: ["/agnhost"], Cmd: ["pause"] },
});

/**
 * Images that most conformance tests run, by the references that Kubernetes 1.36 has for them. Two tags of agnhost are the same
 * program: tests of updates only want them to differ.
 */
export const testImages: readonly TestImage[] = [
  agnhost("agnhost:2.63.0"),
  agnhost("agnhost:2.55"),
  agnhost("glibc-dns-testing:2.0.0"),
  {
    reference: "registry.k8s.io/e2e-test-images/busybox:1.37.0-1",
    layers: ["static", "tools"],
    process: { Entrypoint: [], Cmd: ["sh"] },
  },
  {
    reference: "registry.k8s.io/pause:3.10.2",
    layers: ["pause"],
    process: { Entrypoint: ["/pause"], User: "65535:65535" },
  },
];
