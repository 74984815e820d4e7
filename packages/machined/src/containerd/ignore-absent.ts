import { isKind } from "@talos-ts/base";

/** Makes a call that removes something; that it is gone already is fine. */
export async function ignoreAbsent(call: () => Promise<unknown>): Promise<void> {
  try {
    await call();
  } catch (err) {
    if (!isKind(err, "not-found")) throw err;
  }
}
