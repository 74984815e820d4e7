import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type PlatformMode } from "../../constants/index.ts";
import { loadConfig } from "../load/load.ts";
import { loadExpressionChecker } from "./expressions.ts";
import { validateConfig, validationMessage } from "./validate.ts";

const endpoint = "controlPlane: {endpoint: 'https://10.0.0.1:6443'}";
const controlPlane = "type: controlplane, ca: {crt: YQ==, key: YQ==}";
const worker = "type: worker, ca: {crt: YQ==}";

function main(machine: string, cluster = endpoint): string {
  return `version: v1alpha1\nmachine: {${machine}}\ncluster: {${cluster}}\n`;
}

function errors(text: string, mode: PlatformMode = "cloud"): readonly string[] {
  return validateConfig(loadConfig(text), { mode }).errors.map(({ message }) => message);
}

describe("validateConfig()", () => {
  test("container mode wants the DNS server of the host (system map 4.3)", () => {
    assert.deepEqual(errors(main(worker), "container"), [
      "feature HostDNS should be enabled in container mode (.machine.features.hostDNS.enabled)",
      "feature HostDNS should forward kube-dns to host in container mode (.machine.features.hostDNS.forwardKubeDNSToHost)",
    ]);
    assert.deepEqual(
      errors(main(`${worker}, features: {hostDNS: {enabled: true, forwardKubeDNSToHost: true}}`), "container"),
      [],
    );
  });

  test("metal mode wants to know where to install", () => {
    assert.deepEqual(errors(main(worker), "metal"), ['install instructions are required in "metal" mode']);
    assert.deepEqual(errors(main(`${worker}, install: {}`), "metal"), [
      "either install disk or diskSelector should be defined",
    ]);
    assert.deepEqual(errors(main(`${worker}, install: {diskSelector: {model: WDC*}}`), "metal"), []);
  });

  const rules: readonly (readonly [string, string, readonly string[]])[] = [
    ["a missing machine", "debug: true\n", ["machine instructions are required"]],
    ["a missing cluster", `machine: {${worker}}\n`, ["cluster instructions are required"]],
    ["a missing endpoint", main(worker, "id: a"), ["cluster controlplane endpoint is required"]],
    [
      "a type nobody knows and no authority",
      main("type: foo"),
      ["issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)", 'unknown machine type "foo"'],
    ],
    [
      "keys of authorities on a worker",
      main("type: worker, ca: {crt: YQ==, key: YQ==}", `${endpoint}, ca: {key: YQ==}`),
      [
        "cluster CA key is not allowed on non-controlplane nodes (.cluster.ca)",
        "issuing Talos API CA key is not allowed on non-controlplane nodes (.machine.ca)",
        "issuing Kubernetes API CA key is not allowed on non-controlplane nodes (.cluster.ca)",
      ],
    ],
    [
      "a control plane node without key",
      main("type: controlplane, ca: {crt: YQ==}"),
      ["issuing CA key is required for controlplane nodes (.machine.ca.key)"],
    ],
    [
      "a pod network nobody knows",
      main(controlPlane, `${endpoint}, network: {dnsDomain: a b, cni: {name: x}}`),
      ['"a b" is not a valid DNS name', 'cni name should be one of ["flannel", "custom", "none"]'],
    ],
    [
      "discovery without the secrets it needs",
      main(worker, `${endpoint}, discovery: {enabled: true, registries: {service: {endpoint: 'https://a/b'}}}`),
      [
        "cluster discovery service path should be empty",
        "cluster discovery service requires .cluster.id",
        "cluster discovery service requires .cluster.secret",
      ],
    ],
    [
      "a link in two bonds",
      main(
        `${controlPlane}, network: {interfaces: [{interface: b0, bond: {interfaces: [e]}}, {interface: b1, bond: {interfaces: [e]}}]}`,
      ),
      ['interface "e" is declared as part of two separate links: "b0" and "b1"'],
    ],
    [
      "options a bond mode does not have",
      main(
        `${controlPlane}, network: {interfaces: [{interface: b, bond: {mode: 802.3ad, miimon: 100, updelay: 50, arpInterval: 1}}]}`,
      ),
      ["bond.upDelay should be a multiple of miiMon", "bond.arpInterval is not available in 802.3ad mode"],
    ],
    [
      "routes to nowhere",
      main(`${controlPlane}, network: {interfaces: [{interface: e, routes: [{network: x, gateway: y}, {}]}]}`),
      [
        '[networking.os.device.route[0].network] "x": invalid network address',
        '[networking.os.device.route[0].gateway] "y": invalid network address',
        "[networking.os.device.route[1]]: either network or gateway should be set",
      ],
    ],
    [
      "taints without effect",
      main(`${worker}, nodeTaints: {a: b, c: 'v:NoSchedule'}`),
      ['invalid machine node taints: invalid taint effect: "b"'],
    ],
    [
      "etcd without authority",
      main(controlPlane, `${endpoint}, etcd: {advertisedSubnets: [x]}`),
      [
        "key/cert combination should not be empty",
        'etcd advertised subnet is not valid: "x"',
        'etcd listen subnet is not valid: "x"',
      ],
    ],
    [
      "authorizers nobody knows",
      main(controlPlane, `${endpoint}, apiServer: {authorizationConfig: [{type: Foo, name: a}]}`),
      [
        "apiserver authorization config validation failed: authorizer type Foo is not allowed, allowed types are [Node RBAC Webhook]",
      ],
    ],
    [
      "resources pods do not have",
      main(controlPlane, `${endpoint}, scheduler: {resources: {limits: {gpu: 1}}}`),
      ['scheduler resource validation failed: unsupported pod resource "gpu"'],
    ],
  ];
  for (const [what, text, expected] of rules) {
    test(`refuses ${what}`, () => {
      assert.deepEqual(errors(text), expected);
    });
  }

  test("refuses settings made both in the main document and in their own", () => {
    const documents = ["HostnameConfig\nauto: stable", "ResolverConfig", "TimeSyncConfig", "KubeSpanConfig"];
    const legacy = "network: {hostname: a, nameservers: [10.0.0.1], kubespan: {}}, time: {servers: [a]}";
    const text = [
      main(`${worker}, ${legacy}`),
      ...documents.map((rest) => `apiVersion: v1alpha1\nkind: ${rest}\n`),
    ].join("---\n");
    assert.deepEqual(errors(text), [
      "static hostname is already set in v1alpha1 config",
      ".machine.network.nameservers is already set in v1alpha1 config",
      "time servers cannot be specified in both v1alpha1 and new-style configuration",
      "kubespan is already configured in v1alpha1 machine.network.kubespan",
    ]);
  });

  test("makes errors of warnings when strict", () => {
    const text = main(worker.replace("worker", "join"));
    const lax = validateConfig(loadConfig(text), { mode: "cloud" });
    assert.deepEqual(
      [lax.errors, lax.warnings.map(({ message, line, column }) => [message, line, column])],
      [[], [['use "worker" instead of "join" for machine type', 2, 11]]],
    );
    const strict = validateConfig(loadConfig(text), { mode: "cloud", strict: true });
    assert.deepEqual(
      strict.errors.map(({ message }) => message),
      ['warning: use "worker" instead of "join" for machine type'],
    );
    assert.deepEqual(strict.warnings, []);
  });
});

describe("validationMessage()", () => {
  test("groups errors by document in the form clients know", () => {
    const text = `${main("type: foo")}---\napiVersion: v1alpha1\nkind: TimeSyncConfig\nbootTimeout: -1s\nntp: {}\nptp: {}\n`;
    const { errors: found } = validateConfig(loadConfig(text), { mode: "cloud" });
    assert.equal(
      validationMessage(found),
      "2 errors occurred:\n\t* v1alpha1.Config: 2 errors occurred:\n" +
        "\t* issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)\n" +
        '\t* unknown machine type "foo"\n\n\n' +
        "\t* TimeSyncConfig: bootTimeout cannot be negative\nonly one of ntp or ptp configuration can be specified\n\n",
    );
  });
});

describe("validateConfig() with a checker of expressions", () => {
  test("tells what is wrong with an expression behind the field it is in", async () => {
    const text = "apiVersion: v1alpha1\nkind: LinkAliasConfig\nname: a\nselector: {match: 'link.mtu > 1500'}\n";
    const { errors: found } = validateConfig(loadConfig(text), {
      mode: "cloud",
      checkExpression: await loadExpressionChecker(),
    });
    assert.deepEqual(
      found.map(({ message, line, column }) => [message.split("\n"), line, column]),
      [
        [
          [
            "link selector is invalid: ERROR: <input>:1:10: found no matching overload for '_>_' applied to '(uint, int)', expected '(uint, uint)'",
            " | link.mtu > 1500",
            " | .........^",
          ],
          4,
          12,
        ],
      ],
    );
  });
});
