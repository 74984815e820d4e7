import { describeError, hostPort, OsError } from "@talos-ts/base";
import { findTyped, pointerTo } from "@talos-ts/cosi";
import { etcdClientPort, paths, userIds } from "@talos-ts/machinery/constants";
import { EtcdSpec, PKIStatus, type EtcdSpecSpec } from "@talos-ts/machinery/resources/etcd";
import { allOf } from "../../conditions/condition.ts";
import { etcdSpecReady, networkReady, timeSynced } from "../../conditions/machine-conditions.ts";
import { readOnlyBind, writableBind } from "../../containerd/oci-spec.ts";
import { changedSettings } from "../../etcd/changed-settings.ts";
import { checkQuorum } from "../../etcd/check-quorum.ts";
import type { EtcdClient } from "../../etcd/etcd-client.ts";
import { etcdArguments } from "../../etcd/etcd-arguments.ts";
import { forgetLearner } from "../../etcd/learner-file.ts";
import { localLearner } from "../../etcd/local-learner.ts";
import { createEtcdMutex } from "../../etcd/mutex.ts";
import { openLocalEtcdClient } from "../../etcd/open-client.ts";
import { planStart, type EtcdStart, type StartPlan } from "../../etcd/plan-start.ts";
import { promoteLearner } from "../../etcd/promote-learner.ts";
import { clearRemovedLearner } from "../../etcd/removed-learner.ts";
import type { EtcdServiceDependencies } from "../../etcd/dependencies.ts";
import { createRestartTurn } from "../../etcd/restart-turn.ts";
import type { Runner } from "../../runner.ts";
import { imageRunner } from "../../runners/image.ts";
import { replaceRunner } from "../../runners/replace.ts";
import type { HealthSettings } from "../health.ts";
import type { Service } from "../../service.ts";
import { configuredEnvironment } from "../environment.ts";

const id = "etcd";
/** A slow disk is no reason to give up a member, so failures are told late; the first success is noticed at once. */
const healthSettings: HealthSettings = { initialDelayMs: 5000, periodMs: 20_000, timeoutMs: 15_000 };

/** etcd, the store of Kubernetes, on control plane machines. */
export function etcdService(machine: EtcdServiceDependencies, start: EtcdStart = {}): Service {
  const { state } = machine;
  let prepared: { readonly spec: EtcdSpecSpec; readonly plan: StartPlan } | undefined;
  let client: EtcdClient | undefined;
  let promotion = new AbortController();
  const turn = createRestartTurn(machine, createEtcdMutex(machine));

  return {
    id,
    dependsOn: ["cri"],
    volumes: ["/var/lib", "ETCD"],
    condition: allOf(timeSynced(state), networkReady(state), etcdSpecReady(state)),
    async prepare(signal, report) {
      const spec = (await findTyped(state, EtcdSpec, EtcdSpec.id))?.spec;
      if (spec === undefined) throw noSpec();
      await machine.images.ensure(spec.image, { namespace: "system", signal, report });
      prepared = { spec, plan: await planStart(machine, spec, start, signal, report) };
      await state.watchFor(pointerTo(PKIStatus, PKIStatus.id), { phases: ["running"] }, signal);
    },
    runner() {
      if (prepared === undefined) throw noSpec();
      const { spec, plan } = prepared;
      promotion = new AbortController();
      const { signal } = promotion;
      void promote(machine, spec, plan, signal);
      let starts = 0;
      /** A start that follows another one may be that of a learner which the cluster has dropped. */
      const argsAtStart = async ({ spec: present, args }: EtcdSettings): Promise<readonly string[]> => {
        starts += 1;
        if (starts === 1 || !(await clearRemovedLearner(machine, signal))) return args;
        const again = await planStart(machine, present, start, signal, (message) => machine.logger.info(message));
        void promote(machine, present, again, signal);
        return again.args;
      };
      return replaceRunner({
        first: { spec, args: plan.args },
        create(settings) {
          turn.starting();
          return etcdRunner(machine, settings.spec, () => argsAtStart(settings));
        },
        async next(present, stopped) {
          const changed = await changedSettings(machine, present.spec, stopped);
          machine.logger.info("etcd settings changed, restarting it");
          await turn.take(signal);
          // It has its data by now.
          return { spec: changed, args: etcdArguments(changed, undefined) };
        },
      });
    },
    async finished() {
      promotion.abort();
      await client?.[Symbol.asyncDispose]();
      client = undefined;
    },
    health: {
      settings: healthSettings,
      async check(signal) {
        client ??= await openLocalEtcdClient(machine);
        await checkQuorum(client, signal);
        turn.healthy();
      },
    },
  };
}

/** Describes what etcd is run with. */
interface EtcdSettings {
  readonly spec: EtcdSpecSpec;
  readonly args: readonly string[];
}

function etcdRunner(
  machine: EtcdServiceDependencies,
  spec: EtcdSpecSpec,
  args: () => Promise<readonly string[]>,
): Runner {
  return imageRunner(machine, {
    id,
    oomScoreAdjustment: -998,
    container: async () => ({
      id,
      image: spec.image,
      args: ["/usr/local/bin/etcd", ...(await args())],
      env: await configuredEnvironment(machine.config),
      user: { uid: userIds.etcd, gid: userIds.etcd },
      mounts: [readOnlyBind(paths.etcdPki), writableBind(paths.etcdData)],
      cgroup: "/podruntime/etcd",
      openFiles: 10_240,
    }),
  });
}

/** Runs beside etcd until the member votes or the service ends. */
async function promote(
  machine: EtcdServiceDependencies,
  spec: EtcdSpecSpec,
  plan: StartPlan,
  signal: AbortSignal,
): Promise<void> {
  try {
    const learner = plan.learner ?? (await localLearner(machine, signal));
    if (learner === undefined) return;
    const own = spec.advertisedAddresses.map((address) => hostPort(address, etcdClientPort));
    if (await promoteLearner(machine, learner, own, signal)) await forgetLearner(machine);
  } catch (err) {
    if (!signal.aborted) machine.logger.warn(`failed promoting member: ${describeError(err)}`);
  } finally {
    await plan.turn?.[Symbol.asyncDispose]();
  }
}

function noSpec(): OsError {
  return new OsError({
    kind: "failed-precondition",
    code: "etcd/no-spec",
    message: "failed to get etcd spec: it does not exist",
    next: "talosctl get etcdspec",
  });
}
