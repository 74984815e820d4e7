import { describe, it } from "node:test";
import { blockSuites } from "./block.ts";
import { cgroupsSuites } from "./cgroups.ts";
import { eventsSuites } from "./events.ts";
import { mountsSuites } from "./mounts.ts";
import { networkSuites } from "./network.ts";
import { processesSuites } from "./processes.ts";
import type { ConformanceSuites, MakeSubject } from "./subject.ts";
import { systemSuites } from "./system.ts";

export type { ConformanceSubject, ConformanceSuites, Criterion, MakeSubject } from "./subject.ts";

/** Everything an implementation of `Linux` must do. */
const linuxSuites: ConformanceSuites = {
  ...mountsSuites,
  ...networkSuites,
  ...systemSuites,
  ...processesSuites,
  ...eventsSuites,
  ...cgroupsSuites,
  ...blockSuites,
};

/** Registers the suites with `node:test`, each criterion on a subject of its own. */
export function linuxConformance(makeSubject: MakeSubject, suites: ConformanceSuites = linuxSuites): void {
  for (const [area, criteria] of Object.entries(suites)) {
    void describe(area, () => {
      for (const [sentence, criterion] of Object.entries(criteria)) {
        void it(sentence, async (context) => {
          await using subject = await makeSubject();
          await criterion(subject, context);
        });
      }
    });
  }
}
