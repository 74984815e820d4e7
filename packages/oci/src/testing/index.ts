export { noise, writeTestLayout, type TestImage } from "./write-layout.ts";
export { signTestImage, type TestSignature } from "./sign-image.ts";
