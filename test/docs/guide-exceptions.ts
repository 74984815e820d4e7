/** Lines that are not run, by the reason. A line that no page has any more fails the suite. */
export const notRun: Readonly<Record<string, readonly string[]>> = {
  "is what this cluster was made with; fresh machines run it": [
    "npm run up",
    "npm run up      # a local Kubernetes cluster: one control plane, one worker (installs what it needs, shows progress)",
    "npm run down",
  ],
  "runs this suite, or parts of it, or measures": [
    "npm test        # set-up, the gate, unit tests, and suites against real clusters",
    "npm run ok                 # the gate alone: generated files, wire, format, lint, types, unit tests",
    "npm run bench -- cosi      # state and controller runtime against Go; also: client, config, node",
  ],
  "makes virtual machines, which have a suite of their own": [
    "talosctl cluster create qemu --name vm --subnet 10.7.0.0/24 --workers 0 --images none",
    "npm run installer -- --version v1.13.10",
    "talosctl image cache-serve --image-cache-path ./layout --address 10.7.0.1:5000",
    "talosctl --nodes 10.7.0.2 upgrade --image ghcr.io/siderolabs/installer:v1.13.10",
    "talosctl --nodes 10.7.0.2 rollback",
  ],
  "needs a machine with disks of its own; the suite of virtual machines has it": [
    'talosctl --nodes 10.7.0.2 meta write 0x0c "rack 7"',
    "talosctl --nodes 10.7.0.2 get metakeys",
    "talosctl --nodes 10.7.0.2 meta delete 0x0c",
    "talosctl --nodes 10.7.0.2 wipe disk vdb",
    "talosctl --nodes 10.7.0.2 wipe disk vdb1 --drop-partition",
    "talosctl --nodes 10.7.0.2 wipe disk vdc --method ZEROES",
  ],
  "needs a terminal": ["talosctl dashboard"],
  "is for the shell of a person": [
    'export PATH="$PWD/node_modules/.bin:$PATH"',
    'talosctl completion zsh > "${fpath[1]}/_talosctl"',
  ],
  "moves the node to another address": [
    "talosctl --nodes 10.5.0.2 patch mc --patch @address.yaml --confirm-node 10.5.0.99",
  ],
  "needs the secrets that the cluster was made with": ["talosctl config renew --secrets secrets.yaml"],
  "erases machines that the cluster goes on to need": ["talosctl --nodes 10.5.0.5,10.5.0.6 reset --rolling --reboot"],
  "needs a cluster without quorum": ["talosctl --nodes 10.5.0.2 etcd recover"],
  "needs an image with a shell, and a terminal": [
    "talosctl debug ./debug-tools.tar --args /bin/sh --nodes 10.5.0.2",
    "talosctl debug docker.io/library/alpine:latest --args /bin/sh --nodes 10.5.0.2",
  ],
  "needs an archive of an image": ["talosctl image import app.tar"],
  "needs a registry": [
    "talosctl cluster create --images pull --registry-mirror registry.k8s.io=http://10.5.0.1:5000 --registry-mirror ghcr.io=http://10.5.0.1:5000",
    "talosctl image cache-create --image-cache-path ./cache --images - < images.txt",
    "talosctl image cache-serve --image-cache-path ./cache --address 10.5.0.1:5000",
  ],
};

/** Number of the configuration in effect: what a cluster has gone through decides which numbers there are. */
const latest = `"$(talosctl --nodes 10.5.0.2 config-history -o json | grep -o '"number": [0-9]*' | tail -1 | cut -d' ' -f2)"`;

/** Lines that are run in another form: smaller, or away from files of the host. */
export const instead: Readonly<Record<string, string>> = {
  "talosctl cluster create --name lab --subnet 10.6.0.0/24 --controlplanes 3 --workers 2":
    "talosctl cluster create --name lab --subnet 10.6.0.0/24 --workers 0 --images none",
  "talosctl cluster stop": "talosctl cluster stop --name lab",
  "talosctl cluster start": "talosctl cluster start --name lab",
  "talosctl cluster create --name bare --subnet 10.6.0.0/24 --skip-injecting-config":
    "talosctl cluster create --name bare --subnet 10.6.0.0/24 --workers 0 --images none --skip-injecting-config --force",
  "discovery-service --listen :3000": "discovery-service --listen 127.0.0.1:0",
  "discovery-service --listen :443 --certificate service.crt --key service.key":
    "discovery-service --listen 127.0.0.1:0 --certificate service.crt --key service.key",
  "talosctl --nodes 10.5.0.2 config-history diff 3": `talosctl --nodes 10.5.0.2 config-history diff ${latest}`,
  "talosctl --nodes 10.5.0.2 config-history restore 3": `talosctl --nodes 10.5.0.2 config-history restore ${latest}`,
  // The cluster goes on to be used.
  'talosctl patch mc --patch \'{"cluster":{"discovery":{"enabled":false}}}\'':
    'talosctl patch mc --dry-run --patch \'{"cluster":{"discovery":{"enabled":false}}}\'',
  // The worker of a cluster that has one control plane.
  "talosctl --nodes 10.5.0.2,10.5.0.3,10.5.0.4 reboot --rolling": "talosctl --nodes 10.5.0.3 reboot --rolling",
  // The authority of Kubernetes has a test of its own, which takes longer.
  "talosctl --nodes 10.5.0.2 rotate-ca --dry-run=false":
    "talosctl --nodes 10.5.0.2 rotate-ca --dry-run=false --kubernetes=false",
  "talosctl completion bash > /etc/bash_completion.d/talosctl": "talosctl completion bash > talosctl.bash",
  "npx cosi-state --help      # the resource state as a stand-alone gRPC server": "cosi-state --help",
};
