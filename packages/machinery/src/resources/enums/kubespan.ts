import { enumOf, type ValueOf } from "../dsl/index.ts";

/** Reports whether a peer answers. */
export const peerState = enumOf("PeerState", { unknown: 0, up: 1, down: 2 });

export type PeerState = ValueOf<typeof peerState>;
