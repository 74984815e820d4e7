import type { MessageInitShape } from "@bufbuild/protobuf";
import type { InspectionSchema } from "@talos-ts/proto/recovery/recovery";
import type { MemberFacts } from "../../../etcd/recovery/member-facts.ts";

/** What was read of a member, as a message. */
export function inspection(
  state: string,
  { members = [], ...facts }: Partial<MemberFacts>,
): MessageInitShape<typeof InspectionSchema> {
  return {
    ...facts,
    state,
    members: members.map(({ id, name, isLearner, peerUrls }) => ({ id, name, isLearner, peerUrls: [...peerUrls] })),
  };
}
