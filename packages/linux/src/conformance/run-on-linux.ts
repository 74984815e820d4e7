import { linuxConformance } from "./index.ts";
import { createLinuxSubject } from "./linux-subject.ts";

// Started by the suite's own test inside fresh namespaces; the argument is where control groups are.
const [, , cgroupRoot] = process.argv;
linuxConformance(() => createLinuxSubject(cgroupRoot === undefined ? {} : { cgroupRoot }));
