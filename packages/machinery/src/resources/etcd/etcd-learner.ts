import { defineResource, field, text, uint32, type SpecOf } from "../dsl/index.ts";

/** A machine that joins etcd, by its name; the cluster takes one learner at a time. */
export const EtcdLearner = defineResource({
  type: "EtcdLearners.etcd.talos.dev",
  namespace: "etcd",
  columns: [
    ["Position", "{.position}"],
    ["State", "{.state}"],
    ["Since", "{.since}"],
  ],
  spec: {
    /** Place in the queue; 1 is the machine that joins now. */
    position: field(1, uint32),
    /** `waiting` or `learner`. */
    state: field(2, text),
    /** Time at which it asked to join, RFC 3339. */
    since: field(3, text),
  },
});

export type EtcdLearnerSpec = SpecOf<typeof EtcdLearner>;
