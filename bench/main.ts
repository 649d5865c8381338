/** `npm run bench`: against the bare server (http.ts), or with `--against` against another checkout (against/main.ts). */
const isAgainst = process.argv.some((word) => /^--against(=|$)/.test(word));
await (isAgainst ? import("../lab/bench/main.ts") : import("./http.ts"));
