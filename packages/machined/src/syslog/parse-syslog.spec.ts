import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createRandom } from "@talos-ts/base/testing";
import { parseSyslog } from "./parse-syslog.ts";

const now = Date.parse("2026-06-01T12:00:00Z");
const parse = (text: string) => parseSyslog(Buffer.from(text), now);
const traditional = { facility: 0, hostname: "localhost", tag: "unknown" };

describe("parseSyslog()", () => {
  for (const [name, text, expected] of [
    [
      "the form of syslog(3), with a day of one digit",
      "<6>Mar  3 12:55:18 login[834]: Hello, you!\n\0",
      {
        ...traditional,
        content: "Hello, you!",
        priority: 6,
        severity: 6,
        tag: "login",
        timestamp: "2026-03-03T12:55:18Z",
      },
    ],
    [
      "a name of the host",
      "<30>Feb 16 17:54:19 node-1 sshd: a: b",
      {
        content: "a: b",
        facility: 3,
        hostname: "node-1",
        priority: 30,
        severity: 6,
        tag: "sshd",
        timestamp: "2026-02-16T17:54:19Z",
      },
    ],
    [
      "no tag",
      '<4>Feb 16 17:54:19 time="2024-02-16T17:54:19Z" level=warning msg="no /dev/mshv"',
      {
        ...traditional,
        content: 'time="2024-02-16T17:54:19Z" level=warning msg="no /dev/mshv"',
        priority: 4,
        severity: 4,
        timestamp: "2026-02-16T17:54:19Z",
      },
    ],
    [
      "a date that would lie in the future, of last year",
      "<6>Dec 31 23:59:59 a: b",
      { ...traditional, content: "b", priority: 6, severity: 6, tag: "a", timestamp: "2025-12-31T23:59:59Z" },
    ],
    [
      "no form at all, with the default priority",
      "panic",
      { ...traditional, content: "panic", facility: 1, priority: 13, severity: 5, timestamp: "2026-06-01T12:00:00Z" },
    ],
  ] as const) {
    it(`reads ${name}`, () => assert.deepEqual(parse(text), expected));
  }

  it("reads structured messages", () => {
    const data = '[exampleSDID@32473 iut="3" note="a \\] \\" b"][more@1]';
    assert.deepEqual(parse(`<165>1 2003-10-11T22:14:15.003Z host.example.com evntslog - ID47 ${data} \uFEFFAn entry`), {
      app_name: "evntslog",
      facility: 20,
      hostname: "host.example.com",
      message: "An entry",
      msg_id: "ID47",
      priority: 165,
      proc_id: "-",
      severity: 5,
      structured_data: data,
      timestamp: "2003-10-11T22:14:15.003Z",
      version: 1,
    });
  });

  it("refuses nothing: random bytes are the content of a message", () => {
    const random = createRandom(5);
    for (let round = 0; round < 5000; round++) {
      const bytes = Buffer.concat([Buffer.from(round % 2 === 0 ? "<13>1 " : ""), random.bytes(random.below(80))]);
      assert.ok(parseSyslog(bytes, now).priority <= 191);
    }
  });
});
