/** A command, as needed for completion. */
export interface CompletedCommand {
  /** The words of the command, such as `users create`; empty for the program itself. */
  path: string;
  options: readonly CompletedOption[];
  commands: readonly { name: string; description: string }[];
  /** The values of its arguments, if they are a fixed set. */
  choices: readonly string[];
  /** Whether an argument is a report. */
  takesReports: boolean;
}

/** What the server knows the names of. */
export type CompletedNames = "reports" | "folders" | "tags";

interface CompletedOption {
  short: string | undefined;
  long: string | undefined;
  description: string;
  choices: readonly string[] | undefined;
  /** The names that the server knows and the option takes. */
  names: CompletedNames | undefined;
  takesValue: boolean;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
const namesOf = ({ short, long }: CompletedOption): string[] => [long, short].filter((name) => name !== undefined);
const innerPaths = (nodes: readonly CompletedCommand[]): string[] =>
  nodes.map(({ path }) => path).filter((path) => path !== "");

/** Returns the options whose values are a fixed set, each after the words of its command. */
const valuesOf = (nodes: readonly CompletedCommand[]): { at: string; choices: readonly string[] }[] =>
  nodes
    .flatMap(({ path, options }) =>
      options.flatMap((option) =>
        namesOf(option).map((name) => ({ at: `${path} ${name}`, choices: option.choices ?? [] })),
      ),
    )
    .filter(({ choices }) => choices.length > 0);

/** Returns the places whose values the server knows, each after the words of its command. */
const namedOf = (nodes: readonly CompletedCommand[]): { at: string; names: string }[] =>
  nodes.flatMap(({ path, options }) =>
    options.flatMap((option) =>
      option.names === undefined
        ? []
        : namesOf(option).map((name) => ({ at: `${path} ${name}`, names: option.names ?? "" })),
    ),
  );

const reportPaths = (nodes: readonly CompletedCommand[]): string[] =>
  nodes.filter(({ takesReports }) => takesReports).map(({ path }) => path);

export function bashScript(nodes: readonly CompletedCommand[]): string {
  const places = nodes.map((node) => {
    const words = [...node.commands.map(({ name }) => name), ...node.choices];
    return `    ${quote(node.path)}) words=${quote(words.join(" "))} options=${quote(node.options.flatMap(namesOf).join(" "))} ;;`;
  });
  const values = valuesOf(nodes).map(
    ({ at, choices }) => `    ${quote(at)}) words=${quote(choices.join(" "))} options= names= ;;`,
  );
  const named = namedOf(nodes).map(({ at, names }) => `    ${quote(at)}) names=${names} words= ;;`);
  return `# Completion of vitrine for bash
_vitrine() {
  local current=\${COMP_WORDS[COMP_CWORD]} place= words= options= names= name i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${place:+$place }\${COMP_WORDS[i]}" in
      ${innerPaths(nodes).map(quote).join(" | ")}) place="\${place:+$place }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$place" in
${places.join("\n")}
  esac
  case "$place" in
    ${reportPaths(nodes).map(quote).join(" | ")}) names=reports ;;
  esac
  case "$place \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join("\n")}
${named.join("\n")}
  esac
  case $current in -*) words=$options names= ;; esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
  [[ -n $names ]] || return 0
  # Not by compgen, which would expand what names contain.
  while IFS= read -r name; do
    [[ $name == "$current"* ]] && COMPREPLY+=("$(printf %q "$name")")
  done < <(vitrine complete "$names" 2>/dev/null)
}
complete -o default -F _vitrine vitrine`;
}

export function zshScript(nodes: readonly CompletedCommand[]): string {
  const described = (name: string, description: string) => quote(`${name.replaceAll(":", "\\:")}:${description}`);
  const places = nodes.map((node) => {
    const commands = node.commands.map(({ name, description }) => described(name, description));
    const options = node.options.flatMap((option) =>
      namesOf(option).map((name) => described(name, option.description)),
    );
    return `    (${quote(node.path)}) candidates=(${[...commands, ...node.choices.map(quote)].join(" ")}) options=(${options.join(" ")}) ;;`;
  });
  const values = valuesOf(nodes).map(
    ({ at, choices }) => `    (${quote(at)}) candidates=(${choices.map(quote).join(" ")}) options=() names= ;;`,
  );
  const named = namedOf(nodes).map(({ at, names }) => `    (${quote(at)}) names=${names} candidates=() ;;`);
  return `#compdef vitrine
# Completion of vitrine for zsh
_vitrine() {
  local place= names= i
  local -a candidates options known
  for (( i = 2; i < CURRENT; i++ )); do
    case "\${place:+$place }\${words[i]}" in
      (${innerPaths(nodes).map(quote).join("|")}) place="\${place:+$place }\${words[i]}" ;;
    esac
  done
  case "$place" in
${places.join("\n")}
  esac
  case "$place" in
    (${reportPaths(nodes).map(quote).join("|")}) names=reports ;;
  esac
  case "$place \${words[CURRENT-1]}" in
${values.join("\n")}
${named.join("\n")}
  esac
  if [[ -n $names && \${words[CURRENT]} != -* ]]; then
    known=(\${(f)"$(vitrine complete $names 2>/dev/null)"})
    candidates+=("\${(@)known//:/\\:}")
  fi
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o option options
  elif (( \${#candidates} )); then
    _describe command candidates
  else
    _files
  fi
}
compdef _vitrine vitrine`;
}

export function fishScript(nodes: readonly CompletedCommand[]): string {
  const lines = nodes.flatMap((node) => {
    const at = `complete -c vitrine -n ${quote(`__vitrine_at '${node.path}'`)}`;
    return [
      ...node.commands.map(({ name, description }) => `${at} -f -a ${name} -d ${quote(description)}`),
      ...node.choices.map((choice) => `${at} -f -a ${choice}`),
      ...(node.takesReports ? [`${at} -f -a '(vitrine complete reports 2>/dev/null)'`] : []),
      ...node.options.map((option) => `${at} ${fishOption(option)}`),
    ];
  });
  return `# Completion of vitrine for fish
function __vitrine_at
  set -l place
  for word in (commandline -opc)[2..-1]
    if contains -- "$place$word" ${innerPaths(nodes).map(quote).join(" ")}
      set place "$place$word "
    end
  end
  test (string trim -- "$place") = "$argv[1]"
end
${lines.join("\n")}`;
}

function fishOption({ short, long, description, choices, names, takesValue }: CompletedOption): string {
  const values = names === undefined ? choices?.join(" ") : `(vitrine complete ${names} 2>/dev/null)`;
  return [
    ...(long === undefined ? [] : [`-l ${long.replace(/^--/, "")}`]),
    ...(short === undefined ? [] : [`-s ${short.replace(/^-/, "")}`]),
    ...(values ? [`-x -a ${quote(values)}`] : takesValue ? ["-r"] : []),
    `-d ${quote(description)}`,
  ].join(" ");
}
