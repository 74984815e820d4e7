import { document } from "../schema/document.ts";
import { string } from "../schema/scalars.ts";
import { property, array, object } from "../schema/type.ts";

const configFile = object("extensions.ConfigFile", "A file given to the service.", {
  content: property(string(), "What the file contains.", { always: true }),
  mountPath: property(string(), "Where the service finds it.", { always: true, example: "/etc/my/config.conf" }),
});

export const extensionServiceConfig = document({
  kind: "ExtensionServiceConfig",
  schemaName: "extensions.ServiceConfigV1Alpha1",
  doc: "Files and environment of an extension service.",
  name: "Name of the service.",
  fields: {
    configFiles: property(array(configFile, { mergeKeys: ["mountPath"] }), "Files given to the service."),
    environment: property(array(string()), "Environment of the service, as NAME=value.", {
      example: ["NTS_SERVER=time.example.org"],
    }),
  },
  validate: ({ name, configFiles = [], environment = [] }, check) => {
    if (name === undefined) return check.error(["name"], "name is required");
    const service = JSON.stringify(name);
    if (configFiles.length === 0 && environment.length === 0) {
      return check.error([], `no config files found for extension ${service}`);
    }
    for (const [index, file] of configFiles.entries()) {
      const missing = file.content === undefined ? "content" : file.mountPath === undefined ? "mount path" : undefined;
      if (missing === undefined) continue;
      return check.error(["configFiles", index], `extension ${missing} is required for extension ${service}`);
    }
  },
});
