import { get } from "node:https";
import { defaultControlPlanePort } from "@talos-ts/machinery/constants";
import { eventually } from "../../integration/cluster-support.ts";
import type { Fault, FaultContext } from "../fault.ts";
import { shiftNodeClock } from "../node-clock.ts";
import { createClockShifter, findShiftProblem } from "../shift-clock.ts";

const minutes = 10;
/** Directions of a jump. */
const jumps = [
  { variant: `${String(minutes)} min ahead`, seconds: minutes * 60 },
  { variant: `${String(minutes)} min behind`, seconds: -minutes * 60 },
] as const;
const jumpOf = (draw: number) => jumps[draw % jumps.length] ?? jumps[0];

/** Nodes share the clock of the kernel, but each process reads it through code of its own, which can be changed. */
export const jumpClock: Fault = {
  name: "jump-clock",
  summary: `the clock of the leader's node jumps by ${String(minutes)} minutes, and back`,
  target: "leader",
  lastsMs: 20_000,
  unavailable: findShiftProblem,
  variant: (draw) => jumpOf(draw).variant,
  async inject(context) {
    const { seconds } = jumpOf(context.draw);
    await shiftNodeClock(context, await createClockShifter(), seconds);
    await proveShift(context, seconds);
  },
};

/** Time for the API server to answer; one that trusts no certificate of the cluster yet answers too. */
const proofMs = 10_000;
/** The answer takes time, and `Date` is in whole seconds. */
const toleranceMs = 5000;

/** Shows that the API server of the node has the shifted time: it is the `Date` of its answers. */
async function proveShift({ cluster, node }: FaultContext, seconds: number): Promise<void> {
  const { ca, cert, key } = cluster.kubernetes;
  const ask = (): Promise<number> =>
    new Promise((resolve, reject) => {
      const target = {
        host: node.address,
        port: defaultControlPlanePort,
        path: "/readyz",
        agent: false,
        timeout: 2000,
      };
      const request = get({ ...target, ca, cert, key }, (answer) => {
        answer.resume();
        resolve(Date.parse(answer.headers.date ?? "") - Date.now());
      });
      request.on("timeout", () => request.destroy(new Error("no answer within 2 s"))).on("error", reject);
    });
  await eventually(
    () => ask().catch(String),
    (found) => typeof found === "number" && Math.abs(found - seconds * 1000) < toleranceMs,
    proofMs,
  );
}
