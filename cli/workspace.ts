import { enableCompileCache } from "node:module";

// Scripts run dozens of commands, and half of the time of each goes into compiling. So what is imported from here on is
// kept compiled in the temporary folder of the system, which is why the import follows. Threads look for the folder in
// the environment.
const { directory } = enableCompileCache();
if (directory !== undefined) process.env.NODE_COMPILE_CACHE = directory;
const { main } = await import("./commands/main.ts");

// The words of the command come behind `main.mjs workspace`.
process.exitCode = await main(process.argv.slice(3));
