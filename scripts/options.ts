import { type ParseArgsOptionsConfig, parseArgs } from "node:util";

/**
 * The options that a program of this repository was given. `--help` prints those that there are and ends the program;
 * what is not among them ends it with 2, in a line that lists them.
 * @param program as it is typed, like `npm run bench --`
 */
export function readOptions<const Options extends ParseArgsOptionsConfig>(program: string, options: Options) {
  try {
    const { values } = parseArgs({ options: { ...options, help: { type: "boolean", short: "h" } } });
    if (!("help" in values && values.help)) return parseArgs({ options }).values;
    console.log(usage(program, options));
    process.exit(0);
  } catch (error) {
    console.error(`${(error as Error).message.split(". ")[0]}. ${usage(program, options)}`);
    process.exit(2);
  }
}

/** `npm run bench -- takes --people <value> [100000], --plans` */
function usage(program: string, options: ParseArgsOptionsConfig): string {
  const list = Object.entries(options).map(([name, { type, default: unset }]) => {
    const value = type === "string" ? " <value>" : "";
    return `--${name}${value}${typeof unset === "string" && unset !== "" ? ` [${unset}]` : ""}`;
  });
  return `${program} takes ${list.length === 0 ? "no options" : list.join(", ")}`;
}
