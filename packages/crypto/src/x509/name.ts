import { readDer, readOid, readString, type DerElement } from "../der/der-read.ts";
import { tags } from "../der/der-tags.ts";
import { directoryString, oid, sequence, setOf } from "../der/der-write.ts";
import { oids } from "../der/oids.ts";

/** The parts of a distinguished name that carry meaning here: roles and groups in O, the identity in CN. */
export interface Name {
  readonly organizations: readonly string[];
  readonly commonName: string | undefined;
}

/** Common names and organizations of a distinguished name. */
export interface NameInit {
  readonly organizations?: readonly string[];
  readonly commonName?: string | undefined;
}

/** A name as it stood in a certificate. `der` is what issuer and subject are compared by. */
export interface ParsedName extends Name {
  readonly der: Buffer;
}

/**
 * A distinguished name: all organizations in one set, then the common name, as Go's `pkix.Name` writes them. An empty
 * common name is left out.
 */
export function encodeName(name: NameInit): Buffer {
  const organizations = (name.organizations ?? []).map((value) => attribute(oids.organization, value));
  const commonName = name.commonName ?? "";
  return sequence(
    ...(organizations.length > 0 ? [setOf(...organizations)] : []),
    ...(commonName === "" ? [] : [setOf(attribute(oids.commonName, commonName))]),
  );
}

const attribute = (type: string, value: string): Buffer => sequence(oid(type), directoryString(value));

/** Reads the elements of a `Name`; attributes other than O and CN are checked for shape and passed over. */
export function readName(name: DerElement): ParsedName {
  const organizations: string[] = [];
  let commonName: string | undefined;
  const sets = readDer(name.body);
  while (!sets.done) {
    const attributes = readDer(sets.expect(tags.set, "a relative name").body);
    while (!attributes.done) {
      const pair = readDer(attributes.expect(tags.sequence, "a name attribute").body);
      const type = readOid(pair.expect(tags.oid, "an attribute type"));
      const value = pair.next();
      pair.end("a name attribute");
      if (type === oids.organization) organizations.push(readString(value));
      if (type === oids.commonName) commonName = readString(value);
    }
  }
  return { organizations, commonName, der: name.raw };
}

/** `O=a,O=b,CN=c` for messages; an empty name reads `(empty subject)`. */
export function formatName(name: NameInit): string {
  const parts = (name.organizations ?? []).map((value) => `O=${value}`);
  if (name.commonName !== undefined && name.commonName !== "") parts.push(`CN=${name.commonName}`);
  return parts.length === 0 ? "(empty subject)" : parts.join(",");
}
