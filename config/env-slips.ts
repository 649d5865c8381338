import leven from "leven";

/** A short name is near to many that others use: that of a slip has this length at least, with two letters wrong a greater one. */
const LENGTH_MIN = 7;
const LENGTH_MIN_OF_TWO = 10;

/** Names of set variables that no setting has, each with the setting that was probably meant. */
export function slips(known: readonly string[], source: NodeJS.ProcessEnv): { name: string; meant: string }[] {
  const names = Object.keys(source).filter(
    (name) => name.length >= LENGTH_MIN && source[name] && !known.includes(name),
  );
  return names.flatMap((name) => {
    const wrongMax = name.length >= LENGTH_MIN_OF_TWO ? 2 : 1;
    const meant = known.find((one) => leven(name, one) <= wrongMax);
    return meant === undefined ? [] : [{ name, meant }];
  });
}
