import { string } from "../../schema/scalars.ts";
import { property, array, object } from "../../schema/type.ts";

/** Leading line breaks are cut off, so that a manifest survives being written as a literal block. */
const contents = {
  ...string(),
  parse: (scalar: Parameters<ReturnType<typeof string>["parse"]>[0]) =>
    string()
      .parse(scalar)
      ?.replace(/^[\t\n\v\f\r]+/, "") || undefined,
};

export const inlineManifestList = array(
  object("v1alpha1.ClusterInlineManifest", "A manifest given in the configuration.", {
    name: property(string(), "Name of the manifest; must be unique.", { always: true }),
    contents: property(contents, "The manifest.", { always: true }),
  }),
);
