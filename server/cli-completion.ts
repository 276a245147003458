import { COMMAND_NAMES, commandRow, optionsOf, type Command, type OptionRow } from './cli-table.ts';

/** Scripts that complete `burrow` in a shell, written from the tables of commands and options. */
export function completionScript(shell: string): string {
  if (shell === 'zsh') return zshScript();
  return shell === 'fish' ? fishScript() : bashScript();
}

/** An option that a command line may have. */
interface TypedOption extends OptionRow {
  name: string;
}

const HELP: TypedOption = { name: 'help', value: null, help: 'Print the help of the command' };

function typedOptions(command: Command): TypedOption[] {
  const rows = optionsOf(command).filter(([, row]) => !row.onlyEnvironment);
  return [...rows.map(([name, row]) => ({ name, ...row })), HELP];
}

/** What the argument of a command can be; null: it has none that can be listed. */
function argumentChoices(command: Command): readonly string[] | null {
  return command === 'help' ? COMMAND_NAMES : (commandRow(command).argument?.choices ?? null);
}

/** A text in single quotes, as POSIX shells and fish read it. */
function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

function bashWords(words: readonly string[]): string {
  return `COMPREPLY=($(compgen -W ${singleQuoted(words.join(' '))} -- "$cur"))`;
}

/** A path may have spaces, so each ends with its line. */
function bashPaths(kind: '-f' | '-d'): string {
  return `compopt -o filenames 2>/dev/null; IFS=$'\\n'; COMPREPLY=($(compgen ${kind} -- "$cur"))`;
}

function bashScript(): string {
  const values = COMMAND_NAMES.flatMap((command) =>
    typedOptions(command).flatMap((option) => {
      if (option.value === null) return [];
      const spellings = [`--${option.name}`, ...(option.short === undefined ? [] : [`-${option.short}`])];
      const pattern = spellings.map((spelling) => `${command}:${spelling}`).join(' | ');
      return [`    ${pattern}) ${bashValue(option)}; return ;;`];
    }),
  );
  const options = COMMAND_NAMES.map((command) => {
    const names = typedOptions(command).map(({ name }) => `--${name}`);
    return `      ${command}) ${bashWords(names)} ;;`;
  });
  const given = COMMAND_NAMES.flatMap((command) => {
    const choices = argumentChoices(command);
    if (choices !== null) return [`    ${command}) ${bashWords(choices)} ;;`];
    return commandRow(command).argument?.isFile ? [`    ${command}) ${bashPaths('-f')} ;;`] : [];
  });
  return `# bash completion of burrow
_burrow() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command= at IFS=$' \\t\\n'
  # An equals sign is a word of its own.
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    case \${COMP_WORDS[at]} in
    ${COMMAND_NAMES.join(' | ')}) command=\${COMP_WORDS[at]}; break ;;
    esac
  done
  COMPREPLY=()
  case \${command:-serve}:$prev in
${values.join('\n')}
  esac
  if [[ $cur == -* ]]; then
    case \${command:-serve} in
${options.join('\n')}
    esac
    return
  fi
  if [[ -z $command ]]; then
    ${bashWords(COMMAND_NAMES)}
    return
  fi
  case $command in
${given.join('\n')}
  esac
}
complete -F _burrow burrow
`;
}

function bashValue({ choices, completes }: TypedOption): string {
  if (choices !== undefined) return bashWords(choices);
  if (completes === undefined) return ':';
  return bashPaths(completes === 'file' ? '-f' : '-d');
}

function zshScript(): string {
  const described = COMMAND_NAMES.map(
    (command) => `    ${singleQuoted(`${command}:${commandRow(command).summary.replaceAll(':', '\\:')}`)}`,
  );
  const cases = COMMAND_NAMES.map((command) => {
    const specs = [...typedOptions(command).map(zshOption), ...zshArgument(command)];
    return `    ${command})\n      _arguments ${specs.map((spec) => `\\\n        ${spec}`).join(' ')}\n      ;;`;
  });
  return `#compdef burrow
# zsh completion of burrow
_burrow() {
  local -a commands
  local context state state_descr line
  typeset -A opt_args
  commands=(
${described.join('\n')}
  )
  _arguments -C '1: :->command' '*:: :->rest'
  if [[ $state == command ]]; then
    _describe -t commands command commands
    return
  fi
  case $words[1] in
${cases.join('\n')}
  esac
}
if [[ $funcstack[1] == _burrow ]]; then _burrow "$@"; else compdef _burrow burrow; fi
`;
}

function zshOption({ name, value, help, short, repeatable, choices, completes }: TypedOption): string {
  const text = help.replaceAll(/[[\]]/g, String.raw`\$&`);
  const action = choices === undefined ? zshPaths(completes) : `(${choices.join(' ')})`;
  const rest = `[${text}]${value === null ? '' : `:${value.replaceAll(/[<>]/g, '')}:${action}`}`;
  const long = `--${name}${value === null ? '' : '='}`;
  if (short === undefined) return singleQuoted(`${repeatable ? '*' : ''}${long}${rest}`);
  return `'(-${short} --${name})'{-${short},${long}}${singleQuoted(rest)}`;
}

function zshPaths(completes: OptionRow['completes']): string {
  if (completes === undefined) return '';
  return completes === 'file' ? '_files' : '_files -/';
}

function zshArgument(command: Command): string[] {
  const choices = argumentChoices(command);
  const { argument } = commandRow(command);
  const label = argument?.name.replaceAll(/[[\]<>]/g, '');
  if (choices !== null) return [singleQuoted(`1:${label}:(${choices.join(' ')})`)];
  return argument?.isFile ? [singleQuoted(`1:${label}:_files`)] : [];
}

function fishScript(): string {
  const line = (condition: string, rest: string): string =>
    `complete -c burrow -n ${singleQuoted(condition)} ${rest}`;
  const commands = COMMAND_NAMES.map((command) =>
    line('__fish_use_subcommand', `-a ${command} -d ${singleQuoted(commandRow(command).summary)}`),
  );
  const options = COMMAND_NAMES.flatMap((command) => {
    const isGiven = `__fish_seen_subcommand_from ${command}`;
    const choices = argumentChoices(command);
    const given = choices !== null ? [`-a ${singleQuoted(choices.join(' '))}`] : [];
    const file = commandRow(command).argument?.isFile ? ['-F'] : [];
    return [...typedOptions(command).map(fishOption), ...given, ...file].map((rest) => line(isGiven, rest));
  });
  return `# fish completion of burrow
complete -c burrow -f
${[...commands, ...options].join('\n')}
`;
}

function fishOption({ name, value, help, short, choices, completes }: TypedOption): string {
  const names = `-l ${name}${short === undefined ? '' : ` -s ${short}`}`;
  const values = choices === undefined ? '' : ` -a ${singleQuoted(choices.join(' '))}`;
  const kind = completes === undefined ? ' -x' : ' -r -F';
  return `${names}${value === null ? '' : kind + values} -d ${singleQuoted(help)}`;
}
