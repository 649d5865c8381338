// This file is plain JavaScript, because an old Node refuses a .ts file before any of our code could say what to do.
const COMMANDS = ["start", "workspace", "repl"];

const [command = ""] = process.argv.slice(2);

if (!process.features.typescript) {
  fail(
    1,
    `Node ${process.versions.node} is too old, this needs 22.18 or later. npm ci brings Node 24 along: run npm ci, then npm start.`,
  );
} else if (!COMMANDS.includes(command)) {
  fail(2, `"${command}" is no command. Use npm start, npm run workspace or npm run repl.`);
} else {
  await import(`./${command}.ts`);
}

function fail(code, message) {
  console.error(message);
  process.exitCode = code;
}
