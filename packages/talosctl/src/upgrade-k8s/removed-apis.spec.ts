import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readDeprecatedApis } from "./removed-apis.ts";

describe("readDeprecatedApis()", () => {
  it("takes the deprecated APIs that have an end from the metrics of an API server", () => {
    const metrics = `# HELP apiserver_requested_deprecated_apis [STABLE] Gauge of deprecated APIs that have been requested
# TYPE apiserver_requested_deprecated_apis gauge
apiserver_requested_deprecated_apis{group="",removed_release="",resource="componentstatuses",subresource="",version="v1"} 1
apiserver_requested_deprecated_apis{group="flowcontrol.apiserver.k8s.io",removed_release="1.32",resource="flowschemas",subresource="status",version="v1beta3"} 1
apiserver_request_total{code="200",group="apps",resource="deployments"} 7
`;
    assert.deepEqual(readDeprecatedApis(metrics), [
      { title: "flowcontrol.apiserver.k8s.io/v1beta3 flowschemas", removedIn: "1.32" },
    ]);
  });
});
