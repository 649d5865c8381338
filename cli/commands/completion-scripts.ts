import { existsSync } from "node:fs";
import { join } from "node:path";

export const SHELLS = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof SHELLS)[number];

const ROOT = join(import.meta.dirname, "..", "..");

/**
 * A script that gives a shell the function `workspace`, which is `npm run -s workspace --` without npm and from every
 * folder, and completes it. What there is to complete the shell asks `workspace complete`, so the script never gets
 * old.
 * docs/guides/commands.md#completion
 */
export function completionScript(shell: Shell): string {
  const own = join(ROOT, "node_modules", ".bin", "node");
  const node = existsSync(own) ? own : process.execPath;
  return SCRIPTS[shell]({
    node: quoted(node, shell),
    main: quoted(join(ROOT, "cli", "main.mjs"), shell),
    data: quoted(join(ROOT, ".data"), shell),
  });
}

interface Paths {
  node: string;
  main: string;
  data: string;
}

/** A text as one word of a shell. In single quotes fish knows two escapes, the others none. */
function quoted(text: string, shell: Shell): string {
  if (shell === "fish") return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const SCRIPTS: Record<Shell, (paths: Paths) => string> = {
  bash: ({ node, main, data }) => `# Completion of the Contact Workspace command line for bash.
workspace() {
  local data=${data}
  DATA_DIR="\${DATA_DIR:-$data}" ${node} ${main} workspace "$@"
}
_workspace_complete() {
  local line="\${COMP_LINE:0:COMP_POINT}" current head candidate reply
  local -a words
  read -r -a words <<< "$line"
  [[ "$line" == *[[:space:]] ]] && words+=("")
  current="\${words[\${#words[@]} - 1]}"
  # Bash begins a new word behind these characters, and puts candidates behind them.
  head="\${current%"\${current##*[@:=]}"}"
  reply="$(workspace complete -- "\${words[@]:1}" 2>/dev/null)"
  COMPREPLY=()
  if [[ "$reply" == ":files" ]]; then
    compopt -o default 2>/dev/null
    return
  fi
  while IFS=$'\\t' read -r candidate _; do
    [[ -n "$candidate" ]] && COMPREPLY+=("\${candidate#"$head"}")
  done <<< "$reply"
}
complete -F _workspace_complete workspace`,
  zsh: ({ node, main, data }) => `#compdef workspace
# Completion of the Contact Workspace command line for zsh.
workspace() {
  local data=${data}
  DATA_DIR="\${DATA_DIR:-$data}" ${node} ${main} workspace "$@"
}
_workspace_complete() {
  local -a lines values shown
  local line
  lines=("\${(@f)$(workspace complete -- "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null)}")
  if [[ "\${lines[1]}" == ":files" ]]; then
    _files
    return
  fi
  for line in "\${(@)lines}"; do
    [[ -n "$line" ]] || continue
    values+=("\${line%%$'\\t'*}")
    shown+=("\${line/$'\\t'/  -- }")
  done
  (( \${#values} )) && compadd -l -d shown -a values
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _workspace_complete workspace`,
  fish: ({ node, main, data }) => `# Completion of the Contact Workspace command line for fish.
function workspace --description 'Contact Workspace'
  set -q DATA_DIR; or set -lx DATA_DIR ${data}
  ${node} ${main} workspace $argv
end
function __workspace_complete
  set -l words (commandline -opc)
  set -l found (workspace complete -- $words[2..] (commandline -ct) 2>/dev/null)
  if test "$found[1]" = ':files'
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $found
  end
end
complete -c workspace -f -a '(__workspace_complete)'`,
};
