import { fieldsOf, type Field } from "../field.ts";
import type { Http2Stream } from "../stream.ts";

const answer = fieldsOf([":status", "200"], ["content-type", "text/plain"]);
const body = Buffer.from("answer\n");

/** Answers any request, when it has ended, with a short text: what the cases of h2spec expect of a server. */
export function respond(stream: Http2Stream, _fields: readonly Field[]): void {
  stream.sink = {
    data() {},
    drain() {},
    close() {},
    end() {
      stream.sendHeaders(answer);
      stream.end(body);
    },
  };
  stream.resume();
}
