/** The messages of the parser of arguments, and how Vitrine says the same. */
const REWRITES: readonly (readonly [message: RegExp, sentence: string])[] = [
  [/^unknown (option|command) '(.+)'$/, 'Unknown $1 "$2".'],
  [/^missing required argument '(.+)'$/, "The argument <$1> is missing."],
  [/^option '(.+)' argument missing$/, "$1 has no value."],
  [/^required option '(.+)' not specified$/, "The option $1 is required."],
  [/^too many arguments(?: for '.+')?\. Expected (\d+ arguments?) but got (\d+)\.$/, "Expected $1, not $2."],
  [/^option '(.+)' cannot be used with option '(.+)'$/, "$1 can't be combined with $2. Omit one of them."],
  [/^option '.*?(--[\w-]+).*' argument '(.*)' is invalid\. (.+)$/s, '"$2" isn\'t a valid value of $1. $3'],
  [/^command-argument value '(.*)' is invalid for argument '(.+)'\. (.+)$/s, '"$1" isn\'t a valid <$2>. $3'],
];

const SUGGESTION = /\n\((Did you mean (?:one of )?.+\?)\)$/;
const CHOICES = /Allowed choices are (.+)\.$/;

/** Returns a message of the parser as an error of Vitrine, with what to do next. `command` is the command that was run. */
export function explainUsage(message: string, command: string): string {
  const [, suggestion] = SUGGESTION.exec(message) ?? [];
  const plain = message.replace(SUGGESTION, "");
  const found = REWRITES.find(([pattern]) => pattern.test(plain));
  const sentence = (found === undefined ? plain : plain.replace(...found)).replace(
    CHOICES,
    (_, choices: string) => `Use ${alternatives(choices)}.`,
  );
  // Some say already what to do.
  const hasAdvice = sentence.includes(". ");
  return hasAdvice ? sentence : `${sentence} ${suggestion ?? `Run ${command} --help for usage.`}`;
}

/** Returns `a, b or c` for `a, b, c`. */
const alternatives = (list: string): string => list.replace(/, ([^,]+)$/, " or $1");
