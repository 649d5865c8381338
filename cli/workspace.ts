import { enableCompileCache } from "node:module";

// Scripts run dozens of commands, and half of the time of each goes into compiling. So what is imported from here on is kept
// compiled in the temporary folder of the system, which is why the import follows.
enableCompileCache();
const { main } = await import("./commands/main.ts");

// The words of the command come behind `main.mjs workspace`.
process.exitCode = await main(process.argv.slice(3));
