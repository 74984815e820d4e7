import { errorCodes } from "./constants.ts";

const names = new Map<number, string>(Object.entries(errorCodes).map(([name, code]) => [code, name]));

/** Name of an error code as in RFC 9113 section 7, for messages: `PROTOCOL_ERROR`. */
function errorName(code: number): string {
  const name = names.get(code);
  return name === undefined ? `code ${String(code)}` : name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** A violation of HTTP/2 that ends the connection; `errorCode` goes into GOAWAY. */
export class Http2Error extends Error {
  readonly errorCode: number;

  constructor(errorCode: number, message: string) {
    super(`${message} (${errorName(errorCode)})`);
    this.name = "Http2Error";
    this.errorCode = errorCode;
  }
}
