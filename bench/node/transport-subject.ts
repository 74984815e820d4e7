/**
 * One server or one client of HTTP/2 on a unix socket, on our transport or on Node's. Says how long it took from the start of the
 * process until it serves, or has its first answer, and what it then holds.
 *
 * usage: transport-subject.ts server|client ours|node <socket>
 */
import type { ServerHttp2Stream } from "node:http2";
import { connect, createServer } from "node:net";

type Program = (socket: string, done: () => void) => void | Promise<void>;

const request = { ":method": "POST", ":scheme": "http", ":path": "/bench", ":authority": "localhost" } as const;

/** Loads only what the chosen program needs: that is what is measured. */
const programs: Readonly<Record<string, Program>> = {
  async "server ours"(socket, done) {
    const { attachSocket, fieldsOf } = await import("../../packages/http2/src/index.ts");
    const server = createServer((each) => {
      attachSocket(
        each,
        { role: "server" },
        {
          request(stream) {
            stream.sink = { data() {}, end: () => stream.end(), drain() {}, close() {} };
            stream.sendHeaders(fieldsOf([":status", "200"]));
            stream.resume();
          },
        },
      );
    });
    server.listen(socket, done);
  },
  async "server node"(socket, done) {
    const { createServer: createHttp2Server } = await import("node:http2");
    const server = createHttp2Server();
    server.on("stream", (stream: ServerHttp2Stream) => {
      stream.respond({ ":status": 200 });
      stream.resume();
      stream.on("end", () => stream.end());
    });
    server.listen(socket, done);
  },
  async "client ours"(socket, done) {
    const { attachSocket, fieldsOf } = await import("../../packages/http2/src/index.ts");
    const { connection } = attachSocket(connect(socket), { role: "client" }, {});
    const sink = { data() {}, end: done, drain() {}, close() {} };
    connection.request(fieldsOf(...Object.entries(request)), sink, true);
  },
  async "client node"(socket, done) {
    const { connect: connectHttp2 } = await import("node:http2");
    const session = connectHttp2("http://localhost", { createConnection: () => connect(socket) });
    session.request(request, { endStream: true }).on("end", done).resume();
  },
};

const [role = "", transport = "", socket = ""] = process.argv.slice(2);
await programs[`${role} ${transport}`]?.(socket, () => {
  const measured = { ms: performance.now(), mebibytes: process.memoryUsage.rss() / 1024 ** 2 };
  console.log(JSON.stringify(measured));
  if (role === "client") process.exit();
  process.stdin.on("end", () => process.exit()).resume();
});
