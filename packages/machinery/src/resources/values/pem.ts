import { field, message, printedAs, type ValueOf } from "../dsl/index.ts";
import { textAsBytes } from "./bytes.ts";

const pem = printedAs(textAsBytes, (value) => Buffer.from(value).toString("base64"));

/** PEM text of a certificate and its key; printed in base64, as in the machine configuration. */
export const certificateAndKey = message({ crt: field(1, pem), key: field(2, pem) });

export type CertificateAndKey = ValueOf<typeof certificateAndKey>;

/** A certificate in PEM. */
export const certificate = message({ crt: field(1, pem) });

export type Certificate = ValueOf<typeof certificate>;

/** A private key in PEM. */
export const privateKey = message({ key: field(1, pem) });

export type PrivateKey = ValueOf<typeof privateKey>;
