import { document } from "../schema/document.ts";
import { durationFormat } from "../schema/formats.ts";
import { boolean, string } from "../schema/scalars.ts";
import { property } from "../schema/type.ts";

export const oomConfig = document({
  kind: "OOMConfig",
  schemaName: "runtime.OOMV1Alpha1",
  doc: "When memory counts as exhausted, and what is ended then.",
  fields: {
    triggerExpression: property(
      string(),
      "CEL expression over memory pressure that is true when something must be ended.",
      {
        example: 'memory_full_avg10 > 12.0 && time_since_trigger > durationFormat("500ms")',
      },
    ),
    cgroupRankingExpression: property(string(), "CEL expression that ranks a cgroup; the highest is ended.", {
      example:
        "memory_max.hasValue() ? 0.0 : {Besteffort: 1.0, Guaranteed: 0.0, Burstable: 0.5}[class] * double(memory_current.orValue(0u))",
    }),
    strictCgroupClassOrdering: property(boolean, "Ends cgroups of a lower class first, whatever their rank."),
    sampleInterval: property(durationFormat, "Time between looks at memory.", { default: "500ms" }),
  },
  validate: (oom, check) => {
    if (oom.triggerExpression !== undefined) {
      check.expression(
        ["triggerExpression"],
        oom.triggerExpression,
        "oom-trigger",
        "OOM trigger expression is invalid",
      );
    }
    if (oom.cgroupRankingExpression !== undefined) {
      check.expression(
        ["cgroupRankingExpression"],
        oom.cgroupRankingExpression,
        "oom-ranking",
        "OOM cgroup scoring expression is invalid",
      );
    }
    if (oom.sampleInterval?.startsWith("-") === true) {
      check.error(["sampleInterval"], "OOM sample interval must be longer than 0");
    }
  },
});
