#!/usr/bin/env node
import { launch } from "@talos-ts/host/launch";

await launch(import.meta.url, "../src/bin/cosi-state.ts");
