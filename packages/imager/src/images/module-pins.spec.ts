import assert from "node:assert/strict";
import { test } from "node:test";
import { isCode } from "@talos-ts/base";
import { readPins, withKubernetes } from "./module-pins.ts";

const goMod = `module example.invalid/images

require github.com/single/line v1.2.3

require (
	k8s.io/client-go v0.36.4
	k8s.io/klog/v2 v2.140.0 // indirect
	k8s.io/kubernetes v1.36.4
)

replace (
	k8s.io/api => k8s.io/api v0.36.4
	k8s.io/client-go => k8s.io/client-go v0.36.4
)
`;

test("readPins reads single and grouped requirements", () => {
  const pins = readPins(goMod);
  assert.equal(pins.version("github.com/single/line"), "v1.2.3");
  assert.equal(pins.version("k8s.io/klog/v2"), "v2.140.0");
  assert.throws(
    () => pins.version("k8s.io/nothing"),
    (err) => isCode(err, "image/no-pin"),
  );
});

test("withKubernetes changes Kubernetes and the modules released with it, and nothing else", () => {
  const changed = withKubernetes(goMod, "v1.35.1");
  assert.equal(readPins(changed).version("k8s.io/kubernetes"), "v1.35.1");
  assert.equal(readPins(changed).version("k8s.io/klog/v2"), "v2.140.0");
  assert.match(changed, /k8s\.io\/api => k8s\.io\/api v0\.35\.1\n/);
  assert.doesNotMatch(changed, /36\.4/);
  assert.equal(withKubernetes(goMod, "v1.36.4"), goMod);
});

test("withKubernetes takes the modules that are released with the other version", () => {
  const released =
    "module k8s.io/kubernetes\n\nreplace (\n\tk8s.io/api => ./staging/src/k8s.io/api\n\tk8s.io/new => ./staging/src/k8s.io/new\n)\n";
  const changed = withKubernetes(goMod, "v1.37.0", released);
  assert.deepEqual(changed.match(/^\t\S+ => .*$/gm), [
    "\tk8s.io/api => k8s.io/api v0.37.0",
    "\tk8s.io/new => k8s.io/new v0.37.0",
  ]);
  assert.equal(readPins(changed).version("k8s.io/client-go"), "v0.37.0");
});

test("withKubernetes takes what Kubernetes needs from its release, and keeps what is named for itself", () => {
  const released =
    "module k8s.io/kubernetes\n\nrequire (\n\tgithub.com/single/line v1.0.0\n\tk8s.io/klog/v2 v2.130.1 // indirect\n)\n";
  const changed = withKubernetes(goMod, "v1.35.1", released);
  assert.equal(readPins(changed).version("k8s.io/klog/v2"), "v2.130.1");
  assert.equal(readPins(changed).version("github.com/single/line"), "v1.2.3");
});
