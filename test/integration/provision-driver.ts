/** Creates a cluster and prints what it reports, one JSON object in a line, so that a suite can interrupt it. */
import { writeSync } from "node:fs";
import { createCluster } from "@talos-ts/provision";
import { testImage } from "./provision-support.ts";

const [clusters = "", name = "", subnet = ""] = process.argv.slice(2);
await createCluster({ name, subnet, clustersDirectory: clusters, image: testImage }, (event) => {
  writeSync(1, `${JSON.stringify(event)}\n`);
});
