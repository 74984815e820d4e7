export { respond } from "./responder.ts";
export { block, frame, parseFrames, request, requestFields, settings, uint32, type ParsedFrame } from "./frames.ts";
export { createRandom, type Random } from "./random.ts";
export { greetedServer, record, recordingSink, type Recorder } from "./recorder.ts";
