/** Every character of Unicode but the halves of surrogate pairs. */
export function* everyCharacter(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code++) if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
}
