import type { ClientRequest } from "node:http";

/** Sends a request without a body and reports whether it is answered with status 200; never rejects. */
export function answersOk(request: ClientRequest): Promise<boolean> {
  return new Promise((resolve) => {
    request.once("error", () => resolve(false));
    request.once("response", (response) => {
      response.resume();
      response.once("error", () => resolve(false));
      response.once("end", () => resolve(response.statusCode === 200));
    });
    request.end();
  });
}
