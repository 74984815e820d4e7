import type { Field } from "@talos-ts/http2";
import { fieldTags, tagOf } from "./headers.ts";

/** The fields of a request that the protocol itself reads; `undefined` when absent. */
export interface RequestHead {
  method: string | undefined;
  path: string;
  authority: string;
  contentType: string;
  timeout: string | undefined;
  encoding: string | undefined;
}

export function readRequestHead(fields: readonly Field[]): RequestHead {
  const head: RequestHead = {
    method: undefined,
    path: "",
    authority: "",
    contentType: "",
    timeout: undefined,
    encoding: undefined,
  };
  for (const field of fields) {
    const { value } = field;
    switch (tagOf(field)) {
      case fieldTags.method:
        head.method = value;
        break;
      case fieldTags.path:
        head.path = value;
        break;
      case fieldTags.authority:
        head.authority = value;
        break;
      case fieldTags.host:
        if (head.authority === "") head.authority = value;
        break;
      case fieldTags.contentType:
        head.contentType = value;
        break;
      case fieldTags.timeout:
        head.timeout = value;
        break;
      case fieldTags.encoding:
        head.encoding = value;
        break;
      default:
    }
  }
  return head;
}
