/** Returns what Go says about text that is not standard base64, or nothing. */
export function base64Problem(text: string): string | undefined {
  const compact = text.replaceAll(/[\r\n]/g, "");
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(compact)) return undefined;
  const valid = /^[A-Za-z0-9+/]*/.exec(compact)?.[0].length ?? 0;
  return `illegal base64 data at input byte ${valid === compact.length ? valid - (valid % 4) : valid}`;
}
