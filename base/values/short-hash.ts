/**
 * A hash of 32 bits for look-ups where the values themselves are compared afterwards. It costs a tenth of one of
 * node:crypto, and protects nothing.
 * @param seed texts have other hashes with another one
 */
export function shortHash(text: string, seed: number): number {
  let hash = seed;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  // The bits of the last characters are spread over all of the hash.
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
