import type { Entropy } from "@talos-ts/crypto";

const alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
/** Bytes from here on would make the first letters of the alphabet likelier than the others. */
const limit = 256 - (256 % alphabet.length);

function randomText(length: number, entropy: Entropy): string {
  let text = "";
  while (text.length < length) {
    const byte = entropy.bytes(1)[0] ?? limit;
    if (byte < limit) text += alphabet.charAt(byte % alphabet.length);
  }
  return text;
}

/** A token in the form of kubeadm's: six characters, a dot, sixteen characters. */
export const createToken = (entropy: Entropy): string => `${randomText(6, entropy)}.${randomText(16, entropy)}`;
