// This file is plain JavaScript, because an old Node refuses a .ts file before any of our code could say what to do.
const COMMANDS = ["start", "workspace", "repl"];

const [command = "", ...more] = process.argv.slice(2);

if (!process.features.typescript) {
  fail(
    1,
    `Node ${process.versions.node} is too old, this needs 22.18 or later. npm ci brings Node 24 along: run npm ci, then npm start.`,
  );
} else if (!COMMANDS.includes(command)) {
  fail(2, `"${command}" is not a command. Use npm start, npm run workspace or npm run repl.`);
} else if (command !== "workspace" && more.length > 0) {
  const answer = `npm ${command === "start" ? "start" : "run repl"} takes no options. Set environment variables instead; docs/guides/settings.md lists them.`;
  fail(more.includes("--help") || more.includes("-h") ? 0 : 2, answer);
} else {
  await import(`./${command}.ts`);
}

function fail(code, message) {
  console.error(message);
  process.exitCode = code;
}
