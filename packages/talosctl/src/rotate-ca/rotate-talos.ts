import type { PemPair } from "@talos-ts/crypto";
import { connectApi, contextTls, type ApiConnection } from "@talos-ts/machinery/client";
import { roles } from "@talos-ts/machinery/roles";
import { issueLeaf } from "@talos-ts/machinery/secrets";
import type { Step } from "../operation/step.ts";
import { acceptAuthority, dropAuthority, issueWith } from "./authority-change.ts";
import type { AuthorityRotation } from "./rotation-file.ts";
import { changeAllNodes, verifyConnectivity, type Rotation } from "./rotation.ts";

export interface TalosRotation extends Rotation, AuthorityRotation {
  /** The way to the nodes with the present credentials. */
  readonly connection: ApiConnection;
  readonly cluster?: string;
  /** Saves credentials to the talosconfig: trusted authorities and client certificate, PEM. */
  readonly save: (ca: string, client: PemPair) => Promise<void>;
}

/** The steps of a rotation, and the connection that works in all of them once the first credentials are saved. */
export interface TalosSteps extends AsyncDisposable {
  readonly steps: readonly Step[];
  readonly between: ApiConnection;
  readonly saved: () => boolean;
}

/**
 * Lists the steps of the rotation of the Talos API's authority.
 *
 * As soon as all nodes accept clients of the successor, the talosconfig is saved with a client certificate of it and both authorities
 * as trusted: such a client is served in every state that follows, so that nobody is locked out whenever the rotation ends early.
 */
export async function talosSteps(rotation: TalosRotation): Promise<TalosSteps> {
  const { connection, former, successor, cluster, dryRun, log, clock, save } = rotation;
  const client = await issueLeaf("talosconfig", successor, { roles: [roles.admin] }, { now: new Date(clock.now()) });
  const open = (ca: string): ApiConnection =>
    connectApi({
      endpoints: connection.endpoints,
      tls: contextTls({ ca, client }),
      ...(cluster !== undefined && { cluster }),
    });
  const both = `${former}${successor.crt}`;
  const between = open(both);
  const renewed = open(successor.crt);
  let isSaved = false;
  const steps: readonly Step[] = [
    { name: "existing PKI answers", run: () => verifyConnectivity(rotation, connection, "existing PKI") },
    {
      name: "accept the new Talos CA",
      run: async () => {
        log("> Adding new Talos CA as accepted...");
        await changeAllNodes(rotation, connection, (main) => acceptAuthority(main, "machine", successor.crt));
        await verifyConnectivity(rotation, between, "new client cert, but old server CA");
        if (dryRun) return;
        await save(both, client);
        isSaved = true;
      },
    },
    {
      name: "issue with the new Talos CA",
      run: async () => {
        log("> Making new Talos CA the issuing CA, old Talos CA the accepted CA...");
        await changeAllNodes(rotation, between, (main) => issueWith(main, "machine", successor, former));
        await verifyConnectivity(rotation, renewed, "new PKI");
      },
    },
    {
      name: "remove the old Talos CA",
      run: async () => {
        log("> Removing old Talos CA from the accepted CAs...");
        await changeAllNodes(rotation, renewed, (main) => dropAuthority(main, "machine", former));
        await verifyConnectivity(rotation, renewed, "new PKI");
        if (!dryRun) await save(successor.crt, client);
      },
    },
  ];
  return {
    steps,
    between,
    saved: () => isSaved,
    async [Symbol.asyncDispose]() {
      await between[Symbol.asyncDispose]();
      await renewed[Symbol.asyncDispose]();
    },
  };
}
