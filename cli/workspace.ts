import { enableCompileCache } from "node:module";

// Scripts run dozens of commands, and half of the time of each is spent on compiling: what is imported from here on is
// kept compiled in the temporary folder of the system.
enableCompileCache();
const { main } = await import("./commands/main.ts");

// main.mjs has taken its own word off: `main.mjs workspace <command> …`.
process.exitCode = await main(process.argv.slice(3));
