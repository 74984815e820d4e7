export { base64, mostlyText, textAsBytes } from "./bytes.ts";
export { celExpression, type CelExpression } from "./cel-expression.ts";
export { duration, formatMsAsGo } from "./duration.ts";
export { hardwareAddress } from "./hardware-address.ts";
export { ip, ipPort, ipPrefix } from "./ip.ts";
export { struct, type JsonObject, type JsonValue } from "./struct.ts";
export {
  certificate,
  certificateAndKey,
  privateKey,
  type Certificate,
  type CertificateAndKey,
  type PrivateKey,
} from "./pem.ts";
export { formatTime, time } from "./time.ts";
export { url } from "./url.ts";
