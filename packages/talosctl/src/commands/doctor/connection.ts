import { OsError } from "@talos-ts/base";
import { endpointHost } from "@talos-ts/machinery/client";
import { Member } from "@talos-ts/machinery/resources/cluster";
import { MachineService } from "@talos-ts/proto/machine/machine";
import { openResources } from "@talos-ts/machinery/client/resources";
import type { CommandDefinition, Invocation } from "../../command.ts";
import { clientFacts, examineEndpoints } from "../../doctor/explain-failure.ts";
import { openSession, type Session } from "../../session/session.ts";

export const command: CommandDefinition = {
  description:
    "Knocks at every endpoint of the context as a call would, and says for each thing that is wrong one sentence and the command to run next: address, port, protocol, certificate authority, names, dates, client certificate, roles, routing.",
  examples: ["talosctl doctor connection", "talosctl doctor connection --endpoints 10.5.0.2 --nodes 10.5.0.3"],
  async run(invocation) {
    const { io } = invocation;
    const facts = await clientFacts(invocation, new Date());
    io.out(
      `Context ${facts.context}: endpoints ${facts.endpoints.join(", ")}; roles ${facts.roles.join(", ") || "none"}\n`,
    );
    const problems = await examineEndpoints(invocation);
    for (const { sentence, next } of problems) io.out(`✖ ${sentence}\n  next: ${next}\n`);
    if (problems.length === facts.endpoints.length) throw unreachable(problems.length);
    await using session = await openSession(invocation, { needsNodes: invocation.global.nodes.length > 0 });
    const call = session.all(MachineService).version({}, { signal: invocation.signal, timeoutMs: 10_000 });
    const answers = await session.answers("asking for the version", call);
    for (const answer of answers) io.out(`✔ ${session.nodeOf(answer)} answers (${answer.version?.tag ?? "?"})\n`);
    await checkMembers(invocation, session, facts.endpoints);
  },
};

/** An endpoint that belongs to no member is a virtual address or a proxy, which goes away with what it stands for. */
async function checkMembers({ io }: Invocation, session: Session, endpoints: readonly string[]): Promise<void> {
  const members = await openResources(session.connection, session.targets[0], [Member])
    .list(Member)
    .catch(() => []);
  if (members.length === 0) return;
  const addresses = new Set(members.flatMap(({ spec, metadata }) => [...spec.addresses, spec.hostname, metadata.id]));
  for (const host of endpoints.map(endpointHost)) {
    const owner = members.find(({ spec }) => spec.addresses.includes(host));
    if (owner?.spec.machineType === "worker") {
      io.out(
        `✖ ${host} is a worker (${owner.metadata.id}), which forwards no calls\n  next: talosctl config endpoint <control plane address>\n`,
      );
    } else if (!addresses.has(host) && /^[\d.]+$|:/.test(host)) {
      const direct = members
        .filter(({ spec }) => spec.machineType !== "worker")
        .flatMap(({ spec }) => spec.addresses.slice(0, 1));
      io.out(
        `✖ ${host} is the address of no machine: a virtual IP or a load balancer, which is gone when etcd has no quorum\n  next: talosctl config endpoint ${direct.join(" ")}\n`,
      );
    }
  }
}

function unreachable(count: number): OsError {
  return new OsError({
    kind: "unavailable",
    code: "doctor/unreachable",
    message: `${count === 1 ? "The endpoint cannot" : `None of the ${String(count)} endpoints can`} be used`,
    next: "follow the line that begins with next: above",
  });
}
